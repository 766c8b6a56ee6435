#!/usr/bin/env python3
"""What campaigns cost beside their simulations, and what a second core brings.

Many short runs: the CPU time of everything (this process and its workers, their start included)
over that of the simulations alone, and the same of the clock for each worker. Forty longer runs:
wall time on one worker over that on two. As other programs may be running, also the share of their
time in which workers simulate, and the gain as it would be if every simulation had taken as long
beside the other worker as alone.

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
from typing import Any, NamedTuple

import odonata
import odonata.campaign.experiment  # loaded before the clock runs


def scenario(window: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - tables
    """Uniform traffic on 72 nodes."""
    return {
        "name": "bench", "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.5}}],
        "measure": {"warm_up": "1 us", "window": window}, **changes,
    }  # fmt: skip


class Measured(NamedTuple):
    """Seconds of a campaign: of the clock, of processors, and of its simulations."""

    wall: float
    parent: float
    workers: float
    simulated: float
    simulated_wall: float

    @property
    def cpu(self) -> float:
        """Of all processes."""
        return self.parent + self.workers


def cpu() -> tuple[float, float]:
    """CPU seconds of this process, and of those that it has waited for."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def measured(data: dict[str, Any], workers: int, *, in_memory: bool) -> Measured:
    """Run a campaign."""
    with tempfile.TemporaryDirectory() as folder:
        wall, before = time.perf_counter(), cpu()
        found = odonata.run(data, out=None if in_memory else Path(folder) / "out",
                            executor="processes", workers=workers)  # fmt: skip
        wall, after = time.perf_counter() - wall, cpu()
        costs = [run.summary["engine"] for run in found]
        return Measured(
            wall, after[0] - before[0], after[1] - before[1],
            sum(one["cpu_s"] for one in costs), sum(one["wall_s"] for one in costs),
        )  # fmt: skip


def main() -> int:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--in-memory", action="store_true")
    parser.add_argument("--without-forty", action="store_true")
    options = parser.parse_args()
    data = scenario("10 us", replicas=options.runs)
    found = measured(data, options.workers, in_memory=options.in_memory)
    each = 1e3 * found.simulated / options.runs
    print(f"{options.runs} runs of {each:.1f} ms: {found.wall:.1f} s on {options.workers} workers, "
          f"{found.cpu / found.simulated - 1:.1%} CPU time beside the simulations: "
          f"{found.workers / found.simulated - 1:.1%} in workers, "
          f"{found.parent / found.simulated:.1%} in their parent; by the clock of a worker "
          f"{options.workers * found.wall / found.simulated_wall - 1:.1%}")  # fmt: skip
    if options.without_forty:
        return 0
    forty = scenario("400 us", replicas=40)
    times = [measured(forty, workers, in_memory=False) for workers in (1, 2)]
    one, two = times
    gain = one.wall / two.wall
    busy = [found.simulated_wall / (count * found.wall) for count, found in enumerate(times, 1)]
    print(
        f"workers simulate {busy[0]:.1%} and {busy[1]:.1%} of their time; the gain without what "
        f"other programs took: {gain * two.simulated_wall / one.simulated_wall:.2f} times"
    )
    print(
        f"40 runs: one core {one.wall:.1f} s, two cores {two.wall:.1f} s, {gain:.2f} times; CPU "
        f"{one.cpu:.1f} and {two.cpu:.1f} s, {one.simulated:.1f} and {two.simulated:.1f} s of "
        "them simulations"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
