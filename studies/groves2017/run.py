"""Groves, Gu, Wright, CLUSTER 2017: counters of Aries against the time of allreduces, simulated.

``python studies/groves2017/run.py [--only RANKS BYTES] [--dry] [--table]``: runs the cases that
``iterations.csv`` lacks, each a variant of ``scenarios/groves2017-hosts.toml``, and adds a row per
iteration to it, and, of 512 ranks, one with the counters of the iteration to ``counters.csv``.
``--table`` prints the tables of the page from these two files, writes ``explained.csv`` and
``planted.csv``, and runs nothing; ``--dry`` checks all cases. ``--folder`` is where the files are,
so that several of these programs can run at once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from tables import ALL, explained, planted, printed

import odonata
from odonata import noise
from odonata.campaign import experiment

HERE = Path(__file__).parent
SCENARIO = HERE.parents[1] / "scenarios" / "groves2017-hosts.toml"
ITERATIONS, COUNTERS = "iterations.csv", "counters.csv"

SIZES = (512, 8, 8192, 64, 2048, 128, 1024, 32, 4096, 256)
"""Payloads, bytes; the ten of the paper are not listed there (8 B to 8 KiB)."""

CASES = (
    *((512, size) for size in SIZES),
    *((32, size) for size in SIZES),
    (256, 512),
    (128, 512),
    (64, 512),
)
"""Ranks and payload, those of Table I first, then those of Figs. 2 and 4."""

_ITERATIONS, _GAP_NS = 30, 20_000
_PROCESSOR_TILES = 50
"""From this number on tiles lead to NICs; the paper has the counters of network tiles."""


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs=2, type=int, metavar=("RANKS", "BYTES"))
    parser.add_argument("--folder", type=Path, default=HERE, help="where the tables are")
    parser.add_argument("--dry", action="store_true", help="check all cases")
    parser.add_argument("--table", action="store_true", help="print the tables of the page")
    options = parser.parse_args()
    done = _read(options.folder / ITERATIONS)
    if options.table:
        counters = _read(options.folder / COUNTERS)
        sys.stdout.write(printed(done, counters))
        explained(done, counters).write_csv(options.folder / "explained.csv", float_precision=6)
        planted(done, counters).write_csv(options.folder / "planted.csv", float_precision=6)
        return
    known = set(done.select("ranks", "bytes").unique().iter_rows()) if len(done) else set()
    for number, case in enumerate(CASES):
        if case in known or (options.only and tuple(options.only) != case):
            continue
        scenario = experiment.open_scenario(SCENARIO, overrides=_overrides(number, case))
        if options.dry:
            experiment.check(scenario.points[0])
            sys.stdout.write(f"valid: {case}\n")
            continue
        began = time.process_time()
        run = odonata.run(scenario, baseline=False, threads=1)
        simulated = time.process_time() - began
        iterations, counters = measured(run, case, planted_by(scenario.points[0].config))
        iterations = iterations.with_columns(cpu_s=round(simulated, 1))
        for name, frame in ((COUNTERS, counters), (ITERATIONS, iterations)):
            path = options.folder / name
            if name == ITERATIONS or case[0] == ALL:
                pl.concat([_read(path), frame], how="diagonal_relaxed").write_csv(path)
        sys.stdout.write(
            f"{case}: median {iterations['slowest_ns'].median():.0f} ns, {simulated:.0f} s, "
            f"{time.process_time() - began:.0f} s with the counters\n"
        )
        sys.stdout.flush()


def _overrides(number: int, case: tuple[int, int]) -> list[str]:
    ranks, size = case
    return [
        f"jobs.allreduce.workload.ranks={ranks}",
        f"jobs.allreduce.workload.arguments=[{size}, {_ITERATIONS}, {_GAP_NS}]",
        f"seed={2017 + number}",
        *([] if ranks == ALL else ['telemetry.counter_interval="1 s"']),
    ]


def measured(
    run: odonata.Result, case: tuple[int, int], load: Callable[[pl.DataFrame], np.ndarray]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Times and loads of every iteration, and what the network tiles counted in it."""
    ranks, size = case
    iterations = (
        run.table("iterations")
        .filter(pl.col("job") == "allreduce")
        .group_by("iteration")
        .agg(
            pl.col("start_ns").min(),
            pl.col("end_ns").max(),
            slowest_ns=pl.col("comm_time_ns").max(),
            fastest_ns=pl.col("comm_time_ns").min(),
        )
        .sort("iteration")
        .with_columns(pl.col("iteration").cast(pl.Int64))
    )
    spans = iterations.select("iteration", "start_ns", "end_ns")
    iterations = iterations.with_columns(
        planted_gb_per_s=load(spans),
        sent_gb_per_s=sent(run.table("series"), spans),
    )
    readings = run.table("counters").filter(pl.col("tile") < _PROCESSOR_TILES)
    counted = noise.during(
        readings.select(
            "time_ns",
            "value",
            quantity=pl.col("counter").cast(pl.String),
            place=pl.format("{} {}", "router", "port"),
            statistic=pl.lit("total"),
        ),
        spans,
    )
    largest = (
        counted.group_by("iteration", "quantity")
        .agg(pl.col("delta").max())
        .pivot(on="quantity", index="iteration", values="delta")
        .sort("iteration")
    )
    named = largest.select("iteration", *sorted(set(largest.columns) - {"iteration"}))
    case_columns = (pl.lit(ranks).alias("ranks"), pl.lit(size).alias("bytes"))
    return iterations.select(*case_columns, pl.all()), named.select(*case_columns, pl.all())


def planted_by(config: Mapping[str, Any]) -> Callable[[pl.DataFrame], np.ndarray]:
    """Mean load of the other jobs in spans of time, GB/s, by the scenario alone."""
    rate = config["system"]["links"]["host"]["bandwidth_bytes_per_s"] / 1e9
    others = [job["workload"] for job in config["jobs"] if job["role"] == "background"]

    def planted(spans: pl.DataFrame) -> np.ndarray:
        starts, ends = spans["start_ns"].to_numpy(), spans["end_ns"].to_numpy()
        found = np.zeros(len(spans))
        for load in others:
            cycle = load["burst"] / 1e3, load["pause"] / 1e3
            share = _time_in_bursts(ends, *cycle) - _time_in_bursts(starts, *cycle)
            found += share / (ends - starts) * load["ranks"] * load["load"] * rate
        return found

    return planted


def _time_in_bursts(at: np.ndarray, burst: float, pause: float) -> np.ndarray:
    cycles, rest = np.divmod(at, burst + pause)
    return np.asarray(cycles * burst + np.minimum(rest, burst))


def sent(series: pl.DataFrame, spans: pl.DataFrame) -> np.ndarray:
    """What the NICs of the other jobs injected in each span, GB/s, requests with headers."""
    bins = (
        series.filter(pl.col("job") != "allreduce")
        .group_by("time_ns")
        .agg(pl.col("bytes_injected").sum(), pl.col("bin_ns").first())
        .sort("time_ns")
    )
    edges = np.append(bins["time_ns"].to_numpy(), bins["time_ns"][-1] + bins["bin_ns"][-1])
    total = np.append(0.0, bins["bytes_injected"].cast(pl.Float64).to_numpy().cumsum())
    starts, ends = spans["start_ns"].to_numpy(), spans["end_ns"].to_numpy()
    counted = np.interp(ends, edges, total) - np.interp(starts, edges, total)
    return np.asarray(counted / (ends - starts))


def _read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path) if path.is_file() else pl.DataFrame()


if __name__ == "__main__":
    main()
