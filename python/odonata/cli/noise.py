"""``odonata noise``: how noisy times are, measured or simulated, and what explains it."""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.console import Console
from rich.markup import escape

from odonata.cli.listing import Listing
from odonata.cli.noise_tables import (
    print_given,
    print_moved,
    print_ratios,
    print_stated,
    sources_that_vary,
    too_few,
)
from odonata.cli.options import Commands, add_json, whole_number
from odonata.cli.screen import screen, tell
from odonata.cli.words import duration, printable
from odonata.core.errors import MeasurementError, suggestion
from odonata.results import Sweep, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from odonata.output.noise import Against, Findings, Measurements

FORMATS = ("netgauge", "osu", "imb", "gpcnet", "ariesncl", "ldms", "dragonview", "darshan",
           "cassini", "cxi", "table")  # fmt: skip
"""Names of formats, here so that other commands need not load the readers."""

_MOST_ROWS = 40
"""Series in the table on the screen."""

_MOST_COUNTERS = 12
"""Counters in it."""

_ALL_IN = "`--json` has everything"

_MOST_SENTENCES = 5
"""Files that cannot be read of which is said why."""


def add(commands: Commands) -> None:
    """Put ``noise`` among the commands."""
    command = commands.add_parser(
        "noise",
        description="Medians, dispersion and tails with intervals of measured files (Netgauge, "
        "OSU, IMB, GPCNeT, AriesNCL, LDMS, DragonView, Darshan, Cassini, Cray MPICH) and of "
        "results of `odonata run`. docs/noise.md says how.",
    )
    command.add_argument(
        "paths", type=Path, nargs="+", metavar="PATH",
        help="file, folder or archive of measurements, or results of `odonata run`",
    )  # fmt: skip
    command.add_argument(
        "--against", type=Path, nargs="+", default=[], metavar="PATH",
        help="compare with these: ratios of the same series, with intervals",
    )  # fmt: skip
    command.add_argument(
        "--match", action="append", default=[], metavar="FIRST=SECOND",
        help="series FIRST and series SECOND of --against are the same test; may be given "
             "several times",
    )  # fmt: skip
    command.add_argument(
        "--beside", metavar="MACHINE",
        help="show what is published of the noise of a machine (such as lumi) or of a fabric "
             "(aries, slingshot, infiniband) beside these numbers, each with its source",
    )  # fmt: skip
    command.add_argument(
        "--simulate",
        action="store_true",
        help="with --beside: simulate a few benchmarks on the preset of the machine, too",
    )
    command.add_argument("--plot", type=Path, metavar="DIR", help="write pictures there")
    command.add_argument(
        "--series", action="append", default=[], metavar="NAME",
        help="only this series; * stands for any text; may be given several times",
    )  # fmt: skip
    command.add_argument("--format", metavar="NAME", help="format of the files "
                         "(default: recognised from their content): "
                         + ", ".join(FORMATS))  # fmt: skip
    command.add_argument(
        "--seed", type=whole_number(0), default=1, metavar="N",
        help="of permutations (default: 1)",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=_either)


def _either(options: argparse.Namespace) -> int:
    """One question or the other."""
    return _beside(options) if options.beside or options.simulate else noise(options)


def noise(options: argparse.Namespace) -> int:
    """``odonata noise``."""
    from odonata.output import noise as room  # noqa: PLC0415 - the readers, for this command only

    measured = chosen(room.read(options.paths, kind=options.format), options.series)
    against, compared = _against(options, measured)
    found = room.findings(measured.frame, seed=options.seed)
    slowdowns = _slowdowns(options)
    pictures: list[str] = []
    if options.plot:
        from odonata.output.noise.pictures import draw  # noqa: PLC0415 - takes a second to import

        both = [measured.frame] if against is None else [measured.frame, against.frame]
        pictures = [str(path) for path in draw(room.joined(both), options.plot)]
    if options.json:
        said = _as_json(measured, found, compared, (slowdowns, pictures))
        if against is not None:
            said["warnings"] += against.warnings
        print(json.dumps(said))
        return 0
    console = screen()
    if compared is not None:
        _print_against(compared, console)
    if len(slowdowns):
        _print_slowdowns(slowdowns, console)
    print_findings(found, console)
    _print_notes(measured, found, console)
    for side in filter(None, (measured, against)):
        _print_left_out(side, console)
    for path in pictures:
        console.print(f"Picture: {path}", markup=False, soft_wrap=True)
    return 0


