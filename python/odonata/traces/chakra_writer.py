"""Writer of Chakra execution traces: one protobuf file per rank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from odonata.core.errors import TraceError
from odonata.traces.chakra_schema import CollectiveType, NodeType, messages
from odonata.traces.operations import RECEIVES, SENDS, Columns, Operation
from odonata.traces.steps import Step, job_rank, steps
from odonata.traces.table import TraceData

_VERSION = b"0.0.4"
_COLLECTIVES = {
    Operation.ALLREDUCE: CollectiveType.ALL_REDUCE,
    Operation.REDUCE: CollectiveType.REDUCE,
    Operation.ALLGATHER: CollectiveType.ALL_GATHER,
    Operation.GATHER: CollectiveType.GATHER,
    Operation.SCATTER: CollectiveType.SCATTER,
    Operation.BCAST: CollectiveType.BROADCAST,
    Operation.ALLTOALL: CollectiveType.ALL_TO_ALL,
    Operation.REDUCE_SCATTER: CollectiveType.REDUCE_SCATTER,
    Operation.BARRIER: CollectiveType.BARRIER,
}
_NONBLOCKING = {
    Operation[f"I{kind.name}"]: number
    for kind, number in _COLLECTIVES.items()
    if f"I{kind.name}" in Operation.__members__
}


def write(trace: TraceData, path: Path) -> list[Path]:
    """Write a trace as ``NAME.RANK.et`` beside ``path``, which is ``NAME.et``.

    Computation is rounded to microseconds. An operation that waits for the start of another one
    waits for what that one waits for: Chakra knows ends only.

    Parameters
    ----------
    trace : TraceData
        What to write.
    path : pathlib.Path
        Where; the number of the rank comes in front of the ending.

    Raises
    ------
    odonata.errors.TraceError
        If the trace has operations that Chakra does not have, or a file cannot be written.
    """
    files = [path.with_name(f"{path.stem}.{rank}.et") for rank in range(trace.rank_count)]
    partial = [file.with_name(f".{file.name}.partial") for file in files]
    try:
        columns = dict(trace.columns)  # unpacked once
        for rank, file in enumerate(partial):
            file.write_bytes(_content(columns, rank))
        for here, there in zip(partial, files, strict=True):
            here.replace(there)
    except OSError as error:
        message = f"trace {path}: cannot be written ({error.strerror}); choose another place"
        raise TraceError(message) from error
    finally:
        for file in partial:
            if file.exists():
                file.unlink()
    return files


def _content(columns: Columns, rank: int) -> bytes:
    classes = messages()
    parts = [_framed(classes["GlobalMetadata"](version=[_VERSION]))]
    waits: list[list[int]] = []
    for number, step in enumerate(steps(columns, rank)):
        if any(start >= number for start in step.starts):
            place = f"operation {number} of rank {rank}"
            raise TraceError(
                "in Chakra a node can depend only on the end of another one, but "
                f"{place} waits for a later start"
            )
        own = [*step.ends]
        for start in step.starts:
            own += (
                [start]
                if _is_receive_behind_send(columns, step, step.at - number + start)
                else waits[start]
            )
        waits.append(own)
        node = classes["Node"](
            id=number, name=step.operation.name, data_deps=sorted(set(waits[-1]))
        )
        _fill(node, columns, step, rank)
        parts.append(_framed(node))
    return b"".join(parts)


def _is_receive_behind_send(columns: Columns, step: Step, earlier: int) -> bool:
    """The reader of Chakra takes such a dependency as one on the start of the send."""
    return step.operation in RECEIVES and Operation(int(columns["op"][earlier])) in SENDS


def _framed(message: Any) -> bytes:  # noqa: ANN401 - a message of protobuf
    content: bytes = message.SerializeToString()
    length, head = len(content), bytearray()
    while length > 0x7F:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([*head, length]) + content


def _fill(node: Any, columns: Columns, step: Step, rank: int) -> None:  # noqa: ANN401 - as above
    operation, at = step.operation, step.at
    size = int(columns["bytes"][at])
    if operation in SENDS or operation in RECEIVES:
        is_send = operation in SENDS
        partner, tag = job_rank(columns, at), int(columns["tag"][at])
        if partner < 0 or tag < 0:
            message = f"Chakra has no receives from any source, but {_place(node, rank)} is one"
            raise TraceError(message)
        node.type = NodeType.COMM_SEND if is_send else NodeType.COMM_RECV
        _set(node, comm_size=size, comm_tag=tag, **{"comm_dst" if is_send else "comm_src": partner})
        return
    kind = _COLLECTIVES.get(operation, _NONBLOCKING.get(operation))
    if kind is not None and not columns["aux_count"][at]:
        node.type = NodeType.COMM_COLL
        comm = int(columns["comm"][at])
        members = int(columns["comm_offsets"][comm + 1] - columns["comm_offsets"][comm])
        total = size * members if kind == CollectiveType.ALL_TO_ALL else size
        _set(node, comm_type=int(kind), comm_size=total, root=int(columns["peer"][at]))
        if comm:
            node.attr.add(name="pg_name", string_val=str(comm))
        return
    if operation not in {Operation.COMPUTE, Operation.NOTHING}:
        message = f"Chakra has no {operation.name.lower()}, but {_place(node, rank)} is one"
        raise TraceError(message)
    node.type = NodeType.COMP
    if operation == Operation.COMPUTE:
        node.duration_micros = (int(columns["duration_ps"][at]) + 500_000) // 1_000_000


def _set(node: Any, **values: int) -> None:  # noqa: ANN401 - as above
    for name, value in values.items():
        node.attr.add(name=name, int64_val=value)


def _place(node: Any, rank: int) -> str:  # noqa: ANN401 - as above
    return f"operation {node.id} of rank {rank}"
