"""A number of a run for each wish: slowdown, makespan, fairness, the tail of an iteration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from odonata.core.errors import ScenarioError, suggestion
from odonata.results import Result
from odonata.scenario.advice import (
    COMM_TIME,
    FAIRNESS,
    HIGHEST,
    ITERATION_TIME,
    MAKESPAN,
    PACKET_LATENCY,
    SLOWDOWN,
    Wish,
)
from odonata.scenario.document import Document

COMPARED = (SLOWDOWN, FAIRNESS)
"""Quantities that compare a job with itself alone."""

_OPEN_LOOP = "open-loop"

RATIO, TIME, TIME_PER_BYTE = "x", "ns", "ns/B"
"""Units of what can be compared."""
_QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


class NoValueError(Exception):
    """A run does not have the number; its text says why."""


def value_of(wish: Wish, result: Result) -> float:
    """What a wish is in a run.

    Parameters
    ----------
    wish : Wish
        What is asked.
    result : Result
        A run with its isolated runs.

    Raises
    ------
    NoValueError
        It has none.
    """
    if wish.quantity == MAKESPAN:
        if result.stop != "finished":
            raise NoValueError(f"the run was cut before its end ({result.stop})")
        return float(result.summary["simulated_ns"])
    if wish.quantity == FAIRNESS:
        return jain([1.0 / one for one in _of_jobs(_like(wish, SLOWDOWN), result)])
    found = _of_jobs(wish, result)
    return math.exp(sum(map(math.log, found)) / len(found))


def unit(wish: Wish, jobs: Sequence[Mapping[str, Any]]) -> str:
    """Unit of a wish: of a job that repeats it is the time of a byte.

    Parameters
    ----------
    wish : Wish
        What is asked.
    jobs : sequence of mapping
        Of a resolved configuration.
    """
    if wish.quantity in COMPARED:
        return RATIO
    repeats = any(job.get("repeat") for job in jobs if wish.job in (None, job["name"]))
    return TIME_PER_BYTE if wish.quantity == COMM_TIME and repeats else TIME


def jain(speeds: Sequence[float]) -> float:
    """Jain's index: 1 if all are alike, 1/n if one of n has everything.

    References
    ----------
    Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination for resource
    allocation in shared computer systems", DEC-TR-301, 1984.

    Examples
    --------
    >>> jain([1.0, 1.0]), jain([1.0, 0.0])
    (1.0, 0.5)
    """
    return sum(speeds) ** 2 / (len(speeds) * sum(one * one for one in speeds))


def score(wish: Wish, value: float) -> float:
    """Logarithm of a value, turned so that more is better.

    Raises
    ------
    NoValueError
        The value has no logarithm.
    """
    if not 0.0 < value < math.inf:
        raise NoValueError(f"{wish.name} is {value:g}, which has no ratio")
    return math.log(value) if wish.direction == HIGHEST else -math.log(value)


def _like(wish: Wish, quantity: str) -> Wish:
    return Wish(quantity=quantity, statistic=wish.statistic, key=wish.key)


def _of_jobs(wish: Wish, result: Result) -> list[float]:
    """Of the job that is meant, or of all that have it."""
    jobs = result.jobs
    names = [wish.job] if wish.job else [name for name in jobs if _may_have(wish, jobs[name])]
    found = [_VALUES[wish.quantity](wish, result, name) for name in names]
    if not found:
        raise NoValueError(f"no job has a {wish.name}")
    return found


def _may_have(wish: Wish, job: Any) -> bool:  # noqa: ANN401 - a job of a result
    if wish.quantity == SLOWDOWN:
        return bool(job.summary["role"] == "victim")
    return wish.quantity == PACKET_LATENCY or job.comm_time_ns is not None


def _slowdown(wish: Wish, result: Result, name: str) -> float:
    job = result.jobs[name].summary
    if wish.statistic == "mean":
        estimated = (job.get("estimated") or {}).get("slowdown") or {}
        value = job.get("slowdown", estimated.get("mean"))
        if value is None:
            raise NoValueError(f"`{name}` has no slowdown: it has not ended ({result.stop})")
        return float(value)
    alone = result.baselines.get(name)
    if alone is None:
        raise NoValueError(f"`{name}` has no isolated run")
    return _comm_time(wish, result, name) / _comm_time(wish, alone, name)


def _comm_time(wish: Wish, result: Result, name: str) -> float:
    job = result.jobs[name]
    if job.comm_time_ns is None:  # traffic without end is slowed down packet by packet
        return _packet_latency(wish, result, name)
    if _repeats(result, name):
        return _time_of_a_byte(result, name)
    if not job.has_ended:
        estimated = (job.summary.get("estimated") or {}).get("comm_time_ns")
        if estimated and wish.statistic == "mean":
            return float(estimated["mean"])
        raise NoValueError(
            f"`{name}` had not ended when the run did ({result.stop}); give it fewer iterations, "
            "or raise `stop.time`"
        )
    if wish.statistic == "mean":
        return job.comm_time_ns
    ranks = result.table("ranks").filter(pl.col("job") == name)["comm_time_ns"]
    return _statistic(ranks, wish, name)


def _repeats(result: Result, name: str) -> bool:
    """Whether a job starts again until the victims have ended."""
    jobs = result.scenario.get("jobs", [])
    return any(job.get("repeat") for job in jobs if job.get("name") == name)


def _time_of_a_byte(result: Result, name: str) -> float:
    """How slow a job is that repeats: it may not have ended once when the victims have."""
    sent = result.jobs[name].summary["bytes_sent"]
    if not sent:
        raise NoValueError(f"`{name}` has sent nothing")
    return float(result.summary["simulated_ns"]) / float(sent)


def _iteration_time(wish: Wish, result: Result, name: str) -> float:
    if "iterations" not in result.tables():
        raise NoValueError("no job has iterations")
    mine = result.table("iterations").filter(pl.col("job") == name)
    return _statistic((mine["end_ns"] - mine["start_ns"]).drop_nulls(), wish, name)


def _packet_latency(wish: Wish, result: Result, name: str) -> float:
    value = (result.jobs[name].summary.get("packet_latency_ns") or {}).get(wish.statistic)
    if value is None:
        raise NoValueError(f"no packet of `{name}` has arrived")
    return float(value)


def _statistic(values: pl.Series, wish: Wish, name: str) -> float:
    if values.is_empty():
        raise NoValueError(f"`{name}` has no {wish.name}")
    numbers = values.cast(pl.Float64).to_numpy()
    if wish.statistic in _QUANTILES:
        return float(np.quantile(numbers, _QUANTILES[wish.statistic]))
    return float(numbers.max() if wish.statistic == "max" else numbers.mean())


_VALUES: Mapping[str, Callable[[Wish, Result, str], float]] = {
    SLOWDOWN: _slowdown,
    COMM_TIME: _comm_time,
    ITERATION_TIME: _iteration_time,
    PACKET_LATENCY: _packet_latency,
}


def checked(wishes: Sequence[Wish], jobs: Sequence[Mapping[str, Any]], document: Document) -> None:
    """Refuse wishes that no run of these jobs has.

    Parameters
    ----------
    wishes : sequence of Wish
        What is asked.
    jobs : sequence of mapping
        Of a resolved configuration.

    Raises
    ------
    ScenarioError
        Says where.
    """
    there = [job for job in jobs if not job.get("muted")]
    victims = [job["name"] for job in there if job["role"] == "victim"]
    timed = [job["name"] for job in there if job["workload"]["kind"] != _OPEN_LOOP]
    every = [job["name"] for job in there]
    slowed = victims if len(there) > 1 else []
    known = {SLOWDOWN: slowed, ITERATION_TIME: timed}
    for wish in wishes:
        valid = known.get(wish.quantity, every)
        if wish.job is not None and wish.job not in valid:
            what = "no job has this name" if wish.job not in every else f"it has no {wish.quantity}"
            place = (*wish.key, "job")
            raise document.error(place, f'"{wish.job}": {what}.{suggestion(wish.job, valid)}')
        if not valid:
            raise _lacking(wish, document)
        if wish.quantity == FAIRNESS and len(slowed) < 2:
            raise document.error(wish.key, "fairness needs two victims or more; give another "
                                 'quantity, or role = "victim" to more jobs.')  # fmt: skip
        if wish.quantity == MAKESPAN and not timed:
            raise document.error(wish.key, "no job ends, so that there is no makespan; give "
                                 '"packet_latency".')  # fmt: skip


def _lacking(wish: Wish, document: Document) -> ScenarioError:
    if wish.quantity == SLOWDOWN:
        return document.error(
            wish.key, 'a slowdown needs a job with role = "victim" next to another job; give '
            'objective = "comm_time", or another job.',
        )  # fmt: skip
    return document.error(wish.key, f"no job has a {wish.name}; give another quantity.")


def default(jobs: Sequence[Mapping[str, Any]]) -> Wish:
    """What is compared where nothing is asked.

    The slowdown of the victims; where nobody runs beside one, communication time (of traffic alone,
    packet latency).
    """
    there = [job for job in jobs if not job.get("muted")]
    if len(there) > 1 and any(job["role"] == "victim" for job in there):
        return Wish(quantity=SLOWDOWN)
    ends = any(job["workload"]["kind"] != _OPEN_LOOP for job in there)
    return Wish(quantity=COMM_TIME if ends else PACKET_LATENCY)


def single(conditions: Sequence[Wish], jobs: Sequence[Mapping[str, Any]]) -> list[Wish]:
    """Conditions of one job each: one that names none holds for each that has the quantity."""
    found = []
    for wish in conditions:
        if wish.job is not None or wish.quantity in (MAKESPAN, FAIRNESS):
            found.append(wish)
            continue
        for job in jobs:
            is_victim = job["role"] == "victim"
            ends = job["workload"]["kind"] != _OPEN_LOOP
            if job.get("muted") or (wish.quantity == SLOWDOWN and not is_victim):
                continue
            if wish.quantity == ITERATION_TIME and not ends:
                continue
            found.append(
                Wish(quantity=wish.quantity, job=job["name"], statistic=wish.statistic,
                     direction=wish.direction, worse_by_at_most=wish.worse_by_at_most,
                     key=wish.key)
            )  # fmt: skip
    return found
