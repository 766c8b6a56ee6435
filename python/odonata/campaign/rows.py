"""What is said of a run beside others: its slowdown, its row in the index, how it ended."""

from __future__ import annotations

import json
from typing import Any

from odonata.results import Result
from odonata.scenario import Point


def interrupted(result: Result) -> bool:
    """Whether a run or one of its baselines was stopped early."""
    return any(r.stop == "interrupted" for r in (result, *result.baselines.values()))


def stalled(result: Result) -> bool:
    """Whether a run or one of its baselines came to a standstill."""
    return any(r.stop == "stalled" for r in (result, *result.baselines.values()))


def index_row(point: Point, result: Result) -> dict[str, Any]:
    """Row of a run in the index of its sweep."""
    row: dict[str, Any] = {"run": point.name}
    for key, value in point.swept.items():
        row[key] = json.dumps(value) if isinstance(value, list | dict) else value
    network = result.summary.get("network", {})
    latency = network.get("packet_latency_ns") or {}
    row |= {
        "scenario_hash": result.summary["scenario_hash"],
        "stop": result.stop,
        "simulated_ns": result.summary.get("simulated_ns"),
        "offered_load": network.get("offered_load"),
        "accepted_load": network.get("accepted_load"),
        "saturated": network.get("saturated"),
        "packet_latency_ns_mean": latency.get("mean"),
        "packet_latency_ns_p99": latency.get("p99"),
    }
    for job in result.jobs.values():
        row[f"{job.name}.comm_time_ns_mean"] = job.comm_time_ns if job.has_ended else None
        row[f"{job.name}.slowdown"] = job.slowdown
        row[f"{job.name}.overlap"] = job.overlap
    return row | _spread(result)


def _spread(result: Result) -> dict[str, Any]:
    """What replicas are compared by, beside the headlines."""
    row: dict[str, Any] = {}
    latency = result.summary.get("network", {}).get("packet_latency_ns") or {}
    for name in ("p50", "p95"):
        row[f"packet_latency_ns_{name}"] = latency.get(name)
    for job in result.jobs.values():
        row[f"{job.name}.baseline_comm_time_ns_mean"] = job.baseline_comm_time_ns
        row[f"{job.name}.accepted_load"] = job.summary.get("accepted_load")
        latency = job.summary.get("packet_latency_ns") or {}
        for name in ("mean", "p50", "p95", "p99"):
            row[f"{job.name}.packet_latency_ns_{name}"] = latency.get(name)
    return row
