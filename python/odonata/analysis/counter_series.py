"""Counters of Aries tiles and NICs over time, summed up to what moves and what stands."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

FLITS, STALLED = "flits_per_ns", "stalled_mean"
"""What is shown: flits that came in per ns, and how many stalls went on at a time, on average."""

_CYCLE_NS = 1.25
"""A cycle of the counters of Aries: 800 MHz."""

_SHOWN = {
    "requests": (FLITS, r"^INQ_PRF_INCOMING_FLIT_VC[0-3]$"),
    "responses": (FLITS, r"^INQ_PRF_INCOMING_FLIT_VC[4-7]$"),
    "outputs, requests": (STALLED, r"^COLBUF_PERF_STALL_RQ"),
    "outputs, responses": (STALLED, r"^COLBUF_PERF_STALL_RS"),
    "row busses": (STALLED, r"^INQ_PRF_(REQ_|RSP_)?ROWBUS_STALL_CNT$"),
    "NICs": (STALLED, r"_ORB_EVENT_CNTR_REQ_STALLED$|_NPT_EVENT_CNTR_NL_STALLED$"),
}
"""Curves: what they show, and the counters that they add up."""


def counters_over_time(tiles: pl.DataFrame, nics: pl.DataFrame, *, bins: int = 200) -> pl.DataFrame:
    """What tiles and NICs counted between readings.

    Parameters
    ----------
    tiles, nics : polars.DataFrame
        The tables `counters` and `nic_counters` of a run with ``telemetry.counter_interval``.
    bins : int
        Neighbouring intervals are put together until at most so many remain.

    Returns
    -------
    polars.DataFrame
        ``time_ns`` (the middle of the interval), ``shows`` (`flits_per_ns` or `stalled_mean`),
        ``what`` (a curve), ``value``; only curves that are not 0 all the time.

    Raises
    ------
    AnalysisError
        A column is missing, or there is no reading.
    """
    for frame in (tiles, nics):
        require(frame, ("counter", "value", "time_ns"), "counters over time")
    both = pl.concat([f.select("counter", "value", "time_ns") for f in (tiles, nics)])
    times = both["time_ns"].unique().sort()
    every = -(-max(len(times) - 1, 1) // bins)
    kept = times.gather_every(every)
    parts = []
    for what, (shows, pattern) in _SHOWN.items():
        summed = (
            both.filter(pl.col("counter").str.contains(pattern))
            .group_by("time_ns")
            .agg(pl.col("value").cast(pl.Float64).sum())
            .filter(pl.col("time_ns").is_in(kept.to_list()))
            .sort("time_ns")
        )
        if len(summed) < 2 or not summed["value"].max():
            continue
        factor = _CYCLE_NS if shows == STALLED else 1.0
        span = pl.col("time_ns").diff()
        parts.append(
            summed.select(
                (pl.col("time_ns") - span / 2).alias("time_ns"),
                pl.lit(shows).alias("shows"),
                pl.lit(what).alias("what"),
                (pl.col("value").diff() * factor / span).alias("value"),
            ).drop_nulls()
        )
    schema = {"time_ns": pl.Float64, "shows": pl.String, "what": pl.String, "value": pl.Float64}
    return pl.concat(parts) if parts else pl.DataFrame(schema=schema)
