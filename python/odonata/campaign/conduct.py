"""One scenario being run: which of its tasks are left, and what is made of those that return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from odonata import results
from odonata.analysis.saturation import next_load
from odonata.campaign.assembly import Assembly
from odonata.campaign.executors.choice import Options
from odonata.campaign.plan import Plan, Planned
from odonata.campaign.task import Done, Failure, Task
from odonata.campaign.tasks import Tasks
from odonata.campaign.watch import refuse_large_sample
from odonata.core import lazy
from odonata.core.errors import InternalError, ScenarioError
from odonata.results import Result, Sweep, archive
from odonata.results.archive import Archive
from odonata.results.store.log import Log, Place
from odonata.results.sweep import runs_in
from odonata.scenario import Scenario, before
from odonata.scenario.inputs import Inputs
from odonata.traces import cache

_PROCESS_BYTES = 150 << 20
_TIMES_NETWORK = 3
"""Memory of a process that runs tasks: the interpreter with its packages, and what the simulator
says of the network, several times, for packets on their way and tables."""


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


class Campaign:
    """One scenario being run: the work of an executor, and what is made of it."""

    def __init__(
        self, scenario: Scenario, observer: Observer, options: Options, *, baseline: bool
    ) -> None:
        self.scenario = scenario
        self._options = options
        self._observer = observer
        self._baseline = baseline
        self._tasks = Tasks(options.store)
        self._labels: set[str] = set()
        self._said: set[str] = set()
        self.inputs = Inputs(self._say)

    @property
    def log(self) -> Log | None:
        """Where finished tasks are kept; ``None``: in memory."""
        return self._tasks.log

    def run(self, out: Path | None, *, overwrite: bool) -> Result | Sweep:
        """Run what is missing; results of everything that is there then."""
        lazy.load()  # a signal that ends a run must not wait for what writes its tables
        is_sweep = bool(self.scenario.sweep)
        if out is not None:
            self.inputs.kept_traces = out.resolve().parent / cache.FOLDER
        with archive.opened(
            out, self.scenario.name, is_sweep=is_sweep, overwrite=overwrite
        ) as kept:
            self._begin(kept, is_sweep=is_sweep)
            try:
                found = self._carried_out(is_sweep=is_sweep)
            finally:
                self._tasks.close()
            if not self._assembly.is_interrupted and not self._failures:
                _complete(found, kept)
            elif out is not None and kept.directory != out:
                self._observer.note(
                    f"the earlier results in {out} are kept; the incomplete new ones are in "
                    f"{kept.directory}. Run it again with --overwrite to continue."
                )
        return found

    def _begin(self, kept: Archive, *, is_sweep: bool) -> None:
        """Look at every point once: refuse what cannot run or be kept before anything runs."""
        self._plan = Plan(self.scenario, self.inputs, baseline=self._baseline)
        self._archive = kept
        self._assembly = Assembly(self._plan, self._tasks, kept, self._observer.kept)
        self._failures: dict[str, Failure] = {}
        self._waiting: dict[str, list[Planned]] = {}
        variants: dict[int, int] = {}
        searches = self.scenario.points.searched is not None
        packs = is_sweep and not searches and self._options.packs(len(self._plan.points))
        for planned in self._plan.points:
            point = self.scenario.points[planned.index]
            variant = point.variant if point.variant >= 0 else -1 - planned.index
            is_sampled = point.config["telemetry"]["packet_sample"]
            if variant not in variants and (is_sweep or is_sampled):
                # Runs that differ in their seed only are looked at once.
                report = before.checked(point, self.inputs.of(point))
                refuse_large_sample(point, report)
                network = (report.get("forecast") or {}).get("memory_bytes") or 0
                variants[variant] = _PROCESS_BYTES + _TIMES_NETWORK * network
            self._plan.memory_bytes[planned.index] = variants.get(variant, 0)
            kept.admit(planned.name, planned.key, self._plan.scenario_hash, planned.alone,
                       packs=packs)  # fmt: skip
        kept.begin(is_sweep=is_sweep, may_come=self.scenario.points.may_come)
        self._tasks.open(self._plan, kept, packs=packs)
        self._announce(self._plan)

    def _announce(self, keys: Iterable[str]) -> None:
        self._observer.planned(sum(key not in self._tasks for key in keys))

    def _carried_out(self, *, is_sweep: bool) -> Result | Sweep:
        wanted = self._plan.points
        try:
            while wanted:
                self._sort_out(wanted)
                if self._waiting:
                    self._options.choose(list(self._waiting)).run(self)
                wanted = self._searched()
            for planned in self._plan.points:  # what is not whole, as far as it is there
                if planned not in self._assembly:
                    self._assembly.make(planned)
        finally:
            found = self._swept() if is_sweep else None
        self._tasks.finish()
        if found is not None:
            return found
        only = self._assembly.results.get(0)
        if only is None:
            raise self._error(self._plan.points[0].key)
        return only

    def _searched(self) -> list[Planned]:
        """Points that halve the brackets in which curves saturate; none when all are narrow."""
        points, rows = self.scenario.points, self._assembly.rows
        if points.searched is None or self._assembly.is_interrupted:
            return []
        found = []
        for curve in list(points.curves()):
            marks = {load: rows[at]["saturated"] for load, at in curve.items()
                     if rows.get(at, {}).get("saturated") is not None}  # fmt: skip
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
        self._tasks.look(planned.keys)
        return planned

    def _sort_out(self, points: list[Planned]) -> None:
        """What is there from earlier, and which points wait for which tasks."""
        for planned in points:
            missing = [key for key in planned.keys if key not in self._tasks]
            for key in missing:
                self._waiting.setdefault(key, []).append(planned)
            if not missing:
                self._assembly.make(planned)

    def _swept(self) -> Sweep:
        sweep = self._assembly.sweep()
        sweep.failures = {
            self._plan.label(key): failure.sentence for key, failure in self._failures.items()
        }
        sweep.has_faults = any(failure.is_fault for failure in self._failures.values())
        return sweep

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
        return planned.key not in self._failures and planned not in self._assembly

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
        self._assembly.is_interrupted = True

    def returned(
        self, key: str, found: Done | Failure | Place, seconds: float | None = None
    ) -> None:
        """A task has ended: keep it, and make results of what is whole now."""
        label = self._plan.label(key)
        if isinstance(found, Failure):
            self._failures[key] = found
            is_only_run = not self.scenario.sweep and key == self._plan.points[0].key
            if not is_only_run:  # its error says it
                self._observer.failed(label, found.sentence)
        else:
            if seconds is not None and isinstance(self._observer, Timed):
                self._observer.took(label, seconds)
            self._observer.finished(label)
            self._tasks.put(key, found)
        for planned in self._waiting.pop(key, []):
            is_whole = all(one in self._tasks or one in self._failures for one in planned.keys)
            is_over = is_whole or (key == planned.key and _stop_of(found) == "stalled")
            if is_over and planned not in self._assembly:
                self._assembly.make(planned)
        self._tasks.settle(key)


def _complete(found: Result | Sweep, kept: Archive) -> None:
    """Let complete results take the place of those that they replace."""
    before = kept.directory
    kept.complete()
    after = kept.directory
    if before is None or after is None or before == after:
        return
    found.directory = after
    if isinstance(found, Sweep):
        found.runs = runs_in(after, found.index)
    else:
        results.release(found, after)


def _stop_of(found: Done | Failure | Place) -> str:
    """How a task ended; empty if it failed."""
    match found:
        case Done():
            return found.stop
        case Place():
            return found.note
        case _:
            return ""
