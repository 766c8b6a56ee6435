"""Short names of series: what they have in common is left out."""

from __future__ import annotations

import itertools
from pathlib import PurePosixPath

import polars as pl

_TELLING = ("series", "condition", "quantity", "bytes")


def labelled(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame with a column ``label``: its series in the fewest words that tell them apart.

    Parameters
    ----------
    frame : polars.DataFrame
        With the keys of series (:data:`odonata.analysis.dispersion.KEYS`).

    Returns
    -------
    polars.DataFrame
        The frame, ``label`` first: the series, and what of condition, size, source and quantity
        differs within it.
    """
    if frame.is_empty():
        return frame
    keys = frame.select("source", *_TELLING).unique(maintain_order=True)
    words = [pl.col("series").fill_null("series")]
    differs = keys.group_by("series").n_unique().max().row(0, named=True)
    words += [pl.col(name).fill_null("") for name in ("condition", "quantity") if differs[name] > 1]
    if differs["bytes"] > 1:
        size = pl.format("{} B", pl.col("bytes"))
        words.append(pl.when(pl.col("bytes").is_null()).then(pl.lit("")).otherwise(size))
    if keys["source"].n_unique() > 1 and keys.select(_TELLING).is_duplicated().any():
        folders = {
            source: _without_series(source, series)
            for source, series in keys.select("source", "series").iter_rows()
        }
        short = _short(list(dict.fromkeys(folders.values())))
        words.append(pl.col("source").replace_strict({k: short[v] for k, v in folders.items()}))
    label = pl.concat_str(words, separator=" ").str.replace_all("  +", " ").str.strip_chars()
    return frame.select(label.alias("label"), pl.all())


def _without_series(source: str, series: str) -> str:
    """A path without the file whose name the series already is."""
    path = PurePosixPath(source or "")
    return str(path.parent) if path.stem == series and path.parent.name else str(path)


def _short(names: list[str]) -> dict[str, str]:
    """Names by the first part of their paths in which they differ, or by all behind it."""
    parts = {name: PurePosixPath(name or "").parts for name in names}
    levels = itertools.takewhile(
        lambda level: len(set(level)) == 1, zip(*parts.values(), strict=False)
    )
    same = len(list(levels))
    rest = {name: one[same:] or one[-1:] for name, one in parts.items()}
    firsts = [one[0] if one else "" for one in rest.values()]
    if len(set(firsts)) == len(firsts):
        return {name: one[0] if one else "" for name, one in rest.items()}
    return {name: "/".join(one) for name, one in rest.items()}
