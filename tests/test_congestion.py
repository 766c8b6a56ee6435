"""Congestion control at end points: docs/model/congestion.md."""

from __future__ import annotations

import polars as pl
import pytest

import odonata
from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.registry import family

controllers = family("controllers")

PACE = {"congestion": "pace"}
NSCC = {"congestion": "nscc"}
ABATE = {"congestion": "abate"}
RCCC = {"congestion": "rccc"}
BOTH = {"congestion": "nscc-rccc"}
ALL = [PACE, NSCC, ABATE, RCCC, BOTH]


def system(shape, **nic):
    return {
        "preset": f"dragonfly{shape}",
        "links": {
            "host": {"bandwidth": "25 GB/s", "latency": "10 ns"},
            "local": {"bandwidth": "25 GB/s", "latency": "15 ns"},
            "global": {"bandwidth": "25 GB/s", "latency": "200 ns"},
        },
        "router": {
            "architecture": "cioq",
            "latency": "350 ns",
            "input_buffer": "98304 B",
            "output_buffer": "16384 B",
            "speedup": 2,
        },
        "packet": {"size": "4160 B", "flit": "64 B", "header": "64 B"},
        "nic": {"queues": 48, "congestion": "none", **nic},
        "mpi": {"preset": "ideal"},
    }


def incast(sources, *, message="1 MiB", iterations=1, telemetry=None, **nic):
    """Nodes of one switch send to one."""
    workload = {
        "kind": "incast",
        "ranks": sources + 1,
        "message": message,
        "iterations": iterations,
    }
    return {
        "name": "incast",
        "system": system((sources + 1, 1, 1, 1), **nic),
        "routing": {"algorithm": "minimal"},
        "jobs": [
            {
                "name": "incast",
                "placement": {"kind": "list", "nodes": list(range(sources + 1))},
                "workload": workload,
            }
        ],
        "telemetry": telemetry or {},
    }


def run(scenario, **options):
    return odonata.run_one(scenario, baseline=False, **options)


def busy(result):
    """Share of the run in which the last hop of node 0 was sending."""
    links = result.table("links").filter(pl.col("target_node") == 0)
    return links["busy_ns"].sum() / result.summary["simulated_ns"]


@pytest.mark.parametrize(("sources", "least"), [(8, 0.75), (32, 0.90)])
def test_a_paced_last_hop_stays_busy(sources, least):
    share = busy(run(incast(sources, message="2 MiB", **PACE)))
    assert least <= share < 0.99
    assert busy(run(incast(sources, message="2 MiB"))) > 0.99


@pytest.mark.parametrize(("sources", "least"), [(8, 0.75), (32, 0.90)])
def test_windows_hold_sources_back_and_keep_a_last_hop_busy(sources, least):
    def stalled(result):
        counters = result.table("nic_counters")
        return counters.filter(pl.col("counter") == "oxe_stall_fgfc_blk_0")["value"].sum()

    telemetry = {"counters": True}
    held = run(incast(sources, telemetry=telemetry, counters="cassini", **NSCC))
    assert busy(held) >= least
    assert stalled(held) > 0


@pytest.mark.parametrize("preset", ["slingshot(4, 4, 1, 5)", "frontier", "aurora", "alps",
                                    "lumi", "lumi-g", "perlmutter", "isambard-ai"])  # fmt: skip
def test_presets_of_slingshot_pace(preset):
    point = Scenario.from_mapping({**incast(2), "system": {"preset": preset}}).points[0]
    assert point.resolved["system"]["nic"]["congestion"]["kind"] == "pace"


def test_sources_that_go_on_in_turn_leave_no_queue():
    """In merlin all pauses end at once: the sources arrive together in every round."""

    def waits(spread):
        return beside(congestion={"kind": "pace", "spread": spread})

    alone = beside(alone=True)
    assert waits(1.0) < 1.25 * alone
    assert waits(0.0) > 1.5 * waits(1.0)


def beside(*, alone=False, **nic):
    """Mean latency in rings of 8 nodes, two of them at the router of a node that 48 send to."""
    victim = {
        "name": "victim",
        "role": "victim",
        "placement": {"kind": "list", "nodes": [1, 3, 33, 35, 65, 67, 97, 99]},
        "workload": {
            "kind": "gpcnet-latency",
            "ranks": 8,
            "rings": 10,
            "iterations": 10,
            "wait_before": "600 us",
        },
    }
    others = list(range(0, 98, 2))
    aggressor = {
        "name": "incast",
        "role": "aggressor",
        "repeat": True,
        "placement": {"kind": "list", "nodes": others},
        "workload": {"kind": "incast", "ranks": 49, "message": "1 MiB", "iterations": 1},
    }
    result = run(
        {
            "name": "beside",
            "system": {**system((4, 8, 2, 4), **nic), "mpi": {"preset": "firefly-kang2022"}},
            "routing": {"algorithm": "ugal-group"},
            "jobs": [victim] if alone else [victim, aggressor],
            "stop": {"time": "5 ms"},
        }
    )
    rows = result.table("iterations").filter(pl.col("job") == "victim")
    return (rows["end_ns"] - rows["start_ns"]).mean()


