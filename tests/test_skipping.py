"""Runs of which iterations are left out: what a user writes, reads and is told."""

from __future__ import annotations

import copy
import io
import tomllib

import pytest
from rich.console import Console

import odonata
from odonata.cli.outcome import print_results
from odonata.output.caveats import caveats
from odonata.results.summaries import compare
from odonata.scenario import Scenario
from odonata.scenario.before import check

PAGE = "docs/model/skipping.md"


@pytest.fixture(scope="module")
def example(repository):
    """The scenario of the page."""
    text = (repository / PAGE).read_text("utf-8")
    return tomllib.loads(text.partition("```toml")[2].partition("```")[0])


@pytest.fixture(scope="module")
def skipped(example):
    return odonata.run_one(example)


def test_the_example_of_the_page_says_what_it_would_have_said(skipped, repository):
    assert skipped.stop == "finished"
    page = (repository / PAGE).read_text("utf-8")
    documented = page.partition("## What the summary says")[2].partition("## What is refused")[0]
    for name in ("halo", "reduce"):
        job = skipped.jobs[name].summary
        said, cuts = job["estimated"], job["cuts"]
        assert said["iterations"] == 2_000
        left = sum(cut["iterations_left_out"] for cut in cuts)
        assert left + said["iterations_simulated"] == 2_000
        assert left > 500
        for key in ("end_ns", "comm_time_ns"):
            assert said[key]["low"] < said[key]["mean"] < said[key]["high"]
        assert {cut["audits_passed"] for cut in cuts} == {2}
        assert all(f"`{key}`" in documented for cut in cuts for key in cut)
        assert all(f"`{key}`" in documented for key in said)
        assert job["ranks_finished"] == job["ranks"]
        assert not skipped.jobs[name].has_ended


def test_no_number_of_a_part_passes_for_the_whole(skipped):
    halo = skipped.jobs["halo"].summary
    assert "slowdown" not in halo
    assert halo["estimated"]["baseline_comm_time_ns"]["mean"] > 1e6
    slowdown = halo["estimated"]["slowdown"]
    assert 0.8 < slowdown["low"] < slowdown["mean"] < slowdown["high"] < 2.0
    text = io.StringIO()
    print_results(skipped, Console(file=text, width=160))
    assert "estimated" in text.getvalue()
    assert f"{halo['estimated']['iterations_simulated']} of 2000" in text.getvalue()
    told = [one for one in caveats({"": skipped}) if "`stop.skip` left" in one]
    assert len(told) == 2
    assert "of 2000 iterations of halo (" in told[0]
    assert any("every table is of what was simulated" in note for note in skipped.summary["notes"])


def test_it_is_off_by_default(example):
    with_it = Scenario.from_mapping(example).points[0].config
    assert with_it["stop"]["skip_ppm"] == 20_000
    without = copy.deepcopy(example)
    del without["stop"]
    assert "skip_ppm" not in Scenario.from_mapping(without).points[0].config["stop"]


@pytest.mark.parametrize(
    ("skip", "message"),
    [
        ('"1 ns"', "not a unit of share"),
        ('"60 %"', "the largest is 50 %"),
        ('"0.001 %"', "100 ppm"),
    ],
)
def test_what_is_wrong_is_named(example, skip, message):
    wrong = copy.deepcopy(example)
    wrong["stop"]["skip"] = tomllib.loads(f"skip = {skip}")["skip"]
    with pytest.raises(odonata.ScenarioError) as refused:
        check(Scenario.from_mapping(wrong).points[0])
    assert message in str(refused.value)


def test_both_ways_to_simulate_a_part_are_refused_together(example):
    both = copy.deepcopy(example)
    both["stop"]["precision"] = {"half_width": "1 %"}
    with pytest.raises(odonata.ScenarioError, match="leave one of both away"):
        check(Scenario.from_mapping(both).points[0])


def test_a_slowdown_needs_both_runs_whole():
    def run(**more):
        return {"name": "a", "ranks": 4, "ranks_finished": 4, "comm_time_ns": {"mean": 5.0}, **more}

    estimated = {"comm_time_ns": {"mean": 30.0, "low": 28.0, "high": 32.0}}
    beside = {"jobs": [run(cuts=[{}], estimated=estimated)]}
    compare(beside, "a", {"stop": "finished", "jobs": [run()]})
    assert "slowdown" not in beside["jobs"][0]
    assert beside["jobs"][0]["estimated"]["slowdown"] == {"mean": 6.0, "low": 5.6, "high": 6.4}
    whole = {"jobs": [run()]}
    compare(whole, "a", {"stop": "finished", "jobs": [run(cuts=[{}], estimated=estimated)]})
    assert "slowdown" not in whole["jobs"][0]
    assert "baseline_comm_time_ns" not in whole["jobs"][0]
    assert whole["jobs"][0]["estimated"]["slowdown"]["mean"] == 5.0 / 30.0
