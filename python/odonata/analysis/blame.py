"""Who delayed whom, from the table `blame`."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import AnalysisError, require

_COLUMNS = ("delayed", "delaying", "link", "cause", "ns", "through_ns", "packets")


def awaited(blame: pl.DataFrame, *, responses: bool = False) -> pl.DataFrame:
    """Take the waits of packets that a rank waits for: all but acknowledgements.

    Parameters
    ----------
    blame : polars.DataFrame
        The table `blame` or `blame_ranks`.
    responses : bool
        Take the waits of acknowledgements (``nic.response``) as well, which no rank waits for.

    Returns
    -------
    polars.DataFrame
        Its rows of requests, or all of them.

    Raises
    ------
    AnalysisError
        If the frame lacks the column ``transaction``: the results are those of an earlier version.
    """
    if "transaction" not in blame.columns:
        raise AnalysisError(
            "the table of blame does not tell requests from responses: the results were written by "
            "an earlier version; run the scenario again"
        )
    return blame if responses else blame.filter(pl.col("transaction") == "request")


def delays(blame: pl.DataFrame, *, responses: bool = False) -> pl.DataFrame:
    """Sum the waits of every job by the job that is to blame.

    Parameters
    ----------
    blame : polars.DataFrame
        The `blame` table.
    responses : bool
        Count the waits of acknowledgements as well, which no rank waits for.

    Returns
    -------
    polars.DataFrame
        ``delayed``, ``delaying``, ``ns``, ``through_ns``, and their shares of all waits of the
        delayed job, ``fraction`` and ``through_fraction``; sorted by delayed job, the largest
        through blame first.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column.
    """
    require(blame, _COLUMNS, "blame of jobs")
    whole = pl.col("ns").sum().over("delayed")
    return (
        awaited(blame, responses=responses)
        .group_by("delayed", "delaying")
        .agg(pl.col("ns", "through_ns").sum())
        .with_columns(fraction=pl.col("ns") / whole, through_fraction=pl.col("through_ns") / whole)
        .sort("delayed", "through_ns", "delaying", descending=[False, True, False])
    )


MOVING = "moving"
"""What is left of the time of a packet without its waits: wires, routers, its own length."""


def breakdown(
    blame: pl.DataFrame, delayed: str, *, packets: int, latency_ns: float
) -> pl.DataFrame:
    """Take the mean time of the packets of a job apart: moving, and waits by whose fault they are.

    Parameters
    ----------
    blame : polars.DataFrame
        The `blame` table.
    delayed : str
        The job.
    packets : int
        Packets of the job that were delivered, as ``packets`` of the summary counts them: without
        acknowledgements; above 0.
    latency_ns : float
        Their mean latency, ns; of all packets, not of a window.

    Returns
    -------
    polars.DataFrame
        ``part`` (:data:`MOVING`, the job itself, then the others, the largest first) and ``ns``
        per packet; the sum is `latency_ns`. Waits are those of requests: no rank waits for
        acknowledgements, and latencies are not theirs. Waits of packets that were still under way
        at the end are shared among those that arrived: of a job that did not end, too little is
        left as moving, and less than nothing where more has waited than arrived.

    Raises
    ------
    AnalysisError
        The frame is empty or lacks a column.
    """
    found = delays(blame).filter(pl.col("delayed") == delayed)
    waits = found.select(
        part="delaying", ns=pl.col("through_ns") / packets, other=pl.col("delaying") != delayed
    ).sort("other", "ns", "part", descending=[False, True, False])
    moving = latency_ns - float(waits["ns"].sum())
    return pl.concat([pl.DataFrame({"part": [MOVING], "ns": [moving]}), waits.drop("other")])


def causes(blame: pl.DataFrame, delayed: str, *, responses: bool = False) -> pl.DataFrame:
    """Sum the waits of one job by cause and by whose fault they are.

    Parameters
    ----------
    blame : polars.DataFrame
        The `blame` table.
    delayed : str
        Job whose packets waited.
    responses : bool
        Count the waits of acknowledgements as well, which no rank waits for.

    Returns
    -------
    polars.DataFrame
        ``cause``, ``delaying``, ``ns``, ``through_ns``; the largest direct blame first.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column, or no packet of the job waited.
    """
    require(blame, _COLUMNS, "causes of waits")
    rows = awaited(blame, responses=responses).filter(pl.col("delayed") == delayed)
    require(rows, _COLUMNS, f"causes of waits of `{delayed}`")
    return (
        rows.group_by("cause", "delaying")
        .agg(pl.col("ns", "through_ns").sum())
        .sort("ns", "cause", "delaying", descending=[True, False, False])
    )


def delaying_links(
    blame: pl.DataFrame,
    links: pl.DataFrame,
    delayed: str,
    *,
    count: int = 10,
    responses: bool = False,
) -> pl.DataFrame:
    """Find the links at which the waits of a job end, passed on through full buffers.

    Parameters
    ----------
    blame : polars.DataFrame
        The `blame` table.
    links : polars.DataFrame
        The `links` table: what each link joins.
    delayed : str
        Job whose packets waited.
    count : int
        At most so many links.
    responses : bool
        Count the waits of acknowledgements as well, which no rank waits for.

    Returns
    -------
    polars.DataFrame
        ``link``, ``kind``, ``source_router``, ``target_router``, ``source_group``,
        ``target_group``, ``through_ns`` (all delaying jobs), ``main`` (the one most to blame
        there), ``main_fraction`` of it; the largest first.

    Raises
    ------
    AnalysisError
        If a frame is empty or lacks a column.
    """
    require(blame, _COLUMNS, "links that delay a job")
    places = ("link", "kind", "source_router", "target_router", "source_group", "target_group")
    require(links, places, "links that delay a job")
    awaited_rows = awaited(blame, responses=responses)
    rows = awaited_rows.filter((pl.col("delayed") == delayed) & (pl.col("through_ns") > 0))
    by_job = (
        rows.group_by("link", "delaying")
        .agg(pl.col("through_ns").sum())
        .sort("through_ns", "delaying", descending=[True, False])
    )
    return (
        by_job.group_by("link", maintain_order=True)
        .agg(
            pl.col("through_ns").sum(),
            main=pl.col("delaying").first(),
            main_fraction=pl.col("through_ns").first() / pl.col("through_ns").sum(),
        )
        .join(links.select(places), on="link")
        .sort("through_ns", "link", descending=[True, False])
        .head(count)
        .select(*places, "through_ns", "main", "main_fraction")
    )
