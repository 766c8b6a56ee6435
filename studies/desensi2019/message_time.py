"""Equations 1 and 2 of De Sensi et al. 2019 on a simulated Piz Daint.

The time of a message by the counters of its NIC, against the time it took.
``python studies/desensi2019/message_time.py [--allocations N] [--table]``: an allocation is a pair
of nodes and what else sends; ping-pongs of several sizes run there, and `message_time.csv` gets a
row per size. ``--table`` prints the table of the page from it and runs nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import numpy as np
import polars as pl

import odonata
from odonata import noise
from odonata.scenario import Scenario

HERE = Path(__file__).parent
RESULTS = HERE / "message_time.csv"
SIZES = {128: 32, 1024: 16, 8192: 8, 65_536: 4, 262_144: 2}
"""Bytes, and how many ping-pongs."""

OTHERS = 48
LOADS = (0.05, 0.1, 0.2, 0.3)
"""Of the others, one of them in each allocation."""

_SEED, _GROUPS, _GROUP_NODES = 2019, 20, 384
_CYCLE_NS = 1.25
LATENCY, ANSWERED = "AR_NIC_ORB_PRF_NET_RSP_TRACK_2", "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK"
STALLED = "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED"
FLITS = "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS"


def main() -> None:
    """Run the allocations that are missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--allocations", type=int, default=40)
    parser.add_argument("--table", action="store_true", help="print the table of the page")
    options = parser.parse_args()
    done = pl.read_csv(RESULTS) if RESULTS.is_file() else pl.DataFrame()
    if options.table:
        sys.stdout.write(table(done))
        return
    known = set(done["allocation"]) if len(done) else set()
    for number in range(options.allocations):
        if number in known:
            continue
        run = odonata.run(scenario(number), baseline=False, threads=1)
        done = pl.concat([done, measured(run, number)], how="diagonal_relaxed")
        done.write_csv(RESULTS)
        sys.stdout.write(f"allocation {number}\n")
        sys.stdout.flush()


def scenario(number: int) -> Scenario:
    """Two nodes, in one group or in two by turns, and others in the same groups."""
    draw = random.Random(f"{_SEED} {number}")  # noqa: S311 - no secret
    groups = draw.sample(range(_GROUPS), 1 + number % 2)
    here = [group * _GROUP_NODES + node for group in groups for node in range(_GROUP_NODES)]
    first = draw.randrange(_GROUP_NODES)
    last = draw.randrange(len(here) - _GROUP_NODES, len(here))
    pair = [here[first], here[last if last != first else (last + 4) % len(here)]]
    others = sorted(draw.sample(sorted(set(here) - set(pair)), OTHERS))
    ping_pong = {
        "kind": "program",
        "path": str(HERE / "ping_pong.py"),
        "ranks": 2,
        "arguments": [value for pair in SIZES.items() for value in pair],
    }
    load = {
        "kind": "open-loop",
        "ranks": OTHERS,
        "load": draw.choice(LOADS),
        "message": "16 KiB",
    }
    return Scenario.from_mapping(
        {
            "seed": _SEED + number,
            "system": {
                "preset": "piz-daint",
                "mpi": {"preset": "ideal"},
                "nic": {"buffer_packets": 1, "queues": 1},
            },
            "routing": "adaptive-0",
            "jobs": [
                {
                    "name": "ping-pong",
                    "role": "victim",
                    "placement": {"kind": "list", "nodes": pair},
                    "workload": ping_pong,
                },
                {
                    "name": "others",
                    "role": "background",
                    "placement": {"kind": "list", "nodes": others},
                    "workload": load,
                },
            ],
            "telemetry": {
                "counters": True,
                "counter_interval": "500 ns",
                "counter_view": "user",
            },
        }
    )


def measured(run: odonata.Result, number: int) -> pl.DataFrame:
    """A row per size: mean time of a ping-pong, and what the two NICs counted meanwhile."""
    order = [place for place, count in enumerate(SIZES.values()) for _ in range(count)]
    spans = (
        run.table("iterations")
        .filter(pl.col("job") == "ping-pong", pl.col("rank") == 0)
        .sort("iteration")
        .with_columns(pl.Series("iteration", order))
        .group_by("iteration")
        .agg(pl.col("start_ns").min(), pl.col("end_ns").max())
        .sort("iteration")
    )
    jobs = run.table("ranks").filter(pl.col("job") == "ping-pong")
    nodes = jobs.sort("rank")["node"].to_list()
    readings = run.table("nic_counters").filter(pl.col("node").is_in(nodes))
    counted = noise.during(
        readings.select(
            "time_ns",
            "value",
            quantity=pl.col("counter").cast(pl.String),
            place=pl.col("node").cast(pl.String),
            statistic=pl.lit("total"),
        ),
        spans,
    )
    rows = []
    for span in spans.iter_rows(named=True):
        model = {"latency_us": 0.0, "packets": 0.0, "stalled": 0.0, "flits": 0.0}
        names = dict(zip(model, (LATENCY, ANSWERED, STALLED, FLITS), strict=True))
        of = counted.filter(pl.col("iteration") == span["iteration"])
        for key, name in names.items():
            model[key] = float(of.filter(pl.col("quantity") == name)["delta"].sum())
        size, count = list(SIZES.items())[span["iteration"]]
        time_ns = (span["end_ns"] - span["start_ns"]) / count / 2.0
        rows.append({"allocation": number, "bytes": size, "time_ns": time_ns, **model})
    return pl.DataFrame(rows)


def modelled(done: pl.DataFrame, *, limited: bool) -> np.ndarray:
    """Time of one way by the counters, ns."""
    latency = (done["latency_us"] / done["packets"] * 1e3 / _CYCLE_NS).to_numpy()
    stalls = (done["stalled"] / done["flits"]).to_numpy()
    return noise.cycles(latency, stalls, done["bytes"].to_numpy(), limited=limited) * _CYCLE_NS


def table(done: pl.DataFrame) -> str:
    """Correlation over allocations of each size, and over all sizes."""
    lines = [
        "| size | allocations | mean time, us | spread of the times | equation 1: correlation "
        "| equation 2 | scale | host, us |",
        "|---|---|---|---|---|---|---|---|",
    ]
    estimates = []
    parts = [*done.sort("bytes").partition_by("bytes", maintain_order=True), done]
    for part in parts:
        times = part["time_ns"].to_numpy()
        one, two = (noise.fit(modelled(part, limited=limited), times) for limited in (False, True))
        is_one_size = part["bytes"].n_unique() == 1
        if is_one_size:
            estimates.append((one.correlation.estimate, two.correlation.estimate))
        name = f"{part['bytes'][0]:,} B" if is_one_size else "all sizes"
        lines.append(
            f"| {name} | {part['allocation'].n_unique()} | {times.mean() / 1e3:.2f} "
            f"| {times.std() / times.mean():.0%} | {_said(one)} | {_said(two)} "
            f"| {two.scale:.2f} | {two.host_ns / 1e3:.2f} |"
        )
    means = np.mean(estimates, axis=0)
    lines += ["", f"Mean over sizes: {means[0]:.0%} by equation 1, {means[1]:.0%} by equation 2."]
    return "\n".join(lines) + "\n"


def _said(found: noise.Fit) -> str:
    of = found.correlation
    return f"{of.estimate:.0%} ({of.low:.0%} to {of.high:.0%})"


if __name__ == "__main__":
    main()
