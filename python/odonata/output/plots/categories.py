"""Pictures with one place on the x axis per variant (routing, placement, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output.plots.style import (
    ALONE,
    BESIDE,
    BOX_EDGE,
    BOXES,
    SETTINGS,
    job_colours,
    log_ticks,
    panel_width,
    time_unit,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SETTINGS = (("alone", ALONE), ("beside", BESIDE))
_INCHES_PER_LETTER = 0.078
"""Of a label on the x axis."""


def _places(frame: pl.DataFrame) -> tuple[list[str], dict[str, float], float]:
    """Return variants, the offset of each setting that occurs, and the width of a mark."""
    variants = frame["variant"].unique(maintain_order=True).to_list()
    present = [name for name, _ in _SETTINGS if name in frame["setting"].to_list()]
    width = min(0.78 / max(len(present), 1), 0.6 if len(variants) > 1 else 0.36)
    offsets = {name: (i - (len(present) - 1) / 2) * width for i, name in enumerate(present)}
    return variants, offsets, width


def _label_variants(axes: Axes, variants: list[str]) -> None:
    room = (panel_width(len(variants)) - 0.7) / len(variants)
    slanted = max(map(len, variants)) * _INCHES_PER_LETTER > room
    axes.set_xticks(
        range(len(variants)),
        variants,
        rotation=30 if slanted else 0,
        ha="right" if slanted else "center",
        rotation_mode="anchor" if slanted else "default",
    )
    axes.set_xlim(-0.6, len(variants) - 0.4)
    axes.tick_params(axis="x", length=0)


def communication_time(frame: pl.DataFrame, axes: Axes, *, largest_ns: float | None = None) -> None:
    """Draw the communication time of one job, alone and beside others, per variant.

    As in figure 4 of Kang et al. 2022: bars are means over ranks, whiskers one standard deviation
    of the ranks to each side.

    Parameters
    ----------
    frame : polars.DataFrame
        ``variant``, ``setting`` (``alone`` or ``beside``), ``comm_time_ns_mean``,
        ``comm_time_ns_std``.
    largest_ns : float, optional
        Decides the unit; by default the largest value of the frame does.
    """
    variants, offsets, width = _places(frame)
    top = (frame["comm_time_ns_mean"] + frame["comm_time_ns_std"]).max()
    scale, symbol = time_unit(largest_ns or float(top))  # type: ignore[arg-type]
    for name, colour in _SETTINGS:
        rows = frame.filter(pl.col("setting") == name)
        if rows.is_empty():
            continue
        places = [variants.index(v) + offsets[name] for v in rows["variant"]]
        axes.bar(
            places,
            rows["comm_time_ns_mean"] / scale,
            width=width * 0.92,
            color=colour,
            label=SETTINGS[name],
            yerr=rows["comm_time_ns_std"] / scale,
            error_kw={"ecolor": "#222222", "elinewidth": 1.0, "capsize": 2.5},
        )
    _label_variants(axes, variants)
    axes.set_ylim(bottom=0)
    axes.set_ylabel(f"communication time ({symbol})")


def latency_distribution(
    frame: pl.DataFrame, axes: Axes, *, largest_ns: float | None = None
) -> None:
    """Draw the packet latency of one job, alone and beside others, per variant.

    As in figure 6 of Kang et al. 2022: boxes hold the middle half of the packets, whiskers run
    from the 5th to the 95th percentile; triangles mark the 95th, diamonds the 99th.

    Parameters
    ----------
    frame : polars.DataFrame
        ``variant``, ``setting``, ``latency_ns_p5``, ``latency_ns_p25``, ``latency_ns_p50``,
        ``latency_ns_p75``, ``latency_ns_p95``, ``latency_ns_p99``.
    largest_ns : float, optional
        Decides the unit; by default the largest value of the frame does.
    """
    variants, offsets, width = _places(frame)
    top = float(frame["latency_ns_p99"].max())  # type: ignore[arg-type]
    scale, symbol = time_unit(largest_ns or top)
    for name, colour in _SETTINGS:
        rows = frame.filter(pl.col("setting") == name)
        if rows.is_empty():
            continue
        places = [variants.index(v) + offsets[name] for v in rows["variant"]]
        _boxes(axes, rows, places, (width, scale, colour))
        marks = ("latency_ns_p95", "^", "p95"), ("latency_ns_p99", "D", "p99")
        for column, marker, mark in marks:
            axes.plot(
                places,
                rows[column] / scale,
                linestyle="none",
                marker=marker,
                markersize=5,
                markerfacecolor=colour,
                markeredgecolor="#222222",
                markeredgewidth=0.6,
                label=f"{mark} {name}",
            )
    axes.set_yscale("log")
    log_ticks(axes.yaxis)
    _label_variants(axes, variants)
    axes.set_ylabel(f"packet latency ({symbol})")
    axes.grid(visible=True, axis="y", which="major")


def _boxes(
    axes: Axes, rows: pl.DataFrame, places: list[float], look: tuple[float, float, str]
) -> None:
    width, scale, colour = look
    boxes = [
        {
            "whislo": row["latency_ns_p5"] / scale,
            "q1": row["latency_ns_p25"] / scale,
            "med": row["latency_ns_p50"] / scale,
            "q3": row["latency_ns_p75"] / scale,
            "whishi": row["latency_ns_p95"] / scale,
            "fliers": [],
        }
        for row in rows.iter_rows(named=True)
    ]
    axes.bxp(
        boxes,
        positions=places,
        widths=width * 0.8,
        boxprops={"facecolor": colour, **BOX_EDGE},
        medianprops={"color": "white", "linewidth": 1.6},
        **BOXES,
    )


def class_shares(frame: pl.DataFrame, axes: Axes, *, classes: list[str]) -> None:
    """Draw what each traffic class takes of the links, stacked, a bar per kind of link.

    Parameters
    ----------
    frame : polars.DataFrame
        ``kind``, ``class``, ``share`` (fraction of the bandwidth).
    classes : list of str
        Order of the classes, which decides their colours; the first is at the bottom.
    """
    kinds = frame["kind"].unique(maintain_order=True).to_list()
    bottom = dict.fromkeys(kinds, 0.0)
    for name, colour in job_colours(classes).items():
        rows = dict(frame.filter(pl.col("class") == name).select("kind", "share").iter_rows())
        heights = [rows.get(kind, 0.0) for kind in kinds]
        axes.bar(kinds, heights, 0.6, [bottom[kind] for kind in kinds], color=colour, label=name)
        bottom = {kind: bottom[kind] + rows.get(kind, 0.0) for kind in kinds}
    axes.set_ylim(bottom=0)
    axes.set_ylabel("fraction of bandwidth")
    axes.tick_params(axis="x", length=0)
