"""Links that go down, come back and lose lanes while the network runs."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from odonata.core import native
from odonata.core.errors import ScenarioError
from odonata.core.native import ConfigurationError
from odonata.scenario import Scenario

DOWN = {"at": "3 us", "link": [0, 1], "state": "down"}
UP = {"at": "9 us", "link": [1, 0], "state": "up"}
LANES = {"at": "5 us", "link": [2, 3], "lanes": "25 %"}


def data(*events: dict[str, Any], **failures: Any) -> dict[str, Any]:
    """Uniform traffic on 72 nodes; the first group has routers 0 to 3."""
    return {
        "schema": 1,
        "name": "events",
        "seed": 11,
        "system": {
            "preset": "dragonfly(2, 4, 2, 9)",
            "failures": {"events": list(events), **failures},
        },
        "routing": {"algorithm": "ugal-group"},
        "jobs": [{
            "name": "uniform",
            "workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.6,
                         "message": "512 B"},
        }],
        "measure": {"warm_up": "1 us", "window": "12 us"},
    }  # fmt: skip


def simulated(scenario: dict[str, Any], threads: int = 1) -> Any:
    """The outcome of the only run."""
    (point,) = Scenario.from_mapping(scenario).points
    return native.run(point.config, {}, threads=threads)


def summary(scenario: dict[str, Any], threads: int = 1) -> dict[str, Any]:
    return simulated(scenario, threads).summary


def test_the_summary_says_what_happened():
    links = summary(data(DOWN, UP, LANES))["network"]["links"]
    assert [(event["at_ns"], event["bandwidth_share"]) for event in links["events"]] == [
        (3_000, 0.0),
        (5_000, 0.25),
        (9_000, 1.0),
    ]
    assert links["packets_rerouted"] > 0
    assert links["still_to_come"] == 0


def test_what_is_behind_the_end_has_no_effect():
    late = {"at": "900 us", "link": [0, 1], "lanes": "25 %"}
    found = summary(data(late))
    assert found["network"]["links"] == {
        "events": [], "packets_rerouted": 0, "still_to_come": 1,
    }  # fmt: skip
    whole = data()
    del whole["system"]["failures"]
    assert found["network"]["packet_latency_ns"] == summary(whole)["network"]["packet_latency_ns"]


def test_any_number_of_threads_gives_the_same():
    first, *others = (
        json.dumps({**summary(data(DOWN, UP, LANES), threads), "engine": None}, sort_keys=True)
        for threads in (1, 2, 3)
    )
    assert others == [first, first]


def test_routers_that_know_later_reroute_more():
    at_once, later = (
        summary(data(DOWN, known_after=after))["network"]["links"]["packets_rerouted"]
        for after in ("0 us", "5 us")
    )
    assert 0 < at_once < later


def test_lost_lanes_slow_a_link_down():
    whole, slow = (
        summary(data(*events))["network"]["packet_latency_ns"]["p99"]
        for events in ([], [{**LANES, "at": "0 us", "lanes": "5 %"}])
    )
    assert slow > whole


def test_a_link_is_busy_for_as_long_as_it_sends_whatever_lanes_it_has():
    scenario = data({**LANES, "at": "4 us"}, {**LANES, "at": "8 us", "lanes": "60 %"})
    scenario["telemetry"] = {"link_series": True}
    tables = simulated(scenario).tables
    links, bins = tables["links"], tables["link_series"]
    sums = np.bincount(bins["link"], bins["busy_ns"], int(links["link"].max()) + 1)
    np.testing.assert_allclose(links["busy_ns"], sums[links["link"]], rtol=0, atol=1e-3)


def test_a_link_with_fewer_lanes_can_carry_less():
    outcome = simulated(data({**LANES, "at": "0 us", "lanes": "10 %"}))
    links, end = outcome.tables["links"], outcome.summary["simulated_ns"]
    # Packets are whole flits without headers: the share of the time is that of the capacity.
    np.testing.assert_allclose(links["congestion_index"], links["busy_ns"] / end, rtol=1e-3)
    assert links["congestion_index"].max() > 0.9


def ring() -> tuple[dict[str, Any], str]:
    """Five routers in a ring have nodes; one without nodes leads from each to the next but one.

    The second link of each such way goes down: what is on it goes back and around, over three
    links, where paths between nodes have two.
    """
    rows = ["kind,source_node,source_router,target_node,target_router"]
    for node in range(10):
        rows += [f"host,{node},,,{node // 2}", f"host,,{node // 2},{node},"]
    cuts = [(5 + one, (one + 2) % 5) for one in range(5)]
    for one, other in [*((one, (one + 1) % 5) for one in range(5)),
                       *((5 + one, one) for one in range(5)), *cuts]:  # fmt: skip
        rows += [f"local,,{one},,{other}", f"local,,{other},,{one}"]
    down = [{"at": "3 us", "link": list(link), "state": "down"} for link in cuts]
    scenario = data(*down, known_after="100 us")
    fabric = {"bandwidth": "25 GB/s", "latency": "30 ns"}
    del scenario["system"]["preset"]
    scenario["system"].update(
        topology={"kind": "file", "channels": "ring.csv"},
        links={"host": fabric, "local": fabric},
        router={"architecture": "voq", "latency": "100 ns", "input_buffer": "512 B"},
        packet={"size": "512 B", "flit": "32 B"},
    )
    scenario["routing"] = {"algorithm": "minimal"}
    scenario["measure"]["drain"] = "1 ms"
    return scenario, "\n".join(rows) + "\n"


def test_what_turns_at_routers_without_nodes_waits_in_no_circle():
    scenario, channels = ring()
    (point,) = Scenario.from_mapping(scenario).points
    path = point.config["system"]["topology"]["channels"]
    outcome = native.run(point.config, {}, {path: channels})
    assert outcome.summary["network"]["links"]["packets_rerouted"] > 100
    assert outcome.summary["network"]["measured_packets_undelivered"] == 0


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"at": "3 us", "link": [0, 1]}, 'state = "down" or state = "up"'),
        ({**DOWN, "lanes": "50 %"}, "says either what becomes of the link"),
        ({**DOWN, "link": [0]}, "a link is a pair of router ids"),
        ({**DOWN, "link": [1, 1]}, "name two different routers"),
        ({**DOWN, "state": "gone"}, "down"),
        ({**LANES, "lanes": "0 %"}, "lanes"),
        ({**LANES, "lanes": "130 %"}, "lanes"),
        ({**DOWN, "when": "3 us"}, "unknown key"),
    ],
)
def test_events_that_say_too_little_or_too_much_are_refused(event, words):
    with pytest.raises(ScenarioError) as refused:
        Scenario.from_mapping(data(event))
    assert words in str(refused.value)
    assert "events[0]" in str(refused.value)


def test_notice_without_events_is_refused():
    with pytest.raises(ScenarioError, match="known_after belongs to `events`"):
        Scenario.from_mapping(data(known_after="1 us"))


REFUSED = {
    "unknown link": (lambda d: d["system"]["failures"].update(events=[{**DOWN, "link": [0, 5]}]),
                     "there is no link between router 0 and router 5"),
    "twice at once": (lambda d: d["system"]["failures"].update(events=[DOWN, {**UP, "at": "3 us"}]),
                      "changes twice"),
    "learning": (lambda d: d["routing"].update(algorithm="q-adaptive"), "learns of each link"),
    "nobody left": (
        lambda d: d["system"]["failures"].update(
            events=[{**DOWN, "link": [0, other]} for other in (1, 2, 3)]
        ),
        "up throughout the run",
    ),
    "early credits": (
        lambda d: d["system"].update(router={"architecture": "voq",
                                             "credit_return": "reservation"}),
        "links cannot go down",
    ),
    "skip": (lambda d: d.update(stop={"time": "1 ms", "skip": "5 %"}), "stop.skip"),
    "blame": (lambda d: d.update(telemetry={"blame": True}), "telemetry.blame"),
    "counters": (lambda d: d.update(telemetry={"counters": True}), "telemetry.counters"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_go_with_links_that_go_down_is_refused(name):
    change, words = REFUSED[name]
    scenario = copy.deepcopy(data(DOWN))
    change(scenario)
    with pytest.raises((ConfigurationError, ScenarioError)) as refused:
        simulated(scenario)
    assert words in str(refused.value)
