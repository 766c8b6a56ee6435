"""Links over time, in bins few enough for a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from odonata.output.view.packing import Arrays

if TYPE_CHECKING:
    from odonata.results import Result

_MOST_ROWS = 1 << 21
"""More rows of links, bins and jobs are joined into wider bins: a browser keeps them in memory."""

_WHOLE = 65_535
"""A share of 1 in 16 bits."""


@dataclass(frozen=True, slots=True)
class OverTime:
    """What links did in each bin.

    Parameters
    ----------
    facts : dict
        ``bins``, ``bin_ns``, and whether jobs are told apart (``by_job``).
    arrays : dict
        ``busy_link``, ``busy_bin``, ``busy_job`` and ``busy_share`` (of the bin, 65535 for all of
        it), by link and bin; ``stall_link``, ``stall_bin``, ``stall_share``.
    """

    facts: dict[str, Any]
    arrays: Arrays


def placed(frame: pl.DataFrame, links: pl.DataFrame, jobs: list[str]) -> pl.DataFrame:
    """Put the place of its link and the number of its job behind each row; others are dropped."""
    numbers = pl.DataFrame({"job": jobs, "number": range(len(jobs))},
                           schema={"job": pl.String, "number": pl.UInt8})  # fmt: skip
    return frame.join(links.select("link", "place"), on="link").join(numbers, on="job")


def over_time(run: Result, links: pl.DataFrame, jobs: list[str]) -> OverTime | None:
    """Links over time; ``None`` where the run did not record them.

    Parameters
    ----------
    run : odonata.results.Result
        Run with `link_series` and `link_job_series` (``telemetry.link_series``).
    links : polars.DataFrame
        The table `links` with ``place``: their numbers here.
    jobs : list of str
        Jobs, in order.
    """
    if not {"link_series", "link_job_series"} <= set(run.tables()):
        return None
    total = run.table("link_series")
    if total.is_empty():
        return None
    bin_ns = float(total["bin_ns"][0])
    sent = placed(run.table("link_job_series"), links, jobs)
    sent = sent.select("place", "number", _bin(bin_ns), pl.col("busy_ns").alias("ns"))
    stalled = total.filter(pl.col("stall_ns") > 0).join(links.select("link", "place"), on="link")
    stalled = stalled.select("place", _bin(bin_ns), pl.col("stall_ns").alias("ns"))
    while sent.height + stalled.height > _MOST_ROWS:
        sent, stalled, bin_ns = _joined(sent), _joined(stalled), bin_ns * 2
    bins = 1 + max((int(frame["bin"].max() or 0)  # type: ignore[arg-type]
                    for frame in (sent, stalled) if not frame.is_empty()), default=0)  # fmt: skip
    sent = sent.sort("place", "bin", "number")
    stalled = stalled.sort("place", "bin")
    arrays: Arrays = {
        "busy_link": sent["place"].to_numpy().astype(np.uint32),
        "busy_bin": sent["bin"].to_numpy().astype(np.uint16),
        "busy_job": sent["number"].to_numpy().astype(np.uint8),
        "busy_share": _share(sent, bin_ns),
        "stall_link": stalled["place"].to_numpy().astype(np.uint32),
        "stall_bin": stalled["bin"].to_numpy().astype(np.uint16),
        "stall_share": _share(stalled, bin_ns),
    }
    return OverTime({"bins": bins, "bin_ns": bin_ns}, arrays)


def _bin(bin_ns: float) -> pl.Expr:
    return (pl.col("time_ns") / bin_ns).round().cast(pl.UInt32).alias("bin")


def _joined(frame: pl.DataFrame) -> pl.DataFrame:
    """Two bins become one."""
    keys = [name for name in frame.columns if name != "ns"]
    halved = frame.with_columns(pl.col("bin") // 2)
    return halved.group_by(keys).agg(pl.col("ns").sum()).select(frame.columns)


def _share(frame: pl.DataFrame, bin_ns: float) -> np.ndarray:
    share = np.clip(frame["ns"].to_numpy() / bin_ns, 0, 1) * _WHOLE
    # What is there is seen: the smallest share is not none.
    return np.maximum(np.rint(share), 1).astype(np.uint16)
