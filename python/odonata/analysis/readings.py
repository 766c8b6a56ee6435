"""Counters that were read at intervals: how fast they count, over all places together."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

_COLUMNS = ("counter", "unit", "value", "time_ns")


def rates(readings: pl.DataFrame, *, most: int = 6) -> pl.DataFrame:
    """What counters counted between two readings, over the time between them.

    Parameters
    ----------
    readings : polars.DataFrame
        The `counters` or `nic_counters` table of a run with ``telemetry.counter_interval``.
    most : int
        Counters of each unit that are kept: those that counted most.

    Returns
    -------
    polars.DataFrame
        ``time_ns`` (of the later reading), ``counter``, ``unit``, ``rate`` (units per ns, all
        places together); sorted by unit, the counter that counted most first.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column: without an interval there is one reading.
    """
    require(readings, _COLUMNS, "counters over time")
    sums = (
        readings.group_by("unit", "counter", "time_ns")
        .agg(pl.col("value").cast(pl.Float64).sum())
        .sort("unit", "counter", "time_ns")
        .with_columns(total=pl.col("value").last().over("unit", "counter"))
        .with_columns(
            rate=pl.col("value").diff().over("unit", "counter")
            / pl.col("time_ns").diff().over("unit", "counter"),
            place=pl.struct(-pl.col("total"), "counter").rank("dense").over("unit"),
        )
    )
    return (
        sums.filter((pl.col("place") <= most) & (pl.col("total") > 0))
        .drop_nulls("rate")
        .sort("unit", "place", "time_ns")
        .select("time_ns", "counter", "unit", "rate")
    )
