#!/usr/bin/env python3
"""What UGAL and PAR do with their defaults: the table and the picture of docs/model/routing.md.

    python benches/adaptive.py [--systems 1,2] [--picture FILE.png] [--set key=value ...]

Prints one row per system and algorithm: detours and latency under uniform traffic of 5 %, what is
accepted at 90 % of what minimal routing carries, and the most that is accepted of adversarial
traffic, as a share of what Valiant routing accepts. `--set` changes a parameter of all three
algorithms, such as `estimate=both`. `--picture` draws curves of 1,056 nodes, where saturated runs
have no latency. All seeds are fixed. It takes a quarter of an hour on one core.
"""

from __future__ import annotations

import argparse
import json
import math
from functools import cache
from typing import Any

import matplotlib.pyplot as plt

import odonata

SYSTEMS: dict[str, dict[str, Any]] = {
    "72 nodes": {"preset": "dragonfly(2, 4, 2, 9)"},
    "1,056 nodes": {"preset": "dragonfly(4, 8, 4, 33)"},
    "1,056 nodes, `cioq`": {
        "preset": "dragonfly(4, 8, 4, 33)",
        "router": {"architecture": "cioq"},
    },
    "1,056 nodes, packets of 4 KiB": {
        "preset": "dragonfly(4, 8, 4, 33)",
        "packet": {"size": "4096 B"},
        "router": {"input_buffer": "122880 B", "output_buffer": "122880 B"},
    },
    "1,056 nodes, `slingshot`": {"preset": "slingshot(4, 8, 4, 33)"},
    "16,512 nodes": {"preset": "dragonfly(8, 16, 8, 129)"},
    "272 nodes, megafly": {"preset": "megafly(4, 4, 4, 17, 1)"},
}
ALGORITHMS = ("ugal-group", "ugal-node", "par")
LIGHT = (0.5, 0.6, 0.8, 0.9, 1.0)
"""Loads among which uniform traffic finds the most that minimal routing accepts."""

HEAVY = (0.4, 0.45, 0.5, 0.55)
"""Loads among which adversarial traffic finds the most that is accepted."""


def network(system: str, routing: dict[str, Any], pattern: str, load: float) -> dict[str, Any]:
    """The numbers of the network under open-loop traffic."""
    return _network(system, json.dumps(routing), pattern, load)


@cache
def _network(system: str, routing: str, pattern: str, load: float) -> dict[str, Any]:
    packet = SYSTEMS[system].get("packet", {}).get("size", "512 B")
    size = "4096 B" if "slingshot" in system else packet
    span = 6 if "16,512" in system else 20
    workload = {"kind": "open-loop", "pattern": pattern, "load": load, "message": size}
    scenario = {
        "system": SYSTEMS[system],
        "routing": json.loads(routing),
        "jobs": [{"name": "all", "workload": workload | {"arrival": "bernoulli"}}],
        "measure": {"warm_up": f"{span} us", "window": f"{span} us", "drain": f"{span} us"},
    }
    found: dict[str, Any] = odonata.run_one(scenario).summary["network"]
    return found


def most(system: str, routing: dict[str, Any], pattern: str, loads: tuple[float, ...]) -> float:
    """The most that is accepted, of several loads."""
    return max(network(system, routing, pattern, load)["accepted_load"] for load in loads)


def row(system: str, algorithm: str, changed: dict[str, Any]) -> list[str]:
    """A row of the table."""
    minimal, own = {"algorithm": "minimal"}, {"algorithm": algorithm, **changed}
    idle, here = (network(system, way, "uniform", 0.05) for way in (minimal, own))
    limit = min(1.0, most(system, minimal, "uniform", LIGHT))
    busy = network(system, own, "uniform", round(0.9 * limit, 4))
    valiant = most(system, {"algorithm": "valiant-node"}, "adversarial", HEAVY)
    latencies = [one["packet_latency_ns"]["mean"] for one in (here, idle)]
    return [
        system,
        f"`{algorithm}`",
        f"{here['nonminimal_fraction']:.2%}",
        f"{latencies[0] / latencies[1] - 1:+.2%}",
        f"{busy['accepted_load'] / busy['offered_load']:.3f}",
        f"{most(system, own, 'adversarial', HEAVY) / valiant:.3f}",
    ]


CURVES: dict[str, dict[str, Any]] = {
    "minimal": {"algorithm": "minimal"},
    "valiant-node": {"algorithm": "valiant-node"},
    "ugal-node": {"algorithm": "ugal-node"},
    "par": {"algorithm": "par"},
    "par, both, no bias": {"algorithm": "par", "estimate": "both", "bias_packets": 0},
}
LOADS = {
    "uniform": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "adversarial": (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55),
}


def picture(path: str, system: str) -> None:
    """Latency and detours over load, under both patterns."""
    figure, grid = plt.subplots(2, 2, figsize=(9.0, 6.0), sharex="col", layout="constrained")
    for column, (pattern, loads) in enumerate(LOADS.items()):
        for name, routing in CURVES.items():
            runs = [network(system, routing, pattern, load) for load in loads]
            latencies = [
                math.nan if one["saturated"] else one["packet_latency_ns"]["mean"] for one in runs
            ]
            shares = [one["nonminimal_fraction"] for one in runs]
            grid[0][column].plot(loads, latencies, marker="o", markersize=3, label=name)
            grid[1][column].plot(loads, shares, marker="o", markersize=3)
        grid[0][column].set(title=f"{pattern} traffic, {system}", ylim=(400, 1600))
        grid[1][column].set(xlabel="offered load", ylim=(-0.03, 1.03))
    grid[0][0].set_ylabel("mean packet latency, ns")
    grid[1][0].set_ylabel("share of packets on detours")
    grid[0][1].legend(fontsize=8)
    figure.savefig(path)


def main() -> None:
    """Print the table, or draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", help="numbers of rows, from 1")
    parser.add_argument("--set", action="append", default=[], help="a parameter, key=value")
    parser.add_argument("--picture", help="draw this picture (.png) of 1,056 nodes instead")
    options = parser.parse_args()
    if options.picture:
        picture(options.picture, "1,056 nodes")
        return
    chosen = list(SYSTEMS)
    if options.systems:
        chosen = [chosen[int(number) - 1] for number in options.systems.split(",")]
    pairs = (text.partition("=") for text in options.set)
    changed = {key: int(value) if value.lstrip("-").isdigit() else value for key, _, value in pairs}
    print(
        "| system | algorithm | detours at 5 % | latency there | accepted at 90 % | adversarial |"
    )
    print("|---|---|---|---|---|---|")
    for system in chosen:
        for algorithm in ALGORITHMS:
            print(f"| {' | '.join(row(system, algorithm, changed))} |", flush=True)


if __name__ == "__main__":
    main()
