"""Pictures with a row per variant: as many as there are, names at the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output.plots.style import ALONE, BESIDE, SETTINGS, log_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Unit = tuple[float, str]
"""What one of the axis is in units of the frame, and its symbol."""

ROW_HEIGHT = 0.185
"""Inches of a row."""

_INK = "#444444"

_LOGARITHMIC = 5.0
"""Times the least value from which the largest makes the axis logarithmic."""


def _ready(axes: Axes, variants: list[str]) -> dict[str, int]:
    """A row per variant, the first on top; a faint line leads to the name."""
    axes.set_ylim(len(variants) - 0.4, -0.6)
    axes.set_yticks(range(len(variants)), variants)
    axes.tick_params(axis="y", length=0, labelsize=7.5)
    axes.grid(visible=True, axis="x", which="major")
    axes.grid(visible=True, axis="y", color="#F0F0F0")
    return {variant: place for place, variant in enumerate(variants)}


def intervals(frame: pl.DataFrame, axes: Axes, *, quantity: str, unit: Unit) -> None:
    """Draw a value per variant with its interval.

    Parameters
    ----------
    frame : polars.DataFrame
        ``variant``, ``value``, ``low``, ``high`` (null: no interval); the order is that of the
        rows. With ``each``, a list of the values of the replicas, these are drawn, too.
    quantity : str
        Name for the axis.
    unit : tuple of float and str
        Of the axis; one for all panels that are compared.
    """
    places = _ready(axes, frame["variant"].to_list())
    scale, symbol = unit
    told = frame.drop_nulls(["low", "high"])
    axes.hlines([places[name] for name in told["variant"]], told["low"] / scale,
                told["high"] / scale, color=_INK, linewidth=1.1, label="95 % interval")  # fmt: skip
    axes.plot(frame["value"] / scale, range(len(frame)), linestyle="none", marker="o",
              markersize=4.5, color=BESIDE)  # fmt: skip
    _replicas(frame, axes, scale)
    if symbol == "":
        axes.axvline(1.0, color="#999999", linewidth=0.8, linestyle=":")
    axes.set_xlabel(f"{quantity} ({symbol})" if symbol else quantity)


def _replicas(frame: pl.DataFrame, axes: Axes, scale: float) -> None:
    """Every replica as a small dot; a logarithmic axis where they are far apart."""
    if "each" not in frame.columns:
        return
    each = frame["each"].to_list()
    places = [(place, value / scale) for place, values in enumerate(each) for value in values]
    if all(len(values) < 2 for values in each):
        return
    axes.plot([value for _, value in places], [place + 0.22 for place, _ in places],
              linestyle="none", marker=".", markersize=3.5, color=_INK,
              label="replicas")  # fmt: skip
    seen = [value for _, value in places]
    if min(seen) > 0.0 and max(seen) > _LOGARITHMIC * min(seen):
        axes.set_xscale("log")
        log_ticks(axes.xaxis)


def communication_rows(frame: pl.DataFrame, axes: Axes, *, variants: list[str], unit: Unit) -> None:
    """Draw the communication time of one job, a row per variant: alone and beside others.

    Parameters
    ----------
    frame : polars.DataFrame
        As for :func:`odonata.output.plots.communication_time`.
    variants : list of str
        Rows, in order.
    unit : tuple of float and str
        Of the axis.
    """
    places = _ready(axes, variants)
    scale, symbol = unit
    for name, colour, offset in (("alone", ALONE, -0.16), ("beside", BESIDE, 0.16)):
        rows = frame.filter(pl.col("setting") == name)
        if rows.is_empty():
            continue
        at = [places[variant] + offset for variant in rows["variant"]]
        mean, std = rows["comm_time_ns_mean"] / scale, rows["comm_time_ns_std"] / scale
        axes.hlines(at, mean - std, mean + std, color=colour, linewidth=1.1)
        axes.plot(mean, at, linestyle="none", marker="o", markersize=4, color=colour,
                  label=SETTINGS[name])  # fmt: skip
    axes.set_xlim(left=0)
    axes.set_xlabel(f"communication time ({symbol})")


def latency_rows(frame: pl.DataFrame, axes: Axes, *, variants: list[str], unit: Unit) -> None:
    """Draw the packet latency of one job, a row per variant: alone and beside others.

    Thin lines run from the 5th to the 95th percentile, thick ones hold the middle half, triangles
    mark the 95th, diamonds the 99th.

    Parameters
    ----------
    frame : polars.DataFrame
        As for :func:`odonata.output.plots.latency_distribution`.
    variants : list of str
        Rows, in order.
    unit : tuple of float and str
        Of the axis, which is logarithmic.
    """
    places = _ready(axes, variants)
    scale, symbol = unit
    for name, colour, offset in (("alone", ALONE, -0.18), ("beside", BESIDE, 0.18)):
        rows = frame.filter(pl.col("setting") == name)
        if rows.is_empty():
            continue
        at = [places[variant] + offset for variant in rows["variant"]]
        p = {key: rows[f"latency_ns_p{key}"] / scale for key in (5, 25, 50, 75, 95, 99)}
        axes.hlines(at, p[5], p[95], color=colour, linewidth=0.9)
        axes.hlines(at, p[25], p[75], color=colour, linewidth=3.2)
        axes.plot(p[50], at, linestyle="none", marker="|", markersize=4.5, color="white")
        for mark, marker in ((95, "^"), (99, "D")):
            axes.plot(p[mark], at, linestyle="none", marker=marker, markersize=3.2,
                      markerfacecolor=colour, markeredgecolor=_INK, markeredgewidth=0.4,
                      label=f"p{mark} {name}")  # fmt: skip
    axes.set_xscale("log")
    log_ticks(axes.xaxis)
    axes.set_xlabel(f"packet latency ({symbol})")
