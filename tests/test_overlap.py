"""Jobs that repeat, how long they were there, and what is said of it."""

from __future__ import annotations

import io
import re

import polars as pl
import pytest
from rich.console import Console

import odonata
from examples import jobs, open_loop
from odonata.cli.outcome import print_results
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
    data["jobs"][1]["workload"]["iterations"] = 3
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


@pytest.mark.parametrize(
    ("keys", "remedy"),
    [({"repeat": False}, "With `repeat = true` a job starts again"), ({}, "It repeats, so")],
)
def test_a_congestor_that_is_silent_for_long_is_named(keys, remedy):
    data = short(**keys)
    data["jobs"][0]["workload"]["iterations"] = 20
    if not keys:
        data["jobs"][1]["workload"] |= {"compute": "60 us"}
    run = odonata.run(data)
    [sentence] = caveats({"": run})
    share = re.fullmatch(r"noise sent nothing for (\d+) % of the time of halo: .*", sentence)
    assert share is not None
    assert 50 < int(share[1]) <= 100
    assert remedy in sentence
    text = io.StringIO()
    print_results(run, Console(file=text, width=160))
    assert "noise sent nothing for" in text.getvalue()


@pytest.mark.parametrize("mpi", ["ideal", "codes", "cray-mpich-cxi"])
def test_an_incast_that_repeats_is_heard_to_the_end(mpi):
    """Its sends take no time on libraries without costs: they are repeated all the same."""
    halo = {"kind": "halo3d", "ranks": 13, "grid": [13, 1, 1], "face": "64 KiB", "iterations": 30}
    incast = {"kind": "gpcnet-incast", "ranks": 8, "iterations": 10}
    run = odonata.run(
        {
            "system": {"preset": "slingshot(4, 4, 1, 5)", "mpi": {"preset": mpi}},
            "jobs": [
                {"name": "victim", "role": "victim", "placement": "random-node", "workload": halo},
                {"name": "incast", "role": "aggressor", "placement": "random-node",
                 "workload": incast},
            ],
        }
    )  # fmt: skip
    assert run.jobs["incast"].summary["repetitions"] >= 5
    busy = run.table("series").filter((pl.col("job") == "incast") & (pl.col("bytes_injected") > 0))
    assert busy["time_ns"].max() > 0.9 * run.summary["simulated_ns"]
    assert not any("sent nothing" in text for text in caveats({"": run}))


def starving(**system):
    traffic = {"kind": "open-loop", "message": "512 B"}
    return {
        "system": {"preset": "dragonfly(3, 4, 2, 9)", **system},
        "routing": "minimal",
        "jobs": [
            {"name": "a", "placement": {"kind": "list", "nodes": [0, 1, 3, 4]},
             "workload": {**traffic, "ranks": 4, "pattern": "uniform", "load": 1.0}},
            {"name": "b", "placement": {"kind": "list", "nodes": [12, 5]},
             "workload": {**traffic, "ranks": 2, "pattern": "permutation", "load": 0.4}},
        ],
        "measure": {"warm_up": "20 us", "window": "30 us"},
    }  # fmt: skip


def test_a_source_that_gets_nothing_is_named_and_every_job_has_its_loads():
    run = odonata.run(starving(router={"arbitration": "highest-vc"}))
    text = io.StringIO()
    print_results(run, Console(file=text, width=160))
    said = text.getvalue()
    assert "1 of 2 sources of b sent less than 5 % of what the mean source sent" in said
    assert "(node 5)" in said
    rows = [line.split() for line in said.splitlines() if line.split()[:1] == ["minimal"]]
    assert [row[1:3] for row in rows] == [["all", "0.8000"], ["a", "1.0000"], ["b", "0.4000"]]
    fair = odonata.run(starving())
    assert not any("sources" in sentence for sentence in caveats({"": fair}))


def test_receivers_of_an_incast_and_equal_shares_are_not_called_starved():
    data = starving()
    data["jobs"] = [
        {"name": "hot", "workload": {"kind": "open-loop", "ranks": 40, "pattern": "incast",
                                     "hot_nodes": 2, "load": 0.9, "message": "512 B"}},
    ]  # fmt: skip
    run = odonata.run(data)
    assert run.summary["network"]["saturated"]
    assert not any("sources" in sentence for sentence in caveats({"": run}))


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
