"""The group-by-group heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps

from odonata.output.plots.style import HEAT

_WRITTEN = 6
"""Jobs up to which shares are written into the cells."""

_DARK = 0.5

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def blame_matrix(frame: pl.DataFrame, axes: Axes, *, jobs: list[str]) -> None:
    """Draw which share of the waits of each job is whose fault.

    The picture is the last of ``axes.images``, for a colour bar; shares are written into it where
    there is room.

    Parameters
    ----------
    frame : polars.DataFrame
        ``delayed``, ``delaying``, ``through_fraction`` (0 to 1).
    jobs : list of str
        Rows and columns, in order.
    """
    matrix = np.full((len(jobs), len(jobs)), np.nan)
    for row in frame.iter_rows(named=True):
        matrix[jobs.index(row["delayed"]), jobs.index(row["delaying"])] = row["through_fraction"]
    axes.set_facecolor("#DDDDDD")
    axes.imshow(matrix, cmap=HEAT, vmin=0, vmax=1, interpolation="nearest", origin="upper")
    axes.grid(visible=False)
    if len(jobs) <= _WRITTEN:
        colours = colormaps[HEAT]
        for (down, across), share in np.ndenumerate(matrix):
            if np.isfinite(share):
                tone = "white" if colours(share)[1] < _DARK else "black"  # by the green of the cell
                axes.text(
                    across, down, f"{100 * share:.0f} %", ha="center", va="center", color=tone
                )
    axes.set_xticks(range(len(jobs)), jobs, rotation=30, ha="right")
    axes.set_yticks(range(len(jobs)), jobs)
    axes.set_xlabel("because of")
    axes.set_ylabel("waits of")


def congestion_map(frame: pl.DataFrame, axes: Axes, *, largest: float | None = None) -> None:
    """Draw the congestion of links between groups; links inside of a group are on the diagonal.

    As in figure 12 of Kang et al. 2022. Pairs without a link stay grey. The picture is the last
    of ``axes.images``, for a colour bar.

    Parameters
    ----------
    frame : polars.DataFrame
        ``source_group``, ``target_group``, ``congestion_index`` (0 to 1).
    largest : float, optional
        Upper end of the colours; by default the largest value of the frame.
    """
    source = frame["source_group"].to_numpy()
    target = frame["target_group"].to_numpy()
    size = int(max(source.max(), target.max())) + 1
    matrix = np.full((size, size), np.nan)
    matrix[source, target] = frame["congestion_index"].to_numpy()
    top = largest if largest is not None else float(np.nanmax(matrix))
    axes.set_facecolor("#DDDDDD")
    axes.imshow(
        matrix,
        cmap=HEAT,
        vmin=0,
        vmax=top if top > 0 else 1,
        interpolation="nearest",
        origin="upper",
    )
    axes.grid(visible=False)
    step = max(1, -(-size // 8))
    axes.set_xticks(range(0, size, step))
    axes.set_yticks(range(0, size, step))
    axes.set_xlabel("target group")
    axes.set_ylabel("source group")
