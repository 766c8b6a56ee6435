"""What the view shows of a run: places, links, jobs, blame and time, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from odonata.core.errors import RunError
from odonata.output.plots.style import job_colours
from odonata.output.view import overtime, places
from odonata.output.view.packing import Arrays

if TYPE_CHECKING:
    from odonata.results import Result

_NEEDED = ("links", "ranks")


@dataclass(frozen=True, slots=True)
class Content:
    """All that the page needs to know.

    Parameters
    ----------
    facts : dict
        Names, totals and units; goes into the page as JSON.
    arrays : dict
        Columns by name; go into the page packed.
    """

    facts: dict[str, Any]
    arrays: Arrays


def content(run: Result) -> Content:
    """Collect what there is to see of one run.

    Parameters
    ----------
    run : odonata.results.Result
        A run with its tables.

    Returns
    -------
    Content
        Links are numbered by their place in the table `links`, jobs as in the summary.

    Raises
    ------
    odonata.errors.RunError
        If it has no table of links.
    """
    missing = [name for name in _NEEDED if name not in run.tables()]
    if missing or run.table("links").is_empty():
        raise RunError(
            f"{run.directory or 'this run'} has no links to show: the table "
            f"`{(missing or ['links'])[0]}` is missing or empty; run the scenario again."
        )
    links = run.table("links").with_row_index("place")
    jobs = list(run.jobs)
    arrays = places.arrays(links)
    arrays |= _node_jobs(run.table("ranks"), arrays["node"], jobs)
    arrays |= _links(links)
    arrays |= _users(run, links, jobs)
    arrays |= _blame(run, links, jobs)
    times = overtime.over_time(run, links, jobs)
    if times is not None:
        arrays |= times.arrays
    return Content(_facts(run, jobs, times), arrays)


def _facts(run: Result, jobs: list[str], times: overtime.OverTime | None) -> dict[str, Any]:
    colours = job_colours(jobs)
    kinds = run.table("links")["kind"].unique(maintain_order=True).to_list()
    network = run.summary.get("network") or {}
    return {
        "name": run.summary.get("name"),
        "stop": run.stop,
        "simulated_ns": run.summary.get("simulated_ns"),
        "routing": network.get("routing"),
        "version": run.summary.get("odonata_version"),
        "kinds": kinds,
        "jobs": [
            {
                "name": job.name,
                "colour": colours[job.name],
                "role": job.summary.get("role"),
                "ranks": job.summary.get("ranks"),
                "bytes_sent": job.summary.get("bytes_sent"),
                "comm_time_ns": job.comm_time_ns,
                "slowdown": job.slowdown,
                "latency_ns": (job.summary.get("packet_latency_ns") or {}).get("mean"),
            }
            for job in run.jobs.values()
        ],
        "has_blame": "blame" in run.tables(),
        "times": None if times is None else times.facts,
    }


def _node_jobs(ranks: pl.DataFrame, nodes: np.ndarray, jobs: list[str]) -> Arrays:
    """Job of each node, the first of several; -1 where there is none."""
    number = {job: at for at, job in enumerate(jobs)}
    of_node: dict[int, int] = {}
    for job, node in ranks.select("job", "node").iter_rows():
        of_node.setdefault(node, number.get(job, -1))
    return {"node_job": np.array([of_node.get(int(node), -1) for node in nodes], np.int16)}


def _links(links: pl.DataFrame) -> Arrays:
    kinds = links["kind"].unique(maintain_order=True).to_list()
    return {
        "link": links["link"].to_numpy().astype(np.uint32),
        "link_kind": np.array([kinds.index(kind) for kind in links["kind"]], np.uint8),
        "link_bytes": links["bytes"].to_numpy().astype(np.float64),
        "link_busy_ns": _floats(links["busy_ns"]),
        "link_stall_ns": _floats(links["stall_ns"]),
    }


def _floats(column: pl.Series) -> np.ndarray:
    return column.cast(pl.Float64).fill_null(0).fill_nan(0).to_numpy().astype(np.float32)


def _users(run: Result, links: pl.DataFrame, jobs: list[str]) -> Arrays:
    """Bytes of jobs on links, in the order of the links."""
    if "link_jobs" not in run.tables():
        return {"use_link": np.zeros(0, np.uint32), "use_job": np.zeros(0, np.uint8),
                "use_bytes": np.zeros(0, np.float64)}  # fmt: skip
    used = overtime.placed(run.table("link_jobs"), links, jobs).sort("place", "number")
    return {
        "use_link": used["place"].to_numpy().astype(np.uint32),
        "use_job": used["number"].to_numpy().astype(np.uint8),
        "use_bytes": used["bytes"].to_numpy().astype(np.float64),
    }


def _blame(run: Result, links: pl.DataFrame, jobs: list[str]) -> Arrays:
    """Waits by link, delayed and delaying job, direct and passed on."""
    if "blame" not in run.tables():
        return {}
    numbers = pl.DataFrame({"job": jobs, "number": range(len(jobs))})
    charged = run.table("blame")
    if "transaction" in charged.columns:  # no rank waits for acknowledgements
        charged = charged.filter(pl.col("transaction") == "request")
    summed = charged.group_by("link", "delayed", "delaying").agg(
        pl.col("ns", "through_ns").sum()
    )  # fmt: skip
    rows = (
        summed.join(links.select("link", "place"), on="link")
        .join(numbers.rename({"job": "delayed", "number": "who"}), on="delayed")
        .join(numbers.rename({"job": "delaying", "number": "by"}), on="delaying")
        .sort("place", "who", "by")
    )
    return {
        "blame_link": rows["place"].to_numpy().astype(np.uint32),
        "blame_delayed": rows["who"].to_numpy().astype(np.uint8),
        "blame_delaying": rows["by"].to_numpy().astype(np.uint8),
        "blame_ns": _floats(rows["ns"]),
        "blame_through_ns": _floats(rows["through_ns"]),
    }
