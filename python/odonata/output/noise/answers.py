"""Two questions answered in sentences: is it the network, and does a mode help."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from odonata.analysis import correlation

_SIGNIFICANT = 0.05
"""Adjusted p value below which a counter is said to correlate with a time."""

_MOST_COUNTERS = 2

_FALLS = ("bandwidth", "message_rate")
"""Quantities of which less is worse."""


def answers(host: pl.DataFrame, counters: pl.DataFrame, alternated: pl.DataFrame) -> list[str]:
    """Sentences of what the tables of findings say together.

    Parameters
    ----------
    host, counters, alternated : polars.DataFrame
        As in :class:`odonata.noise.Findings`; any may be empty.

    Returns
    -------
    list of str
        For each series beside which hosts were watched, how many of its slow iterations hosts can
        explain, and which counters correlate with its time; for each alternating mode, whether it
        is faster. Empty where neither was measured.
    """
    rows = [row for row in host.iter_rows(named=True) if row["series"] is not None]
    return [
        *(_network(row) + _counted(row, counters) for row in rows),
        *(_mode(row) for row in alternated.iter_rows(named=True)),
    ]


def _named(row: dict[str, Any]) -> str:
    size = row["bytes"]
    return str(row["series"]) if size is None else f"{row['series']} {size} B"


def _network(row: dict[str, Any]) -> str:
    limit = f"{row['limit_ns'] / 1e3:.3g} us"
    if row["slow"] == 0.0 or row["host_share"] is None or math.isnan(row["host_share"]):
        return f"{_named(row)}: no iteration was slow (by {limit} or more)."
    slow = f"{_named(row)}: {row['slow']:.1%} of the iterations were slow (by {limit} or more)."
    share = row["host_share"]
    if share < 0.5:
        return (f"{slow} Detours of the hosts explain at most {share:.1%} of these; the others "
                "were delayed in the network or in the MPI library.")  # fmt: skip
    return (f"{slow} Detours of the hosts can explain up to {share:.0%} of these, so the network "
            "is not shown to be the cause.")  # fmt: skip


def _counted(row: dict[str, Any], counters: pl.DataFrame) -> str:
    """Counters that go with the time of a series, over all its iterations."""
    if counters.is_empty() or "bytes" not in counters.columns:
        return ""
    mine = counters.filter(
        (pl.col("series") == row["series"])
        & pl.col("bytes").eq_missing(pl.lit(row["bytes"], dtype=pl.Int64))
        & (pl.col("above") == 0.0)
        & (pl.col("counter") != correlation.BEST)
        & (pl.col("p_adjusted") < _SIGNIFICANT)
    ).sort("r_squared", descending=True)
    found = [f"{one['counter']} (R2 {one['r_squared']:.2f})"
             for one in mine.head(_MOST_COUNTERS).iter_rows(named=True)]  # fmt: skip
    return f" Counters that correlate with its time: {', '.join(found)}." if found else ""


def _mode(row: dict[str, Any]) -> str:
    ends = [row["ratio"], row["ratio_low"], row["ratio_high"]]
    if row["quantity"] not in _FALLS:
        ends = [1 / ends[0], 1 / ends[2], 1 / ends[1]]
    best, low, high = (100.0 * (end - 1.0) for end in ends)
    pair = f"{_named(row)}: {row['condition']} against {row['against']}"
    if low <= 0.0 <= high:
        return f"{pair}: no difference seen (speed {low:+.1f} % to {high:+.1f} %)."
    return (f"{pair} is {'faster' if best > 0 else 'slower'}: speed {best:+.1f} % "
            f"({low:+.1f} % to {high:+.1f} %).")  # fmt: skip
