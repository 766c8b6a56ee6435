"""Replicas on the screen: a row per variant with its interval, and what differs between two."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from rich.console import Console

from odonata.analysis import replicas
from odonata.analysis.saturation import ends_in_words
from odonata.cli.listing import Listing
from odonata.cli.screen import tell
from odonata.cli.words import duration
from odonata.results import Sweep
from odonata.results.replica_summary import wide_words

_MOST_ROWS = 30
_NOT_SEEN = "no difference seen"
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
        Without several replicas there is nothing to say.
    width : float, optional
        Wished width of intervals over their estimates.
    """
    if sweep.replicas == 1:
        return
    found = _chosen(sweep.intervals())
    if found.is_empty():
        console.print("No replica finished, so that there are no intervals.")
        return
    for part in _alike(found):
        _intervals_table(sweep, part).print(console)
    changes = sweep.differences().filter(pl.col("verdict").is_not_null())
    told = _worth_telling(changes).head(_MOST_ROWS)
    for part in _alike(told):
        _differences_table(part).print(console)
    _say_rest({"intervals": len(found) - sum(map(len, _alike(found))),
               "differences": len(changes) - len(told)}, console)  # fmt: skip
    for line in _sentences(sweep, width or _WISHED):
        tell(console, line)


def print_saturation(sweep: Sweep, console: Console) -> None:
    """Print at which load each curve of a sweep over a load saturates."""
    found = sweep.saturation()
    if found.is_empty():
        return
    keys = found.columns[: found.columns.index("replicas")]
    table = Listing("Saturation: load from which on less is accepted than is offered",
                    all_in="`odonata report DIR` has all")  # fmt: skip
    table.labels(*(key.rpartition(".")[2] for key in keys)).numbers("load", form=".4g", kept=True)
    table.labels("between").numbers("accepted at most", form=".4f").numbers("replicas", form="d")
    for row in found.iter_rows(named=True):
        ends = row["saturation_low"], row["saturation_high"]
        table.row(*(str(row[key]) for key in keys), row["saturation"],
                  f"{ends_in_words(*ends)}{' (95 %)' if row['is_interval'] else ''}",
                  row["accepted_load_max"], row["replicas"])  # fmt: skip
    table.print(console)


def _chosen(found: pl.DataFrame) -> pl.DataFrame:
    """What fits the screen: where jobs are slowed down or timed, the network as a whole is not."""
    shown = found.filter(pl.col("quantity").is_in(list(_SHOWN)))
    timed = shown.filter(pl.col("quantity").is_in(["slowdown", "comm_time_ns_mean"]))
    jobs = pl.col("job").is_not_null()
    if len(timed):
        jobs &= pl.col("job").is_in(timed["job"].unique().to_list())
        return shown.filter(jobs & (pl.col("quantity") != "accepted_load"))
    return shown.filter(~jobs)


def _worth_telling(changes: pl.DataFrame) -> pl.DataFrame:
    """Differences that a campaign is about: of its headline, with the first variant, or seen.

    Every pair of variants with every quantity would fill the screen with what nobody asked for.
    """
    found = replicas.headline(changes)
    if found.is_empty():
        return found
    first = changes["against"][0]
    return found.filter((pl.col("against") == first) | (pl.col("verdict") != _NOT_SEEN))


def _alike(found: pl.DataFrame) -> list[pl.DataFrame]:
    """Rows by what they measure (a column of a table has one unit): the headline, then others.

    The headline is whole, however many variants there are; of other quantities what has room.
    """
    if found.is_empty():
        return []
    first = replicas.headline(found)
    ordered = pl.concat([first, found.join(first, on=found.columns, how="anti", nulls_equal=True)])
    shown = ordered.head(max(_MOST_ROWS, len(first)))
    return shown.partition_by("unit", maintain_order=True)


def _say_rest(rest: dict[str, int], console: Console) -> None:
    """How many rows are not shown, and where they are."""
    for name, count in rest.items():
        if count > 0:
            query = f"odonata query DIR 'SELECT * FROM {name}'"  # noqa: S608 - for a user to type
            console.print(f"{count} more {name}: {query}", markup=False, soft_wrap=True)


