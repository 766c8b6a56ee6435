"""Replicas on the screen: a row per variant with its interval, and what differs between two."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from odonata.analysis import replicas
from odonata.cli.screen import duration, new_table
from odonata.results import Sweep

_MOST_ROWS = 30
_WISHED = 0.02
"""Width for which the number of replicas is said where no other is asked for."""

_SHOWN = {
    replicas.SLOWDOWN: "slowdown",
    "comm_time_ns_mean": "communication time",
    "accepted_load": "accepted load",
    "packet_latency_ns_mean": "packet latency, mean",
    "packet_latency_ns_p99": "packet latency, p99",
}
"""Quantities on the screen; the tables `intervals` and `differences` have all."""


def print_replicas(sweep: Sweep, console: Console, *, width: float | None = None) -> None:
    """Print what replicas say: intervals, differences of variants, how many more are needed.

    Parameters
    ----------
    sweep : Sweep
        With several replicas.
    console : rich.console.Console
        Where.
    width : float, optional
        Wished width of intervals over their estimates.
    """
    found = _chosen(sweep.intervals())
    if found.is_empty():
        console.print("No replica came to its end: there is nothing to give an interval of.")
        return
    console.print(_intervals_table(sweep, found))
    changes = _chosen(sweep.differences())
    changes = changes.filter(pl.col("verdict").is_not_null())
    if len(changes):
        console.print(_differences_table(changes))
    if len(found) > _MOST_ROWS or len(changes) > _MOST_ROWS:
        console.print("The rest: odonata query DIR 'SELECT * FROM intervals', or FROM differences.",
                      markup=False)  # fmt: skip
    for line in _sentences(sweep, width or _WISHED):
        console.print(escape(line), soft_wrap=True)


def _chosen(found: pl.DataFrame) -> pl.DataFrame:
    """What fits the screen: where jobs are slowed down or timed, the network as a whole is not."""
    shown = found.filter(pl.col("quantity").is_in(list(_SHOWN)))
    timed = shown.filter(pl.col("quantity").is_in(["slowdown", "comm_time_ns_mean"]))
    jobs = pl.col("job").is_not_null()
    if len(timed):
        jobs &= pl.col("job").is_in(timed["job"].unique().to_list())
        return shown.filter(jobs & (pl.col("quantity") != "accepted_load"))
    return shown.filter(~jobs)


def _intervals_table(sweep: Sweep, found: pl.DataFrame) -> Table:
    keys = [key for key in sweep.keys if key != replicas.SEED]
    table = new_table(f"Over {sweep.replicas} replicas: estimates with 95 % intervals")
    for name in (*(key.rpartition(".")[2] for key in keys), "job", "quantity"):
        table.add_column(escape(name))
    for name in ("replicas", "estimate", "95 % interval", "width"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.head(_MOST_ROWS).iter_rows(named=True):
        text = _writer(row)
        interval = ""
        if row["value_low"] is not None:
            interval = f"{text(row['value_low'])} to {text(row['value_high'])}"
        table.add_row(
            *(escape(str(row[key])) for key in keys), escape(row["job"] or "network"),
            _SHOWN[row["quantity"]], str(row["replicas"]), text(row["value"]), interval,
            "" if row["width"] is None else f"{row['width']:.2%}",
        )  # fmt: skip
    return table


def _differences_table(changes: pl.DataFrame) -> Table:
    table = new_table("Differences of variants, replica by replica (the same random numbers)")
    for name in ("variant", "against", "job", "quantity"):
        table.add_column(name)
    for name in ("difference", "95 % interval"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for row in changes.head(_MOST_ROWS).iter_rows(named=True):
        text = _signed(_writer(row))
        table.add_row(
            escape(row["variant"]), escape(row["against"]), escape(row["job"] or "network"),
            _SHOWN[row["quantity"]], text(row["difference"]),
            f"{text(row['difference_low'])} to {text(row['difference_high'])}", row["verdict"],
        )  # fmt: skip
    return table


def _writer(row: Mapping[str, Any]) -> Callable[[float], str]:
    return duration if row["unit"] == "ns" else "{:.4g}".format


def _signed(text: Callable[[float], str]) -> Callable[[float], str]:
    def signed(value: float) -> str:
        sign = "+" if value > 0 else "-" if value < 0 else ""
        return sign + text(math.fabs(value)) if value else "0"

    return signed


def _sentences(sweep: Sweep, width: float) -> list[str]:
    lines = []
    found = replicas.headline(sweep.intervals())
    missing = max(found["missing"].to_list(), default=0)
    if missing:
        lines.append(
            f"Up to {missing} replicas of a variant have no value, since a run or a job in it did "
            "not end: the intervals are of the others."
        )
    wanted = sweep.replicas_for(width)
    if wanted is None:
        lines.append("There are too few replicas for intervals: give replicas = 5 or more.")
    elif wanted > sweep.replicas:
        lines.append(
            f"Intervals of {width:.2g} of their estimate would need about {wanted} replicas, "
            f"{wanted - sweep.replicas} more (--until-width {100 * width:g}% runs them)."
        )
    else:
        lines.append(f"Every interval is within {width:.2g} of its estimate.")
    return lines
