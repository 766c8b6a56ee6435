"""Runs that stop when they know enough: what a user writes, reads and is told."""

from __future__ import annotations

import copy
import io
import json
import tomllib

import pytest
from rich.console import Console

import odonata
from odonata.cli.outcome import print_results
from odonata.results.summaries import compare
from odonata.scenario import Scenario
from odonata.scenario.before import check

PAGE = "docs/model/precision.md"


@pytest.fixture(scope="module")
def example(repository):
    """The scenario of the page."""
    text = (repository / PAGE).read_text("utf-8")
    return tomllib.loads(text.partition("```toml")[2].partition("```")[0])


@pytest.fixture(scope="module")
def stopped(example):
    return odonata.run_one(example)


def test_the_example_of_the_page_says_what_it_would_have_said(stopped, repository):
    assert stopped.stop == "precision"
    halo = stopped.jobs["halo"].summary
    estimated = halo["estimated"]
    assert estimated["iterations"] == 5_000
    assert 100 < estimated["iterations_simulated"] < 1_000
    for key in ("iteration_time_ns", "end_ns", "comm_time_ns"):
        assert estimated[key]["low"] < estimated[key]["mean"] < estimated[key]["high"]
    assert estimated["end_ns"]["mean"] > 5 * stopped.summary["simulated_ns"]
    assert halo["ranks_finished"] == 0
    assert "slowdown" not in halo
    note = f"{estimated['iterations_simulated']} of 5000 iterations"
    assert any(note in said for said in stopped.summary["notes"])
    page = (repository / PAGE).read_text("utf-8")
    documented = page.partition("## What the summary says")[2].partition("## What is refused")[0]
    assert all(f"`{key}`" in documented for key in estimated)
    assert stopped.table("jobs")["estimated_iterations"].to_list()[0] == 5_000


def test_one_table_is_a_list_of_one(example):
    one = Scenario.from_mapping(example).points[0].config
    listed = copy.deepcopy(example)
    listed["stop"]["precision"] = [listed["stop"]["precision"]]
    assert one == Scenario.from_mapping(listed).points[0].config
    assert one["stop"]["precision"] == [{"quantity": "comm_time", "half_width_ppm": 10_000}]
    without = copy.deepcopy(example)
    del without["stop"]
    assert "precision" not in Scenario.from_mapping(without).points[0].config["stop"]


@pytest.mark.parametrize(
    ("precision", "message"),
    [
        ('{ quantity = "latency" }', '"latency" is not valid'),
        ('{ half_width = "1 ns" }', "not a unit of share"),
        ('{ half_width = "60 %" }', "the largest is 50 %"),
        ("[]", "nothing is asked"),
        ('{ jobs = "halo" }', "`job`"),
        ('[{ job = "halo" }, { job = "hallo" }]', "did you mean `halo`?"),
        ('{ job = "others" }', "not counted before it runs"),
    ],
)
def test_what_is_wrong_is_named_at_its_line(precision, message, repository, tmp_path):
    page = (repository / PAGE).read_text("utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    lines = [
        f"precision = {precision}" if line.startswith("precision") else line
        for line in text.splitlines()
    ]
    file = tmp_path / "wrong.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(odonata.ScenarioError) as refused:
        check(Scenario.read(file).points[0])
    assert message in str(refused.value)
    number = next(n for n, line in enumerate(lines, 1) if line.startswith("precision"))
    assert f"line {number}" in str(refused.value) or f":{number}" in str(refused.value)


def test_a_slowdown_of_estimates_has_an_interval():
    def run(**more):
        return {"name": "a", "ranks": 4, "comm_time_ns": {"mean": 5.0}, **more}

    whole, cut = {"ranks_finished": 4}, {"ranks_finished": 0}
    estimated = {"comm_time_ns": {"mean": 30.0, "low": 28.0, "high": 32.0}}
    beside = {"jobs": [run(**cut, estimated=estimated)]}
    compare(beside, "a", {"stop": "finished", "jobs": [run(**whole)]})
    assert beside["jobs"][0]["estimated"]["slowdown"] == {"mean": 6.0, "low": 5.6, "high": 6.4}
    assert "slowdown" not in estimated
    assert "slowdown" not in beside["jobs"][0]
    unknown = {"jobs": [run(**cut)]}
    compare(unknown, "a", {"stop": "finished", "jobs": [run(**whole)]})
    assert "estimated" not in unknown["jobs"][0]


def test_the_isolated_run_stops_too(stopped):
    halo = stopped.jobs["halo"].summary
    slowdown = halo["estimated"]["slowdown"]
    assert "baseline_comm_time_ns" not in halo
    assert halo["estimated"]["baseline_comm_time_ns"]["mean"] > 1e7
    assert 0.9 < slowdown["low"] < slowdown["mean"] < slowdown["high"] < 1.5
    assert json.dumps(halo)
    text = io.StringIO()
    print_results(stopped, Console(file=text, width=120))
    count = f"{halo['estimated']['iterations_simulated']} of 5000"
    assert count in text.getvalue()


def test_a_job_that_is_alone_communicates_no_less_than_not_at_all():
    """One rank has nobody to send to: nothing is estimated, neither below 0 nor from 0."""
    data = {
        "system": {"preset": "dragonfly(4, 4, 4, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"workload": {"kind": "uniform-random", "ranks": 1, "compute": "1 us"}}],
        "stop": {"precision": {}},
    }
    result = odonata.run_one(data)
    (estimated,) = (job.summary["estimated"] for job in result.jobs.values())
    assert estimated["comm_time_ns"]["low"] == estimated["comm_time_ns"]["mean"] == 0
    assert estimated["iteration_comm_time_ns"]["low"] == 0
    out = io.StringIO()
    print_results(result, Console(file=out, width=120))
    assert "uniform-random" in out.getvalue()
