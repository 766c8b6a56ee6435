"""A system as a picture: SVG text, written here without a library.

Groups stand on a ring, each turned to the middle. Between two groups there is one curve, the wider
the more links it stands for; a pair with fewer links than most is drawn in another colour.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

import polars as pl

from odonata.output.plots.layout import Group, Layout, Place, layout
from odonata.output.plots.ring import FILLED, around, ring

_SIZE = 1200.0
_HEAD = 56.0
_FOOT = 74.0
_RING = 552.0
"""Edge of the picture, height of title and legend, radius of the outer edge of the groups."""

_CROWD = 12
"""With more groups than this, the links of one are set off from the others."""

_INK = "#222222"
_LOCAL = {"local": "#8a8a8a", "row": "#009E73", "column": "#555555"}
_GLOBAL = "#0072B2"
_FEWER = "#D55E00"
_FONT = "font-family='Helvetica, Arial, sans-serif'"


def wiring(channels: pl.DataFrame, *, title: str, notes: Sequence[str] = ()) -> str:
    """Draw a system.

    Parameters
    ----------
    channels : polars.DataFrame
        As for :func:`odonata.output.plots.layout.layout`.
    title : str
        Above the picture.
    notes : sequence of str
        Facts for the legend.
    """
    plan = layout(channels)
    middle = (_SIZE / 2, _HEAD + _SIZE / 2)
    anchors, boxes = {}, []
    for seat in ring(plan.groups, _RING):
        size, radius = seat.size, seat.radius
        anchors[seat.group.index] = around(middle, seat.angle, radius - size if radius else 0.0)
        boxes.append(_group(seat.group, around(middle, seat.angle, radius), seat.angle, size))
        boxes.append(_label(seat.group.index, len(plan.groups), middle, seat.angle))
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_SIZE:.0f} "
        f"{_SIZE + _HEAD + _FOOT:.0f}' {_FONT}>",
        f"<title>{escape(title)}</title>",
        "<rect width='100%' height='100%' fill='#ffffff'/>",
        f"<text x='24' y='38' font-size='26' font-weight='bold' fill='{_INK}'>"
        f"{escape(title)}</text>",
        *_bundles(plan.bundles, anchors, middle),
        *boxes,
        *_legend(plan, notes),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _group(group: Group, centre: Place, angle: float, size: float) -> str:
    """A group at its place, turned so that its own `down` is the middle of the ring."""
    turn = math.degrees(angle) + 90 if centre[1] or centre[0] else 0.0
    start = f"<g transform='translate({_xy(centre)}) rotate({turn:.2f})'>"
    if not group.places:
        radius = max(size * 0.8, 2.0)
        return f"{start}<circle r='{radius:.2f}' fill='#dbe7f1' stroke='{_GLOBAL}'/></g>"
    inner = size * FILLED
    scale = (inner * group.width, -inner)

    def spot(place: Place) -> str:
        return _xy((place[0] * scale[0], place[1] * scale[1]))

    frame = (size * 0.97 * group.width, size * 0.97)
    parts = [
        f"<rect x='{-frame[0]:.1f}' y='{-frame[1]:.1f}' width='{2 * frame[0]:.1f}' "
        f"height='{2 * frame[1]:.1f}' rx='{size * 0.08:.1f}' fill='#f6f6f6' stroke='#d9d9d9' "
        f"stroke-width='{max(size / 90, 0.4):.2f}'/>"
    ]
    for kind, lines in group.lines.items():
        path = "".join(f"M{spot(one)}L{spot(two)}" for one, two in lines)
        width = min(size / 120, 2 * size / len(lines), 1.5)
        parts.append(
            f"<path d='{path}' fill='none' stroke='{_LOCAL.get(kind, _LOCAL['local'])}' "
            f"stroke-width='{width:.2f}' stroke-opacity='{0.8 if group.style == 'grid' else 0.4}'/>"
        )
    radius = max(min(size / math.sqrt(len(group.places)) * 0.3, 9.0), 0.8)
    for router, place in group.places.items():
        fill = _GLOBAL if router in group.gateways else _INK
        hollow = f" fill='#ffffff' stroke='{fill}' stroke-width='{radius * 0.5:.2f}'"
        look = hollow if router in group.empty else f" fill='{fill}'"
        x, y = place[0] * scale[0], place[1] * scale[1]
        parts.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius:.2f}'{look}>"
            f"<title>router {router}, group {group.index}</title></circle>"
        )
    return start + "".join(parts) + "</g>"


def _label(index: int, count: int, middle: Place, angle: float) -> str:
    """Number of a group outside the ring; of many groups, every fifth or tenth."""
    step = 1 if count <= 48 else 5 if count <= 120 else 10
    if index % step:
        return ""
    # One group fills the picture: its number goes below the title.
    x, y = around(middle, angle, _RING + (24 if count > 1 else -90))
    size = 20 if count <= 20 else 16
    return (
        f"<text x='{x:.1f}' y='{y + size * 0.35:.1f}' font-size='{size}' text-anchor='middle' "
        f"fill='{_INK}'>{index}</text>"
    )


def _bundles(
    bundles: Mapping[tuple[int, int], int], anchors: Mapping[int, Place], middle: Place
) -> list[str]:
    """Curves between groups, bent towards the middle; one path for all of the same number."""
    if not bundles:
        return []
    usual = _usual(bundles)
    most = max(bundles.values())
    widest = max(min(45 / len(anchors), 6.0), 0.35)
    shown = min(anchors) if len(anchors) > _CROWD else None
    paths: dict[tuple[bool, int], list[str]] = {}
    for (source, target), count in bundles.items():
        one, two = anchors[source], anchors[target]
        bend = (
            middle[0] + ((one[0] + two[0]) / 2 - middle[0]) * 0.35,
            middle[1] + ((one[1] + two[1]) / 2 - middle[1]) * 0.35,
        )
        paths.setdefault((source == shown, count), []).append(f"M{_xy(one)}Q{_xy(bend)} {_xy(two)}")
    faint = 0.45 if shown is None else 0.3
    return [
        f"<path d='{''.join(curves)}' fill='none' "
        f"stroke='{_FEWER if count < usual else _GLOBAL}' "
        f"stroke-width='{max(widest * count / most, 0.3) * (2 if dark else 1):.2f}' "
        f"stroke-opacity='{0.9 if dark else faint}'>"
        f"<title>{_links(count)} per pair of groups</title></path>"
        for (dark, count), curves in sorted(paths.items())
    ]


def _usual(bundles: Mapping[tuple[int, int], int]) -> int:
    """The number of links that most pairs of groups have; of equals, the largest."""
    counts = Counter(bundles.values())
    return max(counts, key=lambda count: (counts[count], count))


def _legend(plan: Layout, notes: Sequence[str]) -> list[str]:
    top = _SIZE + _HEAD + 14
    words = [*notes, _about_bundles(plan)]
    rows = ["; ".join(word for word in words if word)]
    if plan.detailed:
        marks = [("router", _INK)]
        if any(group.gateways for group in plan.groups):
            marks = [("router with links to other groups", _GLOBAL), ("other router", _INK)]
        if any(group.empty for group in plan.groups):
            marks.append(("router without nodes: hollow", _INK))
        kinds = {kind for group in plan.groups for kind in group.lines}
        marks += [(f"{kind} links", _LOCAL[kind]) for kind in _LOCAL if kind in kinds]
    else:
        marks = [("group", _GLOBAL)]
    parts = [
        f"<text x='24' y='{top + 14:.0f}' font-size='17' fill='{_INK}'>{escape(rows[0])}</text>"
    ]
    x = 24.0
    for text, colour in marks:
        shape = f"<circle cx='{x + 6:.0f}' cy='{top + 40:.0f}' r='6' fill='{colour}'/>"
        if text.endswith("links"):
            shape = f"<path d='M{x:.0f} {top + 40:.0f}h14' stroke='{colour}' stroke-width='2.5'/>"
        if text.endswith("hollow"):
            shape = shape.replace(
                f"fill='{colour}'", f"fill='#fff' stroke='{colour}' stroke-width='3'"
            )
        parts.append(
            f"{shape}<text x='{x + 20:.0f}' y='{top + 46:.0f}' font-size='17' fill='{_INK}'>"
            f"{escape(text)}</text>"
        )
        x += 44 + 8.4 * len(text)
    return parts


def _about_bundles(plan: Layout) -> str:
    """What the widths and colours of the curves say, in words."""
    if not plan.bundles:
        return ""
    counts = sorted(set(plan.bundles.values()))
    pairs = len(plan.groups) * (len(plan.groups) - 1) // 2
    text = f"{_links(counts[-1])} per pair of groups"
    if len(counts) > 1:
        text = f"{counts[0]} to {counts[-1]} links per pair of groups, by width"
        fewer = sum(count < _usual(plan.bundles) for count in plan.bundles.values())
        text += f", orange: fewer than most ({fewer} pairs)" if fewer else ""
    if len(plan.groups) > _CROWD:
        text += f", dark: those of group {plan.groups[0].index}"
    missing = pairs - len(plan.bundles)
    return text + (f", {missing} of {pairs} pairs without" if missing else "")


def _links(count: int) -> str:
    return "1 link" if count == 1 else f"{count} links"


def _xy(place: Place) -> str:
    return f"{place[0]:.1f} {place[1]:.1f}"
