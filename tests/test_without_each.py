"""`odonata run --without-each`: the scenario as it is, and once without each job."""

from __future__ import annotations

import json

import pytest

import odonata as package
from examples import three
from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml


def names(scenario, **options):
    return [point.name for point in Scenario.from_mapping(scenario, **options).points]


def test_every_job_but_the_only_victim_is_left_out_once():
    assert names(three(), without_each=True) == [
        "without=none", "without=noise", "without=small",
    ]  # fmt: skip


def test_of_several_victims_each_is_left_out_for_the_others():
    scenario = three()
    scenario["jobs"][1]["role"] = "victim"
    left = Scenario.from_mapping(scenario, without_each=True).points
    assert [point.swept["without"] for point in left] == ["none", "halo", "noise", "small"]


def test_a_removal_is_the_run_with_the_job_muted():
    scenario = three()
    left = Scenario.from_mapping(scenario, without_each=True).points[1]
    muted = Scenario.from_mapping(scenario, overrides=["jobs.noise.muted=true"]).points[0]
    assert left.scenario_hash({}) == muted.scenario_hash({})
    assert left.resolved["jobs"][1]["muted"] is True
    assert "without" not in left.resolved


def test_it_goes_with_a_sweep_replicas_and_jobs_that_are_muted_already():
    scenario = three(replicas=2, sweep={"routing.algorithm": ["par", "minimal"]})
    found = names(scenario, without_each=True, overrides=["jobs.small.muted=true"])
    assert len(found) == 2 * 2 * 2
    assert found[-1] == "algorithm=minimal,without=noise,replica=1"
    seeds = {point.config["seed"] for point in Scenario.from_mapping(scenario).points}
    assert len(seeds) == 2


def test_jobs_that_only_a_sweep_makes_whole_are_known():
    scenario = three(sweep={"routing.algorithm": ["par", "minimal"]})
    del scenario["routing"]["algorithm"]
    assert len(names(scenario, without_each=True)) == 6


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda s: s["jobs"].__delitem__(slice(1, None)), "no job to leave out"),
        (lambda s: s.update(without="noise"), "keep one of them"),
        (lambda s: s.update(sweep={"without": ["none", "noise"]}), "keep one of them"),
        (lambda s: s["jobs"][1].update(name="none"), "rename the job"),
    ],
)
def test_what_cannot_be_left_out_is_refused(change, sentence):
    scenario = three()
    change(scenario)
    with pytest.raises(ScenarioError, match=sentence):
        Scenario.from_mapping(scenario, without_each=True)


def test_who_is_left_out_must_be_there():
    with pytest.raises(ScenarioError, match="Did you mean `noise`"):
        Scenario.from_mapping(three(without="nois"))
    with pytest.raises(ScenarioError, match="is no job"):
        Scenario.from_mapping(three(without=3))


def test_runs_are_kept_and_those_that_were_stopped_go_on(tmp_path, odonata):
    file = tmp_path / "three.toml"
    file.write_text(to_toml(three()))
    out = tmp_path / "out"
    words = ("run", file, "--without-each", "--quiet", "--json", "--out", out)
    first = json.loads(odonata(*words).stdout)
    assert [run["run"] for run in first["runs"]] == [
        "without=none",
        "without=noise",
        "without=small",
    ]
    assert [len(run["jobs"]) for run in first["runs"]] == [3, 2, 2]
    again = odonata("run", file, "--without-each", "--out", out)
    assert again.returncode == 0
    assert "kept" in again.stderr
    assert json.loads(odonata(*words).stdout) == first
    sweep = package.load(out)
    assert sweep.keys == ["without"]
    left = sweep["without=noise"].jobs["halo"].comm_time_ns
    assert left < sweep["without=none"].jobs["halo"].comm_time_ns
