"""Causes that are built into a scenario on purpose, and whether the explanation names them."""

from __future__ import annotations

import pytest

import odonata
from examples import jobs
from odonata.output.explain import conditions
from odonata.output.explain.conditions import CAP, DETOURS, FAILED, INCAST, PRIORITY
from odonata.output.explain.explain import explain

_SYSTEM = "dragonfly(2, 4, 2, 9)"
_PING_PONG = {"kind": "ping-pong", "ranks": 2, "iterations": 10}
_QUIET = 0.005


def told(scenario, **options):
    """The run and what is said of its victim."""
    run = odonata.run(scenario, **options)
    return run, explain(run, "halo")


def steps(found):
    return dict(found.steps)


def pair(routing, failures=(), workload=None, nodes=None):
    """A victim beside a job that hardly does anything."""
    scenario = jobs(telemetry={"blame": True}, routing={"algorithm": routing})
    if failures:
        scenario["system"] = {"preset": _SYSTEM, "failures": {"links": list(failures)}}
    victim, other = scenario["jobs"]
    if workload is not None:
        victim["workload"] = workload
    if nodes is not None:
        victim["placement"] = {"kind": "list", "nodes": nodes}
    other["workload"]["face"] = "2 KiB"
    return scenario


def classes(cap, rest, mine="high"):
    """A victim in one traffic class beside an aggressor in the other."""
    scenario = jobs(telemetry={"blame": True}, routing={"algorithm": "minimal"})
    both = [{"name": "high", "cap": cap}, {"name": "low", "cap": rest}]
    scenario["system"] = {"preset": _SYSTEM, "qos": {"window": "5 us", "classes": both}}
    victim, other = scenario["jobs"]
    victim["class"], other["class"] = mine, "low" if mine == "high" else "high"
    return scenario


def test_a_noisy_neighbour():
    run, found = told(jobs(telemetry={"blame": True}))
    assert run.jobs["halo"].slowdown > 1.1
    assert found.facts["shares"]["noise"] > 0.7
    head = found.facts["headline"]
    assert head.startswith("`halo` is 20 % slower than alone (one run, no interval). Of what ")
    assert "is due to `noise`" in head


def test_a_class_that_is_over_its_cap():
    run, found = told(classes("5 %", "95 %"))
    assert run.jobs["halo"].slowdown > 1.2
    assert found.facts["causes_named"][0] == CAP
    about = found.facts["conditions"][CAP]
    assert about["largest_share"] > 0.05
    assert "while its class `high` exceeds its cap of 5 %" in found.facts["headline"]
    assert "(measured)" in steps(found)["Network and job"]
    assert "(inferred)" in steps(found)["Network and job"]


def test_a_class_with_room_is_not_to_blame():
    run, found = told(classes("60 %", "40 %"))
    assert run.jobs["halo"].slowdown < 1.02
    assert CAP not in found.facts["causes_named"]
    assert "class" not in found.facts["headline"]


def test_a_class_that_goes_first():
    run, found = told(classes("60 %", "40 %", mine="low"))
    assert run.jobs["halo"].slowdown > 1.2
    assert found.facts["causes_named"][0] == PRIORITY
    assert "class `high` has priority over its class `low`" in found.facts["headline"]


@pytest.mark.parametrize(
    ("link", "nodes", "shortest", "left"),
    [([2, 20], [0, 40], 3.0, 1.0), ([0, 1], [0, 2], 2.0, 0.0)],
    ids=["global", "local"],
)
def test_a_failed_link_on_the_minimal_path(link, nodes, shortest, left):
    run, found = told(pair("minimal", [link], _PING_PONG, nodes))
    whole, _ = told(pair("minimal", (), _PING_PONG, nodes))
    assert abs(run.jobs["halo"].slowdown - 1.0) < _QUIET
    assert run.jobs["halo"].comm_time_ns > 1.05 * whole.jobs["halo"].comm_time_ns
    assert run.jobs["halo"].summary["nonminimal_fraction"] == left
    about = found.facts["conditions"][FAILED]
    assert (about["failed"], about["longer_pairs"], about["pairs"]) == (1, 2, 2)
    assert about["intact"] == shortest == whole.jobs["halo"].summary["hops_mean"]
    head = found.facts["headline"]
    assert "as fast as alone" in head
    assert "Also when it runs alone, 1 failed link lengthens its paths" in head
    # What is inferred is not far from what the failure costs a packet.
    latency, intact = (
        one.jobs["halo"].summary["packet_latency_ns"]["mean"] for one in (run, whole)
    )
    assert about["share"] == pytest.approx(1 - intact / latency, abs=0.1)


