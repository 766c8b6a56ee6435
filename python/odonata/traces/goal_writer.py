"""Writer of GOAL schedules as text: for LogGOPSim and what reads its format."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from odonata.core.errors import TraceError
from odonata.traces.expansion import FIRST_TAG, Expansion
from odonata.traces.operations import COLLECTIVES, RECEIVES, SENDS, Columns, Operation
from odonata.traces.steps import Step, job_rank, refuse_one_sided, steps
from odonata.traces.table import TraceData

_TAG_BITS = 24


def write(trace: TraceData, path: Path) -> Path:
    """Write a schedule; computation is rounded to nanoseconds, collectives are written out.

    Parameters
    ----------
    trace : TraceData
        What to write: point to point, collectives and computation.
    path : pathlib.Path
        The file.

    Raises
    ------
    odonata.errors.TraceError
        If the trace has operations that GOAL does not have, or the file cannot be written.
    """
    columns = dict(trace.columns)  # unpacked once
    refuse_one_sided(columns, "GOAL")
    collectives = _expansion(columns)
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8") as stream:
            stream.write(f"num_ranks {trace.rank_count}\n")
            for rank in range(trace.rank_count):
                stream.write(f"\nrank {rank} {{\n")
                writer = _Rank(columns, collectives, rank)
                for position, step in enumerate(steps(columns, rank)):
                    stream.write(writer.lines(position, step))
                stream.write("}\n")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        message = f"trace {path}: cannot be written ({error.strerror}); choose another place"
        raise TraceError(message) from error
    except TraceError:
        partial.unlink(missing_ok=True)
        raise
    return path


def _expansion(columns: Columns) -> Expansion:
    collectives = Expansion(columns)
    is_message = np.isin(columns["op"], [int(one) for one in (*SENDS, *RECEIVES)])
    high = is_message & (columns["comm"] == 0) & (columns["tag"] >= FIRST_TAG)
    if collectives and high.any():
        message = (
            f"the trace has collectives and messages with tag {columns['tag'][high].max()}; GOAL "
            f"has no collectives, and tags from {FIRST_TAG} on are reserved for the messages of "
            "expanded ones"
        )
        raise TraceError(message)
    return collectives


class _Rank:
    """Writes the operations of one rank.

    The label of an operation is its position. A collective has that label at its end, another one
    at its beginning, and more in between.
    """

    def __init__(self, columns: Columns, collectives: Expansion, rank: int) -> None:
        self._columns = columns
        self._collectives = collectives
        self._rank = rank
        first, last = (int(value) for value in columns["rank_offsets"][rank : rank + 2])
        self._first, self._count = first, last - first
        self._next = 2 * self._count

    def lines(self, position: int, step: Step) -> str:
        """Return the lines of an operation."""
        columns, at = self._columns, step.at
        cpu = f" cpu {step.stream}" if step.stream else ""
        if step.operation in COLLECTIVES:
            return self._collective(position, step, cpu)
        if step.operation in SENDS or step.operation in RECEIVES:
            is_send, peer = step.operation in SENDS, job_rank(columns, at)
            what = _message(is_send, int(columns["bytes"][at]), peer, _tag(columns, at))
        else:
            is_compute = step.operation == Operation.COMPUTE
            duration = int(columns["duration_ps"][at]) if is_compute else 0
            what = f"calc {(duration + 500) // 1000}"
        return f"l{position}: {what}{cpu}\n" + self._edges(position, step)

    def _edges(self, label: int, step: Step) -> str:
        lines = [f"l{label} requires l{earlier}\n" for earlier in step.ends]
        lines += [f"l{label} irequires l{self._start(earlier)}\n" for earlier in step.starts]
        return "".join(lines)

    def _start(self, position: int) -> int:
        """Label of the beginning of an operation."""
        operation = Operation(int(self._columns["op"][self._first + position]))
        return position + self._count if operation in COLLECTIVES else position

    def _collective(self, position: int, step: Step, cpu: str) -> str:
        start = self._count + position
        lines = [f"l{start}: calc 0{cpu}\n", self._edges(start, step)]
        members, tag = self._collectives.members(step.at), self._collectives.tag(step.at)
        before = [start]
        for one in self._collectives.rounds(step.at, self._rank):
            labels = []
            for message in one:
                label, self._next = self._next, self._next + 1
                what = _message(message.is_send, message.size, members[message.peer], tag)
                lines.append(f"l{label}: {what}{cpu}\n")
                lines += [f"l{label} requires l{earlier}\n" for earlier in before]
                labels.append(label)
            before = labels
        lines.append(f"l{position}: calc 0{cpu}\n")
        lines += [f"l{position} requires l{earlier}\n" for earlier in before]
        return "".join(lines)


def _message(is_send: bool, size: int, peer: int, tag: int) -> str:  # noqa: FBT001
    way = "send {}b to {}" if is_send else "recv {}b from {}"
    return f"{way.format(size, peer)} tag {tag}"


def _tag(columns: Columns, at: int) -> int:
    """The tag; GOAL has no communicators, so that their number takes the upper bits."""
    comm, tag = int(columns["comm"][at]), int(columns["tag"][at])
    everybody = columns["comm_offsets"][1]
    members = columns["comm_offsets"][comm + 1] - columns["comm_offsets"][comm]
    if comm == 0 or (members == everybody and tag >= FIRST_TAG):
        return tag
    if not 0 <= tag < 1 << _TAG_BITS or comm >= 1 << (31 - _TAG_BITS):
        message = (
            f"GOAL has no communicators, and tag {tag} of communicator {comm} does not fit into "
            "a tag together with the number of the communicator"
        )
        raise TraceError(message)
    return comm << _TAG_BITS | tag
