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
        ``kind``, ``class``, ``share``: bytes of the class over what all links of the kind could
        have carried during the run.

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
    # Links of a kind have the same bandwidth; what it is, any link in use tells.
    capacity = (
        links.filter(pl.col("congestion_index") > 0)
        .group_by("kind", maintain_order=True)
        .agg(one=(pl.col("bytes") / pl.col("congestion_index")).mean())
        .join(links.group_by("kind").len(), on="kind", maintain_order="left")
        .select("kind", capacity=pl.col("one") * pl.col("len"))
    )
    return (
        parts.join(links.select("link", "kind"), on="link")
        .group_by("kind", by, maintain_order=True)
        .agg(pl.col("bytes").sum())
        .join(capacity, on="kind", maintain_order="left")
        .select("kind", by, share=pl.col("bytes") / pl.col("capacity"))
    )
