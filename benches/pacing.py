#!/usr/bin/env python3
"""Congestion control at end points: incasts, their victims, uniform loads, and each threshold.

    python benches/pacing.py [--control NAME] [busy] [victims] [uniform] [gpcnet] [thresholds]

Prints the tables of docs/model/congestion.md for one controller; all of them, or those that are
named. NAME is one of pace (default), nscc, abate, rccc and nscc-rccc. All seeds are fixed. It
takes minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

import odonata
from odonata.analysis import gpcnet

NONE: dict[str, Any] = {"congestion": "none"}
THRESHOLDS: dict[str, dict[str, float]] = {
    "pace": {
        "sources": 6,
        "queue": 4.0,
        "pause": 4,
        "spread": 1.0,
        "expiry": 5.0,
    },
    "nscc": {
        "target": 1.0,
        "free_delay": 1000,
        "adjust": 33280,
        "average": 80,
        "window": 1.5,
        "mark_from": 0.2,
        "mark_to": 0.8,
        "forget": 16.0,
    },
    "abate": {
        "on": 0.3,
        "off": 0.05,
        "hold": 2.0,
        "aggressor": 0.1,
        "period": 10_000,
        "periods": 5,
        "floor": 0.01,
    },
    "rccc": {
        "window": 1.5,
        "rate": 0.99,
        "pull": 4,
    },
    "nscc-rccc": {
        "rccc_window": 1.5,
        "rccc_rate": 0.99,
        "rccc_pull": 4,
    },
}
WHOLE = (
    "sources",
    "pause",
    "free_delay",
    "adjust",
    "average",
    "period",
    "periods",
    "pull",
    "rccc_pull",
)
UNITS = {"free_delay": "ns", "adjust": "B", "period": "ns"}
SPREAD = 4
"""Thresholds are divided and multiplied by it."""

VICTIMS: dict[gpcnet.Victim, int] = {
    "gpcnet-latency": 5,
    "gpcnet-bandwidth": 2,
    "gpcnet-allreduce": 40,
}
"""Kinds, with iterations."""


def system(shape: tuple[int, int, int, int], nic: Mapping[str, Any]) -> dict[str, Any]:
    """Slingshot's links and switches in a dragonfly of p, a, h, g."""
    return {
        "preset": f"dragonfly{shape}",
        "links": {
            "host": {"bandwidth": "25 GB/s", "latency": "10 ns"},
            "local": {"bandwidth": "25 GB/s", "latency": "15 ns"},
            "global": {"bandwidth": "25 GB/s", "latency": "200 ns"},
        },
        "router": {
            "architecture": "cioq",
            "latency": "350 ns",
            "input_buffer": "98304 B",
            "output_buffer": "16384 B",
            "speedup": 2,
        },
        "packet": {"size": "4160 B", "flit": "64 B", "header": "64 B"},
        "nic": {"queues": 48, **nic},
        "mpi": {"preset": "ideal"},
    }


def incast(sources: int, nic: Mapping[str, Any], message: str = "4 MiB") -> odonata.Result:
    """So many nodes of one switch send to one."""
    return odonata.run_one(
        {
            "name": "incast",
            "system": system((sources + 1, 1, 1, 1), nic),
            "routing": {"algorithm": "minimal"},
            "jobs": [
                {
                    "name": "incast",
                    "placement": {"kind": "list", "nodes": list(range(sources + 1))},
                    "workload": {
                        "kind": "incast",
                        "ranks": sources + 1,
                        "message": message,
                        "iterations": 1,
                    },
                }
            ],
        },
        baseline=False,
    )


def busy(result: odonata.Result) -> float:
    """Share of the run in which the last hop of node 0 was sending."""
    links = result.table("links").filter(pl.col("target_node") == 0)
    return float(links["busy_ns"].sum()) / float(result.summary["simulated_ns"])


