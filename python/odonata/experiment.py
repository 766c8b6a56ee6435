"""Runs a scenario: every point of its sweep, and the isolated baseline of each victim.

Baselines are shared between points that resolve to the same one. What has been run is on disk
before the next run starts, so that an interrupted sweep keeps its results.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from odonata import archive, given, native, replicated, results
from odonata.archive import Archive
from odonata.build import Scenario as Built
from odonata.errors import RunError, ScenarioError
from odonata.inputs import Inputs, Prepared
from odonata.native import ConfigurationError
from odonata.results import Result, Runs, Sweep
from odonata.scenario import Point, Scenario, sections
from odonata.scenario.resolve import victims
from odonata.traces import cache
from odonata.watch import Watch, refuse_large_sample

MOST_THREADS = 1024

_INDEX_EVERY_S = 5.0
"""How long the index of a sweep may lag behind; the runs themselves are stored at once."""


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

    def kept(self, label: str) -> None:
        """The run is there from earlier; it is not made again."""

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""


class _Silent:
    def planned(self, runs: int) -> None: ...
    def started(self, label: str) -> None: ...
    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None: ...
    def finished(self, label: str) -> None: ...
    def kept(self, label: str) -> None: ...
    def note(self, text: str) -> None: ...


def run(  # noqa: PLR0913 - a user's words, each with its name
    scenario: Scenario | Built | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    overrides: Sequence[str] = (),
    threads: int = 1,
    baseline: bool = True,
    overwrite: bool = False,
    replicas: int | None = None,
    until_width: float | None = None,
    observer: Observer | None = None,
) -> Result | Sweep:
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario, path or mapping
        What to run: read, or built in Python (:mod:`odonata.build`); a text is the path of a file.
    out : str or pathlib.Path, optional
        Folder for the results; without it they stay in memory.
    overrides : sequence of str
        ``key=value`` settings; only for scenarios that are not read yet.
    threads : int
        Threads of the simulator; results do not depend on it.
    baseline : bool
        Whether each victim also runs alone.
    overwrite : bool
        Whether results of other runs in `out` may be replaced; everything is run again.
    replicas : int, optional
        Runs of each variant with seeds of their own; by default as the scenario says.
    until_width : float, optional
        Add replicas until the 95 % interval of every headline is so narrow, as a share of its
        estimate: 0.02 is 2 %.
    observer : Observer, optional
        Is told how it goes.

    Returns
    -------
    Result or Sweep
        A sweep if the scenario has one, or replicas. After a keyboard interrupt: what there is,
        with ``interrupted`` as its ``stop``.

    Raises
    ------
    ScenarioError
        The scenario is wrong; nothing has been written.
    RunError
        Results cannot be written, or the folder holds something else.
    """
    threads = given.whole(threads, "threads", least=1, most=MOST_THREADS)
    if not isinstance(scenario, Scenario):
        scenario = open_scenario(scenario, overrides=given.settings(overrides, "overrides"))
    if replicas is not None:
        scenario = scenario.with_replicas(replicas)
    folder = None if out is None else given.path(out, "out")
    experiment = _Experiment(scenario, threads, observer or _Silent(), baseline=baseline)
    if until_width is None:
        return experiment.run(folder, overwrite=overwrite)
    width = given.number(until_width, "until_width")
    return _until(experiment, folder, width, overwrite=overwrite)


_FIRST_REPLICAS = 10
"""Replicas before a first look at the width: fewer stop too early by chance."""


def _until(
    experiment: _Experiment, out: Path | None, width: float, *, overwrite: bool
) -> Result | Sweep:
    """Add replicas until intervals are narrow enough, at most twice as many at a time."""
    if not 0.0 < width < 1.0:
        raise RunError(f"a width of {width:g} cannot be reached; give a share such as 0.02.")
    count = max(experiment.scenario.replicas, _FIRST_REPLICAS)
    if out is not None and not overwrite and (out / results.INDEX).is_file():
        there = results.load(out)
        count = max(count, there.replicas if isinstance(there, Sweep) else 1)
    while True:
        experiment.scenario = experiment.scenario.with_replicas(count)
        found = experiment.run(out, overwrite=overwrite)
        overwrite = False  # what is there now is ours
        if not isinstance(found, Sweep) or any(interrupted(one) for one in found):
            return found
        wanted = found.replicas_for(width)
        if wanted is None or wanted <= count or count >= sections.MOST_REPLICAS:
            return found
        count = min(wanted, 2 * count, sections.MOST_REPLICAS)


