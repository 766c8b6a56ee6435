"""``odonata bench``."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from odonata.cli import speed_set as speed
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json, number
from odonata.cli.screen import screen
from odonata.core import native
from odonata.core.errors import Error


def add(commands: Commands) -> None:
    """Put ``bench`` among the commands."""
    command = commands.add_parser("bench")
    command.add_argument(
        "files", nargs="*", type=Path, metavar="FILE",
        help="scenarios of one run each, run as commands, against the first case of the set",
    )  # fmt: skip
    command.add_argument("--quick", action="store_true", help="the small cases, once each")
    command.add_argument("--case", action="append", metavar="NAME", help="only this case")
    command.add_argument(
        "--repeats",
        type=number(1, 1024),
        default=None,
        metavar="N",
        help="runs per case (default: 3)",
    )
    add_json(command)
    command.set_defaults(command=bench)


def bench(options: argparse.Namespace) -> int:
    """``odonata bench``."""
    chosen = _chosen(options)
    repeats = options.repeats or (1 if options.quick else 3)
    if native.DEBUG_BUILD:
        print(
            "note: this is a debug build; its speed is not that of a release build.",
            file=sys.stderr,
        )
    rows = speed.measure(
        chosen, repeats=repeats, told=lambda text: print(text, file=sys.stderr, flush=True)
    )
    if options.json:
        print(json.dumps({
            "exit_code": 0,
            "odonata_version": native.VERSION,
            "machine": platform.machine(),
            "debug_build": native.DEBUG_BUILD,
            "cases": rows,
        }))  # fmt: skip
    elif options.files:
        _commands(rows)
    else:
        _standard(rows)
    return 0


def _chosen(options: argparse.Namespace) -> list[speed.Case]:
    if not options.files:
        return speed.choose(options.case, quick=options.quick)
    if options.case or options.quick:
        raise Error("give scenarios, or --case and --quick, which are about the standard set.")
    return speed.of_files(options.files)


def _standard(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the cases of the standard set."""
    table = Listing("Speed (medians)", all_in="`--json` has everything").labels("case")
    table.numbers("M hops/s", form=".2f", kept=True).numbers("min", "max", form=".2f")
    table.numbers("ns/hop", "cpu ns/hop", form=".1f").numbers("events/hop", form=".2f")
    table.numbers("MiB", form=".1f").numbers("bytes/node", form=".0f")
    table.numbers("ratio", form=".2f", kept=True)
    for row in rows:
        table.row(
            row["case"],
            *(row[f"packet_hops_per_s{end}"] / 1e6 for end in ("", "_min", "_max")),
            row["ns_per_hop"],
            row["cpu_ns_per_hop"],
            row["events_per_hop"],
            row["memory_bytes"] / 2**20,
            row["memory_bytes_per_node"],
            row["ratio"],
        )
    table.print(screen())
    if any(row["ratio"] is not None for row in rows):
        screen().print(
            "ratio: CPU time per packet-hop over that of the same traffic without the feature, "
            f"at most {speed.LARGEST_RATIO}",
            markup=False,
            soft_wrap=True,
        )
    for row in rows:
        if row["ratio"] is not None and row["ratio"] > speed.LARGEST_RATIO:
            screen().print(f"[bold red]{row['case']}: {row['ratio']:.2f} exceeds the limit[/]")


def _commands(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rates of scenarios beside that of the first case."""
    title = "Packet-hops per CPU second: of the whole command, and of the run in it (medians)"
    table = Listing(title, all_in="`--json` has everything").labels("case")
    table.numbers("M hops", form=".2f")
    table.numbers("M hops/s, command", "M hops/s, run", form=".2f", kept=True)
    table.numbers("of the first, command", "of the first, run", form=".3f")
    table.numbers("events/hop", form=".2f").numbers("MiB", form=".0f")
    for row in rows:
        table.row(
            row["case"],
            row["packet_hops"] / 1e6,
            *(row[f"{name}packet_hops_per_cpu_s"] / 1e6 for name in ("command_", "")),
            *(row.get(f"{name}rate_of_tuned") for name in ("command_", "")),
            row["events_per_hop"],
            row["memory_bytes"] / 2**20,
        )
    table.print(screen())
