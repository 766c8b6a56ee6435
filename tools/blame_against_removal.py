#!/usr/bin/env python3
"""How well blame predicts what leaving a job out gains: a table in Markdown.

Each scenario is run with all jobs and with one left out (`odonata run --without`), with the same
seed, so that everything else is the same. Blame predicts the mean time that packets of the victim
wait for the job; measured is how much their mean latency falls without it.

    tools/blame_against_removal.py
"""

from __future__ import annotations

import polars as pl

import odonata
from odonata.analysis import delays

SYSTEM = {"preset": "dragonfly(2, 4, 2, 9)"}
VICTIM = {"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": "16 KiB", "iterations": 4}
HALO = {"kind": "halo3d", "ranks": 36, "grid": [3, 3, 4], "face": "64 KiB", "iterations": 2}
FFT = {"kind": "fft3d", "ranks": 36, "nx": 72, "ny": 72, "nz": 72, "process_rows": 6,
       "iterations": 2}  # fmt: skip


def open_loop(pattern: str, load: float, **more: object) -> dict[str, object]:
    """Traffic without end."""
    return {"kind": "open-loop", "pattern": pattern, "load": load, "message": "512 B", **more}


CASES = {
    "Halo3D beside Halo3D, minimal": ("minimal", HALO, SYSTEM),
    "Halo3D beside Halo3D, UGAL-G": ("ugal-group", HALO, SYSTEM),
    "Halo3D beside Halo3D, PAR": ("par", HALO, SYSTEM),
    "Halo3D beside FFT3D, PAR": ("par", FFT, SYSTEM),
    "Halo3D beside uniform traffic, 30 %": ("par", open_loop("uniform", 0.3), SYSTEM),
    "Halo3D beside uniform traffic, 70 %": ("par", open_loop("uniform", 0.7), SYSTEM),
    "Halo3D beside adversarial traffic, minimal": (
        "minimal", open_loop("adversarial", 0.2), SYSTEM),
    "Halo3D beside adversarial traffic, PAR": ("par", open_loop("adversarial", 0.4), SYSTEM),
    "Halo3D beside a hot spot, PAR": ("par", open_loop("hotspot", 0.2), SYSTEM),
    "Halo3D beside Halo3D, PAR, `cioq` routers": (
        "par", HALO, {**SYSTEM, "router": {"architecture": "cioq"}}),
}  # fmt: skip


def predicted_and_gained(routing: str, other: object, system: object) -> dict[str, float]:
    """Mean latency of the victim's packets and what is said of it, ns."""
    scenario = {
        "name": "blame",
        "seed": 11,
        "system": system,
        "routing": {"algorithm": routing},
        "jobs": [
            {"name": "victim", "placement": "random-node", "workload": VICTIM},
            {"name": "other", "role": "aggressor", "placement": "random-node", "workload": other},
        ],
        "telemetry": {"blame": True},
        "stop": {"time": "5 ms"},
    }
    both = odonata.run(scenario, baseline=False)
    alone = odonata.run(scenario, overrides=["jobs.other.muted=true"], baseline=False)
    victim, left = both.jobs["victim"], alone.jobs["victim"]
    rows = delays(both.table("blame")).filter(
        (pl.col("delayed") == "victim") & (pl.col("delaying") == "other")
    )
    packets = victim.summary["packets"]
    latency = victim.summary["packet_latency_ns"]["mean"]
    return {
        "latency": latency,
        "direct": rows["ns"].sum() / packets,
        "through": rows["through_ns"].sum() / packets,
        "gained": latency - left.summary["packet_latency_ns"]["mean"],
        "hops": victim.summary["hops_mean"] - left.summary["hops_mean"],
        "comm": 1 - left.comm_time_ns / victim.comm_time_ns,
    }


def main() -> None:
    """Print the table."""
    print("| scenario | latency | direct | through | gained | hops | communication time |")
    print("|---|---|---|---|---|---|---|")
    for name, case in CASES.items():
        found = predicted_and_gained(*case)
        times = (f"{found[key]:,.0f} ns" for key in ("latency", "direct", "through", "gained"))
        print(f"| {name} | {' | '.join(times)} | {-found['hops']:+.2f} | "
              f"{-100 * found['comm']:+.1f} % |")  # fmt: skip


if __name__ == "__main__":
    main()
