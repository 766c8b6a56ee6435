"""All that a frame can say, section by section; what it cannot is said in a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from odonata.analysis import correlation, host, impact, slowest
from odonata.analysis.counters import moved, rates
from odonata.analysis.dispersion import KEYS, summary
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL
from odonata.output.noise.answers import answers
from odonata.output.noise.comparisons import alternated_modes
from odonata.output.noise.means import given_means, stated_counters

SEED = 1
"""Of the streams of permutations, unless another is given."""

_TIMES = ("comm_time", "latency")
"""Quantities that counters are held against."""

_OFTEN = 0.05
"""Adjusted p value below which a rank that is often the slowest is named."""


@dataclass(slots=True)
class Findings:
    """Tables about a frame; empty where there is nothing to say.

    Attributes
    ----------
    series : polars.DataFrame
        Every series of samples (:func:`odonata.noise.summary`).
    given : polars.DataFrame
        What benchmarks computed themselves, by size (:func:`odonata.noise.given_means`); without
        sources that are in `impact`.
    impact : polars.DataFrame
        Congestion impact (:func:`odonata.noise.congestion_impact`).
    alternated : polars.DataFrame
        Modes that took turns (:func:`odonata.noise.alternated_modes`).
    host : polars.DataFrame
        Per source with detours: ``share``, ``rate_per_s``, ``median_ns``, ``maximum_ns``; for each
        series of times of it ``series``, ``bytes``, ``slow`` with ``_low`` and ``_high``,
        ``limit_ns``, ``hit``, ``host_share`` (:func:`odonata.noise.slow_samples`).
    counters : polars.DataFrame
        Counters against time (:func:`odonata.noise.counters_against_time`), with ``source``,
        ``series`` and ``bytes`` of the time.
    moved : polars.DataFrame
        Measured counters that stand beside no time, by place
        (:func:`odonata.analysis.counters.moved`).
    stated : polars.DataFrame
        Counters of which the source states averages and extremes only
        (:func:`odonata.output.noise.means.stated_counters`).
    slowest : polars.DataFrame
        Ranks that are the slowest more often than chance would have it, per series.
    answers : list of str
        Is it the network, and does a mode help, in sentences (:mod:`odonata.output.noise.answers`).
    notes : list of str
        What was left out, and why.
    """

    series: pl.DataFrame = field(default_factory=pl.DataFrame)
    given: pl.DataFrame = field(default_factory=pl.DataFrame)
    impact: pl.DataFrame = field(default_factory=pl.DataFrame)
    alternated: pl.DataFrame = field(default_factory=pl.DataFrame)
    host: pl.DataFrame = field(default_factory=pl.DataFrame)
    counters: pl.DataFrame = field(default_factory=pl.DataFrame)
    moved: pl.DataFrame = field(default_factory=pl.DataFrame)
    stated: pl.DataFrame = field(default_factory=pl.DataFrame)
    slowest: pl.DataFrame = field(default_factory=pl.DataFrame)
    answers: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def findings(frame: pl.DataFrame, *, seed: int = SEED, level: float = LEVEL) -> Findings:
    """Everything that can be said about a frame.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form.
    seed : int
        Of permutations; the same seed gives the same numbers.
    level : float
        Confidence of every interval.

    Returns
    -------
    Findings
        All sections.
    """
    found = Findings()
    statistic = frame["statistic"]
    if (statistic == "sample").any():
        found.series = summary(frame, level=level)
        found.alternated = _try(found, lambda: alternated_modes(frame, level=level))
        found.host = _host(frame, level)
        found.slowest = _recurring(frame)
    if frame["condition"].is_in(list(impact.CONDITIONS)).any():
        found.impact = _impact(frame, level)
    if statistic.is_in(["delta", "total"]).any():
        found.counters = _try(found, lambda: _counters(frame, found, seed))
        measured = frame.filter(pl.col("world") == "measured")
        if found.counters.is_empty() and len(measured):
            found.moved = moved(measured)
    found.stated = stated_counters(frame)
    given = given_means(frame)
    known = found.impact["source"].to_list() if len(found.impact) else []
    found.given = given.filter(~pl.col("source").is_in(known))
    found.answers = answers(found.host, found.counters, found.alternated)
    return found


def _try(found: Findings, compute: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """A table, or nothing and a note why."""
    try:
        return compute()
    except AnalysisError as error:
        found.notes.append(str(error))
        return pl.DataFrame()


def _impact(frame: pl.DataFrame, level: float) -> pl.DataFrame:
    """Impact by source; nothing where no test was measured under both conditions."""
    parts = []
    for part in frame.partition_by("source", maintain_order=True):
        try:
            found = impact.congestion_impact(part, level=level)
        except AnalysisError:
            continue
        parts.append(found.select(pl.lit(part["source"][0]).alias("source"), pl.all()))
    return pl.concat(parts, how="vertical_relaxed") if parts else pl.DataFrame()


def _host(frame: pl.DataFrame, level: float) -> pl.DataFrame:
    """Host noise by folder, beside the times of the same folder.

    Detours of ranks (of `odonata measure`) are put together: their rate is that of the mean rank.
    """
    rows = []
    known = frame.with_columns(_folder=pl.col("source").str.replace(r"/[^/]*$", ""))
    for part in known.partition_by("_folder", maintain_order=True):
        detours = part.filter((pl.col("quantity") == "detour") & (pl.col("statistic") == "sample"))
        watched = part.filter(pl.col("quantity") == "watched")["value"]
        by_rank = detours["rank"].null_count() == 0
        if detours.is_empty() or watched.is_empty():
            continue
        if not by_rank and (detours["source"].n_unique() != 1 or len(watched) != 1):
            continue
        lengths, span = detours["value"].to_numpy(), float(watched.sum())
        noise = host.host_noise(lengths, span)
        common = {"source": part["_folder"][0], "share": noise.share,
                  "rate_per_s": noise.rate_per_s, "median_ns": noise.median_ns,
                  "maximum_ns": noise.maximum_ns}  # fmt: skip
        found = [
            {**common, **_slow(times, (lengths, span), level)}
            for times in _timed(part, by_rank=by_rank)
        ]
        rows += found or [{**common, "series": None, "bytes": None}]
    return pl.DataFrame(rows, infer_schema_length=None)


def _timed(part: pl.DataFrame, *, by_rank: bool) -> list[pl.DataFrame]:
    """Series of times that hosts can have delayed: latencies, and what all ranks waited for."""
    wanted = _TIMES if by_rank else ("latency",)
    times = part.filter(
        pl.col("quantity").is_in(wanted)
        & (pl.col("statistic") == "sample")
        & (pl.col("unit") == "ns")
    )
    series = times.partition_by("series", "quantity", "bytes", maintain_order=True)
    return [one for one in series if len(one) >= correlation.FEWEST]


def _slow(
    times: pl.DataFrame, detours: tuple[npt.NDArray[np.float64], float], level: float
) -> dict[str, object]:
    """Slow samples of a series, and how many of them hosts can explain."""
    ranks = times["rank"].drop_nulls().n_unique()
    values = times["value"]
    if times["quantity"][0] == "comm_time":
        values = times.group_by("iteration").agg(pl.col("value").max()).sort("iteration")["value"]
    # Both ends of a ping-pong; on a ring a rank and its two neighbours; of a collective everyone.
    hosts = {"comm_time": max(ranks, 2)}.get(str(times["quantity"][0]), 3 if ranks > 1 else 2)
    lengths, watched = detours
    slow = host.slow_samples(values.to_numpy(), lengths, watched, hosts=hosts, level=level)
    return {"series": times["series"][0], "bytes": times["bytes"][0],
            "slow": slow.slow.estimate, "slow_low": _known(slow.slow.low),
            "slow_high": _known(slow.slow.high),
            "limit_ns": slow.limit_ns, "hit": slow.hit, "host_share": slow.host_share}  # fmt: skip


def _known(end: float) -> float | None:
    return None if math.isnan(end) else end


def _recurring(frame: pl.DataFrame) -> pl.DataFrame:
    ranked = frame.filter(
        pl.col("rank").is_not_null()
        & pl.col("iteration").is_not_null()
        & (pl.col("quantity") != "detour")
    )
    if not (ranked["statistic"] == "sample").any():
        return pl.DataFrame()
    parts = []
    for part in slowest.slowest_ranks(ranked).partition_by(KEYS, maintain_order=True):
        if part["ranks"].max() > 1:  # type: ignore[operator]
            often = slowest.recurring(part).filter(pl.col("p_adjusted") < _OFTEN)
            parts.append(
                often.select(
                    *(pl.lit(part[name][0], dtype=part[name].dtype).alias(name) for name in KEYS),
                    pl.lit(len(part)).alias("iterations"),
                    pl.all(),
                )
            )
    return pl.concat(parts) if parts else pl.DataFrame()


def _counters(frame: pl.DataFrame, found: Findings, seed: int) -> pl.DataFrame:
    """Counters against the times of the same iterations, per folder and condition."""
    times = frame.filter(
        (pl.col("statistic") == "sample")
        & pl.col("quantity").is_in(_TIMES)
        & pl.col("iteration").is_not_null()
    )
    counted = rates(frame)
    if counted.resets:
        found.notes.append(
            f"{_number(counted.resets, 'window')} of counters left out: the counter decreased, so "
            "it was reset"
        )
    if counted.without_interval and len(times):
        found.notes.append(
            f"{_number(counted.without_interval, 'count')} left out of rates: the source does not "
            "state over which time they were counted"
        )
    of_iterations = counted.frame.filter(
        pl.col("iteration").is_not_null() & (pl.col("place") != "all NICs").fill_null(value=True)
    )
    parts = []
    folder = pl.col("source").str.replace(r"/[^/]*$", "").alias("_folder")
    both = times.with_columns(folder), of_iterations.with_columns(folder)
    for (name,), some in both[0].group_by("_folder", maintain_order=True):
        fitting = both[1].filter(pl.col("_folder") == name)
        if len(fitting) and (frame["statistic"] == "delta").any():
            parts += _against_time(some, fitting, seed)
    return pl.concat(parts) if parts else pl.DataFrame()


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _against_time(times: pl.DataFrame, counters: pl.DataFrame, seed: int) -> list[pl.DataFrame]:
    """The table of Groves for each series of times whose iterations have counters."""
    iterations, names, values = correlation.matrix(counters)
    if not names:
        return []
    found = []
    for part in times.partition_by("series", "quantity", "bytes", maintain_order=True):
        slowest_rank = part.group_by("iteration").agg(pl.col("value").max())
        known = dict(slowest_rank.iter_rows())
        rows = [at for at, iteration in enumerate(iterations) if iteration in known]
        if len(rows) < correlation.FEWEST:
            continue
        target = np.array([known[iterations[at]] for at in rows])
        table = correlation.table(target, names, values[rows], rng=np.random.default_rng(seed))
        about = [pl.lit(part[name][0], dtype=part[name].dtype).alias(name)
                 for name in ("source", "series", "bytes")]  # fmt: skip
        found.append(table.select(*about, pl.all()))
    return found
