"""Where the groups of a system stand: on a ring, each turned to the middle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from odonata.output.plots.layout import Group, Place

FILLED = 0.82
"""Part of the half depth of a group that its routers take."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The place of a group on the ring.

    Parameters
    ----------
    group : Group
        The group.
    angle : float
        Direction from the middle, radians.
    radius : float
        Distance of its middle from that of the ring; 0 if it is the only one.
    size : float
        Half of its depth; half of its width is ``group.width`` times that.
    """

    group: Group
    angle: float
    radius: float
    size: float

    def places(self, middle: Place) -> Mapping[int, Place]:
        """Where each router stands: `down` in its group is the middle of the ring."""
        turn = self.angle + math.pi / 2 if self.radius else 0.0
        centre = around(middle, self.angle, self.radius)
        depth = self.size * FILLED
        cos, sin = math.cos(turn), math.sin(turn)

        def spot(place: Place) -> Place:
            x, y = place[0] * depth * self.group.width, -place[1] * depth
            return centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos

        return {router: spot(place) for router, place in self.group.places.items()}


def ring(groups: Sequence[Group], radius: float) -> list[Seat]:
    """Seat groups on a ring with an outer edge of this radius."""
    size = _half_size(groups, radius)
    distance = radius - size if len(groups) > 1 else 0.0
    step = 2 * math.pi / max(len(groups), 1)
    return [
        Seat(group, step * position - math.pi / 2, distance, size)
        for position, group in enumerate(groups)
    ]


def around(middle: Place, angle: float, radius: float) -> Place:
    """The point at this angle and distance."""
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def _half_size(groups: Sequence[Group], radius: float) -> float:
    """Half the depth of a group, so that neighbours on the ring keep apart."""
    if len(groups) <= 1:
        return radius * 0.8
    width = max(max((group.width for group in groups), default=1.0), 1.0)
    half_angle = math.pi / len(groups) * 0.9
    # The inner corners of a box of half depth s and half width w s on a ring of radius R - 2 s.
    slope = math.tan(half_angle) if half_angle < 1.2 else 2.6
    return min(radius * slope / (width + 2 * slope), radius * 0.3)
