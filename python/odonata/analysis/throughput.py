"""Throughput over time from the `series` table."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import AnalysisError, require

_COLUMNS = ("time_ns", "job", "bytes_delivered")


def throughput(series: pl.DataFrame) -> pl.DataFrame:
    """Turn bytes per bin into a rate per job.

    Parameters
    ----------
    series : polars.DataFrame
        The `series` table: ``time_ns`` (beginning of a bin; bins of one width), ``job``,
        ``bytes_delivered``; with ``bin_ns`` (width of a bin) one bin is enough.

    Returns
    -------
    polars.DataFrame
        ``time_ns``, ``job``, ``throughput_gb_per_s`` (1e9 bytes per second); every job has every
        bin.

    Raises
    ------
    AnalysisError
        If the frame is empty, lacks a column, or has a single bin (so that no width is known).
    """
    require(series, _COLUMNS, "throughput over time")
    times = series["time_ns"].unique().sort().cast(pl.Float64)
    width = _bin_width(series, times)
    last = float(times[-1])
    bins = round((last - float(times[0])) / width) + 1
    grid = pl.DataFrame({"bin": range(bins)}, schema={"bin": pl.Int64})
    jobs = series.select("job").unique(maintain_order=True)
    first = float(times[0])
    sums = (
        series.with_columns(
            bin=((pl.col("time_ns").cast(pl.Float64) - first) / width).round().cast(pl.Int64)
        )
        .group_by("job", "bin")
        .agg(pl.col("bytes_delivered").cast(pl.Float64).sum())
    )
    return (
        jobs.join(grid, how="cross")
        .join(sums, on=["job", "bin"], how="left", maintain_order="left")
        .select(
            time_ns=first + pl.col("bin") * width,
            job="job",
            throughput_gb_per_s=pl.col("bytes_delivered").fill_null(0) / width,
        )
    )


def _bin_width(series: pl.DataFrame, times: pl.Series) -> float:
    """Return the width of a bin, ns: what the table says, or else the smallest step."""
    if "bin_ns" in series.columns:
        return float(series["bin_ns"][0])
    if len(times) < 2:
        message = "throughput over time: a single bin has no known width; shorten the bins"
        raise AnalysisError(message)
    return float(times.diff().drop_nulls().min())  # type: ignore[arg-type]


def coarsen(rates: pl.DataFrame, *, bins: int = 240) -> pl.DataFrame:
    """Average neighbouring bins until at most so many remain.

    Parameters
    ----------
    rates : polars.DataFrame
        What :func:`throughput` returns.
    bins : int
        Largest number of bins per job.

    Returns
    -------
    polars.DataFrame
        The same columns; the last bin may cover less time.
    """
    require(rates, ("time_ns", "job", "throughput_gb_per_s"), "coarser bins")
    longest = int(rates.group_by("job").len()["len"].max())  # type: ignore[arg-type]
    factor = -(-longest // bins)
    return (
        rates.with_columns(block=pl.int_range(pl.len()).over("job") // factor)
        .group_by("job", "block", maintain_order=True)
        .agg(pl.col("time_ns").first(), pl.col("throughput_gb_per_s").mean())
        .select("time_ns", "job", "throughput_gb_per_s")
    )