def beside(nic: Mapping[str, Any], *, alone: bool, wait: str = "600 us") -> float:
    """p99 of the latency of victims, us: 64 nodes send to one beside them, or nobody does.

    The victims begin after ``wait``: at once they meet the burst that no control can know of.
    """
    victim = {
        "name": "victim",
        "role": "victim",
        "placement": {"kind": "list", "nodes": list(range(1, 128, 2))[:48]},
        "workload": {
            "kind": "gpcnet-latency",
            "ranks": 48,
            "rings": 5,
            "iterations": 40,
            "wait_before": wait,
        },
    }
    aggressor = {
        "name": "incast",
        "role": "aggressor",
        "repeat": True,
        "placement": {"kind": "list", "nodes": [*range(0, 128, 2), 127]},
        "workload": {"kind": "incast", "ranks": 65, "message": "1 MiB", "iterations": 1},
    }
    result = odonata.run_one(
        {
            "name": "beside",
            "system": {**system((4, 8, 2, 4), nic), "mpi": {"preset": "firefly-kang2022"}},
            "routing": {"algorithm": "ugal-group"},
            "jobs": [victim] if alone else [victim, aggressor],
            "stop": {"time": "20 ms"},
        },
        baseline=False,
    )
    return statistic(result, "gpcnet-latency").worst_1_percent


def carried(nodes: int, load: float, nic: Mapping[str, Any]) -> float:
    """Share of the host channels that uniform traffic of one switch fills at ``load``."""
    result = odonata.run_one(
        {
            "name": "uniform",
            "system": system((nodes, 1, 1, 1), nic),
            "routing": {"algorithm": "minimal"},
            "jobs": [
                {
                    "name": "uniform",
                    "placement": "contiguous",
                    "workload": {
                        "kind": "open-loop",
                        "ranks": nodes,
                        "pattern": "uniform",
                        "load": load,
                        "message": "4 KiB",
                    },
                }
            ],
            "measure": {"warm_up": "200 us", "window": "400 us", "drain": "20 us"},
        },
        baseline=False,
    )
    return float(result.summary["network"]["accepted_load"])


def statistic(result: odonata.Result, kind: gpcnet.Victim) -> gpcnet.Statistic:
    """Average and 99 % value of the victim."""
    iterations = result.table("iterations").filter(pl.col("job") == "victim")
    spans = (iterations["end_ns"] - iterations["start_ns"]).to_numpy()
    return gpcnet.statistic(spans, kind)


def impact(kind: gpcnet.Victim, iterations: int, nic: Mapping[str, Any]) -> tuple[float, float]:
    """Congestion impact factors of a victim on 64 nodes: of the average and of the 99 %.

    The victim begins when the congestors have run for a while, as in GPCNeT.
    """
    congestors = {
        "alltoall": "gpcnet-alltoall",
        "incast": "gpcnet-incast",
        "put-incast": "gpcnet-put-incast",
        "get-broadcast": "gpcnet-get-bcast",
    }
    jobs: list[dict[str, Any]] = [
        {
            "name": "victim",
            "role": "victim",
            "placement": "random-node",
            "workload": {
                "kind": kind,
                "ranks": 13,
                "iterations": iterations,
                "wait_before": "300 us",
            },
        }
    ]
    jobs += [
        {
            "name": name,
            "role": "aggressor",
            "repeat": True,
            "placement": "random-node",
            "workload": {"kind": congestor, "ranks": 13 if name != "get-broadcast" else 12},
        }
        for name, congestor in congestors.items()
    ]
    scenario = {
        "name": "gpcnet",
        "seed": 1,
        "system": {
            "preset": "slingshot(4, 4, 1, 5)",
            "nic": dict(nic),
            "mpi": {"preset": "cray-mpich-cxi"},
        },
        "routing": {"algorithm": "ugal-group"},
        "jobs": jobs,
        "stop": {"time": "20 ms"},
    }
    congested = statistic(odonata.run_one(scenario, baseline=False), kind)
    scenario["jobs"] = jobs[:1]
    isolated = statistic(odonata.run_one(scenario, baseline=False), kind)
    # With more decimals than GPCNeT prints: these latencies are short.
    pairs = [
        (isolated.average, congested.average),
        (isolated.worst_1_percent, congested.worst_1_percent),
    ]
    factors = [before / after if kind == "gpcnet-bandwidth" else after / before
               for before, after in pairs]  # fmt: skip
    return factors[0], factors[1]


