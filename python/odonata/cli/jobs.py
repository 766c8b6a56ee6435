"""``odonata jobs``: what is in a job log, and a scenario of the jobs that it has at an instant."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json, number, whole_number
from odonata.cli.screen import screen, tell
from odonata.cli.words import duration, printable
from odonata.core import files
from odonata.core.errors import Error, in_shell
from odonata.scenario import joblog, mixes, neighbours
from odonata.scenario.joblogs import instants
from odonata.scenario.joblogs.log import JobLog

_BINS = 60
_BARS = " ▁▂▃▄▅▆▇█"
_CLASSES = {
    "1": 1, "2 to 3": 3, "4 to 15": 15, "16 to 63": 63, "64 to 255": 255, "256 to 1023": 1023,
    "1024 to 4095": 4095, "4096 and more": 2**62,
}  # fmt: skip
"""Classes of sizes, and the largest of each."""
_ONLY_WRITTEN = ("system", "mix", "victim", "placement", "per_node", "ranks_per_node", "packets",
                 "most", "own", "first")  # fmt: skip
"""Options of the scenario; without --out they would do nothing."""


def add(commands: Commands) -> None:
    """Put ``jobs`` among the commands."""
    forms = "; ".join(f"{name}: {about}" for name, about in joblog.FORMS.items())
    command = commands.add_parser(
        "jobs",
        description="Say what is in a job log, and with --out write a scenario of the jobs that it "
        f"has at an instant. The form is seen from the content. Forms: {forms}. Packed files (.gz, "
        ".xz, .zip) are read as they are.",
    )
    default = neighbours.Wish()
    command.add_argument("log", type=Path, metavar="FILE", help="job log")
    command.add_argument("--overwrite", action="store_true", help="replace the file")
    for name, kind, metavar, about in (
        ("at", str, "TIME", "busiest (default), drawn:N, a time since the first start such as "
         "36h, or a date such as 2025-01-31T12:00"),
        ("out", Path, "FILE", "scenario to write (.toml)"),
        ("system", str, "PRESET", "default: that of the victim's scenario"),
        ("mix", str, "MIX", f"what jobs communicate: {', '.join(mixes.MIXES)}, {mixes.MEASURED} "
         "(of a log that says it), or shares such as halo3d=0.6,alltoall=0.4 (default: "
         f"{default.mix})"),
        ("victim", str, "WHAT", "job beside them: a scenario (.toml), WORKLOAD[:NODES], or job:ID "
         "of the log"),
        ("placement", str, "PLACEMENT", "of jobs without node lists (default: "
         f"{default.placement})"),
        ("per-node", _many, "N", "nodes or processors of the log for one node (default: 1)"),
        ("ranks-per-node", number(1, 1024), "N", "default: one for each NIC of a node"),
        ("packets", number(1, 64), "M", "packets that one of a neighbour stands for (default: 1)"),
        ("most", number(1, 250), "N", f"jobs at most, the largest (default: {default.most})"),
        ("own", str, "ID", "job of the log that was measured: no neighbour, its nodes are the "
         "victim's"),
        ("first", whole_number(0), "NUMBER", "in the name of the first node (default: the lowest)"),
        ("seed", whole_number(0), "N", "of drawn instants and of the scenario (default: 1)"),
    ):  # fmt: skip
        command.add_argument(f"--{name}", type=kind, metavar=metavar, help=about)
    command.set_defaults(seed=default.seed)
    add_json(command)
    command.set_defaults(command=jobs)


def _many(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1e-6 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0.000001 to 1000000")
    return value


def jobs(options: argparse.Namespace) -> int:
    """``odonata jobs FILE``."""
    given = {name: getattr(options, name) for name in _ONLY_WRITTEN}
    given = {name: value for name, value in given.items() if value is not None}
    if options.out is None and (given or options.overwrite):
        name = next(iter(given), "overwrite").replace("_", "-")
        raise Error(f"--{name} is about the scenario; add --out FILE.toml, which writes one.")
    if options.out is not None and options.out.suffix != ".toml":
        raise Error(
            f"{options.out}: a scenario is a .toml file; write, for example, "
            f"{options.out.stem or 'mine'}.toml."
        )
    mixes.read(given.get("mix", neighbours.Wish().mix))  # before a log is read for a minute
    log = joblog.read(options.log)
    if options.out is None:
        return _show(log, options)
    found = instants.chosen(log, options.at or "busiest", options.seed)
    paths = _paths(options, len(found))
    written = []
    for path, at_s in zip(paths, found, strict=True):
        made = neighbours.scenario(
            log, at_s, neighbours.Wish(seed=options.seed, **given), path.absolute()
        )
        written.append((path, at_s, made))
    for path, _, made in written:
        try:
            files.write_whole(
                path, made.text.encode(), partial=path.with_name(f".{path.name}.partial")
            )
        except OSError as error:
            raise Error(f"{path}: cannot be written: {files.problem(error)}.") from None
    _tell(log, written, options)
    return 0


def _paths(options: argparse.Namespace, count: int) -> list[Path]:
    """Files of so many scenarios, none of which is there."""
    out: Path = options.out
    several = [out.with_stem(f"{out.stem}-{index}") for index in range(1, count + 1)]
    paths = several if count > 1 else [out]
    for path in paths:
        if path.exists() and not options.overwrite:
            raise Error(f"{path} exists; choose another name, or give --overwrite.")
    return paths


def _tell(
    log: JobLog, written: list[tuple[Path, float, neighbours.Written]], options: argparse.Namespace
) -> None:
    if options.json:
        rows = [
            {"scenario": str(path), "at_s": at_s, "at": log.clock(at_s), "jobs": made.jobs,
             "nodes": made.nodes, "system_nodes": made.system_nodes, "assumed": made.assumed}
            for path, at_s, made in written
        ]  # fmt: skip
        print(json.dumps({"exit_code": 0, "scenarios": rows}))
        return
    console = screen()
    for path, at_s, made in written:
        tell(console, f"{path}: jobs: {made.jobs}, nodes: {made.nodes} of {made.system_nodes}, at "
             f"{log.clock(at_s)}")  # fmt: skip
    for one in dict.fromkeys(one for *_, made in written for one in made.assumed):
        tell(console, f"Assumed: {one}")
    print(printable(f"Next: odonata check {in_shell(written[0][0])}"))


def _show(log: JobLog, options: argparse.Namespace) -> int:
    facts = log.info()
    facts |= {"sizes": _sizes(log), "occupancy": _occupancy(log, facts[log.unit])}
    at = [
        {"at_s": at_s, "at": log.clock(at_s), "jobs": len(running),
         f"{log.unit}_in_use": int(running["size"].sum())}
        for at_s in (instants.chosen(log, options.at, options.seed) if options.at else ())
        for running in (log.running(at_s),)
    ]  # fmt: skip
    if options.json:
        print(json.dumps({"exit_code": 0, **facts, "instants": at}))
        return 0
    console = screen()
    form = f"{facts['format']}: {joblog.FORMS[log.form]}"
    lists = facts["jobs_with_node_lists"]
    begin = f", from {facts['first_start']}" if facts["first_start"] else ""
    ran = facts["jobs"] - facts["jobs_without_size_or_time"]
    lines = {
        "form": form,
        "jobs": f"{facts['jobs']}, of which {ran} ran; of {facts['users']} users",
        "left out": ", ".join(f"{count} {why}" for why, count in log.left_out.items()) or "none",
        "span": f"{duration(facts['span_s'] * 1e9)}{begin}",
        "node lists": f"of {lists} jobs" if lists else "none: places will be drawn",
        log.unit: f"{facts[log.unit]}, of which {facts['busy_share']:.1%} are busy on the average "
        f"and {facts[f'{log.unit}_in_use_max']} at most",
    }  # fmt: skip
    for key, text in lines.items():
        tell(console, f"{key}: {text}")
    bars = "".join(_BARS[min(8, round(8 * one))] for one in facts["occupancy"])
    tell(console, f"occupancy: |{bars}| over {duration(facts['span_s'] * 1e9)}")
    for note in log.notes:
        tell(console, f"note: {note}")
    table = Listing("Sizes").labels(log.unit).numbers("jobs", form="d")
    table.numbers("share of use", form=".1%")
    for row in facts["sizes"]:
        table.row(row["size"], row["jobs"], row["share"])
    table.print(console)
    for one in at:
        use = one[f"{log.unit}_in_use"]
        tell(console, f"at {one['at']}: jobs: {one['jobs']}, {log.unit} in use: {use}")
    return 0


def _sizes(log: JobLog) -> list[dict[str, Any]]:
    """How many jobs have which size, and how much of what is used is theirs."""
    use = log.jobs.select("size", use=(pl.col("end_s") - pl.col("start_s")) * pl.col("size"))
    total = float(use["use"].sum()) or 1.0
    found, before = [], 0
    for name, most in _CLASSES.items():
        these = use.filter((pl.col("size") > before) & (pl.col("size") <= most))
        before = most
        if len(these):
            share = float(these["use"].sum()) / total
            found.append({"size": name, "jobs": len(these), "share": share})
    return found


def _occupancy(log: JobLog, size: int) -> list[float]:
    """Mean share of the machine in each of equal parts of the log."""
    first, last = log.span
    edges = np.linspace(first, last, _BINS + 1)
    return [round(float(one) / max(size, 1), 4) for one in instants.means(log.jobs, edges)]
