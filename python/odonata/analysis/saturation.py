"""At which load a network saturates: between which loads of a sweep, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from odonata.analysis import replicas
from odonata.analysis.impact import mean_interval

_DIGITS = 6
_FEWEST = 3


def bracket(saturated: Mapping[float, bool]) -> tuple[float | None, float | None]:
    """The loads between which a curve saturates.

    Parameters
    ----------
    saturated : mapping
        Whether the network is, by load.

    Returns
    -------
    tuple of float or None
        The highest load below every saturated one, and the lowest saturated one; ``None`` where
        there is none.

    Examples
    --------
    >>> bracket({0.5: True, 0.1: False, 0.3: False, 0.7: True})
    (0.3, 0.5)
    """
    high = min((load for load, mark in saturated.items() if mark), default=None)
    below = [load for load in saturated if high is None or load < high]
    return max(below, default=None), high


def next_load(saturated: Mapping[float, bool], within: float) -> float | None:
    """The load that halves the bracket of a curve; ``None`` if it is narrow enough, or has no ends.

    Examples
    --------
    >>> next_load({0.1: False, 0.5: True}, within=0.01)
    0.3
    """
    low, high = bracket(saturated)
    if low is None or high is None or high - low <= within:
        return None
    middle = round((low + high) / 2, _DIGITS)
    return middle if low < middle < high else None


def saturation(index: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Where each curve of a sweep over a load saturates.

    Parameters
    ----------
    index : polars.DataFrame
        Of a sweep: a row per run.
    keys : sequence of str
        Its swept keys.

    Returns
    -------
    polars.DataFrame
        A row per combination of the swept keys but the load and the seed: these keys, ``replicas``,
        ``saturation``, ``saturation_low``, ``saturation_high``, ``is_interval``,
        ``accepted_load_max``. Of one curve, and of two, low and high are the loads between which it
        saturates, and ``saturation`` is their middle; low is null if every load saturates, high if
        none does, and there is no middle then. From three replicas on that all have both ends,
        ``saturation`` is the mean of their middles with Student's 95 % interval, wider by half the
        mean distance of the ends (``is_interval``). Empty where no load is swept.
    """
    load = next((key for key in keys if key.endswith(".load")), None)
    known = index.drop_nulls("saturated") if "saturated" in index.columns else index.clear()
    if load is None or known.is_empty():
        return pl.DataFrame()
    others = [key for key in keys if key not in (load, replicas.SEED)]
    parts = known.partition_by(others, maintain_order=True) if others else [known]
    rows = [{**{key: part[key][0] for key in others}, **_of_curve(part, load)} for part in parts]
    return pl.DataFrame(rows, infer_schema_length=None)


def _of_curve(part: pl.DataFrame, load: str) -> dict[str, Any]:
    seeds = part.partition_by(replicas.SEED) if replicas.SEED in part.columns else [part]
    ends = [bracket(dict(zip(one[load], one["saturated"], strict=True))) for one in seeds]
    whole = [(low, high) for low, high in ends if low is not None and high is not None]
    row = {"replicas": len(ends), "accepted_load_max": part["accepted_load"].max()}
    middles = np.array([(low + high) / 2 for low, high in whole])
    is_sure = len(whole) == len(ends) >= _FEWEST
    found = mean_interval(middles, ordered=False) if is_sure else None
    if found is not None:
        half = float(np.mean([high - low for low, high in whole])) / 2
        return row | {"saturation": found.estimate, "saturation_low": found.low - half,
                      "saturation_high": found.high + half, "is_interval": True}  # fmt: skip
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    low = None if None in lows else min(lows)  # type: ignore[type-var]
    high = None if None in highs else max(highs)  # type: ignore[type-var]
    middle = None if low is None or high is None else (low + high) / 2
    return row | {"saturation": middle, "saturation_low": low, "saturation_high": high,
                  "is_interval": False}  # fmt: skip


def ends_in_words(low: float | None, high: float | None) -> str:
    """Between which loads a curve saturates, in words.

    Examples
    --------
    >>> ends_in_words(0.3, 0.5), ends_in_words(None, 0.1), ends_in_words(0.9, None)
    ('0.3 to 0.5', 'below 0.1', 'above 0.9')
    """
    if low is None or high is None:
        return f"below {high:.4g}" if high is not None else f"above {low:.4g}"
    return f"{low:.4g} to {high:.4g}"
