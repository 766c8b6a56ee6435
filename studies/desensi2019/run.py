"""Runs the cases of study.toml that results.csv lacks, one after the other.

``python studies/desensi2019/run.py [--figure N] [--dry]``: every case is one run in which DEFAULT,
HIGH BIAS and APPLICATION-AWARE take turns from iteration to iteration, as in the paper (section
5.1); a row per mode is added to results.csv. ``--dry`` checks all cases and runs none; ``--table``
prints what there is.
"""

from __future__ import annotations

import argparse
import random
import time
import tomllib
from pathlib import Path
from typing import Any

import polars as pl

import odonata
from odonata.campaign import experiment
from odonata.core import quantities
from odonata.noise import describe
from odonata.scenario import Scenario

HERE = Path(__file__).parent
RESULTS = HERE / "results.csv"
HIGH_BIAS, AWARE = "adaptive-3", "application-aware"
PROGRAMS = ("ping-pong", "barrier", "allreduce", "broadcast", "alltoall", "halo3d", "sweep3d")
"""Of benchmarks.py, by number."""

MODES = {HIGH_BIAS: "HIGH BIAS", AWARE: "APPLICATION-AWARE"}
_SHAPE = {"rows": 6, "columns": 16, "nodes_per_router": 4}
_GROUP_NODES = 384


