"""Pictures of noise: notched boxes, cumulative distributions, slowest ranks over iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.output.plots.style import (
    ALONE,
    BESIDE,
    BOX_EDGE,
    BOXES,
    PALETTE,
    job_colours,
    log_ticks,
    time_unit,
)  # fmt: skip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE = 50.0
"""Largest over smallest value from which an axis is logarithmic."""

_MARKS = {"p95": "^", "p99": "D"}
_DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)))


def _scaled(unit: str, largest: float) -> tuple[float, str]:
    """How many of the unit of the frame one of the axis is, and its symbol."""
    return time_unit(largest) if unit == "ns" else (1.0, unit)


def notched_boxes(
    frame: pl.DataFrame, axes: Axes, *, quantity: str, largest: float | None = None
) -> None:
    """Draw a box per series, with a notch where its median has an interval.

    As in figures 3 to 10 of De Sensi et al. 2019: boxes hold the middle half, the notch is the
    interval of the median, whiskers reach to the outermost values within 1.5 distances of the
    quartiles. An interval that is wider than its box would fold it: it is a line below the box.
    Outliers are not drawn; their number stands beside the whisker.

    Parameters
    ----------
    frame : polars.DataFrame
        ``label``, ``unit`` (one for all), ``q1``, ``median``, ``q3``, ``notch_low``,
        ``notch_high``, ``whisker_low``, ``whisker_high``, ``outliers``.
    quantity : str
        Name for the axis.
    largest : float, optional
        Decides the unit; by default the largest value of the frame does.
    """
    top = float(frame["whisker_high"].max())  # type: ignore[arg-type]
    low = float(frame["whisker_low"].min())  # type: ignore[arg-type]
    scale, symbol = _scaled(str(frame["unit"][0]), largest or top)
    for place, row in enumerate(frame.iter_rows(named=True)):
        _box(axes, row, place, scale)
    if low > 0 and top / low > _WIDE:
        axes.set_xscale("log")
        log_ticks(axes.xaxis)
    axes.margins(x=0.06)
    axes.set_ylim(len(frame) - 0.4, -0.6)
    axes.set_yticks(range(len(frame)), frame["label"].to_list())
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x", which="major")
    axes.set_xlabel(f"{quantity} ({symbol})")


def _box(axes: Axes, row: dict[str, Any], place: int, scale: float) -> None:
    has_interval = row["notch_low"] is not None
    is_notched = has_interval and row["q1"] <= row["notch_low"] <= row["notch_high"] <= row["q3"]
    if has_interval and not is_notched:
        interval = [row["notch_low"] / scale, row["notch_high"] / scale]
        axes.plot(interval, [place + 0.39] * 2, color=BESIDE, linewidth=1.6)
    axes.bxp(
        [
            {
                "whislo": row["whisker_low"] / scale,
                "q1": row["q1"] / scale,
                "med": row["median"] / scale,
                "q3": row["q3"] / scale,
                "whishi": row["whisker_high"] / scale,
                "cilo": row["notch_low"] / scale if is_notched else None,
                "cihi": row["notch_high"] / scale if is_notched else None,
                "fliers": [],
            }
        ],
        positions=[place],
        widths=0.6,
        orientation="horizontal",
        shownotches=is_notched,
        boxprops={"facecolor": ALONE, **BOX_EDGE},
        medianprops={"color": BESIDE, "linewidth": 1.6},
        **BOXES,
    )
    if row["outliers"]:
        axes.annotate(
            f"{row['outliers']} beyond", (row["whisker_high"] / scale, place), (4, 0),
            textcoords="offset points", va="center", fontsize=6.5, color="#444444",
        )  # fmt: skip


def cumulative(
    frame: pl.DataFrame, axes: Axes, *, quantity: str, largest: float | None = None
) -> None:
    """Draw which fraction of each series is at most so large; p95 and p99 are marked.

    Parameters
    ----------
    frame : polars.DataFrame
        ``label``, ``unit`` (one for all), ``value``, ``fraction``, ``mark`` (`p95`, `p99` or
        null).
    quantity : str
        Name for the axis.
    largest : float, optional
        Decides the unit; by default the largest value of the frame does.
    """
    labels = frame["label"].unique(maintain_order=True).to_list()
    top, low = float(frame["value"].max()), float(frame["value"].min())  # type: ignore[arg-type]
    scale, symbol = _scaled(str(frame["unit"][0]), largest or top)
    for number, (label, colour) in enumerate(job_colours(labels).items()):
        rows = frame.filter(pl.col("label") == label)
        points = rows.filter(pl.col("mark").is_null()).sort("value", "fraction")
        dash = _DASHES[number // len(PALETTE) % len(_DASHES)]
        axes.step(points["value"] / scale, points["fraction"], where="post", color=colour,
                  linestyle=dash, linewidth=1.3, label=label)  # fmt: skip
        for mark, marker in _MARKS.items():
            found = rows.filter(pl.col("mark") == mark)
            axes.plot(found["value"] / scale, found["fraction"], linestyle="none", marker=marker,
                      markersize=5.5, markerfacecolor=colour, markeredgecolor="#222222",
                      markeredgewidth=0.6)  # fmt: skip
    for mark, marker in _MARKS.items():
        if (frame["mark"] == mark).any():
            axes.plot([], [], linestyle="none", marker=marker, color="#5F5F5F", label=mark)
    if low > 0 and top / low > _WIDE:
        axes.set_xscale("log")
        log_ticks(axes.xaxis)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(f"{quantity} ({symbol})")
    axes.set_ylabel("cumulative fraction")
    axes.grid(visible=True, axis="x", which="major")


def slowest_ranks(
    frame: pl.DataFrame, axes: Axes, *, quantity: str, largest: float | None = None
) -> None:
    """Draw fastest, middle and slowest rank of every iteration of one series.

    As in figures 2 to 4 of Groves et al. 2017: the slowest rank decides when a collective ends.

    Parameters
    ----------
    frame : polars.DataFrame
        ``unit``, ``iteration``, ``fastest``, ``median``, ``slowest``.
    quantity : str
        Name for the axis.
    largest : float, optional
        Decides the unit; by default the largest value of the frame does.
    """
    top, low = float(frame["slowest"].max()), float(frame["fastest"].min())  # type: ignore[arg-type]
    scale, symbol = _scaled(str(frame["unit"][0]), largest or top)
    looks = (("slowest", BESIDE, "o"), ("median", "#5F5F5F", "_"), ("fastest", PALETTE[0], "^"))
    size = 14.0 if len(frame) <= 200 else 4.0
    for name, colour, marker in looks:
        axes.scatter(frame["iteration"], frame[name] / scale, s=size, color=colour, marker=marker,
                     linewidths=0.8, label=f"{name} rank", rasterized=True)  # fmt: skip
    if low > 0 and top / low > _WIDE:
        axes.set_yscale("log")
        log_ticks(axes.yaxis)
    axes.set_xlabel("iteration")
    axes.set_ylabel(f"{quantity} ({symbol})")
