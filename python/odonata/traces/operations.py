"""Operation codes and columns of the internal form of a trace; see ``docs/traces.md``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, TypeAlias

import numpy.typing as npt

from odonata.core import native

Columns: TypeAlias = "Mapping[str, npt.NDArray[Any]]"
"""The table: a name and the values of each column; of a `native.Table`, they are made when asked
for."""


_KNOWN = {known["name"].replace(" ", "_").upper(): known for known in native.operations()}
_CODES: dict[str, int] = {name: known["code"] for name, known in _KNOWN.items()}


class Operation(IntEnum):
    """Codes of the ``op`` column: numbers and properties are those of the simulator."""

    COMPUTE = _CODES["COMPUTE"]
    SEND = _CODES["SEND"]
    RECV = _CODES["RECV"]
    ISEND = _CODES["ISEND"]
    IRECV = _CODES["IRECV"]
    WAIT = _CODES["WAIT"]
    WAITALL = _CODES["WAITALL"]
    BARRIER = _CODES["BARRIER"]
    BCAST = _CODES["BCAST"]
    REDUCE = _CODES["REDUCE"]
    ALLREDUCE = _CODES["ALLREDUCE"]
    ALLTOALL = _CODES["ALLTOALL"]
    ALLTOALLV = _CODES["ALLTOALLV"]
    ITERATION_BEGIN = _CODES["ITERATION_BEGIN"]
    ITERATION_END = _CODES["ITERATION_END"]
    ALLGATHER = _CODES["ALLGATHER"]
    ALLGATHERV = _CODES["ALLGATHERV"]
    GATHER = _CODES["GATHER"]
    GATHERV = _CODES["GATHERV"]
    SCATTER = _CODES["SCATTER"]
    SCATTERV = _CODES["SCATTERV"]
    REDUCE_SCATTER = _CODES["REDUCE_SCATTER"]
    SCAN = _CODES["SCAN"]
    NOTHING = _CODES["NOTHING"]
    SSEND = _CODES["SSEND"]
    ISSEND = _CODES["ISSEND"]
    WAITANY = _CODES["WAITANY"]
    WAITSOME = _CODES["WAITSOME"]
    TEST = _CODES["TEST"]
    PUT = _CODES["PUT"]
    GET = _CODES["GET"]
    FLUSH = _CODES["FLUSH"]
    FENCE = _CODES["FENCE"]
    IBARRIER = _CODES["IBARRIER"]
    IBCAST = _CODES["IBCAST"]
    IREDUCE = _CODES["IREDUCE"]
    IALLREDUCE = _CODES["IALLREDUCE"]
    IALLTOALL = _CODES["IALLTOALL"]
    IALLTOALLV = _CODES["IALLTOALLV"]
    IALLGATHER = _CODES["IALLGATHER"]
    IALLGATHERV = _CODES["IALLGATHERV"]
    IGATHER = _CODES["IGATHER"]
    IGATHERV = _CODES["IGATHERV"]
    ISCATTER = _CODES["ISCATTER"]
    ISCATTERV = _CODES["ISCATTERV"]
    IREDUCE_SCATTER = _CODES["IREDUCE_SCATTER"]
    ISCAN = _CODES["ISCAN"]


def _that(what: str) -> tuple[Operation, ...]:
    return tuple(Operation(known["code"]) for known in _KNOWN.values() if known[what])


SENDS = _that("is_send")
RECEIVES = tuple(one for one in _that("is_message") if one not in SENDS)
COLLECTIVES = _that("is_collective")
ONE_SIZE = _that("has_one_size")
"""Collectives whose ``bytes`` is the same on all ranks."""
ROOTED = _that("is_rooted")

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

STREAM_COLUMNS: Mapping[str, str] = {
    "stream": "u4",
    "follows": "u1",
    "after_begin": "u8",
    "after_count": "u4",
}
"""Columns with one entry per operation that traces with streams and edges have besides."""

EDGE_COLUMNS: Mapping[str, str] = {"after": "u4", "after_start": "u1"}
"""Columns with one entry per edge, and their types."""


def has_streams(columns: Columns) -> bool:
    """Say whether a table has streams and edges."""
    return "stream" in columns
