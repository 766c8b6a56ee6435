"""``odonata noise``: how noisy times are, measured or simulated, and what explains it."""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.console import Console

from odonata.cli.noise_tables import print_given, print_moved, print_ratios, print_stated
from odonata.cli.screen import duration, new_table, printable, ratio, screen
from odonata.errors import MeasurementError, suggestion
from odonata.results import Sweep, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from odonata.noise import Against, Findings, Measurements

FORMATS = ("netgauge", "osu", "imb", "gpcnet", "ariesncl", "ldms", "dragonview", "darshan",
           "cassini", "cxi", "table")  # fmt: skip
"""Names of formats, here so that other commands need not load the readers."""

_MOST_ROWS = 40
"""Series in the table on the screen."""

_MOST_COUNTERS = 12
"""Counters in it."""

_MOST_SENTENCES = 5
"""Files that cannot be read of which is said why."""


def noise(options: argparse.Namespace) -> int:
    """``odonata noise``."""
    from odonata import noise as room  # noqa: PLC0415 - the readers, for this command only

    measured = _chosen(room.read(options.paths, kind=options.format), options.series)
    against, compared = _against(options, measured)
    found = room.findings(measured.frame, seed=options.seed)
    slowdowns = _slowdowns(options)
    pictures: list[str] = []
    if options.plot:
        from odonata.noise.pictures import draw  # noqa: PLC0415 - takes a second to import

        both = [measured.frame] if against is None else [measured.frame, against.frame]
        pictures = [str(path) for path in draw(room.joined(both), options.plot)]
    if options.json:
        print(json.dumps(_as_json(measured, found, compared, (slowdowns, pictures))))
        return 0
    console = screen()
    if compared is not None:
        _print_against(compared, console)
    if len(slowdowns):
        _print_slowdowns(slowdowns, console)
    _print_findings(found, console)
    _print_notes(measured, found, console)
    for side in filter(None, (measured, against)):
        _print_left_out(side, console)
    for path in pictures:
        console.print(f"Picture: {path}", markup=False, soft_wrap=True)
    return 0


def _against(
    options: argparse.Namespace, measured: Measurements
) -> tuple[Measurements | None, Against | None]:
    """What is compared with, and how it compares."""
    from odonata import noise as room  # noqa: PLC0415 - as above

    if not options.against:
        if options.match:
            raise MeasurementError(
                "--match pairs series of two sides; say what to compare with: --against PATH."
            )
        return None, None
    against = _chosen(room.read(options.against, kind=options.format), _theirs(options))
    return against, room.against(measured.frame, against.frame, match=options.match)


def _slowdowns(options: argparse.Namespace) -> pl.DataFrame:
    """Slowdowns over seeds of every sweep among the paths that has some."""
    from odonata import noise as room  # noqa: PLC0415 - as above

    parts = []
    for path in options.paths:
        sweep = load(path) if room.is_results(path) else None
        if isinstance(sweep, Sweep) and room.SEED in sweep.keys:
            found = room.slowdowns(sweep)
            if len(found):  # there are victims
                parts.append(found.select(pl.lit(str(path)).alias("source"), pl.all()))
    return pl.concat(parts, how="diagonal_relaxed") if parts else pl.DataFrame()


def _print_slowdowns(found: pl.DataFrame, console: Console) -> None:
    table = new_table("Slowdown over seeds, each beside others and alone")
    keys = found.columns[1 : found.columns.index("job") + 1]
    for name in (*keys, "seeds", "slowdown", "95 % interval", "verdict"):
        table.add_column(printable(name))
    for row in found.iter_rows(named=True):
        table.add_row(*(printable(str(row[key] or "")) for key in keys), str(row["seeds"]),
                      ratio(row["slowdown"], 3),
                      _between(row["slowdown_low"], row["slowdown_high"], ""),
                      row["verdict"] or "")  # fmt: skip
    console.print(table)


