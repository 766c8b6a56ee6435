"""Percentiles and distributions from latency histograms.

The `latency` table has log-linear buckets whose width is at most 1/64 (1.6 %) of their position, so
that every percentile below is within 1.6 % of that of the packets themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from odonata.analysis.frames import AnalysisError, require

if TYPE_CHECKING:
    from collections.abc import Sequence

_COLUMNS = ("latency_ns_low", "latency_ns_high", "packets")


def combine(histogram: pl.DataFrame) -> pl.DataFrame:
    """Add up histograms of the same buckets.

    Parameters
    ----------
    histogram : polars.DataFrame
        Columns ``latency_ns_low``, ``latency_ns_high`` (ns), ``packets``; rows in any order.

    Returns
    -------
    polars.DataFrame
        The same columns; one row per bucket that holds a packet, ascending.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column.
    """
    require(histogram, _COLUMNS, "adding up latency histograms")
    return (
        histogram.group_by("latency_ns_low", "latency_ns_high")
        .agg(pl.col("packets").sum())
        .filter(pl.col("packets") > 0)
        .sort("latency_ns_low")
    )


def percentiles(histogram: pl.DataFrame, fractions: Sequence[float]) -> list[float]:
    """Estimate percentiles of packet latency.

    The estimator takes packets as evenly spread inside their bucket.

    Parameters
    ----------
    histogram : polars.DataFrame
        Columns ``latency_ns_low``, ``latency_ns_high`` (ns), ``packets``.
    fractions : sequence of float
        Each from 0 to 1.

    Returns
    -------
    list of float
        Latency in ns, one per fraction.

    Raises
    ------
    AnalysisError
        If there is no packet, or a fraction is outside of 0 to 1.

    Examples
    --------
    >>> frame = pl.DataFrame(
    ...     {"latency_ns_low": [0.0, 10.0], "latency_ns_high": [10.0, 20.0], "packets": [1, 1]}
    ... )
    >>> percentiles(frame, [0.25, 1.0])
    [5.0, 20.0]
    """
    if any(not 0 <= fraction <= 1 for fraction in fractions):
        message = f"percentiles: fractions {list(fractions)} are not all between 0 and 1"
        raise AnalysisError(message)
    whole = combine(histogram)
    if whole.is_empty():
        message = "percentiles: the histogram holds no packet; select a job that sent some"
        raise AnalysisError(message)
    low, high = whole["latency_ns_low"].to_numpy(), whole["latency_ns_high"].to_numpy()
    count = whole["packets"].to_numpy().astype(float)
    after = np.cumsum(count)
    wanted = np.asarray(fractions, dtype=float) * after[-1]
    bucket = np.minimum(np.searchsorted(after, wanted, side="left"), len(after) - 1)
    inside = (wanted - (after[bucket] - count[bucket])) / count[bucket]
    found = low[bucket] + np.clip(inside, 0, 1) * (high[bucket] - low[bucket])
    return [float(value) for value in found]


def percentile(histogram: pl.DataFrame, fraction: float) -> float:
    """Estimate one percentile of packet latency in ns; see :func:`percentiles`.

    Parameters
    ----------
    histogram : polars.DataFrame
        As for :func:`percentiles`.
    fraction : float
        Between 0 and 1; 0.99 is the 99th percentile.

    Returns
    -------
    float
        ns; an estimate inside of a bin, see :func:`percentiles`.

    Raises
    ------
    AnalysisError
        As for :func:`percentiles`.
    """
    return percentiles(histogram, [fraction])[0]


def exceedance(histogram: pl.DataFrame) -> pl.DataFrame:
    """Return the fraction of packets that took longer than each latency.

    Parameters
    ----------
    histogram : polars.DataFrame
        Columns ``latency_ns_low``, ``latency_ns_high`` (ns), ``packets``.

    Returns
    -------
    polars.DataFrame
        ``latency_ns`` (upper end of a bucket), ``fraction_above`` (0 to 1), ascending in latency;
        the last row has fraction 0.
    """
    whole = combine(histogram)
    total = pl.col("packets").sum()
    return whole.select(
        latency_ns=pl.col("latency_ns_high").cast(pl.Float64),
        fraction_above=1 - pl.col("packets").cum_sum() / total,
    )
