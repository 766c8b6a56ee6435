"""Pictures of two quantities against each other, a point per variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output.plots.style import ALONE, BESIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK = "#444444"


def tradeoff(frame: pl.DataFrame, axes: Axes, *, across: str, up: str) -> None:
    """Draw variants as points with intervals in both directions.

    Those that are left are filled, the others pale.

    Parameters
    ----------
    frame : polars.DataFrame
        ``variant``, ``x``, ``y``, each with ``_low`` and ``_high`` (null: no interval), and
        ``is_left``: whether nothing is known to be better.
    across, up : str
        What the two quantities are called.
    """
    for is_left, colour, name in ((False, ALONE, "dropped"), (True, BESIDE, "left")):
        rows = frame.filter(pl.col("is_left") == is_left)
        for ends, other, lines in (("x", "y", axes.hlines), ("y", "x", axes.vlines)):
            told = rows.drop_nulls([f"{ends}_low", f"{ends}_high"])
            lines(told[other], told[f"{ends}_low"], told[f"{ends}_high"], color=_INK, linewidth=0.9)
        if len(rows):
            axes.plot(rows["x"], rows["y"], linestyle="none", marker="o", markersize=6,
                      color=colour, label=name)  # fmt: skip
    # Neighbours have their names on different sides.
    for place, row in enumerate(frame.sort("y", "x").iter_rows(named=True)):
        axes.annotate(row["variant"], (row["x"], row["y"]), xytext=(4, 4 if place % 2 else -9),
                      textcoords="offset points", fontsize=7.0, color=_INK)  # fmt: skip
    axes.grid(visible=True, axis="both")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
