#!/usr/bin/env python3
"""How much packets in the large of background jobs move the victims beside them.

    python benches/large_packets.py [--csv FILE]

Twenty pairs of a victim and a background job on a small Aries system, with packets of the
background that stand for 1, 4, 16 and 64 packets of the system. Prints the table of
docs/studies/large-packets.md: the slowdown of the victim, how far each multiple moves it, and the
events that it saves. All seeds are fixed.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import odonata

MULTIPLES = (1, 4, 16, 64)
SEEDS = (1, 2, 3)
SYSTEM: dict[str, Any] = {
    "preset": "piz-daint",
    "mpi": {"preset": "ideal"},
    "topology": {"groups": 4, "rows": 3, "columns": 6},
}
VICTIMS: dict[str, dict[str, Any]] = {
    "allreduce 8 B": {"kind": "allreduce", "message": "8 B", "iterations": 2},
    "alltoall 512 B": {"kind": "alltoall", "message": "512 B", "iterations": 1},
    "halo3d 32 KiB": {"kind": "halo3d", "grid": [4, 4, 4], "face": "32 KiB", "compute": "5 us",
                      "iterations": 2},
    "bcast 64 KiB": {"kind": "bcast", "message": "64 KiB", "iterations": 3},
    "ping-pong 4 KiB": {"kind": "ping-pong", "message": "4 KiB", "iterations": 20},
}  # fmt: skip
BACKGROUNDS: dict[str, dict[str, Any]] = {
    "uniform 0.05": {"kind": "open-loop", "load": 0.05, "message": "16 KiB"},
    "uniform 0.15": {"kind": "open-loop", "load": 0.15, "message": "64 KiB"},
    "incast": {"kind": "incast", "message": "8 KiB"},
    "halo3d 256 KiB": {"kind": "halo3d", "face": "256 KiB", "compute": "1 us"},
}


def scenario(victim: str, background: str, multiple: int, seed: int) -> dict[str, Any]:
    """The victim on 64 random nodes of 288, the background on 160 others."""
    workload = {"ranks": 64, **VICTIMS[victim]}
    if "grid" in workload:
        del workload["ranks"]
    return {
        "seed": seed,
        "system": SYSTEM,
        "routing": "adaptive-0",
        "jobs": [
            {"name": "victim", "placement": "random-node", "workload": workload},
            {"name": "others", "role": "background", "placement": "random-node",
             "packet_multiple": multiple,
             "workload": {**BACKGROUNDS[background], "ranks": 160}},
        ],
        "stop": {"time": "20 ms"},
    }  # fmt: skip


def measured(victim: str, background: str, multiple: int) -> tuple[float, float]:
    """Slowdown of the victim, mean of the seeds, and packet-hops of all runs beside."""
    slowdowns, events = [], 0.0
    for seed in SEEDS:
        run = odonata.run(scenario(victim, background, multiple, seed))
        job = next(job for job in run.summary["jobs"] if job["name"] == "victim")
        slowdowns.append(job["slowdown"])
        events += run.summary["engine"]["packet_hops"]
    return sum(slowdowns) / len(slowdowns), events


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", type=Path, help="keep what was measured")
    options = parser.parse_args()
    rows = []
    print("| victim | background | slowdown | " + " | ".join(f"M = {m}" for m in MULTIPLES[1:])
          + " | packet-hops saved |")  # fmt: skip
    print("|---" * (len(MULTIPLES) + 3) + "|")
    for victim in VICTIMS:
        for background in BACKGROUNDS:
            found = {m: measured(victim, background, m) for m in MULTIPLES}
            plain, plain_events = found[1]
            moved = [f"{found[m][0] / plain - 1:+.1%}" for m in MULTIPLES[1:]]
            saved = [f"{plain_events / found[m][1]:.1f}" for m in MULTIPLES[1:]]
            print(f"| {victim} | {background} | {plain:.3f} | {' | '.join(moved)} | "
                  f"{', '.join(saved)} |", flush=True)  # fmt: skip
            rows += [(victim, background, m, *found[m]) for m in MULTIPLES]
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("victim", "background", "multiple", "slowdown", "packet_hops"))
            writer.writerows(rows)


if __name__ == "__main__":
    main()
