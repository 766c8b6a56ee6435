#!/usr/bin/env python3
"""What campaigns cost beside their simulations, and what a second core brings.

Many short runs: the CPU time of everything (this process and its workers) over that of the
simulations alone. Forty longer runs: wall time on one worker over that on two. As other programs
may be running, also the share of their time in which workers simulate, and the gain as it would be
if every simulation had taken as long beside the other worker as alone.

    benches/campaign.py [--runs 10000] [--workers 2] [--in-memory]

Exit code 0; the numbers are for people.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import odonata


def scenario(window: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - tables
    """Uniform traffic on 72 nodes."""
    return {
        "name": "bench", "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.5}}],
        "measure": {"warm_up": "1 us", "window": window}, **changes,
    }  # fmt: skip


def cpu() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(who) for who in both]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(
    data: dict[str, Any], workers: int, *, in_memory: bool
) -> tuple[float, float, float, float]:
    """Wall seconds, CPU seconds, and CPU and wall seconds of the simulations."""
    with tempfile.TemporaryDirectory() as folder:
        wall, before = time.perf_counter(), cpu()
        found = odonata.run(data, out=None if in_memory else Path(folder) / "out",
                            executor="processes", workers=workers)  # fmt: skip
        wall, used = time.perf_counter() - wall, cpu() - before
        costs = [run.summary["engine"] for run in found]
        return wall, used, sum(one["cpu_s"] for one in costs), sum(one["wall_s"] for one in costs)


def main() -> int:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--in-memory", action="store_true")
    parser.add_argument("--without-forty", action="store_true")
    options = parser.parse_args()
    data = scenario("10 us", replicas=options.runs)
    wall, used, simulated, _ = measured(data, options.workers, in_memory=options.in_memory)
    each = 1e3 * simulated / options.runs
    print(f"{options.runs} runs of {each:.1f} ms: {wall:.1f} s on {options.workers} workers, "
          f"{used / simulated - 1:.1%} CPU time beside the simulations")  # fmt: skip
    if options.without_forty:
        return 0
    forty = scenario("400 us", replicas=40)
    times = [measured(forty, workers, in_memory=False) for workers in (1, 2)]
    gain = times[0][0] / times[1][0]
    busy = [one[3] / (workers * one[0]) for workers, one in enumerate(times, start=1)]
    print(
        f"workers simulate {busy[0]:.1%} and {busy[1]:.1%} of their time; the gain without what "
        f"other programs took: {gain * times[1][3] / times[0][3]:.2f} times"
    )
    print(
        f"40 runs: one core {times[0][0]:.1f} s, two cores {times[1][0]:.1f} s, "
        f"{gain:.2f} times; CPU {times[0][1]:.1f} and {times[1][1]:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