def busy_rows(name: str) -> Iterator[str]:
    """Last hops of incasts."""
    expected = " `N / (N + 2)` |" if name == "pace" else ""
    yield f"| sources | without | `{name}` |{expected}\n|---|---|---|{'---|' if expected else ''}"
    for sources in (2, 8, 16, 32, 63):
        without, held = busy(incast(sources, NONE)), busy(incast(sources, {"congestion": name}))
        share = f" {100 * sources / (sources + 2):.0f} % |" if expected else ""
        yield f"| {sources} | {100 * without:.1f} % | {100 * held:.1f} % |{share}"


def victim_rows(name: str) -> Iterator[str]:
    """Victims beside an incast."""
    yield "| | p99, us | over alone |\n|---|---|---|"
    alone = beside(NONE, alone=True)
    yield f"| alone | {alone:.3f} | |"
    rows: list[tuple[str, dict[str, Any]]] = [
        ("without", NONE),
        (f"`{name}`", {"congestion": name}),
    ]
    if name == "pace":
        rows.insert(1, ("`pace` with `v = 0`", {"congestion": {"kind": "pace", "spread": 0}}))
    for label, nic in rows:
        found = beside(nic, alone=False)
        yield f"| beside 64 to one, {label} | {found:.3f} | {found / alone:.2f} |"


def uniform_rows(name: str) -> Iterator[str]:
    """Uniform traffic of packets on one switch."""
    yield f"| nodes | load | without | `{name}` |\n|---|---|---|---|"
    for nodes in (16, 64):
        for load in (0.6, 0.7, 0.75, 0.8):
            cells = [f"{carried(nodes, load, nic):.3f}" for nic in (NONE, {"congestion": name})]
            yield f"| {nodes} | {load} | {cells[0]} | {cells[1]} |"


def gpcnet_rows(name: str) -> Iterator[str]:
    """GPCNeT on 64 nodes."""
    yield f"| victim | without: mean, 99 % | `{name}`: mean, 99 % |\n|---|---|---|"
    for kind, iterations in VICTIMS.items():
        found = [impact(kind, iterations, nic) for nic in (NONE, {"congestion": name})]
        cells = [f"{mean:.2f}, {worst:.2f}" for mean, worst in found]
        yield f"| `{kind}` | {cells[0]} | {cells[1]} |"


def settings(name: str) -> Iterator[dict[str, float | str]]:
    """The thresholds as given, and each of them four times smaller and larger."""
    yield {}
    for key, value in THRESHOLDS[name].items():
        for factor in (1 / SPREAD, SPREAD):
            number = max(1, round(value * factor)) if key in WHOLE else value * factor
            given = {key: f"{number} {UNITS[key]}" if key in UNITS else number}
            # Marks begin no later than where all are marked.
            if key == "mark_from":
                given["mark_to"] = max(value * factor, THRESHOLDS[name]["mark_to"])
            if key == "mark_to":
                given["mark_from"] = min(value * factor, THRESHOLDS[name]["mark_from"])
            # A last hop stops being congested no earlier than it becomes so.
            if key == "off":
                given["on"] = max(value * factor, THRESHOLDS[name]["on"])
            yield given


def threshold_rows(name: str) -> Iterator[str]:
    """Each threshold, four times smaller and larger."""
    yield "| key | value | 8 to one | 32 to one | victims, p99 over alone |\n|---|---|---|---|---|"
    alone = beside(NONE, alone=True)
    for setting in settings(name):
        nic = {"congestion": {"kind": name, **setting}}
        shares = [100 * busy(incast(sources, nic)) for sources in (8, 32)]
        victims = beside(nic, alone=False) / alone
        key, value = next(iter(setting.items()), ("", "as given"))
        cell = f"`{key}`" if key else ""
        yield f"| {cell} | {value} | {shares[0]:.1f} % | {shares[1]:.1f} % | {victims:.2f} |"


TABLES = {
    "busy": busy_rows,
    "victims": victim_rows,
    "uniform": uniform_rows,
    "gpcnet": gpcnet_rows,
    "thresholds": threshold_rows,
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], metavar="TABLE")
    parser.add_argument("--control", choices=list(THRESHOLDS), default="pace")
    given = parser.parse_args()
    for name in given.tables or list(TABLES):
        for row in TABLES[name](given.control):
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