@pytest.mark.parametrize("nodes", [16, 64])
def test_a_uniform_load_below_saturation_is_carried(nodes):
    """Chance queues hold back those few that made them, and not for long (saturation: 0.81)."""

    def carried(load, **nic):
        workload = {
            "kind": "open-loop",
            "ranks": nodes,
            "pattern": "uniform",
            "load": load,
            "message": "4 KiB",
        }
        scenario = {
            **incast(nodes - 1, **nic),
            "jobs": [{"name": "all", "placement": "contiguous", "workload": workload}],
            "measure": {"warm_up": "200 us", "window": "200 us", "drain": "20 us"},
        }
        return run(scenario).summary["network"]["accepted_load"]

    for load in (0.6, 0.7):
        assert carried(load, **PACE) > 0.97 * carried(load)


def test_small_messages_are_untouched():
    paced, free = (run(incast(24, message="127 B", iterations=50, **nic)) for nic in (PACE, {}))
    for name in ("ranks", "links"):
        assert paced.table(name).equals(free.table(name))


@pytest.mark.parametrize("control", ALL, ids=[control["congestion"] for control in ALL])
def test_results_do_not_depend_on_threads(control):
    scenario = {
        "name": "threads",
        "system": system((4, 4, 2, 5), **control),
        "routing": {"algorithm": "ugal-group"},
        "jobs": [
            {
                "name": "incast",
                "placement": "random-node",
                "workload": {"kind": "incast", "ranks": 70, "message": "64 KiB", "iterations": 2},
            }
        ],
    }
    first, *others = (run(scenario, threads=threads) for threads in (1, 2, 3))
    for other in others:
        for name in ("ranks", "links"):
            assert first.table(name).equals(other.table(name))


def test_blame_and_counter_say_who_was_paced():
    telemetry = {"blame": True, "counters": True}
    result = run(incast(16, telemetry=telemetry, counters="cassini", **PACE))
    charged = result.table("blame").group_by("cause").agg(pl.col("ns").sum())
    paced = dict(charged.iter_rows())["nic-pacing"]
    assert paced > 0
    blocked = result.table("nic_counters").filter(pl.col("counter") == "oxe_stall_fgfc_blk_0")
    assert blocked["value"].sum() > 0


@pytest.mark.parametrize(
    ("congestion", "said"),
    [
        ("pase", 'congestion`: no controller is called "pase". Did you mean `pace`?'),
        ({"kind": "pase"}, 'no controller is called "pase". Did you mean `pace`?'),
        ({"sources": 3}, "a controller is a table with `kind`. Valid: none, pace"),
        ({"kind": "pace", "source": 3}, "controller `pace`. Did you mean `sources`?"),
        ({"kind": "none", "sources": 3}, "unknown key of controller `none`. Valid: kind."),
        ({"kind": "pace", "sources": 0}, "congestion.sources`: 0 is too small"),
        ({"kind": "pace", "adjust": "1 kB"}, "unknown key of controller `pace`"),
        ({"kind": "nscc", "sources": 3}, "unknown key of controller `nscc`"),
        ({"kind": "nscc", "mark_from": 0.9}, "congestion.mark_from`: marks begin above"),
        ({"kind": "nscc-rccc", "nscc_mark_from": 0.9}, "congestion.nscc_mark_from`: marks begin"),
        ({"kind": "nscc-rccc", "mark_from": 0.9}, "Did you mean `nscc_mark_from`?"),
        ({"kind": "nscc", "average": 0}, "congestion.average`"),
        ({"kind": "nscc", "pull": 2}, "unknown key of controller `nscc`"),
        ({"kind": "rccc", "target": 2}, "unknown key of controller `rccc`"),
        ({"kind": "abate", "off": 0.4}, "congestion.off`: a last hop is congested from"),
        ({"kind": "abate", "floor": 0}, "congestion.floor`"),
        ({"kind": "abate", "share": "true"}, "congestion.share`"),
        ({"kind": "rccc", "rate": 0}, "congestion.rate`"),
    ],
)
def test_what_is_refused(congestion, said):
    with pytest.raises(ScenarioError) as refused:
        run(incast(2, congestion=congestion))
    assert said in str(refused.value)


def test_numbers_of_a_controller_stand_beside_its_kind_only():
    with pytest.raises(ScenarioError) as refused:
        run(incast(2, congestion="nscc", nscc_mark_from=0.1))
    assert str(refused.value).endswith(
        "`system.nic.nscc_mark_from`: the numbers of a controller stand beside its kind; write "
        'congestion = { kind = "nscc", mark_from = ... }.'
    )


