"""Benchmarks of De Sensi et al. 2019 and Groves et al. 2017: one step is one iteration.

Every benchmark is made ready once per size and gives a function without arguments, which all ranks
call at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from odonata.measured.measure import exchange

if TYPE_CHECKING:
    from mpi4py import MPI

Step = Callable[[], object]
"""One iteration of one rank."""

_KI = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """What is repeated.

    Attributes
    ----------
    name : str
        Its name, the `series` of its times.
    summary : str
        What one iteration is, for people.
    sizes : tuple of int
        Sizes unless others are asked for, bytes; ``(0,)`` if it has none.
    ready : callable
        Communicator and size to the step of this rank.
    ends : callable or None
        Number of ranks to the two that take part; their time is half the round trip, a `latency`.
        ``None``: all ranks take part, each with its `comm_time`.
    """

    name: str
    summary: str
    sizes: tuple[int, ...]
    ready: Callable[[MPI.Comm, int], Step]
    ends: Callable[[int], tuple[int, int]] | None = None


def _ping_pong(comm: MPI.Comm, size: int) -> Step:
    data = np.zeros(size, dtype=np.uint8)
    rank, last = comm.Get_rank(), comm.Get_size() - 1

    def there_and_back() -> None:
        comm.Send(data, dest=last)
        comm.Recv(data, source=last)

    def back() -> None:
        comm.Recv(data, source=0)
        comm.Send(data, dest=0)

    if last == 0 or rank not in {0, last}:
        return lambda: None
    return there_and_back if rank == 0 else back


def _allreduce(comm: MPI.Comm, size: int) -> Step:
    mine = np.zeros(max(size // 8, 1), dtype=np.float64)
    total = np.zeros_like(mine)
    return lambda: comm.Allreduce(mine, total)


def _alltoall(comm: MPI.Comm, size: int) -> Step:
    mine = np.zeros(size * comm.Get_size(), dtype=np.uint8)
    theirs = np.zeros_like(mine)
    return lambda: comm.Alltoall(mine, theirs)


def _broadcast(comm: MPI.Comm, size: int) -> Step:
    data = np.zeros(size, dtype=np.uint8)
    return lambda: comm.Bcast(data, root=0)


def _barrier(comm: MPI.Comm, _size: int) -> Step:
    return comm.Barrier


_ALL = (
    Benchmark(
        name="ping-pong",
        summary="there and back between the first and the last rank; half the round trip",
        sizes=(8, 16 * _KI, 4096 * _KI),
        ready=_ping_pong,
        ends=lambda ranks: (0, ranks - 1),
    ),
    Benchmark(
        name="allreduce",
        summary="sum of doubles over all ranks; the size is that of one vector",
        sizes=(8, 4 * _KI, 64 * _KI),
        ready=_allreduce,
    ),
    Benchmark(
        name="alltoall",
        summary="every rank sends to every rank; the size is that of one block",
        sizes=(128, 1 * _KI, 16 * _KI),
        ready=_alltoall,
    ),
    Benchmark(name="barrier", summary="all ranks wait for all", sizes=(0,), ready=_barrier),
    Benchmark(
        name="broadcast",
        summary="from rank 0 to all",
        sizes=(8, 64 * _KI, 1024 * _KI),
        ready=_broadcast,
    ),
    Benchmark(
        name="halo3d",
        summary="six faces of a 3-D grid at once; the size is that of a face",
        sizes=(16 * _KI, 192_000),
        ready=exchange.halo3d,
    ),
    Benchmark(
        name="sweep3d",
        summary="eight wavefronts over a 2-D grid, 50 stages each; the size is that of a message",
        sizes=(3_200,),
        ready=exchange.sweep3d,
    ),
)

BENCHMARKS = {one.name: one for one in _ALL}
"""Benchmarks by name."""
