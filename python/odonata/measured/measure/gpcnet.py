"""GPCNeT's tests: victims alone, then the same beside congestors (Chunduri et al., SC 2019).

Roles, classes, sizes and counts are those of GPCNeT 1.3; the code is our own. Nodes are shuffled,
80 % of them are congestors. Ranks with the same place on their nodes form a slice. What differs:
every iteration is timed and kept, and congestors of a class agree after each pass whether to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mpi4py import MPI

LOAD, ISOLATED = "gpcnet", "gpcnet-isolated"
SUITES = {
    LOAD: "tests of network_load_test: isolated, then beside congestors",
    ISOLATED: "tests of network_test: all ranks, isolated",
}
"""What can be measured."""

CLASSES = ("alltoall", "incast", "put", "get")
"""Classes of congestors."""

FEWEST_NODES = 4
"""Two victims and two congestors."""

_SHARE = 0.8
"""Of the nodes, the share of congestors."""

_SMALL, _MESSAGE, _BULK = 8, 4096, 131_072
_OUTSTANDING = 8
_ROUNDS, _BASE_RANKS = 512, 32
_RINGS = 30
_STOP = 77
"""Tag of the message that ends the congestors."""

Step = Callable[[int], object]
"""One iteration, given its number."""

Ready = tuple[Step, Callable[[], object]]
"""A step, and what gives up what it holds; all ranks of the slice call that."""


def _hold_nothing() -> None:
    """Give up nothing."""


@dataclass(frozen=True, slots=True)
class Victim:
    """A test of GPCNeT: its name there, quantity, size, and what makes it ready on a slice."""

    name: str
    quantity: str
    bytes: int
    ready: Callable[[MPI.Intracomm, np.random.Generator], Ready]

    def value(self, nanoseconds: int) -> float:
        """The number of one iteration, in the unit of the quantity."""
        if self.quantity == "latency":
            return nanoseconds / 2
        if self.quantity == "bandwidth":
            return 2 * _OUTSTANDING * self.bytes / max(nanoseconds, 1) * 1e9
        return float(nanoseconds)


def _rings(size: int, rank: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Left and right neighbour of a rank on random rings, the same on all ranks of a slice."""
    found = []
    for _ in range(_RINGS):
        order = rng.permutation(size)
        place = int(np.flatnonzero(order == rank)[0])
        found.append((int(order[place - 1]), int(order[(place + 1) % size])))
    return found


