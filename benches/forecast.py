#!/usr/bin/env python3
"""Forecasts of the repository's scenarios against their runs.

The first point of every scenario in `scenarios/` is forecast, then run; the table says by how much
packets, packet-hops and CPU time differ. Scenarios that are forecast to take longer than `--most`
seconds are left out.

    benches/forecast.py [--most SECONDS] [SCENARIO ...]

Exit codes: 0 every forecast of packets and hops is within 30 %, 1 one is not.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from odonata import native
from odonata.campaign.forecast import forecast
from odonata.errors import Error
from odonata.inputs import Inputs
from odonata.scenario import Scenario

TOLERANCE = 0.3


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", type=Path)
    parser.add_argument("--most", type=float, default=60.0)
    options = parser.parse_args()
    folder = Path(__file__).parent.parent / "scenarios"
    worst = 0.0
    print("| scenario | packets | packet-hops | CPU s | packets off | hops off | CPU off |")
    print("|---|---|---|---|---|---|---|")
    for path in options.scenarios or sorted(folder.glob("*.toml")):
        try:
            ready = Inputs().of(Scenario.read(path).points[0])
        except Error as error:
            print(f"| {path.stem} | {error} |", flush=True)
            continue
        expected = forecast(ready)
        if expected.cpu_s is None or expected.cpu_s > options.most:
            print(f"| {path.stem} | not run: {expected.cpu_s or 0:.0f} s |", flush=True)
            continue
        start = time.process_time()
        engine = native.run(ready.config, ready.traces, ready.texts).summary["engine"]
        spent = time.process_time() - start
        packets, hops = engine["packets"], engine["packet_hops"]
        pairs = ((expected.packets, packets), (expected.packet_hops, hops), (expected.cpu_s, spent))
        off = [one / other - 1.0 for one, other in pairs]
        worst = max(worst, abs(off[0]), abs(off[1]))
        cells = [path.stem, f"{packets:,}", f"{hops:,}", f"{spent:.2f}"]
        print(f"| {' | '.join([*cells, *(f'{one:+.0%}' for one in off)])} |", flush=True)
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
