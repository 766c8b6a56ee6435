"""Where the routers of a system stand in its picture: groups on a ring, routers inside each.

Everything follows from the list of channels, so that a machine read from a file, or one with failed
links, is drawn as it is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

Style = Literal["grid", "levels", "circle"]
"""Routers of a group: in rows and columns, spines above leaves, or on a circle."""

Place = tuple[float, float]
"""Coordinates inside a group, both from -1 to 1; the second grows away from the middle."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group of routers.

    Parameters
    ----------
    index : int
        Of the group.
    style : Style
        How its routers are laid out.
    places : dict
        Place of each router.
    width : float
        Room that the places need to each side, over the room that they need up and down.
    lines : dict
        Ends of the lines that stand for links inside the group, by kind of link.
    gateways : frozenset of int
        Routers with links to other groups.
    empty : frozenset of int
        Routers without nodes.
    """

    index: int
    style: Style
    places: dict[int, Place]
    width: float
    lines: dict[str, list[tuple[Place, Place]]]
    gateways: frozenset[int]
    empty: frozenset[int]


@dataclass(frozen=True, slots=True)
class Layout:
    """A system as it is drawn.

    Parameters
    ----------
    groups : tuple of Group
        In the order of the ring; their routers are missing if the system is too large.
    bundles : dict
        Links between two groups, by their indices, the smaller first.
    detailed : bool
        Whether routers are drawn.
    """

    groups: tuple[Group, ...]
    bundles: dict[tuple[int, int], int]
    detailed: bool


def layout(channels: pl.DataFrame, *, largest: int = 3000, bowed: bool = False) -> Layout:
    """Places of routers and bundles of links.

    Parameters
    ----------
    channels : polars.DataFrame
        ``kind``, ``source_router``, ``target_router`` (null for nodes), ``source_group``,
        ``target_group``: one row per directed channel.
    largest : int
        Systems with more routers are drawn as groups only.
    bowed : bool
        Groups are grids also where all routers of a group are joined, and the rows and columns of
        every grid are bent a little: no three routers stand on one line, and every link is seen.
    """
    ends = ("source_router", "target_router", "source_group", "target_group")
    frame = channels.with_columns(pl.col(ends).cast(pl.Int64, strict=False))
    members = _members(frame)
    detailed = sum(map(len, members.values())) <= largest
    between = frame.filter(
        pl.col("source_router").is_not_null()
        & pl.col("target_router").is_not_null()
        & (pl.col("source_group") < pl.col("target_group"))
    )
    pairs = between.group_by("source_group", "target_group").len().sort(pl.all())
    bundles = {(source, target): count for source, target, count in pairs.iter_rows()}
    groups = _detailed(frame, members) if detailed else _plain(members)
    if bowed:
        groups = [_bow(group) for group in groups]
    return Layout(tuple(groups), bundles, detailed)


def _members(frame: pl.DataFrame) -> dict[int, list[int]]:
    """Routers of each group, both in ascending order."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for end in ("source", "target"):
        known = frame.drop_nulls(f"{end}_router").select(f"{end}_group", f"{end}_router").unique()
        for group, router in known.iter_rows():
            found[group].add(router)
    return {group: sorted(found[group]) for group in sorted(found)}


def _plain(members: Mapping[int, list[int]]) -> list[Group]:
    return [
        Group(index, "circle", {}, 1.0, {}, frozenset(), frozenset()) for index in members
    ]  # fmt: skip


def _detailed(frame: pl.DataFrame, members: Mapping[int, list[int]]) -> list[Group]:
    inside: defaultdict[int, Counter[tuple[str, int, int]]] = defaultdict(Counter)
    gateways, attached = set(), set()
    columns = ("kind", "source_router", "target_router", "source_group", "target_group")
    for kind, source, target, group, other in frame.select(columns).iter_rows():
        if source is None or target is None:
            attached.add(target if source is None else source)
        elif group != other:
            gateways.add(source)
        elif source < target:
            inside[group][kind, source, target] += 1
    return [
        _group(index, routers, inside[index], (gateways, attached))
        for index, routers in members.items()
    ]