def config(nic, *overrides, preset="slingshot(4, 4, 1, 5)"):
    """What the simulator takes of the NICs, and what a scenario writes of their controller."""
    given = {**incast(2), "system": {"preset": preset, "nic": nic}}
    scenario = Scenario.from_mapping(given, overrides=overrides)
    point = scenario.points[0]
    return point.config["system"]["nic"], point.resolved["system"]["nic"]["congestion"]


def test_a_controller_is_written_with_its_kind_and_taken_flat():
    told, written = config({"congestion": {"kind": "nscc", "mark_from": 0.1, "adjust": "1 kB"}})
    assert told["congestion"] == "nscc"
    assert {told["nscc_mark_from"], told["nscc_adjust_bytes"]} == {0.1, 1000}
    assert written["mark_from"] == 0.1
    assert set(written) == {"kind", *(row.name for row in controllers["nscc"].parameters)} - {
        "round_trip"  # has no default
    }
    told, written = config({"congestion": {"kind": "nscc-rccc", "rccc_rate": 0.5}})
    assert (told["congestion"], told["rccc_rate"]) == ("nscc-rccc", 0.5)
    told, written = config({"congestion": "none"})
    assert not {name for name in told if name.startswith(("congestion", "pace"))}
    assert written == {"kind": "none"}


def test_a_preset_gives_the_kind_and_a_number_is_set_beside_it():
    told, _ = config({}, "system.nic.congestion.spread=0.5")
    assert (told["congestion"], told["pace_spread"]) == ("pace", 0.5)
    told, _ = config({"congestion": "nscc"}, "system.nic.congestion.mark_from=0.1")
    assert (told["congestion"], told["nscc_mark_from"]) == ("nscc", 0.1)
    told, _ = config({"congestion": {"kind": "nscc", "window": 3}}, 'system.nic.congestion="rccc"')
    assert told["congestion"] == "rccc"
    assert "nscc_window" not in told
    sweep = {"system.nic.congestion.window": [1.0, 2.0]}
    given = {**incast(2, congestion="nscc"), "sweep": sweep}
    points = Scenario.from_mapping(given).points
    assert [point.config["system"]["nic"]["nscc_window"] for point in points] == [1.0, 2.0]
    assert [point.name for point in points] == ["window=1.0", "window=2.0"]


def flows(result):
    """Rows of the table of flows, by source, of those to node 0."""
    rows = result.table("flows").filter(pl.col("target_node") == 0)
    return {row["source_node"]: row for row in rows.iter_rows(named=True)}


@pytest.mark.parametrize("control", ALL, ids=[control["congestion"] for control in ALL])
def test_flows_say_who_was_held_back(control):
    result = run(incast(16, telemetry={"flows": True, "blame": True}, **control))
    table = result.table("flows")
    found = flows(result)
    assert set(found) == set(range(1, 17))
    assert all(row["notices"] > 0 for row in found.values())
    # The sixteen sources have all been told of one another, if sources are told of.
    assert max(row["most_sources"] for row in found.values()) == (16 if control == PACE else 0)
    blamed = result.table("blame").filter(pl.col("cause") == "nic-pacing")
    assert table["blocked_ns"].sum() == pytest.approx(blamed["ns"].sum())
    assert table["blocked_ns"].sum() > 0


def test_flows_are_off_by_default_and_need_a_controller():
    assert "flows" not in run(incast(16, **PACE)).tables()
    assert "flows" not in run(incast(16, telemetry={"flows": True})).tables()


@pytest.mark.parametrize(("sources", "least"), [(8, 0.98), (32, 0.98)])
def test_credit_keeps_the_last_hop_busy(sources, least):
    result = run(incast(sources, message="4 MiB", **RCCC))
    links = result.table("links").filter(pl.col("target_node") == 0)
    share = links["busy_ns"].sum() / result.summary["simulated_ns"]
    assert least < share < 1


def test_jobs_that_congest_a_node_together_have_another_share_as_codes_computes_it():
    """A division of integers gives neither a part while both have packets there."""

    def blocked(share):
        scenario = incast(
            12, telemetry={"flows": True}, congestion={"kind": "abate", "share": share}
        )
        nodes = {"first": [0, *range(1, 7)], "second": [0, *range(7, 13)]}
        workload = {"kind": "incast", "ranks": 7, "message": "2 MiB", "iterations": 1}
        scenario["jobs"] = [
            {
                "name": name,
                "share_nodes": True,
                "placement": {"kind": "list", "nodes": chosen},
                "workload": workload,
            }
            for name, chosen in nodes.items()
        ]
        return sum(row["blocked_ns"] for row in flows(run(scenario)).values())

    assert blocked("exact") > blocked("codes")
