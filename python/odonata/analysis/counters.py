"""Counters over time: windows between readings, and rates, so that long runs do not look busy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from odonata.analysis.frames import AnalysisError, require
from odonata.analysis.scores import Values
from odonata.analysis.turns import spans

_KEYS = ["source", "series", "condition", "quantity", "unit", "place", "rank"]
_NEEDED = (*_KEYS, "statistic", "iteration", "time_ns", "interval_ns", "value")
_PROCESSOR_TILES = 50
"""From this number on tiles of an Aries router lead to NICs."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Counters by interval.

    Attributes
    ----------
    frame : polars.DataFrame
        A row per counter and window: the keys of the form, ``iteration``, ``time_ns`` (end of the
        window), ``interval_ns``, ``delta``, ``rate_per_s``.
    resets : int
        Windows left out because the counter fell in them: someone has set it back.
    without_interval : int
        Counts left out because it is not known over which time they were counted.
    """

    frame: pl.DataFrame
    resets: int
    without_interval: int


def rates(frame: pl.DataFrame) -> Rates:
    """Counters per second of the time over which they were counted.

    A longer interval counts more, whatever the network does (De Sensi et al. 2019, section 3.2,
    Table 1); only rates may be compared or correlated with times.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form. Rows with `statistic` `total` are differenced by counter and place in the
        order of time; rows with `delta` are divided by their interval.

    Returns
    -------
    Rates
        Rates, and what had to be left out.

    Raises
    ------
    AnalysisError
        A column is missing, or there is no counter.
    """
    require(frame, _NEEDED, "counters by interval")
    totals = frame.filter((pl.col("statistic") == "total") & pl.col("time_ns").is_not_null())
    deltas = frame.filter((pl.col("statistic") == "delta") & (pl.col("unit") != "ns"))
    if totals.is_empty() and deltas.is_empty():
        raise AnalysisError(
            "counters by interval: there is no counter; give files of counters, such as LDMS or "
            "AriesNCL write them"
        )
    windows = _windows(totals)
    fallen = windows.filter(pl.col("delta") < 0)
    timeless = deltas.filter(pl.col("interval_ns").is_null() | (pl.col("interval_ns") <= 0))
    counted = deltas.rename({"value": "delta"}).filter(pl.col("interval_ns") > 0)
    wanted = [*_KEYS, "iteration", "time_ns", "interval_ns", "delta"]
    both = pl.concat([windows.filter(pl.col("delta") >= 0).select(wanted), counted.select(wanted)])
    return Rates(
        both.with_columns(rate_per_s=pl.col("delta") / pl.col("interval_ns") * 1e9),
        len(fallen),
        len(timeless),
    )


def _windows(totals: pl.DataFrame) -> pl.DataFrame:
    """Differences of successive readings."""
    ordered = totals.sort([*_KEYS, "time_ns"], maintain_order=True)
    return ordered.with_columns(
        delta=pl.col("value").diff().over(_KEYS),
        interval_ns=pl.col("time_ns").diff().over(_KEYS),
        iteration=(pl.int_range(pl.len()).over(_KEYS) - 1).cast(pl.Int64),
    ).filter(pl.col("interval_ns") > 0)


def moved(frame: pl.DataFrame) -> pl.DataFrame:
    """How far every counter moved at every place, over all that was counted.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form. Readings (`total`) are differenced, counts (`delta`) added up; windows in which
        a counter fell are left out.

    Returns
    -------
    polars.DataFrame
        A row per source, series, counter and place: these as ``source``, ``series``, ``quantity``,
        ``unit``, ``place``; ``windows``: between readings, or counts; ``delta``: null if there is
        one reading only; ``interval_ns``: over which it was counted, null if it is not known;
        ``rate_per_s``; ``last``: the last reading, null of counts. Empty without counters.

    Raises
    ------
    AnalysisError
        A column is missing.
    """
    require(frame, _NEEDED, "counters that moved")
    keys = ["source", "series", "quantity", "unit", "place"]
    totals = frame.filter(pl.col("statistic") == "total")
    deltas = frame.filter((pl.col("statistic") == "delta") & (pl.col("unit") != "ns"))
    windows = _windows(totals.filter(pl.col("time_ns").is_not_null()))
    counted = pl.concat([
        windows.filter(pl.col("delta") >= 0).select(*keys, "delta", "interval_ns"),
        deltas.select(*keys, pl.col("value").alias("delta"), "interval_ns"),
    ]).group_by(keys, maintain_order=True).agg(
        windows=pl.len(),
        delta=pl.col("delta").sum(),
        interval_ns=pl.when(pl.col("interval_ns").null_count() == 0)
        .then(pl.col("interval_ns").sum()),
    )  # fmt: skip
    last = totals.sort("time_ns", maintain_order=True).group_by(keys, maintain_order=True).agg(
        last=pl.col("value").last()
    )  # fmt: skip
    places = pl.concat([totals, deltas]).select(keys).unique(maintain_order=True)
    both = places.join(counted, on=keys, how="left", nulls_equal=True, maintain_order="left")
    both = both.join(last, on=keys, how="left", nulls_equal=True, maintain_order="left")
    known = pl.col("interval_ns") > 0
    return both.with_columns(
        windows=pl.col("windows").fill_null(0),
        rate_per_s=pl.when(known).then(pl.col("delta") / pl.col("interval_ns") * 1e9),
    )


def during(readings: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """What counters counted in each of some spans of time.

    A counter is taken to grow evenly between two readings. Spans that begin before the first
    reading or end after the last are left out.

    Parameters
    ----------
    readings : polars.DataFrame
        In the form; rows with `statistic` `total` are looked at.
    spans : polars.DataFrame
        ``iteration``, ``start_ns``, ``end_ns``, in the clock of the readings.

    Returns
    -------
    polars.DataFrame
        ``quantity``, ``place``, ``iteration``, ``interval_ns``, ``delta``, ``rate_per_s``.

    Raises
    ------
    AnalysisError
        A column is missing, or there are no readings or spans.
    """
    require(readings, ("quantity", "place", "statistic", "time_ns", "value"), "counters in spans")
    require(spans, ("iteration", "start_ns", "end_ns"), "counters in spans")
    totals = readings.filter(
        (pl.col("statistic") == "total") & pl.col("time_ns").is_not_null()
    ).sort("time_ns", maintain_order=True)
    if totals.is_empty():
        raise AnalysisError("counters in spans: there is no reading; sample the counters over time")
    parts = [
        _counted(clock, group, spans)
        for clock, group in _by_clock(totals.group_by("quantity", "place", maintain_order=True))
    ]
    found = pl.concat(parts).filter(pl.col("delta") >= 0)
    return found.with_columns(rate_per_s=pl.col("delta") / pl.col("interval_ns") * 1e9)


def by_iteration(iterations: pl.DataFrame, readings: pl.DataFrame) -> pl.DataFrame:
    """What counters counted in every iteration of every job.

    Groves et al. 2017 hold the largest value over the network tiles against the time of the
    slowest rank (section IV); De Sensi et al. 2019 take the sum over the NICs of a job (section
    2.4). Ports of an Aries router that lead to NICs are left out.

    Parameters
    ----------
    iterations, readings : polars.DataFrame
        The table ``iterations`` of a run, and ``counters`` or ``nic_counters`` with
        ``telemetry.counter_interval``.

    Returns
    -------
    polars.DataFrame
        A row per job, iteration and counter: ``job``, ``iteration``, ``time_ns`` (as
        :func:`odonata.analysis.turns.spans`), ``slowest_ns`` (communication time of the slowest
        rank), ``counter``, ``largest`` and ``total`` over places. Iterations that are not between
        two readings are left out.

    Raises
    ------
    AnalysisError
        A frame is empty or lacks a column.
    """
    require(iterations, ("job", "iteration", "comm_time_ns"), "counters in iterations")
    require(readings, ("counter", "value", "time_ns"), "counters in iterations")
    iterations = iterations.with_columns(pl.col("iteration").cast(pl.Int64))
    if "tile" in readings.columns:
        readings = readings.filter(pl.col("tile").fill_null(0) < _PROCESSOR_TILES)
    place = [name for name in ("router", "port", "node") if name in readings.columns]
    form = readings.select(
        "time_ns", "value", quantity=pl.col("counter").cast(pl.String),
        place=pl.concat_str(place, separator=" "), statistic=pl.lit("total"),
    )  # fmt: skip
    slowest = iterations.group_by("job", "iteration").agg(slowest_ns=pl.col("comm_time_ns").max())
    parts = []
    for times in spans(iterations).partition_by("job", maintain_order=True):
        counted = during(form, times).group_by("iteration", "quantity").agg(
            largest=pl.col("delta").max(), total=pl.col("delta").sum()
        )  # fmt: skip
        parts.append(times.join(counted, "iteration"))
    return (
        pl.concat(parts)
        .join(slowest, ["job", "iteration"])
        .rename({"quantity": "counter"})
        .sort("job", "iteration", "counter")
        .select("job", "iteration", "time_ns", "slowest_ns", "counter", "largest", "total")
    )


def _by_clock(counters: pl.dataframe.group_by.GroupBy) -> Iterator[tuple[Values, pl.DataFrame]]:
    """Counters that were read at the same instants, together."""
    series = counters.agg("time_ns", "value")
    clocks = [times.to_numpy().astype(np.float64) for times in series["time_ns"]]
    known: dict[bytes, list[int]] = {}
    for row, clock in enumerate(clocks):
        known.setdefault(clock.tobytes(), []).append(row)
    for rows in known.values():
        yield clocks[rows[0]], series[rows]


def _counted(clock: Values, counters: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """What each of some counters, read at `clock`, counted in each of the spans inside it."""
    kept = spans.filter(
        (pl.col("start_ns") >= clock[0])
        & (pl.col("end_ns") <= clock[-1])
        & (pl.col("end_ns") > pl.col("start_ns"))
    )
    starts, ends = (kept[name].to_numpy().astype(np.float64) for name in ("start_ns", "end_ns"))
    values = counters["value"].explode().to_numpy().astype(np.float64).reshape(len(counters), -1)
    return pl.DataFrame(
        {
            "quantity": counters["quantity"].to_numpy().repeat(len(kept)),
            "place": counters["place"].to_numpy().repeat(len(kept)),
            "iteration": np.tile(kept["iteration"].to_numpy(), len(counters)),
            "interval_ns": np.tile(ends - starts, len(counters)),
            "delta": (_at(ends, clock, values) - _at(starts, clock, values)).ravel(),
        },
        schema={
            "quantity": pl.String,
            "place": pl.String,
            "iteration": pl.Int64,
            "interval_ns": pl.Float64,
            "delta": pl.Float64,
        },
    )


def _at(instants: Values, clock: Values, values: Values) -> Values:
    """Counters at instants within `clock`, straight lines between readings."""
    if not len(instants):
        return np.empty((len(values), 0))
    after = np.clip(np.searchsorted(clock, instants), 1, len(clock) - 1)
    share = (instants - clock[after - 1]) / (clock[after] - clock[after - 1])
    low, high = values[:, after - 1], values[:, after]
    return np.asarray(low + share * (high - low), dtype=np.float64)
