"""Why the winner is best: one run of it and of the base case, with every wait charged to a job."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from odonata.advise.conduct import Contest
from odonata.campaign import experiment
from odonata.output.explain.explain import explain
from odonata.results import Result
from odonata.scenario.candidates import run_name

FOLDER = "explained"


@dataclass(frozen=True, slots=True)
class Told:
    """A run in the words of ``odonata explain``.

    Parameters
    ----------
    label : str
        Of the candidate.
    job : str
        Whose time is followed.
    steps : tuple of tuple of str
        What a sentence is about, and the sentence.
    counted : dict
        Figures of the job and of the links, by name.
    directory : pathlib.Path or None
        The run.
    """

    label: str
    job: str
    steps: tuple[tuple[str, str], ...]
    counted: dict[str, float]
    directory: Path | None


def why(contest: Contest, places: Sequence[int], seed: int, out: Path | None) -> list[Told]:
    """Run candidates once more with blame, and explain the job that the objective is about.

    Parameters
    ----------
    contest : Contest
        After its end.
    places : sequence of int
        Of the candidates.
    seed : int
        Number of the replica.
    out : pathlib.Path or None
        Where the runs are kept, in :data:`FOLDER`.
    """
    found: list[Told] = []
    job = contest.question.objectives[0].job
    seeds = contest.question.candidates.seeds(seed + 1)
    for place in places:
        candidate = contest.runners[place]
        scenario: dict[str, Any] = copy.deepcopy(candidate.point.resolved)
        scenario["telemetry"] = {**scenario.get("telemetry", {}), "blame": True}
        scenario["seed"] = seeds[seed]
        name = run_name(candidate, seed)
        folder = None if out is None else out / FOLDER / name
        result = experiment.run_one(scenario, out=folder, observer=contest.observer,
                                    threads=contest.options.threads)  # fmt: skip
        told = explain(result, job)
        job = told.job  # the same job in both
        found.append(Told(candidate.label, told.job, tuple(told.steps), _counted(result, told.job),
                          result.directory))  # fmt: skip
    return found


def _counted(result: Result, job: str) -> dict[str, float]:
    """What the job and the links count, beside each other for two runs."""
    mine = result.jobs[job].summary
    found: dict[str, float | None] = {
        "slowdown": mine.get("slowdown"),
        "communication time [us]": _us((mine.get("comm_time_ns") or {}).get("mean")),
        "the same alone [us]": _us((mine.get("baseline_comm_time_ns") or {}).get("mean")),
        "packet latency, mean [us]": _us((mine.get("packet_latency_ns") or {}).get("mean")),
        "packet latency, p99 [us]": _us((mine.get("packet_latency_ns") or {}).get("p99")),
        "routers per packet": mine.get("hops_mean"),
        "non-minimal packets [%]": _percent(mine.get("nonminimal_fraction")),
    }
    if "links" in result.tables():
        links = result.table("links")
        for kind in links["kind"].unique(maintain_order=True).to_list():
            part = links.filter(pl.col("kind") == kind)
            found[f"{kind} links: stalled [% of the run]"] = _percent(
                _mean(part["stall_ns"]) / float(result.summary["simulated_ns"])
            )
    if "blame" in result.tables():
        found |= _blamed(result, job)
    return {name: float(value) for name, value in found.items() if value is not None}


def _blamed(result: Result, job: str) -> dict[str, float | None]:
    """How long packets of the job waited for those of each job."""
    blame = result.table("blame").filter(pl.col("delayed") == job)
    sums = blame.group_by("delaying", maintain_order=True).agg(pl.col("ns").sum())
    return {f"waits charged to {other} [us]": _us(waited) for other, waited in sums.iter_rows()}


def _mean(values: pl.Series) -> float:
    found = values.cast(pl.Float64).mean()
    return float(found) if isinstance(found, float) else 0.0


def _us(value: float | None) -> float | None:
    return None if value is None else value / 1e3


def _percent(value: float | None) -> float | None:
    return None if value is None else 100.0 * value
