"""Congestion impact as GPCNeT states it: averages, 99 %, and their ratios, with intervals."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from odonata.analysis.dependence import (
    FEWEST_FOR_SPREAD,
    checked,
    dependence,
    effective_mean,
)
from odonata.analysis.frames import AnalysisError, require
from odonata.analysis.quantiles import LEVEL, Interval, quantile_interval
from odonata.analysis.scores import Values

CONDITIONS = {"isolated": "isolated", "alone": "isolated", "congested": "congested",
              "beside": "congested"}  # fmt: skip
"""Conditions of the form, and what GPCNeT calls them."""

TIMES, RATES = ("latency", "comm_time"), ("bandwidth",)
"""Quantities whose impact is congested over isolated, and those of which it is the inverse."""

_SCALES = {"ns": ("usec", 1e3), "B/s": ("MiB/s/rank", 2.0**20)}
"""Unit of the form: the one that GPCNeT prints, and how many of ours it is."""

_KEYS = ["series", "quantity", "unit"]


def mean_interval(values: Values, *, level: float = LEVEL, ordered: bool = True) -> Interval | None:
    """Mean with Student's interval.

    Parameters
    ----------
    values : array_like
        The sample.
    level : float
        Confidence.
    ordered : bool
        Whether the values are in the order of measuring and may depend on each other: then their
        effective number decides.

    Returns
    -------
    Interval or None
        ``None`` below three values, and of an ordered series that is worth fewer independent ones
        than :data:`odonata.analysis.dependence.FEWEST_FOR_SPREAD`.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load; all of stats, a second

    data = checked(values, "mean")
    effective, degrees = float(len(data)), len(data) - 1.0
    if ordered:
        effective = min(dependence(data).effective, effective_mean(data))
        if effective < FEWEST_FOR_SPREAD:
            return None
        degrees = effective / 3.0  # as odonata.analysis.quantiles.Worth.reduced
    if effective < 3.0:
        return None
    half = float(stdtrit(degrees, (1.0 + level) / 2.0) * data.std(ddof=1))
    half /= math.sqrt(effective)
    centre = float(data.mean())
    return Interval(estimate=centre, low=centre - half, high=centre + half, level=level)