def _theirs(options: argparse.Namespace) -> list[str]:
    """Series to choose on the second side: those of --series, and what --match calls the same."""
    return [*options.series, *(pair.partition("=")[2].strip() for pair in options.match)] if (
        options.series
    ) else []  # fmt: skip


def _chosen(found: Measurements, names: list[str]) -> Measurements:
    """Only the series that were asked for."""
    if not names:
        return found
    there = [str(name) for name in found.frame["series"].unique(maintain_order=True)]
    wanted = [one for one in there if any(fnmatch.fnmatchcase(one, name) for name in names)]
    if not wanted:
        raise MeasurementError(
            f"there is no series `{names[0]}`.{suggestion(names[0], there[:40])} Give one of "
            "these, or leave --series out."
        )
    kept = found.frame.filter(pl.col("series").is_in(wanted))
    return replace(found, frame=kept)


def _as_json(
    measured: Measurements,
    found: Findings,
    compared: Against | None,
    more: tuple[pl.DataFrame, list[str]],
) -> dict[str, Any]:
    slowdowns, pictures = more
    return {
        "exit_code": 0,
        "sources": measured.formats,
        "skipped": measured.skipped,
        "unreadable": measured.unreadable,
        "rows": len(measured.frame),
        "series": _records(found.series),
        "given": _records(found.given),
        "compared": None if compared is None else _records(compared.medians),
        "compared_means": None if compared is None else _records(compared.means),
        "slowdowns": _records(slowdowns),
        "impact": _records(found.impact),
        "alternated": _records(found.alternated),
        "host": _records(found.host),
        "counters": _records(found.counters),
        "moved": _records(found.moved),
        "stated": _records(found.stated),
        "slowest": _records(found.slowest),
        "answers": found.answers,
        "notes": [*found.notes, *([] if compared is None else compared.notes)],
        "pictures": pictures,
    }


