"""Runs of studies: which are missing, what they cost, in which order, and what is kept of them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from odonata.campaign.conduct import SILENT, Observer
from odonata.campaign.executors.choice import Options
from odonata.campaign.forecast.forecast import forecast
from odonata.campaign.task import Done, Failure, Task
from odonata.campaign.work import INTERRUPTED
from odonata.core.errors import Error
from odonata.core.native import ConfigurationError
from odonata.results.run import Result, Unpacked
from odonata.results.store.log import Log, Place
from odonata.scenario.inputs import Inputs
from odonata.studies.claims import Claim, StudyError
from odonata.studies.expression import Reading
from odonata.studies.index import StudyIndex
from odonata.studies.records import Record, Records, short, this_engine
from odonata.studies.sources import RunTables, Sources, Target
from odonata.studies.verdicts import checked

_ALL_TRIALS_S, _TRIAL_S, _SHORTEST_TRIAL_S = 20.0, 1.0, 0.05
"""CPU seconds of all trials, and of one at most and at least; an error of a forecast only moves the
order."""

_SHORT_S = 5.0
"""CPU seconds of a run that may begin in this process: a longer one would keep other cores idle."""


@dataclass(frozen=True, slots=True)
class Needed:
    """A number that a claim needs of a run.

    Parameters
    ----------
    target : Target
        The run.
    reading : Reading
        The number.
    records : Records
        Where it is kept.
    """

    target: Target
    reading: Reading
    records: Records


@dataclass(slots=True)
class Wanted:
    """A run that claims need: one simulation, whatever labels it has.

    Parameters
    ----------
    target : Target
        The run under its first label.
    kept : dict
        What is kept of it, by where and by the fingerprint of the scenario: what is alone beside
        different absent jobs is one simulation of several scenarios.
    claims : list of str
        Ids that need it.
    cost_s : float
        What it is expected to take, seconds of one core; NaN if nobody can know.
    """

    target: Target
    kept: dict[tuple[Records, str], list[Needed]] = field(default_factory=dict)
    claims: list[str] = field(default_factory=list)
    cost_s: float = math.nan


class StudyRuns:
    """Runs that are missing for chosen claims.

    Parameters
    ----------
    index : StudyIndex
        All studies: a run serves every claim that reads it, chosen or not.
    chosen : iterable of Claim
        What should get a verdict.
    stale : bool
        Whether runs of another model are made again.
    again : bool
        Whether all runs are made again.
    sources : mapping, optional
        Where readings of each study find their numbers, if not in its folder: once for each draw of
        its unknown inputs.

    Raises
    ------
    StudyError
        A row cannot be understood.
    """

    def __init__(
        self, index: StudyIndex, chosen: Iterable[Claim], *, stale: bool = False,
        again: bool = False, sources: Mapping[str, Sequence[Sources]] | None = None,
    ) -> None:  # fmt: skip
        inputs = Inputs()
        self._sources = sources or {
            name: [Sources(study.folder, inputs)] for name, study in index.studies.items()
        }
        every = (one for draws in self._sources.values() for one in draws)
        self._inputs = next((one.inputs for one in every), inputs)
        self._is_stale, self._is_again = stale, again
        self.wanted: dict[str, Wanted] = {}
        found = {claim.id: self._readings_of(claim, index) for claim in chosen}
        self._needs = {
            (draw, name): self._missing_readings(needed)
            for name, draws in found.items() for draw, needed in enumerate(draws)
        }  # fmt: skip
        if not self.wanted:
            return
        # Only now is known what is run: a run that one claim lacks a number of, and is made again
        # by another engine, has to give those of all others once more, chosen or not.
        for claim in index.readers.values():
            for needed in found.get(claim.id) or self._readings_of(claim, index):
                for one in needed:
                    if one.target.key in self.wanted:
                        self._note_reading(one, claim.id)

    def _readings_of(self, claim: Claim, index: StudyIndex) -> list[list[Needed]]:
        """What a claim reads of runs, draw by draw."""
        asked = None if claim.cannot else checked(claim)
        if asked is None:
            return []
        try:
            return [
                [
                    Needed(target, read, sources.records)
                    for reading in asked.readings
                    for target, read in sources.needed(reading, claim.folder)
                ]
                for sources in self._sources.get(index.study_of(claim).name, ())
            ]
        except Error as error:
            raise claim.error("quantity", str(error)) from None

    def _missing_readings(self, needed: Iterable[Needed]) -> list[str]:
        """Runs that lack a number, each once."""
        missing: dict[str, None] = {}
        for one in needed:
            if self._is_missing(one):
                self.wanted.setdefault(one.target.key, Wanted(one.target))
                missing[one.target.key] = None
        return list(missing)

    def _is_missing(self, one: Needed) -> bool:
        record = one.records.of(one.target.scenario_hash)
        if record is None or self._is_again or (self._is_stale and not record.is_of_this_model):
            return True
        return one.reading.what not in one.records.values.get(record.run, {})

    def _note_reading(self, one: Needed, claim: str) -> None:
        wanted = self.wanted[one.target.key]
        kept = wanted.kept.setdefault((one.records, one.target.scenario_hash), [])
        if all(one.reading != other.reading for other in kept):
            kept.append(one)
        if claim not in wanted.claims:
            wanted.claims.append(claim)

    def forecast(self) -> None:
        """Find out what every run costs: as last time, or from a trial of one like it.

        Runs of a scenario that differ in routing, placement or seed only share a trial, and so do
        draws of a run: one of them is tried, of each run another one.

        Raises
        ------
        ScenarioError
            One cannot be run.
        """
        kinds: dict[str, list[Wanted]] = {}
        for wanted in self.wanted.values():
            before = [records.of(scenario_hash) for records, scenario_hash in wanted.kept]
            known = [one.cpu_s for one in before if one is not None]
            if known:
                wanted.cost_s = known[0]
            else:
                kinds.setdefault(_kind(wanted.target), []).append(wanted)
        most_s = min(_TRIAL_S, max(_SHORTEST_TRIAL_S, _ALL_TRIALS_S / max(1, len(kinds))))
        for number, alike in enumerate(kinds.values()):
            cost_s = self._tried(alike[number % len(alike)].target, most_s)
            for wanted in alike:
                wanted.cost_s = cost_s

    def _tried(self, target: Target, most_s: float) -> float:
        """CPU seconds that a run will take, NaN if nobody can know."""
        point = target.plan.point(target.key)
        try:
            found = forecast(self._inputs.of(point), trial_s=most_s / 5, most_s=most_s)
        except ConfigurationError as error:
            raise point.error(error.path, error.sentence) from None
        return math.nan if found.cpu_s is None else found.cpu_s

    def ordered(self, budget_s: float = math.inf) -> list[Wanted]:
        """Runs in the order in which they give verdicts soonest, as far as a budget goes.

        Draws follow each other, so that a budget ends with as many whole ones as it can pay.

        Parameters
        ----------
        budget_s : float
            Seconds of one core. What nobody can forecast comes last, if there is no budget.
        """
        left, order, spent = dict(self._needs), dict[str, None](), 0.0
        while left:
            costs = {claim: self._cost(keys, order) for claim, keys in left.items()}
            claim = min(costs, key=lambda one: (one[0], math.isnan(costs[one]), costs[one]))
            keys = left.pop(claim)
            if math.isfinite(budget_s) and not spent + costs[claim] <= budget_s:
                continue
            spent += 0.0 if math.isnan(costs[claim]) else costs[claim]
            order |= dict.fromkeys(keys)
        return [self.wanted[key] for key in order]

    def _cost(self, keys: Sequence[str], taken: Mapping[str, None]) -> float:
        return sum(self.wanted[key].cost_s for key in keys if key not in taken)

    def carry_out(
        self, order: Sequence[Wanted], *, options: Options, observer: Observer = SILENT,
        budget_s: float = math.inf,
    ) -> Tally:  # fmt: skip
        """Make runs; what is read from each is stored as soon as it has ended.

        Parameters
        ----------
        order : sequence of Wanted
            Which, in which order.
        options : Options
            Who carries them out.
        observer : Observer
            Is told how it goes.
        budget_s : float
            No run begins that would end later than so many seconds from now, as far as is known.
        """
        work = _Work(self, order, observer, budget_s)
        observer.planned(len(order))
        # A trial that could not tell what a run costs took seconds itself: not a number is long.
        is_long = any(not wanted.cost_s <= _SHORT_S for wanted in order)
        options.choose([wanted.target.key for wanted in order], is_long=is_long).run(work)
        return work.tally


def _kind(target: Target) -> str:
    """What runs have in common that cost about the same."""
    if target.drawn_from:
        return target.drawn_from
    jobs = target.plan.point(target.key).config["jobs"]
    work = [[job["workload"], bool(job.get("muted"))] for job in jobs]
    return json.dumps([id(target.plan), work], sort_keys=True)


@dataclass(slots=True)
class Tally:
    """What became of runs.

    Parameters
    ----------
    made : list of str
        Labels of those that were made.
    failed : dict
        Why a run has no result, or a reading of it no number, by label.
    is_interrupted : bool
        Whether the user has stopped them.
    """

    made: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    is_interrupted: bool = False


class _Work:
    """Missing runs, for an executor."""

    log: Log | None = None

    def __init__(
        self, runs: StudyRuns, order: Sequence[Wanted], observer: Observer, budget_s: float
    ) -> None:
        self._runs = runs
        self._order = {wanted.target.key: wanted for wanted in order}
        self._observer = observer
        self._end = time.monotonic() + budget_s
        self.tally = Tally()

    @property
    def inputs(self) -> Inputs:
        return self._runs._inputs  # noqa: SLF001 - of the same file

    def wanted(self) -> Iterator[str]:
        for key, wanted in self._order.items():
            cost = 0.0 if math.isnan(wanted.cost_s) else wanted.cost_s
            if time.monotonic() + cost <= self._end:
                yield key

    def task(self, key: str, *, is_here: bool) -> Task:
        return self._order[key].target.plan.task(key, is_here=is_here)

    def _label(self, key: str) -> str:
        return self._order[key].target.label

    def started(self, key: str) -> None:
        self._observer.started(self._label(key))

    def progress(self, key: str, simulated_ps: int, packets: int, fraction: float) -> None:
        self._observer.progress(self._label(key), simulated_ps, packets, fraction)

    def note(self, text: str) -> None:
        self._observer.note(text)

    def interrupted(self) -> None:
        self.tally.is_interrupted = True

    def returned(
        self, key: str, found: Done | Failure | Place, seconds: float | None = None
    ) -> None:
        del seconds
        label = self._label(key)
        if isinstance(found, Failure):
            self.tally.failed[label] = found.sentence
            self._observer.failed(label, found.sentence)
            return
        assert isinstance(found, Done)  # noqa: S101 - there is no log
        if found.stop == INTERRUPTED:
            return
        self._keep(self._order[key], found)
        self.tally.made.append(label)
        self._observer.finished(label)

    def _keep(self, wanted: Wanted, done: Done) -> None:
        """Store what claims read, once for each place and scenario, under its first label there."""
        resolved = wanted.target.plan.point(wanted.target.key).resolved
        result = Result(done.summary, resolved, source=Unpacked(done.packed))
        for (records, scenario_hash), kept in wanted.kept.items():
            before = records.of(scenario_hash)
            name = kept[0].target.label if before is None else before.run
            readings = [one.reading for one in kept]
            record = replace(
                _record(name, wanted.target.key, done), scenario_hash=short(scenario_hash)
            )
            records.store(record, self._values(name, readings, result))

    def _values(self, name: str, readings: list[Reading], result: Result) -> dict[str, float]:
        values, tables = {}, RunTables(result)
        for reading in readings:
            try:
                values[reading.what] = tables.value(reading)
            except StudyError as error:
                self.tally.failed[name] = f"{reading.what}: {error}"
                self._observer.failed(name, self.tally.failed[name])
        return values


def _record(label: str, key: str, done: Done) -> Record:
    engine = done.summary["engine"]
    return Record(
        run=label, scenario_hash=short(done.summary["scenario_hash"]), run_hash=short(key),
        engine=this_engine(), seed=int(done.summary["seed"]), stop=done.stop,
        wall_s=float(engine["wall_s"]), cpu_s=float(engine["cpu_s"]),
        packet_hops=int(engine.get("packet_hops", 0)),
    )  # fmt: skip
