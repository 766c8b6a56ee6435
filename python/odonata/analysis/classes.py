"""What traffic classes and jobs take of the links."""

from __future__ import annotations

import polars as pl

from odonata.analysis.frames import require


def class_shares(links: pl.DataFrame, link_classes: pl.DataFrame) -> pl.DataFrame:
    """Mean use of the links of each kind by each class.

    Parameters
    ----------
    links : polars.DataFrame
        The `links` table: ``link``, ``kind``, ``bytes``, ``congestion_index``.
    link_classes : polars.DataFrame
        The `link_classes` table: ``link``, ``class``, ``bytes``.

    Returns
    -------
    polars.DataFrame
        ``kind``, ``class``, ``share``: of what a link of the kind could have carried during the
        run, the mean over these links.

    Raises
    ------
    AnalysisError
        If a frame is empty or lacks a column.
    """
    return _shares(links, link_classes, "class")


def job_shares(links: pl.DataFrame, link_jobs: pl.DataFrame) -> pl.DataFrame:
    """Mean use of the links of each kind by each job.

    Parameters
    ----------
    links : polars.DataFrame
        As for :func:`class_shares`.
    link_jobs : polars.DataFrame
        The `link_jobs` table: ``link``, ``job``, ``bytes``.

    Returns
    -------
    polars.DataFrame
        ``kind``, ``job``, ``share``, as those of classes.

    Raises
    ------
    AnalysisError
        If a frame is empty or lacks a column.
    """
    return _shares(links, link_jobs, "job")


def _shares(links: pl.DataFrame, parts: pl.DataFrame, by: str) -> pl.DataFrame:
    require(links, ("link", "kind", "bytes", "congestion_index"), f"shares by {by}")
    require(parts, ("link", by, "bytes"), f"shares by {by}")
    # A link that has lost lanes can carry less than others of its kind.
    used = links.select("link", "kind", "congestion_index", whole="bytes")
    return (
        parts.join(used, on="link")
        .group_by("kind", by, maintain_order=True)
        .agg(used=(pl.col("bytes") / pl.col("whole") * pl.col("congestion_index")).sum())
        .join(links.group_by("kind").len(), on="kind", maintain_order="left")
        .select("kind", by, share=pl.col("used") / pl.col("len"))
    )
