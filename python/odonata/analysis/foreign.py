"""What links of a job's routers carried for other jobs."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require

_WHAT = "foreign traffic"


def foreign(links: pl.DataFrame, link_jobs: pl.DataFrame, ranks: pl.DataFrame) -> pl.DataFrame:
    """Bytes of other jobs on the links between routers that leave the routers of each job.

    Wang et al. 2018 show this traffic for the routers that serve the nodes of an application
    (section IV-C, Figs. 8 to 10): what other jobs leave there is what it has to wait for.

    Parameters
    ----------
    links, link_jobs, ranks : polars.DataFrame
        The tables of a run.

    Returns
    -------
    polars.DataFrame
        A row per job and link: ``job``, ``link``, ``kind``, ``bytes`` (of all jobs) and
        ``foreign_bytes`` (of the others).

    Raises
    ------
    AnalysisError
        A frame is empty or lacks a column.

    Examples
    --------
    >>> links = pl.DataFrame(
    ...     {
    ...         "link": [0, 1],
    ...         "kind": ["host", "local"],
    ...         "source_router": [5, 5],
    ...         "target_node": [20, None],
    ...         "bytes": [0, 90],
    ...     }
    ... )
    >>> jobs = pl.DataFrame({"link": [1, 1], "job": ["a", "b"], "bytes": [30, 60]})
    >>> found = foreign(links, jobs, pl.DataFrame({"job": ["a"], "node": [20]}))
    >>> found.row(0)
    ('a', 1, 'local', 90, 60)
    """
    require(links, ("link", "kind", "source_router", "target_node", "bytes"), _WHAT)
    require(link_jobs, ("link", "job", "bytes"), _WHAT)
    require(ranks, ("job", "node"), _WHAT)
    homes = links.filter(pl.col("kind") == "host").select(
        pl.col("target_node").cast(pl.Int64).alias("node"), "source_router"
    )
    serving = (
        ranks.select("job", pl.col("node").cast(pl.Int64))
        .join(homes, on="node")
        .select("job", "source_router")
        .unique()
    )
    own = link_jobs.group_by("job", "link").agg(pl.col("bytes").sum().alias("own_bytes"))
    return (
        links.filter(pl.col("kind") != "host")
        .join(serving, on="source_router")
        .join(own, on=["job", "link"], how="left")
        .with_columns((pl.col("bytes") - pl.col("own_bytes").fill_null(0)).alias("foreign_bytes"))
        .select("job", "link", "kind", "bytes", "foreign_bytes")
        .sort("job", "link")
    )
