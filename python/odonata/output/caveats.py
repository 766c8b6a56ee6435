"""Warnings about results, or about what is asked for, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from odonata.analysis.pairs import FEWEST_PAIRS
from odonata.results import Result
from odonata.scenario import Scenario

ENOUGH_OVERLAP = 0.95
"""Share of a victim's span in which a job must communicate to be called the cause."""

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
        Sentences: saturated networks, jobs that were absent while a victim ran, or of which
        iterations were left out.
    """
    return [*_saturation(runs), *_absences(runs), *_cuts(runs)]


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


def _absences(runs: Mapping[str, Result]) -> Iterable[str]:
    found: dict[tuple[str, str], list[float]] = {}
    passing: dict[str, set[str]] = {}
    for run in runs.values():
        guests = _guests(run)
        for victim in run.jobs.values():
            for other, share in victim.overlaps.items():
                if share < ENOUGH_OVERLAP and other in guests:
                    passing.setdefault(victim.name, set()).add(other)
                elif share < ENOUGH_OVERLAP:
                    found.setdefault((victim.name, other), []).append(share)
    for name, others in passing.items():
        yield (
            f"{len(others)} {'job' if len(others) == 1 else 'jobs'} started or ended during the "
            f"span of {name}, as the scenario says: the slowdown is that with each of them for "
            "the time that it ran."
        )
    for (name, other), shares in found.items():
        where = f", in {len(shares)} of {len(runs)} runs" if len(runs) > 1 else ""
        yield (
            f"{other} communicated for only {_range(shares)} of the span of {name}{where}: for the "
            f"rest of it {name} ran without {other}, so that its slowdown understates the effect "
            f"of {other}. With `repeat = true` a job starts again until all victims have ended."
        )


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
