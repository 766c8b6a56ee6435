"""Random pairs of jobs whose packets are answered: every statement against the tables."""

from __future__ import annotations

import random
import re

import polars as pl
import pytest

import odonata
from lengths import IS_LONG
from odonata.output.explain import units
from odonata.output.explain.explain import explain
from odonata.output.explain.verdict import ALIKE

PAIRS = 30 if IS_LONG else 4

_SYSTEMS = [
    {"preset": "dragonfly(2, 4, 2, 9)"},
    {"preset": "dragonfly(2, 4, 2, 5)", "router": {"architecture": "cioq"}},
    {"preset": "dragonfly(3, 4, 2, 6)"},
    {"preset": "aries", "topology": {"groups": 3, "rows": 2, "columns": 4, "nodes_per_router": 2,
     "column_links": 1, "global_ports_per_router": 1, "chassis_per_cabinet": 1}},
]  # fmt: skip
_ROUTINGS = ["minimal", "valiant-node", "ugal-group", "ugal-node", "par", "adaptive-0"]
_VICTIMS = [
    {"kind": "halo3d", "ranks": 12, "grid": [3, 2, 2], "face": "16 KiB", "iterations": 3},
    {"kind": "allreduce", "ranks": 12, "message": "32 KiB", "iterations": 3},
    {"kind": "alltoall", "ranks": 10, "message": "4 KiB", "iterations": 2},
    {"kind": "ping-pong", "ranks": 8, "iterations": 6},
    {"kind": "uniform-random", "ranks": 12, "iterations": 4},
    {"kind": "incast", "ranks": 8, "message": "32 KiB", "iterations": 2},
]
_AGGRESSORS = [
    {"kind": "halo3d", "ranks": 18, "grid": [3, 3, 2], "face": "64 KiB", "iterations": 2},
    {"kind": "alltoall", "ranks": 16, "message": "16 KiB", "iterations": 2},
    {"kind": "incast", "ranks": 14, "message": "128 KiB", "iterations": 2},
    {"kind": "uniform-random", "ranks": 16, "iterations": 3},
    {"kind": "open-loop", "ranks": 16, "pattern": "uniform", "load": 0.4, "message": "4 KiB"},
    {"kind": "open-loop", "ranks": 16, "pattern": "hotspot", "load": 0.2, "message": "4 KiB"},
]


def pair(number):
    """A random victim beside a random aggressor."""
    draw = random.Random(f"pair {number}")  # noqa: S311 - no secret
    system = {**draw.choice(_SYSTEMS), "nic": {"response": draw.choice(["16 B", "64 B"])}}
    victim = {"name": "victim", "role": "victim", "workload": draw.choice(_VICTIMS)}
    other = {"name": "bg", "role": "aggressor", "workload": draw.choice(_AGGRESSORS)}
    jobs = [victim, other]
    for job in jobs:
        job["placement"] = draw.choice(["random-node", "random-router", "contiguous"])
    if draw.random() < 0.4:
        cap = draw.choice([5, 30, 60])
        both = [{"name": "high", "cap": f"{cap} %"}, {"name": "low", "cap": f"{100 - cap} %"}]
        system["qos"] = {"window": "5 us", "classes": both}
        names = ["high", "low"]
        draw.shuffle(names)
        victim["class"], other["class"] = names
    elif draw.random() < 0.4:
        system["failures"] = {"fraction": 0.1, "kinds": ["global"]}
    return {
        "name": "pair",
        "seed": number,
        "system": system,
        "routing": {"algorithm": draw.choice(_ROUTINGS)},
        "jobs": jobs,
        "telemetry": {"blame": True},
        "stop": {"time": "10 ms"},
    }


@pytest.fixture(scope="module", params=range(PAIRS))
def told(request):
    """The pair, the victim without the other job, and what is said of it without and with that."""
    scenario = pair(request.param)
    run = odonata.run(scenario)
    without = odonata.run(scenario, overrides=["without=bg"], baseline=False)
    return run, without, explain(run, "victim"), explain(run, "victim", without=without)


def latency(run):
    return run.jobs["victim"].summary["packet_latency_ns"]["mean"]


def waits(run):
    """What the tables say each job cost a packet of the victim that a rank waits for, ns."""
    rows = run.table("blame").filter(
        (pl.col("delayed") == "victim") & (pl.col("transaction") == "request")
    )
    packets = run.jobs["victim"].summary["packets"]
    sums = rows.group_by("delaying").agg(pl.col("through_ns").sum())
    return {name: ns / packets for name, ns in sums.iter_rows()}


