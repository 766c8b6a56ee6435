"""What ``check`` and ``show`` say of how much a job sends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from odonata.cli.words import duration
from odonata.core.errors import Error
from odonata.scenario import Point, Scenario, before


def of_points(points: Iterable[Point]) -> dict[str, list[dict[str, Any]]]:
    """Demands of the jobs of each point by its name; what points have in common is run once."""
    known: dict[str, list[dict[str, Any]]] = {}
    found = {}
    for point in points:
        system = {key: value for key, value in point.config["system"].items() if key != "failures"}
        jobs = [(job["name"], job["workload"]) for job in point.config["jobs"]]
        key = json.dumps([system, jobs])
        if key not in known:
            known[key] = before.demand(point)
        found[point.name] = known[key]
    return found


def _decimal(count: float) -> str:
    """Bytes as the study has them: powers of 1,000."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:,.2f} {unit}"
    return f"{count:,.0f} B"


_LEFT_OUT = "routers, packets that wait for each other or for responses, and costs of hosts"
"""What a job without a network has not: why it takes longer in a run, often several times."""


def sentence(job: dict[str, Any]) -> str:
    """A line about a job."""
    many = f"{job['messages_sent']:,} messages"
    if not job["whole"] and job["share"]:
        expected = float(f"{job['messages_sent'] / job['share']:.3g}")
        many += f" of about {expected:,.0f}"
    sends = "sends" if job["whole"] else "begins with"
    rate = job["injection_rate_bytes_per_s"]
    speed = "" if rate is None else f" (injection rate {_decimal(rate)}/s)"
    return (
        f"{job['name']}, {job['ranks']} ranks, {sends} {_decimal(job['bytes_sent'])} in {many}; "
        f"peak ingress volume {_decimal(job['peak_ingress_bytes'])}. Without a network it takes "
        f"{duration(job['time_ns'])}{speed}, which leaves out {_LEFT_OUT}."
    )


def warnings(jobs: Iterable[dict[str, Any] | None]) -> list[str]:
    """What the MPI library keeps jobs from."""
    return [job["warning"] for job in jobs if job and job["warning"]]


def of_default(kind: str) -> dict[str, Any] | None:
    """The same of a workload with its defaults; None if it needs more than them."""
    given = {
        "schema": 1,
        "name": kind,
        "system": {"preset": before.REFERENCE},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": kind, "workload": {"kind": kind}}],
    }
    try:
        jobs = before.demand(Scenario.from_mapping(given).points[0])
    except Error:
        return None
    return jobs[0] if jobs else None
