"""Exchanges on grids of ranks: the motifs Halo3D and Sweep3D of Ember."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mpi4py import MPI

_STAGES = 50
"""Stages of a wavefront: 50 planes, one at a time (Ember's defaults nz = 50, kba = 1)."""


def halo3d(comm: MPI.Comm, size: int) -> Callable[[], object]:
    """Faces to up to six neighbours, all at once; the grid is as cubic as the ranks allow."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    grid = MPI.Compute_dims(comm.Get_size(), 3)
    neighbours = _neighbours(comm.Get_rank(), grid)
    requests = []
    for direction, other in neighbours:
        theirs, mine = np.zeros(size, dtype=np.uint8), np.zeros(size, dtype=np.uint8)
        requests.append(comm.Recv_init(theirs, source=other, tag=direction ^ 1))
        requests.append(comm.Send_init(mine, dest=other, tag=direction))

    def step() -> None:
        if requests:
            MPI.Prequest.Startall(requests)
            MPI.Request.Waitall(requests)

    return step


def _neighbours(rank: int, grid: list[int]) -> list[tuple[int, int]]:
    """Direction (two per dimension, lower one even) and rank of each neighbour.

    Examples
    --------
    >>> _neighbours(0, [2, 2, 1])
    [(1, 1), (3, 2)]
    """
    found, stride = [], 1
    for dimension, length in enumerate(grid):
        place = rank // stride % length
        if place > 0:
            found.append((2 * dimension, rank - stride))
        if place < length - 1:
            found.append((2 * dimension + 1, rank + stride))
        stride *= length
    return found


def sweep3d(comm: MPI.Comm, size: int) -> Callable[[], object]:
    """Wavefronts from the four corners, twice each, in stages that follow one another."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    grid = MPI.Compute_dims(comm.Get_size(), 2)
    near = dict(_neighbours(comm.Get_rank(), [*grid, 1]))
    data = np.zeros(size, dtype=np.uint8)
    none = MPI.PROC_NULL

    def wavefront(from_x: int, to_x: int, from_y: int, to_y: int) -> None:
        for _ in range(_STAGES):
            comm.Recv(data, source=from_x)
            comm.Recv(data, source=from_y)
            comm.Send(data, dest=to_x)
            comm.Send(data, dest=to_y)

    def step() -> None:
        for x, y in ((0, 2), (1, 2), (0, 3), (1, 3)):
            ways = (near.get(side, none) for side in (x, x ^ 1, y, y ^ 1))
            corner = tuple(ways)
            wavefront(*corner)
            wavefront(*corner)

    return step
