"""Runs a scenario: every point of its sweep, and the isolated baseline of each victim.

Baselines are shared between points that resolve to the same one. What has been run is on disk
before the next run starts, so that an interrupted sweep keeps its results.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from odonata import native, results
from odonata.inputs import Inputs
from odonata.native import ConfigurationError
from odonata.results import Result, Sweep
from odonata.scenario import Point, Scenario
from odonata.scenario.resolve import victims


class Observer(Protocol):
    """Is told how an experiment goes."""

    def planned(self, runs: int) -> None:
        """So many runs will be made, baselines included; may change on the way."""

    def started(self, label: str) -> None:
        """A run starts."""

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far."""

    def finished(self, label: str) -> None:
        """The run has ended."""

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""


class _Silent:
    def planned(self, runs: int) -> None: ...
    def started(self, label: str) -> None: ...
    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None: ...
    def finished(self, label: str) -> None: ...
    def note(self, text: str) -> None: ...


def run(
    scenario: Scenario | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    overrides: Sequence[str] = (),
    threads: int = 1,
    baseline: bool = True,
    observer: Observer | None = None,
) -> Result | Sweep:
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario, path or mapping
        What to run; a text is the path of a file.
    out : str or pathlib.Path, optional
        Folder for the results; without it they stay in memory.
    overrides : sequence of str
        ``key=value`` settings; only for scenarios that are not read yet.
    threads : int
        Threads of the simulator; results do not depend on it.
    baseline : bool
        Whether each victim also runs alone.
    observer : Observer, optional
        Is told how it goes.

    Returns
    -------
    Result or Sweep
        A sweep if the scenario has one. After a keyboard interrupt: what there is, with
        ``interrupted`` as its ``stop``.

    Raises
    ------
    ScenarioError
        The scenario is wrong; nothing has been written.
    RunError
        Results cannot be written.
    """
    if not isinstance(scenario, Scenario):
        scenario = open_scenario(scenario, overrides=overrides)
    experiment = _Experiment(scenario, threads, observer or _Silent(), baseline=baseline)
    return experiment.run(None if out is None else Path(out))


def open_scenario(
    source: str | Path | Mapping[str, Any], *, overrides: Sequence[str] = ()
) -> Scenario:
    """Scenario of a file or of nested dictionaries."""
    if isinstance(source, Mapping):
        return Scenario.from_mapping(source, overrides=overrides)
    return Scenario.read(source, overrides=overrides)


def check(point: Point, *, observer: Observer | None = None) -> dict[str, Any]:
    """Forecast of one run: virtual channels, packets, memory, time.

    Parameters
    ----------
    point : Point
        Of a scenario.
    observer : Observer, optional
        Is told of oddities.

    Returns
    -------
    dict
        As the simulator says it.

    Raises
    ------
    ScenarioError
        It cannot be run.
    """
    ready = Inputs((observer or _Silent()).note).of(point)
    try:
        return native.check(ready.config, ready.traces, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


class _Experiment:
    """One scenario being run."""

    def __init__(
        self, scenario: Scenario, threads: int, observer: Observer, *, baseline: bool
    ) -> None:
        self._scenario = scenario
        self._threads = threads
        self._observer = observer
        self._baseline = baseline
        self._inputs = Inputs(observer.note)
        self._baselines: dict[str, Result] = {}

    def run(self, out: Path | None) -> Result | Sweep:
        points = self._scenario.points
        if out is not None:
            results.refuse_foreign(out)
        for point in points:
            self._inputs.of(point)
        self._observer.planned(len(points) + len(self._baseline_hashes(points)))
        if not self._scenario.sweep:
            result = self._point(points[0])
            if out is not None:
                results.write(result, out)
            return result
        self._check_all(points)
        return self._sweep(points, out)

    def _sweep(self, points: Sequence[Point], out: Path | None) -> Sweep:
        if out is not None:
            results.clear(out)
        sweep = Sweep(pl.DataFrame(), {}, out)
        rows = []
        for point in points:
            result = self._point(point)
            if out is not None:
                results.write(result, out / results.RUNS / point.name)
            sweep.runs[point.name] = result
            rows.append(index_row(point, result))
            sweep.index = pl.DataFrame(rows, infer_schema_length=None)
            if out is not None:
                results.write_index(sweep.index, out)
            if interrupted(result):
                break
        return sweep

    def _check_all(self, points: Sequence[Point]) -> None:
        """Refuse a sweep with a point that cannot run before anything runs."""
        for point in points:
            ready = self._inputs.of(point)
            try:
                native.check(ready.config, ready.traces, ready.texts)
            except ConfigurationError as error:
                raise point.error(error.path, error.sentence) from None

    def _baseline_hashes(self, points: Sequence[Point]) -> set[str]:
        return {
            self._baseline_hash(point, job)
            for point in points
            for job in self._victims(point)
        }  # fmt: skip

    def _victims(self, point: Point) -> list[str]:
        """Jobs that get a baseline: victims that are not alone anyway."""
        jobs = point.config["jobs"]
        return victims(jobs) if self._baseline and len(jobs) > 1 else []

    def _baseline_hash(self, point: Point, job: str) -> str:
        """Fingerprint of a baseline: of silent jobs, only what decides their nodes counts."""
        alone = point.alone(job)
        jobs = [_silent(entry) for entry in alone.config["jobs"]]
        same = Point("", {}, {**alone.config, "jobs": jobs}, {}, point.document)
        return same.scenario_hash(self._inputs.digests)

    def _point(self, point: Point) -> Result:
        result = self._once(point, point.name or self._scenario.name)
        for job in self._victims(point):
            if interrupted(result) or result.stop == "stalled":
                break
            key = self._baseline_hash(point, job)
            if key not in self._baselines:
                label = f"{point.name}, {job} alone" if point.name else f"{job} alone"
                self._baselines[key] = self._once(point.alone(job), label)
            alone = self._baselines[key]
            result.baselines[job] = alone
            _compare(result, job, alone)
        result.summary = results.in_order(result.summary)
        result.frames["jobs"] = results.jobs_frame(result.summary)
        return result

    def _once(self, point: Point, label: str) -> Result:
        ready = self._inputs.of(point)
        self._observer.started(label)
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            outcome = native.run(
                ready.config,
                ready.traces,
                ready.texts,
                threads=self._threads,
                progress=self._observer.progress,
            )
        except ConfigurationError as error:
            raise point.error(error.path, error.sentence) from None
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self._observer.finished(label)
        for note in outcome.summary.get("notes", ()):
            self._observer.note(f"{label}: {note}")
        summary = {
            "schema": 1,
            "name": self._scenario.name,
            "odonata_version": native.VERSION,
            "scenario_hash": point.scenario_hash(self._inputs.digests),
            **outcome.summary,
        }
        # A silent job only keeps its nodes: it has no results.
        summary["jobs"] = [
            {key: value for key, value in job.items() if key != "muted"}
            for job in outcome.summary["jobs"]
            if not job.get("muted")
        ]
        summary["engine"] = _engine(summary.get("engine", {}), wall, cpu, self._threads)
        return Result(
            summary=results.in_order(summary),
            scenario=point.resolved,
            frames=results.frames(outcome.tables, summary),
            stall=outcome.stall,
        )


def _silent(job: Mapping[str, Any]) -> Mapping[str, Any]:
    ranks = job["workload"].get("ranks")
    if not job.get("muted") or ranks is None or job["workload"]["kind"] == "trace":
        return job
    return {"muted": True, "placement": job["placement"], "workload": {"kind": "", "ranks": ranks}}


def _engine(engine: Mapping[str, Any], wall: float, cpu: float, threads: int) -> dict[str, Any]:
    hops = engine.get("packet_hops", 0)
    return {
        "wall_s": wall,
        "cpu_s": cpu,
        "threads": threads,
        **engine,
        "packet_hops_per_s": hops / wall if wall > 0 else 0.0,
        "rss_bytes_max": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def _compare(result: Result, job: str, alone: Result) -> None:
    """Put the baseline of ``job`` beside it, and the slowdown if its ranks ended in both."""
    entry = next(e for e in result.summary["jobs"] if e["name"] == job)
    other = next((e for e in alone.summary["jobs"] if e["name"] == job), None)
    if other is None or alone.stop == "interrupted":
        return
    for key in ("comm_time_ns", "packet_latency_ns"):
        if other.get(key) is not None:
            entry[f"baseline_{key}"] = other[key]
    beside, isolated = entry.get("comm_time_ns"), other.get("comm_time_ns")
    ended = all(run.get("ranks_finished") == run["ranks"] for run in (entry, other))
    if ended and beside and isolated and isolated["mean"]:
        entry["slowdown"] = beside["mean"] / isolated["mean"]


def interrupted(result: Result) -> bool:
    """Whether a run or one of its baselines was stopped early."""
    return any(r.stop == "interrupted" for r in (result, *result.baselines.values()))


def stalled(result: Result) -> bool:
    """Whether a run or one of its baselines came to a standstill."""
    return any(r.stop == "stalled" for r in (result, *result.baselines.values()))


def index_row(point: Point, result: Result) -> dict[str, Any]:
    """Row of a run in the index of its sweep."""
    row: dict[str, Any] = {"run": point.name}
    for key, value in point.swept.items():
        row[key] = json.dumps(value) if isinstance(value, list | dict) else value
    network = result.summary.get("network", {})
    latency = network.get("packet_latency_ns") or {}
    row |= {
        "scenario_hash": result.summary["scenario_hash"],
        "stop": result.stop,
        "simulated_ns": result.summary.get("simulated_ns"),
        "offered_load": network.get("offered_load"),
        "accepted_load": network.get("accepted_load"),
        "packet_latency_ns_mean": latency.get("mean"),
        "packet_latency_ns_p99": latency.get("p99"),
    }
    for job in result.jobs.values():
        row[f"{job.name}.comm_time_ns_mean"] = job.comm_time_ns
        row[f"{job.name}.slowdown"] = job.slowdown
    return row