def congestion_impact(frame: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Averages and 99 % of every test, isolated and congested, and their impact factors.

    From samples, and from numbers that GPCNeT computed. Of samples of several ranks the average is
    the mean over iterations of the mean over ranks; the 99 % is over all samples of all ranks
    (GPCNeT 1.3, `summarize_performance`). Of a bandwidth the 99 % is the value that 99 % of the
    samples reach. Of outputs of GPCNeT itself an interval needs three runs or more.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form, with conditions `isolated` and `congested` (or `alone` and `beside`).
    level : float
        Confidence.

    Returns
    -------
    polars.DataFrame
        A row per test: ``series``, ``unit`` (usec or MiB/s/rank); ``isolated`` and ``congested``
        with ``_mean`` and ``_p99``, each with ``_low`` and ``_high``, and ``_iterations`` (null
        without samples); ``impact_mean`` and
        ``impact_p99``: quotient of the values rounded to one decimal, as GPCNeT prints it, with
        ``_low`` and ``_high`` of the unrounded ones. Null where there is none.

    Raises
    ------
    AnalysisError
        No test was measured under both conditions.
    """
    require(frame, (*_KEYS, "condition", "statistic", "value", "rank", "iteration"),
            "congestion impact")  # fmt: skip
    known = frame.filter(
        pl.col("condition").is_in(list(CONDITIONS))
        & pl.col("unit").is_in(list(_SCALES))
        & pl.col("quantity").is_in([*TIMES, *RATES])
    ).with_columns(pl.col("condition").replace_strict(CONDITIONS))
    rows = []
    for part in known.partition_by(_KEYS, maintain_order=True):
        both = {c: part.filter(pl.col("condition") == c) for c in ("isolated", "congested")}
        if all(len(one) for one in both.values()):
            rows.append(_test(part, both, level))
    if not rows:
        raise AnalysisError(
            "congestion impact: no test was measured both isolated and congested; give the output "
            "of network_load_test, or a run with its baseline"
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def cut(found: pl.DataFrame) -> list[str]:
    """Sentences about tests of which one side has fewer iterations: it was cut.

    Parameters
    ----------
    found : polars.DataFrame
        From :func:`congestion_impact`.
    """
    said = []
    for row in found.iter_rows(named=True):
        counts = {one: row[f"{one}_iterations"] for one in ("isolated", "congested")}
        if None in counts.values() or len(set(counts.values())) == 1:
            continue
        less, more = sorted(counts, key=lambda one: counts[one])
        said.append(
            f"the {less} values of {row['series']} are of {counts[less]} iterations, the {more} "
            f"ones of {counts[more]}: the {less} run was cut, and the impact is that of its "
            "beginning."
        )
    return said


def _test(part: pl.DataFrame, both: dict[str, pl.DataFrame], level: float) -> dict[str, object]:
    unit, scale = _SCALES[part["unit"][0]]
    falls = part["quantity"][0] in RATES
    row: dict[str, object] = {"series": part["series"][0], "unit": unit}
    found: dict[str, dict[str, _Number | None]] = {}
    for condition, rows in both.items():
        found[condition] = {
            "mean": _average(rows, scale, level),
            "p99": _tail(rows, scale, (level, falls)),
        }
        samples = rows.filter((pl.col("statistic") == "sample") & pl.col("iteration").is_not_null())
        each = samples.group_by("rank").len()["len"]
        row[f"{condition}_iterations"] = each.min()  # of the slowest rank
        for name, number in found[condition].items():
            row |= _cells(f"{condition}_{name}", number)
    for name in ("mean", "p99"):
        row |= _cells(f"impact_{name}", _impact(found["isolated"][name],
                                                found["congested"][name], falls=falls))  # fmt: skip
    return row


_Number = tuple[float, Interval | None]
"""A value, and its interval if it has one."""


def _cells(name: str, number: _Number | None) -> dict[str, float | None]:
    value, interval = number if number is not None else (None, None)
    return {
        name: value,
        f"{name}_low": None if interval is None else interval.low,
        f"{name}_high": None if interval is None else interval.high,
    }


def _impact(isolated: _Number | None, congested: _Number | None, *, falls: bool) -> _Number | None:
    """Quotient of the rounded values; interval of that of the unrounded ones."""
    if isolated is None or congested is None:
        return None
    top, bottom = (isolated, congested) if falls else (congested, isolated)
    shown = round(bottom[0], 1)
    value = round(top[0], 1) / shown if shown > 0 else math.nan
    ends = top[1], bottom[1]
    if ends[0] is None or ends[1] is None or min(ends[0].low, ends[1].low) <= 0:
        return value, None
    return value, ends[0].over(ends[1])


def _average(rows: pl.DataFrame, scale: float, level: float) -> _Number | None:
    samples = rows.filter(pl.col("statistic") == "sample")
    if len(samples):
        ordered = samples["iteration"].null_count() == 0
        if ordered:
            samples = samples.group_by("iteration").agg(pl.col("value").mean()).sort("iteration")
        return _mean(samples["value"].to_numpy() / scale, level, ordered=ordered)
    given = rows.filter(pl.col("statistic") == "mean")["value"].to_numpy() / scale
    return _mean(given, level, ordered=False) if len(given) else None


def _mean(values: Values, level: float, *, ordered: bool) -> _Number:
    interval = mean_interval(values, level=level, ordered=ordered) if len(values) > 2 else None
    return float(np.mean(values)), interval


def _tail(rows: pl.DataFrame, scale: float, how: tuple[float, bool]) -> _Number | None:
    level, falls = how
    samples = rows.filter(pl.col("statistic") == "sample")
    if len(samples):
        ordered = samples["iteration"].null_count() == 0
        values = samples.sort("iteration", maintain_order=True)["value"]
        interval = quantile_interval(values.to_numpy() / scale, 0.01 if falls else 0.99,
                                     level=level, ordered=ordered)  # fmt: skip
        return None if interval is None else (interval.estimate, interval)
    given = rows.filter(pl.col("statistic") == "p99")["value"].to_numpy() / scale
    return _mean(given, level, ordered=False) if len(given) else None
