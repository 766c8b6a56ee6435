"""Operation codes and columns of the internal form of a trace; see ``docs/traces.md``."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping

Columns = dict[str, npt.NDArray[Any]]
"""The table: a name and the values of each column."""


class Operation(IntEnum):
    """Codes of the ``op`` column."""

    COMPUTE = 0
    SEND = 1
    RECV = 2
    ISEND = 3
    IRECV = 4
    WAIT = 5
    WAITALL = 6
    BARRIER = 7
    BCAST = 8
    REDUCE = 9
    ALLREDUCE = 10
    ALLTOALL = 11
    ALLTOALLV = 12
    ITERATION_BEGIN = 13
    ITERATION_END = 14
    ALLGATHER = 15
    ALLGATHERV = 16
    GATHER = 17
    GATHERV = 18
    SCATTER = 19
    SCATTERV = 20
    REDUCE_SCATTER = 21
    SCAN = 22
    NOTHING = 23
    SSEND = 24
    ISSEND = 25


SENDS = (Operation.SEND, Operation.ISEND, Operation.SSEND, Operation.ISSEND)
RECEIVES = (Operation.RECV, Operation.IRECV)
COLLECTIVES = (
    Operation.BARRIER,
    Operation.BCAST,
    Operation.REDUCE,
    Operation.ALLREDUCE,
    Operation.ALLTOALL,
    Operation.ALLTOALLV,
    Operation.ALLGATHER,
    Operation.ALLGATHERV,
    Operation.GATHER,
    Operation.GATHERV,
    Operation.SCATTER,
    Operation.SCATTERV,
    Operation.REDUCE_SCATTER,
    Operation.SCAN,
)
ONE_SIZE = (
    Operation.BCAST,
    Operation.REDUCE,
    Operation.ALLREDUCE,
    Operation.ALLTOALL,
    Operation.ALLGATHER,
    Operation.GATHER,
    Operation.SCATTER,
    Operation.REDUCE_SCATTER,
    Operation.SCAN,
)
"""Collectives whose ``bytes`` is the same on all ranks."""
ROOTED = (
    Operation.BCAST,
    Operation.REDUCE,
    Operation.GATHER,
    Operation.GATHERV,
    Operation.SCATTER,
    Operation.SCATTERV,
)

OPERATION_COLUMNS: Mapping[str, str] = {
    "op": "u1",
    "peer": "i4",
    "bytes": "u8",
    "tag": "i4",
    "comm": "u4",
    "request": "u4",
    "duration_ps": "u8",
    "aux_begin": "u8",
    "aux_count": "u4",
}
"""Columns with one entry per operation, and their types."""

OTHER_COLUMNS: Mapping[str, str] = {
    "rank_offsets": "u8",
    "aux": "u8",
    "comm_offsets": "u8",
    "comm_members": "u4",
}
"""Columns of other lengths, and their types."""
