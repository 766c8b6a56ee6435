"""Leaving jobs out: which runs can be compared, and what is said of the difference."""

from __future__ import annotations

import copy
import dataclasses
import json
import math

import pytest

import odonata as package
from examples import open_loop, three
from odonata.analysis.pairs import slowdown_interval
from odonata.errors import RunError
from odonata.output.explain.explain import explain
from odonata.output.explain.removals import changed, removals, sentence
from odonata.scenario.text import to_toml


@pytest.fixture(scope="module")
def scenario():
    return three(telemetry={"blame": True})


@pytest.fixture(scope="module")
def beside(scenario):
    return package.run(scenario)


def left(scenario, *words, **options):
    return package.run(scenario, overrides=words, baseline=False, **options)


def text(found, about):
    return dict(found.steps)[about]


def test_who_is_left_out_is_named_and_nobody_is_alone_beside_others(scenario, beside):
    without = left(scenario, "without=small")
    found = explain(beside, "halo", without=without)
    said = text(found, "Leaving jobs out")
    assert said.startswith("Without `small` it communicates for ")
    assert "alone" not in said
    both = left(scenario, "jobs.small.muted=true", "jobs.noise.muted=true")
    said = text(explain(beside, "halo", without=both), "Leaving jobs out")
    assert said.startswith("Without `noise` and `small` it is alone: it communicates for ")


def test_without_a_baseline_packets_are_compared_with_the_run_without(scenario):
    run = left(scenario)
    found = explain(run, "halo", without=left(scenario, "without=small"))
    said = text(found, "What its packets lose")
    assert "without `small` " in said
    assert "alone" not in " ".join(told for _, told in found.steps)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("seed=4",), "they differ in seed (3 here, 4 there)"),
        (("routing.algorithm=minimal",), "routing.algorithm (par here, minimal there)"),
        (("seed=4", "routing.algorithm=minimal"), "seed (3 here, 4 there), routing.algorithm"),
        (("jobs.halo.workload.iterations=3",), "jobs.halo.workload.iterations (2 here, 3 there)"),
        ((), "they are of the same run"),
        (("telemetry.counters=true",), "they are of the same run"),
    ],
)
def test_other_scenarios_are_refused(words, sentence, scenario, beside):
    mute = () if not words or words[0].startswith("telemetry") else ("without=small",)
    with pytest.raises(RunError, match="results to compare with") as error:
        explain(beside, "halo", without=left(scenario, *words, *mute))
    assert sentence in str(error.value)


def test_files_of_another_content_are_refused(tmp_path, scenario):
    nodes = tmp_path / "nodes.conf"
    placed = copy.deepcopy(scenario)
    placed["jobs"][0]["placement"] = {"kind": "list", "file": str(nodes), "line": 0}
    nodes.write_text(" ".join(map(str, range(27))) + "\n")
    run = left(placed)
    same = left(placed, "without=small")
    nodes.write_text(" ".join(map(str, range(1, 28))) + "\n")
    other = left(placed, "without=small")
    nodes.write_text(" ".join(map(str, range(27))) + "\n")
    assert explain(run, "halo", without=same).facts["gain"] is not None
    with pytest.raises(RunError, match="a file that it reads"):
        explain(run, "halo", without=other)


def test_a_run_with_more_jobs_comes_first(scenario, beside):
    with pytest.raises(RunError, match="have `small`, which this run leaves out"):
        explain(left(scenario, "without=small"), "halo", without=beside)


def test_the_job_itself_must_be_in_both(beside):
    with pytest.raises(RunError, match='have no job "halo"'):
        explain(beside, "halo", without=_without_halo(beside))


def _without_halo(beside):
    jobs = [job for job in beside.summary["jobs"] if job["name"] != "halo"]
    return dataclasses.replace(beside, summary={**beside.summary, "jobs": jobs})


def altered(run, factor):
    """The same results with another communication time and packet latency of the victim."""
    jobs = []
    for job in run.summary["jobs"]:
        comm = {**job["comm_time_ns"], "mean": job["comm_time_ns"]["mean"] * factor}
        jobs.append({**job, "comm_time_ns": comm})
    return dataclasses.replace(run, summary={**run.summary, "jobs": jobs})


