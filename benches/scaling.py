#!/usr/bin/env python3
"""Strong and weak scaling of one run over threads and over processes of this machine.

    benches/scaling.py                         eight minutes, a table
    benches/scaling.py --update "two cores"    and the table of docs/performance.md, by this name
    benches/scaling.py --minutes 2 --only theta

Needs the installed package (``make setup``) and an idle machine. Each case is run once with one
thread for a moment, which says how long it may be simulated within the time; then with 1, 2, 4, ...
threads, up to the cores, and as processes of one thread. Of two runs the faster one counts.

The time is that of the longest of all threads: work, waiting for others and exchange, without the
start of the program, the building of the network and the tables. *Efficiency* is the time of one
thread over that of N, by N; of weak cases, whose system grows with N, it is by packet-hops. Results
do not depend on threads: runs whose packet-hops differ end the script with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
STORED = HERE / "scaling.json"
REPEATS = 2
LOSSES = 1.6
"""Time of N threads over an N-th of that of one, as expected, with start and tables."""
UNIFORM = """
schema = 1
name = "scaling"
seed = 1
[system]
preset = "{system}"
[routing]
algorithm = "{routing}"
[[jobs]]
name = "uniform"
workload = {{ kind = "open-loop", pattern = "uniform", load = {load} }}
[measure]
warm_up = "0 ns"
window = "{stop}"
drain = "1 ns"
[stop]
time = "{stop}"
"""


@dataclass(frozen=True)
class Case:
    """One system with its traffic.

    Parameters
    ----------
    name : str
        In the table.
    first_us : float
        Simulated time of the first, short run.
    study : str
        A scenario of ``benches/studies`` that ends by ``stop.time``.
    system : str
        Or a system with uniform traffic; ``{groups}`` are 16 for each thread of a weak case.
    load : float
        Of that traffic.
    """

    name: str
    first_us: float
    study: str = ""
    system: str = ""
    load: float = 0.5

    @property
    def is_weak(self) -> bool:
        """Whether the system grows with the threads."""
        return "{groups}" in self.system


CASES = (
    Case("8,320 nodes, uniform", 3, system="mubarak2019-dragonfly-8320"),
    Case("theta, uniform", 10, system="wang2018-theta", load=0.2),
    Case("frontier, uniform", 2, system="frontier", load=0.2),
    Case("66,048 nodes, uniform", 1, system="dragonfly(16, 32, 16, 129)"),
    Case("gpcnet on frontier", 60, study="gpcnet-frontier"),
    Case("lammps on a megafly", 60, study="mubarak-lammps"),
    Case("weak: 2,048 nodes a thread, uniform", 5, system="dragonfly(8, 16, 8, {groups})"),
)
MOST_WEAK = 8
"""Threads up to which `a * h + 1` groups suffice."""


class RunError(Exception):
    """A run failed; the message says what it said."""


def once(case: Case, stop_us: float, threads: int, processes: int) -> dict[str, Any]:
    """One run: packet-hops, the longest time of a thread, and the shares of all of them."""
    stop = f"{stop_us:.3f} us"
    with tempfile.TemporaryDirectory() as folder:
        scenario = HERE / "studies" / f"{case.study}.toml"
        if case.system:
            system = case.system.format(groups=16 * threads * processes)
            scenario = Path(folder) / "scaling.toml"
            text = UNIFORM.format(system=system, routing="ugal-group", load=case.load, stop=stop)
            scenario.write_text(text, "utf-8")
        command = [
            sys.executable, "-m", "odonata", "run", str(scenario), "--set", f'stop.time="{stop}"',
            "--threads", str(threads), "--processes", str(processes), "--timing", "--json",
            "--quiet", "--no-baseline", "--out", f"{folder}/out",
        ]  # fmt: skip
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        took = time.monotonic() - begin
    if done.returncode not in (0, 3):
        raise RunError(done.stdout + done.stderr)
    engine = json.loads(done.stdout)["engine"]
    parts = [[one[f"{part}_s"] for part in ("work", "waiting", "exchange")]
             for one in engine["timing"]]  # fmt: skip
    total = sum(map(sum, parts))
    work = [one[0] for one in parts]
    return {
        "hops": engine["packet_hops"],
        "s": max(map(sum, parts)),
        "command_s": took,
        "shares": [sum(one[part] for one in parts) / total for part in range(3)],
        "uneven": max(work) * len(work) / sum(work),
    }


def ways(cores: int, case: Case) -> Iterator[tuple[int, int]]:
    """Threads and processes to try, of which the first is one thread."""
    counts = [2**power for power in range(cores.bit_length()) if 2**power <= cores]
    counts = sorted({*counts, cores})
    if case.is_weak:
        counts = [count for count in counts if count <= MOST_WEAK]
    yield from ((count, 1) for count in counts)
    yield from ((1, count) for count in counts[1:] if not case.is_weak)


def measure(case: Case, cores: int, seconds: float) -> Iterator[dict[str, Any]]:
    """A row for each way, within about so many seconds."""
    chosen = list(ways(cores, case))
    first = once(case, case.first_us, 1, 1)
    start = first["command_s"] - first["s"]
    runs = REPEATS * sum(
        1 if case.is_weak or way == (1, 1) else LOSSES / max(way) for way in chosen
    )
    longest = max((seconds - first["command_s"] - REPEATS * len(chosen) * start) / runs, first["s"])
    stop_us = case.first_us * longest / max(first["s"], 1e-3)
    alone: dict[str, Any] = {}
    for threads, processes in chosen:
        best = min((once(case, stop_us, threads, processes) for _ in range(REPEATS)),
                   key=lambda one: float(one["s"]))  # fmt: skip
        alone = alone or best
        if not case.is_weak and best["hops"] != alone["hops"]:
            raise RunError(f"{case.name}: {best['hops']} packet-hops with {threads} threads in "
                           f"each of {processes} processes, {alone['hops']} with one.")  # fmt: skip
        speed_up = alone["s"] / best["s"] * best["hops"] / alone["hops"]
        yield {
            "case": case.name, "threads": threads, "processes": processes,
            "million_hops_per_s": round(best["hops"] / best["s"] / 1e6, 2),
            "efficiency": round(speed_up / (threads * processes), 2),
            "work": round(best["shares"][0], 2), "waiting": round(best["shares"][1], 2),
            "exchange": round(best["shares"][2], 2), "uneven": round(best["uneven"], 2),
        }  # fmt: skip


def main() -> int:
    """Measure, print, and store."""
    options = argparse.ArgumentParser(description="Scaling over threads and processes.")
    options.add_argument("--minutes", type=float, default=8.0, help="in all (default: 8)")
    options.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    options.add_argument("--only", default="", help="cases whose names contain this")
    options.add_argument("--update", metavar="MACHINE", help="store the table by this name")
    given = options.parse_args()
    cases = [case for case in CASES if given.only in case.name]
    if not cases or given.cores < 1:
        options.error("no such case; there are: " + "; ".join(case.name for case in CASES))
    rows = []
    try:
        for case in cases:
            for row in measure(case, given.cores, 60 * given.minutes / len(cases)):
                print(*row.values(), sep="\t", flush=True)
                rows.append(row)
    except RunError as error:
        print(f"scaling.py: {error}", file=sys.stderr)
        return 1
    if given.update:
        stored = json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}
        stored[given.update] = {"date": time.strftime("%Y-%m-%d"), "rows": rows}
        STORED.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