def _intervals_table(sweep: Sweep, found: pl.DataFrame) -> Listing:
    keys = [key for key in sweep.keys if key != replicas.SEED]
    table = Listing(f"Over {sweep.replicas} replicas: estimates with 95 % intervals",
                    all_in="`odonata query DIR 'SELECT * FROM intervals'` has all")  # fmt: skip
    table.labels(*(key.rpartition(".")[2] for key in keys), "job", "quantity")
    _measured(table, found, "estimate", "95 % interval")
    table.numbers("width", form=".2%").numbers("replicas", form="d")
    for row in found.iter_rows(named=True):
        ends = (row["value_low"], row["value_high"])
        table.row(
            *(str(row[key]) for key in keys), row["job"] or "network", _SHOWN[row["quantity"]],
            row["value"], None if None in ends else ends, row["width"], row["replicas"],
        )  # fmt: skip
    return table


def _differences_table(changes: pl.DataFrame) -> Listing:
    first = changes["against"].unique()
    is_one = len(first) == 1  # then the title has it
    what = f"Differences to {first[0]}" if is_one else "Differences of variants"
    table = Listing(f"{what}, replica by replica (the same random numbers)",
                    all_in="`odonata query DIR 'SELECT * FROM differences'` has all")  # fmt: skip
    table.labels("variant", *(() if is_one else ("against",)), "job", "quantity")
    is_ratio = changes["unit"][0] == "ratio"
    _measured(table, changes, "ratio" if is_ratio else "difference", "95 % interval")
    table.labels("verdict")
    for row in changes.iter_rows(named=True):
        table.row(
            row["variant"], *(() if is_one else (row["against"],)), row["job"] or "network",
            _SHOWN[row["quantity"]], row["difference"],
            (row["difference_low"], row["difference_high"]), row["verdict"],
        )  # fmt: skip
    return table


def _measured(table: Listing, found: pl.DataFrame, *names: str) -> None:
    """Columns of what all rows have the unit of: the answer, which is never left out."""
    unit = found["unit"][0]
    if unit == "ns":
        table.times(*names, kept=True)
    else:
        sign = {"ratio": "x", "fraction": "share"}[unit]
        table.numbers(*(f"{name} [{sign}]" for name in names), form=".4g", kept=True)


def _sentences(sweep: Sweep, width: float) -> list[str]:
    found = replicas.headline(sweep.intervals())
    lines = _wide(sweep, found)
    missing = max(found["missing"].to_list(), default=0)
    if missing:
        lines.append(
            f"Up to {missing} replicas of a variant have no value, since a run or a job in it did "
            "not end; the intervals are of the others."
        )
    wanted = sweep.replicas_for(width)
    if wanted is None:
        lines.append("There are too few replicas for intervals: give replicas = 5 or more.")
    elif wanted > sweep.replicas:
        lines.append(
            f"Intervals as narrow as {100 * width:g} % of their estimate need about {wanted} "
            f"replicas, {wanted - sweep.replicas} more (--until-width {100 * width:g}% runs them)."
        )
    else:
        lines.append(f"Every interval is narrower than {100 * width:g} % of its estimate.")
    return lines


_MOST_WIDE = 6


def _wide(sweep: Sweep, found: pl.DataFrame) -> list[str]:
    """Where replicas differ so much that an estimate alone would hide it."""
    lines = []
    for job, quantity in found.select("job", "quantity").unique(maintain_order=True).rows():
        each = replicas.of_each(sweep.index, sweep.keys, job, quantity)
        for variant, given in each.items():
            told = wide_words(given, _written(quantity))
            if told:
                where = f"{variant}, " if len(each) > 1 else ""
                lines.append(f"{where}{job or 'network'}, {_SHOWN[quantity]}: {told}.")
    more = len(lines) - _MOST_WIDE
    return lines[:_MOST_WIDE] + ([f"{more} more vary as much."] if more > 0 else [])


def _written(quantity: str) -> Callable[[float], str]:
    if quantity == replicas.SLOWDOWN:
        return lambda value: f"{value:.4g}x"
    return duration if "_ns_" in quantity else lambda value: f"{value:.4g}"
