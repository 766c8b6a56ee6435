"""What traffic classes take of the links, from the `link_classes` table."""

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
    require(links, ("link", "kind", "bytes", "congestion_index"), "shares of classes")
    require(link_classes, ("link", "class", "bytes"), "shares of classes")
    # Links of a kind have the same bandwidth; what it is, any link in use tells.
    capacity = (
        links.filter(pl.col("congestion_index") > 0)
        .group_by("kind", maintain_order=True)
        .agg(one=(pl.col("bytes") / pl.col("congestion_index")).mean())
        .join(links.group_by("kind").len(), on="kind", maintain_order="left")
        .select("kind", capacity=pl.col("one") * pl.col("len"))
    )
    return (
        link_classes.join(links.select("link", "kind"), on="link")
        .group_by("kind", "class", maintain_order=True)
        .agg(pl.col("bytes").sum())
        .join(capacity, on="kind", maintain_order="left")
        .select("kind", "class", share=pl.col("bytes") / pl.col("capacity"))
    )
