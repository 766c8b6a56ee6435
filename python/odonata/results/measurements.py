"""Simulated results in the form of measured data, so that the same functions take both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from odonata.core.quantities import QuantityError, parse_quantity
from odonata.measured import form
from odonata.results.run import Result
from odonata.results.sweep import Sweep

_LATENCIES = ("mean", "p50", "p95", "p99", "max")
_PLACES = ("router", "tile", "port", "node", "nic")
"""Columns of tables of counters that say where one is."""

_TABLES = ("counters", "nic_counters")

_GPCNET_MESSAGES = 16
"""Messages that a rank of `gpcnet-bandwidth` sends and receives in an iteration."""


def form_of(
    results: Result | Sweep, *, source: str | None = None, as_benchmarks: bool = True
) -> pl.DataFrame:
    """Results of runs in the form.

    Parameters
    ----------
    results : Result or Sweep
        What `odonata.run` or `odonata.load` returns.
    source : str, optional
        What to call it; by default its folder, or the name of the scenario. Runs of a sweep have
        their name behind it.
    as_benchmarks : bool
        Whether iterations of `ping-pong`, `gpcnet-latency` and `gpcnet-bandwidth` count as the
        benchmarks of these names count them: a latency is half the time of an iteration, of a
        ping-pong at the ranks that begin; a bandwidth is what a rank sends and receives in one.
        An iteration of `inference` counts from its beginning to its end, computation included.

    Returns
    -------
    polars.DataFrame
        Of every job: `comm_time` (or `latency`, or `bandwidth`) of each iteration and rank
        (``time_ns`` its start, ``interval_ns`` its span, ``bytes`` the parameter `message` of the
        workload, if it has one); `rank_comm_time` and `rank_mpi_time` of each rank over the whole
        run; `packet_latency` and `slowdown` as the run computed them; readings of counters where
        the run has them. The condition is `alone` for isolated runs, else `beside`; a run of one
        job is `alone`.
    """
    parts = [
        part
        for name, run, condition in _runs(results, source)
        for part in _of_run(run, name, condition, as_benchmarks=as_benchmarks)
    ]
    return form.joined(parts)


def _runs(results: Result | Sweep, source: str | None) -> Iterator[tuple[str, Result, str]]:
    """Name, run and condition of every run, isolated ones behind the run that they belong to."""
    if isinstance(results, Sweep):
        start = source or str(results.directory or "sweep")
        runs = {f"{start}/{name}": run for name, run in results.runs.items()}
    else:
        given = results.directory or results.summary.get("name") or "run"
        runs = {source or str(given): results}
    for name, run in runs.items():
        yield name, run, "beside" if len(run.jobs) > 1 else "alone"
        for alone in run.baselines.values():
            yield name, alone, "alone"


def _of_run(
    run: Result, source: str, condition: str, *, as_benchmarks: bool
) -> Iterator[pl.DataFrame]:
    common = {"source": source, "world": "simulated", "condition": condition}
    workloads = {job["name"]: job.get("workload", {}) for job in run.scenario.get("jobs", [])}
    sizes = {name: _message(workload) for name, workload in workloads.items()}
    if "iterations" in run.tables():
        for part in _iterations(run.table("iterations"), common):
            sized = part.with_columns(bytes=_sizes(part, sizes))
            yield _as_benchmarks(sized, workloads) if as_benchmarks else sized
    if "ranks" in run.tables():
        for part in _ranks(run.table("ranks"), common):
            yield part.with_columns(bytes=_sizes(part, sizes))
    yield from _jobs(run, common)
    for name in _TABLES:
        if name in run.tables():
            yield from _counters(run.table(name), common, float(run.summary["simulated_ns"]))


def _message(workload: Mapping[str, Any]) -> int | None:
    """Bytes of the messages of a workload whose parameter `message` says so."""
    try:
        size = parse_quantity(workload.get("message", ""), "bytes")
    except QuantityError:
        return None
    # As the workloads round: to the nearest whole number, halves up, and at least 1.
    return max(int(size * float(workload.get("size_scale", 1.0)) + 0.5), 1) if size else 0


def _sizes(part: pl.DataFrame, sizes: Mapping[str, int | None]) -> pl.Series:
    return part["series"].replace_strict(sizes, default=None, return_dtype=pl.Int64)


def _as_benchmarks(times: pl.DataFrame, workloads: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    """Times of iterations as the benchmarks of these names count them."""
    kinds = {name: str(workload.get("kind")) for name, workload in workloads.items()}
    firsts = {name: int(workload.get("ranks", 2)) // 2 for name, workload in workloads.items()}
    kind = pl.col("series").replace_strict(kinds, default=None, return_dtype=pl.String)
    first = pl.col("series").replace_strict(firsts, default=1, return_dtype=pl.Int64)
    is_latency = kind.is_in(["ping-pong", "gpcnet-latency"]).fill_null(value=False)
    is_bandwidth = (kind == "gpcnet-bandwidth").fill_null(value=False)
    is_token = (kind == "inference").fill_null(value=False)
    sent = _GPCNET_MESSAGES * pl.col("bytes") * 1e9
    begins = (kind != "ping-pong").fill_null(value=True) | (pl.col("rank") < first)
    return times.filter(begins).with_columns(
        quantity=pl.when(is_latency).then(pl.lit("latency")).when(is_bandwidth)
        .then(pl.lit("bandwidth")).when(is_token).then(pl.lit("time_to_token"))
        .otherwise("quantity"),
        unit=pl.when(is_bandwidth).then(pl.lit("B/s")).otherwise("unit"),
        value=pl.when(is_latency).then(pl.col("value") / 2.0).when(is_bandwidth)
        .then(sent / pl.col("value")).when(is_token).then("interval_ns").otherwise("value"),
    )  # fmt: skip


def _iterations(table: pl.DataFrame, common: dict[str, str]) -> Iterator[pl.DataFrame]:
    if table.is_empty():
        return
    # Repetitions of a job follow each other: one order for all.
    repetition = pl.col("repetition") if "repetition" in table.columns else pl.lit(0)
    ordered = table.with_columns(
        place=pl.struct(repetition.alias("repetition"), "iteration").rank("dense").over("job") - 1
    )
    yield form.table(
        source=common["source"],
        world=common["world"],
        condition=_conditions(ordered, common["condition"]),
        series=ordered["job"],
        quantity="comm_time",
        unit="ns",
        statistic=form.SAMPLE,
        rank=ordered["rank"],
        iteration=ordered["place"],
        time_ns=ordered["start_ns"],
        interval_ns=ordered["end_ns"] - ordered["start_ns"],
        value=ordered["comm_time_ns"],
    )


def _conditions(table: pl.DataFrame, condition: str) -> pl.Series:
    """Of jobs whose routings take turns, the routing of each iteration; else `condition`."""
    if "routing" not in table.columns:
        return pl.repeat(condition, len(table), eager=True)
    takes_turns = pl.col("routing").n_unique().over("job") > 1
    return table.select(
        pl.when(takes_turns).then("routing").otherwise(pl.lit(condition)).alias("condition")
    )["condition"]


def _ranks(table: pl.DataFrame, common: dict[str, str]) -> Iterator[pl.DataFrame]:
    for column in ("comm_time_ns", "mpi_time_ns"):
        if column not in table.columns:
            continue
        known = table.filter(pl.col(column).is_not_null())
        if len(known):
            yield form.table(
                **common,
                series=known["job"],
                quantity=f"rank_{column.removesuffix('_ns')}",
                unit="ns",
                statistic=form.SAMPLE,
                rank=known["rank"],
                place=pl.select(pl.format("node {}", known["node"])).to_series(),
                value=known[column],
            )


def _jobs(run: Result, common: dict[str, str]) -> Iterator[pl.DataFrame]:
    for name, job in run.jobs.items():
        latency = job.summary.get("packet_latency_ns") or {}
        rows = [("packet_latency", "ns", key, float(latency[key]))
                for key in _LATENCIES if latency.get(key) is not None]  # fmt: skip
        if job.slowdown is not None:
            rows.append(("slowdown", "ratio", "mean", job.slowdown))
        if rows:
            quantities, units, statistics, values = zip(*rows, strict=True)
            yield form.table(**common, series=name, quantity=quantities, unit=units,
                             statistic=statistics, value=values)  # fmt: skip


def _counters(
    table: pl.DataFrame, common: dict[str, str], simulated_ns: float
) -> Iterator[pl.DataFrame]:
    """Counters of routers or NICs: readings where they were sampled, else counts of the run."""
    if not {"counter", "value"} <= set(table.columns) or table.is_empty():
        return
    where = [name for name in _PLACES if name in table.columns]
    place = table.select(
        pl.format(" ".join(f"{name} {{}}" for name in where), *where) if where
        else pl.lit(None, dtype=pl.String).alias("place")
    ).to_series()  # fmt: skip
    is_sampled = "time_ns" in table.columns
    yield form.table(
        **common,
        series="counters" if "node" not in where else "NIC",
        quantity=table["counter"],
        unit=table["unit"] if "unit" in table.columns else "count",
        statistic=form.TOTAL if is_sampled else form.DELTA,
        place=place,
        time_ns=table["time_ns"] if is_sampled else None,
        interval_ns=None if is_sampled else simulated_ns,
        value=table["value"],
    )
