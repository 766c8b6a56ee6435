"""A race being run: which runs it needs next, what they say, and when it ends.

Runs are those of a campaign: they are kept in a store as soon as they have ended, go side by side,
and are not made again. Decisions follow from values alone, seed by seed, so that they depend
neither on how many runs go at a time nor on what was there from earlier.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from odonata.advise.objective import NoValueError, score, value_of
from odonata.advise.question import Question
from odonata.advise.race import Race, Rules
from odonata.campaign.conduct import SILENT, Campaign, Observer
from odonata.campaign.executors.choice import Options
from odonata.campaign.forecast.expected import Expected, expected
from odonata.campaign.plan import Plan
from odonata.campaign.rows import interrupted
from odonata.campaign.work import cores
from odonata.core.errors import InternalError, RunError, ScenarioError
from odonata.results import Result, Sweep
from odonata.scenario import before
from odonata.scenario.advice import COMM_TIME, Wish
from odonata.scenario.candidates import Candidate, run_name
from odonata.scenario.inputs import Inputs

_AHEAD = 2
"""Runs of each worker that are asked for at a time."""


class StoppedError(Exception):
    """The user has stopped it; what has ended is kept."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run says.

    Parameters
    ----------
    scores : tuple of float
        Of the objectives, more is better.
    kept : tuple of float
        The same of the conditions.
    jobs : dict
        Logarithm of the time of every job, as far as it has one.
    wall_s : float
        What it took, isolated runs included.
    """

    scores: tuple[float, ...]
    kept: tuple[float, ...]
    jobs: Mapping[str, float]
    wall_s: float


@dataclass(slots=True)
class Contest:
    """The race of the candidates of a question.

    Parameters
    ----------
    question : Question
        What is asked.
    options : Options
        Who carries runs out, and where they are kept.
    observer : Observer
        Is told how runs go.
    tell : callable
        Is told who drops out, in sentences.
    """

    question: Question
    options: Options = field(default_factory=Options)
    observer: Observer = SILENT
    tell: Callable[[str], None] = lambda _: None
    runners: list[Candidate] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    seen: dict[tuple[int, int], Seen] = field(default_factory=dict)
    ended: str = ""
    """Why the race ended: `decided`, `seeds`, `budget` or `none left`."""
    _end: float = math.inf
    _race: Race | None = None
    _campaign: Campaign | None = None

    @property
    def race(self) -> Race:
        """The comparison of :attr:`runners`, by their places."""
        assert self._race is not None  # noqa: S101 - admit() comes first
        return self._race

    def admit(self) -> None:
        """Look at every candidate: those that the dependency check or memory refuses drop out.

        Raises
        ------
        ScenarioError
            The base case cannot be run.
        """
        every = self.question.candidates
        self.refused = dict(every.refused)
        for candidate in every.every:
            try:
                before.check(candidate.point, note=self.observer.note)
            except ScenarioError as error:
                if candidate.number == 0:
                    raise
                self.refused[candidate.label] = str(error)
            else:
                self.runners.append(candidate)
        advice = self.question.advice
        rules = Rules(difference=math.log1p(advice.difference), error=advice.error,
                      first=advice.first, most=advice.most)  # fmt: skip
        self._race = Race(len(self.runners), rules, objectives=len(self.question.objectives),
                          conditions=len(self.question.conditions))  # fmt: skip

    def forecast(self) -> Expected:
        """What one seed of every candidate will cost, from trials.

        Raises
        ------
        ScenarioError
            One cannot be run.
        """
        scenario = self.question.candidates.scenario({one.number: [0] for one in self.runners})
        inputs = Inputs()
        plan = Plan(scenario, inputs, baseline=self.question.needs_baseline)
        return expected(plan, inputs)

    def whole(self, seed_s: float) -> tuple[float, float]:
        """Wall time of the whole race, at least and at most, where a seed of all takes so long.

        Every candidate runs with the first seeds, the survivors with up to the most; the winner
        and the base case run with fresh seeds and once with blame.
        """
        advice, runners = self.question.advice, max(len(self.runners), 1)
        last = min(2, runners) * (advice.first + 1) * seed_s / runners
        return advice.first * seed_s + last, advice.most * seed_s + last

    def run(self, budget_s: float = math.inf) -> None:
        """Make runs until the race is over.

        Parameters
        ----------
        budget_s : float
            No runs begin that would end later than so many seconds from now, as far as is known.

        Raises
        ------
        StoppedError
            The user has stopped it.
        """
        self._end = time.monotonic() + budget_s
        race, advice = self.race, self.question.advice
        while not race.is_over:
            left = race.survivors
            count = advice.first if not race.seeds else min(self._batch(len(left)),
                                                            advice.most - race.seeds)  # fmt: skip
            seeds = range(race.seeds, race.seeds + count)
            if not self._has_time(left, seeds):
                self.ended = "budget"
                return
            self._make(self._wanted(left), seeds)
            for seed in seeds:
                if not race.is_over:
                    self._step(seed)
        self.ended = "decided" if race.is_decided else "seeds" if race.survivors else "none left"

    def again(self, places: Sequence[int]) -> range:
        """Run candidates with seeds that had no part in any decision.

        Parameters
        ----------
        places : sequence of int
            Of the candidates among :attr:`runners`.

        Returns
        -------
        range
            The seeds; empty where there is no time left.
        """
        start = self.race.seeds
        seeds = range(start, start + self.question.advice.first)
        if not self._has_time(places, seeds):
            return range(0)
        self._make(places, seeds)
        return seeds

    def _batch(self, left: int) -> int:
        """Seeds that are run at a time; how many changes no decision."""
        return max(1, -(-_AHEAD * (self.options.workers or cores()) // left))

    def _wanted(self, left: Sequence[int]) -> list[int]:
        """Who must run: those in the race, and the base case as long as conditions are open."""
        race = self.race
        is_open = any(len(race.standings[one].keeps) < len(self.question.conditions)
                      for one in left)  # fmt: skip
        return sorted({*left, 0}) if is_open else list(left)

    def _has_time(self, places: Sequence[int], seeds: range) -> bool:
        if self._end == math.inf:
            return True
        known = {place: [one.wall_s for (at, _), one in self.seen.items() if at == place]
                 for place in places}  # fmt: skip
        missing = [place for place in places for seed in seeds if (place, seed) not in self.seen]
        expected_s = sum(sum(known[place]) / max(len(known[place]), 1) for place in missing)
        workers = self.options.workers or cores()
        return time.monotonic() + expected_s / workers <= self._end

    def _make(self, places: Sequence[int], seeds: range) -> None:
        """Run candidates with seeds, as far as that is not done, and look at the results."""
        wanted = {place: [seed for seed in seeds if (place, seed) not in self.seen]
                  for place in places}  # fmt: skip
        chosen = {self.runners[place].number: some for place, some in wanted.items() if some}
        if not chosen:
            return
        found = self._carried_out(chosen)
        for place, some in wanted.items():
            for seed in some:
                self._look(place, seed, found)

    def _carried_out(self, chosen: Mapping[int, Sequence[int]]) -> Sweep:
        scenario = self.question.candidates.scenario(chosen)
        if self._campaign is None:
            self._campaign = Campaign(scenario, _NotOfKept(self.observer), self.options,
                                      baseline=self.question.needs_baseline)  # fmt: skip
        self._campaign.scenario = scenario
        found = self._campaign.run(None, overwrite=False)
        assert isinstance(found, Sweep)  # noqa: S101 - of several runs
        if found.has_faults:
            label, sentence = next(iter(found.failures.items()))
            raise InternalError(f"{label}: {sentence}")
        return found

    def _look(self, place: int, seed: int, found: Sweep) -> None:
        name = run_name(self.runners[place], seed)
        failed = [text for label, text in found.failures.items() if label.startswith(name)]
        result = found.runs.get(name)
        if failed:
            self._fail(place, failed[0])
        elif result is None or interrupted(result):
            raise StoppedError
        else:
            try:
                self.seen[place, seed] = self._read(result)
            except NoValueError as error:
                self._fail(place, f"with seed {result.summary['seed']} {error}.")

    def _fail(self, place: int, why: str) -> None:
        if place == 0:
            raise RunError(f"the base case cannot be compared: {why}")
        self.refused.setdefault(self.runners[place].label, why)

    def _read(self, result: Result) -> Seen:
        jobs = {}
        for name in result.jobs:
            wish = Wish(quantity=COMM_TIME, job=name)
            try:
                jobs[name] = -score(wish, value_of(wish, result))
            except NoValueError:
                continue
        runs = [result, *result.baselines.values()]
        return Seen(
            tuple(score(one, value_of(one, result)) for one in self.question.objectives),
            tuple(score(one, value_of(one, result)) for one in self.question.conditions),
            jobs, sum(float((one.summary.get("engine") or {}).get("wall_s", 0.0)) for one in runs),
        )  # fmt: skip

    def _step(self, seed: int) -> None:
        """Take a seed into the race."""
        race = self.race
        for place in race.survivors:
            if (place, seed) not in self.seen:
                race.withdraw(place)
        values = {place: self.seen[place, seed].scores for place in race.survivors}
        limits = {}
        if self.question.conditions and (0, seed) in self.seen:
            base = np.asarray(self.seen[0, seed].kept)
            room = [math.log1p(one.worse_by_at_most or 0.0) for one in self.question.conditions]
            limits = {place: (base - self.seen[place, seed].kept - room).tolist()
                      for place in race.survivors}  # fmt: skip
        before = set(race.survivors)
        race.step(values, limits)
        gone = [self.runners[place].label for place in sorted(before - set(race.survivors))]
        if gone:
            left = len(race.survivors)
            self.tell(f"{race.seeds} seeds: {left} left; {', '.join(gone)} dropped out")


class _NotOfKept:
    """An observer that is not told of every run that is there from earlier: of a race, hundreds."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.planned = observer.planned
        self.started = observer.started
        self.progress = observer.progress
        self.finished = observer.finished
        self.failed = observer.failed
        self.note = observer.note

    def kept(self, label: str) -> None:
        """Nothing is said."""
