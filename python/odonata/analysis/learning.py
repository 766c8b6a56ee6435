"""How a learning routing gets better, from the `series` table."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

_COLUMNS = ("time_ns", "job", "packets_delivered", "latency_ns_mean", "nonminimal_fraction",
            "table_updates", "table_error_ns_mean")  # fmt: skip
_MEANS = {
    "latency_ns_mean": "packets_delivered",
    "nonminimal_fraction": "packets_delivered",
    "table_error_ns_mean": "table_updates",
}
"""Means of the table, and how many values each is the mean of."""


def has_learnt(series: pl.DataFrame) -> bool:
    """Whether the run corrected estimates of a learning routing.

    Parameters
    ----------
    series : polars.DataFrame
        The table ``series`` of a run.

    Returns
    -------
    bool
        True if any interval has ``table_updates`` above 0.
    """
    return "table_updates" in series.columns and bool(series["table_updates"].sum())


def learning(series: pl.DataFrame, *, bins: int = 120) -> pl.DataFrame:
    """Latency, choice of paths, and error of the estimates over time.

    Parameters
    ----------
    series : polars.DataFrame
        The `series` table of a run.
    bins : int
        Neighbouring bins are put together until at most so many remain.

    Returns
    -------
    polars.DataFrame
        ``time_ns``, ``job``, ``latency_ns_mean``, ``nonminimal_fraction``,
        ``table_error_ns_mean`` (mean amount by which an estimate was off); null where nothing
        arrived or was learnt.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column.
    """
    require(series, _COLUMNS, "learning over time")
    times = series["time_ns"].unique().sort()
    factor = -(-len(times) // bins)
    blocks = pl.DataFrame({"time_ns": times, "block": pl.int_range(len(times), eager=True)})
    sums = [
        (pl.col(mean).fill_nan(None).fill_null(0) * pl.col(weight)).sum().alias(mean)
        for mean, weight in _MEANS.items()
    ]
    weights = [pl.col(weight).sum() for weight in ("packets_delivered", "table_updates")]
    return (
        series.join(blocks.with_columns(pl.col("block") // factor), on="time_ns")
        .group_by("job", "block", maintain_order=True)
        .agg(pl.col("time_ns").first(), *sums, *weights)
        .select(
            "time_ns",
            "job",
            *(
                pl.when(pl.col(weight) > 0).then(pl.col(mean) / pl.col(weight)).alias(mean)
                for mean, weight in _MEANS.items()
            ),
        )
    )
