"""Replicas: runs that differ in nothing but their seed, and what they say with which certainty.

Every figure of a run is one draw. Over the replicas of a variant its mean has an interval; that of
a slowdown is the interval of the typical ratio beside to alone. Two variants are compared replica
by replica, since the same seed gives both the same random numbers: what is common to them drops
out of the difference (common random numbers; Law, *Simulation Modeling and Analysis*, sections 9.4
and 11.2).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from odonata.analysis import pairs
from odonata.analysis.impact import mean_interval
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.analysis.scores import Values

SEED = "seed"
"""Key of a sweep whose values are replicas."""

SLOWDOWN = "slowdown"

NETWORK = {
    "accepted_load": "fraction",
    "packet_latency_ns_mean": "ns",
    "packet_latency_ns_p50": "ns",
    "packet_latency_ns_p95": "ns",
    "packet_latency_ns_p99": "ns",
}
"""Quantities of the network with their units: columns of the index."""

JOBS = {
    SLOWDOWN: "ratio",
    "comm_time_ns_mean": "ns",
    "baseline_comm_time_ns_mean": "ns",
    "packet_latency_ns_mean": "ns",
    "packet_latency_ns_p50": "ns",
    "packet_latency_ns_p95": "ns",
    "packet_latency_ns_p99": "ns",
    "accepted_load": "fraction",
}
"""The same of a job: columns of the index after the name of the job and a dot."""

_HEAD = (SLOWDOWN, "comm_time_ns_mean")
_LOADS = ("accepted_load", "packet_latency_ns_mean")
_WHOLE = ("finished", "time-limit", "precision")
_MOST_PAIRS_OF = 10
"""Up to so many variants each is compared with each, of more each with the first one."""


def is_replicated(index: pl.DataFrame, keys: Sequence[str]) -> bool:
    """Whether a variant of a sweep has several seeds."""
    if SEED not in keys or index.is_empty():
        return False
    return len(index) > len(index.select(_variant(keys)).unique()) if _variant(keys) else (
        len(index) > 1
    )  # fmt: skip


def intervals(index: pl.DataFrame, keys: Sequence[str], *, level: float = LEVEL) -> pl.DataFrame:
    """What the replicas of each variant say, with intervals.

    Parameters
    ----------
    index : polars.DataFrame
        Of a sweep: a row per run.
    keys : sequence of str
        Its swept keys, `seed` among them.
    level : float
        Confidence.

    Returns
    -------
    polars.DataFrame
        A row per variant, job (null: the network) and quantity: the swept keys but the seed,
        ``job``, ``quantity``, ``unit``, ``replicas`` that have it, ``missing`` that have it not,
        ``value`` with ``value_low`` and ``value_high``, ``width`` of the interval over the value.
        Null where there are too few replicas: below :data:`odonata.analysis.pairs.FEWEST_PAIRS`
        for a slowdown, below 3 for a mean. A slowdown is the geometric mean over replicas
        (:func:`odonata.analysis.pairs.slowdown_interval`), everything else a mean with Student's
        interval.
    """
    rows = []
    for values, part in _variants(index, keys):
        for job, quantity, unit in _quantities(index):
            column = _column(job, quantity)
            given = _whole(part, column)
            if not len(given) and job is None:
                continue
            row: dict[str, Any] = {**values, "job": job, "quantity": quantity, "unit": unit}
            row |= {"replicas": len(given), "missing": len(part) - len(given)}
            row |= _estimated(quantity, given, level)
            rows.append(row)
    schema = {"job": pl.String, "quantity": pl.String, "unit": pl.String, "replicas": pl.Int64,
              "missing": pl.Int64, "value": pl.Float64, "value_low": pl.Float64,
              "value_high": pl.Float64, "width": pl.Float64}  # fmt: skip
    swept = {key: index.schema[key] for key in _variant(keys)}
    return pl.DataFrame(rows, schema={**swept, **schema}).filter(pl.col("replicas") > 0)


def differences(index: pl.DataFrame, keys: Sequence[str], *, level: float = LEVEL) -> pl.DataFrame:
    """Two variants against each other, replica by replica.

    Parameters
    ----------
    index, keys, level
        As for :func:`intervals`.

    Returns
    -------
    polars.DataFrame
        A row per pair of variants (each with each, or with the first where there are more than
        ten), job and quantity: ``variant``, ``against`` as text, ``job``, ``quantity``, ``unit``,
        ``replicas`` that both have, ``difference`` (mean of variant less against) with
        ``difference_low`` and ``difference_high`` (Student's interval of the paired difference),
        ``verdict``: `lower`, `higher` or `no difference seen`; null below 3 replicas. Of slowdowns,
        which are ratios, ``difference`` is a ratio, too: the geometric mean of variant over
        against, 1 where they do not differ; null below
        :data:`odonata.analysis.pairs.FEWEST_PAIRS` replicas. No correction is made for many pairs:
        of 20 that do not differ, one is expected to seem to.
    """
    found = list(_variants(index, keys))
    rows = []
    for (other, second), (one, first) in _pairs(found):
        for job, quantity, unit in _quantities(index):
            column = _column(job, quantity)
            both = _finished(first).select(SEED, column).join(
                _finished(second).select(SEED, pl.col(column).alias("against")), on=SEED
            ).drop_nulls()  # fmt: skip
            if both.is_empty():
                continue
            sides = [both[name].cast(pl.Float64).to_numpy() for name in (column, "against")]
            rows.append({"variant": label(one), "against": label(other), "job": job,
                         "quantity": quantity, "unit": unit, "replicas": len(both),
                         **_change(quantity, *sides, level=level)})  # fmt: skip
    schema = {"variant": pl.String, "against": pl.String, "job": pl.String, "quantity": pl.String,
              "unit": pl.String, "replicas": pl.Int64, "difference": pl.Float64,
              "difference_low": pl.Float64, "difference_high": pl.Float64,
              "verdict": pl.String}  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def needed(replicas: int, low: float, high: float, *, value: float, width: float) -> int:
    """How many replicas give an interval of a wished width, as far as these tell.

    Parameters
    ----------
    replicas : int
        That the interval is of; at least 3.
    low, high, value : float
        The interval and its estimate.
    width : float
        Wished width of the whole interval over its estimate, such as 0.02.

    Returns
    -------
    int
        The spread stays, so that the width falls with Student's quantile over the root of the
        number; at least as many as carry any interval.

    Examples
    --------
    >>> needed(20, 0.98, 1.02, value=1.0, width=0.02)
    73
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load; all of stats, a second

    wished = width * abs(value)
    if not wished > 0.0 or high - low <= wished:
        return replicas
    spread = (high - low) * math.sqrt(replicas) / float(stdtrit(replicas - 1, 0.975))
    count = replicas
    for _ in range(8):  # the quantile depends on the number itself, weakly
        count = math.ceil((spread * float(stdtrit(count - 1, 0.975)) / wished) ** 2)
    return max(count, pairs.FEWEST_PAIRS)


def headline(found: pl.DataFrame) -> pl.DataFrame:
    """Those rows of :func:`intervals` that a campaign is about.

    Slowdowns if there are any, else communication times, else accepted load and mean latency of
    the network.
    """
    for quantity in _HEAD:
        rows = found.filter(pl.col("quantity") == quantity)
        if len(rows):
            return rows
    return found.filter(pl.col("job").is_null() & pl.col("quantity").is_in(_LOADS))


def wanted(found: pl.DataFrame, width: float) -> int | None:
    """Replicas with which every headline has an interval of a width.

    Returns
    -------
    int or None
        The most that any of them needs; ``None`` while one has no interval.
    """
    rows = headline(found)
    if rows.is_empty() or rows["width"].null_count():
        return None
    each = [
        needed(row["replicas"], row["value_low"], row["value_high"], value=row["value"],
               width=width) + int(row["missing"])
        for row in rows.iter_rows(named=True)
    ]  # fmt: skip
    return max(each)


def label(values: Mapping[str, object]) -> str:
    """A variant in a few words.

    Examples
    --------
    >>> label({"routing.algorithm": "par", "jobs[0].workload.load": 0.5})
    'par, load 0.5'
    """
    parts = [
        value if isinstance(value, str) else f"{key.rpartition('.')[2]} {value}"
        for key, value in values.items()
    ]
    return ", ".join(parts) or "all"


def _variant(keys: Sequence[str]) -> list[str]:
    return [key for key in keys if key != SEED]


def _variants(
    index: pl.DataFrame, keys: Sequence[str]
) -> Iterator[tuple[dict[str, Any], pl.DataFrame]]:
    names = _variant(keys)
    if not names:
        yield {}, index
        return
    for part in index.partition_by(names, maintain_order=True):
        yield {name: part[name][0] for name in names}, part


def _pairs(found: list[Any]) -> Iterator[tuple[Any, Any]]:
    if len(found) <= _MOST_PAIRS_OF:
        yield from itertools.combinations(found, 2)
    else:
        yield from ((found[0], other) for other in found[1:])


def _column(job: str | None, quantity: str) -> str:
    return quantity if job is None else f"{job}.{quantity}"


def _quantities(index: pl.DataFrame) -> Iterator[tuple[str | None, str, str]]:
    """Job, name and unit of every figure that the index has."""
    for quantity, unit in NETWORK.items():
        if quantity in index.columns:
            yield None, quantity, unit
    # The overlap or the slowdown is there for every job, in the order of the scenario.
    ending = f".{SLOWDOWN}"
    jobs = [name.removesuffix(ending) for name in index.columns if name.endswith(ending)]
    for job in jobs:
        for quantity, unit in JOBS.items():
            if _column(job, quantity) in index.columns:
                yield job, quantity, unit


def _finished(part: pl.DataFrame) -> pl.DataFrame:
    return part.filter(pl.col("stop").is_in(_WHOLE))


def _whole(part: pl.DataFrame, column: str) -> Values:
    values = _finished(part)[column].cast(pl.Float64).drop_nulls().to_numpy()
    return np.asarray(values[np.isfinite(values)], dtype=np.float64)


def _estimated(quantity: str, given: Values, level: float) -> dict[str, float | None]:
    empty = dict.fromkeys(("value", "value_low", "value_high", "width"))
    if not len(given):
        return empty
    if quantity == SLOWDOWN:
        value = float(np.exp(np.log(given).mean()))
        interval = _ratio(given, level)
    else:
        value, interval = float(given.mean()), positive_mean(given, level=level)
    if interval is None:
        return {**empty, "value": value}
    width = (interval.high - interval.low) / abs(value) if value else None
    return {"value": value, "value_low": interval.low, "value_high": interval.high, "width": width}


def _ratio(given: Values, level: float) -> Interval | None:
    if len(given) < pairs.FEWEST_PAIRS:
        return None
    return pairs.slowdown_interval(given, np.ones(len(given)), level=level).ratio


def positive_mean(given: Values, *, level: float = LEVEL) -> Interval | None:
    """Mean of what cannot be below 0, with an interval that is not, either.

    Parameters
    ----------
    given : numpy.ndarray
        Times, loads or counts of replicas.
    level : float
        Confidence.

    Returns
    -------
    Interval or None
        Student's interval of the mean, on the scale of logarithms (the standard error over the
        mean), which differs from the plain one where that is wide; ``None`` below 3 values. With a
        value below 0 the plain one.
    """
    found = _mean(given, level)
    if found is None or given.min() < 0.0 or found.estimate <= 0.0:
        return found
    half = (found.high - found.low) / 2.0 / found.estimate
    low, high = found.estimate * math.exp(-half), found.estimate * math.exp(half)
    return Interval(estimate=found.estimate, low=low, high=high, level=level)


WIDE = 2.0
"""Times the least replica from which the largest is told beside the estimate."""

_APART = 0.5
"""Share of the spread, on the scale of logarithms, that parts replicas into two groups."""


def is_wide(given: Sequence[float]) -> bool:
    """Whether replicas differ so much that a single estimate hides what they do."""
    return len(given) > 1 and min(given) > 0.0 and max(given) >= WIDE * min(given)


def parted(given: Sequence[float]) -> tuple[int, float, float] | None:
    """Replicas in two groups: how many are in the upper one, its least and the other's largest.

    Returns
    -------
    tuple of int, float and float, or None
        ``None`` where replicas are not wide apart, or spread evenly.

    Examples
    --------
    >>> parted([55.5, 66.9, 0.99, 0.99, 1.0])
    (2, 55.5, 1.0)
    """
    if not is_wide(given):
        return None
    kept = np.sort(np.asarray(given, dtype=np.float64))
    steps = np.diff(np.log(kept))
    at = int(steps.argmax())
    if steps[at] < _APART * steps.sum():
        return None
    return len(kept) - at - 1, float(kept[at + 1]), float(kept[at])


def of_each(
    index: pl.DataFrame, keys: Sequence[str], job: str | None, quantity: str
) -> dict[str, list[float]]:
    """Values of the single replicas by the label of their variant."""
    column = _column(job, quantity)
    return {label(values): _whole(part, column).tolist() for values, part in _variants(index, keys)}


def _mean(given: Values, level: float) -> Interval | None:
    return mean_interval(given, level=level, ordered=False) if len(given) > 2 else None


def _change(quantity: str, first: Values, second: Values, *, level: float) -> dict[str, Any]:
    """One variant against another, on the scale on which its own interval is."""
    if quantity != SLOWDOWN:
        return _difference(first - second, level)
    logs = np.log(first / second)
    row: dict[str, Any] = {"difference": math.exp(float(logs.mean())), "difference_low": None,
                           "difference_high": None, "verdict": None}  # fmt: skip
    if len(logs) < pairs.FEWEST_PAIRS:
        return row
    found = pairs.slowdown_interval(first, second, level=level)
    return {**row, "difference_low": found.ratio.low, "difference_high": found.ratio.high,
            "verdict": found.verdict}  # fmt: skip


def _difference(change: Values, level: float) -> dict[str, Any]:
    found = _mean(change, level)
    row: dict[str, Any] = {"difference": float(change.mean()), "difference_low": None,
                           "difference_high": None, "verdict": None}  # fmt: skip
    if found is None:
        return row
    verdict: pairs.Verdict = "no difference seen"
    if found.high < 0.0:
        verdict = "lower"
    elif found.low > 0.0:
        verdict = "higher"
    return {**row, "difference_low": found.low, "difference_high": found.high, "verdict": verdict}