@pytest.mark.parametrize(
    ("factor", "change", "verdict"),
    [
        (0.8, "20 % less", ": one run agrees, which neither confirms nor refutes it"),
        (1.2, "20 % more", ": one run disagrees, which neither confirms nor refutes it"),
        (1.0 + 1e-13, "no difference", ": one run disagrees, which neither confirms"),
    ],
)
def test_one_run_confirms_nothing(factor, change, verdict, beside):
    other = altered(without_noise(beside), factor)
    found = removals([(beside, other)], "halo", ["noise"])
    said = sentence("halo", found, {"halo": 0.8, "noise": 0.2}, is_alone=False)
    assert f": {change} (one run, no interval)." in said
    assert verdict in said
    head = explain(beside, "halo", without=other).facts["headline"]
    assert ("needs 20 % less time (one run, no interval)" in head) == (factor == 0.8)
    assert ("needs 20 % more time (one run, no interval)" in head) == (factor == 1.2)
    assert "-0" not in said
    assert "e-1" not in said


def without_noise(beside):
    jobs = [job for job in beside.summary["jobs"] if job["name"] != "noise"]
    return dataclasses.replace(beside, summary={**beside.summary, "jobs": jobs})


@pytest.mark.parametrize(
    ("factors", "charged", "verdict"),
    [
        ((0.80, 0.81, 0.79, 0.82, 0.80, 0.78), 0.2, ": confirmed."),
        ((0.80, 0.81, 0.79, 0.82, 0.80, 0.78), 0.0, ": not confirmed, although it is faster then."),
        ((1.20, 1.21, 1.19, 1.22, 1.20, 1.18), 0.2, ": not confirmed, it takes longer then."),
        ((0.90, 1.02, 0.93, 1.01, 0.99, 0.92), 0.2, ": not confirmed, no difference is seen."),
        ((0.80, 0.81, 0.79), 0.2, ": 3 replicas agrees"),
    ],
)
def test_what_is_charged_is_confirmed_only_by_an_interval_that_excludes_1(
    factors, charged, verdict, beside
):
    """The mean of 0.90 to 1.02 is 3.9 % less: one pair of it would say anything."""
    pairs = [(beside, altered(without_noise(beside), factor)) for factor in factors]
    found = removals(pairs, "halo", ["noise"])
    said = sentence("halo", found, {"halo": 0.8, "noise": charged}, is_alone=False)
    assert verdict.replace("agrees", "agree") in said
    assert found["replicas"] == len(factors)
    typical = math.exp(sum(map(math.log, factors)) / len(factors))
    assert found["gain"] == pytest.approx(1.0 - typical)
    assert found["after_ns"] / found["before_ns"] == pytest.approx(typical)
    if len(factors) < 5:
        assert found["low"] is None
        assert "an interval needs 5" in said
    else:
        exact = slowdown_interval(factors, [1.0] * len(factors)).ratio
        assert f"interval {exact.low:.3f} to {exact.high:.3f}, 6 replicas" in said


def test_differences_of_rounding_are_none():
    assert changed(0.0) == "no difference"
    assert changed(0.186) == "19 % less"
    assert changed(-0.186) == "19 % more"


