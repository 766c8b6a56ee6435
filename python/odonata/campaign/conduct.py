"""One scenario being run: which of its tasks are left, and what is made of those that return."""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import polars as pl

from odonata import results
from odonata.analysis.saturation import next_load
from odonata.campaign import regret, rows
from odonata.campaign.executors.choice import Options
from odonata.campaign.packing import Packing
from odonata.campaign.plan import Plan, Planned
from odonata.campaign.task import Done, Failure, Task
from odonata.campaign.watch import refuse_large_sample
from odonata.campaign.work import INTERRUPTED
from odonata.core import native
from odonata.core.errors import InternalError, ScenarioError
from odonata.core.native import ConfigurationError
from odonata.results import Result, Runs, Sweep, archive, replica_summary, summaries
from odonata.results.archive import Archive
from odonata.results.run import Unpacked
from odonata.results.store.log import LOG, Log, Place
from odonata.scenario import Point, Scenario
from odonata.scenario.inputs import Inputs, Prepared
from odonata.traces import cache

_PROCESS_BYTES = 150 << 20
_TIMES_NETWORK = 3
"""Memory of a process that runs tasks: the interpreter with its packages, and what the simulator
says of the network, several times, for packets on their way and tables."""

_INDEX_EVERY_S = 5.0
_TIMES_INDEX = 400.0
"""How long the index of a sweep may lag behind, at least, and in processor time of making it; the
runs themselves are stored at once."""


