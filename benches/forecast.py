#!/usr/bin/env python3
"""Forecasts of the repository's scenarios against their runs.

The first point of every scenario in `scenarios/` (with `--all`: every point that differs in more
than its seed) is forecast, then run, each in a process of its own. The table says by how much
packets, packet-hops, processor time and memory differ. Runs that are forecast to take longer than
`--most` seconds of processor time are not made.

    benches/forecast.py [--all] [--most SECONDS] [SCENARIO ...]

Exit codes: 0 every forecast of packets and hops is within 30 %, 1 one is not. Processor time is for
people: on a machine that does other work, too, the same run takes 30 % more or less.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TOLERANCE = 0.3
COLUMNS = ("packets", "packet_hops", "cpu_s", "memory_bytes")


def of_one(what: str, path: Path, index: int) -> dict[str, Any]:
    """Forecast a point, or run it; for a process of its own."""
    from odonata.campaign.forecast.forecast import forecast  # noqa: PLC0415
    from odonata.core import native  # noqa: PLC0415 - of the process that measures only
    from odonata.core.memory import Peak  # noqa: PLC0415
    from odonata.scenario import Scenario  # noqa: PLC0415
    from odonata.scenario.inputs import Inputs  # noqa: PLC0415

    ready = Inputs().of(Scenario.read(path).points[index])
    if what == "forecast":
        found = forecast(ready)
        return {name: getattr(found, name) for name in (*COLUMNS, "is_whole")}
    peak, start = Peak(), time.process_time()
    outcome = native.run(ready.config, ready.traces, ready.texts, progress=lambda *_: peak.watch())
    spent = time.process_time() - start
    engine = outcome.summary["engine"]
    return {"packets": engine["packets"], "packet_hops": engine["packet_hops"], "cpu_s": spent,
            "memory_bytes": peak.look()}  # fmt: skip


def elsewhere(what: str, path: Path, index: int) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--one", what, str(index), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def points(path: Path, *, every: bool) -> dict[int, str]:
    """Points of a scenario by their number, of those that differ in their seed only one."""
    from odonata.scenario import Scenario  # noqa: PLC0415 - as above

    known: dict[str, tuple[int, str]] = {}
    for index, point in enumerate(Scenario.read(path).points):
        known.setdefault(json.dumps({**point.swept, "seed": None}), (index, point.name))
    found = list(known.values())
    return dict(found if every else found[:1])


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", type=Path)
    parser.add_argument("--most", type=float, default=60.0)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "POINT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(of_one(options.one[0], options.scenarios[0], int(options.one[1]))))
        return 0
    folder = Path(__file__).parent.parent / "scenarios"
    worst = 0.0
    print("| scenario | packets | packet-hops | CPU s | MiB | packets off | hops off | CPU off "
          "| memory off |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for path in options.scenarios or sorted(folder.glob("*.toml")):
        for index, name in points(path, every=options.all).items():
            title = f"{path.stem} {name}" if options.all and name else path.stem
            expected = elsewhere("forecast", path, index)
            if expected["cpu_s"] is None or expected["cpu_s"] > options.most:
                print(f"| {title} | not run: {expected} |", flush=True)
                continue
            true = elsewhere("run", path, index)
            off = [expected[column] / max(true[column], 1e-9) - 1.0 for column in COLUMNS]
            worst = max(worst, abs(off[0]), abs(off[1]))
            cells = [title, f"{true['packets']:,}", f"{true['packet_hops']:,}",
                     f"{true['cpu_s']:.2f}", f"{true['memory_bytes'] / 2**20:.0f}",
                     *(f"{one:+.0%}" for one in off)]  # fmt: skip
            print(f"| {' | '.join(cells)} |{'' if not expected['is_whole'] else ' whole'}",
                  flush=True)  # fmt: skip
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
