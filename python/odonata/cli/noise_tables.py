"""Tables of ``odonata noise`` about means that a benchmark printed, their ratios, and counters."""

from __future__ import annotations

import polars as pl
from rich.console import Console

from odonata.cli.listing import Listing, plain
from odonata.cli.words import printable

_MOST_ROWS = 40
"""Rows of one table on the screen."""

_MOST_TABLES = 24
"""Benchmarks that get a table of their own on the screen."""

_SCALES = {"ns": ("us", 1e-3), "B/s": ("MB/s", 1e-6), "1/s": ("1/s", 1.0), "ratio": ("%", 100.0),
           "count": ("", 1.0)}  # fmt: skip
"""Unit of the form: unit of a column, as benchmarks print it, and factor to it."""

_ALL_IN = "`--json` has everything"

_PLAIN = {"overall_time": "overall", "compute_time": "compute", "init_time": "init",
          "test_time": "test", "wait_time": "wait", "message_rate": "messages"}  # fmt: skip
"""Quantities under the names that benchmarks give them."""


def print_given(given: pl.DataFrame, console: Console) -> None:
    """Print what benchmarks computed themselves, a table per benchmark and a row per size.

    Parameters
    ----------
    given : polars.DataFrame
        From :func:`odonata.noise.given_means`.
    """
    tests = given.partition_by("source", "series", "condition", maintain_order=True)
    for test in tests[:_MOST_TABLES]:
        _given(test, with_source=given["source"].n_unique() > 1).print(console)
    if len(tests) > _MOST_TABLES:
        _more(console, len(tests) - _MOST_TABLES, "benchmarks")


def _given(test: pl.DataFrame, *, with_source: bool) -> Listing:
    first = test.row(0, named=True)
    names = [first["series"], *([first["condition"]] if first["condition"] else []),
             *([f"({first['source']})"] if with_source else [])]  # fmt: skip
    repetitions = int(test["count"].max())  # type: ignore[arg-type]
    title = printable(" ".join(names))
    title = f"{title}, {repetitions} repetitions" if repetitions > 1 else title
    columns = _columns(test)
    table = Listing(title, all_in=_ALL_IN).labels("size")
    table.numbers(columns[0][1], kept=True).numbers(*(heading for _, heading, _ in columns[1:]))
    if repetitions > 1:
        table.numbers("repetitions from, to")
    for rows in test.partition_by("bytes", maintain_order=True)[:_MOST_ROWS]:
        found = {(row["quantity"], row["statistic"]): row for row in rows.iter_rows(named=True)}
        cells = [
            _scaled(found[key]["value"], unit) if found.get(key) else "" for key, _, unit in columns
        ]
        if repetitions > 1:
            cells.append(_span(found.get(columns[0][0]), columns[0][2]))
        table.row(_size(rows["bytes"][0]), *cells)
    return table


_Column = tuple[tuple[str, str], str, str]
"""Quantity and statistic, heading, unit of the form."""


def _columns(test: pl.DataFrame) -> list[_Column]:
    """What the benchmark states, means first; of one quantity only the statistic is named."""
    rows = test.select("quantity", "statistic", "unit").unique(maintain_order=True)
    order = ["mean", "min", "max", "given"]
    quantities = [name for name in rows["quantity"].unique(maintain_order=True)
                  if name != "iterations"]  # fmt: skip
    found = []
    for quantity in [*quantities, "iterations"]:
        some = rows.filter(pl.col("quantity") == quantity)
        for row in sorted(some.iter_rows(named=True), key=lambda row: _place(order, row)):
            # Beside a time of all, that of the communication alone goes by its name there.
            is_pure = quantity == "latency" and "overall_time" in quantities
            name = "pure comm." if is_pure else _PLAIN.get(quantity, quantity.replace("_", " "))
            heading = _heading(name, row["statistic"], alone=len(quantities) == 1,
                               only_mean=len(some) == 1)  # fmt: skip
            unit = _SCALES[row["unit"]][0]
            key = quantity, row["statistic"]
            found.append((key, f"{heading} ({unit})" if unit else heading, row["unit"]))
    return found


def _place(order: list[str], row: dict[str, str]) -> tuple[int, str]:
    statistic = row["statistic"]
    return (order.index(statistic) if statistic in order else len(order)), statistic


def _heading(name: str, statistic: str, *, alone: bool, only_mean: bool) -> str:
    if name == "iterations" or (only_mean and not alone):
        return name
    return statistic if alone else f"{name} {statistic}"


