"""What the time that a job loses beside others consists of, by its packets, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from odonata import analysis
from odonata.analysis.blame import MOVING
from odonata.report import words

if TYPE_CHECKING:
    from odonata.results import Result


def extra(result: Result, job: str, alone: Result | None) -> tuple[str, dict[str, Any]] | None:
    """Take apart what the packets of a job need more beside others than alone.

    Parameters
    ----------
    result : Result
        A run with the table `blame`, all of whose packets were measured.
    job : str
        Whose packets.
    alone : Result or None
        The isolated run of the job, or one in which others were left out, with `blame`.

    Returns
    -------
    tuple of str and dict, or None
        Sentences, and their numbers: ``extra_ns`` of a packet, ``others_ns`` that are charged to
        each other job, ``own_ns`` and ``moving_ns`` that waits for its own packets and the way
        have become longer (negative: shorter). `None` where one of the runs lacks what it takes.
    """
    before, after = _parts(alone, job), _parts(result, job)
    if before is None or after is None:
        return None
    grown = {part: after.get(part, 0.0) - before.get(part, 0.0) for part in {**before, **after}}
    own, moving = grown.pop(job, 0.0), grown.pop(MOVING, 0.0)
    whole = sum(after.values()) - sum(before.values())
    facts = {"extra_ns": whole, "others_ns": grown, "own_ns": own, "moving_ns": moving}
    said = [
        f"A packet of `{job}` takes {words.time(sum(after.values()))} beside the others and "
        f"{words.time(sum(before.values()))} alone, {words.time(abs(whole))} "
        f"{'more' if whole >= 0.0 else 'less'}."
    ]
    if whole > 0.0:
        parts = [
            *(f"{_part(ns, whole)} is charged to `{name}`" for name, ns in _largest(grown)),
            f"{_part(own, whole)} are waits for other packets of `{job}`",
            f"{_part(moving, whole)} is the way: wires and routers",
        ]
        said.append(f"Of that, {'; '.join(parts)}.")
        if own < 0.0 or moving < 0.0:
            said.append("What is below 0 has become less, for packets go or come otherwise.")
    return " ".join(said), facts


def _largest(parts: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(parts.items(), key=lambda part: (-part[1], part[0]))


def _part(ns: float, whole: float) -> str:
    sign = "-" if ns < 0.0 else ""
    return f"{sign}{words.share(abs(ns) / whole)} ({sign}{words.time(abs(ns))})"


def _parts(run: Result | None, job: str) -> dict[str, float] | None:
    """Mean time of a packet of the job by part, ns."""
    if run is None or job not in run.jobs or "blame" not in run.tables():
        return None
    summary, charged = run.jobs[job].summary, run.table("blame")
    latency = (summary.get("packet_latency_ns") or {}).get("mean")
    if not summary.get("packets") or latency is None or "measure" in run.scenario:
        return None
    if charged.filter(pl.col("delayed") == job).is_empty():
        return {MOVING: latency}
    found = analysis.breakdown(charged, job, packets=summary["packets"], latency_ns=latency)
    return dict(zip(found["part"], found["ns"], strict=True))
