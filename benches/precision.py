#!/usr/bin/env python3
"""Runs of which only a part is simulated, against the same runs in full: coverage and speed-up.

    python benches/precision.py [--way skip] [--half-width 1%] [--first N] [--count M]
                                [--markdown FILE]

Each of 36 set-ups (a workload, a routing, and what else goes on, on 72 nodes) runs once in full and
once with ``stop.precision`` or ``stop.skip``, with the same seed. The program says how often the
full run's end and communication time are in their intervals, and how many times fewer packet-hops
were simulated. Minutes on one core. ``--markdown`` writes the table of docs/model/precision.md, or
of docs/model/skipping.md.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import odonata

ITERATIONS = {"precision": 1_000, "skip": 600}
"""Iterations of the victim."""

SECOND = {"precision": 150, "skip": 400}
"""Those of a second one: so few that they have to be simulated, or enough to be left out."""

TRAFFIC = {"precision": 40, "skip": 12}
"""Nodes of open-loop traffic."""

HALF_WIDTH = {"precision": "1 %", "skip": "2 %"}

WORKLOADS: dict[str, dict[str, Any]] = {
    "halo3d": {"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": "2 kB"},
    "allreduce": {"kind": "allreduce", "ranks": 16, "message": "2 kB"},
    "uniform-random": {"kind": "uniform-random", "ranks": 24, "message": "4 kB"},
}

ROUTINGS = ("minimal", "ugal-node", "par")

_OPEN = {"kind": "open-loop", "pattern": "uniform", "load": 0.3, "message": "4 KiB"}

BESIDE: dict[str, list[dict[str, Any]]] = {
    "steady traffic": [{"name": "traffic", "role": "background", "workload": _OPEN}],
    "bursts": [
        {
            "name": "bursts",
            "role": "background",
            "workload": {**_OPEN, "burst": "10 us", "pause": "20 us", "start": "jittered"},
        }
    ],
    "a job that repeats": [
        {
            "name": "ring",
            "role": "background",
            "repeat": True,
            "workload": {"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": "6 kB",
                         "iterations": 5},
        }
    ],
    "a second victim": [
        {
            "name": "second",
            "role": "victim",
            "workload": {"kind": "allreduce", "ranks": 16, "message": "8 kB", "iterations": 150},
        }
    ],
}  # fmt: skip


@dataclass(frozen=True)
class SetUp:
    """One comparison."""

    number: int
    workload: str
    routing: str
    beside: str
    way: str

    def scenario(self, half_width: str | None) -> dict[str, Any]:
        """What runs; without a half-width, in full."""
        victim = {
            "name": "victim",
            "role": "victim",
            "workload": {**WORKLOADS[self.workload], "iterations": ITERATIONS[self.way]},
        }
        jobs = [
            {"placement": "random-node", **copy.deepcopy(job)}
            for job in (victim, *BESIDE[self.beside])
        ]
        for job in jobs:
            if job["name"] == "second":
                job["workload"]["iterations"] = SECOND[self.way]
            elif job["workload"]["kind"] == "open-loop":
                job["workload"]["ranks"] = TRAFFIC[self.way]
        scenario: dict[str, Any] = {
            "schema": 1,
            "seed": self.number + 1,
            "system": {"preset": "dragonfly(2, 4, 2, 9)"},
            "routing": {"algorithm": self.routing},
            "jobs": jobs,
        }
        if half_width is not None and self.way == "skip":
            scenario["stop"] = {"skip": half_width}
        elif half_width is not None:
            scenario["stop"] = {
                "precision": [
                    {"quantity": quantity, "job": "victim", "half_width": half_width}
                    for quantity in ("iteration_time", "comm_time")
                ]
            }
        return scenario


@dataclass(frozen=True)
class Found:
    """What one comparison gave."""

    set_up: SetUp
    is_cut: bool
    iterations: int
    speed_up: float
    error: float
    """Of the estimated communication time, as a share of it."""
    half_width: float
    covers_end: bool
    covers_comm_time: bool

    def row(self) -> str:
        """A row of the table."""
        it = self.set_up
        return (
            f"| {it.workload} | {it.routing} | {it.beside} | {self.iterations} | "
            f"{self.speed_up:.1f} | {100 * self.error:+.2f} | {100 * self.half_width:.2f} | "
            f"{'yes' if self.covers_end else 'no'} | {'yes' if self.covers_comm_time else 'no'} |"
        )


HEAD = (
    "| job | routing | beside | iterations | times fewer hops | error of `comm_time_ns`, % | "
    "half-width, % | `end_ns` holds | `comm_time_ns` holds |\n" + "|---" * 9 + "|"
)


def set_ups(way: str) -> Iterator[SetUp]:
    """All of them, in order."""
    for number, (workload, routing, beside) in enumerate(
        itertools.product(WORKLOADS, ROUTINGS, BESIDE)
    ):
        yield SetUp(number, workload, routing, beside, way)


def compare(set_up: SetUp, half_width: str) -> Found:
    """Run a set-up in full and cut."""
    whole = odonata.run_one(set_up.scenario(None), baseline=False)
    full = whole.summary
    cut = odonata.run_one(set_up.scenario(half_width), baseline=False).summary
    table = whole.table("iterations")
    ends = dict(table.group_by("job").agg(pl.col("end_ns").max()).iter_rows())
    hops = [run["engine"]["packet_hops"] for run in (full, cut)]
    pairs = [
        (job, part["estimated"])
        for job, part in zip(full["jobs"], cut["jobs"], strict=True)
        if "estimated" in part
    ]

    def hold(key: str, value: Callable[[dict[str, Any]], float]) -> bool:
        return all(
            said[key]["low"] <= value(job) <= said[key]["high"]
            for job, said in pairs
            if said[key] is not None
        )

    said = cut["jobs"][0].get("estimated")
    if said is None:
        return Found(
            set_up, bool(pairs), ITERATIONS[set_up.way], hops[0] / hops[1], error=0.0,
            half_width=0.0, covers_end=hold("end_ns", lambda job: ends[job["name"]]),
            covers_comm_time=hold("comm_time_ns", lambda job: job["comm_time_ns"]["mean"]),
        )  # fmt: skip
    comm_time = said["comm_time_ns"]
    return Found(
        set_up,
        bool(pairs),
        said["iterations_simulated"],
        hops[0] / hops[1],
        comm_time["mean"] / full["jobs"][0]["comm_time_ns"]["mean"] - 1.0,
        (comm_time["high"] - comm_time["low"]) / 2.0 / comm_time["mean"],
        hold("end_ns", lambda job: ends[job["name"]]),
        hold("comm_time_ns", lambda job: job["comm_time_ns"]["mean"]),
    )


def summary(found: Iterable[Found]) -> str:
    """Coverage and speed-up, in a sentence."""
    found = list(found)
    cut = [one for one in found if one.is_cut]
    speed = sorted(one.speed_up for one in cut) or [1.0]
    return (
        f"{len(cut)} of {len(found)} runs are shorter; of these the interval of `end_ns` holds "
        f"{sum(one.covers_end for one in cut)} times, that of `comm_time_ns` "
        f"{sum(one.covers_comm_time for one in cut)} times; {speed[0]:.1f} to {speed[-1]:.1f} "
        f"times fewer packet-hops, median {speed[len(speed) // 2]:.1f}."
    )


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description="coverage of runs that are simulated in part")
    parser.add_argument("--way", choices=sorted(SECOND), default="precision")
    parser.add_argument("--half-width", help="1 %% for precision, 2 %% for skip")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--markdown", type=Path)
    asked = parser.parse_args()
    found = []
    print(HEAD)
    half_width = asked.half_width or HALF_WIDTH[asked.way]
    for set_up in itertools.islice(set_ups(asked.way), asked.first, asked.first + asked.count):
        found.append(compare(set_up, half_width))
        print(found[-1].row(), flush=True)
    print(summary(found))
    if asked.markdown is not None:
        rows = "\n".join(one.row() for one in found)
        asked.markdown.write_text(f"{HEAD}\n{rows}\n\n{summary(found)}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
