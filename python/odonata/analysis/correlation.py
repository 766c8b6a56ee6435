"""Counters against time: the table of Groves et al. 2017, with what it takes to believe it."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from odonata.analysis.dependence import checked
from odonata.analysis.frames import AnalysisError, require
from odonata.analysis.scores import Values

THRESHOLDS = (0.0, 0.90, 0.95)
"""Percentiles of the time above which iterations are looked at (Groves et al. 2017, Table I)."""

FEWEST = 10
"""Iterations below which a coefficient of determination says nothing."""

FOLDS = 5
"""Parts of the cross-validation: neighbouring iterations, so that time does not leak across."""

PERMUTATIONS = 1000
"""Orders of the times against which the best counter is held."""

BEST = "best of all"
"""Row for the counter that fits best, chosen anew in every training part."""


def r_squared(predictor: Values, target: Values) -> float:
    """Coefficient of determination of a straight line, fitted by least squares.

    Parameters
    ----------
    predictor, target : array_like
        Of equal length, at least 3.

    Returns
    -------
    float
        From 0 to 1; 0 if either does not vary.

    Examples
    --------
    >>> round(r_squared([1, 2, 3, 4], [2, 4, 6, 9]), 3)
    0.989
    """
    x, y = checked(predictor, "r squared", least=3), checked(target, "r squared", least=3)
    x, y = x - x.mean(), y - y.mean()
    power = float(x @ x) * float(y @ y)
    return min(float(x @ y) ** 2 / power, 1.0) if power > 0.0 else 0.0


def matrix(
    counters: pl.DataFrame, *, value: str = "rate_per_s"
) -> tuple[list[int], list[str], Values]:
    """Counters by iteration: the largest value over places and ranks, as Groves et al. take it.

    Parameters
    ----------
    counters : polars.DataFrame
        ``quantity``, ``iteration`` and the column of values.
    value : str
        That column.

    Returns
    -------
    tuple of list of int, list of str and numpy.ndarray
        Iterations, names of counters, and values of shape (iterations, counters). Iterations in
        which a counter is missing are left out, and counters that do not vary.
    """
    require(counters, ("quantity", "iteration", value), "counters by iteration")
    wide = (
        counters.group_by("iteration", "quantity")
        .agg(pl.col(value).max())
        .pivot(on="quantity", index="iteration", values=value)
        .drop_nulls()
        .sort("iteration")
    )
    names = sorted(name for name in wide.columns if name != "iteration")
    names = [name for name in names if len(wide) and wide[name].n_unique() > 1]
    return wide["iteration"].to_list(), names, wide.select(names).to_numpy().astype(np.float64)


def table(
    times: Values,
    names: list[str],
    counters: Values,
    *,
    rng: np.random.Generator,
    thresholds: tuple[float, ...] = THRESHOLDS,
    permutations: int = PERMUTATIONS,
) -> pl.DataFrame:
    """How much of the time each counter explains, over all iterations and over slow ones.

    Parameters
    ----------
    times : array_like
        Time of each iteration (its slowest rank), in the order of measuring.
    names : list of str
        Counters.
    counters : numpy.ndarray
        Shape (iterations, counters), by interval (:func:`odonata.analysis.rates`).
    rng : numpy.random.Generator
        Where permutations come from.
    thresholds : tuple of float
        Percentiles of the time above which iterations are looked at.
    permutations : int
        Orders that are tried.

    Returns
    -------
    polars.DataFrame
        A row per threshold and counter, then one for the best counter: ``above``,
        ``counter``, ``iterations``, ``r_squared``; ``p_value`` of the permutation test,
        ``p_adjusted`` for having looked at all counters (step-down max-T); ``r_squared_ahead``,
        1 - (squared error of predictions of parts that were left out) / (squared error of the
        mean of the rest), which is negative if the mean predicts better. In the last row the
        counter is chosen without the part that is predicted, and ``r_squared`` is that of the best
        one; ``r_squared_chance`` is what the best of so many counters reaches by chance in 1 of 20
        tables. Numbers are null where fewer than :data:`FEWEST` iterations are left.

    Raises
    ------
    AnalysisError
        The shapes do not fit, or there is no counter.

    References
    ----------
    Groves et al. 2017, section IV-C and Table I; Westfall, Young, *Resampling-Based Multiple
    Testing*, 1993, algorithm 4.1.
    """
    target = checked(times, "counters against time")
    if counters.shape != (len(target), len(names)) or not names:
        raise AnalysisError(
            f"counters against time: {len(target)} times and counters of shape {counters.shape} "
            f"for {len(names)} names; give a value of each counter per time"
        )
    rows = []
    for above in thresholds:
        kept = (
            target > np.quantile(target, above) if above > 0.0 else np.ones(len(target), dtype=bool)
        )
        rows += _rows(target[kept], (names, counters[kept]), above, (rng, permutations))
    return pl.DataFrame(rows, infer_schema_length=None)


def _rows(
    target: Values,
    given: tuple[list[str], Values],
    above: float,
    draws: tuple[np.random.Generator, int],
) -> list[dict[str, object]]:
    names, counters = given
    count = len(target)
    start = {"above": above, "iterations": count}
    if count < FEWEST:
        empty = {"r_squared": None, "p_value": None, "p_adjusted": None, "r_squared_ahead": None}
        return [{**start, "counter": name, **empty} for name in (*names, BEST)]
    fits = _fits(target, counters)
    raw, adjusted, chance = _permuted(target, counters, fits, draws)
    rows: list[dict[str, object]] = [
        {**start, "counter": name, "r_squared": float(fits[column]),
         "p_value": float(raw[column]), "p_adjusted": float(adjusted[column]),
         "r_squared_ahead": _ahead(target, counters[:, [column]])}
        for column, name in enumerate(names)
    ]  # fmt: skip
    best = {"r_squared": float(fits.max()), "p_value": None, "p_adjusted": float(adjusted.min()),
            "r_squared_ahead": _ahead(target, counters), "r_squared_chance": chance}  # fmt: skip
    return [*rows, {**start, "counter": BEST, **best}]


def _fits(target: Values, counters: Values) -> Values:
    """Coefficient of determination of every column."""
    y = target - target.mean()
    x = counters - counters.mean(axis=0)
    power = (x**2).sum(axis=0) * float(y @ y)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(power > 0.0, (y @ x) ** 2 / power, 0.0)
    return np.minimum(np.asarray(found, dtype=np.float64), 1.0)


def _permuted(
    target: Values, counters: Values, fits: Values, draws: tuple[np.random.Generator, int]
) -> tuple[Values, Values, float]:
    """P values, those adjusted by step-down max-T, and what the best reaches by chance."""
    rng, permutations = draws
    order = np.argsort(-fits)
    raw, adjusted = np.ones(len(fits)), np.ones(len(fits))
    largest = []
    for _ in range(permutations):
        found = _fits(rng.permutation(target), counters)
        raw += found >= fits
        # Largest of this counter and of all that fit worse than it.
        tail = np.maximum.accumulate(found[order][::-1])[::-1]
        adjusted[order] += tail >= fits[order]
        largest.append(tail[0])
    scale = permutations + 1.0
    stepped = np.empty(len(fits))
    stepped[order] = np.maximum.accumulate(adjusted[order] / scale)
    return raw / scale, stepped, float(np.quantile(largest, 0.95))


def _ahead(target: Values, counters: Values) -> float:
    """Out-of-sample coefficient of determination, the best column chosen in training."""
    parts = np.array_split(np.arange(len(target)), FOLDS)
    missed = plain = 0.0
    for part in parts:
        train = np.setdiff1d(np.arange(len(target)), part)
        fits = _fits(target[train], counters[train])
        x, y = counters[train, int(np.argmax(fits))], target[train]
        spread = float(((x - x.mean()) ** 2).sum())
        slope = float((x - x.mean()) @ (y - y.mean())) / spread if spread > 0.0 else 0.0
        ahead = y.mean() + slope * (counters[part, int(np.argmax(fits))] - x.mean())
        missed += float(((target[part] - ahead) ** 2).sum())
        plain += float(((target[part] - y.mean()) ** 2).sum())
    return 1.0 - missed / plain if plain > 0.0 else math.nan
