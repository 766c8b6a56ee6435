"""Pictures of a whole in parts: what the time of a packet consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output.plots.style import job_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from odonata.output.plots.rows import Unit

_MOVING = "#B9C2CC"


def parts(frame: pl.DataFrame, axes: Axes, *, whole: str, jobs: list[str], unit: Unit) -> None:
    """Draw stacked bars, a row per label: the part that is of no job, then the jobs.

    Parameters
    ----------
    frame : polars.DataFrame
        ``label``, ``part`` (`whole` or a job), ``ns``; the order is that of the rows and of their
        parts.
    whole : str
        The part that is of no job.
    jobs : list of str
        All jobs, in the order of their colours.
    unit : tuple of float and str
        Of the axis.
    """
    labels = frame["label"].unique(maintain_order=True).to_list()
    colours = {whole: _MOVING} | job_colours(jobs)
    scale, symbol = unit
    ends = dict.fromkeys(labels, 0.0)
    for row in frame.iter_rows(named=True):
        place, width = labels.index(row["label"]), row["ns"] / scale
        name = row["part"] if row["part"] == whole else f"waits because of {row['part']}"
        axes.barh(place, width, 0.7, ends[row["label"]], color=colours[row["part"]], label=name)
        ends[row["label"]] += width
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0, labelsize=7.5)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x", which="major")
    axes.set_xlabel(f"mean time of a packet ({symbol})")
