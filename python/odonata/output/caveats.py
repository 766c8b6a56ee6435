"""Warnings about results, or about what is asked for, in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import Any

import polars as pl

from odonata.analysis.pairs import FEWEST_PAIRS
from odonata.core.quantities import parse_quantity
from odonata.results import JobResult, Result
from odonata.scenario import Scenario
from odonata.scenario.jobs import OPEN_LOOP

ENOUGH_OVERLAP = 0.95
"""Share of a victim's span in which a job must communicate to be called the cause."""

MOST_SILENCE = 0.5
"""Share of a victim's time without traffic of another job from which on the job is named."""

_MOST_READ = 100
"""Runs of a sweep whose series are read: replicas of a silent job are silent alike."""

_STARVED = 0.05
"""Share of what the mean source sends for its load below which a source is called starved."""

_FEWEST_MESSAGES = 20
"""Messages that a source would have sent at the mean share, to be judged at all."""

_MOST_NODES = 5
"""Nodes that a sentence names."""
_STOPS = {
    "time-limit": (
        "stopped at the time limit of the scenario (`stop.time`) before all jobs had finished"
    ),
    "precision": (
        "was ended by `stop.precision` when its intervals were narrow enough; what the whole run "
        "would give is under `estimated` in summary.json"
    ),
    "interrupted": "was interrupted; the results cover what was simulated until then",
    "stalled": "stalled (see diagnosis.txt); the results cover what was simulated until then",
}


def ended(run: Result) -> str:
    """How a run ended that did not finish, as the end of a sentence."""
    return _STOPS.get(run.stop, f"ended as {run.stop!r}")


def caveats(runs: Mapping[str, Result]) -> list[str]:
    """Look for what makes numbers of finished runs mislead.

    Parameters
    ----------
    runs : mapping
        Runs by name; the name of an only one may be empty.

    Returns
    -------
    list of str
        Sentences: limits of the setting and what else the simulator warns of, saturated networks,
        sources that got nothing, jobs that were silent or absent while a victim ran, or of which
        iterations were left out.
    """
    said = [run.summary.get("warnings", ()) for run in runs.values()]
    return [
        *warned(said),
        *_saturation(runs),
        *_starvation(runs),
        *_absences(runs),
        *_cuts(runs),
    ]


def warned(said: Sequence[Iterable[str]]) -> list[str]:
    """Put together what the simulator warns of in several runs.

    Returns
    -------
    list of str
        Each sentence once; of those that differ in numbers only the first one.

    Examples
    --------
    >>> warned([["Job `a1` is 3 % slow."], ["Job `a1` is 4 % slow.", "Job `a2` is 5 % slow."]])
    ['Job `a1` is 3 % slow. So it is in 2 of 2 runs, with other numbers.', \
'Job `a2` is 5 % slow. So it is in 1 of 2 runs.']
    """
    alike: dict[str, dict[int, str]] = {}
    for number, sentences in enumerate(said):
        for text in sentences:
            alike.setdefault(_without_numbers(text), {}).setdefault(number, text)
    found = []
    for texts in alike.values():
        first, *others = texts.values()
        differ = ", with other numbers" if set(others) - {first} else ""
        where = f" So it is in {len(texts)} of {len(said)} runs{differ}." if len(said) > 1 else ""
        found.append(f"{first}{where}")
    return found


