"""Communication time of jobs: its spread over ranks, and how much other jobs stretch it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from odonata.analysis.frames import AnalysisError, require


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Distribution of a time over ranks, in ns.

    Attributes
    ----------
    count : int
        Ranks.
    mean, std : float
        Mean and standard deviation of the ranks (as a population: divisor `count`).
    minimum, q1, median, q3, maximum : float
        Quartiles by linear interpolation.
    variation : float
        Coefficient of variation, ``std / mean``; 0 if the mean is 0.
    """

    count: int
    mean: float
    std: float
    minimum: float
    q1: float
    median: float
    q3: float
    maximum: float
    variation: float


@dataclass(frozen=True, kw_only=True)
class Slowdown:
    """How much longer a job communicates beside others than alone.

    Attributes
    ----------
    ratio : float
        Mean communication time beside others over that alone.
    rank_q1, rank_median, rank_q3 : float
        Quartiles of the ratio of each rank to itself.
    ranks : int
        Ranks that communicated alone at all.
    """

    ratio: float
    rank_q1: float
    rank_median: float
    rank_q3: float
    ranks: int


def spread(values: pl.Series) -> Spread:
    """Describe how a time varies over ranks.

    Parameters
    ----------
    values : polars.Series
        One time per rank, ns; at least one, none missing.

    Returns
    -------
    Spread
        Mean, standard deviation, quartiles.

    Raises
    ------
    AnalysisError
        If there is no value, or one is missing or not a number.

    Examples
    --------
    >>> spread(pl.Series([10.0, 20.0, 30.0])).median
    20.0
    """
    data = values.cast(pl.Float64).to_numpy()
    if len(data) == 0 or not np.isfinite(data).all():
        message = (
            f"spread over ranks: {len(data)} values, {int((~np.isfinite(data)).sum())} of them "
            "missing; select a job whose ranks have finished"
        )
        raise AnalysisError(message)
    low, q1, median, q3, high = (float(v) for v in np.quantile(data, [0, 0.25, 0.5, 0.75, 1]))
    mean, std = float(data.mean()), float(data.std())
    return Spread(
        count=len(data),
        mean=mean,
        std=std,
        minimum=low,
        q1=q1,
        median=median,
        q3=q3,
        maximum=high,
        variation=std / mean if mean > 0 else 0.0,
    )


def spread_by_job(ranks: pl.DataFrame) -> dict[str, Spread]:
    """Describe the communication time of every job.

    Parameters
    ----------
    ranks : polars.DataFrame
        The `ranks` table: ``job``, ``comm_time_ns``.

    Returns
    -------
    dict of str to Spread
        By job, in the order of the table.
    """
    require(ranks, ("job", "comm_time_ns"), "spread of communication time")
    parts = ranks.partition_by("job", maintain_order=True)
    return {str(part["job"][0]): spread(part["comm_time_ns"]) for part in parts}


def slowdown(beside: pl.DataFrame, alone: pl.DataFrame) -> Slowdown:
    """Compare a job beside others with itself alone, rank by rank.

    Parameters
    ----------
    beside, alone : polars.DataFrame
        Rows of the `ranks` table of one job: ``rank``, ``comm_time_ns``. Both runs must have the
        same ranks.

    Returns
    -------
    Slowdown
        Ratio of means, and quartiles of the ratios of single ranks.

    Raises
    ------
    AnalysisError
        If a frame is empty, the ranks differ, or the job did not communicate alone.
    """
    for frame in (beside, alone):
        require(frame, ("rank", "comm_time_ns"), "slowdown")
    pairs = beside.select("rank", "comm_time_ns").join(
        alone.select("rank", alone_ns="comm_time_ns"), on="rank", how="inner"
    )
    if not len(pairs) == len(beside) == len(alone):
        message = (
            f"slowdown: {len(beside)} ranks beside others and {len(alone)} alone, {len(pairs)} in "
            "common; compare runs of the same job"
        )
        raise AnalysisError(message)
    talking = pairs.filter(pl.col("alone_ns") > 0)
    if talking.is_empty():
        message = "slowdown: the job spends no time in communication when alone; nothing to compare"
        raise AnalysisError(message)
    ratios = spread(talking["comm_time_ns"] / talking["alone_ns"])
    return Slowdown(
        ratio=spread(pairs["comm_time_ns"]).mean / spread(pairs["alone_ns"]).mean,
        rank_q1=ratios.q1,
        rank_median=ratios.median,
        rank_q3=ratios.q3,
        ranks=ratios.count,
    )
