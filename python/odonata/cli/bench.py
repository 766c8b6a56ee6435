"""``odonata bench``."""

from __future__ import annotations

import argparse
import json
import platform
import sys

from odonata.cli import speed_set as speed
from odonata.cli.listing import Listing
from odonata.cli.screen import screen
from odonata.core import native


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
            screen().print(f"[bold red]{row['case']}: {row['ratio']:.2f} is more than that[/]")
    return 0
