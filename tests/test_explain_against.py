"""Leaving jobs out: which runs can be compared, and what is said of the difference."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest

import odonata as package
from examples import three
from odonata.errors import RunError
from odonata.output.report.explain import explain
from odonata.output.report.removals import changed, removal, sentence
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
        (0.8, "20 % less", ": confirmed."),
        (1.2, "20 % more", ": not confirmed, it takes longer then."),
        (1.0 + 1e-13, "no difference", ": not confirmed, hardly anything moves."),
    ],
)
def test_what_is_charged_is_confirmed_only_where_signs_agree(factor, change, verdict, beside):
    same = dataclasses.replace(beside, summary={**beside.summary, "jobs": [
        job for job in beside.summary["jobs"] if job["name"] != "noise"]})  # fmt: skip
    other = altered(same, factor)
    found = removal(beside, "halo", other, ["noise"])
    said = sentence("halo", found, {"halo": 0.8, "noise": 0.2}, is_alone=False)
    assert f": {change}." in said
    assert verdict in said
    head = explain(beside, "halo", without=other).facts["headline"]
    assert ("needs 20 % less time" in head) == (factor == 0.8)
    assert ("needs 20 % more time" in head) == (factor == 1.2)
    assert "-0" not in said
    assert "e-1" not in said


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
    file.write_text(to_toml(scenario | {"replicas": 3}))
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
    assert len(replicas["slowdowns"]) == 3
    assert facts["slowdown"] == replicas["median"]
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
    told = odonata("explain", out)
    assert told.returncode == 2
    assert "name one of them, such as" in told.stderr
    sweep = package.load(out)
    runs = {row["jobs.halo.placement"]: row for row in sweep.index.iter_rows(named=True)}
    times = {name: row["halo.comm_time_ns_mean"] for name, row in runs.items()}
    best, worst = min(times, key=times.get), max(times, key=times.get)
    heads = {
        name: json.loads(odonata("explain", out / "runs" / row["run"], "--json").stdout)["facts"][
            "headline"
        ]
        for name, row in runs.items()
    }
    assert "same sweep" not in heads[best]
    saved = 100 * (1 - times[best] / times[worst])
    assert f"With placement `{best}` it " in heads[worst]
    assert f"needs {saved:.0f} % less time than here (a run of the same sweep)" in heads[worst]