def _records(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON has them: what is no number is null."""
    return [
        {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}
        for row in frame.iter_rows(named=True)
    ]


def _text(value: float | None, unit: str) -> str:
    """A number with its unit."""
    if value is None or math.isnan(value):
        return ""
    return duration(value) if unit == "ns" else f"{value:.4g} {unit}".rstrip()


def _between(low: float | None, high: float | None, unit: str) -> str:
    if low is None or high is None:
        return "too few"
    return f"{_text(low, unit)} to {_text(high, unit)}"


def _print_findings(found: Findings, console: Console) -> None:
    sections: tuple[tuple[pl.DataFrame, Callable[[pl.DataFrame, Console], None]], ...] = (
        (found.series, _print_series),
        (found.given, print_given),
        (found.alternated, _print_alternated),
        (found.host, _print_host),
        (found.slowest, _print_slowest),
        (found.counters, _print_counters),
        (found.moved, print_moved),
        (found.stated, print_stated),
        (found.impact, _print_impact),
    )
    for table, show in sections:
        if len(table):
            show(table, console)


def _print_impact(impact: pl.DataFrame, console: Console) -> None:
    from odonata.noise import gpcnet_tables  # noqa: PLC0415 - as above

    for (source,), part in impact.group_by("source", maintain_order=True):
        console.print(f"{source}, as GPCNeT prints it:", markup=False, soft_wrap=True)
        console.print(gpcnet_tables(part), markup=False, soft_wrap=True, highlight=False)


def _print_series(summary: pl.DataFrame, console: Console) -> None:
    from odonata.noise.labels import labelled  # noqa: PLC0415 - as above

    table = new_table("Noise")
    for name in ("series", "n", "median", "95 % interval", "QCD", "95 % interval", "p95", "p99",
                 "max/median", "lag 1"):  # fmt: skip
        table.add_column(name, justify="left" if name == "series" else "right",
                         overflow="fold")  # fmt: skip
    for row in labelled(summary).head(_MOST_ROWS).iter_rows(named=True):
        unit = str(row["unit"])
        low, high = row["quartile_dispersion_low"], row["quartile_dispersion_high"]
        table.add_row(
            printable(str(row["label"])),
            str(row["count"]),
            _text(row["median"], unit),
            _between(row["median_low"], row["median_high"], unit),
            ratio(row["quartile_dispersion"], 3),
            "too few" if low is None else f"{low:.3f} to {high:.3f}",
            _text(row["p95"], unit) or "too few",
            _text(row["p99"], unit) or "too few",
            ratio(row["maximum_over_median"], 1),
            ratio(row["lag_one"]),
        )
    console.print(table)
    if len(summary) > _MOST_ROWS:
        console.print(f"... and {len(summary) - _MOST_ROWS} series more: --series NAME chooses, "
                      "--json has all.", markup=False, soft_wrap=True)  # fmt: skip


def _print_against(compared: Against, console: Console) -> None:
    if len(compared.medians):
        _print_comparison(compared.medians, console)
    if len(compared.means):
        print_ratios(compared.means, compared.names, console)
    for note in compared.notes:
        console.print(note, markup=False, soft_wrap=True)


def _print_comparison(compared: pl.DataFrame, console: Console) -> None:
    table = new_table("Against: first over second")
    for name in ("series", "median", "95 % interval", "QCD", "95 % interval", "p99", "verdict"):
        table.add_column(name, justify="left" if name == "series" else "right")
    for row in compared.iter_rows(named=True):
        size = "" if row["bytes"] is None else f" {row['bytes']} B"
        cells = [
            part
            for name in ("median_ratio", "quartile_dispersion_ratio")
            for part in (ratio(row[name], 3) or "too few",
                         _between(row[f"{name}_low"], row[f"{name}_high"], ""))
        ]  # fmt: skip
        table.add_row(printable(f"{row['series']}{size}"), *cells,
                      ratio(row["p99_ratio"], 3) or "too few", row["verdict"] or "")  # fmt: skip
    console.print(table)


def _print_alternated(found: pl.DataFrame, console: Console) -> None:
    table = new_table("Modes that took turns: ratio to the first mode")
    for name in ("series", "mode", "to", "pairs", "ratio", "95 % interval", "verdict"):
        table.add_column(name)
    for row in found.iter_rows(named=True):
        table.add_row(printable(str(row["series"])), printable(str(row["condition"])),
                      printable(str(row["against"])), str(row["pairs"]), f"{row['ratio']:.3f}",
                      f"{row['ratio_low']:.3f} to {row['ratio_high']:.3f}",
                      row["verdict"])  # fmt: skip
    console.print(table)


def _print_host(found: pl.DataFrame, console: Console) -> None:
    for (source,), part in found.group_by("source", maintain_order=True):
        first = part.row(0, named=True)
        console.print(
            f"Host noise of {source}: {first['share']:.3%} of the time in detours, "
            f"{first['rate_per_s']:.0f} a second, median {duration(first['median_ns'])}, longest "
            f"{duration(first['maximum_ns'])}.", markup=False, soft_wrap=True,
        )  # fmt: skip
        table = new_table("Slow samples, and what hosts can explain of them at most")
        for name in ("series", "bytes", "slow", "95 % interval", "hosts at most"):
            table.add_column(name, justify="left" if name == "series" else "right")
        known = part.filter(pl.col("series").is_not_null()) if "slow" in part.columns else None
        if known is None or known.is_empty():
            continue
        for row in known.head(_MOST_ROWS).iter_rows(named=True):
            size = "" if row["bytes"] is None else str(row["bytes"])
            table.add_row(printable(str(row["series"])), size, f"{row['slow']:.1%}",
                          f"{row['slow_low']:.1%} to {row['slow_high']:.1%}",
                          "" if row["host_share"] is None or math.isnan(row["host_share"])
                          else f"{row['host_share']:.1%}")  # fmt: skip
        console.print(table)


def _print_slowest(found: pl.DataFrame, console: Console) -> None:
    table = new_table("Ranks that are the slowest more often than chance has it")
    for name in ("series", "rank", "iterations", "share", "p adjusted"):
        table.add_column(name, justify="left" if name == "series" else "right")
    for row in found.head(_MOST_ROWS).iter_rows(named=True):
        table.add_row(printable(str(row["series"])), str(row["rank"]),
                      f"{row['times']} of {row['iterations']}", f"{row['share']:.1%}",
                      f"{row['p_adjusted']:.2g}")  # fmt: skip
    console.print(table)


def _print_counters(found: pl.DataFrame, console: Console) -> None:
    keys = ("source", "series", "bytes")
    for (source, series, size), part in found.group_by(*keys, maintain_order=True):
        name = series if size is None else f"{series} {size} B"
        table = new_table(f"Counters per second against the time of {name} ({source})")
        for column in ("above", "n", "counter", "R2", "p adjusted", "R2 ahead", "by chance"):
            table.add_column(column, justify="left" if column == "counter" else "right")
        for _, rows in part.group_by("above", maintain_order=True):
            if rows["r_squared"].null_count() == len(rows):
                table.add_row(f"{rows['above'][0]:.0%}", str(rows["iterations"][0]), "too few")
                continue
            best = rows.filter(pl.col("counter") == "best of all")
            others = rows.filter(pl.col("counter") != "best of all")
            ordered = others.sort("r_squared", descending=True)
            for row in pl.concat([ordered.head(_MOST_COUNTERS), best]).iter_rows(named=True):
                p = row["p_adjusted"]
                table.add_row(f"{row['above']:.0%}", str(row["iterations"]),
                              printable(str(row["counter"])), ratio(row["r_squared"]),
                              "" if p is None else f"{p:.2g}", ratio(row["r_squared_ahead"]),
                              ratio(row.get("r_squared_chance")))  # fmt: skip
        console.print(table)


def _print_notes(measured: Measurements, found: Findings, console: Console) -> None:
    tables = (found.series, found.given, found.impact, found.counters, found.moved, found.stated)
    if all(table.is_empty() for table in tables):
        kinds = ", ".join(dict.fromkeys(measured.formats.values()))
        console.print(
            f"{len(measured.frame)} numbers ({kinds}), none of them a single observation of a "
            "time: no noise can be stated. `odonata.noise.read` gives them as a table.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    for sentence in found.answers:
        console.print(printable(sentence), markup=False, soft_wrap=True, highlight=False)
    for note in found.notes:
        console.print(f"Note: {note}", markup=False, soft_wrap=True)
    if len(found.given) and found.series.is_empty():
        console.print("Note: these are means that a benchmark printed. It prints no single "
                      "observations, so that nothing is known of the noise within a run.",
                      markup=False, soft_wrap=True)  # fmt: skip


def _print_left_out(side: Measurements, console: Console) -> None:
    """Files of folders and archives that were not read, and why."""
    if side.unreadable:
        read = len(side.formats)
        console.print(f"[yellow]Warning: {len(side.unreadable)} of {read + len(side.unreadable)} "
                      "files cannot be read and are left out:[/]", soft_wrap=True)  # fmt: skip
        for sentence in side.unreadable[:_MOST_SENTENCES]:
            console.print(printable(sentence), markup=False, soft_wrap=True, highlight=False)
        if len(side.unreadable) > _MOST_SENTENCES:
            console.print(f"... and {len(side.unreadable) - _MOST_SENTENCES} more: --json has all.")
    if side.skipped:
        names = [PurePosixPath(name).name for name in side.skipped]
        more = f" and {len(names) - 3} more (--json has all)" if len(names) > 3 else ""
        console.print(f"Skipped, of no known format: {', '.join(names[:3])}{more}.",
                      markup=False, soft_wrap=True)  # fmt: skip
