"""What pictures of noise show: ends of whiskers, points of cumulative distributions."""

from __future__ import annotations

import numpy as np
import polars as pl

from odonata.analysis.dependence import dependence
from odonata.analysis.dispersion import series
from odonata.analysis.quantiles import LEVEL, Worth, of_sorted
from odonata.analysis.scores import Values

_WHISKER = 1.5
"""Length of a whisker at most, in distances of the quartiles (Tukey)."""

_POINTS = 400
"""Points of a cumulative distribution at most."""


def _worth(values: Values, quantile: float, *, ordered: bool) -> Worth:
    return Worth.of(dependence(values), quantile) if ordered else Worth(float(len(values)))


def boxes(frame: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Boxes, notches and whiskers of every series.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form.
    level : float
        Confidence of the notches.

    Returns
    -------
    polars.DataFrame
        A row per series: its keys, ``q1``, ``median``, ``q3``; ``notch_low`` and ``notch_high``,
        null if the sample carries none; ``whisker_low``, ``whisker_high``: the outermost values
        within 1.5 distances of the quartiles; ``outliers`` beyond them (De Sensi et al. 2019 hide
        them, too, and count them).
    """
    rows = []
    for names, values, ordered in series(frame):
        data = np.sort(values)
        q1, middle, q3 = (float(q) for q in np.quantile(data, [0.25, 0.5, 0.75]))
        reach = _WHISKER * (q3 - q1)
        inside = data[(data >= q1 - reach) & (data <= q3 + reach)]
        notch = of_sorted(data, 0.5, worth=_worth(values, 0.5, ordered=ordered), level=level)
        rows.append(
            {
                **names,
                "q1": q1,
                "median": middle,
                "q3": q3,
                "notch_low": None if notch is None else notch.low,
                "notch_high": None if notch is None else notch.high,
                "whisker_low": min(float(inside[0]), q1),
                "whisker_high": max(float(inside[-1]), q3),
                "outliers": len(data) - len(inside),
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def cumulative(frame: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Points of the cumulative distribution of every series, with its tail percentiles.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form.
    level : float
        Confidence that decides whether a sample carries a percentile.

    Returns
    -------
    polars.DataFrame
        Rows per series: its keys, ``value``, ``fraction`` (of values at most so large) and
        ``mark``: `p95` or `p99` on the rows of these percentiles, which are left out where the
        sample cannot carry them; null on all others.
    """
    parts = []
    for names, values, ordered in series(frame):
        data = np.sort(values)
        # Dense where the tail is: half of the points in the upper tenth.
        places = np.unique(
            np.concatenate(
                [
                    np.linspace(0, len(data) - 1, _POINTS // 2),
                    np.linspace(0.9 * (len(data) - 1), len(data) - 1, _POINTS // 2),
                ]
            ).astype(np.int64)
        )
        points = [(float(data[at]), (at + 1) / len(data), None) for at in places]
        marks = []
        for quantile, mark in ((0.95, "p95"), (0.99, "p99")):
            worth = _worth(values, quantile, ordered=ordered)
            found = of_sorted(data, quantile, worth=worth, level=level)
            if found is not None:
                marks.append((found.estimate, quantile, mark))
        parts.append(
            pl.DataFrame(
                [*points, *marks],
                schema={"value": pl.Float64, "fraction": pl.Float64, "mark": pl.String},
                orient="row",
            ).with_columns(
                pl.lit(value, dtype=pl.Int64 if name == "bytes" else pl.String).alias(name)
                for name, value in names.items()
            )
        )
    return pl.concat(parts) if parts else pl.DataFrame()
