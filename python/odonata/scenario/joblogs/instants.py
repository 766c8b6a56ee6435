"""How much of a machine jobs use over time, and the instants at which to look at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from odonata.core.errors import Error, suggestion
from odonata.scenario.joblogs.log import JobLog, in_use, instant

if TYPE_CHECKING:
    import numpy.typing as npt

_HOUR = 3600.0
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h|d)")
_SECONDS = {"s": 1.0, "min": 60.0, "h": _HOUR, "d": 24 * _HOUR}
_MOST_DRAWN = 1000
_MOST_HOURS = 1_000_000


def means(jobs: pl.DataFrame, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Mean in use between each two of the instants (s)."""
    steps = in_use(jobs)
    times, use = steps["time_s"].to_numpy(), steps["in_use"].to_numpy()
    area = np.concatenate([[0.0], np.cumsum(use[:-1] * np.diff(times))])
    found: npt.NDArray[np.float64] = np.diff(np.interp(edges, times, area)) / np.diff(edges)
    return found


def chosen(log: JobLog, text: str, seed: int) -> list[float]:
    """Instants (s) that a user asks for.

    Parameters
    ----------
    log : JobLog
        The log.
    text : str
        ``busiest``, ``drawn:N``, a time since the first start such as ``36 h``, or a date and time.
    seed : int
        Of instants that are drawn.

    Raises
    ------
    Error
        It is none of these, or lies outside of the log.
    """
    first, last = log.span
    drawn = re.fullmatch(r"drawn:(\d{1,4})", text)
    if text == "busiest":
        if last - first > _MOST_HOURS * _HOUR:
            raise Error(
                f"--at busiest: the log runs for {last - first:.3g} s: a time in it is wrong."
            )
        return [_busiest(log.jobs, first, last)]
    if drawn and 1 <= int(drawn[1]) <= _MOST_DRAWN:
        return sorted(np.random.default_rng(seed).uniform(first, last, int(drawn[1])).tolist())
    since = _SPAN.fullmatch(text)
    if since:
        at = first + float(since[1]) * _SECONDS[since[2]]
    else:
        try:
            at = instant(text if "-" in text or "/" in text else "")
        except ValueError:
            near = suggestion(text, ["busiest", "drawn:4", "36 h", "2025-01-31 12:00"])
            raise Error(f"--at {text}: this is no instant.{near}") from None
        if log.zero_s is None:
            raise Error(f"--at {text}: this log has no dates; write the time since its first "
                        "start, such as 36 h.")  # fmt: skip
        at -= log.zero_s
    if not first <= at < last:
        raise Error(f"--at {text}: the log runs from {log.clock(first)} to {log.clock(last)}.")
    return [at]


def _busiest(jobs: pl.DataFrame, first: float, last: float) -> float:
    """When most is in use in the hour, counted from the first start, with the largest mean."""
    edges = np.arange(first, max(last, first + 1.0) + _HOUR, _HOUR)
    begin = edges[int(np.argmax(means(jobs, edges)))]
    steps = in_use(jobs)
    before = steps.filter(pl.col("time_s") <= begin).tail(1).with_columns(time_s=pl.lit(begin))
    hour = steps.filter((pl.col("time_s") > begin) & (pl.col("time_s") < begin + _HOUR))
    there = pl.concat([before, hour])
    return float(there["time_s"][int(there["in_use"].arg_max() or 0)])
