"""The group-by-group heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odonata.plots.style import HEAT

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def congestion_map(frame: pl.DataFrame, axes: Axes, *, largest: float | None = None) -> Axes:
    """Draw the congestion of links between groups; links inside of a group are on the diagonal.

    As in figure 12 of Kang et al. 2022. Pairs without a link stay grey. The picture is the last
    of ``axes.images``, for a colour bar.

    Parameters
    ----------
    frame : polars.DataFrame
        ``source_group``, ``target_group``, ``congestion_index`` (0 to 1).
    axes : matplotlib.axes.Axes
        Where to draw.
    largest : float, optional
        Upper end of the colours; by default the largest value of the frame.

    Returns
    -------
    matplotlib.axes.Axes
        `axes`.
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
    return axes
