"""``odonata bench``."""

from __future__ import annotations

import argparse
import json
import platform
import sys

from odonata import bench as speed
from odonata import native
from odonata.cli.screen import new_table, ratio, screen


def bench(options: argparse.Namespace) -> int:
    """``odonata bench``."""
    chosen = speed.choose(options.case, quick=options.quick)
    repeats = options.repeats or (1 if options.quick else 3)
    if native.DEBUG_BUILD:
        print("note: this is a debug build; its speed says nothing.", file=sys.stderr)
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
        return 0
    table = new_table("Speed (medians)")
    table.add_column("case")
    for label in (
        "M hops/s",
        "min",
        "max",
        "ns/hop",
        "cpu ns/hop",
        "events/hop",
        "MiB",
        "bytes/node",
        "ratio",
    ):
        table.add_column(label, justify="right")
    for row in rows:
        table.add_row(
            row["case"],
            *(ratio(row[f"packet_hops_per_s{end}"] / 1e6) for end in ("", "_min", "_max")),
            ratio(row["ns_per_hop"], 1),
            ratio(row["cpu_ns_per_hop"], 1),
            ratio(row["events_per_hop"]),
            ratio(row["memory_bytes"] / 2**20, 1),
            ratio(row["memory_bytes_per_node"], 0),
            _ratio(row["ratio"]),
        )
    screen().print(table)
    if any(row["ratio"] is not None for row in rows):
        screen().print(
            "ratio: CPU time per packet-hop over that of the same traffic without the feature, "
            f"at most {speed.LARGEST_RATIO}",
            markup=False,
            soft_wrap=True,
        )
    return 0


def _ratio(value: float | None) -> str:
    if value is None:
        return ""
    return ratio(value) if value <= speed.LARGEST_RATIO else f"[bold red]{ratio(value)}[/]"
