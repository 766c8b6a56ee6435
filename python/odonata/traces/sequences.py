"""Operations as a user writes them: names, quantities with units, lists of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from odonata.core.quantities import parse_quantity
from odonata.traces.operations import Operation

Bytes = int | str
"""A size: bytes, or a text with a unit such as ``"64 KiB"``."""
Time = float | str
"""A time: nanoseconds, or a text with a unit such as ``"3 ms"``."""

_quantity = lru_cache(maxsize=4096)(parse_quantity)
"""Programs write the same texts over and over."""


@dataclass(frozen=True)
class Call:
    """One operation of a rank.

    Attributes
    ----------
    operation : Operation
        What it does.
    peer : int
        Partner or root; -1: any.
    size : int
        Bytes.
    tag : int
        For matching; -1: any.
    duration_ps : int
        Of a computation.
    requests : tuple of int
        What a wait waits for.
    sizes : tuple of int
        Of a collective with sizes of its own per rank.
    members : tuple of int
        Ranks of the communicator, in order; empty: all.
    """

    operation: Operation
    peer: int = 0
    size: int = 0
    tag: int = 0
    duration_ps: int = 0
    requests: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    members: tuple[int, ...] = ()

    @property
    def begins(self) -> bool:
        """Whether it begins a request."""
        return self.operation in BEGINS


BEGINS = {
    Operation.ISEND, Operation.ISSEND, Operation.IRECV, Operation.IBARRIER, Operation.IBCAST,
    Operation.IREDUCE, Operation.IALLREDUCE, Operation.IALLTOALL, Operation.IALLTOALLV,
    Operation.IALLGATHER, Operation.IALLGATHERV, Operation.IGATHER, Operation.IGATHERV,
    Operation.ISCATTER, Operation.ISCATTERV, Operation.IREDUCE_SCATTER, Operation.ISCAN,
}  # fmt: skip
"""Operations that begin a request."""


def as_bytes(value: Bytes) -> int:
    """A size in bytes.

    Raises
    ------
    ValueError
        If it is none.
    """
    if type(value) is int and value >= 0:  # nearly always
        return value
    if isinstance(value, str):
        return _quantity(value, "bytes")
    # In this order: infinity and what is no number have no whole part.
    if isinstance(value, bool) or not 0 <= value < math.inf or value != int(value):
        message = f"{value!r} is not a size; write whole bytes or a text such as '64 KiB'"
        raise ValueError(message)
    return int(value)


def as_ps(value: Time) -> int:
    """A time in picoseconds.

    Raises
    ------
    ValueError
        If it is none.
    """
    if isinstance(value, str):
        return _quantity(value, "time")
    if not 0 <= value < 1e15:
        message = f"{value!r} is not a time; write nanoseconds or a text such as '3 ms'"
        raise ValueError(message)
    return round(value * 1000)


def compute(time: Time) -> Call:
    """The rank computes."""
    return Call(Operation.COMPUTE, duration_ps=as_ps(time))


_call = lru_cache(maxsize=4096, typed=True)(Call)
"""Programs yield the same calls over and over."""


def _message(operation: Operation, peer: int, size: Bytes, tag: int, comm: Sequence[int]) -> Call:
    return _call(operation, peer, as_bytes(size), tag, 0, (), (), tuple(comm))


def send(to: int, size: Bytes, tag: int = 0, comm: Sequence[int] = ()) -> Call:
    """Blocking send."""
    return _message(Operation.SEND, to, size, tag, comm)


def ssend(to: int, size: Bytes, tag: int = 0, comm: Sequence[int] = ()) -> Call:
    """Blocking send that waits for its receive."""
    return _message(Operation.SSEND, to, size, tag, comm)


def recv(source: int, size: Bytes, tag: int = 0, comm: Sequence[int] = ()) -> Call:
    """Blocking receive; ``ANY`` as source or tag takes whatever comes."""
    return _message(Operation.RECV, source, size, tag, comm)


def isend(to: int, size: Bytes, tag: int = 0, comm: Sequence[int] = ()) -> Call:
    """Nonblocking send; what ``yield`` returns names its request."""
    return _message(Operation.ISEND, to, size, tag, comm)


def irecv(source: int, size: Bytes, tag: int = 0, comm: Sequence[int] = ()) -> Call:
    """Nonblocking receive; what ``yield`` returns names its request."""
    return _message(Operation.IRECV, source, size, tag, comm)


def put(to: int, size: Bytes, comm: Sequence[int] = ()) -> Call:
    """Write into the memory of a rank, which needs no call of it."""
    return _message(Operation.PUT, to, size, 0, comm)


def get(source: int, size: Bytes, comm: Sequence[int] = ()) -> Call:
    """Read from the memory of a rank, which needs no call of it."""
    return _message(Operation.GET, source, size, 0, comm)


def flush(to: int = -1, comm: Sequence[int] = ()) -> Call:
    """Until the puts and gets of this rank at another one, or at all, are complete there."""
    return _message(Operation.FLUSH, to, 0, 0, comm)


def fence(comm: Sequence[int] = ()) -> Call:
    """Until the puts and gets of all ranks are complete: a flush, then a barrier."""
    return Call(Operation.FENCE, members=tuple(comm))


def wait(request: int) -> Call:
    """Until a request is complete."""
    return Call(Operation.WAIT, requests=(request,))


def waitall(requests: Sequence[int]) -> Call:
    """Until all requests are complete."""
    return Call(Operation.WAITALL, requests=tuple(requests))


def waitany(requests: Sequence[int]) -> Call:
    """Until one of the requests is complete."""
    return Call(Operation.WAITANY, requests=tuple(requests))


def barrier(comm: Sequence[int] = ()) -> Call:
    """Nobody leaves before everybody has come."""
    return Call(Operation.BARRIER, members=tuple(comm))


def _collective(operation: Operation, size: Bytes, root: int, comm: Sequence[int]) -> Call:
    return Call(operation, peer=root, size=as_bytes(size), members=tuple(comm))


def bcast(size: Bytes, root: int = 0, comm: Sequence[int] = ()) -> Call:
    """``size`` of the root to everybody."""
    return _collective(Operation.BCAST, size, root, comm)


def reduce(size: Bytes, root: int = 0, comm: Sequence[int] = ()) -> Call:
    """``size`` of everybody combined at the root."""
    return _collective(Operation.REDUCE, size, root, comm)


def allreduce(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """``size`` of everybody combined at everybody."""
    return _collective(Operation.ALLREDUCE, size, 0, comm)


def iallreduce(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """As ``allreduce``, nonblocking."""
    return _collective(Operation.IALLREDUCE, size, 0, comm)


def alltoall(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """``size`` from everybody to each."""
    return _collective(Operation.ALLTOALL, size, 0, comm)


def alltoallv(sizes: Sequence[Bytes], comm: Sequence[int] = ()) -> Call:
    """``sizes[i]`` to rank ``i``."""
    values = tuple(as_bytes(size) for size in sizes)
    return Call(Operation.ALLTOALLV, size=sum(values), sizes=values, members=tuple(comm))


def allgather(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """``size`` of everybody to everybody."""
    return _collective(Operation.ALLGATHER, size, 0, comm)


def gather(size: Bytes, root: int = 0, comm: Sequence[int] = ()) -> Call:
    """``size`` of everybody to the root."""
    return _collective(Operation.GATHER, size, root, comm)


def scatter(size: Bytes, root: int = 0, comm: Sequence[int] = ()) -> Call:
    """``size`` of the root to each."""
    return _collective(Operation.SCATTER, size, root, comm)


def reduce_scatter(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """A vector of ``size`` combined, a block of it at each rank."""
    return _collective(Operation.REDUCE_SCATTER, size, 0, comm)


def scan(size: Bytes, comm: Sequence[int] = ()) -> Call:
    """``size`` of the ranks up to the own one combined."""
    return _collective(Operation.SCAN, size, 0, comm)


def iteration_begin() -> Call:
    """An iteration begins."""
    return Call(Operation.ITERATION_BEGIN)


def iteration_end() -> Call:
    """The iteration ends."""
    return Call(Operation.ITERATION_END)


ANY = -1
"""Any source, any tag."""

NAMES = {
    function.__name__: function
    for function in (
        compute, send, ssend, recv, isend, irecv, wait, waitall, waitany, barrier, bcast, reduce,
        allreduce, iallreduce, alltoall, alltoallv, allgather, gather, scatter, reduce_scatter,
        scan, put, get, flush, fence, iteration_begin, iteration_end,
    )
}  # fmt: skip
"""What a program may yield, by name."""
