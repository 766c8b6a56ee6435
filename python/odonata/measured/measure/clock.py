"""How all ranks begin an iteration together: behind a barrier, or at an agreed instant.

A barrier lets ranks go one after the other, so that a fast collective looks longer than it is by
the spread of the barrier. With clocks compared beforehand all ranks wait for one instant instead
(Hoefler, Schneider, Lumsdaine, "Accurately measuring collective operations at massive scale",
IPDPS workshops 2008).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mpi4py import MPI

_ROUNDS = 40
"""Round trips of a comparison; the fastest one counts."""

_DRIFT_NS = 2_000_000_000
"""Time after which clocks are compared again: they drift by a microsecond per second or so."""

_TRIALS = 10
_EARLY = (5, 10, 20, 40, 80)
"""Starts before which clocks are compared, and the window is widened if it was too short."""

_SPARE = 4
_LEAST_WINDOW_NS, _WIDEST_NS = 50_000, 100_000_000
"""The window is the longest of some broadcasts, times a factor, within these limits."""

now = time.perf_counter_ns
"""Clock of a rank, ns: steady, from an arbitrary instant on."""


class Barrier:
    """Begins behind a barrier."""

    name = "barrier"

    def __init__(self, comm: MPI.Intracomm) -> None:
        self._comm = comm

    def start(self) -> tuple[int, bool]:
        """Instant at which this rank begins, by :data:`now`, and whether it was late (never)."""
        self._comm.Barrier()
        return now(), False


class Window:
    """Begins at an instant that all ranks agree on."""

    name = "window"

    def __init__(self, comm: MPI.Intracomm) -> None:
        self._comm = comm
        self._rank, self._size = comm.Get_rank(), comm.Get_size()
        self._offset = 0
        self._window = 0
        self._compared = self._starts = self._missed = 0
        self._word = np.zeros(2, dtype=np.int64)
        self._compare()
        self._find_window()

    def start(self) -> tuple[int, bool]:
        """Instant at which this rank begins, by :data:`now`, and whether it came too late for it.

        A late rank begins at once; the instant is the agreed one nevertheless.
        """
        self._starts += 1
        if self._told(again=now() - self._compared > _DRIFT_NS or self._starts in _EARLY):
            self._compare()
            self._widen()
            self._told(again=False)
        instant = int(self._word[0]) - self._offset
        late = now() > instant
        self._missed += late
        while now() < instant:
            pass
        return instant, late

    def _told(self, *, again: bool) -> bool:
        """Rank 0 tells all when to begin, or that clocks are to be compared first."""
        if self._rank == 0:
            self._word[:] = now() + self._window, again
        self._comm.Bcast(self._word, root=0)
        return bool(self._word[1])

    def _compare(self) -> None:
        """Offset of this clock to that of rank 0: along a tree, in steps that double."""
        self._offset, step = 0, 1
        while step < self._size:
            if self._rank < step and self._rank + step < self._size:
                self._answer(self._rank + step)
            elif step <= self._rank < 2 * step:
                self._offset = self._ask(self._rank - step)
            step *= 2
        self._compared = now()

    def _answer(self, other: int) -> None:
        word = np.zeros(1, dtype=np.int64)
        for _ in range(_ROUNDS):
            self._comm.Recv(word, source=other)
            word[0] = now() + self._offset
            self._comm.Send(word, dest=other)

    def _ask(self, other: int) -> int:
        word = np.zeros(1, dtype=np.int64)
        best, offset = None, 0
        for _ in range(_ROUNDS):
            before = now()
            self._comm.Send(word, dest=other)
            self._comm.Recv(word, source=other)
            after = now()
            if best is None or after - before < best:
                best, offset = after - before, int(word[0]) - (before + after) // 2
        return offset

    def _widen(self) -> None:
        """Twice the window if any rank missed a start since the last comparison."""
        if self._most(self._missed):
            self._window = min(2 * self._window, _WIDEST_NS)
        self._missed = 0

    def _find_window(self) -> None:
        longest = 0
        for _ in range(_TRIALS):
            self._comm.Barrier()
            before = now()
            self._comm.Bcast(self._word, root=0)
            longest = max(longest, now() - before)
        self._window = min(max(_SPARE * self._most(longest), _LEAST_WINDOW_NS), _WIDEST_NS)

    def _most(self, value: int) -> int:
        """The largest of the values of all ranks."""
        from mpi4py import MPI  # noqa: PLC0415 - it is up by now

        mine, most = np.array([value], dtype=np.int64), np.zeros(1, dtype=np.int64)
        self._comm.Allreduce(mine, most, op=MPI.MAX)
        return int(most[0])


Start = Barrier | Window
"""A way to begin."""

STARTS: Mapping[str, type[Start]] = {Barrier.name: Barrier, Window.name: Window}
"""Ways to begin, by name."""
