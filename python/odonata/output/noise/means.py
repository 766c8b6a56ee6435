"""Means of series, also of those of which only the mean is known, and their ratios."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from odonata.analysis.frames import AnalysisError
from odonata.analysis.impact import mean_interval
from odonata.analysis.pairs import Comparison
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.output.noise.matching import Key, matched

_TIMES_AND_RATES = ("ns", "B/s", "1/s", "ratio")
"""Units of numbers that are looked at: others belong to counters."""

_KEYS = list(Key._fields)

_SEED = re.compile(r"(^|[/,])seed=[^/,]*(?=$|[/,])")
"""What tells the replicas of a sweep apart in the names of their runs."""

_FEWEST = 3
"""Repetitions of which a mean has an interval."""


@dataclass(slots=True)
class _Mean:
    """Means of one series from one source, or from the replicas of one variant."""

    values: list[float] = field(default_factory=list)
    iterations: int = 0
    interval: Interval | None = None

    @property
    def count(self) -> int:
        """Of how many numbers it is the mean: replicas, repetitions, or else iterations."""
        return max(self.iterations, 1) if len(self.values) == 1 else len(self.values)

    @property
    def lacks(self) -> str:
        """Why it has no interval, if it has none."""
        if self.iterations and len(self.values) == 1:
            return "dependent iterations"
        return f"{len(self.values)} of {_FEWEST} repetitions"

    def together(self, level: float) -> Interval | float:
        """The mean, with its interval if there is one."""
        if len(self.values) == 1:
            return self.interval or self.values[0]
        values = np.array(self.values)
        found = (
            mean_interval(values, level=level, ordered=False) if len(values) >= _FEWEST else None
        )
        return found or float(values.mean())


def given_means(frame: pl.DataFrame) -> pl.DataFrame:
    """What benchmarks computed themselves, a row per series, size, quantity and statistic.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form. Looked at are measured numbers that are no single observations: of benchmarks
        such as OSU and IMB.

    Returns
    -------
    polars.DataFrame
        ``source``, ``series``, ``condition``, ``quantity``, ``unit``, ``statistic``, ``bytes``;
        ``count``: how often the test stands in the source; ``value``: the mean of the repetitions,
        of a `min` the smallest, of a `max` the largest; ``low`` and ``high``: the smallest and the
        largest of them.
    """
    stated = pl.col("statistic").is_in(["sample", "total", "delta"]).not_()
    rows = frame.filter(
        (pl.col("world") == "measured")
        & stated
        & pl.col("place").is_null()
        & pl.col("rank").is_null()
        & (pl.col("unit").is_in(_TIMES_AND_RATES) | (pl.col("quantity") == "iterations"))
    )
    has_mean = (pl.col("statistic") == "mean").any().over("source", "series", "condition")
    keys = ["source", "series", "condition", "quantity", "unit", "statistic", "bytes"]
    statistic = pl.col("statistic").first()
    value = pl.col("value")
    return (
        rows.filter(has_mean)
        .group_by(keys, maintain_order=True)
        .agg(
            count=pl.len(),
            value=pl.when(statistic == "min")
            .then(value.min())
            .when(statistic == "max")
            .then(value.max())
            .otherwise(value.mean()),
            low=value.min(),
            high=value.max(),
        )
    )


def stated_counters(frame: pl.DataFrame) -> pl.DataFrame:
    """Counters and rates of which the source states no count: its averages and extremes.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form, such as of the summary of Cray MPICH, or of metrics of LDMS that are rates.

    Returns
    -------
    polars.DataFrame
        ``source``, ``series``, ``quantity``, ``unit``, ``places``, ``minimum``, ``mean``,
        ``maximum``: over places and readings.
    """
    rows = frame.filter(
        (pl.col("world") == "measured")
        & pl.col("place").is_not_null()
        & pl.col("statistic").is_in(["min", "mean", "max"])
        & (pl.col("unit") != "ns")
    )
    return rows.group_by("source", "series", "quantity", "unit", maintain_order=True).agg(
        places=pl.col("place").n_unique(),
        minimum=pl.col("value").min(),
        mean=pl.col("value").filter(pl.col("statistic") == "mean").mean(),
        maximum=pl.col("value").max(),
    )


def keys_of_means(frame: pl.DataFrame) -> list[Key]:
    """Series that have a mean, from samples or stated."""
    return list(dict.fromkeys(Key(*row) for row in _with_means(frame).select(_KEYS).iter_rows()))


def compare_means(
    frame: pl.DataFrame,
    against: pl.DataFrame,
    *,
    level: float = LEVEL,
    but: Collection[tuple[Key, Key]] = (),
) -> pl.DataFrame:
    """Ratios of means of one frame to those of the same series of another.

    A mean is that over iterations and ranks, as OSU, IMB and GPCNeT state it, or the mean that the
    source states. Series are the same as in :func:`odonata.noise.compare`. Runs of a sweep that
    differ in their seed only are replicas: each counts as one value. Other sources are not pooled,
    but compared one by one.

    Parameters
    ----------
    frame, against : polars.DataFrame
        In the form.
    level : float
        Confidence.
    but : collection of tuple of Key
        Pairs of series to leave out.

    Returns
    -------
    polars.DataFrame
        A row per pair of sources of a common series: ``source``, ``source_against``, ``series``,
        ``condition``, ``quantity``, ``unit``, ``bytes``; ``count`` and ``count_against``: replicas,
        repetitions or iterations; ``mean``, ``mean_against``; ``mean_ratio`` with ``_low`` and
        ``_high`` (null unless both means have an interval) and ``_lacks`` (why there is none);
        ``verdict`` (null without interval).
        Empty if nothing is on both sides.
    """
    first, second = _means(frame, level), _means(against, level)
    rows = []
    for one, other in matched(first, second):
        if (one, other) in but:
            continue
        for source, mean in first[one].items():
            for source_against, mean_against in second[other].items():
                key = one._replace(condition=one.condition or other.condition)
                rows.append({"source": source, "source_against": source_against, **key._asdict(),
                             **_compared(mean, mean_against, level)})  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def _with_means(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows from which means follow."""
    return frame.filter(
        (
            (pl.col("statistic") == "sample")
            & pl.col("quantity").is_in(["latency", "comm_time", "bandwidth"])
        )
        | ((pl.col("statistic") == "mean") & pl.col("place").is_null())
    ).filter(pl.col("unit").is_in(_TIMES_AND_RATES))


