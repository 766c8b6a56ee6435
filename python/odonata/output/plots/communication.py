"""How an application communicates: bytes from rank to rank, and when they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LogNorm, Normalize

from odonata.output.plots.style import HEAT, PALETTE, time_unit

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

_MUCH = 20
"""Ratio of the largest to the smallest above which colours are logarithmic."""


def rank_matrix(matrix: np.ndarray, axes: Axes) -> Axes:
    """Draw the bytes that each rank sends to each other one; logarithmic if they differ much.

    The picture is the last of ``axes.images``, for a colour bar. Pairs that send nothing stay grey.

    Parameters
    ----------
    matrix : numpy.ndarray
        Shape (ranks, ranks), bytes: rows send, columns receive; not all 0.
    axes : matplotlib.axes.Axes
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        `axes`.
    """
    shown = np.where(matrix > 0, matrix, np.nan)
    least, most = float(np.nanmin(shown)), float(np.nanmax(shown))
    norm = LogNorm(least, most) if most > _MUCH * least else Normalize(0, most)
    axes.set_facecolor("#E4E4E4")
    axes.imshow(shown, cmap=HEAT, norm=norm, interpolation="nearest", origin="upper")
    axes.grid(visible=False)
    axes.set_xlabel("to rank")
    axes.set_ylabel("from rank")
    return axes


def load_over_time(series: pl.DataFrame, axes: Axes) -> Axes:
    """Draw the rate at which a job sends, over time.

    Parameters
    ----------
    series : polars.DataFrame
        ``time_ns``, ``bin_ns``, ``bytes_injected`` of one job, by time.
    axes : matplotlib.axes.Axes
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        `axes`.
    """
    start = series["time_ns"].to_numpy()
    width = series["bin_ns"].to_numpy()
    size, unit = time_unit(float((start + width).max()))
    rate = series["bytes_injected"].to_numpy() / width
    edges = np.append(start, start[-1] + width[-1]) / size
    axes.stairs(rate, edges, fill=True, color=PALETTE[0])
    axes.set_xlim(0, edges[-1])
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time, {unit}")
    axes.set_ylabel("sent by all ranks, GB/s")
    return axes
