"""One look for all pictures: colours that colour-blind readers can tell apart, and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axis import Axis

# Okabe and Ito, "Color Universal Design", 2008; without the yellow, which is faint on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5F5F5F", "#8C564B")
"""Colours of jobs, in order."""

ALONE = "#8FB8D9"
"""Colour of a job that has the machine to itself."""

BESIDE = "#C44E00"
"""Colour of the same job with co-running jobs."""

SETTINGS = {"alone": "alone", "beside": "co-running"}
"""Settings of a job as legends name them."""

HEAT = "cividis"
"""Colour map of heat maps; its lightness grows steadily."""

RC: Mapping[Any, Any] = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "axes.edgecolor": "#777777",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "svg.hashsalt": "odonata",
    # A name is a name, dollar signs included.
    "text.parse_math": False,
}
"""Settings for ``matplotlib.rc_context``."""

BOXES: Mapping[str, Any] = {
    "showfliers": False,
    "patch_artist": True,
    "manage_ticks": False,
    "whiskerprops": {"color": "#444444", "linewidth": 0.9},
    "capprops": {"color": "#444444", "linewidth": 0.9},
}
"""Look of boxes, but for their insides."""

BOX_EDGE: Mapping[str, Any] = {"edgecolor": "#222222", "linewidth": 0.7}
"""Look of the edge of a box."""

_TIME_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def time_unit(largest_ns: float) -> tuple[float, str]:
    """Choose the unit in which a time axis is easy to read.

    Parameters
    ----------
    largest_ns : float
        Largest value on the axis, ns.

    Returns
    -------
    tuple of float and str
        Nanoseconds per unit, and its symbol.

    Examples
    --------
    >>> time_unit(2.5e6)
    (1000000.0, 'ms')
    """
    for size, symbol in _TIME_UNITS:
        if largest_ns >= size:
            return size, symbol
    return _TIME_UNITS[-1]


def panel_width(variants: int) -> float:
    """Return the width of a panel with so many places on its x axis, in inches."""
    return max(1.5 + 0.42 * variants, 3.1)


def job_colours(jobs: list[str]) -> dict[str, str]:
    """Give every job its colour, by position."""
    return {job: PALETTE[number % len(PALETTE)] for number, job in enumerate(jobs)}


def log_ticks(axis: Axis) -> None:
    """Label a logarithmic axis with plain numbers at 1, 2 and 5."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())
