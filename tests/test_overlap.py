"""Jobs that repeat, how long they were there, and what is said of it."""

from __future__ import annotations

import io

import polars as pl
import pytest
from rich.console import Console

import odonata
from examples import jobs, open_loop
from odonata.cli.screen import print_results
from odonata.errors import ScenarioError
from odonata.output.caveats import caveats
from odonata.scenario import Scenario


def repeats(data, **measure):
    point = Scenario.from_mapping({**data, **measure}).points[0]
    return [job.get("repeat") for job in point.config["jobs"]], point


def pair(role, **keys):
    data = jobs()
    data["jobs"][1] |= {"role": role, **keys}
    return data


def test_all_but_victims_repeat_by_default():
    found, point = repeats(pair("aggressor"))
    assert found == [False, True]
    assert [job["repeat"] for job in point.resolved["jobs"]] == [False, True]
    assert repeats(pair("background"))[0] == [False, True]
    assert repeats(pair("aggressor", repeat=False))[0] == [False, False]
    assert repeats(pair("victim", repeat=True))[0] == [False, True]
    # Alone, nothing has to outlast anybody.
    assert [job["repeat"] for job in point.alone("halo").config["jobs"]] == [False, False]


def test_without_a_victim_nothing_repeats_unless_the_window_ends_the_run():
    data = pair("aggressor")
    data["jobs"][0]["role"] = "aggressor"
    assert repeats(data)[0] == [False, False]
    assert repeats(data, measure={"window": "5 us"})[0] == [True, True]
    data["jobs"][0]["repeat"] = data["jobs"][1]["repeat"] = True
    with pytest.raises(ScenarioError, match=r"no job ends this run.*`repeat = false`"):
        odonata.run(data)


def test_what_cannot_repeat_is_refused():
    data = open_loop()
    data["jobs"][0]["repeat"] = True
    with pytest.raises(ScenarioError, match=r"jobs.0..repeat.*never ends"):
        odonata.run(data)
    with pytest.raises(ScenarioError, match=r"repeat.*true or false"):
        odonata.run(pair("aggressor", repeat="yes"))


def short(**keys):
    """A victim and a short aggressor."""
    data = pair("aggressor", **keys)
    data["jobs"][1]["workload"] |= {"face": "4 KiB", "iterations": 1}
    data["jobs"][0]["workload"]["iterations"] = 4
    return data


def test_an_absent_aggressor_is_told_of_everywhere(tmp_path):
    data = short(repeat=False)
    data["sweep"] = {"seed": [1, 2]}
    sweep = odonata.run(data, out=tmp_path / "out")
    for run in sweep.runs.values():
        victim = run.jobs["halo"]
        assert victim.overlaps == {"noise": victim.overlap}
        assert 0.01 < victim.overlap < 0.9
        assert run.jobs["noise"].overlap is None
        assert "overlap" not in run.baselines["halo"].summary["jobs"][0]
        frame = run.table("jobs")
        assert frame["overlap"].to_list() == frame["overlap_noise"].to_list()
        assert frame["overlap"].to_list() == [victim.overlap, None]
    assert sweep.index["halo.overlap"].to_list() == [
        run.jobs["halo"].overlap for run in sweep.runs.values()
    ]
    text = io.StringIO()
    print_results(sweep, Console(file=text, width=160))
    assert "of the span of halo, in 2 of 2 runs" in text.getvalue()
    [sentence] = caveats(sweep.runs)
    assert sentence.startswith("noise communicated for only ")


def test_jobs_that_come_and_go_by_the_scenario_are_told_of_together():
    """A scheduler log has hundreds of them: none was forgotten, and `repeat` changes nothing."""
    data = short()
    noise = {**data["jobs"][1], "placement": "random-node"}
    times = [("0 us", "2 us"), ("2 us", "4 us"), ("4 us", "6 us")]
    data["jobs"][1:] = [
        {**noise, "name": f"log-{number}", "start": start, "end": end}
        for number, (start, end) in enumerate(times)
    ]
    run = odonata.run(data)
    assert all(share < 0.95 for share in run.jobs["halo"].overlaps.values())
    [sentence] = caveats({"": run})
    assert sentence.startswith("3 jobs started or ended during the span of halo")


def test_a_repeating_aggressor_is_there_to_the_end():
    run = odonata.run(short())
    assert run.jobs["halo"].overlap > 0.95
    noise = run.jobs["noise"].summary
    assert noise["repetitions"] >= 3
    assert run.jobs["noise"].has_ended
    assert caveats({"": run}) == []
    ranks = run.table("ranks").filter(pl.col("job") == "noise")
    assert noise["comm_time_ns"]["mean"] == pytest.approx(ranks["comm_time_ns"].mean())
    assert ranks["repetitions"].min() == noise["repetitions"]
    iterations = run.table("iterations").filter(pl.col("job") == "noise")
    assert iterations["repetition"].max() >= noise["repetitions"] - 1
    again = odonata.run(short(repeat=False))
    assert run.jobs["halo"].baseline_comm_time_ns == again.jobs["halo"].baseline_comm_time_ns
    assert run.jobs["halo"].slowdown > again.jobs["halo"].slowdown


def test_ranks_that_did_not_end_have_no_time_on_the_screen_and_in_the_index():
    data = short(repeat=False)
    data["stop"] = {"time": "12 us"}
    data["sweep"] = {"seed": [1]}
    sweep = odonata.run(data, baseline=False)
    [run] = sweep.runs.values()
    assert run.stop == "time-limit"
    assert sweep.index["halo.comm_time_ns_mean"].to_list() == [None]
    text = io.StringIO()
    print_results(sweep, Console(file=text, width=160))
    assert "unfinished" in text.getvalue()


def test_a_system_is_called_by_its_preset_and_what_changes():
    def name(**system):
        data = open_loop(system={"preset": "dragonfly(2, 4, 2, 9)", **system})
        return Scenario.from_mapping(data).points[0].resolved["system"]["name"]

    assert name() == "dragonfly(2, 4, 2, 9)"
    assert name(router={"latency": "10 ns"}) == "dragonfly(2, 4, 2, 9) with other router"
    assert name(name="mine") == "mine"
    with pytest.raises(ScenarioError, match="a name is text in quotes"):
        name(name=3)
