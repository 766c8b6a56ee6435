"""A system with its jobs and its load: who is where, and which links are busy."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Wedge

from odonata.output.plots.layout import Layout, Place, layout
from odonata.output.plots.ring import Seat, around, ring
from odonata.output.plots.style import HEAT, job_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTERS = 1200
"""Routers up to which each is drawn; of more, the groups."""

_STEPS = 14
"""Straight pieces of a curve."""

_FREE = "#FFFFFF"
_EDGE = "#8A8A8A"
_LOCAL = ("local", "row", "column")


def machine(
    links: pl.DataFrame,
    places: pl.DataFrame,
    axes: Axes,
    *,
    jobs: list[str],
    largest: float,
    routers: int = ROUTERS,
) -> None:
    """Draw groups on a ring with the jobs on their routers, links coloured by how busy they are.

    The lines between groups are the last but one of ``axes.collections``, for a colour bar.

    Parameters
    ----------
    links : polars.DataFrame
        The `links` table.
    places : polars.DataFrame
        ``router``, ``job``, ``nodes``: how many nodes of a job are at a router.
    jobs : list of str
        All jobs, in the order of their colours.
    largest : float
        Upper end of the colours, fraction of the bandwidth.
    routers : int
        Systems with more routers are drawn by groups.
    """
    # A link to a node has its router at both ends; the layout wants to know who has nodes.
    wires = links.with_columns(
        target_router=pl.when(pl.col("kind") == "host").then(None).otherwise("target_router")
    )
    plan = layout(wires, largest=routers)
    seats = ring(plan.groups, 1.0)
    spots = _spots(plan, seats)
    busy = Normalize(0, largest if largest > 0 else 1)
    if plan.detailed:
        _inside(links, spots, axes, busy)
    _between(links, seats, axes, busy)
    _jobs(plan, spots, (places, links, seats[0].size if seats else 1.0), (axes, jobs))
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.14, 1.14)
    axes.set_ylim(1.14, -1.14)  # the ring counts downwards
    for number, seat in enumerate(seats):
        if len(seats) <= 48 or number % 5 == 0:
            x, y = around(_MIDDLE, seat.angle, 1.09)
            axes.text(x, y, str(seat.group.index), ha="center", va="center", fontsize=6)


_MIDDLE = (0.0, 0.0)


def _spots(plan: Layout, seats: list[Seat]) -> dict[int, Place]:
    """Where every router is, or, of a system that is drawn by groups, every group."""
    if not plan.detailed:
        return {seat.group.index: around(_MIDDLE, seat.angle, seat.radius) for seat in seats}
    spots: dict[int, Place] = {}
    for seat in seats:
        spots |= seat.places(_MIDDLE)
    return spots


def _inside(links: pl.DataFrame, spots: dict[int, Place], axes: Axes, busy: Normalize) -> None:
    """Links inside of groups, both directions as one: the busier counts."""
    rows = (
        links.filter(pl.col("kind").is_in(_LOCAL))
        .group_by(
            one=pl.min_horizontal("source_router", "target_router"),
            two=pl.max_horizontal("source_router", "target_router"),
        )
        .agg(pl.col("congestion_index").max())
        .sort("congestion_index")
    )
    segments = [(spots[one], spots[two]) for one, two, _ in rows.iter_rows()]
    axes.add_collection(
        LineCollection(segments, cmap=HEAT, norm=busy, array=rows["congestion_index"].to_numpy(),
                       linewidths=0.7, zorder=1)
    )  # fmt: skip


def _between(links: pl.DataFrame, seats: list[Seat], axes: Axes, busy: Normalize) -> None:
    """Curves between groups, bent towards the middle; the busiest link of a pair counts."""
    anchors = {
        seat.group.index: np.array(
            around(_MIDDLE, seat.angle, seat.radius - seat.size if seat.radius else 0.0)
        )
        for seat in seats
    }
    rows = (
        links.filter(pl.col("source_group") != pl.col("target_group"))
        .group_by(
            one=pl.min_horizontal("source_group", "target_group"),
            two=pl.max_horizontal("source_group", "target_group"),
        )
        .agg(pl.col("congestion_index").max())
        .sort("congestion_index")
    )
    along = np.linspace(0, 1, _STEPS)[:, None]
    curves = []
    for one, two, _ in rows.iter_rows():
        start, end = anchors[one], anchors[two]
        bend = (start + end) / 2 * 0.35
        curves.append((1 - along) ** 2 * start + 2 * (1 - along) * along * bend + along**2 * end)
    width = max(min(30 / max(len(seats), 1), 1.8), 0.35)
    axes.add_collection(
        LineCollection(curves, cmap=HEAT, norm=busy, array=rows["congestion_index"].to_numpy(),
                       linewidths=width, zorder=2)
    )  # fmt: skip


def _jobs(
    plan: Layout,
    spots: dict[int, Place],
    tables: tuple[pl.DataFrame, pl.DataFrame, float],
    look: tuple[Axes, list[str]],
) -> None:
    """A disc per router (or group), a slice per job by its nodes; white: nobody."""
    places, links, size = tables
    axes, jobs = look
    colours = job_colours(jobs)
    room = _room(plan, spots, size)
    own: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
    for row in _counted(plan, places, links).iter_rows(named=True):
        own[row["place"]].append((row["job"], row["share"]))
    wedges: list[Any] = []
    faces: list[str] = []
    for place, spot in spots.items():
        wedges.append(Wedge(spot, room, 0, 360))
        faces.append(_FREE)
        begin = 90.0
        for job, share in own[place]:
            wedges.append(Wedge(spot, room, begin, begin + 360 * share))
            faces.append(colours[job])
            begin += 360 * share
    axes.add_collection(
        PatchCollection(wedges, facecolors=faces, edgecolors=_EDGE, linewidths=0.25, zorder=3)
    )


def _room(plan: Layout, spots: dict[int, Place], size: float) -> float:
    """Radius of a disc, so that neighbours keep apart."""
    if not plan.detailed:
        return size * 0.8
    most = max((len(group.places) for group in plan.groups), default=1)
    nearest = 2 * size if len(spots) == 1 else size * 1.9 / max(math.sqrt(most), 1.0) * 0.5
    return max(min(nearest, size * 0.42), 0.004)


def _counted(plan: Layout, places: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Share of the nodes of each place that each job has."""
    hosts = links.filter(pl.col("kind") == "host").select(
        router=pl.col("source_router").cast(pl.Int64), group=pl.col("source_group").cast(pl.Int64)
    )
    where = "router" if plan.detailed else "group"
    size = hosts.group_by(where).len("room")
    groups = hosts.unique()
    return (
        places.with_columns(pl.col("router").cast(pl.Int64))
        .join(groups, on="router")
        .group_by(where, "job")
        .agg(pl.col("nodes").sum())
        .join(size, on=where)
        .select(place=where, job="job", share=pl.col("nodes") / pl.col("room"))
        .sort("place", "job")
    )