class Observer(Protocol):
    """Is told how an experiment goes."""

    def planned(self, runs: int) -> None:
        """So many runs will be made, baselines included; may change on the way."""

    def started(self, label: str) -> None:
        """A run starts; several may run at a time."""

    def progress(self, label: str, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far."""

    def finished(self, label: str) -> None:
        """The run has ended."""

    def failed(self, label: str, sentence: str) -> None:
        """The run has no result."""

    def kept(self, label: str) -> None:
        """The run is there from earlier; it is not made again."""

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""


@runtime_checkable
class Timed(Protocol):
    """An observer that wants to know how long runs took where they were carried out."""

    def took(self, label: str, seconds: float) -> None:
        """The run, which is told to have finished next, took so long by the clock."""


class _Silent:
    def planned(self, runs: int) -> None: ...
    def started(self, label: str) -> None: ...
    def progress(self, label: str, simulated_ps: int, packets: int, fraction: float) -> None: ...
    def finished(self, label: str) -> None: ...
    def failed(self, label: str, sentence: str) -> None: ...
    def kept(self, label: str) -> None: ...
    def note(self, text: str) -> None: ...


SILENT: Observer = _Silent()
"""Is told and says nothing."""


def checked(point: Point, ready: Prepared) -> dict[str, Any]:
    """What the simulator says of a run whose files are read."""
    try:
        return native.check(ready.config, ready.traces, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


class Campaign:
    """One scenario being run: the work of an executor, and what is made of it."""

    def __init__(
        self, scenario: Scenario, observer: Observer, options: Options, *, baseline: bool
    ) -> None:
        self.scenario = scenario
        self._options = options
        self._observer = observer
        self._baseline = baseline
        self._in_memory: dict[str, Result] = {}
        self._told: set[str] = set()
        self._labels: set[str] = set()
        self._said: set[str] = set()
        self.inputs = Inputs(self._say)
        self.log: Log | None = None
        self._archive = Archive(None, scenario.name, is_sweep=False)

    def _begin(self, plan: Plan) -> None:
        self._plan = plan
        self._failures: dict[str, Failure] = {}
        self._partial: dict[str, Result] = {}
        self._rows: dict[int, dict[str, Any]] = {}
        self._results: dict[int, Result] = {}
        self._waiting: dict[str, list[Planned]] = {}
        self._is_interrupted = False
        self._next_index = time.monotonic() + _INDEX_EVERY_S
        self._packing: Packing | None = None

    def run(self, out: Path | None, *, overwrite: bool) -> Result | Sweep:
        """Run what is missing; results of everything that is there then."""
        is_sweep = bool(self.scenario.sweep)
        if out is not None:
            self.inputs.kept_traces = out.resolve().parent / cache.FOLDER
        with archive.opened(
            out, self.scenario.name, is_sweep=is_sweep, overwrite=overwrite
        ) as kept:
            self._archive = kept
            self._begin(Plan(self.scenario, self.inputs, baseline=self._baseline))
            self._admit(is_sweep=is_sweep)
            try:
                found = self._carried_out(is_sweep=is_sweep)
            finally:
                if self.log is not None:
                    self.log.close()
            if not self._is_interrupted and not self._failures:
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

    def _admit(self, *, is_sweep: bool) -> None:
        """Look at every point once: refuse what cannot run or be kept before anything runs."""
        variants: dict[int, int] = {}
        searches = self.scenario.points.searched is not None
        packs = is_sweep and not searches and self._options.packs(len(self._plan.points))
        for planned in self._plan.points:
            point = self.scenario.points[planned.index]
            variant = point.variant if point.variant >= 0 else -1 - planned.index
            is_sampled = point.config["telemetry"]["packet_sample"]
            if variant not in variants and (is_sweep or is_sampled):
                # Runs that differ in their seed only are looked at once.
                report = checked(point, self.inputs.of(point))
                refuse_large_sample(point, report)
                network = (report.get("forecast") or {}).get("memory_bytes") or 0
                variants[variant] = _PROCESS_BYTES + _TIMES_NETWORK * network
            self._plan.memory_bytes[planned.index] = variants.get(variant, 0)
            self._archive.admit(point.name, planned.key, self._plan.scenario_hash, planned.alone,
                                packs=packs)  # fmt: skip
        self._archive.begin(is_sweep=is_sweep, may_come=self.scenario.points.may_come)
        self._open_log()
        if packs and self.log is not None and self._archive.directory is not None:
            self._packing = Packing(self._plan, self.log, self._archive,
                                    is_ours=self._options.store is None)  # fmt: skip
        self._announce(self._plan)

    def _announce(self, keys: Iterable[str]) -> None:
        self._observer.planned(sum(not self._has(key) for key in keys))

    def _open_log(self) -> None:
        """Finished tasks are kept beside results that are not whole yet, or where users say."""
        if self._options.store is not None:
            self._options.store.parent.mkdir(parents=True, exist_ok=True)
            self.log = Log(self._options.store)
        elif self._archive.directory is not None:
            self.log = Log(self._archive.directory / LOG)
        else:
            self.log = None
        if self.log is not None:
            self.log.check(self._plan)

    def _has(self, key: str) -> bool:
        return (
            key in self._in_memory
            or self._archive.has(key)
            or (self.log is not None and key in self.log)
        )

    def _carried_out(self, *, is_sweep: bool) -> Result | Sweep:
        wanted = self._plan.points
        try:
            while wanted:
                self._sort_out(wanted)
                if self._waiting:
                    self._options.choose(list(self._waiting)).run(self)
                wanted = self._searched()
            self._pack()
            for planned in self._plan.points:  # what is not whole, as far as it is there
                if planned.index not in self._results and planned.index not in self._rows:
                    self._assemble(planned)
        finally:
            self._pack()
            found = self._swept() if is_sweep else None
        self._close_log()
        if found is not None:
            return found
        if not self._results:
            raise self._error(self._plan.points[0].key)
        return self._results[0]

    def _searched(self) -> list[Planned]:
        """Points that halve the brackets in which curves saturate; none when all are narrow."""
        points = self.scenario.points
        if points.searched is None or self._is_interrupted:
            return []
        found = []
        for curve in list(points.curves()):
            marks = {load: self._rows[at]["saturated"] for load, at in curve.items()
                     if self._rows.get(at, {}).get("saturated") is not None}  # fmt: skip
            load = next_load(marks, points.searched.knee)
            if load is not None and load not in curve:
                found.append(self._added(next(iter(curve.values())), load))
        if found:
            self._announce({key for planned in found for key in planned.keys})
        return found

    def _added(self, like: int, load: float) -> Planned:
        """Plan a run at another load than that of a point."""
        planned = self._plan.add(self.scenario.points.add(like, load))
        self._plan.memory_bytes[planned.index] = self._plan.memory_bytes[like]
        self._archive.admit(planned.name, planned.key, self._plan.scenario_hash, planned.alone)
        if self.log is not None:
            self.log.check(planned.keys)
        return planned

    def _sort_out(self, points: list[Planned]) -> None:
        """What is there from earlier, and which points wait for which tasks."""
        for planned in points:
            missing = [key for key in planned.keys if not self._has(key)]
            for key in missing:
                self._waiting.setdefault(key, []).append(planned)
            if not missing:
                self._assemble(planned)

    def _swept(self) -> Sweep:
        sweep = Sweep(pl.DataFrame(), Runs(), self._archive.directory)
        for index in sorted(self._rows, key=self.scenario.points.rank):
            sweep.runs.add(self._plan.points[index].name, self._results.get(index))
        if self._packing is not None:
            sweep.runs.packed = self._packing.packed
        sweep.index = self._index()
        sweep.failures = {
            self._plan.label(key): failure.sentence for key, failure in self._failures.items()
        }
        sweep.has_faults = any(failure.is_fault for failure in self._failures.values())
        if self._rows:
            if self._packing is not None:
                self._archive.put_places(self._packing.packed)
            self._archive.put_index(sweep.index)
            if sweep.replicas > 1:
                self._archive.put_summary(replica_summary.summary_bytes(sweep))
        return sweep

    def _close_log(self) -> None:
        """A log beside the results goes as soon as everything in it is among them."""
        if self.log is None:
            return
        self.log.close()
        is_ours = self._options.store is None
        if is_ours and all(self._archive.has(key) for key in self.log):
            self.log.remove()

    def _index(self) -> pl.DataFrame:
        ordered = [self._rows[index] for index in sorted(self._rows, key=self.scenario.points.rank)]
        names = [job["name"] for job in self.scenario.points[0].config["jobs"]]
        regret.add(ordered, self.scenario.sweep, names)
        return pl.DataFrame(ordered, infer_schema_length=None)

    def _error(self, key: str) -> BaseException:
        """Why the only run there is has no result."""
        if key not in self._failures:
            return KeyboardInterrupt()
        failure = self._failures[key]
        if failure.is_fault:
            return InternalError(failure.sentence, failure.details)
        if failure.path:
            return self._plan.point(key).error(failure.path, failure.sentence)
        return ScenarioError(failure.sentence)

    def wanted(self) -> Iterator[str]:
        """Tasks that are left; of a point that came to a standstill no isolated runs."""
        for key, points in list(self._waiting.items()):
            is_own = any(planned.key == key for planned in points)
            if is_own or any(self._goes_on(planned) for planned in points):
                yield key

    def _goes_on(self, planned: Planned) -> bool:
        """Whether a point whose own run has ended still wants its isolated runs."""
        return planned.key not in self._failures and planned.index not in self._results

    def task(self, key: str, *, is_here: bool) -> Task:
        """A task; for this process, or for one in another folder."""
        return self._plan.task(key, is_here=is_here)

    def started(self, key: str) -> None:
        """A task runs."""
        self._observer.started(self._plan.label(key))

    def progress(self, key: str, simulated_ps: int, packets: int, fraction: float) -> None:
        """It has come so far."""
        self._observer.progress(self._plan.label(key), simulated_ps, packets, fraction)

    def note(self, text: str) -> None:
        """Something to look at before trusting results; what many runs say, only of the first."""
        label, _, sentence = text.partition(": ")
        if not self._labels:
            self._labels = set(self._plan.labels())
        self._say(text, once=sentence if label in self._labels else text)

    def _say(self, text: str, once: str = "") -> None:
        if (once or text) not in self._said:
            self._said.add(once or text)
            self._observer.note(text)

    def interrupted(self) -> None:
        """The user wishes to stop."""
        self._is_interrupted = True

    def returned(
        self, key: str, found: Done | Failure | Place, seconds: float | None = None
    ) -> None:
        """A task has ended: keep it, and make results of what is whole now."""
        label = self._plan.label(key)
        self._told.add(key)
        if isinstance(found, Failure):
            self._failures[key] = found
            is_only_run = not self.scenario.sweep and key == self._plan.points[0].key
            if not is_only_run:  # its error says it
                self._observer.failed(label, found.sentence)
        else:
            if seconds is not None and isinstance(self._observer, Timed):
                self._observer.took(label, seconds)
            self._observer.finished(label)
            self._keep(key, found)
        waiting = self._waiting.pop(key, [])
        for planned in waiting:
            if planned.index in self._results:
                continue
            is_whole = all(self._has(one) or one in self._failures for one in planned.keys)
            if is_whole or (key == planned.key and _stop_of(found) == "stalled"):
                self._assemble(planned)
        self._put_down(key, found)
        if self._packing is not None and self._packing.is_due:
            self._pack()

    def _pack(self) -> None:
        """Let what is finished become a part, and show its runs in the index."""
        if self._packing is None or not self._packing.has_work:
            return
        for planned, row in self._packing.pack():
            self._rows[planned.index] = row
        if time.monotonic() > self._next_index:
            self._show()

    def _show(self) -> None:
        """Let others see which runs there are."""
        begun = time.process_time()
        if self._packing is not None:
            self._archive.put_places(self._packing.packed)
        self._archive.put_index(self._index())
        cost = _TIMES_INDEX * (time.process_time() - begun)
        self._next_index = time.monotonic() + max(_INDEX_EVERY_S, cost)

    def _keep(self, key: str, found: Done | Place) -> None:
        if isinstance(found, Place):
            if self.log is not None:
                self.log.add(key, found)
            if self._packing is not None:
                self._packing.add(key)
        elif self._packing is not None and self.log is not None and found.stop != INTERRUPTED:
            self.log.append(key, found.encoded(), found.stop)
            self._packing.add(key)
        elif found.stop == INTERRUPTED:
            self._partial[key] = self._made(key, found)
        else:
            self._in_memory[key] = self._made(key, found)

    def _put_down(self, key: str, found: Done | Failure | Place) -> None:
        """What is not among the results on the disk yet goes into the log, out of memory."""
        if not isinstance(found, Done) or found.stop == INTERRUPTED or self.log is None:
            return
        if key not in self._in_memory:
            return
        if self._options.store is not None or not self._archive.has(key):
            self.log.append(key, found.encoded())
        del self._in_memory[key]

    def _made(self, key: str, done: Done) -> Result:
        return Result(
            summary=summaries.in_order(done.summary),
            scenario=self._plan.point(key).resolved,
            source=Unpacked(done.packed),
            stall=done.stall,
            run_hash=key,
        )

    def _found(self, key: str) -> Result | None:
        """What a task has returned, now or earlier; ``None`` if it has not."""
        if key in self._partial:
            return self._partial[key]
        if key in self._in_memory:
            return self._in_memory[key]
        result = self._archive.find(key)
        if result is None and self.log is not None:
            result = self._logged(key, self.log)
        if result is not None and key not in self._told:
            self._told.add(key)
            self._observer.kept(self._plan.label(key))
        return result

    def _logged(self, key: str, log: Log) -> Result | None:
        data = log.read(key)
        if data is None:
            return None
        try:
            done = Done.decoded(data)
        except (ValueError, KeyError, TypeError, IndexError):
            return None
        # Of another campaign in the same store: it may have another name.
        done.summary["name"] = self.scenario.name
        return self._made(key, done)

    def _assemble(self, planned: Planned) -> None:
        """Result of a point with its isolated runs, as far as they are there, and store it."""
        point = self.scenario.points[planned.index]
        if self._packing is not None and self._goes_into_part(planned):
            if self._told.isdisjoint(planned.keys):
                self._observer.kept(point.name)
            self._packing.run(planned)
            return
        result = self._archive.kept(planned.name, planned.key, planned.alone)
        if result is not None:
            self._observer.kept(point.name or self.scenario.name)
        else:
            result = self._joined(planned)
            if result is None:
                return
            self._archive.put(planned.name, result)
        self._results[planned.index] = result
        self._is_interrupted |= rows.interrupted(result)
        if self.scenario.sweep:
            self._rows[planned.index] = rows.index_row(point, result)
            if time.monotonic() > self._next_index:
                self._show()

    def _goes_into_part(self, planned: Planned) -> bool:
        """Whether the tasks of a run, as far as they are there, are in parts or about to be."""
        if self._archive.has_folder(planned.name):
            return False
        there = [key for key in planned.keys if key in self._partial or self._has(key)]
        return planned.key in there and all(
            key in self._archive.packed or (self.log is not None and key in self.log)
            for key in there
        )

    def _joined(self, planned: Planned) -> Result | None:
        found = self._found(planned.key)
        if found is None:
            return None
        # Another point may have the same run, and other isolated ones.
        result = dataclasses.replace(
            found, summary=copy.deepcopy(found.summary), baselines={}, frames=dict(found.frames)
        )
        for job, key in planned.alone.items():
            if rows.interrupted(result) or result.stop == "stalled":
                break
            isolated = self._found(key)
            if isolated is None:
                continue
            result.baselines[job] = isolated
            summaries.compare(result.summary, job, isolated.summary)
        result.summary = summaries.in_order(result.summary)
        result.frames["jobs"] = summaries.jobs_frame(result.summary)
        return result


def _stop_of(found: Done | Failure | Place) -> str:
    """How a task ended; empty if it failed."""
    match found:
        case Done():
            return found.stop
        case Place():
            return found.note
        case _:
            return ""
