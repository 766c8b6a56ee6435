"""Modes in turns: how long each iteration took from the first rank to the last."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

_NEEDED = ("job", "iteration", "start_ns", "end_ns")


def spans(iterations: pl.DataFrame) -> pl.DataFrame:
    """Time of every iteration of every job, from the first rank that begins to the last that ends.

    De Sensi et al. 2019 let routing modes take turns from iteration to iteration and compare the
    times of the iterations of each (section 5.1).

    Parameters
    ----------
    iterations : polars.DataFrame
        The table ``iterations`` of a run.

    Returns
    -------
    polars.DataFrame
        ``job``, ``iteration``, ``routing`` (if the table has it), ``start_ns``, ``end_ns``,
        ``time_ns`` and ``ranks``, in the order of the iterations.

    Raises
    ------
    AnalysisError
        The frame is empty or lacks a column.

    Examples
    --------
    >>> found = spans(
    ...     pl.DataFrame(
    ...         {
    ...             "job": ["a", "a"],
    ...             "iteration": [0, 0],
    ...             "start_ns": [1.0, 2.0],
    ...             "end_ns": [5.0, 4.0],
    ...         }
    ...     )
    ... )
    >>> found["time_ns"].to_list(), found["ranks"].to_list()
    ([4.0], [2])
    """
    require(iterations, _NEEDED, "spans of iterations")
    keys = [
        name for name in ("job", "repetition", "iteration", "routing") if name in iterations.columns
    ]
    found = iterations.group_by(keys).agg(
        pl.col("start_ns").min(), pl.col("end_ns").max(), pl.len().alias("ranks")
    )
    times = found.with_columns((pl.col("end_ns") - pl.col("start_ns")).alias("time_ns"))
    return times.sort("job", "start_ns", "iteration")
