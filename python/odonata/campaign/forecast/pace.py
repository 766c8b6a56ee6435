"""How an MPI job goes on that runs alone: when its packets arrive."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from typing import Any


class Pace:
    """When the packets of an MPI job arrive that runs alone, without contention.

    Parameters
    ----------
    packets : float
        All of them.
    time_ps : float
        How long the job takes.
    points : list of tuple
        Instants (ps) with the packets that have arrived by then.

    Examples
    --------
    Ten packets at once, a pause of 80 ps, ten more:

    >>> pace = Pace(20.0, 100.0, [(10.0, 10.0), (90.0, 11.0)])
    >>> pace.at(5.0, 5.0, repeats=False), pace.by(5.0, repeats=False)
    (5.0, 5.0)
    >>> pace.at(10.0, 50.0, repeats=False)  # anywhere in the pause
    50.0
    >>> pace.at(25.0, 0.0, repeats=True), pace.by(105.0, repeats=True)
    (105.0, 25.0)
    """

    def __init__(self, packets: float, time_ps: float, points: list[tuple[float, float]]) -> None:
        self.packets = packets
        self.time_ps = time_ps
        self._times = [0.0, *(at for at, _ in points), time_ps]
        self._counts = [0.0, *(count for _, count in points), packets]

    @classmethod
    def of(cls, demand: Mapping[str, Any]) -> Pace | None:
        """That of a job; ``None`` if it was not run to an end and does not say how far it was."""
        share = 1.0 if demand["whole"] else demand["share"]
        if not share or not demand["time_ns"]:
            return None
        points = [(1e3 * at, float(count)) for at, count in demand["pace"]]
        return cls(demand["packets"] / share, 1e3 * demand["time_ns"] / share, points)

    def at(self, packets: float, near_ps: float, *, repeats: bool) -> float:
        """The instant alone at which so many packets have arrived; of several the nearest."""
        rounds, left = divmod(packets, self.packets) if repeats and self.packets else (0.0, packets)
        before = rounds * self.time_ps
        first = _between(self._counts, self._times, left)
        last = _between(self._counts, self._times, left + 1.0)
        return before + min(max(near_ps - before, first), last)

    def by(self, time_ps: float, *, repeats: bool) -> float:
        """Packets that have arrived by an instant alone."""
        rounds, left = divmod(time_ps, self.time_ps) if repeats else (0.0, time_ps)
        return rounds * self.packets + _between(self._times, self._counts, left)


def _between(values: Sequence[float], others: Sequence[float], value: float) -> float:
    """What belongs to a value among ascending ones: where it lies in between, so do the others."""
    number = bisect.bisect_left(values, value)
    if number == 0:
        return others[0]
    if number == len(values):
        return others[-1]
    left, right = values[number - 1], values[number]
    share = (value - left) / (right - left)
    return others[number - 1] + share * (others[number] - others[number - 1])