def test_links_that_failed_elsewhere_are_not_to_blame():
    _, found = told(pair("minimal", [[4, 5]], _PING_PONG, [0, 40]))
    assert FAILED not in found.facts["causes_named"]
    assert "failed" not in " ".join(text for _, text in found.steps)


def test_detours_of_the_routing():
    run, found = told(pair("valiant-node", (), _PING_PONG, [0, 40]))
    whole, _ = told(pair("minimal", (), _PING_PONG, [0, 40]))
    assert run.jobs["halo"].comm_time_ns > 1.4 * whole.jobs["halo"].comm_time_ns
    about = found.facts["conditions"][DETOURS]
    assert about["is_always"]
    assert about["shortest"] == whole.jobs["halo"].summary["hops_mean"]
    assert (
        "Also when it runs alone, `valiant-node` sends 100 % of its packets on detours"
        in (found.facts["headline"])
    )
    latency, minimal = (
        one.jobs["halo"].summary["packet_latency_ns"]["mean"] for one in (run, whole)
    )
    assert about["share"] == pytest.approx(1 - minimal / latency, abs=0.05)


def test_an_incast_of_its_own():
    run, found = told(
        pair("minimal", (), {"kind": "incast", "ranks": 12, "iterations": 2, "message": "64 KiB"})
    )
    ranks = run.table("ranks")
    target = ranks.filter((ranks["job"] == "halo") & (ranks["rank"] == 0))["node"][0]
    about = found.facts["conditions"][INCAST]
    assert (about["node"], about["rank"]) == (target, 0)
    assert about["share"] > 0.5
    assert (
        f"for the link to node {target} (rank 0): the job is an incast itself"
        in (found.facts["headline"])
    )


def test_what_is_alike_alone_is_said_of_the_run_alone():
    run, found = told(jobs(telemetry={"blame": True}))
    alone = explain(run.baselines["halo"], "halo")
    share = max(one["share"] for one in alone.facts["conditions"].values())
    assert (
        f"Also when it runs alone, its packets wait for each other for {100 * share:.0f} %"
        in (found.facts["headline"])
    )


def aggressors(*loads):
    """A victim beside uniform traffic of several loads on a small Aries system."""
    halo = {"kind": "halo3d", "ranks": 18, "grid": [2, 3, 3], "face": "8 KiB", "iterations": 1}
    shape = {"rows": 2, "columns": 4, "column_links": 2, "chassis_per_cabinet": 2}
    traffic = {"kind": "open-loop", "ranks": 26, "pattern": "uniform"}
    others = [
        {"name": f"at-{load}", "role": "aggressor", "placement": "random-node",
         "workload": traffic | {"load": load}}
        for load in loads
    ]  # fmt: skip
    return {
        "name": "aggressors",
        "seed": 1,
        "system": {"preset": "aries(3, 2)", "topology": shape, "mpi": {"preset": "ideal"}},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "halo", "placement": "random-node", "workload": halo}, *others],
        "telemetry": {"blame": True},
        "stop": {"time": "5 ms"},
    }


@pytest.mark.parametrize(("loads", "held"), [((0.02, 0.04), []), ((0.2, 0.8), ["at-0.8"])])
def test_shares_of_jobs_that_the_network_holds_back_are_no_order_of_remedies(loads, held):
    _, found = told(aggressors(*loads), baseline=False)
    assert found.facts["held_back"] == held
    advice = "may therefore differ from the order of what leaving each job out gains"
    assert (advice in steps(found)["Waits"]) == bool(held)


@pytest.mark.parametrize(
    ("ranks_per_node", "advice"),
    [(1, "fewer messages of a rank at a time"), (4, "fewer ranks per NIC")],
)
def test_advice_on_injection_fits_the_ranks_of_a_node(ranks_per_node, advice):
    workload = {"kind": "halo26", "ranks": 27, "face": "4 KiB", "iterations": 1}
    result = odonata.run_one({
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "mine", "ranks_per_node": ranks_per_node, "workload": workload}],
    })  # fmt: skip
    assert conditions._of_injection(result, "mine") == advice
