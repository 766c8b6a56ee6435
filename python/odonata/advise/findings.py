"""What a race says: who won, by how much, what that rests on, and what common seeds saved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odonata.advise.conduct import Contest
from odonata.analysis.pairs import FEWEST_PAIRS, slowdown_interval
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.scenario.advice import HIGHEST, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One candidate.

    Parameters
    ----------
    place : int
        Among the runners; 0 is the base case.
    label : str
        What it is.
    fate : str
        Its outcome.
    seeds : int
        Seeds with which it has been compared.
    values : tuple of float
        Typical value of each objective: its geometric mean over seeds.
    ratios : tuple of Interval
        Of the objectives over those of the base case, on the seeds that both have; without an
        interval (low and high NaN) where these are too few.
    others : float
        What the jobs whose objective it is not pay: geometric mean of their times over those in the
        base case; NaN where there are none.
    is_left : bool
        Whether it was never dropped.
    """

    place: int
    label: str
    fate: str
    seeds: int
    values: tuple[float, ...]
    ratios: tuple[Interval, ...]
    others: float
    is_left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a race says.

    Parameters
    ----------
    rows : list of Row
        The candidates that have run.
    best : int
        Place of the winner; -1: there is none, or several objectives.
    gain : Interval or None
        Objective of the winner over that of the base case, on fresh seeds.
    fresh : int
        Fresh seeds.
    saved : float or None
        How many times less differences vary with common seeds than they would with seeds of their
        own.
    runs : int
        Points that were run, each with its isolated runs.
    """

    rows: list[Row]
    best: int
    gain: Interval | None
    fresh: int
    saved: float | None
    runs: int

    @property
    def left(self) -> list[Row]:
        """Candidates that were never dropped."""
        return [row for row in self.rows if row.is_left]

    @property
    def winner(self) -> Row | None:
        """The best one."""
        return next((row for row in self.rows if row.place == self.best), None)


def best_of(contest: Contest) -> int:
    """Place of the survivor with the best mean; of equal ones the first, so that nothing changes.

    Two objectives have no best one: -1.
    """
    left = contest.race.survivors
    if not left or not contest.race.seeds or len(contest.question.objectives) > 1:
        return -1
    means = contest.race.values[:, left, 0].mean(axis=0)
    return left[int(np.argmax(means))]


def found(contest: Contest, best: int, fresh: range) -> Findings:
    """Put together what a race says.

    Parameters
    ----------
    contest : Contest
        After its end.
    best : int
        Of :func:`best_of`.
    fresh : range
        Seeds with which winner and base case were run again.
    """
    left = contest.race.survivors
    # Intervals of those that are left hold together (Bonferroni); those of the others one by one.
    several = max(1, (len(left) - (0 in left)) * len(contest.question.objectives))
    rows = [
        _row(contest, place, 1.0 - (1.0 - LEVEL) / several if place in left else LEVEL)
        for place in range(len(contest.runners))
    ]
    gain = None
    if best > 0 and fresh:
        gain = _ratio(contest, best, 0, fresh, LEVEL)
    return Findings(rows=rows, best=best, gain=gain, fresh=len(fresh), saved=_saved(contest),
                    runs=len(contest.seen))  # fmt: skip


def _row(contest: Contest, place: int, level: float) -> Row:
    standing = contest.race.standings[place]
    seeds = range(standing.seeds)
    have = [contest.seen[place, seed] for seed in seeds if (place, seed) in contest.seen]
    wishes = contest.question.objectives
    values = tuple(
        math.exp(_sign(wish) * float(np.mean([one.scores[number] for one in have])))
        if have else math.nan
        for number, wish in enumerate(wishes)
    )  # fmt: skip
    ratios = tuple(
        _ratio(contest, place, number, seeds, level) for number in range(len(wishes))
    )  # fmt: skip
    return Row(
        place=place, label=contest.runners[place].label, fate=_fate(contest, place),
        seeds=standing.seeds, values=values, ratios=ratios,
        others=_others(contest, place, seeds), is_left=standing.fate == "in the race",
    )  # fmt: skip


def _sign(wish: Wish) -> float:
    return 1.0 if wish.direction == HIGHEST else -1.0


def _ratio(
    contest: Contest, place: int, number: int, seeds: Sequence[int], level: float
) -> Interval:
    """An objective of a candidate over that of the base case."""
    sign = _sign(contest.question.objectives[number])
    both = [seed for seed in seeds if (place, seed) in contest.seen and (0, seed) in contest.seen]
    sides = [
        np.array([sign * contest.seen[one, seed].scores[number] for seed in both])
        for one in (place, 0)
    ]
    if place == 0 or not both:
        centre = 1.0 if both else math.nan
        return Interval(estimate=centre, low=centre, high=centre, level=level)
    logs = sides[0] - sides[1]
    if len(both) < FEWEST_PAIRS:
        return Interval(estimate=math.exp(float(logs.mean())), low=math.nan, high=math.nan,
                        level=level)  # fmt: skip
    return slowdown_interval(np.exp(logs), np.ones(len(logs)), level=level).ratio


def _fate(contest: Contest, place: int) -> str:
    standing = contest.race.standings[place]
    match standing.fate:
        case "beaten":
            return f"beaten by {contest.runners[standing.by].label}"
        case "condition":
            wish = contest.question.conditions[standing.by]
            share = 100.0 * (wish.worse_by_at_most or 0.0)
            return f"{wish.name} more than {share:g} % worse"
        case "failed":
            return "left out, see below"
        case _:
            return "in the race"


def _others(contest: Contest, place: int, seeds: Sequence[int]) -> float:
    """What the jobs pay whose objective it is not."""
    wishes = contest.question.objectives
    named = {wish.job for wish in wishes}
    jobs = contest.runners[0].point.config["jobs"]
    if None in named:
        named = {job["name"] for job in jobs if job["role"] == "victim"}
    logs = []
    for seed in seeds:
        one, base = contest.seen.get((place, seed)), contest.seen.get((0, seed))
        if one is None or base is None:
            continue
        logs += [one.jobs[name] - base.jobs[name] for name in one.jobs
                 if name in base.jobs and name not in named]  # fmt: skip
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def _saved(contest: Contest) -> float | None:
    """Variance of differences with seeds of their own over that with common ones, all pairs."""
    values = contest.race.values[: contest.question.advice.first, :, 0]
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or values.shape[1] < 2:
        return None
    own = values.var(axis=0, ddof=1)
    pairs = (values[:, :, None] - values[:, None, :]).var(axis=0, ddof=1)
    common = float(pairs.sum())
    # Each pair is there twice, in both sums.
    alone = float((own[:, None] + own[None, :]).sum() - 2.0 * own.sum())
    return alone / common if common > 1e-18 else None
