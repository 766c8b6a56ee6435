"""Programs of ranks as writers of graphs want them: what each operation waits for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from odonata.core.errors import TraceError
from odonata.traces.operations import Columns, Operation, has_streams
from odonata.traces.sequences import BEGINS

_NO_CHOICE = {Operation.WAITANY, Operation.WAITSOME, Operation.TEST}


@dataclass(frozen=True)
class Step:
    """An operation of a rank, and the positions that it waits for.

    Attributes
    ----------
    operation : Operation
        What it does; waits and marks are ``NOTHING``, a knot for edges.
    at : int
        Row of the table.
    ends, starts : list of int
        Positions in the rank whose end, or start, it waits for.
    stream : int
        Stream of the rank.
    """

    operation: Operation
    at: int
    ends: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    stream: int = 0


def steps(columns: Columns, rank: int) -> Iterator[Step]:
    """The operations of a rank with all of their dependencies.

    Raises
    ------
    odonata.errors.TraceError
        If an operation waits for one of several others: a graph cannot say that.
    """
    first, last = (int(value) for value in columns["rank_offsets"][rank : rank + 2])
    begun: dict[int, int] = {}
    before: dict[int, int] = {}
    for at in range(first, last):
        operation = Operation(int(columns["op"][at]))
        if operation in _NO_CHOICE:
            message = (
                f"operation {at - first} of rank {rank} is a {operation.name.lower()}: what it "
                "waits for depends on the run, which a graph cannot express"
            )
            raise TraceError(message)
        stream = int(columns["stream"][at]) if has_streams(columns) else 0
        follows = not has_streams(columns) or bool(columns["follows"][at])
        ends, starts = _edges(columns, at)
        if follows and stream in before:
            earlier = before[stream]
            is_begun = Operation(int(columns["op"][first + earlier])) in BEGINS
            (starts if is_begun else ends).append(earlier)
        ends += [
            begun[request] for request in _requests(columns, at, operation) if request in begun
        ]
        before[stream] = at - first
        if operation in BEGINS:
            begun[int(columns["request"][at])] = at - first
        yield Step(_KNOTS.get(operation, operation), at, ends, starts, stream)


_KNOTS = dict.fromkeys(
    (Operation.WAIT, Operation.WAITALL, Operation.ITERATION_BEGIN, Operation.ITERATION_END),
    Operation.NOTHING,
)


def _edges(columns: Columns, at: int) -> tuple[list[int], list[int]]:
    if not has_streams(columns):
        return [], []
    begin = int(columns["after_begin"][at])
    own = slice(begin, begin + int(columns["after_count"][at]))
    earlier, is_start = columns["after"][own].tolist(), columns["after_start"][own].tolist()
    pairs = list(zip(earlier, is_start, strict=True))
    return [one for one, start in pairs if not start], [one for one, start in pairs if start]


def _requests(columns: Columns, at: int, operation: Operation) -> list[int]:
    if operation == Operation.WAIT:
        return [int(columns["request"][at])]
    if operation == Operation.WAITALL:
        begin = int(columns["aux_begin"][at])
        requests: list[int] = columns["aux"][begin : begin + int(columns["aux_count"][at])].tolist()
        return requests
    return []


def job_rank(columns: Columns, at: int) -> int:
    """Partner of a message as a rank of the job; -1: any."""
    peer = int(columns["peer"][at])
    begin = int(columns["comm_offsets"][int(columns["comm"][at])])
    return peer if peer < 0 else int(columns["comm_members"][begin + peer])


def refuse_one_sided(columns: Columns, form: str) -> None:
    """Say which one-sided operations a form cannot express.

    Raises
    ------
    odonata.errors.TraceError
        If there are any.
    """
    kinds = {Operation(int(code)) for code in set(columns["op"].tolist())}
    one_sided = {Operation.PUT, Operation.GET, Operation.FLUSH, Operation.FENCE} & kinds
    if one_sided:
        names = ", ".join(sorted(kind.name.lower() for kind in one_sided))
        message = f"{form} has no one-sided operations, but the trace has {names}; use another form"
        raise TraceError(message)
