"""Memory is estimated before a run, bounded while it runs, and told of each run by itself."""

from __future__ import annotations

import gc

import pytest

import odonata as package
from examples import open_loop
from odonata.campaign import watch
from odonata.core import memory
from odonata.errors import ScenarioError
from odonata.scenario import Point, Scenario, before, model

LONG = {"warm_up": "0 s", "window": "900 ms"}


class Notes:
    def __init__(self):
        self.said = []

    def note(self, text):
        self.said.append(text)

    def __getattr__(self, _name):
        return lambda *_values: None


def _points():
    return [thing for thing in gc.get_objects() if isinstance(thing, Point)]


def test_a_sweep_is_spread_out_as_it_is_needed(monkeypatch):
    monkeypatch.setattr(model, "_REMEMBERED", 10)
    sweep = {"seed": list(range(40)), "jobs.0.workload.load": [0.1, 0.2, 0.3]}
    points = Scenario.from_mapping(open_loop(sweep=sweep)).points
    assert len(points) == 120
    gc.collect()  # what other tests have left
    before = len(_points())
    seen = []
    for point in points:
        seen.append((point.config["seed"], point.swept["jobs[0].workload.load"]))
        alive = len(_points()) - before if len(seen) == 90 else 0
        assert alive < 20
    assert seen == [(seed, load) for seed in range(40) for load in (0.1, 0.2, 0.3)]
    assert points[-1].name == "seed=39,load=0.3"
    assert [point.name for point in points[3:5]] == ["seed=1,load=0.1", "seed=1,load=0.2"]
    with pytest.raises(IndexError):
        points[120]


def test_a_wrong_run_far_in_a_sweep_is_found_at_once(monkeypatch):
    monkeypatch.setattr(model, "_REMEMBERED", 1)
    with pytest.raises(ScenarioError, match="nothing"):
        Scenario.from_mapping(open_loop(sweep={"routing.algorithm": ["minimal", "par", "nothing"]}))


def test_a_sample_that_does_not_fit_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(watch, "available_bytes", lambda: 2**20)
    data = open_loop(measure=LONG, telemetry={"packet_sample": 1})
    with pytest.raises(ScenarioError, match=r"packets would be recorded.* GiB are free") as caught:
        package.run(data, out=tmp_path / "out")
    assert "`telemetry.packet_sample`" in str(caught.value)
    assert not (tmp_path / "out").exists()
    enough = int(
        str(caught.value).partition("Record every ")[2].partition("th")[0].replace(",", "")
    )
    data["telemetry"]["packet_sample"] = enough + 1
    point = Scenario.from_mapping(data).points[0]
    report = before.check(point)
    watch.refuse_large_sample(point, report)


def test_a_sample_that_outgrows_the_memory_ends_the_run(monkeypatch):
    """Where nobody knows the number of packets before."""
    monkeypatch.setattr(watch, "available_bytes", lambda: 2**22)
    monkeypatch.setattr("odonata.campaign.conduct.refuse_large_sample", lambda *_: None)
    data = open_loop(measure=LONG, telemetry={"packet_sample": 2})
    observer = Notes()
    result = package.run(data, observer=observer)
    assert result.stop == "interrupted"
    assert "packets are recorded" in observer.said[0]
    assert result.table("packets").height > 2**22 / 1000


def test_the_estimate_is_what_a_record_takes():
    data = open_loop(measure={"warm_up": "0 s", "window": "60 us"}, telemetry={"packet_sample": 1})
    peak = memory.Peak()
    result = package.run(data)
    taken = peak.look() - peak.start_bytes
    count = result.table("packets").height
    expected = count * (watch._RECORD_BYTES + watch._HOP_BYTES * 3.3)
    assert count > 80_000
    # Memory that was there already is used first.
    assert taken < 1.5 * expected


def test_memory_is_that_of_each_run(monkeypatch):
    """A large run does not raise the figure of a small one after it."""
    sizes = iter([100, 900, 300, 250, 200] + [120] * 1000)
    monkeypatch.setattr(memory.Peak, "_rss", lambda _self: next(sizes))
    short = {"warm_up": "0 s", "window": "200 ns"}
    sweep = package.run(open_loop(measure=short, sweep={"seed": [1, 2, 3, 4]}), executor="serial")
    most = [run.summary["engine"]["rss_bytes_max"] for run in sweep.runs.values()]
    assert most[0] == 900
    assert most[-1] < 300