def _span(row: dict[str, float] | None, unit: str) -> str:
    if row is None or row["count"] == 1:
        return ""
    return f"{_scaled(row['low'], unit)} to {_scaled(row['high'], unit)}"


def _scaled(value: float, unit: str) -> str:
    """A number as benchmarks print it: two decimals, counts and rates of messages without."""
    return f"{value * _SCALES[unit][1]:.{0 if unit in ('count', '1/s') else 2}f}"


def _size(size: int | None) -> str:
    return "" if size is None else f"{size} B"


def too_few(why: str | None) -> str:
    """What stands in place of a number or an interval that the values cannot carry.

    Parameters
    ----------
    why : str or None
        As :attr:`odonata.noise.Dispersion.lacks` has it.
    """
    return f"too few ({why})" if why else "too few"


def print_ratios(means: pl.DataFrame, names: dict[str, str], console: Console) -> None:
    """Print ratios of means, a table per series and quantity and a row per size.

    Parameters
    ----------
    means : polars.DataFrame
        From :func:`odonata.noise.compare_means`.
    names : dict of str to str
        Names of series on the second side, where they differ.
    """
    tests = means.partition_by("series", "quantity", "condition", maintain_order=True)
    for test in tests[:_MOST_TABLES]:
        _ratios(test, names).print(console)
    if len(tests) > _MOST_TABLES:
        _more(console, len(tests) - _MOST_TABLES, "benchmarks")


def _ratios(test: pl.DataFrame, names: dict[str, str]) -> Listing:
    first = test.row(0, named=True)
    series, quantity = first["series"], first["quantity"]
    other = f" against {names[series]}" if names.get(series, series) != series else ""
    condition = f", {first['condition']}" if first["condition"] else ""
    unit = _SCALES[first["unit"]][0]
    name = _PLAIN.get(quantity, quantity.replace("_", " "))
    sources = sources_that_vary(test, ["bytes"])
    title = printable(f"{series}{other}{condition}: means of {name}, first over second")
    table = Listing(title, all_in=_ALL_IN).labels("size")
    table.labels(*sources.values())
    table.numbers(f"first ({unit})", f"second ({unit})")
    table.numbers("ratio", form=".3f", kept=True).numbers("95 % interval", form=".3f")
    table.labels("verdict")
    for row in test.head(_MOST_ROWS).iter_rows(named=True):
        low, high = row["mean_ratio_low"], row["mean_ratio_high"]
        table.row(
            _size(row["bytes"]), *(printable(str(row[side])) for side in sources),
            _scaled(row["mean"], row["unit"]), _scaled(row["mean_against"], row["unit"]),
            row["mean_ratio"], too_few(row["mean_ratio_lacks"]) if low is None else (low, high),
            row["verdict"] or "",
        )  # fmt: skip
    return table


def sources_that_vary(rows: pl.DataFrame, keys: list[str]) -> dict[str, str]:
    """Columns of sources that tell rows of the same keys apart, and what to call them.

    Parameters
    ----------
    rows : polars.DataFrame
        With ``source`` and ``source_against``.
    keys : list of str
        What else rows differ in.
    """
    sides = {"source": "first", "source_against": "second"}
    counts = rows.group_by(keys).agg(pl.col(*sides).n_unique())
    return {side: name for side, name in sides.items() if (counts[side] > 1).any()}


def print_moved(moved: pl.DataFrame, console: Console) -> None:
    """Print how much every counter increased, and where most.

    Parameters
    ----------
    moved : polars.DataFrame
        From :func:`odonata.analysis.counters.moved`.
    """
    counted = moved.filter(pl.col("windows") > 0)
    if len(counted):
        _print_counters(counted, console)
        _print_places(counted, console)
    once = moved.filter(pl.col("windows") == 0)
    if len(once):
        _print_readings(once, console)


