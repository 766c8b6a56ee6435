"""Results as tables on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from rich.console import Console

from odonata.cli.listing import Listing
from odonata.cli.screen import tell
from odonata.output.caveats import caveats, ended
from odonata.results import Result, Sweep

_TOP_LINKS = 5


def print_results(results: Result | Sweep, console: Console) -> None:
    """Print jobs with their communication times and latencies, and the links that stall most.

    Of replicas the rows would be too many: :func:`odonata.cli.spread.print_replicas`.
    """
    runs = results.runs if isinstance(results, Sweep) else {"": results}
    if not isinstance(results, Sweep) or results.replicas == 1:
        _print_tables(results, runs, console)
    for name, run in runs.items():
        if run.stop != "finished":
            tell(console, f"{name or 'The run'} {ended(run)}.", style="yellow")
    for text in caveats(runs):
        tell(console, f"Warning: {text}", style="yellow")


def _print_tables(results: Result | Sweep, runs: Mapping[str, Result], console: Console) -> None:
    if any(job.comm_time_ns is not None for run in runs.values() for job in run.jobs.values()):
        _jobs_table(results).print(console)
    if any("estimated" in job.summary for run in runs.values() for job in run.jobs.values()):
        _estimates_table(results).print(console)
    if any("policy" in job.summary for run in runs.values() for job in run.jobs.values()):
        _policies_table(results).print(console)
    if any(run.summary.get("network", {}).get("offered_load") is not None
           for run in runs.values()):  # fmt: skip
        _loads_table(results).print(console)
    links = _stalled_links(runs)
    if links is not None:
        links.print(console)


def _rows(results: Result | Sweep) -> Iterable[tuple[list[str], Result]]:
    """Label cells and result of each run."""
    if isinstance(results, Result):
        routing = results.scenario.get("routing", {}).get("algorithm")
        yield ([str(routing)] if routing else []), results
        return
    keys = results.keys
    for row in results.index.iter_rows(named=True):
        yield [str(row[key]) for key in keys], results.runs[row["run"]]


def _labels(results: Result | Sweep) -> list[str]:
    if isinstance(results, Sweep):
        keys = results.keys
        lasts = [key.rpartition(".")[2] for key in keys]
        return [last if lasts.count(last) == 1 else key
                for last, key in zip(lasts, keys, strict=True)]  # fmt: skip
    return ["routing"] if results.scenario.get("routing") else []


_ALL_IN = "`odonata query DIR` has every table"


def _jobs_table(results: Result | Sweep) -> Listing:
    table = Listing("Jobs: communication time (mean over ranks), packet latency", all_in=_ALL_IN)
    table.labels(*_labels(results), "job").times("alone", "co-running")
    table.numbers("slowdown [x]", form=".2f", kept=True).numbers("overlap", form=".0%")
    table.times("latency", "p95", "p99")
    for cells, run in _rows(results):
        for job in run.jobs.values():
            latency = job.summary.get("packet_latency_ns") or {}
            is_partial = job.comm_time_ns is not None and not job.has_ended
            partial = "estimated" if "cuts" in job.summary else "unfinished"
            table.row(
                *cells, job.name, job.baseline_comm_time_ns,
                partial if is_partial else job.comm_time_ns, job.slowdown, job.overlap,
                *(latency.get(key) for key in ("mean", "p95", "p99")),
            )  # fmt: skip
    return table


def _estimates_table(results: Result | Sweep) -> Listing:
    """What jobs of which not all was simulated would have said in full."""
    table = Listing("Estimated for all iterations, 95 % intervals", all_in=_ALL_IN)
    table.labels(*_labels(results), "job", "iterations").times("iteration")
    table.times("comm. time").numbers("+-", form=".2%").numbers(
        "slowdown [x]", "interval", form=".2f", kept=True
    )
    for cells, run in _rows(results):
        for job in run.jobs.values():
            said = job.summary.get("estimated")
            if not said:
                continue
            comm, slowdown = said.get("comm_time_ns") or {}, said.get("slowdown") or {}
            # A job that is alone may not communicate at all.
            mean = comm.get("mean")
            width = (comm["high"] - comm["low"]) / 2 / mean if mean else None
            count = (
                f"{said['iterations_simulated']} of {said['iterations']}"
                if "iterations" in said
                else "all"
            )
            table.row(
                *cells, job.name, count, (said.get("iteration_time_ns") or {}).get("mean"),
                mean, width, slowdown.get("mean"),
                (slowdown["low"], slowdown["high"]) if slowdown else None,
            )  # fmt: skip
    return table


def _policies_table(results: Result | Sweep) -> Listing:
    """What policies did, and regret where it was asked for."""
    table = Listing("Policies: share of bytes by way, decisions, time spent reading counters",
                    all_in=_ALL_IN)  # fmt: skip
    index = results.index if isinstance(results, Sweep) else pl.DataFrame()
    regrets = [name for name in index.columns if name.endswith(".regret")]
    table.labels(*_labels(results), "job", "policy").prose("bytes")
    table.numbers("decided", "changes", form="d").times("reading")
    if regrets:
        table.numbers("regret", form="+.1%", kept=True)
    for number, (cells, run) in enumerate(_rows(results)):
        for job in run.jobs.values():
            policy = job.summary.get("policy")
            if not policy:
                continue
            shares = ((way, share) for way, share in policy["bytes_share"].items() if share)
            column = f"{job.name}.regret"
            regret = [index[column][number] if column in regrets else None] if regrets else []
            table.row(
                *cells, job.name, str(policy["kind"]),
                ", ".join(f"{way} {share:.0%}" for way, share in shares),
                policy["decisions"], policy["changes"],
                policy["reading_ns"] / max(job.summary["ranks"], 1), *regret,
            )  # fmt: skip
    return table


def _loads_table(results: Result | Sweep) -> Listing:
    table = Listing("Network: share of injection bandwidth, packet latency", all_in=_ALL_IN)
    rows = [(cells, name, one) for cells, run in _rows(results) for name, one in _loads(run)]
    has_jobs = any(name for _, name, _ in rows)
    table.labels(*_labels(results), *(["job"] if has_jobs else []))
    table.numbers("offered [share]", "accepted [share]", form=".4f", kept=True)
    table.numbers("saturated").times("latency", "p95", "p99")
    table.numbers("path [routers]", form=".3f").numbers("non-minimal", form=".1%")
    for cells, name, one in rows:
        latency: Mapping[str, Any] = one.get("packet_latency_ns") or {}
        table.row(
            *cells, *([name or "all"] if has_jobs else []), one.get("offered_load"),
            one.get("accepted_load"), "yes" if one.get("saturated") else "",
            *(latency.get(key) for key in ("mean", "p95", "p99")),
            one.get("hops_mean"), one.get("nonminimal_fraction"),
        )  # fmt: skip
    return table


def _loads(run: Result) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """What a run says of the network and, if several jobs offer a load, of each of them."""
    yield "", run.summary.get("network", {})
    offering = [job for job in run.jobs.values() if "accepted_load" in job.summary]
    if len(offering) > 1:
        yield from ((job.name, job.summary) for job in offering)


def _stalled_links(runs: Mapping[str, Result]) -> Listing | None:
    """The links that stalled longest, over all runs."""
    frames = []
    for name, run in runs.items():
        if "links" in run.tables():
            frame = run.table("links").filter(pl.col("stall_ns") > 0)
            simulated = run.summary.get("simulated_ns") or math.nan
            frames.append(
                frame.sort("stall_ns", descending=True)
                .head(_TOP_LINKS)
                .select(
                    pl.lit(name).alias("run"),
                    pl.col("kind"),
                    pl.col("source_router", "target_router").cast(pl.String),
                    pl.col("stall_ns").cast(pl.Float64),
                    (pl.col("stall_ns") / simulated).alias("share"),
                    pl.col("congestion_index").cast(pl.Float64),
                )
            )
    if not frames or sum(frame.height for frame in frames) == 0:
        return None
    top = pl.concat(frames).sort("stall_ns", descending=True).head(_TOP_LINKS)
    table = Listing("Links that stalled most (a packet is ready and lacks credits)", all_in=_ALL_IN)
    named = len(runs) > 1
    table.labels(*(["run"] if named else []), "link").times("stalled")
    table.numbers("of the run", form=".0%").numbers("utilisation", form=".0%")
    for row in top.iter_rows(named=True):
        link = f"{row['kind']} {row['source_router']} -> {row['target_router']}"
        table.row(*([row["run"]] if named else []), link, row["stall_ns"], row["share"],
                  row["congestion_index"])  # fmt: skip
    return table