def _without_numbers(text: str) -> str:
    """A sentence less the numbers in it; names stand in backticks and keep theirs."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"[\d.,]+", "", part) for part in parts[::2]]
    return "`".join(parts)


def of_replicas(scenario: Scenario) -> list[str]:
    """Say whether a scenario asks for fewer replicas than an interval of a slowdown needs.

    Parameters
    ----------
    scenario : Scenario
        What is to be run; seeds that are swept are replicas, too.

    Returns
    -------
    list of str
        A sentence for 2 to 4 replicas, else nothing: one run promises no interval.
    """
    count = scenario.replicas
    if count == 1 and "seed" in scenario.sweep:
        count = len({point.swept["seed"] for point in scenario.points})
    if not 1 < count < FEWEST_PAIRS:
        return []
    return [
        f"{count} replicas are too few: a 95 % interval of a slowdown needs {FEWEST_PAIRS}; that "
        f"of a mean needs 3 and is wide below {FEWEST_PAIRS}. Give replicas = {FEWEST_PAIRS} or "
        "more."
    ]


def _saturation(runs: Mapping[str, Result]) -> Iterable[str]:
    count = sum((run.summary.get("network") or {}).get("saturated") is True
                for run in runs.values())  # fmt: skip
    if count:
        where = f" in {count} of {len(runs)} runs" if len(runs) > 1 else ""
        yield (
            f"The network is saturated{where}: it accepts less than is offered, or measured "
            "packets did not arrive in time. Latencies beyond saturation depend on the length of "
            "the measured window."
        )


def _starvation(runs: Mapping[str, Result]) -> Iterable[str]:
    """Sources that sent next to nothing of their load while others sent."""
    found: dict[str, list[tuple[list[int], int]]] = {}
    for run in runs.values():
        for job, nodes, count in _starved(run):
            found.setdefault(job, []).append((nodes, count))
    for job, cases in found.items():
        nodes, count = max(cases, key=lambda case: len(case[0]))
        named = ", ".join(str(node) for node in nodes[:_MOST_NODES])
        more = " and others" if len(nodes) > _MOST_NODES else ""
        yield (
            f"{len(nodes)} of {count} sources of {job} sent less than "
            f"{100 * _STARVED:.0f} % of what the mean source sent for its load "
            f"(node {named}{more}){_where(cases, runs)}: others take the links that they need. "
            "The mean loads do not show it; the table `ranks` does."
        )


def _starved(run: Result) -> Iterable[tuple[str, list[int], int]]:
    """Of each job: its starved nodes and how many sources it has."""
    is_saturated = run.summary.get("network", {}).get("saturated") is True
    if not is_saturated or "ranks" not in run.tables():
        return
    loads = {name: job.summary.get("offered_load") for name, job in run.jobs.items()}
    workloads = {job["name"]: job["workload"] for job in run.scenario.get("jobs", ())}
    sources = run.table("ranks").select(
        "job", "node", "bytes_sent",
        pl.col("job").replace_strict(loads, default=None, return_dtype=pl.Float64).alias("load"),
        (pl.col("rank") >= pl.col("job").replace_strict(
            {name: _receivers(workload) for name, workload in workloads.items()},
            default=0, return_dtype=pl.Int64,
        )).alias("sends"),
        pl.col("job").replace_strict(
            {name: _message_bytes(workload) for name, workload in workloads.items()},
            default=0, return_dtype=pl.Int64,
        ).alias("message"),
    ).filter(pl.col("sends") & (pl.col("load") > 0))  # fmt: skip
    for_its_load = pl.col("bytes_sent") / pl.col("load")
    share = for_its_load / for_its_load.mean()
    expected = for_its_load.mean() * pl.col("load") / pl.col("message")
    is_starved = (share < _STARVED) & (expected >= _FEWEST_MESSAGES)
    judged = sources.with_columns(is_starved.alias("is_starved"))
    for (job,), rows in judged.group_by("job", maintain_order=True):
        nodes = rows.filter("is_starved")["node"].to_list()
        if nodes:
            yield str(job), nodes, len(rows)


def _receivers(workload: Mapping[str, Any]) -> int:
    """Ranks of a job that send nothing, the first ones."""
    return int(workload["hot_nodes"]) if workload.get("pattern") == "incast" else 0


def _message_bytes(workload: Mapping[str, Any]) -> int:
    """Payload of a message of open-loop traffic."""
    return parse_quantity(workload["message"], "bytes") if workload["kind"] == OPEN_LOOP else 0


def _absences(runs: Mapping[str, Result]) -> Iterable[str]:
    shares: dict[str, dict[tuple[str, str], list[float]]] = {_PASSING: {}, _SILENT: {}, _PARTLY: {}}
    for number, run in enumerate(runs.values()):
        for victim in run.jobs.values():
            silences = _silences(run, victim) if number < _MOST_READ else {}
            for other, how, share in _absent(run, victim, silences):
                shares[how].setdefault((victim.name, other), []).append(share)
    passing = Counter(name for name, _ in shares[_PASSING])
    for name, others in passing.items():
        yield (
            f"{others} {'job' if others == 1 else 'jobs'} started or ended during the span of "
            f"{name}, as the scenario says: the slowdown is that with each of them for the time "
            "that it ran."
        )
    for (name, other), each in shares[_SILENT].items():
        yield (
            f"{other} sent nothing for {_range(each)} of the time of {name}"
            f"{_where(each, list(runs)[:_MOST_READ])}: for most of it {name} ran without {other}, "
            f"so that its slowdown understates the effect of {other}. {_remedy(other, runs)}"
        )
    for (name, other), each in shares[_PARTLY].items():
        yield (
            f"{other} communicated for only {_range(each)} of the span of {name}"
            f"{_where(each, runs)}: for the rest of it {name} ran without {other}, so that its "
            f"slowdown understates the effect of {other}. {_remedy(other, runs)}"
        )


_PASSING, _SILENT, _PARTLY = "passing", "silent", "partly absent"


def _absent(
    run: Result, victim: JobResult, silences: Mapping[str, float]
) -> Iterable[tuple[str, str, float]]:
    """Jobs that were not there for all of a victim's time: how, and for which share of it."""
    guests = _guests(run)
    for other, share in victim.overlaps.items():
        if other not in guests and silences.get(other, 0.0) > MOST_SILENCE:
            yield other, _SILENT, silences[other]
        elif share < ENOUGH_OVERLAP:
            yield other, _PASSING if other in guests else _PARTLY, share