def _ring_step(comm: MPI.Intracomm, rings: list[tuple[int, int]], size: int, deep: int) -> Step:
    """To both neighbours and from both, so many messages at once."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    buffers = [np.zeros(size, dtype=np.uint8) for _ in range(4 * deep)]

    def step(iteration: int) -> None:
        left, right = rings[iteration % len(rings)]
        requests = []
        for at in range(deep):
            requests.append(comm.Irecv(buffers[4 * at], source=left, tag=0))
            requests.append(comm.Irecv(buffers[4 * at + 1], source=right, tag=1))
        for at in range(deep):
            requests.append(comm.Isend(buffers[4 * at + 2], dest=right, tag=0))
            requests.append(comm.Isend(buffers[4 * at + 3], dest=left, tag=1))
        MPI.Request.Waitall(requests)

    return step


def _latency(comm: MPI.Intracomm, rng: np.random.Generator) -> Ready:
    rings = _rings(comm.Get_size(), comm.Get_rank(), rng)
    return _ring_step(comm, rings, _SMALL, 1), _hold_nothing


def _bandwidth(comm: MPI.Intracomm, rng: np.random.Generator) -> Ready:
    rings = _rings(comm.Get_size(), comm.Get_rank(), rng)
    return _then_barrier(comm, _ring_step(comm, rings, _BULK, _OUTSTANDING)), _hold_nothing


def _natural(comm: MPI.Intracomm, _rng: np.random.Generator) -> Ready:
    size, rank = comm.Get_size(), comm.Get_rank()
    rings = [((rank - 1) % size, (rank + 1) % size)]
    return _then_barrier(comm, _ring_step(comm, rings, _BULK, _OUTSTANDING)), _hold_nothing


def _then_barrier(comm: MPI.Intracomm, step: Step) -> Step:
    def both(iteration: int) -> None:
        step(iteration)
        comm.Barrier()

    return both


def _allreduce(comm: MPI.Intracomm, _rng: np.random.Generator) -> Ready:
    mine, total = np.zeros(1), np.zeros(1)
    return (lambda _: comm.Allreduce(mine, total)), _hold_nothing


def _alltoall(comm: MPI.Intracomm, _rng: np.random.Generator) -> Ready:
    mine = np.zeros(_MESSAGE * comm.Get_size(), dtype=np.uint8)
    theirs = np.zeros_like(mine)
    return (lambda _: comm.Alltoall(mine, theirs)), _hold_nothing


def _one_sided(size: int, *, gets: bool) -> Callable[[MPI.Intracomm, np.random.Generator], Ready]:
    """To or from both neighbours of a random ring, flushed."""

    def ready(comm: MPI.Intracomm, rng: np.random.Generator) -> Ready:
        from mpi4py import MPI  # noqa: PLC0415 - it is up by now

        rings = _rings(comm.Get_size(), comm.Get_rank(), rng)
        deep = 1 if gets else _OUTSTANDING
        window = MPI.Win.Allocate(2 * deep * size, 1, comm=comm)
        window.Lock_all()
        data = np.zeros(size, dtype=np.uint8)

        def step(iteration: int) -> None:
            for side, other in enumerate(rings[iteration % len(rings)]):
                for at in range(deep):
                    place = (2 * at + side) * size
                    if gets:
                        window.Get(data, other, target=(place, size, MPI.BYTE))
                    else:
                        window.Put(data, other, target=(place, size, MPI.BYTE))
            window.Flush_all()

        def close() -> None:
            window.Unlock_all()
            window.Free()

        return (step if gets else _then_barrier(comm, step)), close

    return ready


VICTIMS = (
    Victim(f"RR Two-sided Lat ({_SMALL} B)", "latency", _SMALL, _latency),
    Victim(f"RR Two-sided BW+Sync ({_BULK} B)", "bandwidth", _BULK, _bandwidth),
    Victim(f"Multiple Allreduce ({_SMALL} B)", "comm_time", _SMALL, _allreduce),
)
"""Tests of network_load_test, by the names that GPCNeT prints."""

MORE = (
    Victim(f"RR Get Lat ({_SMALL} B)", "latency", _SMALL, _one_sided(_SMALL, gets=True)),
    Victim(f"RR Put BW+Sync ({_BULK} B)", "bandwidth", _BULK, _one_sided(_BULK, gets=False)),
    Victim(f"Nat Two-sided BW+Sync ({_BULK} B)", "bandwidth", _BULK, _natural),
    Victim(f"Multiple Alltoall ({_MESSAGE} B)", "comm_time", _MESSAGE, _alltoall),
)
"""What network_test has besides."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a rank does in network_load_test.

    Attributes
    ----------
    congestor : str or None
        Its class; ``None`` for a victim.
    slice : int
        Its place on its node.
    leader : bool
        Whether it is the first of its class and slice.
    """

    congestor: str | None
    slice: int
    leader: bool


def roles(nodes: Sequence[int], classes: Sequence[str], seed: int) -> list[Role]:
    """Roles of all ranks.

    Parameters
    ----------
    nodes : sequence of int
        Number of the node of each rank, from 0 without gaps.
    classes : sequence of str
        Classes that are there; those without two nodes are left out, the last ones first.
    seed : int
        Of the shuffle.

    Raises
    ------
    ValueError
        There are fewer than :data:`FEWEST_NODES` nodes.

    Examples
    --------
    >>> found = roles([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], CLASSES, 1)
    >>> sum(one.congestor is None for one in found), sorted({one.slice for one in found})
    (4, [0, 1])
    """
    count = max(nodes) + 1
    if count < FEWEST_NODES:
        raise ValueError(count)
    victims = max(count - int(_SHARE * count), 2)
    shuffled = [int(node) for node in np.random.default_rng(seed).permutation(count)]
    there = classes[: max((count - victims) // 2, 1)]
    kind: dict[int, str | None] = dict.fromkeys(shuffled[:victims])
    rest = shuffled[victims:]
    kind |= {node: there[at * len(there) // len(rest)] for at, node in enumerate(rest)}
    found, seen, first = [], dict[int, int](), set[tuple[str | None, int]]()
    for node in nodes:
        place = seen.get(node, 0)
        seen[node] = place + 1
        key = (kind[node], place)
        found.append(Role(*key, key not in first))
        first.add(key)
    return found


class Congestor:
    """Traffic of one class on one slice.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The ranks of the class and slice.
    kind : str
        One of :data:`CLASSES`.
    """

    def __init__(self, comm: MPI.Intracomm, kind: str) -> None:
        self._comm, self._rank, self._size = comm, comm.Get_rank(), comm.Get_size()
        self._window: MPI.Win | None = None
        self._mine = np.zeros(_MESSAGE, dtype=np.uint8)
        self._theirs = np.zeros((max(self._size, 2), _MESSAGE), dtype=np.uint8)
        scaled = max(1, _ROUNDS * _BASE_RANKS // self._size)
        self._round, self._rounds = {
            "alltoall": (self._pairs, scaled),
            "incast": (self._to_one, scaled),
            "put": (self._put, scaled),
            "get": (self._get, _ROUNDS),
        }[kind]
        if kind in {"put", "get"}:
            from mpi4py import MPI  # noqa: PLC0415 - it is up by now

            self._window = MPI.Win.Allocate(self._size * _MESSAGE, 1, comm=comm)
            self._window.Lock_all()

    def one_pass(self, rounds: int | None = None) -> None:
        """One pass, of as many rounds as GPCNeT has."""
        for _ in range(rounds or self._rounds):
            self._round()

    def until(self, stopped: Callable[[], bool]) -> int:
        """Passes until the first rank of the class is told to stop; how many there were."""
        word, passes = np.zeros(1, dtype=np.uint8), 0
        while not word[0]:
            self.one_pass()
            passes += 1
            word[0] = self._rank == 0 and stopped()
            self._comm.Bcast(word, root=0)
        return passes

    def close(self) -> None:
        """Give up the window; all ranks of the class call it."""
        if self._window is not None:
            self._window.Unlock_all()
            self._window.Free()

    def _pairs(self) -> None:
        size, rank = self._size, self._rank
        for turn in range(1, size):
            if size & (size - 1) == 0:
                to = source = rank ^ turn
            else:
                to, source = (rank + turn) % size, (rank - turn) % size
            self._comm.Sendrecv(self._mine, to, 0, self._theirs[0], source, 0)

    def _to_one(self) -> None:
        from mpi4py import MPI  # noqa: PLC0415 - it is up by now

        if self._rank:
            self._comm.Send(self._mine, dest=0)
            return
        waiting = [self._comm.Irecv(self._theirs[r], source=r) for r in range(1, self._size)]
        MPI.Request.Waitall(waiting)

    def _put(self) -> None:
        self._at_first(puts=True)

    def _get(self) -> None:
        self._at_first(puts=False)

    def _at_first(self, *, puts: bool) -> None:
        from mpi4py import MPI  # noqa: PLC0415 - it is up by now

        window = self._window
        if window is None:  # a class without one
            return
        place = (self._rank * _MESSAGE if puts else 0, _MESSAGE, MPI.BYTE)
        (window.Put if puts else window.Get)(self._mine, 0, target=place)
        window.Flush(0)


def stop(comm: MPI.Intracomm, everyone: Sequence[Role]) -> None:
    """Tell the first rank of every class and slice that the victims are done."""
    word = np.ones(1, dtype=np.uint8)
    for rank, role in enumerate(everyone):
        if role.congestor is not None and role.leader:
            comm.Send(word, dest=rank, tag=_STOP)


def told_to_stop(comm: MPI.Intracomm) -> bool:
    """Whether that message has come; it is taken then."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    if not comm.Iprobe(source=MPI.ANY_SOURCE, tag=_STOP):
        return False
    comm.Recv(np.zeros(1, dtype=np.uint8), source=MPI.ANY_SOURCE, tag=_STOP)
    return True