def _means(frame: pl.DataFrame, level: float) -> dict[Key, dict[str, _Mean]]:
    """Means by series and source; replicas are one source."""
    found: dict[Key, dict[str, _Mean]] = {}
    for part in _with_means(frame).partition_by("source", *_KEYS, maintain_order=True):
        key = Key(*part.select(_KEYS).row(0))
        source = str(part["source"][0])
        replica = _SEED.sub("", source) if part["world"][0] == "simulated" else source
        mean = found.setdefault(key, {}).setdefault(replica, _Mean())
        _add(part, mean, level)
    return found


def _add(part: pl.DataFrame, mean: _Mean, level: float) -> None:
    samples = part.filter(pl.col("statistic") == "sample")
    if samples.is_empty():
        # Each repetition of a test is one value.
        mean.values.extend(part["value"].to_list())
        return
    ordered = samples["iteration"].null_count() == 0
    if ordered:
        samples = samples.group_by("iteration").agg(pl.col("value").mean()).sort("iteration")
    values = samples["value"].to_numpy()
    mean.iterations = len(values)
    mean.interval = mean_interval(values, level=level, ordered=ordered) if len(values) > 2 else None
    mean.values.append(float(values.mean()))


def _compared(one: _Mean, other: _Mean, level: float) -> dict[str, object]:
    first, second = one.together(level), other.together(level)
    ends = _estimate(first), _estimate(second)
    ratio = None
    if isinstance(first, Interval) and isinstance(second, Interval):
        try:
            ratio = first.over(second)
        except AnalysisError:  # an end is not above 0
            ratio = None
    return {
        "count": one.count,
        "count_against": other.count,
        "mean": ends[0],
        "mean_against": ends[1],
        "mean_ratio": ends[0] / ends[1] if ends[1] > 0 else None,
        "mean_ratio_low": None if ratio is None else ratio.low,
        "mean_ratio_high": None if ratio is None else ratio.high,
        "mean_ratio_lacks": next(
            (
                mean.lacks
                for mean, known in ((one, first), (other, second))
                if not isinstance(known, Interval)
            ),
            None,
        ),
        "verdict": None if ratio is None else Comparison(ratio=ratio, pairs=0).verdict,
    }


def _estimate(mean: Interval | float) -> float:
    return mean.estimate if isinstance(mean, Interval) else mean
