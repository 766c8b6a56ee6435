"""The slowest rank of every iteration: it decides when a collective ends."""

from __future__ import annotations

import math

import polars as pl

from odonata.analysis.dispersion import KEYS
from odonata.analysis.frames import AnalysisError, require


def slowest_ranks(frame: pl.DataFrame) -> pl.DataFrame:
    """Fastest, middle and slowest rank of each iteration.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form; samples with a rank and an iteration are looked at.

    Returns
    -------
    polars.DataFrame
        A row per series and iteration, in order: the keys of the series, ``iteration``,
        ``fastest``, ``median``, ``slowest`` in the unit of the series, ``slowest_rank`` (the
        lowest of equals), ``ranks``.

    Raises
    ------
    AnalysisError
        No sample has a rank and an iteration.

    References
    ----------
    Groves et al. 2017, section IV and Figs. 2 to 4.
    """
    wanted = (*KEYS, "statistic", "rank", "iteration", "value")
    require(frame, wanted, "slowest ranks")
    samples = frame.filter(
        (pl.col("statistic") == "sample")
        & pl.col("rank").is_not_null()
        & pl.col("iteration").is_not_null()
    )
    if samples.is_empty():
        raise AnalysisError(
            "slowest ranks: no sample has a rank and an iteration; give times of every rank"
        )
    value = pl.col("value")
    return (
        samples.sort("rank", maintain_order=True)
        .group_by(*KEYS, "iteration", maintain_order=True)
        .agg(
            fastest=value.min(),
            median=value.median(),
            slowest=value.max(),
            slowest_rank=pl.col("rank").get(value.arg_max()),
            ranks=pl.col("rank").n_unique(),
        )
        .sort([*KEYS, "iteration"], nulls_last=True, maintain_order=True)
    )


def recurring(slowest: pl.DataFrame) -> pl.DataFrame:
    """How often each rank was the slowest, and whether chance would do that.

    Parameters
    ----------
    slowest : polars.DataFrame
        Of one series, from :func:`slowest_ranks`.

    Returns
    -------
    polars.DataFrame
        ``rank``, ``times``, ``share``, ``p_adjusted``: probability that a rank is the slowest at
        least so often if all are alike and iterations independent, times the number of ranks
        (Bonferroni); most often first.
    """
    from scipy.stats import binom  # noqa: PLC0415 - takes longer to load than most commands last

    require(slowest, ("slowest_rank", "ranks"), "recurring slowest ranks")
    ranks, count = int(slowest["ranks"].max()), len(slowest)  # type: ignore[arg-type]
    found = slowest["slowest_rank"].value_counts(sort=True, name="times").rename(
        {"slowest_rank": "rank"}
    )  # fmt: skip
    chance = [min(float(binom.sf(times - 1, count, 1.0 / ranks)) * ranks, 1.0)
              for times in found["times"]]  # fmt: skip
    return found.with_columns(
        share=pl.col("times") / count, p_adjusted=pl.Series(chance, dtype=pl.Float64)
    ).sort("times", "rank", descending=[True, False])


def spread_of_extremes(slowest: pl.DataFrame) -> float:
    """Geometric mean of slowest over fastest rank, over the iterations of one series.

    Parameters
    ----------
    slowest : polars.DataFrame
        One row per iteration with ``slowest`` and ``fastest``, in one unit, as of
        :func:`slowest_ranks`.

    Returns
    -------
    float
        At least 1, without a unit; NaN if no fastest time is above 0.
    """
    ratios = slowest.filter(pl.col("fastest") > 0)
    if ratios.is_empty():
        return math.nan
    return math.exp(float((ratios["slowest"] / ratios["fastest"]).log().mean()))  # type: ignore[arg-type]
