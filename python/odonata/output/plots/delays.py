"""Pictures of who delayed whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output.plots.style import job_colours, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KINDS = (("ns", "direct", 1.0), ("through_ns", "through", 0.55))


def delays(frame: pl.DataFrame, axes: Axes, *, jobs: list[str]) -> None:
    """Draw whose fault the waits of one job are: direct and through blame per delaying job.

    Parameters
    ----------
    frame : polars.DataFrame
        ``delaying``, ``ns``, ``through_ns``; the order is that of the bars, from above.
    jobs : list of str
        All jobs, in the order of their colours.
    """
    names = frame["delaying"].to_list()
    colours = job_colours(jobs)
    scale, symbol = time_unit(
        float(frame.select(pl.max_horizontal("ns", "through_ns").max()).item())
    )
    for number, (column, label, alpha) in enumerate(_KINDS):
        places = [place + 0.2 * (2 * number - 1) for place in range(len(names))]
        axes.barh(
            places,
            frame[column] / scale,
            height=0.36,
            color=[colours[job] for job in names],
            alpha=alpha,
            hatch="" if alpha == 1 else "//",
            edgecolor="white",
            label=label,
        )
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x")
    axes.set_xlabel(f"waits charged to the job ({symbol}, sum over packets)")


def delaying_links(frame: pl.DataFrame, axes: Axes, *, jobs: list[str]) -> None:
    """Draw the links at which the waits of one job end.

    Parameters
    ----------
    frame : polars.DataFrame
        ``kind``, ``source_router``, ``target_router``, ``link``, ``through_ns``, ``main``,
        ``main_fraction``; the order is that of the bars, from above.
    jobs : list of str
        All jobs, in the order of their colours.
    """
    scale, symbol = time_unit(float(frame["through_ns"].max()))  # type: ignore[arg-type]
    mains = frame["main"].to_list()
    colours = job_colours(jobs)
    places = range(len(frame))
    axes.barh(
        places,
        frame["through_ns"] / scale,
        height=0.7,
        color="#D0D0D0",
        label="because of other jobs",
    )
    for job in sorted(set(mains)):
        rows = [place for place in places if mains[place] == job]
        widths = [
            frame["through_ns"][row] * frame["main_fraction"][row] / scale for row in rows
        ]  # fmt: skip
        axes.barh(rows, widths, height=0.7, color=colours[job], label=f"because of {job}")
    labels = [
        f"{row['kind']} {row['source_router']} → {row['target_router']} (#{row['link']})"
        for row in frame.iter_rows(named=True)
    ]
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x")
    axes.set_xlabel(f"waits charged to the link ({symbol}, sum over packets)")
