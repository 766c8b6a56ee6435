"""Comparisons of whole frames: one against another, modes that alternate, replicas by seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl

from odonata.analysis import pairs
from odonata.analysis.dispersion import Dispersion, describe, series
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.output.noise.matching import Key, matched, unmatched
from odonata.results import Sweep

SEED = "seed"
"""Key of a sweep whose values are replicas."""


def compare(frame: pl.DataFrame, against: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Series of one frame against the same series of another.

    Series are the same if series, condition, quantity, unit and size agree. A condition that one
    side does not state agrees with any, and `comm_time` with `latency`: both are the time of a
    call. What came from several files or runs is not pooled: allocations differ (De Sensi et al.
    2019, section 3.1).

    Parameters
    ----------
    frame, against : polars.DataFrame
        In the form.
    level : float
        Confidence.

    Returns
    -------
    polars.DataFrame
        A row per common series: ``source``, ``source_against`` and the columns above; ``count``,
        ``count_against``; ``median``,
        ``median_against``; ``median_ratio``, ``quartile_dispersion_ratio`` and ``p99_ratio`` with
        ``_low`` and ``_high`` (null where a sample cannot carry them; a p99 that it cannot carry
        has no ratio, either; ``_lacks`` says why: :attr:`odonata.noise.Dispersion.lacks` of the
        first side, or of the second); ``verdict`` on the median:
        `lower`, `higher` or `no difference seen`.

    Raises
    ------
    AnalysisError
        No series is in both, or one comes from several sources.
    """
    first, second = sampled(frame), sampled(against)
    pairs_of_keys = matched(first, second)
    if not pairs_of_keys:
        raise AnalysisError(unmatched(frame, against, {"first": first, "second": second}))
    several = next((key for one, two in pairs_of_keys for side, key in ((first, one), (second, two))
                    if side[key] > 1), None)  # fmt: skip
    if several is not None:
        raise AnalysisError(
            f"series {several.series} comes from several files or runs; what was measured in "
            "different allocations is not pooled: give one of them"
        )
    return compare_pairs(frame, against, pairs_of_keys, level=level)