def allocation(machine: dict[str, Any], seed: int, background: int) -> tuple[list[int], list[int]]:
    """Nodes of the job on so many routers of so many groups, and those of the others there."""
    draw = random.Random(f"{seed} {sorted(machine.items())}")  # noqa: S311 - no secret
    every = 20 if machine["preset"] == "piz-daint" else 34
    groups = sorted(draw.sample(range(every), machine["groups"]))
    routers: list[int] = []
    for place, group in enumerate(groups):
        share = machine["routers"] // len(groups) + (place < machine["routers"] % len(groups))
        routers += [group * 96 + one for one in draw.sample(range(96), share)]
    routers.sort()
    per_router = -(-machine["nodes"] // machine["routers"])
    lacking = per_router * machine["routers"] - machine["nodes"]
    fewer = set(draw.sample(routers, min(lacking, len(routers))))
    taken = [
        router * 4 + slot
        for router in routers
        for slot in range(max(1, per_router - (router in fewer)))
    ]
    lacking = machine["nodes"] - len(taken)
    while lacking < 0:  # a router keeps one node
        last = next(node for node in reversed(taken) if node % 4)
        taken.remove(last)
        lacking += 1
    here = [group * _GROUP_NODES + node for group in groups for node in range(_GROUP_NODES)]
    free = sorted(set(here) - set(taken))
    return taken, sorted(draw.sample(free, background))


def pair(nodes: list[int], how: str) -> list[int]:
    """Two nodes of the allocation, within one group or in two."""
    first = nodes[0]
    same = how == "same-group"
    others = [n for n in nodes if (n // _GROUP_NODES == first // _GROUP_NODES) is same]
    return [first, others[len(others) // 2]]


def scenario(study: dict[str, Any], case: dict[str, Any]) -> Scenario:
    """The run of a case."""
    return Scenario.from_mapping(document(study, case))


def document(study: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """The same, before it is read."""
    machine = study["machines"][case["machine"]]
    background = study["background"]
    nodes, others = allocation(machine, study["seed"], background["nodes"])
    if "nodes" in case:
        nodes = pair(nodes, case["nodes"])
    iterations = 3 * case.get("turns", study["turns"])
    if "program" in case:
        message = quantities.parse_quantity(case["message"], "bytes")
        arguments = [PROGRAMS.index(case["program"]), message, iterations, *case.get("grid", ())]
        workload = {"kind": "program", "path": str(HERE / "benchmarks.py"), "ranks": len(nodes),
                    "arguments": arguments}  # fmt: skip
    else:
        workload = dict(case["workload"]) | {"iterations": iterations}
        if "grid" not in workload:
            workload["ranks"] = len(nodes)
    default = case.get("default", "adaptive-0")
    job = {
        "name": "job",
        "placement": {"kind": "list", "nodes": nodes},
        "routing": [default, HIGH_BIAS],
        "alternate": "iteration",
        "policy": {"kind": AWARE, **study.get("policy", {}), **case.get("policy", {})},
        "workload": workload,
    }
    beside = {
        "name": "others",
        "role": "background",
        "placement": {"kind": "list", "nodes": others},
        "workload": {**background["workload"], "ranks": len(others)},
    }
    return {
        "seed": study["seed"],
        "system": {"preset": machine["preset"], "nic": {"buffer_packets": 1, "queues": 1},
                   "mpi": {"preset": "ideal", "collectives": "mpich"}},
        "routing": "adaptive-0",
        "jobs": [job, beside],
        "telemetry": {"series_bin": "10 us"},
    }  # fmt: skip


def rows(case: dict[str, Any], run: odonata.Result) -> list[dict[str, object]]:
    """A row per mode: median of the iterations' times with its interval, over that of DEFAULT."""
    default = case.get("default", "adaptive-0")
    slowest = (
        run.table("iterations")
        .filter(pl.col("job") == "job")
        .group_by("iteration", "routing")
        .agg((pl.col("end_ns").max() - pl.col("start_ns").min()).alias("time_ns"))
        .sort("iteration")
        .filter(pl.col("iteration") > 2)  # the first turn fills queues and knows nothing
    )
    decided = run.table("decisions")
    sent = decided["bytes"].sum()
    unbiased = decided.filter(pl.col("routing") != HIGH_BIAS)["bytes"].sum()
    policy = next(job for job in run.summary["jobs"] if job["name"] == "job")["policy"]
    found = []
    for mode in (default, HIGH_BIAS, AWARE):
        times = slowest.filter(pl.col("routing") == mode)["time_ns"].to_numpy()
        spread = describe(times)
        found.append(
            {
                "figure": case["figure"],
                "machine": case["machine"],
                "benchmark": case["benchmark"],
                "size": case["size"],
                "mode": MODES.get(mode, "DEFAULT"),
                "iterations": len(times),
                "median_ns": spread.median_value,
                "median_low_ns": None if spread.median is None else spread.median.low,
                "median_high_ns": None if spread.median is None else spread.median.high,
                "default_share": unbiased / sent if mode == AWARE and sent else None,
                "decisions": policy["decisions"] if mode == AWARE else None,
                "changes": policy["changes"] if mode == AWARE else None,
                "packets": run.summary["engine"]["packets"],
            }
        )
    return found


def table(done: pl.DataFrame) -> str:
    """The page's table: medians over that of DEFAULT with their intervals, and what was chosen."""
    lines = [
        "| Fig. | benchmark | size | DEFAULT, us | HIGH BIAS | APPLICATION-AWARE "
        "| sent by DEFAULT | better mode | mostly sent by it |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    hits = 0
    cases = done.partition_by("figure", "machine", "benchmark", "size", maintain_order=True)
    for case in cases:
        by_mode = {row["mode"]: row for row in case.iter_rows(named=True)}
        default, bias, aware = (by_mode[m] for m in ("DEFAULT", "HIGH BIAS", "APPLICATION-AWARE"))
        unit = default["median_ns"]
        cells = [_ratio(row, unit) for row in (bias, aware)]
        share = aware["default_share"]
        is_better = "DEFAULT" if unit <= bias["median_ns"] else "HIGH BIAS"
        is_hit = (share > _MOSTLY) == (is_better == "DEFAULT")
        hits += is_hit
        name = f"{default['benchmark']} ({default['machine']})"
        lines.append(
            f"| {default['figure']} | {name} | {default['size']} | {unit / 1e3:.2f} | "
            f"{' | '.join(cells)} | {share:.0%} | {is_better} | {'yes' if is_hit else 'no'} |"
        )
    return "\n".join(
        [*lines, "", f"The better static mode got most bytes in {hits} of {len(cases)}."]
    )


_MOSTLY = 0.5
"""Share of bytes from which a mode was chosen."""


def _ratio(row: dict[str, Any], unit: float) -> str:
    low, high = row["median_low_ns"], row["median_high_ns"]
    interval = "" if low is None else f" ({low / unit:.2f} to {high / unit:.2f})"
    return f"{row['median_ns'] / unit:.2f}{interval}"


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figure", type=int)
    parser.add_argument("--dry", action="store_true", help="check all cases")
    parser.add_argument("--table", action="store_true", help="print the table of the page")
    options = parser.parse_args()
    study = tomllib.loads((HERE / "study.toml").read_text("utf-8"))
    done = pl.read_csv(RESULTS) if RESULTS.is_file() else pl.DataFrame()
    if options.table:
        print(table(done))
        return
    known = (
        set(done.select("figure", "machine", "benchmark", "size").iter_rows())
        if len(done)
        else set()
    )
    for case in study["cases"]:
        name = (case["figure"], case["machine"], case["benchmark"], case["size"])
        if name in known or options.figure not in (None, case["figure"]):
            continue
        resolved = scenario(study, case)
        if options.dry:
            experiment.check(resolved.points[0])
            print("valid:", *name)
            continue
        began = time.process_time()
        run = odonata.run(resolved, baseline=False)
        found = rows(case, run)
        done = pl.concat([done, pl.DataFrame(found, infer_schema_length=None)],
                         how="diagonal_relaxed")  # fmt: skip
        done.write_csv(RESULTS)
        medians = [round(float(str(row["median_ns"]))) for row in found]
        print(*name, medians, f"{time.process_time() - began:.1f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
