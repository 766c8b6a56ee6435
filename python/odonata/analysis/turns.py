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


def latencies(iterations: pl.DataFrame, packets: pl.DataFrame) -> pl.DataFrame:
    """Mean latency of the packets that every job sends in each of its iterations.

    De Sensi et al. 2019 hold the dispersion of this number, which a NIC counts, against that of the
    time of the iterations: what the second has beyond the first is not of the network (section
    3.3). As in a NIC, the wait before a packet leaves it does not count.

    Parameters
    ----------
    iterations, packets : polars.DataFrame
        The tables of a run; every packet should be in the second.

    Returns
    -------
    polars.DataFrame
        As :func:`spans`, of iterations in which packets were sent, with ``latency_ns`` and
        ``packets`` besides.

    Raises
    ------
    AnalysisError
        A frame is empty or lacks a column.

    Examples
    --------
    >>> table = pl.DataFrame(
    ...     {"job": "a", "iteration": [0, 1], "start_ns": [0.0, 9.0], "end_ns": [5.0, 12.0]}
    ... )
    >>> sent = pl.DataFrame(
    ...     {"job": "a", "injected_ns": [1.0, 4.0, 7.0], "delivered_ns": [3.0, 8.0, 9.0]}
    ... )
    >>> latencies(table, sent).select("iteration", "latency_ns", "packets").rows()
    [(0, 3.0, 2)]
    """
    require(packets, ("job", "injected_ns", "delivered_ns"), "latencies of packets")
    found = spans(iterations)
    sent = packets.select(
        "job", "injected_ns", (pl.col("delivered_ns") - pl.col("injected_ns")).alias("latency_ns")
    )
    job = pl.col("job").cast(pl.String)
    beginnings = found.select(job, "start_ns", "end_ns").sort("start_ns")
    inside = (
        sent.with_columns(job)
        .sort("injected_ns")
        .join_asof(
            beginnings, left_on="injected_ns", right_on="start_ns", by="job", check_sortedness=False
        )
        .filter(pl.col("injected_ns") < pl.col("end_ns"))
        .group_by("job", "start_ns")
        .agg(pl.col("latency_ns").mean(), pl.len().alias("packets"))
    )
    joined = found.with_columns(job).join(inside, on=["job", "start_ns"])
    return joined.sort("job", "start_ns", "iteration")