def _beside(options: argparse.Namespace) -> int:
    """``odonata noise --beside MACHINE``."""
    from odonata.cli import noise_beside  # noqa: PLC0415 - as above
    from odonata.output import noise as room  # noqa: PLC0415 - as above
    from odonata.output.noise import beside  # noqa: PLC0415 - as above

    if not options.beside:
        raise MeasurementError("--simulate needs a machine; add --beside MACHINE.")
    for name in ("against", "match", "plot"):
        if getattr(options, name):
            raise MeasurementError(f"--{name} and --beside are two questions; leave one out.")
    known, missing = beside.published(options.beside)  # before a file is read for a minute
    measured = chosen(room.read(options.paths, kind=options.format), options.series)
    parts = {"published": known, "yours": beside.own(room.findings(measured.frame))}
    ran = None
    if options.simulate:
        parts["simulated"], ran = noise_beside.simulated(options.beside.strip().lower())
    if options.json:
        told = {whose: _records(frame) for whose, frame in parts.items()}
        left_out = {name: getattr(measured, name) for name in ("skipped", "unreadable", "warnings")}
        print(json.dumps({"exit_code": 0, "beside": options.beside, **told, "ran": ran,
                          "not_published": _records(missing), **left_out}))  # fmt: skip
        return 0
    console = screen()
    noise_beside.print_beside(parts, missing, console)
    if parts["yours"].is_empty():
        tell(console, "None of your series is a latency, a bandwidth or a collective.")
    if ran:
        tell(console, f"Simulated: {ran}")
    _print_left_out(measured, console)
    return 0


def _against(
    options: argparse.Namespace, measured: Measurements
) -> tuple[Measurements | None, Against | None]:
    """What is compared with, and how it compares."""
    from odonata.output import noise as room  # noqa: PLC0415 - as above

    if not options.against:
        if options.match:
            raise MeasurementError(
                "--match pairs series of two sides; name the second side: --against PATH."
            )
        return None, None
    against = chosen(room.read(options.against, kind=options.format), _theirs(options))
    return against, room.against(measured.frame, against.frame, match=options.match)


def _slowdowns(options: argparse.Namespace) -> pl.DataFrame:
    """Slowdowns over seeds of every sweep among the paths that has some."""
    from odonata.output import noise as room  # noqa: PLC0415 - as above

    parts = []
    for path in options.paths:
        sweep = load(path) if room.is_results(path) else None
        if isinstance(sweep, Sweep) and room.SEED in sweep.keys:
            found = room.slowdowns(sweep)
            if len(found):  # there are victims
                parts.append(found.select(pl.lit(str(path)).alias("source"), pl.all()))
    return pl.concat(parts, how="diagonal_relaxed") if parts else pl.DataFrame()


def _print_slowdowns(found: pl.DataFrame, console: Console) -> None:
    keys = found.columns[1 : found.columns.index("job") + 1]
    table = Listing("Slowdown over seeds: with the other jobs over alone", all_in=_ALL_IN)
    table.labels(*map(printable, keys)).numbers("seeds").numbers("slowdown", form=".3f", kept=True)
    table.numbers("95 % interval").labels("verdict")
    for row in found.iter_rows(named=True):
        table.row(*(printable(str(row[key] or "")) for key in keys), row["seeds"], row["slowdown"],
                  _between(row, "slowdown"),
                  row["verdict"] or "")  # fmt: skip
    table.print(console)


def _theirs(options: argparse.Namespace) -> list[str]:
    """Series to choose on the second side: those of --series, and what --match calls the same."""
    return [*options.series, *(pair.partition("=")[2].strip() for pair in options.match)] if (
        options.series
    ) else []  # fmt: skip


def chosen(found: Measurements, names: list[str]) -> Measurements:
    """Only the series that were asked for.

    Parameters
    ----------
    found : odonata.noise.Measurements
        What was read.
    names : list of str
        Patterns of names; all series without any.
    """
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
        "warnings": [*measured.warnings],
        "rows": len(measured.frame),
        "series": _records(found.series),
        "given": _records(found.given),
        "compared": None if compared is None else _records(compared.medians),
        "compared_means": None if compared is None else _records(compared.means),
        "compared_series": None if compared is None else _records(compared.series),
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


def _known(row: dict[str, Any], name: str) -> float | str:
    value: float | None = row[name]
    return too_few(row.get(f"{name}_lacks")) if value is None else value


def _between(row: dict[str, Any], name: str) -> tuple[float, float] | str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return too_few(row.get(f"{name}_lacks")) if low is None or high is None else (low, high)