def test_numbers_are_shares_of_a_whole_and_not_below_zero(told):
    run, _, found, against = told
    assert run.scenario["system"]["nic"]["response"] in ("16 B", "64 B")
    whole = " ".join(text for one in (found, against) for _, text in one.steps)
    for number, after in re.findall(r"(\d[\d.]*) %( more)?", whole):
        assert after or float(number) <= 100.0, whole
    signed = re.sub(r"as fast as alone \([-+]\d\.\d %\)", "", whole)
    assert not re.search(r"(?<![\w-])-\d", signed), whole
    assert not re.search(r"\de-(0[4-9]|[1-9])", whole), whole


def test_the_time_of_a_packet_is_that_of_the_summary_and_its_parts_are_its_parts(told):
    run, _, found, _ = told
    facts, alone = found.facts, run.baselines["victim"]
    assert facts["latency_ns"] == latency(run)
    assert facts["latency_before_ns"] == latency(alone)
    lost = dict(found.steps)["What its packets lose"]
    assert f"takes {units.time(latency(run))}, alone {units.time(latency(alone))}: " in lost
    near = 1e-6 * latency(run)
    parts = [*facts["others_ns"].values(), facts["own_ns"], facts["moving_ns"]]
    assert sum(parts) == pytest.approx(facts["extra_ns"], abs=near)
    assert facts["extra_ns"] == pytest.approx(latency(run) - latency(alone), abs=near)
    now, then = waits(run), waits(alone)
    assert facts["others_ns"].get("bg", 0.0) == pytest.approx(now.get("bg", 0.0), abs=near)
    own = now.get("victim", 0.0) - then.get("victim", 0.0)
    assert facts["own_ns"] == pytest.approx(own, abs=near)
    moving = [latency(one) - sum(charged.values()) for one, charged in ((run, now), (alone, then))]
    assert min(moving) > 0.0
    assert facts["moving_ns"] == pytest.approx(moving[0] - moving[1], abs=near)
    longer = sum(part for part in parts if part > 0.0)
    assert sum(facts["shares"].values()) <= 1.0 + 1e-9
    for name, share in facts["shares"].items():
        assert share == pytest.approx(facts["others_ns"][name] / longer, abs=1e-6)


def test_waits_are_those_of_the_tables(told):
    run, _, found, _ = told
    facts, now = found.facts, waits(run)
    packets = run.jobs["victim"].summary["packets"]
    assert facts["waiting_ns"] == pytest.approx(sum(now.values()) * packets, rel=1e-9)
    for kind in ("direct", "through", "causes"):
        shares = list(facts[kind].values())
        assert min(shares) >= 0.0
        assert sum(shares) == pytest.approx(1.0)
    for name, ns in now.items():
        assert facts["through"][name] == pytest.approx(ns / sum(now.values()))
    ended = sum(link["through_ns"] for link in facts.get("links", []))
    assert ended <= facts["waiting_ns"] * (1 + 1e-9)


def test_the_slowest_rank_is_the_slowest_and_its_waits_are_its_own(told):
    run, _, found, _ = told
    facts = found.facts
    ranks = run.table("ranks").filter(pl.col("job") == "victim")
    assert facts["slowest_rank_ns"] == ranks["comm_time_ns"].max()
    mine = run.table("blame_ranks").filter(
        (pl.col("job") == "victim")
        & (pl.col("transaction") == "request")
        & (pl.col("rank") == facts["slowest_rank"])
    )
    sums = dict(mine.group_by("delaying").agg(pl.col("through_ns").sum()).iter_rows())
    assert facts.get("slowest_rank_waits", {}) == pytest.approx(sums)


def test_the_headline_has_the_sign_of_the_slowdown_and_the_shares_of_the_tables(told):
    run, _, found, _ = told
    facts, head = found.facts, found.facts["headline"]
    slow = run.jobs["victim"].slowdown - 1.0
    way = "as fast as alone" if abs(slow) < ALIKE else f"{'slow' if slow > 0 else 'fast'}er than"
    assert ("times as long as" if slow >= 1.0 else way) in head.split(". ")[0], head
    for share, name in re.findall(r"([\d.]+ %|all) is due to `(\w+)`", head):
        assert slow >= ALIKE
        assert facts["extra_ns"] > 0.0
        exact = facts["shares"][name]
        assert share == ("all" if exact >= 0.995 else units.percent(exact))
    assert "do not take longer" not in head or facts["extra_ns"] <= 0.0
    assert all(0.0 <= one["share"] <= 1.0 for one in facts["conditions"].values())


