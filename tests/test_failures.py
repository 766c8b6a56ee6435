"""Routers and nodes that fail while the network runs, and what becomes of jobs on them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from odonata.core import native
from odonata.core.errors import ScenarioError
from odonata.core.native import ConfigurationError
from odonata.scenario import Scenario

ROUTER = {"at": "30 us", "router": 4, "state": "down"}
"""Nodes 8 and 9 are at it."""
NODE = {"at": "30 us", "node": 3, "state": "down"}


def alltoall(name: str, **more: Any) -> dict[str, Any]:
    """A job that takes about 90 us beside another one."""
    return {
        "name": name,
        "role": "victim",
        "placement": "contiguous",
        "workload": {"kind": "alltoall", "ranks": 16, "message": "8 KiB", "iterations": 2},
        **more,
    }


UNIFORM = {
    "name": "uniform",
    "workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.3, "message": "512 B"},
}


def data(*events: dict[str, Any], jobs: list[dict[str, Any]] | None = None, **more: Any) -> Any:
    """Two jobs on 32 of 72 nodes, `first` on those of routers 0 to 7."""
    return {
        "schema": 1,
        "name": "failures",
        "seed": 11,
        "system": {
            "preset": "dragonfly(2, 4, 2, 9)",
            "failures": {"events": list(events), **more},
        },
        "routing": {"algorithm": "ugal-group"},
        "jobs": [alltoall("first"), alltoall("second")] if jobs is None else jobs,
        "stop": {"time": "5 ms"},
    }


def simulated(scenario: dict[str, Any], threads: int = 1) -> Any:
    """The outcome of the only run."""
    (point,) = Scenario.from_mapping(scenario).points
    return native.run(point.config, {}, threads=threads)


def summary(scenario: dict[str, Any], threads: int = 1) -> Any:
    return simulated(scenario, threads).summary


def jobs(found: Any) -> dict[str, Any]:
    return {job["name"]: job for job in found["jobs"]}


@pytest.mark.parametrize(
    ("event", "node", "router", "lost"), [(ROUTER, 8, 4, 2), (NODE, 3, None, 1)]
)
def test_a_job_on_what_fails_is_killed_and_others_go_on(event, node, router, lost):
    outcome = simulated(data(event))
    found = jobs(outcome.summary)
    assert outcome.summary["stop"] == "finished"
    assert found["first"]["failure"] == {
        "at_ns": 30_000, "node": node, "router": router, "ranks_lost": lost, "outcome": "ended",
    }  # fmt: skip
    assert found["first"]["ranks_finished"] == 0
    assert found["second"]["ranks_finished"] == 16
    assert "failure" not in found["second"]
    (killed,) = [words for words in outcome.summary["warnings"] if "`first` was killed" in words]
    assert f"node {node} failed" in killed
    assert outcome.summary["simulated_ns"] > 60_000, "the second job has ended the run"
    ends = outcome.tables["iterations"]
    of_first = [ns for job, ns in zip(ends["job"], ends["end_ns"], strict=True) if job == "first"]
    assert max(of_first, default=0) <= 30_000, "the ranks of the first one have stopped"


def test_a_run_with_no_other_job_ends_with_the_failure():
    found = summary(data(NODE, jobs=[alltoall("first")]))
    assert (found["stop"], found["simulated_ns"]) == ("finished", pytest.approx(30_000, rel=0.1))


def test_a_job_that_waits_for_the_dead_is_diagnosed():
    outcome = simulated(data(NODE, jobs=[alltoall("first", on_failure="wait"), alltoall("second")]))
    found = jobs(outcome.summary)
    assert outcome.summary["stop"] == "stalled"
    assert found["first"]["failure"]["outcome"] == "waited"
    assert found["second"]["ranks_finished"] == 16
    assert "job `first` rank 3 is dead: its node 3 failed at 30 us" in outcome.stall
    assert "job `first` rank 2 (node 2) waits for" in outcome.stall


def test_traffic_goes_on_without_failed_sources():
    scenario = data(ROUTER, jobs=[copy.deepcopy(UNIFORM)])
    scenario["measure"] = {"warm_up": "1 us", "window": "80 us"}
    outcome = simulated(scenario)
    failure = outcome.summary["jobs"][0]["failure"]
    assert (failure["outcome"], failure["ranks_lost"]) == ("went-on", 2)
    whole = data(jobs=[copy.deepcopy(UNIFORM)])
    del whole["system"]["failures"]
    whole["measure"] = scenario["measure"]
    sent = [one["jobs"][0]["bytes_sent"] for one in (outcome.summary, summary(whole))]
    # Two of 72 sources are silent for 50 of 80 us, or a little longer.
    assert 0.97 < sent[0] / sent[1] < 0.99
    assert any(
        "`uniform` has 2 sources on nodes that fail" in one for one in outcome.summary["warnings"]
    )


def test_the_summary_and_a_note_say_what_happened():
    outcome = simulated(data(ROUTER, {**ROUTER, "at": "60 us", "state": "up"}, NODE))
    links = outcome.summary["network"]["links"]
    assert links["events"] == [
        {"at_ns": 30_000, "router": 4, "bandwidth_share": 0.0},
        {"at_ns": 30_000, "node": 3, "bandwidth_share": 0.0},
        {"at_ns": 60_000, "router": 4, "bandwidth_share": 1.0},
    ]
    assert links["packets_rerouted"] > 0
    (note,) = [one for one in outcome.summary["notes"] if "router 4" in one]
    assert "router 4 went down at 30 us, node 3 went down at 30 us" in note
    assert "router 4 came back at 60 us" in note


def test_what_is_lost_is_sent_again_later():
    events = [ROUTER, {**ROUTER, "at": "60 us", "state": "up"}]
    busy = [copy.deepcopy(UNIFORM)]
    window = {"warm_up": "1 us", "window": "80 us", "drain": "1 ms"}
    largest = []
    for after in ("0 us", "50 us"):
        scenario = data(*events, jobs=busy, resent_after=after)
        scenario["measure"] = window
        found = summary(scenario)
        assert found["network"]["measured_packets_undelivered"] == 0
        largest.append(found["network"]["packet_latency_ns"]["max"])
    assert largest[1] > 50_000 > largest[0]


@pytest.mark.parametrize("algorithm", ["minimal", "valiant-node", "ugal-group", "par"])
@pytest.mark.parametrize("architecture", ["voq", "cioq"])
def test_any_number_of_threads_gives_the_same(algorithm, architecture):
    scenario = data(ROUTER, NODE, known_after="5 us", resent_after="20 us")
    scenario["routing"] = {"algorithm": algorithm}
    scenario["system"]["router"] = {"architecture": architecture}
    first, *others = (
        json.dumps({**summary(scenario, threads), "engine": None}, sort_keys=True)
        for threads in (1, 2, 3)
    )
    assert others == [first, first]


def test_a_whole_group_may_fail():
    events = [{**ROUTER, "router": router} for router in range(4, 8)]
    found = jobs(summary(data(*events)))
    assert found["first"]["failure"]["ranks_lost"] == 8
    assert found["second"]["ranks_finished"] == 16


def test_a_job_that_had_ended_before_is_left_as_it_is():
    late = {**NODE, "at": "4 ms"}
    jobs_ = [alltoall("first"), {**alltoall("second"), "start": "3990 us"}]
    outcome = simulated(data(late, jobs=jobs_))
    found = jobs(outcome.summary)
    assert found["first"]["ranks_finished"] == 16
    assert "failure" not in found["first"]
    assert found["second"]["ranks_finished"] == 16


def test_what_is_behind_the_end_has_no_effect():
    late = {**NODE, "at": "4 ms"}
    whole = data()
    del whole["system"]["failures"]
    found = summary(data(late))
    assert found["network"].pop("links")["still_to_come"] == 1
    assert found["jobs"] == summary(whole)["jobs"]
    assert found["network"] == summary(whole)["network"]


def test_a_node_with_a_nic_at_a_router_that_fails_fails():
    scenario = data(ROUTER)
    scenario["system"]["node"] = {"nics": 2}
    # Nodes 4 and 5 have their NICs at routers 4 and 5.
    found = jobs(summary(scenario))
    assert found["first"]["failure"]["node"] == 4
    assert found["first"]["failure"]["ranks_lost"] == 2


def test_no_job_gets_a_node_that_is_down():
    down = {**NODE, "at": "0 us"}
    back = {**NODE, "at": "50 us", "state": "up"}
    at = {"kind": "list", "nodes": [3, 4]}
    pair = {"kind": "ping-pong", "message": "8 B", "iterations": 1}
    early = {**alltoall("early"), "placement": at, "workload": pair, "start": "20 us"}
    with pytest.raises(ConfigurationError, match="node 3"):
        simulated(data(down, back, jobs=[early]))
    late = {**early, "start": "50 us"}
    assert jobs(summary(data(down, back, jobs=[late])))["early"]["ranks_finished"] == 2
    found = simulated(data(down, jobs=[alltoall("first")]))
    assert 3 not in found.tables["ranks"]["node"]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"at": "3 us", "state": "down"}, "an event is about one of these"),
        ({**ROUTER, "node": 3}, "an event is about one of these"),
        ({**ROUTER, "link": [0, 1]}, "an event is about one of these"),
        ({**ROUTER, "port": 3}, "`port` is of a link"),
        ({"at": "3 us", "node": 3, "lanes": "50 %"}, "`lanes` is of a link"),
        ({"at": "3 us", "router": 3}, "what becomes of the router"),
        ({**ROUTER, "at": "-3 us"}, "at"),
        ({**ROUTER, "router": -1}, "router"),
        ({**ROUTER, "router": 1.5}, "router"),
        ({**ROUTER, "rooter": 1}, "did you mean `router`"),
    ],
)
def test_events_that_say_too_little_or_too_much_are_refused(event, words):
    with pytest.raises(ScenarioError) as refused:
        Scenario.from_mapping(data(event))
    assert words.lower() in str(refused.value).lower()
    assert "events[0]" in str(refused.value)


REFUSED = {
    "unknown router": ([{**ROUTER, "router": 36}], "there is no router 36"),
    "unknown node": ([{**NODE, "node": 72}], "there is no node 72"),
    "twice": ([NODE, {**NODE, "at": "40 us"}], "node 3 is down already"),
    "at once": ([NODE, {**NODE, "state": "up"}], "node 3 changes twice at one instant"),
    "up": ([{**ROUTER, "state": "up"}], "router 4 is not down"),
    "everything": ([{**ROUTER, "router": router} for router in range(36)], "no way leads from it"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_failures_that_cannot_be_are_refused(name):
    events, words = REFUSED[name]
    with pytest.raises(ConfigurationError, match=words):
        simulated(data(*events))


BESIDE = {
    "skip": ({"stop": {"time": "1 ms", "skip": "5 %"}}, "stop.skip"),
    "blame": ({"telemetry": {"blame": True}}, "telemetry.blame"),
    "learning": ({"routing": {"algorithm": "q-adaptive"}}, "q-adaptive"),
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_does_not_go_with_routers_that_fail_is_refused(name):
    change, words = BESIDE[name]
    with pytest.raises((ConfigurationError, ScenarioError), match=words):
        simulated({**data(ROUTER), **change})


def test_counters_stand_beside_nodes_that_fail():
    scenario = {**data(NODE), "telemetry": {"blame": True}}
    assert jobs(summary(scenario))["first"]["failure"]["node"] == 3


def test_traffic_waits_for_nobody():
    scenario = data(NODE, jobs=[alltoall("first"), {**UNIFORM, "on_failure": "wait"}])
    with pytest.raises(ConfigurationError, match="waits for nobody"):
        simulated(scenario)


def test_a_delay_without_events_is_refused():
    with pytest.raises(ScenarioError, match="resent_after belongs to `events`"):
        Scenario.from_mapping(data(resent_after="1 us"))
