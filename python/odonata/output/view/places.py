"""Where routers, nodes and links stand: groups on a ring, routers in grids, nodes around them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from odonata.output.plots.layout import Place, layout
from odonata.output.plots.ring import ring

if TYPE_CHECKING:
    from odonata.output.view.packing import Arrays

RADIUS = 1000.0
"""Outer edge of the ring, in units of the picture."""

_WIDEST = 0.09
"""Routers further apart than this share of the radius are drawn no larger."""

_AROUND = 0.3
"""Distance of nodes from their router, over that of the nearest other router."""


def arrays(links: pl.DataFrame) -> Arrays:
    """Places of everything, from the table of links.

    Returns
    -------
    dict of str to numpy.ndarray
        ``router``, ``router_group``, ``router_xy`` (x and y in turns); ``node``, ``node_router``
        (place of its router), ``node_xy``; ``group``, ``group_xy``; ``link_source`` (place of a
        router) and ``link_target`` (of a router, or of a node where ``link_to_node`` is 1); and
        ``spacing``: distance of a router from the nearest one, the smallest of all groups, which
        sizes are measured by.
    """
    is_host = pl.col("kind") == "host"
    channels = links.with_columns(
        target_router=pl.when(is_host).then(None).otherwise(pl.col("target_router"))
    )
    seats = ring(layout(channels, largest=1 << 30, bowed=True).groups, RADIUS)
    spots: dict[int, Place] = {}
    of_group: dict[int, int] = {}
    spacing = RADIUS * _WIDEST
    for seat in seats:
        found = seat.places((0.0, 0.0))
        spots |= found
        of_group |= dict.fromkeys(found, seat.group.index)
        spacing = min(spacing, _nearest(np.array(list(found.values()))))
    routers = sorted(spots)
    place = {router: at for at, router in enumerate(routers)}
    source = _looked_up(links["source_router"], place)
    hosts = links.filter(is_host).drop_nulls("target_node")
    node_ids = hosts["target_node"].cast(pl.UInt32).to_numpy()
    node_router = _looked_up(hosts["source_router"], place)
    number = {int(node): at for at, node in enumerate(node_ids)}
    target = _looked_up(links["target_router"], place)
    at_host = (links["kind"] == "host").to_numpy()
    nodes = links["target_node"].cast(pl.Float64).fill_null(-1).to_numpy()
    target[at_host] = [number.get(int(node), 0) for node in nodes[at_host]]
    router_xy = np.array([spots[router] for router in routers], np.float32)
    return {
        "router": np.array(routers, np.uint32),
        "router_group": np.array([of_group[router] for router in routers], np.uint32),
        "router_xy": router_xy.ravel(),
        "node": node_ids,
        "node_router": node_router,
        "node_xy": _around(router_xy, node_router, spacing * _AROUND).ravel(),
        "group": np.array([seat.group.index for seat in seats], np.uint32),
        "group_xy": _labels([(seat.angle, seat.radius + seat.size) for seat in seats]).ravel(),
        "link_source": source,
        "link_target": target,
        "link_to_node": at_host.astype(np.uint8),
        "spacing": np.array([spacing], np.float32),
    }


def _looked_up(column: pl.Series, place: dict[int, int]) -> np.ndarray:
    return np.array([place.get(value, 0) for value in column.to_list()], np.uint32)


def _nearest(spots: np.ndarray) -> float:
    """Smallest distance of two routers of a group."""
    if len(spots) < 2:
        return RADIUS / 2
    apart = np.hypot(*(spots[:, None, :] - spots[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return float(apart.min())


def _around(router_xy: np.ndarray, node_router: np.ndarray, radius: float) -> np.ndarray:
    """Nodes on a circle around their router, the first one outside."""
    counts = np.bincount(node_router, minlength=len(router_xy))
    first = np.zeros(len(router_xy), np.int64)
    order = np.empty(len(node_router), np.int64)
    for at, router in enumerate(node_router):
        order[at] = first[router]
        first[router] += 1
    outward = np.arctan2(router_xy[:, 1], router_xy[:, 0])
    angle = outward[node_router] + 2 * math.pi * order / np.maximum(counts[node_router], 1)
    step = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius
    found: np.ndarray = router_xy[node_router] + step
    return found.astype(np.float32)


def _labels(ends: list[tuple[float, float]]) -> np.ndarray:
    """Numbers of groups stand a little outside the ring."""
    if len(ends) == 1:
        return np.array([(0.0, -RADIUS)], np.float32)
    away = 1.05
    return np.array(
        [(math.cos(angle) * edge * away, math.sin(angle) * edge * away) for angle, edge in ends],
        np.float32,
    )