def test_causes_have_the_numbers_of_the_tables(told):
    run, _, found, _ = told
    about, summary = found.facts["conditions"], run.jobs["victim"].summary
    for kind in {"class-cap", "class-priority"} & set(about):
        one = about[kind]
        order = [each["name"] for each in run.scenario["system"]["qos"]["classes"]]
        mine = {each["name"]: each for each in run.scenario["jobs"]}["victim"]["class"]
        assert one["class"] == mine
        assert one["other_class"] == "low" if kind == "class-cap" else "high"
        assert (order.index(one["other_class"]) > order.index(mine)) == (kind == "class-cap")
        rows = run.table("blame").filter(
            (pl.col("delayed") == "victim")
            & (pl.col("transaction") == "request")
            & (pl.col("class") == one["other_class"])
        )
        waited = rows["through_ns"].sum() / summary["packets"]
        assert one["waits_ns"] == pytest.approx(waited)
        longer = [*found.facts["others_ns"].values(), found.facts["own_ns"],
                  found.facts["moving_ns"]]  # fmt: skip
        assert waited >= 0.5 * sum(ns for ns in longer if ns > 0.0) * (1 - 1e-9)
    if "detours" in about:
        assert about["detours"]["hops"] == summary["hops_mean"] > about["detours"]["shortest"]
        assert about["detours"]["nonminimal"] == summary["nonminimal_fraction"] > 0.0
    if "failed-links" in about:
        one = about["failed-links"]
        assert "failures" in run.scenario["system"]
        assert one["failed"] > 0
        assert one["shortest"] > one["intact"]
        assert 0 < one["longer_pairs"] <= one["pairs"]
    if "incast" in about:
        ends = run.table("links").filter(pl.col("target_node") == about["incast"]["node"])
        rows = run.table("blame").filter(
            (pl.col("delayed") == "victim")
            & (pl.col("delaying") == "victim")
            & (pl.col("transaction") == "request")
        )
        there = rows.filter(pl.col("link").is_in(ends["link"].to_list()))
        part = there.filter(~pl.col("cause").str.starts_with("nic-"))["through_ns"].sum()
        assert about["incast"]["share_at_node"] == pytest.approx(part / rows["through_ns"].sum())


def test_what_is_said_of_the_job_alone_is_that_of_its_isolated_run(told):
    run, _, found, _ = told
    _, is_told, said = found.facts["headline"].partition("Also when it runs alone, ")
    if not is_told:
        return
    alone = run.baselines["victim"]
    own = waits(alone).get("victim", 0.0)
    waited = re.search(r"wait for each other for ([\d.]+ %) of their time", said)
    assert waited is None or waited[1] == units.percent(own / latency(alone))
    hops = re.search(r"a packet enters ([\d.]+) routers", said)
    assert hops is None or hops[1] == f"{alone.jobs['victim'].summary['hops_mean']:.1f}"
    left = re.search(r"([\d.]+ %) of its packets (?:on detours|leave)", said)
    share = alone.jobs["victim"].summary["nonminimal_fraction"]
    assert left is None or left[1] == units.percent(share)


def test_removal_is_told_as_it_was_measured(told):
    run, without, found, against = told
    before, after = (one.jobs["victim"].comm_time_ns for one in (run, without))
    gain = (before - after) / before
    assert against.facts["gain"] == pytest.approx(gain, abs=1e-9)
    said, head = dict(against.steps)["Leaving jobs out"], against.facts["headline"]
    assert said.startswith(
        f"Without `bg` it is alone: it communicates for {units.time(after)} instead of "
        f"{units.time(before)}: "
    )
    charged = found.facts["through"].get("bg", 0.0)
    agrees = gain >= 0.001 and charged >= 0.001
    is_nothing = abs(gain) < 0.001 and charged < 0.001
    assert f"one run {'agrees' if agrees or is_nothing else 'disagrees'}, which neither" in said
    assert ": confirmed" not in said
    assert "(one run, no interval)" in said
    gained = re.search(r"ithout `bg` it needs ([\d.]+ %) (less|more) time", head)
    assert (gained is None) == (abs(gain) < ALIKE), head
    if gained is not None:
        assert gained[2] == ("less" if gain > 0.0 else "more")
        assert gained[1] == units.percent(abs(gain))
