"""Jobs that come and go, and jobs of a scheduler log."""

from __future__ import annotations

import polars as pl
import pytest

import odonata
from odonata.errors import Error
from odonata.scenario.model import Scenario

SYSTEM = {"preset": "dragonfly(2, 2, 1, 3)"}
"""12 nodes."""
LOG = """; MaxProcs: 12
 1    0  10   40   8 -1 -1   8 -1 -1 1  1 1 -1 0 -1 -1 -1
 2   20   0   20   4 -1 -1   4 -1 -1 1  2 1 -1 0 -1 -1 -1
 3   30  20   50  12 -1 -1  12 -1 -1 1  1 1 -1 0 -1 -1 -1
 4  500   0   50   2 -1 -1   2 -1 -1 1  1 1 -1 0 -1 -1 -1
"""
NOISE = {"kind": "uniform-random", "message": "2 KiB"}


def scenario(*jobs, **more):
    return {"system": SYSTEM, "routing": {"algorithm": "par"}, "jobs": list(jobs), **more}


def noise(name, ranks, **keys):
    workload = {**NOISE, "ranks": ranks, "iterations": 3}
    return {"name": name, "role": "background", "workload": workload,
            "placement": "random-node", **keys}  # fmt: skip


VICTIM = {
    "name": "victim",
    "workload": {"kind": "allreduce", "ranks": 4, "message": "64 KiB", "iterations": 40},
}


def test_jobs_come_and_go_and_leave_their_nodes():
    data = scenario(
        VICTIM,
        noise("first", 8, start="10 us", end="60 us"),
        noise("second", 8, start="60 us", end="1 s"),
    )
    result = odonata.run(data)
    assert result.summary["stop"] == "finished"
    ranks = result.table("ranks")
    nodes = {name: set(ranks.filter(pl.col("job") == name)["node"]) for name in ("first", "second")}
    assert nodes["first"] == nodes["second"], "8 of 12 nodes, one job after the other"
    spans = (
        result.table("iterations")
        .group_by("job")
        .agg(pl.col("start_ns").min().alias("from"), pl.col("end_ns").max().alias("to"))
    )
    known = {job: (start, end) for job, start, end in spans.iter_rows()}
    assert known["first"][0] == 10_000
    assert known["first"][1] <= 60_000
    assert known["second"][0] == 60_000
    assert known["victim"][1] > 70_000, "there are neighbours all the time"
    series = result.table("series").filter(pl.col("bytes_injected") > 0)
    # A message that was handed over just before the end may leave a little later.
    last = series.filter(pl.col("job") == "first")["time_ns"].max()
    assert 40_000 < last < 65_000
    assert result.jobs["victim"].slowdown > 0


def test_what_cannot_be_is_refused():
    for keys, words in (
        ({"end": "1 us", "start": "2 us"}, "later than `start`"),
        ({"end": "9 us", "role": "victim"}, "may not have done its work"),
    ):
        with pytest.raises(Error, match=words):
            odonata.run(scenario(VICTIM, {**noise("other", 4), **keys}))
    load = {"kind": "open-loop", "load": 0.1, "ranks": 4}
    with pytest.raises(Error, match="from the beginning to the end"):
        odonata.run(scenario(VICTIM, {"workload": load, "start": "1 us"}))
    job = {**VICTIM, "policy": "application-aware"}
    with pytest.raises(Error, match="policy"):
        odonata.run(scenario(job, noise("other", 4, end="1 us")))
    with pytest.raises(Error, match="free"):
        odonata.run(scenario(VICTIM, noise("a", 8, end="9 us"), noise("b", 8, start="8 us")))


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(LOG)
    return path


def occupancy(path, **keys):
    workload = {
        "kind": "occupancy",
        "log": str(path),
        "span": "80 s",
        "second": "1 us",
        "rules": [{"up_to": 4, "workload": {"kind": "allreduce"}}, {"workload": NOISE}],
        **keys,
    }
    return {"name": "log", "placement": "random-node", "workload": workload}


def test_a_log_becomes_jobs(log):
    """By hand: the first job starts at 10 s of the log, which is the beginning of the run."""
    found = Scenario.from_mapping(scenario(occupancy(log)))
    (point,) = found.points
    jobs = point.config["jobs"]
    rows = [
        (job["name"], job["start_ps"], job["end_ps"], job["workload"]["kind"],
         job["workload"]["ranks"])
        for job in jobs
    ]  # fmt: skip
    us = 1_000_000
    assert rows == [
        ("log-1", 0, 40 * us, "uniform-random", 8),
        ("log-2", 10 * us, 30 * us, "allreduce", 4),
        ("log-3", 40 * us, 90 * us, "uniform-random", 12),
    ]
    assert all(job["role"] == "background" for job in jobs)
    later = Scenario.from_mapping(
        scenario(occupancy(log, **{"from": "20 s", "span": "5 s", "processors_per_rank": 3}))
    )
    (point,) = later.points
    assert [(job["name"], job["start_ps"], job["workload"]["ranks"])
            for job in point.config["jobs"]] == [("log-1", 0, 3), ("log-2", 0, 2)]  # fmt: skip


def test_jobs_of_a_log_run_beside_a_victim(log):
    system = {"preset": "dragonfly(2, 4, 2, 9)"}
    result = odonata.run({**scenario(VICTIM, occupancy(log)), "system": system})
    assert result.summary["stop"] == "finished"
    assert set(result.table("ranks")["job"]) == {"victim", "log-1", "log-2", "log-3"}
    assert result.jobs["victim"].slowdown >= 1.0


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"from": "3600 s"}, "no job of jobs.swf runs"),
        ({"log": "none.swf"}, "none.swf"),
        ({"rules": [{"up_to": 4, "workload": {"kind": "allreduce"}}]}, "no rule is for a job of 8"),
        ({"rules": [{"workload": {"kind": "allreduce", "ranks": 3}}]}, "leave `ranks` out"),
    ],
)
def test_a_wrong_occupancy_is_answered(log, keys, words):
    with pytest.raises(Error, match=words):
        Scenario.from_mapping(scenario(occupancy(log, **keys)))