def _group(
    index: int,
    routers: list[int],
    links: Mapping[tuple[str, int, int], int],
    marks: tuple[set[int], set[int]],
) -> Group:
    gateways, attached = marks
    by_kind: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for kind, source, target in links:
        by_kind[kind].append((source, target))
    empty = frozenset(router for router in routers if router not in attached)
    if "row" in by_kind:
        style, (places, width) = "grid", _grid(routers, by_kind["row"])
    elif 0 < len(empty) < len(routers):
        style, (places, width) = "levels", _levels(routers, empty)
    else:
        style, (places, width) = "circle", _circle(routers)
    lines = {}
    for kind, pairs in by_kind.items():
        straight = style == "grid" and kind in ("row", "column")
        ends = _spans(pairs) if straight else pairs
        lines[kind] = [(places[source], places[target]) for source, target in ends]
    chosen: Style = style  # type: ignore[assignment]
    return Group(
        index, chosen, places, width, lines, frozenset(routers).intersection(gateways), empty
    )


def _grid(routers: list[int], rows: Iterable[tuple[int, int]]) -> tuple[dict[int, Place], float]:
    """Rows are what row links hold together; a router's column is its place in its row."""
    lines = _components(routers, rows)
    longest = max(map(len, lines))
    places = {
        router: (_spread(column, longest), _spread(row, len(lines)))
        for row, line in enumerate(lines)
        for column, router in enumerate(line)
    }
    return places, max(longest / max(len(lines), 1) * 0.6, 1.0)


_BEND = 0.35
"""How far the end of a bent row or column is from its straight place, over the pitch of routers."""


def _bow(group: Group) -> Group:
    """The group as a grid without three routers on one line (spines stay inside, in their row)."""
    if group.style == "circle":
        routers = list(group.places)
        columns = _columns(len(routers))
        rows = math.ceil(len(routers) / columns)
        flat = {
            router: (_spread(at % columns, columns), _spread(at // columns, rows))
            for at, router in enumerate(routers)
        }
        width = max(columns / rows * 0.8, 1.0)
        group = replace(group, style="grid", places=flat, width=width)
    across = len({place[0] for place in group.places.values()})
    along = len({place[1] for place in group.places.values()})
    # Two are always on one line: only where there are more is there something to bend.
    bend = (_BEND * _pitch(across) * (along > 2), _BEND * _pitch(along) * (across > 2))
    places = {
        router: (x * (1 - bend[0]) + bend[0] * y * y, y * (1 - bend[1]) + bend[1] * x * x)
        for router, (x, y) in group.places.items()
    }
    return replace(group, places=places)


def _columns(count: int) -> int:
    """Columns of a grid of so many places: full rows if there are, not much wider than high."""
    square = math.isqrt(max(count - 1, 0)) + 1
    return next((wide for wide in range(square, 2 * square) if count % wide == 0), square)


def _pitch(count: int) -> float:
    """Distance of neighbours, of so many from -1 to 1."""
    return 2 / (count - 1) if count > 1 else 0.0


def _levels(routers: list[int], empty: frozenset[int]) -> tuple[dict[int, Place], float]:
    """Routers without nodes towards the middle, those with nodes outside."""
    places = {}
    levels = [[r for r in routers if r in empty], [r for r in routers if r not in empty]]
    for level, line in enumerate(levels):
        for position, router in enumerate(line):
            places[router] = (_spread(position, len(line)), _spread(level, 2))
    return places, 2.0 if max(map(len, levels)) > 4 else 1.2


def _circle(routers: list[int]) -> tuple[dict[int, Place], float]:
    count = len(routers)
    if count == 1:
        return {routers[0]: (0.0, 0.0)}, 1.0
    places = {}
    for position, router in enumerate(routers):
        angle = 2 * math.pi * position / count - math.pi / 2
        places[router] = (round(math.cos(angle), 6), round(math.sin(angle), 6))
    return places, 1.0


def _spread(position: int, count: int) -> float:
    return 0.0 if count == 1 else 2 * position / (count - 1) - 1


def _components(routers: list[int], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Sets of routers that `pairs` hold together, in the order of their first routers."""
    leader = {router: router for router in routers}

    def first(router: int) -> int:
        while leader[router] != router:
            leader[router] = leader[leader[router]]
            router = leader[router]
        return router

    for source, target in pairs:
        one, two = first(source), first(target)
        leader[max(one, two)] = min(one, two)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for router in routers:
        found[first(router)].append(router)
    return list(found.values())


def _spans(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One line from the first to the last router of each line of routers: they overlap anyway."""
    routers = sorted({router for pair in pairs for router in pair})
    return [(line[0], line[-1]) for line in _components(routers, pairs)]
