"""Pictures of a study: simulated values over or beside published ones, and verdicts of a scan."""

from __future__ import annotations

import io
import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from odonata.studies import numbers, verdicts
from odonata.studies.relations import Tolerance
from odonata.studies.scan import Draw
from odonata.studies.unknowns import LOG, Unknown
from odonata.studies.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {verdicts.AGREES: "#117733", verdicts.DIFFERS: "#CC3311"} | dict.fromkeys(
    (verdicts.PARTLY, verdicts.AS_CODE, verdicts.FITTED, verdicts.INPUT, verdicts.CANNOT_FAIL),
    "#777777",
)
_COMPARED = ("value", "ratio")
_ROW_INCHES = 0.24
_PANELS, _PANEL_ROWS, _MOST_PANELS = 3, 6, 12
"""Panels beside each other, rows of text that one is high, and most panels of a picture."""
_PANEL_LETTERS = 38
_DECADES = 30.0
"""Largest over smallest number from which an axis is logarithmic."""
_LEGEND = "Green: agrees, red: differs, grey: any other verdict"
_TICKS = (1.0, 0.1, 10.0, 0.01, 100.0, 0.5, 2.0, 0.2, 5.0, 0.8, 1.25, 0.7, 1.5, 0.9, 1.1)
_LABEL = 0.06
"""Share of the axis that a label takes, with the gap to the next one."""


