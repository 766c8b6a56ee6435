"""Results as tables on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table

from odonata.caveats import caveats
from odonata.results import Result, Sweep

_TOP_LINKS = 5
_STEPS = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))


def duration(ns: float | None) -> str:
    """Text of a time given in ns, three digits.

    Examples
    --------
    >>> duration(15_570_000), duration(4.2e11), duration(None)
    ('15.6 ms', '7 min', '')
    """
    if ns is None or math.isnan(ns):
        return ""
    if ns >= 1.2e11:
        minutes = round(ns / 6e10)
        return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
    for unit, size in _STEPS:
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns / size < 1000 else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns"


def ratio(value: float | None, digits: int = 2) -> str:
    """Text of a plain number; empty if there is none."""
    return "" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def print_results(results: Result | Sweep, console: Console) -> None:
    """Print jobs with their communication times and latencies, and the links that stall most.

    Of replicas the rows would be too many: :func:`odonata.cli.spread.print_replicas`.

    Parameters
    ----------
    results : Result or Sweep
        What to show.
    console : rich.console.Console
        Where.
    """
    runs = results.runs if isinstance(results, Sweep) else {"": results}
    if not isinstance(results, Sweep) or results.replicas == 1:
        _print_tables(results, runs, console)
    for name, run in runs.items():
        if run.stop != "finished":
            console.print(f"[yellow]{escape(name or 'the run')}: {run.stop}[/]")
    for text in caveats(runs):
        console.print(f"[yellow]{escape(text)}[/]", soft_wrap=True)


def _print_tables(results: Result | Sweep, runs: Mapping[str, Result], console: Console) -> None:
    if any(job.comm_time_ns is not None for run in runs.values() for job in run.jobs.values()):
        console.print(_jobs_table(results))
    if any(run.summary.get("network", {}).get("offered_load") is not None
           for run in runs.values()):  # fmt: skip
        console.print(_loads_table(results))
    links = _stalled_links(runs)
    if links is not None:
        console.print(links)


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


def new_table(title: str) -> Table:
    """A table that fits narrow screens."""
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
                 pad_edge=False)  # fmt: skip


def printable(text: str) -> str:
    r"""Text without letters that a terminal would obey; names may hold any.

    Examples
    --------
    >>> printable("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t"
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )  # fmt: skip


class _Screen(Console):
    """A console that shows letters that a terminal would obey, and leaves errors to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def screen(*, to_stderr: bool = False) -> Console:
    """Where results are shown; lines keep their length where there is no terminal."""
    console = _Screen(stderr=to_stderr, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, 120)
    return console


def _jobs_table(results: Result | Sweep) -> Table:
    table = new_table("Jobs: communication time (mean over ranks), packet latency")
    for label in (*_labels(results), "job"):
        table.add_column(label)
    for label in ("alone", "beside", "slowdown", "overlap", "latency", "p95", "p99"):
        table.add_column(label, justify="right", no_wrap=True)
    for cells, run in _rows(results):
        for job in run.jobs.values():
            latency = job.summary.get("packet_latency_ns") or {}
            is_partial = job.comm_time_ns is not None and not job.has_ended
            table.add_row(
                *map(escape, cells),
                escape(job.name),
                duration(job.baseline_comm_time_ns),
                "unfinished" if is_partial else duration(job.comm_time_ns),
                ratio(job.slowdown),
                "" if job.overlap is None else f"{job.overlap:.0%}",
                *(duration(latency.get(key)) for key in ("mean", "p95", "p99")),
            )
    return table


def _loads_table(results: Result | Sweep) -> Table:
    table = new_table("Network: share of injection bandwidth, packet latency")
    for label in _labels(results):
        table.add_column(label)
    for label in ("offered", "accepted", "saturated", "latency", "p95", "p99", "hops",
                  "non-minimal"):  # fmt: skip
        table.add_column(label, justify="right", no_wrap=True)
    for cells, run in _rows(results):
        network = run.summary.get("network", {})
        latency: Mapping[str, Any] = network.get("packet_latency_ns") or {}
        table.add_row(
            *map(escape, cells),
            ratio(network.get("offered_load"), 4),
            ratio(network.get("accepted_load"), 4),
            "yes" if network.get("saturated") else "",
            *(duration(latency.get(key)) for key in ("mean", "p95", "p99")),
            ratio(network.get("hops_mean"), 3),
            ratio(network.get("nonminimal_fraction"), 3),
        )
    return table


def _stalled_links(runs: Mapping[str, Result]) -> Table | None:
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
    table = new_table("Links that stalled most (a packet is ready and lacks credits)")
    if len(runs) > 1:
        table.add_column("run")
    table.add_column("link")
    for label in ("stalled", "of the run", "utilisation"):
        table.add_column(label, justify="right")
    for row in top.iter_rows(named=True):
        link = f"{row['kind']} {row['source_router']} -> {row['target_router']}"
        table.add_row(
            *([escape(row["run"])] if len(runs) > 1 else []),
            escape(link),
            duration(row["stall_ns"]),
            f"{row['share']:.0%}" if math.isfinite(row["share"]) else "",
            ratio(row["congestion_index"]),
        )
    return table
