"""What pages state, with a slot for each number, and the command that fills the slots.

`python tools/page_facts.py` runs all pages, writes the numbers on them and stores what was found;
`python tools/page_facts.py tutorial` does so for pages with that in their name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import polars as pl
from page_numbers import Facts, Made, Page, make

from odonata.results import Result, Sweep

PAGES = (
    Page(
        "README.md",
        commands=(),
        before=(
            "odonata run scenarios/demo.toml --out out/demo --quiet",
            "odonata report out/demo",
        ),
        pictures={
            "out/demo/figures/communication_time.png": "docs/images/demo-communication-time.png"
        },
    ),
    Page(
        "docs/tutorial.md",
        commands=(
            "odonata run scenarios/blame.toml --replicas 5 --out results/replicas",
            "odonata run scenarios/blame.toml --out results/both",
        ),
    ),
    Page("docs/how-to/classes-or-placement.md"),
    Page("docs/how-to/failing-link.md"),
    Page("docs/how-to/compare-with-measurements.md",
         commands=("odonata run ", "odonata noise osu-allreduce.txt --against")),
    Page(
        "docs/first-hours.md",
        commands=("odonata new ", "odonata run mytrace.toml", "odonata run operator.toml"),
        python=True,
        instead={"--job trace": "--job tests/data/eztrace-lammps-4"},
    ),
)  # fmt: skip


def _us(ns: float) -> str:
    return f"{ns / 1e3:.0f}"


def _interval(
    sweep: Sweep, quantity: str, *, scale: float = 1.0, digits: int = 2, **where: str
) -> tuple[str, ...]:
    """Estimate of a quantity and the ends of its interval."""
    same = [pl.col(key) == value for key, value in {"quantity": quantity, **where}.items()]
    (row,) = sweep.intervals().filter(*same).iter_rows(named=True)
    return tuple(f"{row[name] / scale:.{digits}f}" for name in ("value", "value_low", "value_high"))


def _slowdown_and_time(sweep: Sweep, **where: str) -> tuple[str, ...]:
    """Slowdown and communication time in us, with their intervals."""
    times = _interval(sweep, "comm_time_ns_mean", scale=1e3, digits=1, **where)
    return *_interval(sweep, "slowdown", digits=3, **where), *times


def _blamed(run: Result | Sweep, job: str, by: str) -> float:
    """Share of the waits of a job's packets that is charged to another one, in percent.

    Through full buffers to the port that was sending, as `odonata explain` says it.
    """
    waits = run.table("blame").filter(delayed=job, transaction="request")
    whole = waits["through_ns"].sum()
    return float(100 * waits.filter(delaying=by)["through_ns"].sum() / whole)


def _readme(made: Made) -> Facts:
    runs = made.sweep("out/demo").runs
    par, minimal = (runs[f"algorithm={name}"] for name in ("par", "minimal"))
    times = []
    for run in (par, minimal):
        job = run.jobs["fft3d"]
        times += [_us(job.comm_time_ns), _us(job.baseline_comm_time_ns), f"{job.slowdown:.2f}"]
    yield (
        "FFT3D communicates for {} us when it shares the network with Halo3D and for {} us alone, "
        "{} times as long; with minimal routing for {} and {} us, {} times. Of the waits of its "
        "packets under `par`, {} % are charged to Halo3D.",
        (*times, f"{_blamed(par, 'fft3d', 'halo3d'):.0f}"),
    )


def _tutorial(made: Made) -> Facts:
    slow = _interval(made.sweep("results/replicas"), "slowdown", job="halo")
    yield "the slowdown is {}, and between {} and {} with 95 % confidence", slow
    share = f"{_blamed(made.results('results/both'), 'halo', 'noise'):.1f}"
    yield "at the same time: {} % of them are charged to `noise`", (share,)
    yield "section 3: {} % of the waits of `halo`", (share,)


def _classes(made: Made) -> Facts:
    sweep = made.sweep("results/classes")
    place, lane = "jobs.solver.placement", "jobs.solver.class"
    place, lane = (next(key for key in sweep.keys if key.endswith(one.rpartition(".")[2]))
                   for one in (place, lane))  # fmt: skip
    for nodes, said in (("random-node", "random nodes"), ("contiguous", "contiguous")):
        for name, shown in (("bulk", "shared"), ("urgent", "its own")):
            where = {"job": "solver", place: nodes, lane: name}
            numbers = _slowdown_and_time(sweep, **where)
            yield f"| {said} | {shown} | {{}} ({{}} to {{}}) | {{}} ({{}} to {{}}) |", numbers
    alone = [_interval(sweep, "baseline_comm_time_ns_mean", scale=1e3, digits=1, job="solver",
                       **{place: nodes, lane: "bulk"})[0]
             for nodes in ("contiguous", "random-node")]  # fmt: skip
    yield "it is faster alone as well: {} us instead of {}.", tuple(alone)
    cost = []
    for quantity in ("packet_latency_ns_mean", "packet_latency_ns_p99"):
        for name in ("bulk", "urgent"):
            where = {"job": "neighbour", place: "random-node", lane: name}
            cost.append(f"{float(_interval(sweep, quantity, **where)[0]):,.0f}")
    yield "goes from {} to {} ns and the 99th percentile from {} to {} ns", tuple(cost)


def _link(made: Made) -> Facts:
    runs = made.sweep("results/link-flap").runs
    rerouted = [run.summary["network"]["links"]["packets_rerouted"] for run in runs.values()]
    names = [str(run.scenario["routing"]["algorithm"]) for run in runs.values()]
    yield (f"rerouted: {{}} under `{names[0]}` and {{}} under `{names[1]}`.",
           tuple(f"{count:,}" for count in rerouted))  # fmt: skip
    for name, run in zip(names, runs.values(), strict=True):
        spans = run.table("iterations").filter(job="transpose").group_by("iteration").agg(
            begins=pl.col("start_ns").min() / 1e3, ends=pl.col("end_ns").max() / 1e3
        )  # fmt: skip
        edges = [0.0, 600.0, 1400.0, 2200.0, float("inf")]
        for phase, low, high in zip(("whole", "down", "back", "a quarter of its lanes"), edges,
                                    edges[1:], strict=False):  # fmt: skip
            some = spans.filter(pl.col("ends") >= low, pl.col("ends") < high)
            times = (some["ends"] - some["begins"]).sort()
            last = times.quantile(0.99, "higher") if len(times) else None
            yield (f"| `{name}` | {phase} | {{}} | {{}} | {{}} |",
                   (str(len(times)), f"{times.median():.1f}", f"{last:.1f}"))  # fmt: skip
    found = made.results("results/router-failure").summary
    rerouted = found["network"]["links"]["packets_rerouted"]
    yield ("{} packets are rerouted, and it ends after {} ms",
           (str(rerouted), f"{found['simulated_ns'] / 1e6:.2f}"))  # fmt: skip


def _compared(made: Made) -> Facts:
    (said,) = (text for line, text in made.said.items() if "--against" in line)
    row = r"(\d+) B +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) to ([\d.]+) +(.*\S)"
    for size, first, second, ratio, low, high, verdict in re.findall(row, said):
        yield f"{size} B {first} {{}} {{}} {{}} to {{}} {verdict}", (second, ratio, low, high)
        if size == "8":
            shares = tuple(f"{100 * (float(one) - 1):.0f}" for one in (ratio, low, high))
            yield (
                "a call takes {} % longer there than in the simulation, with an interval of {} "
                "to {} %",
                shares,
            )


def _hours(made: Made) -> Facts:
    trace = made.sweep("results/mytrace")
    yield ("on four ranks the slowdown is {}, between {} and {}.",
           _interval(trace, "slowdown"))  # fmt: skip
    operator = made.sweep("results/operator")
    place = next(key for key in operator.keys if key.endswith("placement"))
    for nodes, said in (("random-node", "random nodes"), ("contiguous", "contiguous")):
        for mode in ("adaptive-0", "adaptive-3"):
            where = {"job": "solver", place: nodes, "routing.algorithm": mode}
            numbers = _slowdown_and_time(operator, **where)
            yield f"| {said} | `{mode}` | {{}} ({{}} to {{}}) | {{}} ({{}} to {{}}) |", numbers
    sweep = made.known["sweep"]
    slow = _interval(sweep, "slowdown", job="halo", **{"routing.algorithm": "minimal"})
    (row,) = sweep.differences().filter(job="halo", quantity="slowdown").iter_rows(named=True)
    names = ("difference", "difference_low", "difference_high")
    yield (
        "Under `minimal` the slowdown is {}, between {} and {}; under `par` it is {} times as "
        f"much, between {{}} and {{}} ({row['verdict']}).",
        (*slow, *(f"{row[name]:.2f}" for name in names)),
    )


FACTS: dict[str, Callable[[Made], Facts]] = {
    "README.md": _readme,
    "docs/tutorial.md": _tutorial,
    "docs/how-to/classes-or-placement.md": _classes,
    "docs/how-to/failing-link.md": _link,
    "docs/how-to/compare-with-measurements.md": _compared,
    "docs/first-hours.md": _hours,
}
"""Of each page."""


if __name__ == "__main__":
    make([page for page in PAGES if all(word in page.path for word in sys.argv[1:])], FACTS)