def _silences(run: Result, victim: JobResult) -> dict[str, float]:
    """Share of the time bins of a victim in which each other job of ranks moved no byte."""
    if not victim.overlaps or "series" not in run.tables():
        return {}
    series = run.table("series")
    busy = series.filter(pl.col("bytes_injected") + pl.col("bytes_delivered") > 0)
    times: list[float] = busy.filter(pl.col("job") == victim.name)["time_ns"].to_list()
    if not times:
        return {}
    bins = 1 + round((times[-1] - times[0]) / float(series["bin_ns"][0]))
    beside = busy.filter(pl.col("time_ns").is_between(times[0], times[-1]))
    counts = dict(beside.group_by("job").len().iter_rows())
    kinds = {job["name"]: job["workload"]["kind"] for job in run.scenario.get("jobs", ())}
    others = (other for other in victim.overlaps if kinds.get(other) != OPEN_LOOP)
    return {other: 1 - counts.get(other, 0) / bins for other in others}


def _where(cases: Sized, runs: Collection[str]) -> str:
    return f", in {len(cases)} of {len(runs)} runs" if len(runs) > 1 else ""


def _remedy(job: str, runs: Mapping[str, Result]) -> str:
    entries = (entry for run in runs.values() for entry in run.scenario.get("jobs", ()))
    if any(entry["name"] == job and entry.get("repeat") for entry in entries):
        return (
            "It repeats, so its ranks computed or waited; `wait_before` and the table `ranks` "
            "say which."
        )
    return "With `repeat = true` a job starts again until all victims have ended."


def _cuts(runs: Mapping[str, Result]) -> Iterable[str]:
    """Which part of each job was simulated, where iterations were left out."""
    for name, run in runs.items():
        for job in run.jobs.values():
            cuts = job.summary.get("cuts")
            if not cuts:
                continue
            said = job.summary.get("estimated") or {}
            left = sum(cut["iterations_left_out"] for cut in cuts)
            where = f" of {name}" if len(runs) > 1 and name else ""
            parts = ", ".join(
                f"{cut['iterations_left_out']} at {cut['at_ns'] / 1e6:.3g} ms" for cut in cuts
            )
            count = f"{left} of {said['iterations']}" if "iterations" in said else str(left)
            whole = "estimated" if said.get("end_ns") else "not known"
            yield (
                f"`stop.skip` left out {count} iterations of {job.name}{where} ({parts} of "
                "simulated time). Times of the job, blame, counters and tables cover what was "
                f"simulated; the time of the whole job is {whole}."
            )


def _guests(run: Result) -> set[str]:
    """Jobs that the scenario lets arrive or leave."""
    jobs = run.scenario.get("jobs", [])
    return {job["name"] for job in jobs if job.get("start") is not None or job.get("end")}


def _range(shares: list[float]) -> str:
    low, high = (f"{100 * share:.0f}" for share in (min(shares), max(shares)))
    return f"{low} %" if low == high else f"{low} to {high} %"
