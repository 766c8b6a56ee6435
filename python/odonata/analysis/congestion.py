"""Where the network is busy: between groups, and on single links."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

_LINK_COLUMNS = ("kind", "source_group", "target_group", "congestion_index")


def group_matrix(links: pl.DataFrame) -> pl.DataFrame:
    """Average the congestion index over the links between, and inside of, groups.

    As in figure 12 of Kang et al. 2022: the diagonal holds the links between routers of a group
    (local ones; on a grid rows and columns), everything else the links from one group to another.

    Parameters
    ----------
    links : polars.DataFrame
        The `links` table: ``kind``, ``source_group``, ``target_group``, ``congestion_index``.

    Returns
    -------
    polars.DataFrame
        ``source_group``, ``target_group``, ``congestion_index`` (mean over links, 0 to 1),
        ``links`` (how many); sorted. Pairs of groups without a link are absent.

    Raises
    ------
    AnalysisError
        If the frame is empty or lacks a column.
    """
    require(links, _LINK_COLUMNS, "congestion between groups")
    return (
        links.filter(pl.col("kind") != "host")
        .with_columns(pl.col("source_group", "target_group").cast(pl.Int64))
        .group_by("source_group", "target_group")
        .agg(pl.col("congestion_index").mean(), links=pl.len())
        .sort("source_group", "target_group")
    )


def stalled_links(
    links: pl.DataFrame, link_jobs: pl.DataFrame | None = None, *, count: int = 10
) -> pl.DataFrame:
    """Find the links on which packets waited longest for credits.

    Parameters
    ----------
    links : polars.DataFrame
        The `links` table.
    link_jobs : polars.DataFrame, optional
        The `link_jobs` table (``link``, ``job``, ``bytes``): names who used the link most.
    count : int
        At most so many rows.

    Returns
    -------
    polars.DataFrame
        Rows of `links` with ``stall_ns`` above 0, the largest first (ties: lower link number); with
        `link_jobs` also ``main_job`` and ``main_job_fraction`` (of the bytes of that link).

    Raises
    ------
    AnalysisError
        If `links` is empty or lacks a column.
    """
    require(links, ("link", "stall_ns"), "stalled links")
    top = (
        links.filter(pl.col("stall_ns") > 0)
        .sort("stall_ns", "link", descending=[True, False])
        .head(count)
    )
    if link_jobs is None or link_jobs.is_empty():
        return top
    shares = (
        link_jobs.filter(pl.col("link").is_in(top["link"].to_list()))
        .with_columns(main_job_fraction=pl.col("bytes") / pl.col("bytes").sum().over("link"))
        .sort("bytes", "job", descending=[True, False])
        .unique("link", keep="first", maintain_order=True)
        .select("link", main_job="job", main_job_fraction="main_job_fraction")
    )
    return top.join(shares, on="link", how="left", maintain_order="left")
