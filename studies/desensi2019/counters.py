"""What the NICs of the job count under each static mode, beside little and beside much traffic.

``python studies/desensi2019/counters.py [--table]``: a case of study.toml, one static mode per run,
beside one of the backgrounds below; a row per run is added to counters.csv. It answers why one mode
is faster than the other, and what the rest of the machine has to do for a factor of two.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import run as study_run

import odonata
from odonata.noise import describe
from odonata.scenario import Scenario

HERE = Path(__file__).parent
RESULTS = HERE / "counters.csv"
CASES = (
    (9, "cori", "broadcast", "1 KiB"),
    (9, "cori", "alltoall", "1 KiB"),
    (9, "cori", "broadcast", "64 KiB"),
    (9, "cori", "halo3d", "32 KiB faces"),
)
"""Of study.toml: where a mode gains most (run beside all others below), and where DEFAULT wins."""

_LOAD = {"kind": "open-loop", "message": "16 KiB", "arrival": "exponential"}
OTHERS: dict[str, dict[str, Any]] = {
    "of the study": {},
    "256 nodes, uniform": {
        "nodes": 256,
        "workload": {**_LOAD, "pattern": "uniform", "load": 0.4},
    },
    "256 nodes, permutation": {
        "nodes": 256,
        "workload": {**_LOAD, "pattern": "permutation", "load": 0.4},
    },
}
"""Beside the job, in its groups. Permutation: every node sends to one other: few paths fill up."""

TURNS = 8
FLITS = "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS"
STALLED = "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED"


def document(study: dict[str, Any], case: dict[str, Any], others: str, mode: str) -> dict[str, Any]:
    """The job in one mode beside others, which send the same in every mode."""
    beside = study["background"] | OTHERS[others]
    found = study_run.document(study | {"background": beside}, case | {"turns": TURNS})
    job = found["jobs"][0]
    for key in ("alternate", "policy"):
        del job[key]
    job["routing"] = mode
    workload = job["workload"]
    if workload["kind"] == "program":  # its third argument: three modes took turns in run.py
        workload["arguments"][2] = TURNS
    else:
        workload["iterations"] = TURNS
    found["telemetry"]["counters"] = True
    return found


def row(result: odonata.Result, nodes: list[int]) -> dict[str, object]:
    """Median of the iterations' times, and what was counted."""
    job = next(job for job in result.summary["jobs"] if job["name"] == "job")
    times = (
        result.table("iterations")
        .filter((pl.col("job") == "job") & (pl.col("iteration") > 0))
        .group_by("iteration")
        .agg((pl.col("end_ns").max() - pl.col("start_ns").min()).alias("time_ns"))
    )
    counted = result.table("nic_counters").filter(pl.col("node").is_in(nodes))
    total = {name: counted.filter(pl.col("counter") == name)["value"].sum()
             for name in (FLITS, STALLED)}  # fmt: skip
    return {
        "median_ns": describe(times["time_ns"].to_numpy()).median_value,
        "round_trip_ns": job["round_trip_ns"]["mean"],
        "round_trip_p99_ns": job["round_trip_ns"]["p99"],
        "stalls_per_flit": total[STALLED] / total[FLITS],
        "hops": job["hops_mean"],
        "nonminimal": job["nonminimal_fraction"],
        "packets": result.summary["engine"]["packets"],
    }


def table(done: pl.DataFrame) -> str:
    """Of the page: both modes of a case in one row."""
    lines = [
        "| benchmark | beside it | DEFAULT, us | HIGH BIAS | round trip, ns "
        "| stalled cycles per flit | hops | not minimal |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (benchmark, size, others), pair in done.group_by(
        "benchmark", "size", "others", maintain_order=True
    ):
        default, bias = pair.iter_rows(named=True)
        both = [
            f"{default[key] * scale:{form}} and {bias[key] * scale:{form}}"
            for key, scale, form in (
                ("round_trip_ns", 1, ".0f"),
                ("stalls_per_flit", 1, ".2f"),
                ("hops", 1, ".1f"),
                ("nonminimal", 1, ".0%"),
            )
        ]
        lines.append(
            f"| {benchmark}, {size} | {others} | {default['median_ns'] / 1e3:.2f} | "
            f"{bias['median_ns'] / default['median_ns']:.2f} | {' | '.join(both)} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true", help="print the table of the page")
    options = parser.parse_args()
    study = tomllib.loads((HERE / "study.toml").read_text("utf-8"))
    done = pl.read_csv(RESULTS) if RESULTS.is_file() else pl.DataFrame()
    if options.table:
        sys.stdout.write(table(done) + "\n")
        return
    keys = ("benchmark", "size", "others", "mode")
    known = set(done.select(keys).iter_rows()) if len(done) else set()
    by_name = {
        (case["figure"], case["machine"], case["benchmark"], case["size"]): case
        for case in study["cases"]
    }
    for name in CASES:
        case = by_name[name]
        for others in OTHERS if name == CASES[0] else list(OTHERS)[:1]:
            for mode in (case.get("default", "adaptive-0"), study_run.HIGH_BIAS):
                key = (case["benchmark"], case["size"], others, mode)
                if key in known:
                    continue
                run = document(study, case, others, mode)
                result = odonata.run(Scenario.from_mapping(run), baseline=False)
                found = row(result, run["jobs"][0]["placement"]["nodes"])
                done = pl.concat(
                    [done, pl.DataFrame([dict(zip(keys, key, strict=True)) | found])],
                    how="diagonal_relaxed",
                )
                done.write_csv(RESULTS)
                sys.stdout.write(f"{key} {found}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