def _print_counters(counted: pl.DataFrame, console: Console) -> None:
    """A row per counter: how much, at how many places, and where it grew fastest."""
    grew = pl.col("delta") > 0
    rows = counted.group_by("series", "quantity", "unit", maintain_order=True).agg(
        places=pl.len(),
        moved=grew.sum(),
        delta=pl.col("delta").sum(),
        rate=pl.col("rate_per_s").mean(),
        most=pl.col("place").sort_by("delta", descending=True).first(),
        most_delta=pl.col("delta").max(),
    )
    rows = rows.sort("delta", descending=True, maintain_order=True)
    has_rates = rows["rate"].null_count() < len(rows)
    table = Listing("Counters: total increase, and the place with the largest", all_in=_ALL_IN)
    table.labels("counter").numbers("increase", kept=True)
    table.numbers(*(["per s, mean"] if has_rates else []), "increased at", "largest", "share")
    table.labels("place")
    for row in rows.head(_MOST_ROWS).iter_rows(named=True):
        share = row["most_delta"] / row["delta"] if row["delta"] else None
        table.row(
            printable(f"{row['quantity']} ({row['series']})"), _count(row["delta"]),
            *([_count(row["rate"])] if has_rates else []), _moved_at(row["moved"], row["places"]),
            _count(row["most_delta"]) if row["moved"] else "",
            "" if share is None else f"{share:.0%}" if share >= 0.095 else f"{share:.1%}",
            printable(str(row["most"] or "")) if row["moved"] else "",
        )  # fmt: skip
    table.print(console)
    if len(rows) > _MOST_ROWS:
        _more(console, len(rows) - _MOST_ROWS, "counters")


def _moved_at(moved: int, places: int) -> str:
    """At how many places a counter moved; tables may hold no others."""
    return str(moved) if moved == places else f"{moved} of {places}"


def _print_places(counted: pl.DataFrame, console: Console) -> None:
    """A row per counter and node, if there are several nodes and not too many rows."""
    node = pl.col("place").str.extract(r"^(\S+)").alias("node")
    known = counted.filter(pl.col("place").is_not_null() & ~pl.col("place").str.contains(" to "))
    rows = known.group_by("quantity", "series", node, maintain_order=True).agg(
        pl.col("delta").sum(), rate=pl.col("rate_per_s").sum(), timed=pl.col("rate_per_s").count()
    )
    if rows["node"].n_unique() < 2 or len(rows) > _MOST_ROWS or rows["node"][0] == "tile":
        return
    table = Listing("Counters by node", all_in=_ALL_IN).labels("counter", "node")
    table.numbers("increase", "per s")
    ordered = rows.with_columns(total=pl.col("delta").sum().over("quantity", "series"))
    ordered = ordered.sort("total", "quantity", "delta", descending=[True, False, True],
                           maintain_order=True)  # fmt: skip
    for row in ordered.iter_rows(named=True):
        rate = row["rate"] if row["timed"] else None
        table.row(printable(f"{row['quantity']} ({row['series']})"), printable(row["node"]),
                  _count(row["delta"]), _count(rate))  # fmt: skip
    table.print(console)


def _print_readings(once: pl.DataFrame, console: Console) -> None:
    """Counters that were read once."""
    rows = once.group_by("series", "quantity", maintain_order=True).agg(
        places=pl.len(), low=pl.col("last").min(), high=pl.col("last").max()
    )
    table = Listing("Counters with a single reading: their increase is unknown", all_in=_ALL_IN)
    table.labels("counter").numbers("places", "least", "most")
    for row in rows.head(_MOST_ROWS).iter_rows(named=True):
        table.row(printable(f"{row['quantity']} ({row['series']})"), row["places"],
                  _count(row["low"]), _count(row["high"]))  # fmt: skip
    table.print(console)
    if len(rows) > _MOST_ROWS:
        _more(console, len(rows) - _MOST_ROWS, "counters")


def print_stated(stated: pl.DataFrame, console: Console) -> None:
    """Print counters of which the source states averages and extremes.

    Parameters
    ----------
    stated : polars.DataFrame
        From :func:`odonata.output.noise.means.stated_counters`.
    """
    names = [name for name in ("minimum", "mean", "maximum")
             if stated[name].null_count() < len(stated)]  # fmt: skip
    table = Listing("Counters as the source reports them", all_in=_ALL_IN).labels("counter", "unit")
    table.numbers(*names)
    for row in stated.head(_MOST_ROWS).iter_rows(named=True):
        table.row(printable(f"{row['quantity']} ({row['series']})"), row["unit"],
                  *(_count(row[name]) for name in names))  # fmt: skip
    table.print(console)
    if len(stated) > _MOST_ROWS:
        _more(console, len(stated) - _MOST_ROWS, "counters")


def _count(value: float | None) -> str:
    """A count as it is, anything between in three digits."""
    if value is None:
        return ""
    return f"{value:.0f}" if value == int(value) else plain(value)


def _more(console: Console, count: int, what: str) -> None:
    console.print(f"... and {count} more {what}: --series NAME selects, --json has all.",
                  markup=False, soft_wrap=True)  # fmt: skip
