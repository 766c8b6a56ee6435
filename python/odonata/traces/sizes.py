"""Payload sizes of collectives, from the sums that a trace records.

A trace has two numbers per rank and collective: bytes sent and bytes received, each summed over
all partners. The conventions below are those of Score-P, which writes nearly all OTF2 traces of
MPI programs: a rank counts itself as a partner unless it gave ``MPI_IN_PLACE``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from odonata.traces.operations import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Sums:
    """What a trace says about one rank's part in one collective.

    Attributes
    ----------
    sent, received : int
        Bytes over all partners.
    size : int
        Ranks of the communicator.
    is_root : bool
        Whether the rank is the root.
    is_exclusive : bool
        Whether a scan leaves out the rank's own contribution.
    """

    sent: int
    received: int
    size: int
    is_root: bool = False
    is_exclusive: bool = False


def _share(total: int, size: int) -> int:
    """Divide a sum over all partners by their number: all ranks, or all others (in place)."""
    if total % size and size > 1 and total % (size - 1) == 0:
        return total // (size - 1)
    return -(-total // size)


def _scan_bytes(sums: Sums) -> int:
    """Divide by the number of partners: rank `r` of `n` sends to `n - r`, receives from `r + 1`."""
    total, others = sums.sent + sums.received, sums.size - 1
    if sums.is_exclusive or (total % (sums.size + 1) and total % others == 0):
        return -(-total // others)
    return -(-total // (sums.size + 1))


def payload_bytes(op: Operation, sums: Sums) -> int:
    """Return the ``bytes`` entry of a collective operation.

    Parameters
    ----------
    op : Operation
        A collective; for ``ALLTOALLV`` the result is the sum over all destinations.
    sums : Sums
        What the trace recorded.

    Returns
    -------
    int
        Bytes; which bytes is written in ``docs/traces.md``.

    Examples
    --------
    >>> payload_bytes(Operation.ALLTOALL, Sums(sent=40, received=40, size=10))
    4
    """
    match op:
        case Operation.BARRIER:
            return 0
        case Operation.BCAST | Operation.SCATTER | Operation.SCATTERV:
            own = _share(sums.sent, sums.size) if op != Operation.SCATTERV else 0
            return sums.received or own
        case Operation.REDUCE | Operation.GATHER | Operation.GATHERV:
            own = _share(sums.received, sums.size) if op != Operation.GATHERV else 0
            return sums.sent or (own if sums.is_root else 0)
        case Operation.ALLREDUCE | Operation.ALLTOALL | Operation.ALLGATHER | Operation.ALLGATHERV:
            return _share(sums.sent, sums.size)
        case Operation.SCAN:
            return _scan_bytes(sums)
        case _:
            return sums.sent


def estimate_matrix(sent: Sequence[int], received: Sequence[int]) -> npt.NDArray[np.uint64]:
    """Estimate how many bytes each rank of an alltoallv sends to each other.

    Only the sums per rank are known. Rank `i` is taken to send to rank `j` in proportion to what
    `j` receives in total; then both the row and the column sums are those of the trace, up to the
    rounding of the columns. Row sums are exact.

    Parameters
    ----------
    sent, received : sequence of int
        Bytes by communicator rank; shape (size,).

    Returns
    -------
    numpy.ndarray
        Bytes, shape (size, size), uint64; row: source, column: destination.

    Examples
    --------
    >>> estimate_matrix([30, 30], [20, 40]).tolist()
    [[10, 20], [10, 20]]
    """
    size = len(sent)
    weights = list(received) if sum(received) else [1] * size
    total = sum(weights)
    before, bounds = 0, [0]
    for weight in weights:
        before += weight
        bounds.append(before)
    rows = [[s * b // total for b in bounds] for s in sent]
    return np.diff(np.array(rows, dtype=np.uint64), axis=1).astype(np.uint64)
