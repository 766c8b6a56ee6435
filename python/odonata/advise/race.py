"""Which of several candidates is best, seed by seed: those that cannot be are dropped on the way.

Kim and Nelson, "A fully sequential procedure for indifference-zone selection in simulation", ACM
TOMACS 11(3), 2001, with c = 1. Every candidate sees the same seeds, so that what counts is the
spread of differences. Conditions are decided beside the comparison, as in Andradóttir and Kim,
"Fully sequential procedures for comparing constrained systems via simulation", Naval Research
Logistics 57(5), 2010: a candidate drops others only when it is known to keep its conditions.

With two objectives a candidate is dropped when another one beats it in both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = "npt.NDArray[np.float64]"

Fate = Literal["beaten", "condition", "failed", "in the race"]
"""What became of a candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a race is about.

    Parameters
    ----------
    difference : float
        Difference of mean values that does not matter, above 0.
    error : float
        Probability with which the answer may be wrong.
    first : int
        Seeds after which spreads are estimated and the first candidate may be dropped.
    most : int
        Seeds after which the race ends in any case.
    """

    difference: float
    error: float
    first: int
    most: int


def eta(first: int, error: float) -> float:
    """The constant of the continuation region.

    Parameters
    ----------
    first : int
        Seeds from which spreads are estimated, at least 2.
    error : float
        Probability with which one comparison may be decided wrongly, below 1/2.

    Examples
    --------
    >>> round(eta(10, 0.05 / 4), 3)
    0.635
    """
    return 0.5 * (math.pow(2.0 * error, -2.0 / (first - 1)) - 1.0)


@dataclass(slots=True)
class Standing:
    """One candidate.

    Attributes
    ----------
    fate : Fate
        What became of it.
    seeds : int
        Seeds that it has run with when that was decided.
    by : int
        Who beat it, or which condition it breaks; -1: nobody.
    keeps : set of int
        Conditions that it is known to keep.
    """

    fate: Fate = "in the race"
    seeds: int = 0
    by: int = -1
    keeps: set[int] = field(default_factory=set)


class Race:
    """A race of candidates; larger values are better.

    Parameters
    ----------
    candidates : int
        How many.
    rules : Rules
        When one is dropped.
    objectives : int
        Values that count, of each candidate and seed.
    conditions : int
        Further values, each of which should be at most 0 on average.

    Examples
    --------
    >>> race = Race(2, Rules(difference=0.1, error=0.05, first=3, most=9))
    >>> for seed in range(3):
    ...     race.step({0: [0.01 * seed], 1: [1.0]})
    >>> race.is_over, race.survivors, race.standings[0].by
    (True, [1], 1)
    """

    def __init__(
        self, candidates: int, rules: Rules, *, objectives: int = 1, conditions: int = 0
    ) -> None:
        self.rules = rules
        self.standings = [Standing() for _ in range(candidates)]
        self.seeds = 0
        self._objectives = objectives
        self._conditions = conditions
        # One row for each seed; of a candidate that is out, NaN.
        self._values: list[Floats] = []
        self._limits: list[Floats] = []
        self._sums = np.zeros((candidates, objectives))
        self._limit_sums = np.zeros((candidates, conditions))
        self._spread: Floats | None = None
        self._limit_spread: Floats | None = None
        share = 0.5 * rules.error if conditions else rules.error
        pairs = share / max(candidates - 1, 1)
        self._h2 = 2.0 * eta(rules.first, min(pairs, 0.499)) * (rules.first - 1)
        single = share / max(candidates * conditions, 1)
        self._limit_h2 = 2.0 * eta(rules.first, min(single, 0.499)) * (rules.first - 1)

    @property
    def survivors(self) -> list[int]:
        """Candidates that are still in the race."""
        return [at for at, one in enumerate(self.standings) if one.fate == "in the race"]

    @property
    def is_over(self) -> bool:
        """Whether no more seeds are needed."""
        left = self.survivors
        if not left or self.seeds >= self.rules.most:
            return True
        if self.seeds < self.rules.first:
            return False
        is_settled = all(self._keeps(one) for one in left)
        return is_settled and (len(left) == 1 or self.seeds > self.needed)

    @property
    def is_decided(self) -> bool:
        """Whether it is over because the answer is known, not for want of seeds."""
        left = self.survivors
        if not self.is_over or not left:
            return False
        return all(self._keeps(one) for one in left) and (
            len(left) == 1 or self.seeds > self.needed
        )

    @property
    def needed(self) -> float:
        """Seeds after which the means of those that are left decide."""
        if self._spread is None:
            return math.inf
        left = self.survivors
        spread = self._spread[:, left][:, :, left]
        return float(np.floor(self._h2 * spread.max(initial=0.0) / self.rules.difference**2))

    @property
    def values(self) -> Floats:
        """Objectives by seed, candidate and objective; NaN where a candidate was out."""
        shape = (len(self._values), len(self.standings), self._objectives)
        return np.asarray(self._values, dtype=np.float64).reshape(shape)

    def step(
        self,
        values: Mapping[int, Sequence[float]],
        limits: Mapping[int, Sequence[float]] | None = None,
    ) -> None:
        """Take in one more seed.

        Parameters
        ----------
        values : mapping
            Objectives of every candidate that is in the race.
        limits : mapping, optional
            Values of its conditions.
        """
        self._values.append(self._row(values, self._objectives))
        self._sums += self._values[-1]
        self._limits.append(self._row(limits or {}, self._conditions))
        self._limit_sums += self._limits[-1]
        self.seeds += 1
        for one in self.survivors:
            self.standings[one].seeds = self.seeds
        if self.seeds < self.rules.first:
            return
        if self.seeds == self.rules.first:
            self._estimate()
        self._look_at_conditions()
        self._look_at_pairs()

    def withdraw(self, candidate: int) -> None:
        """A candidate has no value for the next seed."""
        self.standings[candidate].fate = "failed"

    def _row(self, given: Mapping[int, Sequence[float]], width: int) -> Floats:
        row = np.full((len(self.standings), width), np.nan)
        for candidate, values in given.items():
            row[candidate] = values
        return row

    def _estimate(self) -> None:
        """Variances of the differences over the first seeds; they are not estimated again."""
        values = self.values
        gaps = values[:, :, None, :] - values[:, None, :, :]
        self._spread = np.nan_to_num(gaps.var(axis=0, ddof=1).transpose(2, 0, 1))
        if self._conditions:
            self._limit_spread = np.nan_to_num(np.asarray(self._limits).var(axis=0, ddof=1))

    def _margin(self, h2: float, spread: Floats) -> Floats:
        """By how much a mean must differ after these seeds to be told apart: W of the paper."""
        rules = self.rules
        reach = h2 * spread / rules.difference**2 - self.seeds
        return np.maximum(0.0, rules.difference / (2.0 * self.seeds) * reach)

    def _keeps(self, candidate: int) -> bool:
        return len(self.standings[candidate].keeps) == self._conditions

    def _look_at_conditions(self) -> None:
        if not self._conditions:
            return
        assert self._limit_spread is not None  # noqa: S101 - made from the first seeds
        means = self._limit_sums / self.seeds
        margins = self._margin(self._limit_h2, self._limit_spread)
        for one in self.survivors:
            standing = self.standings[one]
            for number in range(self._conditions):
                if number in standing.keeps or standing.fate != "in the race":
                    continue
                if means[one, number] <= -margins[one, number]:
                    standing.keeps.add(number)
                elif means[one, number] >= margins[one, number]:
                    standing.fate, standing.by = "condition", number

    def _look_at_pairs(self) -> None:
        assert self._spread is not None  # noqa: S101 - made from the first seeds
        left = self.survivors
        means = self._sums / self.seeds
        margins = self._margin(self._h2, self._spread)
        judges = [one for one in left if self._keeps(one)]
        for one in left:
            for other in judges:
                if other != one and self._beats(means[other] - means[one], margins[:, one, other]):
                    self.standings[one].fate, self.standings[one].by = "beaten", other
                    break

    @staticmethod
    def _beats(gaps: Floats, margins: Floats) -> bool:
        """Whether gaps of means are beyond their margins, in every objective."""
        return bool((gaps > margins).all())
