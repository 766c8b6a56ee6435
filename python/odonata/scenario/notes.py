"""What to know before reading the numbers of a scenario that is valid all the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from odonata.scenario.jobs import OPEN_LOOP


def notes(scenarios: Iterable[Mapping[str, Any]]) -> list[str]:
    """Notes on runs, each once.

    Parameters
    ----------
    scenarios : iterable of mapping
        Resolved scenarios, as :attr:`odonata.scenario.Point.resolved` and
        :attr:`odonata.results.Result.scenario` have them; empty ones have no notes.

    Returns
    -------
    list of str
        Sentences: what a preset leaves out, victims without a communication time.
    """
    found: dict[str, None] = {}
    for scenario in scenarios:
        note = scenario.get("system", {}).get("note")
        if note:
            found[note] = None
        for job in scenario.get("jobs", ()):
            found |= dict.fromkeys(_of_job(job))
    return list(found)


def _of_job(job: Mapping[str, Any]) -> Iterable[str]:
    if job["workload"]["kind"] == OPEN_LOOP and job["role"] == "victim":
        yield (
            f"Job `{job['name']}` is a victim of open-loop traffic: it never ends, so it has no "
            "communication time and no slowdown. Compare its latency beside the others with that "
            "alone, or leave `role` out."
        )
