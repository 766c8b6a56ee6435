"""Curves of counters over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.plots.style import job_colours, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COUNTED = {"flits_per_ns": "flits per ns", "stalled_mean": "stalls at a time"}
"""What :func:`counter_curves` draws, with the name of its axis."""


def counter_curves(frame: pl.DataFrame, axes: Axes, *, column: str) -> Axes:
    """Draw what tiles and NICs counted, a curve for each kind.

    Parameters
    ----------
    frame : polars.DataFrame
        ``time_ns``, ``what``, ``value``.
    axes : matplotlib.axes.Axes
        Where to draw.
    column : str
        A key of :data:`COUNTED`.

    Returns
    -------
    matplotlib.axes.Axes
        `axes`.
    """
    whats = frame["what"].unique(maintain_order=True).to_list()
    last = frame["time_ns"].max()
    scale, symbol = time_unit(float(last or 1.0))  # type: ignore[arg-type]
    for what, colour in job_colours(whats).items():
        rows = frame.filter(pl.col("what") == what).sort("time_ns")
        axes.plot(rows["time_ns"] / scale, rows["value"], color=colour, linewidth=1.3, label=what)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({symbol})")
    axes.set_ylabel(COUNTED[column])
    if whats:
        axes.legend(fontsize="small", frameon=False)
    return axes