def draw(found: Sequence[Verdict]) -> str:
    """The picture as SVG; empty if no claim compares positive numbers."""
    rows = [(one, ratios) for one in found if (ratios := _ratios(one))]
    if not rows:
        return ""
    with _figure(len(rows)) as (figure, out):
        axes = figure.subplots()
        axes.axvline(1.0, color="#BBBBBB", linewidth=1.0, zorder=0)
        points = [(place, _COLOURS[one.verdict], *ratio)
                  for place, (one, ratios) in enumerate(rows) for ratio in ratios]  # fmt: skip
        places, colours, values, lows, highs = zip(*points, strict=True)
        axes.hlines(places, lows, highs, color="#DDDDDD", linewidth=6.0, zorder=1)
        axes.scatter(values, places, s=4.5**2, c=colours, linewidths=1.0, zorder=2)
        axes.set_yticks(range(len(rows)), [one.claim.id for one, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xscale("log")
        ends = (*values, *lows, *highs)
        axes.set_xlim(min(0.8, 0.95 * min(ends)), max(1.25, 1.05 * max(ends)))
        marks = ticks(*axes.get_xlim())
        axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
        axes.minorticks_off()
        axes.set_xlabel(f"simulated over published; bars: tolerance\n{_LEGEND}")
    return _svg(out)


def draw_scan(inputs: Sequence[Unknown], draws: Sequence[Draw]) -> str:
    """Verdicts of a scan as SVG, a column per unknown input; empty if nothing was judged."""
    points = [
        (name, draw.values, _COLOURS[verdict])
        for draw in draws for name, verdict in draw.verdicts.items() if verdict in _COLOURS
    ]  # fmt: skip
    if not points:
        return ""
    names = list(dict.fromkeys(name for name, _, _ in points))
    with _figure(len(names)) as (figure, out):
        shown = figure.subplots(1, len(inputs), sharey=True, squeeze=False)[0]
        places, colours = [names.index(name) for name, _, _ in points], [one[2] for one in points]
        for axes, one in zip(shown, inputs, strict=True):
            at = [values[one.name] for _, values, _ in points]
            axes.scatter(at, places, s=4.5**2, c=colours, linewidths=1.0)
            if one.law == LOG:
                axes.set_xscale("log")
                marks = [one.low, math.sqrt(one.low * one.high), one.high]
                axes.set_xticks(marks, [verdicts.shown(round(mark, 3)) for mark in marks])
                axes.minorticks_off()
            axes.set_xlabel(f"{one.name} [{one.unit}]" if one.unit else one.name)
        shown[0].set_yticks(range(len(names)), names)
        shown[0].set_ylim(len(names) - 0.5, -0.5)
        figure.supxlabel(_LEGEND)
    return _svg(out)


def draw_conclusion(behind: Sequence[Verdict]) -> str:
    """Published numbers of claims beside simulated ones as SVG, a panel for each claim.

    Empty if no claim has a number. Of many claims the first are shown.
    """
    found = [one for one in behind if _numbers(one) and one.verdict in _COLOURS]
    more, found = len(found) - _MOST_PANELS, found[:_MOST_PANELS]
    if not found:
        return ""
    rows = math.ceil(len(found) / _PANELS)
    with _figure(_PANEL_ROWS * rows) as (figure, out):
        for place, one in enumerate(found, 1):
            _panel(figure.add_subplot(rows, _PANELS, place), one)
        beyond = f"; {more} more claims are not shown" if more > 0 else ""
        figure.supxlabel(
            f"Black, or a band: published, with tolerance. {_LEGEND}{beyond}", fontsize=8.0
        )
    return _svg(out)


def _panel(axes: Axes, one: Verdict) -> None:
    """Numbers of a claim in the order of its list, or its second list over the first."""
    claim, colour, values = one.claim, _COLOURS[one.verdict], _numbers(one)
    asked = claim.relation if one.published is not None else f"{claim.relation} {claim.published}"
    unit = f" [{claim.unit}]" if claim.unit else ""
    said = textwrap.shorten(f"{asked}{unit}", _PANEL_LETTERS, placeholder=" ...")
    axes.set_title(f"{claim.id}\n{said}", fontsize=6.0, loc="left")
    axes.margins(0.15)
    bounds = [] if one.published is None else numbers.flat(one.published)
    ends = [_ends(one, bound) for bound in bounds]
    if claim.relation in ("sign", "crossing"):
        axes.axhline(0.0, color="#BBBBBB", linewidth=1.0, zorder=0)
    if claim.relation in ("rank-correlation", "crossing"):
        half = len(values) // 2
        axes.scatter(values[:half], values[half:], s=9.0, c=colour)
        if bounds:
            axes.axvspan(*bounds, color="#DDDDDD", zorder=0)
        return
    if claim.relation == "within":
        axes.axhspan(ends[0][0], ends[1][1], color="#DDDDDD", zorder=0)
    elif bounds:
        if len(bounds) == 1:
            bounds, ends = bounds * len(values), ends * len(values)
        axes.vlines(range(len(bounds)), *zip(*ends, strict=True), color="black")
        axes.scatter(range(len(bounds)), bounds, s=12.0**2, c="black", marker="_")
    axes.scatter(range(len(values)), values, s=16.0, c=colour, zorder=3)
    every = [*values, *bounds]
    if min(every) > 0.0 and max(every) > _DECADES * min(every):
        axes.set_yscale("log")
    axes.set_xlim(-0.6, len(values) - 0.4)
    axes.set_xticks([])


@contextmanager
def _figure(rows: int) -> Iterator[tuple[Figure, io.StringIO]]:
    """A figure with so many rows, and where it is written at the end."""
    from matplotlib import rc_context  # noqa: PLC0415 - pictures take a second to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - as above

    out = io.StringIO()
    with rc_context({"svg.hashsalt": "odonata", "svg.fonttype": "none", "font.size": 8.0}):
        figure = Figure(figsize=(7.0, 1.2 + _ROW_INCHES * rows), layout="constrained")
        yield figure, out
        figure.savefig(out, format="svg", metadata={"Date": None})


def _svg(out: io.StringIO) -> str:
    return re.sub(r"\s*\n(?=[^ <])", " ", out.getvalue())  # an element a line


def ticks(low: float, high: float) -> list[float]:
    """Ticks of a logarithmic axis, the rounder ones first as far as their labels leave room."""
    found: list[float] = []
    for tick in _TICKS:
        is_free = all(
            abs(math.log(tick / other)) > _LABEL * math.log(high / low) for other in found
        )
        if low <= tick <= high and is_free:
            found.append(tick)
    return sorted(found)


def _numbers(one: Verdict) -> list[float]:
    """What is simulated of a claim; of two lists the first one, then the second one."""
    return [] if one.simulated is None else numbers.flat(one.simulated)


def _ratios(one: Verdict) -> list[tuple[float, float, float]]:
    """Simulated over published of every number of a claim, with the two ends of the tolerance."""
    simulated, published = one.simulated, one.published
    if one.verdict not in _COLOURS or one.claim.relation not in _COMPARED:
        return []
    if simulated is None or published is None:
        return []
    pairs = zip(numbers.flat(simulated), numbers.flat(published), strict=False)
    return [
        (found / wanted, *_band(one, wanted)) for found, wanted in pairs
        if found > 0.0 and wanted > 0.0
    ]  # fmt: skip


def _ends(one: Verdict, published: float) -> tuple[float, float]:
    """Between which numbers a claim allows what is simulated to be."""
    if one.claim.relation == "ratio":
        low, high = _band(one, published)
        return low * published, high * published
    room = Tolerance.of(one.claim.tolerance).around(published)
    return published - room, published + room


def _band(one: Verdict, published: float) -> tuple[float, float]:
    """The tolerance over the published value."""
    given = Tolerance.of(one.claim.tolerance)
    if one.claim.relation == "ratio":
        most = 1.0 + given.size if given.is_share else max(given.size, 1.0)
        return 1.0 / most, most
    room = given.around(published) / published
    return max(1.0 - room, 0.05), 1.0 + room
