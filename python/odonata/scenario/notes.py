"""What to know before reading the numbers of a scenario that is valid all the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from odonata.scenario.jobs import OPEN_LOOP

_STAND_IN = (
    "Slingshot's congestion control at end points is not public. A stand-in acts here, "
    '`nic.congestion = "pace"`, whose thresholds are not the vendor\'s.'
)


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
        Sentences: what the model leaves out or puts in place of something, loads that no node can
        inject, victims without a communication time.
    """
    found: dict[str, None] = {}
    for scenario in scenarios:
        system = scenario.get("system", {})
        if system.get("note"):
            found[system["note"]] = None
        if system.get("nic", {}).get("congestion") == "pace":
            found[_STAND_IN] = None
        for job in scenario.get("jobs", ()):
            found |= dict.fromkeys(_of_job(job))
    return list(found)


def _of_job(job: Mapping[str, Any]) -> Iterable[str]:
    workload = job["workload"]
    if workload["kind"] != OPEN_LOOP:
        return
    if workload.get("load", 0) > 1:
        yield (
            f"Job `{job['name']}` offers {workload['load']:g} times what its nodes can inject: its "
            "queues grow as long as it runs, and its latency says how long that was. "
            "The largest load that can be carried is 1."
        )
    if job["role"] == "victim":
        yield (
            f"Job `{job['name']}` is a victim of open-loop traffic: it never ends, so it has no "
            "communication time and no slowdown. Compare its latency beside the others with that "
            "alone, or leave `role` out."
        )
