"""``summary.json``: order of its keys, what they must be, its jobs as a table, its slowdowns."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

import polars as pl

SUMMARY = "summary.json"

_SUMMARY_ORDER = (
    "schema", "name", "odonata_version", "scenario_hash", "seed", "simulated_ns", "stop", "engine",
    "network", "jobs",
)  # fmt: skip
_JOB_ORDER = (
    "name", "role", "ranks", "bytes_sent", "messages_sent", "packets", "comm_time_ns",
    "packet_latency_ns", "hops_mean", "nonminimal_fraction", "baseline_comm_time_ns",
    "baseline_packet_latency_ns", "slowdown", "overlap",
)  # fmt: skip
_STATISTICS = ("mean", "std", "p50", "p95", "p99", "max")


def in_order(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A summary with its keys in the documented order, others behind."""
    ordered = _ordered(summary, _SUMMARY_ORDER)
    ordered["jobs"] = [_ordered(job, _JOB_ORDER) for job in ordered.get("jobs", [])]
    return ordered


def _ordered(table: Mapping[str, Any], first: tuple[str, ...]) -> dict[str, Any]:
    keys = [*(key for key in first if key in table), *(key for key in table if key not in first)]
    return {
        key: _ordered(value, _STATISTICS) if isinstance(value, Mapping) else value
        for key, value in ((key, table[key]) for key in keys)
    }


def jobs_frame(summary: Mapping[str, Any]) -> pl.DataFrame:
    """One row per job; statistics become columns such as ``comm_time_ns_mean``."""
    rows = []
    for job in summary.get("jobs", []):
        row: dict[str, Any] = {}
        for key, value in job.items():
            if key == "overlap":
                row[key] = min((value or {}).values(), default=None)
            if isinstance(value, Mapping):
                row |= {
                    f"{key}_{name}": entry
                    for name, entry in value.items()
                    if not isinstance(entry, Mapping)
                }
            elif not isinstance(value, list):
                row[key] = value
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def compare(summary: dict[str, Any], job: str, alone: Mapping[str, Any]) -> None:
    """Put the baseline of a job beside it, and the slowdown if its ranks ended in both.

    Where one of the runs was ended by ``stop.precision``, or ``stop.skip`` left iterations of the
    job out of it, the slowdown is an estimate with an interval, under ``estimated``.

    Parameters
    ----------
    summary : dict
        Of a run; changed in place.
    job : str
        One of its victims.
    alone : mapping
        Summary of the isolated run.
    """
    entry = next(e for e in summary["jobs"] if e["name"] == job)
    other = next((e for e in alone["jobs"] if e["name"] == job), None)
    if other is None or alone["stop"] == "interrupted":
        return
    for key in ("comm_time_ns", "packet_latency_ns"):
        is_cut = key == "comm_time_ns" and "estimated" in other
        if other.get(key) is not None and not is_cut:
            entry[f"baseline_{key}"] = other[key]
    beside, isolated = entry.get("comm_time_ns"), other.get("comm_time_ns")
    ended = all(
        run.get("ranks_finished") == run["ranks"] and "cuts" not in run for run in (entry, other)
    )
    if ended and beside and isolated and isolated["mean"]:
        entry["slowdown"] = beside["mean"] / isolated["mean"]
    whole = None if ended else _in_full(other)
    if whole is not None and ("estimated" in entry or "estimated" in other):
        entry["estimated"] = {**entry.get("estimated", {}), "baseline_comm_time_ns": whole}
        if ratio := _estimated_ratio(_in_full(entry), whole):
            entry["estimated"]["slowdown"] = ratio


def _in_full(entry: Mapping[str, Any]) -> dict[str, float] | None:
    """Communication time of a job whose ranks have ended, or with the interval of its estimate."""
    if "comm_time_ns" in entry.get("estimated", {}):
        found: dict[str, float] | None = entry["estimated"].get("comm_time_ns")
        return found
    if entry.get("ranks_finished") != entry["ranks"] or not entry.get("comm_time_ns"):
        return None
    mean = entry["comm_time_ns"]["mean"]
    return None if mean is None else {"mean": mean, "low": mean, "high": mean}


def _estimated_ratio(
    beside: Mapping[str, float] | None, isolated: Mapping[str, float] | None
) -> dict[str, float] | None:
    """A slowdown with an interval that holds if both intervals do."""
    if not beside or not isolated or isolated["low"] <= 0.0:
        return None
    return {
        "mean": beside["mean"] / isolated["mean"],
        "low": beside["low"] / isolated["high"],
        "high": beside["high"] / isolated["low"],
    }


_NUMBER = (int, float, NoneType)
_SUMMARY_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str, NoneType), "odonata_version": (str,), "scenario_hash": (str,), "seed": (int,),
    "simulated_ns": _NUMBER, "stop": (str,), "engine": (dict, NoneType),
    "network": (dict, NoneType), "jobs": (list,),
}  # fmt: skip
_JOB_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,), "role": (str, NoneType), "ranks": _NUMBER, "slowdown": _NUMBER,
    "hops_mean": _NUMBER, "nonminimal_fraction": _NUMBER,
}  # fmt: skip


def check(summary: Any) -> None:  # noqa: ANN401 - any JSON value
    """Refuse a summary whose entries are not what they should be.

    Raises
    ------
    TypeError, ValueError
        One is not.
    """
    if not isinstance(summary, dict):
        raise TypeError(f"{SUMMARY} is not a table")
    _check_types(summary, _SUMMARY_TYPES, SUMMARY)
    for missing in ("odonata_version", "scenario_hash", "seed", "stop", "jobs"):
        if missing not in summary:
            raise ValueError(f"{SUMMARY} lacks `{missing}`")
    for job in summary["jobs"]:
        if not isinstance(job, dict) or "name" not in job:
            raise TypeError(f"a job in {SUMMARY} has no name")
        _check_types(job, _JOB_TYPES, f"job `{job['name']}`")
    for owner in (summary.get("engine") or {}, summary.get("network") or {}, *summary["jobs"]):
        _check_times(owner)


def _check_times(owner: Mapping[str, Any]) -> None:
    for key, value in owner.items():
        statistics = value.values() if isinstance(value, dict) else (value,)
        if key.endswith("_ns") and not all(isinstance(one, _NUMBER) for one in statistics):
            raise TypeError(f"`{key}` in {SUMMARY} holds values that are not numbers")


def _check_types(table: Mapping[str, Any], types: dict[str, tuple[type, ...]], owner: str) -> None:
    for key, expected in types.items():
        if not isinstance(table.get(key, expected[0]()), expected):
            raise TypeError(f"`{key}` of {owner} is {type(table[key]).__name__}")