def compare_pairs(
    frame: pl.DataFrame,
    against: pl.DataFrame,
    pairs_of_keys: Sequence[tuple[Key, Key]],
    *,
    level: float = LEVEL,
) -> pl.DataFrame:
    """As :func:`compare`, of pairs of series that were matched before; empty without any.

    Where a series comes from several sources, there is a row for each pair of them.
    """
    wanted = [{key[side] for key in pairs_of_keys} for side in (0, 1)]
    first, second = _described(frame, level, wanted[0]), _described(against, level, wanted[1])
    rows = [
        {"source": source, "source_against": source_against,
         **one._replace(condition=one.condition or other.condition)._asdict(),
         **_compared(mine, theirs)}
        for one, other in pairs_of_keys
        for source, mine in first[one].items()
        for source_against, theirs in second[other].items()
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def sampled(frame: pl.DataFrame) -> dict[Key, int]:
    """Series of samples of a frame, and from how many sources they come."""
    samples = frame.filter(pl.col("statistic") == "sample")
    counted = samples.group_by(Key._fields, maintain_order=True).agg(pl.col("source").n_unique())
    return {Key(*row[:-1]): row[-1] for row in counted.iter_rows()}


def _described(
    frame: pl.DataFrame, level: float, wanted: set[Key]
) -> dict[Key, dict[str, Dispersion]]:
    """Series by source."""
    found: dict[Key, dict[str, Dispersion]] = {}
    for names, values, ordered in series(frame):
        key = Key(*(names[name] for name in Key._fields))  # type: ignore[arg-type]
        if key in wanted:
            described = describe(values, ordered=ordered, level=level)
            found.setdefault(key, {})[str(names["source"])] = described
    return found


def _compared(one: Dispersion, other: Dispersion) -> dict[str, object]:
    median = _ratio(one.median, other.median)
    return {
        "count": one.count,
        "count_against": other.count,
        "median": one.median_value,
        "median_against": other.median_value,
        **_cells("median_ratio", median),
        "median_ratio": _quotient(one.median_value, other.median_value),
        **_cells("quartile_dispersion_ratio",
                 _ratio(one.quartile_dispersion, other.quartile_dispersion)),
        "quartile_dispersion_ratio": _quotient(one.quartile_dispersion_value,
                                               other.quartile_dispersion_value),
        **_cells("p99_ratio", _ratio(one.p99, other.p99)),
        **{f"{name}_ratio_lacks": one.lacks.get(name) or other.lacks.get(name)
           for name in ("median", "quartile_dispersion", "p99")},
        "verdict": None if median is None else pairs.Comparison(ratio=median, pairs=0).verdict,
    }  # fmt: skip


def _quotient(one: float, other: float) -> float | None:
    """A ratio that needs no interval; nothing where one of both is not above 0."""
    return one / other if one > 0.0 and other > 0.0 else None


def _ratio(one: Interval | None, other: Interval | None) -> Interval | None:
    if one is None or other is None or min(one.low, other.low) <= 0.0:
        return None
    return one.over(other)


def _cells(name: str, found: Interval | None) -> dict[str, float | None]:
    return {
        name: None if found is None else found.estimate,
        f"{name}_low": None if found is None else found.low,
        f"{name}_high": None if found is None else found.high,
    }


def alternated_modes(
    frame: pl.DataFrame,
    *,
    statistic: Literal["median", "mean"] = "median",
    level: float = LEVEL,
) -> pl.DataFrame:
    """Compare conditions that took turns on successive iterations of one series.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form. Looked at are series of one source whose conditions share no iteration and
        begin one after the other; the first condition is what others are compared with.
    statistic : {"median", "mean"}
        See :func:`odonata.analysis.alternated`.
    level : float
        Confidence.

    Returns
    -------
    polars.DataFrame
        A row per series and further condition: ``source``, ``series``, ``quantity``, ``bytes``,
        ``condition``, ``against``, ``pairs``, ``effective``, ``ratio`` with ``_low`` and ``_high``,
        ``verdict``. Empty if no conditions alternate.

    Raises
    ------
    AnalysisError
        There are too few pairs for an interval, or a value is not above 0.
    """
    rows = []
    for keys, turns in _taking_turns(frame):
        against, *others = turns
        for condition in others:
            count = min(len(turns[condition]), len(turns[against]))
            found = pairs.alternated(turns[condition][:count], turns[against][:count],
                                     statistic=statistic, level=level)  # fmt: skip
            rows.append({**keys, "condition": condition, "against": against,
                         "pairs": found.pairs, "effective": found.effective,
                         **_cells("ratio", found.ratio), "verdict": found.verdict})  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


_TURNS = ["source", "series", "quantity", "bytes"]


def _taking_turns(
    frame: pl.DataFrame,
) -> list[tuple[dict[str, object], dict[str, np.ndarray]]]:
    """Series whose conditions alternate, each with its values by condition, in turn."""
    samples = frame.filter(
        (pl.col("statistic") == "sample")
        & pl.col("iteration").is_not_null()
        & pl.col("condition").is_not_null()
    )
    found = []
    for part in samples.partition_by(_TURNS, maintain_order=True):
        slowest = part.group_by("condition", "iteration").agg(pl.col("value").max())
        slowest = slowest.sort("iteration", "condition")
        names = slowest["condition"].unique(maintain_order=True).to_list()
        turns = len(names)
        begins = slowest["condition"].head(turns).n_unique() == turns
        if turns < 2 or not begins or slowest["iteration"].n_unique() != len(slowest):
            continue
        values = {
            str(name): slowest.filter(pl.col("condition") == name)["value"].to_numpy()
            for name in names
        }
        found.append(({name: part[name][0] for name in _TURNS}, values))
    return found


def slowdowns(sweep: Sweep, *, level: float = LEVEL) -> pl.DataFrame:
    """Slowdown of every victim of a sweep over seeds, each seed beside others and alone.

    Parameters
    ----------
    sweep : Sweep
        With `seed` among its keys, and isolated runs.
    level : float
        Confidence.

    Returns
    -------
    polars.DataFrame
        A row per victim and variant (swept keys but the seed): these keys as text, ``job``,
        ``seeds``, ``slowdown`` with ``_low`` and ``_high`` (null below
        :data:`odonata.analysis.FEWEST_PAIRS` seeds), ``verdict``. Empty without victims.

    Raises
    ------
    AnalysisError
        The sweep is not one over seeds.
    """
    if SEED not in sweep.keys:
        raise AnalysisError(
            "slowdown by seeds: `seed` is no key of the sweep; give a list of seeds in [sweep]"
        )
    variants = [key for key in sweep.keys if key != SEED]
    times: dict[tuple[tuple[str, ...], str], list[tuple[float, float]]] = {}
    for row in sweep.index.iter_rows(named=True):
        place = tuple(str(row[key]) for key in variants)
        for name, job in sweep.runs[row["run"]].jobs.items():
            if job.slowdown is not None and job.comm_time_ns and job.baseline_comm_time_ns:
                pair = (job.comm_time_ns, job.baseline_comm_time_ns)
                times.setdefault((place, name), []).append(pair)
    rows = list[dict[str, object]]()
    for (place, name), measured in times.items():
        rows.append({**dict(zip(variants, place, strict=True)), "job": name,
                     **_slowdown(measured, level)})  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def _slowdown(measured: list[tuple[float, float]], level: float) -> dict[str, object]:
    """Seeds, slowdown with its interval if they carry one, verdict."""
    beside, alone = (np.array(side) for side in zip(*measured, strict=True))
    row: dict[str, object] = {"seeds": len(measured)}
    if len(measured) >= pairs.FEWEST_PAIRS:
        found = pairs.slowdown_interval(beside, alone, level=level)
        return {**row, **_cells("slowdown", found.ratio), "verdict": found.verdict}
    ratio = float(np.exp(np.log(beside / alone).mean()))
    return {**row, "slowdown": ratio, "slowdown_low": None, "slowdown_high": None, "verdict": None}