def print_findings(found: Findings, console: Console) -> None:
    """Print every table of findings that has rows."""
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
    from odonata.analysis.impact import cut  # noqa: PLC0415 - as above
    from odonata.output.noise import gpcnet_tables  # noqa: PLC0415 - as above

    for (source,), part in impact.group_by("source", maintain_order=True):
        console.print(f"{source}, as GPCNeT prints it:", markup=False, soft_wrap=True)
        console.print(gpcnet_tables(part), markup=False, soft_wrap=True, highlight=False)
        for text in cut(part):
            tell(console, f"Warning: {text}", style="yellow")


def _print_series(summary: pl.DataFrame, console: Console, title: str = "Noise") -> None:
    from odonata.output.noise.labels import labelled  # noqa: PLC0415 - as above

    shown = labelled(summary).head(_MOST_ROWS)
    for part in shown.partition_by("unit", maintain_order=True):
        unit = str(part["unit"][0])
        table = Listing(title if unit == "ns" else f"{title}, in {printable(unit)}", all_in=_ALL_IN)
        table.labels("series").numbers("n")
        columns = ("median", "95 % interval", "p95", "p99")
        table = table.times(*columns) if unit == "ns" else table.numbers(*columns)
        table.numbers("QCD", form=".3f", kept=True).numbers("QCD, 95 % interval", form=".3f")
        table.numbers("max/median", form=".1f").numbers("lag 1", form=".2f")
        for row in part.iter_rows(named=True):
            table.row(
                printable(str(row["label"])), row["count"], row["median"],
                _between(row, "median"), _known(row, "p95"), _known(row, "p99"),
                row["quartile_dispersion"], _between(row, "quartile_dispersion"),
                row["maximum_over_median"], row["lag_one"],
            )  # fmt: skip
        table.print(console)
    if any(shown[f"{name}_lacks"].count() for name in ("median", "p95", "p99")):
        tell(console, "too few (A of B): the series is worth A independent values, and this number "
             "needs B. Values that follow each other alike are worth less than their number; "
             "measure longer, or with pauses.")  # fmt: skip
    if len(summary) > _MOST_ROWS:
        _print_more(len(summary) - _MOST_ROWS, console)


def _print_more(count: int, console: Console) -> None:
    console.print(f"... and {count} more series: --series NAME selects, --json has all.",
                  markup=False, soft_wrap=True)  # fmt: skip


def _print_against(compared: Against, console: Console) -> None:
    if len(compared.medians):
        print_comparison(compared.medians, console)
    if len(compared.means):
        print_ratios(compared.means, compared.names, console)
    if len(compared.series):
        _print_series(compared.series, console, "Noise of the second side")
    for note in compared.notes:
        console.print(note, markup=False, soft_wrap=True)


def print_comparison(compared: pl.DataFrame, console: Console) -> None:
    """Print ratios of series of samples."""
    table = Listing("Ratios: first side over second", all_in=_ALL_IN).labels("series")
    sources = sources_that_vary(compared, ["series", "condition", "quantity", "bytes"])
    table.labels(*sources.values())
    table.numbers("median", form=".3f", kept=True).numbers("95 % interval", form=".3f")
    table.labels("verdict").numbers("QCD", form=".3f", kept=True)
    table.numbers("QCD, 95 % interval", "p99", form=".3f")
    same = compared.group_by("series", "bytes", "source", "source_against").len()
    has_conditions = same["len"].max() != 1
    for row in compared.head(_MOST_ROWS).iter_rows(named=True):
        name = " ".join(
            part
            for part in (
                str(row["series"]),
                str(row["condition"] or "") if has_conditions else "",
                "" if row["bytes"] is None else f"{row['bytes']} B",
            )
            if part
        )
        medians, dispersions = (
            (_known(row, of), _between(row, of))
            for of in ("median_ratio", "quartile_dispersion_ratio")
        )  # fmt: skip
        table.row(printable(name), *(printable(str(row[side])) for side in sources), *medians,
                  row["verdict"] or "", *dispersions, _known(row, "p99_ratio"))  # fmt: skip
    table.print(console)
    if len(compared) > _MOST_ROWS:
        _print_more(len(compared) - _MOST_ROWS, console)


def _print_alternated(found: pl.DataFrame, console: Console) -> None:
    table = Listing("Alternating modes: ratio to the first mode", all_in=_ALL_IN)
    table.labels("series", "mode", "to").numbers("pairs").numbers("ratio", form=".3f", kept=True)
    table.numbers("95 % interval", form=".3f").labels("verdict")
    for row in found.iter_rows(named=True):
        table.row(*(printable(str(row[name])) for name in ("series", "condition", "against")),
                  row["pairs"], row["ratio"], (row["ratio_low"], row["ratio_high"]),
                  row["verdict"])  # fmt: skip
    table.print(console)


