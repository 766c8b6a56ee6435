"""Regret: how much longer a job takes with a policy than with the best of its ways for all.

All runs of a comparison have the same seed: placement, traffic of others and every other draw are
the same (common random numbers), so that what differs is what the policy does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from odonata.scenario.regret import ALWAYS

_DECIDES = "decide"


def add(rows: Sequence[dict[str, Any]], keys: Sequence[str], jobs: Sequence[str]) -> None:
    """Put the column ``JOB.regret`` into the index of a sweep over ``jobs[i].policy.always``.

    Parameters
    ----------
    rows : sequence of dict
        Of the index; changed in place.
    keys : sequence of str
        Swept keys.
    jobs : sequence of str
        Names of the jobs, in file order.

    Examples
    --------
    >>> rows = [
    ...     {"jobs[0].policy.always": way, "a.comm_time_ns_mean": time}
    ...     for way, time in (("decide", 12.0), ("adaptive-0", 10.0), ("adaptive-3", 15.0))
    ... ]
    >>> add(rows, ["jobs[0].policy.always"], ["a"])
    >>> [round(row["a.regret"], 3) for row in rows]
    [0.2, 0.0, 0.5]
    """
    for key in keys:
        index = _job(key)
        if index is None or index >= len(jobs):
            continue
        time, regret = f"{jobs[index]}.comm_time_ns_mean", f"{jobs[index]}.regret"
        best: dict[str, float] = {}
        for row in rows:
            if row[key] != _DECIDES and row.get(time):
                place = _place(row, keys, key)
                best[place] = min(best.get(place, float("inf")), row[time])
        for row in rows:
            least = best.get(_place(row, keys, key))
            row[regret] = row[time] / least - 1.0 if least and row.get(time) else None


def _job(key: str) -> int | None:
    """Index of the job whose policy a swept key speaks of."""
    head, _, tail = key.partition("]")
    number = head.removeprefix("jobs[")
    is_ours = tail == f".policy.{ALWAYS}" and number.isdigit()
    return int(number) if is_ours else None


def _place(row: Mapping[str, Any], keys: Sequence[str], without: str) -> str:
    """The other swept values of a row."""
    return json.dumps([row[key] for key in keys if key != without])