def test_the_command_refuses_with_a_sentence(tmp_path, scenario, odonata):
    file = tmp_path / "three.toml"
    file.write_text(to_toml(scenario))
    runs = {"all": (), "seed": ("--set", "seed=4", "--without", "small")}
    for name, words in runs.items():
        done = odonata("run", file, *words, "--no-baseline", "--quiet", "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    for other, why in (("seed", "differ in seed (3 here, 4 there)"), ("all", "the same run")):
        told = odonata("explain", tmp_path / "all", "--against", tmp_path / other)
        assert told.returncode == 2
        assert why in told.stderr
        assert "Traceback" not in told.stderr


def test_removals_are_found_and_preferred_to_shares(tmp_path, scenario, odonata):
    file = tmp_path / "three.toml"
    file.write_text(to_toml(scenario | {"replicas": 5}))
    out = tmp_path / "each"
    assert odonata("run", file, "--without-each", "--quiet", "--out", out).returncode == 0
    found = json.loads(odonata("explain", out, "--job", "halo", "--json").stdout)
    facts = found["facts"]
    gains = {one["without"][0]: one["gain"] for one in facts["removals"]}
    assert set(gains) == {"noise", "small"}
    head = facts["headline"]
    assert f"ithout `noise` it needs {100 * gains['noise']:.0f} % less time" in head
    assert "is due to" not in head
    about = [step["about"] for step in found["steps"]]
    assert about[:2] == ["In short", "Replicas"]
    replicas = facts["replicas"]
    assert len(replicas["slowdowns"]) == 5
    assert facts["slowdown"] == sorted(replicas["slowdowns"])[2]
    assert replicas["low"] < replicas["typical"] < replicas["high"]
    # All pairs of the folder, not only those of the replica that is told in detail.
    index = package.load(out).index
    for name, gain in gains.items():
        whole, less = (
            index.filter(without=which).sort("seed")["halo.comm_time_ns_mean"].to_list()
            for which in ("none", name)
        )
        exact = slowdown_interval(less, whole).ratio
        told = next(one for one in facts["removals"] if one["without"] == [name])
        assert gain == pytest.approx(1.0 - exact.estimate)
        assert (told["low"], told["high"]) == pytest.approx((1.0 - exact.high, 1.0 - exact.low))
        assert told["replicas"] == 5
        assert f"{exact.low:.3f} to {exact.high:.3f}" in head
    for shares in facts["replica_shares"].values():
        assert all(0.0 <= share <= 1.0 for share in shares)
    one = json.loads(odonata("explain", out / "runs" / facts["replica"], "--json").stdout)
    assert one["facts"]["removals"] == facts["removals"]
    page_made = odonata("report", out)
    assert page_made.returncode == 0, page_made.stderr
    page = (out / "report.html").read_text("utf-8")
    assert "Leaving jobs out" in page
    assert "without noise" in page


def test_the_best_of_other_variants_is_named(tmp_path, odonata, scenario):
    file = tmp_path / "three.toml"
    placements = ["random-node", "contiguous"]
    file.write_text(to_toml(scenario | {"sweep": {"jobs.halo.placement": placements}}))
    out = tmp_path / "sweep"
    assert odonata("run", file, "--quiet", "--out", out).returncode == 0
    sweep = package.load(out)
    runs = {row["jobs.halo.placement"]: row for row in sweep.index.iter_rows(named=True)}
    times = {name: row["halo.comm_time_ns_mean"] for name, row in runs.items()}
    best, worst = min(times, key=times.get), max(times, key=times.get)

    def told(folder):
        steps = json.loads(odonata("explain", folder, "--json").stdout)["steps"]
        return [(step["about"], step["text"]) for step in steps]

    ends = {name: told(out / "runs" / row["run"])[-1][1] for name, row in runs.items()}
    saved = 100 * (1 - times[best] / times[worst])
    assert "of the same sweep" not in ends[best]
    assert f"Use placement `{best}`: there it " in ends[worst]
    assert f"needs {saved:.0f} % less time than here (one run, no interval" in ends[worst]
    # Of a sweep the slowest variant is told, and it is said that it was chosen.
    steps = dict(told(out))
    assert steps["What to do"] == ends[worst]
    assert f"the one in which `halo` is slowed down most: placement `{worst}`" in steps["Which run"]
    assert list(steps)[-1] == "What to do"


def test_variants_without_a_time_are_listed(tmp_path, odonata):
    loads = open_loop(sweep={"jobs.uniform.workload.load": [0.1, 0.2]})
    package.run(loads, out=tmp_path / "loads")
    told = odonata("explain", tmp_path / "loads")
    assert told.returncode == 2
    assert "no job has a time to choose one by" in told.stderr
    assert all(f"runs/load={load}" in told.stderr for load in (0.1, 0.2))
    told = odonata("explain", tmp_path / "loads", "--job", "uniform")
    assert "job `uniform`, which never ends, does not have a time to choose one by" in told.stderr
