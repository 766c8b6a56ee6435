"""Plots to zoom into, beside the static pictures, from the same numbers.

The library that draws them, Plotly, is put into the page as a whole: 5 MB that need no network.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.core.errors import RunError
from odonata.output.plots import PALETTE

if TYPE_CHECKING:
    from odonata.output.canvas import Picture

_MOST_CURVES = 300
"""Curves of one plot; more are only in the CSV file."""

_SHOWN = 12
"""Curves that are drawn at first; a click in the legend shows the others."""

_DIGITS = 6
"""Significant digits of a number in the page."""


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """How the numbers of a picture become curves."""

    x: str
    y: tuple[str, ...]
    by: tuple[str, ...]
    x_title: str
    y_title: str
    log: str = ""
    mode: str = "lines"
    steps: bool = False


_KINDS = {
    "throughput": _Kind(
        x="time_ns", y=("throughput_gb_per_s",), by=("variant", "job"), x_title="time (ns)",
        y_title="throughput (GB/s)", steps=True,
    ),
    "latency_tail": _Kind(
        x="latency_ns", y=("fraction_above",), by=("variant", "job", "setting"),
        x_title="packet latency (ns)", y_title="fraction of packets above", log="xy",
    ),
    "load_latency": _Kind(
        x="offered_load", y=("latency_ns_mean", "latency_ns_p99"), by=("variant",),
        x_title="offered load", y_title="packet latency (ns)", log="y", mode="lines+markers",
    ),
    "slowest_ranks": _Kind(
        x="iteration", y=("slowest", "median", "fastest"), by=("series", "label"),
        x_title="iteration", y_title="communication time (ns)", mode="markers",
    ),
    "learning": _Kind(
        x="time_ns", y=("latency_ns_mean",), by=("variant", "job"), x_title="time (ns)",
        y_title="mean latency (ns)",
    ),
}  # fmt: skip
"""Pictures into which zooming helps."""


def library() -> str:
    """The program that draws the plots, as text.

    Raises
    ------
    RunError
        Plotly is not installed.
    """
    try:
        from plotly.offline import get_plotlyjs  # noqa: PLC0415 - an extra
    except ImportError:
        raise RunError(
            "interactive plots need Plotly: pip install 'odonata[interactive]', or leave "
            "--interactive out."
        ) from None
    return str(get_plotlyjs())


def plot(picture: Picture) -> str:
    """What the library draws of a picture, as JSON.

    Returns
    -------
    str
        Safe to stand inside of a page; empty where zooming does not help.
    """
    kind = _KINDS.get(picture.name)
    if kind is None or picture.table.is_empty():
        return ""
    by = [name for name in kind.by if name in picture.table.columns]
    curves = [
        _curve(kind, rows, y, by)
        for rows in picture.table.partition_by(by, maintain_order=True)[:_MOST_CURVES]
        for y in kind.y
    ]
    for number, curve in enumerate(curves):
        colour = PALETTE[number % len(PALETTE)]
        curve |= {"line": curve["line"] | {"color": colour}, "marker": {"color": colour}}
        if number >= _SHOWN:
            curve["visible"] = "legendonly"
    layout = {
        "xaxis": {"title": {"text": kind.x_title}, "type": "log" if "x" in kind.log else "linear"},
        "yaxis": {"title": {"text": kind.y_title}, "type": "log" if "y" in kind.log else "linear"},
        "height": 460,
        "margin": {"l": 70, "r": 20, "t": 20, "b": 50},
        "hovermode": "closest",
    }
    text = json.dumps({"data": curves, "layout": layout}, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _curve(kind: _Kind, rows: pl.DataFrame, y: str, by: list[str]) -> dict[str, Any]:
    known = rows.drop_nulls([kind.x, y])
    names = [str(rows[name][0]) for name in by if rows[name].n_unique() == 1]
    name = ", ".join(dict.fromkeys([*names, *([y.removesuffix("_ns")] if len(kind.y) > 1 else [])]))
    return {
        "type": "scattergl" if len(known) > 2000 else "scatter",
        "mode": kind.mode,
        "name": name,
        "x": [_short(value) for value in known[kind.x]],
        "y": [_short(value) for value in known[y]],
        "line": {"shape": "hv"} if kind.steps else {},
    }


def _short(value: float) -> float | None:
    number = float(f"{value:.{_DIGITS}g}")
    return number if math.isfinite(number) else None