def _print_host(found: pl.DataFrame, console: Console) -> None:
    for (source,), part in found.group_by("source", maintain_order=True):
        first = part.row(0, named=True)
        console.print(
            f"Host noise of {source}: {first['share']:.3%} of the time in detours, "
            f"{first['rate_per_s']:.0f} a second, median {duration(first['median_ns'])}, longest "
            f"{duration(first['maximum_ns'])}.", markup=False, soft_wrap=True,
        )  # fmt: skip
        known = part.filter(pl.col("series").is_not_null()) if "slow" in part.columns else None
        if known is None or known.is_empty():
            continue
        table = Listing(
            "Slow samples, and the largest share that host detours can explain", all_in=_ALL_IN
        )
        table.labels("series").numbers("bytes").numbers("slow", form=".1%", kept=True)
        table.numbers("95 % interval", "hosts at most", form=".1%")
        for row in known.head(_MOST_ROWS).iter_rows(named=True):
            table.row(printable(str(row["series"])), row["bytes"], row["slow"],
                      _between(row, "slow"), row["host_share"])  # fmt: skip
        table.print(console)


def _print_slowest(found: pl.DataFrame, console: Console) -> None:
    table = Listing("Ranks that are the slowest more often than by chance", all_in=_ALL_IN)
    table.labels("series", "rank", "iterations").numbers("share", form=".1%", kept=True)
    table.numbers("p adjusted", form=".2g")
    for row in found.head(_MOST_ROWS).iter_rows(named=True):
        table.row(printable(str(row["series"])), str(row["rank"]),
                  f"{row['times']} of {row['iterations']}", row["share"],
                  row["p_adjusted"])  # fmt: skip
    table.print(console)


def _print_counters(found: pl.DataFrame, console: Console) -> None:
    keys = ("source", "series", "bytes")
    for (source, series, size), part in found.group_by(*keys, maintain_order=True):
        name = series if size is None else f"{series} {size} B"
        table = Listing(
            f"Counters per second against the time of {name} ({source})", all_in=_ALL_IN
        )
        table.labels("above", "counter").numbers("n").numbers("R2", form=".2f", kept=True)
        table.numbers("p adjusted", form=".2g").numbers("R2 ahead", "by chance", form=".2f")
        for _, rows in part.group_by("above", maintain_order=True):
            above, count = f"{rows['above'][0]:.0%}", rows["iterations"][0]
            if rows["r_squared"].null_count() == len(rows):
                table.row(above, "too few", count, None, None, None, None)
                continue
            best = rows.filter(pl.col("counter") == "best of all")
            others = rows.filter(pl.col("counter") != "best of all")
            ordered = others.sort("r_squared", descending=True)
            for row in pl.concat([ordered.head(_MOST_COUNTERS), best]).iter_rows(named=True):
                table.row(above, printable(str(row["counter"])), count, row["r_squared"],
                          row["p_adjusted"], row["r_squared_ahead"],
                          row.get("r_squared_chance"))  # fmt: skip
        table.print(console)


def _print_notes(measured: Measurements, found: Findings, console: Console) -> None:
    tables = (found.series, found.given, found.impact, found.counters, found.moved, found.stated)
    if all(table.is_empty() for table in tables):
        kinds = ", ".join(dict.fromkeys(measured.formats.values()))
        console.print(
            f"{len(measured.frame)} numbers ({kinds}), but no single observations of a "
            "time: no noise can be computed. `odonata.noise.read` gives them as a table.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    for sentence in found.answers:
        console.print(printable(sentence), markup=False, soft_wrap=True, highlight=False)
    for note in found.notes:
        console.print(f"Note: {note}", markup=False, soft_wrap=True)
    if len(found.given) and found.series.is_empty():
        console.print("Note: the benchmark printed means, no single observations. The noise "
                      "within a run is unknown.",
                      markup=False, soft_wrap=True)  # fmt: skip


def _print_left_out(side: Measurements, console: Console) -> None:
    """What is wrong with numbers, and files of folders and archives that were not read."""
    for sentence in side.warnings:
        console.print(f"[yellow]Warning:[/] {escape(printable(sentence))}", soft_wrap=True,
                      highlight=False)  # fmt: skip
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
        console.print(f"Skipped, format unknown: {', '.join(names[:3])}{more}.",
                      markup=False, soft_wrap=True)  # fmt: skip