def open_scenario(
    source: Built | str | Path | Mapping[str, Any], *, overrides: Sequence[str] = ()
) -> Scenario:
    """Scenario of a file, of nested dictionaries, or built in Python."""
    if isinstance(source, Built):
        return source.check(overrides=overrides)
    if not isinstance(source, str | Path | Mapping):
        raise ScenarioError(
            f"{source!r:.60} is no scenario; give the path of a file, nested dictionaries, or a "
            "Scenario of odonata.build."
        )
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
    return checked(point, Inputs((observer or _Silent()).note).of(point))


def demand(point: Point, *, observer: Observer | None = None) -> list[dict[str, Any]]:
    """How hard each MPI job of one run presses on the network, alone and without contention.

    Parameters
    ----------
    point : Point
        Of a scenario.
    observer : Observer, optional
        Is told of oddities.

    Returns
    -------
    list of dict
        As :func:`odonata.native.demand` says it.

    Raises
    ------
    ScenarioError
        It cannot be run.
    """
    ready = Inputs((observer or _Silent()).note).of(point)
    try:
        return native.demand(ready.config, ready.traces, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


def checked(point: Point, ready: Prepared) -> dict[str, Any]:
    """The same of a run whose files are read."""
    try:
        return native.check(ready.config, ready.traces, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


class _Experiment:
    """One scenario being run."""

    def __init__(
        self, scenario: Scenario, threads: int, observer: Observer, *, baseline: bool
    ) -> None:
        self.scenario = scenario
        self._threads = threads
        self._observer = observer
        self._baseline = baseline
        self._inputs = Inputs(observer.note)
        self._archive = Archive(None, scenario.name, is_sweep=False)
        self._in_memory: dict[str, Result] = {}
        self._told: set[str] = set()

    def run(self, out: Path | None, *, overwrite: bool) -> Result | Sweep:
        is_sweep = bool(self.scenario.sweep)
        if out is not None:
            self._inputs.kept_traces = out.resolve().parent / cache.FOLDER
        with archive.opened(
            out, self.scenario.name, is_sweep=is_sweep, overwrite=overwrite
        ) as kept:
            self._archive = kept
            self._plan(is_sweep=is_sweep)
            found = self._sweep() if is_sweep else self._point(self.scenario.points[0])
            runs = found.runs.values() if isinstance(found, Sweep) else [found]
            if not any(interrupted(one) for one in runs):
                self._complete(found)
            elif out is not None and kept.directory != out:
                self._observer.note(
                    f"the earlier results in {out} are kept; what there is of the new ones is in "
                    f"{kept.directory}. Run it again with --overwrite to go on."
                )
        return found

    def _complete(self, found: Result | Sweep) -> None:
        """Let complete results take the place of those that they replace."""
        before = self._archive.directory
        self._archive.complete()
        after = self._archive.directory
        if before is None or after is None or before == after:
            return
        found.directory = after
        if isinstance(found, Sweep):
            found.runs.moved(before, after)
        else:
            results.release(found, after)

    def _plan(self, *, is_sweep: bool) -> None:
        """Look at every point once: refuse what cannot run or be kept before anything runs."""
        wanted: set[str] = set()
        for point in self.scenario.points:
            ready = self._inputs.of(point)
            if is_sweep or point.config["telemetry"]["packet_sample"]:
                refuse_large_sample(point, checked(point, ready))
            alone = self._alone(point)
            run_hash = self._hash(point)
            scenario_hash = point.scenario_hash(self._inputs.digests)
            self._archive.admit(point.name, run_hash, scenario_hash, list(alone))
            wanted |= {run_hash, *alone.values()}
        self._archive.begin(is_sweep=is_sweep)
        self._observer.planned(sum(not self._archive.has(one) for one in wanted))

    def _sweep(self) -> Sweep:
        sweep = Sweep(pl.DataFrame(), Runs(), self._archive.directory)
        rows = []
        written = time.monotonic()
        try:
            for point in self.scenario.points:
                result = self._point(point)
                sweep.runs.add(point.name, result)
                rows.append(index_row(point, result))
                if time.monotonic() > written + _INDEX_EVERY_S:
                    self._archive.put_index(_frame(rows))
                    written = time.monotonic()
                if interrupted(result):
                    break
        finally:
            sweep.index = _frame(rows)
            if rows:
                self._archive.put_index(sweep.index)
                if sweep.replicas > 1:
                    self._archive.put_summary(replicated.summary_bytes(sweep))
        return sweep

    def _alone(self, point: Point) -> dict[str, str]:
        """Hash of the isolated run of each victim."""
        return {job: self._baseline_hash(point, job) for job in self._victims(point)}

    def _hash(self, point: Point) -> str:
        return point.run_hash(self._inputs.digests)

    def _victims(self, point: Point) -> list[str]:
        """Jobs that get a baseline: victims that are not alone anyway."""
        jobs = point.config["jobs"]
        return victims(jobs) if self._baseline and len(jobs) > 1 else []

    def _baseline_hash(self, point: Point, job: str) -> str:
        """Fingerprint of a baseline: of silent jobs, only what decides their nodes counts."""
        alone = point.alone(job)
        jobs = [_silent(entry) for entry in alone.config["jobs"]]
        same = Point("", {}, {**alone.config, "jobs": jobs}, {}, point.document)
        return self._hash(same)

    def _point(self, point: Point) -> Result:
        """A run with its isolated runs: from earlier, or made and stored."""
        label, alone = point.name or self.scenario.name, self._alone(point)
        run_hash = self._hash(point)
        kept = self._archive.kept(point.name, run_hash, alone)
        if kept is not None:
            self._observer.kept(label)
            return kept
        result = self._found(run_hash, point, label)
        for job, key in alone.items():
            if interrupted(result) or result.stop == "stalled":
                break
            words = f"{point.name}, {job} alone" if point.name else f"{job} alone"
            isolated = self._found(key, point.alone(job), words)
            result.baselines[job] = isolated
            _compare(result, job, isolated)
        result.summary = results.in_order(result.summary)
        result.frames["jobs"] = results.jobs_frame(result.summary)
        self._archive.put(point.name, result)
        return result

    def _found(self, run_hash: str, point: Point, label: str) -> Result:
        """A run by its hash: one that is there, or a new one."""
        if run_hash in self._in_memory:
            return self._in_memory[run_hash]
        result = self._archive.find(run_hash)
        if result is None:
            result = self._once(point, label)
            result.run_hash = run_hash
        elif run_hash not in self._told:
            self._observer.kept(label)
        self._told.add(run_hash)
        if self._archive.directory is None:
            self._in_memory[run_hash] = result
        return result

    def _once(self, point: Point, label: str) -> Result:
        ready = self._inputs.of(point)
        self._observer.started(label)
        watch = Watch(point, self._observer)
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            outcome = native.run(
                ready.config,
                ready.traces,
                ready.texts,
                threads=self._threads,
                progress=watch.progress,
                interrupt=watch.must_stop,
            )
        except ConfigurationError as error:
            raise point.error(error.path, error.sentence) from None
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self._observer.finished(label)
        for note in outcome.summary.get("notes", ()):
            self._observer.note(f"{label}: {note}")
        summary = {
            "schema": 1,
            "name": self.scenario.name,
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
        engine = _engine(summary.get("engine", {}), wall, cpu, self._threads)
        summary["engine"] = engine | {"rss_bytes_max": watch.memory.look()}
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


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


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
        "saturated": network.get("saturated"),
        "packet_latency_ns_mean": latency.get("mean"),
        "packet_latency_ns_p99": latency.get("p99"),
    }
    for job in result.jobs.values():
        row[f"{job.name}.comm_time_ns_mean"] = job.comm_time_ns if job.has_ended else None
        row[f"{job.name}.slowdown"] = job.slowdown
        row[f"{job.name}.overlap"] = job.overlap
    return row | _spread(result)


def _spread(result: Result) -> dict[str, Any]:
    """What replicas are compared by, beside the headlines."""
    row: dict[str, Any] = {}
    latency = result.summary.get("network", {}).get("packet_latency_ns") or {}
    for name in ("p50", "p95"):
        row[f"packet_latency_ns_{name}"] = latency.get(name)
    for job in result.jobs.values():
        row[f"{job.name}.baseline_comm_time_ns_mean"] = job.baseline_comm_time_ns
        row[f"{job.name}.accepted_load"] = job.summary.get("accepted_load")
        latency = job.summary.get("packet_latency_ns") or {}
        for name in ("mean", "p50", "p95", "p99"):
            row[f"{job.name}.packet_latency_ns_{name}"] = latency.get(name)
    return row
