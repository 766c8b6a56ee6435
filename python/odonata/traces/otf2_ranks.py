# ruff: noqa: ANN401, SLF001 - the otf2 package has no types; the table of handlers
# at the end belongs to the class
"""Turns the records of one rank of an OTF2 trace into operations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from odonata.traces.calls import Call, classify
from odonata.traces.operations import ROOTED, Operation
from odonata.traces.sizes import Sums, payload_bytes
from odonata.traces.table import RankProgram

if TYPE_CHECKING:
    from collections.abc import Callable

_COLLECTIVE_OPERATIONS = {
    "BARRIER": Operation.BARRIER,
    "BCAST": Operation.BCAST,
    "GATHER": Operation.GATHER,
    "GATHERV": Operation.GATHERV,
    "SCATTER": Operation.SCATTER,
    "SCATTERV": Operation.SCATTERV,
    "ALLGATHER": Operation.ALLGATHER,
    "ALLGATHERV": Operation.ALLGATHERV,
    "ALLTOALL": Operation.ALLTOALL,
    "ALLTOALLV": Operation.ALLTOALLV,
    "ALLTOALLW": Operation.ALLTOALLV,
    "ALLREDUCE": Operation.ALLREDUCE,
    "REDUCE": Operation.REDUCE,
    "REDUCE_SCATTER": Operation.REDUCE_SCATTER,
    "REDUCE_SCATTER_BLOCK": Operation.REDUCE_SCATTER,
    "SCAN": Operation.SCAN,
    "EXSCAN": Operation.SCAN,
}
_SILENT = (
    "Metric",
    "Parameter",
    "Program",
    "Omp",
    "Thread",
    "CallingContext",
    "Io",
    "Comm",
    "MpiRequestTest",
    "MpiCollectiveBegin",
    "NonBlockingCollective",
)
"""Records that say nothing about messages (or repeat what a region already says)."""


_DYNAMIC = 1
"""Bit of the region flags that marks a region entered once per iteration."""


def enum_name(value: object) -> str:
    """Return the last part of the name of a constant of the ``otf2`` package."""
    return str(value).rpartition(".")[2]


@dataclass
class Tally:
    """What all ranks together left out or estimated; times in timer ticks."""

    unsupported: Counter[str] = field(default_factory=Counter)
    local_calls: Counter[str] = field(default_factory=Counter)
    hints: Counter[str] = field(default_factory=Counter)
    ticks: Counter[str] = field(default_factory=Counter)
    alltoallv: dict[int, dict[int, list[VectorExchange]]] = field(default_factory=dict)


@dataclass(frozen=True)
class VectorExchange:
    """One rank's part in one alltoallv, whose sizes are estimated when all ranks are known."""

    rank: int
    sent: int
    received: int
    aux_begin: int


@dataclass
class Frame:
    """An MPI call that is being read."""

    call: Call
    name: str
    completed: list[int] = field(default_factory=list)
    sends: list[int] = field(default_factory=list)
    receives: list[int] = field(default_factory=list)
    collective_seen: bool = False


class Communicators:
    """Numbers the communicators of a trace in the order of their first use.

    Communicator 0 holds all ranks. A communicator of the kind "self" is one communicator per rank.
    """

    def __init__(self, ranks: dict[Any, int]) -> None:
        self._ranks = ranks
        self._numbers: dict[Any, int] = {}
        self.members: list[list[int]] = [list(range(len(ranks)))]

    def number(self, definition: Any, rank: int) -> int | None:
        """Return the number of a communicator as a rank sees it; None: not supported."""
        if type(definition).__name__ == "InterComm":
            return None
        members = [self._ranks[m] for m in definition.group.members if m in self._ranks]
        is_self = enum_name(definition.group.group_type) == "COMM_SELF"
        key = (definition, rank) if is_self else definition
        if key not in self._numbers:
            self._numbers[key] = self._add([rank] if is_self else members, definition.name)
        return self._numbers[key]

    @staticmethod
    def is_single(definition: Any) -> bool:
        """Whether a communicator has one rank only."""
        if type(definition).__name__ == "InterComm":
            return False
        return enum_name(definition.group.group_type) == "COMM_SELF" or (
            len(definition.group.members) == 1
        )

    def _add(self, members: list[int], name: str) -> int:
        if name == "MPI_COMM_WORLD" and members == self.members[0]:
            return 0
        self.members.append(members)
        return len(self.members) - 1

    def size(self, number: int) -> int:
        """Return the number of ranks of a communicator."""
        return len(self.members[number])


class RankReader:
    """Reads the records of one rank in program order.

    Parameters
    ----------
    rank : int
        Job rank.
    communicators : Communicators
        Shared by all ranks.
    tally : Tally
        Shared by all ranks.
    to_ps : callable
        Converts timer ticks to picoseconds.
    """

    def __init__(
        self,
        rank: int,
        communicators: Communicators,
        tally: Tally,
        to_ps: Callable[[int], int],
    ) -> None:
        self.rank = rank
        self.program = RankProgram()
        self.marks: Counter[str] = Counter()
        self._communicators = communicators
        self._tally = tally
        self._to_ps = to_ps
        self._frames: list[Frame] = []
        self._gap_begin: int | None = None
        self._off_begin: int | None = None
        self._requests: dict[int, int] = {}
        self._posted: dict[int, int] = {}
        self._probed: dict[int, tuple[int, Any, int]] = {}
        self._messages: dict[int, int] = {}
        self._last = 0

    def read(self, record: Any) -> None:
        """Take the next record of this rank."""
        self._last = max(self._last, record.time)
        kind = type(record).__name__
        handler = _HANDLERS.get(kind)
        if handler is None:
            if not kind.startswith(_SILENT):
                self._tally.unsupported[kind] += 1
        elif kind.startswith("Mpi") and not self._frames:
            self._enter(Frame(Call.TRANSFER, kind), record.time)
            handler(self, record)
            self._leave(record.time)
        else:
            handler(self, record)

    def finish(self) -> None:
        """Close what the trace leaves open at its end."""
        if self._frames:
            self._tally.hints[f"ranks whose trace ends inside {self._frames[0].name}"] += 1
            while self._frames:
                self._leave(self._last)
        if self._gap_begin is not None:
            self._compute_until(self._last)
        for position in (*self._posted.values(), *self._messages.values()):
            self.program.set(position, op=Operation.NOTHING)
            self._tally.unsupported["receive that never completes"] += 1

    # Regions

    def _enter(self, frame: Frame, time: int) -> None:
        if not self._frames:
            self._compute_until(time)
        self._frames.append(frame)

    def _leave(self, time: int) -> None:
        frame = self._frames.pop()
        self._unblock(frame)
        self.program.add_wait(frame.completed)
        if frame.call is Call.COLLECTIVE and not frame.collective_seen:
            self._tally.unsupported[frame.name] += 1
        if self._frames:
            return
        self._gap_begin = None if frame.call is Call.FINALIZE else time
        if frame.call is Call.INIT:
            self.program.clear()

    def _unblock(self, frame: Frame) -> None:
        """Let a call that both sends and receives do so at the same time."""
        if not (frame.sends and frame.receives):
            return
        for position in frame.receives:
            self._give_request(frame, position, Operation.IRECV)
        for position in frame.sends:
            self._give_request(frame, position, Operation.ISEND)

    def _give_request(self, frame: Frame, position: int, op: Operation) -> None:
        request = self.program.new_request()
        self.program.set(position, op=op, request=request)
        frame.completed.append(request)

    def _compute_until(self, time: int) -> None:
        if self._gap_begin is None:
            return
        if time < self._gap_begin:
            self._tally.hints["times that run backwards (taken as 0)"] += 1
        self.program.add_compute(self._to_ps(time - self._gap_begin))
        self._gap_begin = time

    def _on_enter(self, record: Any) -> None:
        name = record.region.name
        call = classify(name)
        if call is Call.PROGRAM:
            self._mark(record.region, Operation.ITERATION_BEGIN, record.time)
            return
        if call is Call.UNSUPPORTED:
            self._tally.unsupported[name] += 1
        elif call in {Call.LOCAL, Call.INIT, Call.FINALIZE}:
            self._tally.local_calls[name] += 1
        self._enter(Frame(call, name), record.time)

    def _on_leave(self, record: Any) -> None:
        if classify(record.region.name) is Call.PROGRAM:
            self._mark(record.region, Operation.ITERATION_END, record.time)
        elif self._frames:
            self._leave(record.time)
        else:
            self._gap_begin = record.time
            self._tally.hints[f"ends of {record.region.name} without a beginning"] += 1

    def _mark(self, region: Any, op: Operation, time: int) -> None:
        """Note the beginning or end of a region that the user marked as an iteration."""
        if self._frames or not int(region.region_flags.value) & _DYNAMIC:
            return
        self._compute_until(time)
        self.program.add(op)
        self.marks[f"{region.name}:{op.name}"] += 1

    def _on_measurement_on_off(self, record: Any) -> None:
        if enum_name(record.measurement_mode) == "OFF":
            self._off_begin = record.time
        elif self._off_begin is not None and self._gap_begin is not None:
            self._tally.ticks["off"] += record.time - self._off_begin
            self._off_begin = None

    def _on_buffer_flush(self, record: Any) -> None:
        if not self._frames and self._gap_begin is not None:
            self._compute_until(record.time)
            self._gap_begin = record.stop_time
            self._tally.ticks["flush"] += record.stop_time - record.time

    # Point to point

    def _address(self, record: Any, peer: int) -> dict[str, int] | None:
        """Return the columns that say where a message goes or comes from."""
        comm = self._communicators.number(record.communicator, self.rank)
        if comm is None:
            self._tally.unsupported[f"{type(record).__name__} on an inter-communicator"] += 1
            return None
        return {"peer": peer, "comm": comm, "tag": record.msg_tag, "bytes": record.msg_length}

    def _on_mpi_send(self, record: Any) -> None:
        address = self._address(record, record.receiver)
        if address is not None:
            self._frames[-1].sends.append(self.program.add(Operation.SEND, **address))

    def _on_mpi_recv(self, record: Any) -> None:
        address = self._address(record, record.sender)
        if address is not None:
            self._frames[-1].receives.append(self.program.add(Operation.RECV, **address))

    def _on_mpi_isend(self, record: Any) -> None:
        address = self._address(record, record.receiver)
        if address is not None:
            request = self.program.new_request()
            self._requests[record.request_id] = request
            self.program.add(Operation.ISEND, request=request, **address)

    def _on_mpi_isend_complete(self, record: Any) -> None:
        request = self._requests.pop(record.request_id, None)
        if request is None:
            self._tally.hints["completions of sends whose beginning is not in the trace"] += 1
        else:
            self._frames[-1].completed.append(request)

    def _on_mpi_irecv_request(self, record: Any) -> None:
        request = self.program.new_request()
        self._requests[record.request_id] = request
        self._posted[record.request_id] = self.program.add(Operation.IRECV, request=request)

    def _on_mpi_irecv(self, record: Any) -> None:
        address = self._address(record, record.sender)
        position = self._posted.pop(record.request_id, None)
        request = self._requests.pop(record.request_id, None)
        if position is None or request is None:
            self._tally.hints["receives whose beginning is not in the trace"] += 1
            if address is not None:
                self.program.add(Operation.RECV, **address)
        elif address is None:
            self.program.set(position, op=Operation.NOTHING)
        else:
            self.program.set(position, **address)
            self._frames[-1].completed.append(request)

    def _on_mpi_request_cancelled(self, record: Any) -> None:
        position = self._posted.pop(record.request_id, None)
        self._requests.pop(record.request_id, None)
        if position is None:
            self._tally.unsupported["cancelled send"] += 1
        else:
            self.program.set(position, op=Operation.NOTHING)
            self._tally.hints["receives that the program cancelled"] += 1

    # Matched probes (MPI 3)

    def _on_mpi_probe(self, record: Any) -> None:
        self._probed[record.message_id] = (record.sender, record.communicator, record.tag)

    def _matched(self, message: int, size: int) -> dict[str, int] | None:
        sender, communicator, tag = self._probed.pop(message, (0, None, 0))
        comm = None
        if communicator is not None:
            comm = self._communicators.number(communicator, self.rank)
        if comm is None:
            self._tally.unsupported["matched receive without its probe"] += 1
            return None
        return {"peer": sender, "comm": comm, "tag": tag, "bytes": size}

    def _on_mpi_mrecv(self, record: Any) -> None:
        address = self._matched(record.message_id, record.msg_length)
        if address is not None:
            self._frames[-1].receives.append(self.program.add(Operation.RECV, **address))

    def _on_mpi_imrecv_request(self, record: Any) -> None:
        request = self.program.new_request()
        self._requests[record.request_id] = request
        self._messages[record.request_id] = self.program.add(Operation.IRECV, request=request)
        self._probed[-1 - record.request_id] = self._probed.pop(record.message_id, (0, None, 0))

    def _on_mpi_imrecv(self, record: Any) -> None:
        position = self._messages.pop(record.request_id, None)
        request = self._requests.pop(record.request_id, None)
        address = self._matched(-1 - record.request_id, record.msg_length)
        if position is None or request is None:
            return
        if address is None:
            self.program.set(position, op=Operation.NOTHING)
        else:
            self.program.set(position, **address)
            self._frames[-1].completed.append(request)

    # Collectives

    def _on_mpi_collective_end(self, record: Any) -> None:
        frame = self._frames[-1]
        frame.collective_seen = True
        if self._communicators.is_single(record.communicator):
            self._tally.hints["collectives of a single rank, which send nothing"] += 1
            return
        name = enum_name(record.collective_op)
        op = _COLLECTIVE_OPERATIONS.get(name)
        comm = self._communicators.number(record.communicator, self.rank)
        if op is None or comm is None:
            if frame.call is not Call.UNSUPPORTED:
                where = "" if comm is not None else " on an inter-communicator"
                self._tally.unsupported[f"{frame.name}{where}"] += 1
            return
        if name == "EXSCAN":
            self._tally.hints["exclusive scans, replayed as inclusive ones"] += 1
        self._add_collective(op, comm, record)

    def _add_collective(self, op: Operation, comm: int, record: Any) -> None:
        size = self._communicators.size(comm)
        root = record.root if op in ROOTED else 0
        members = self._communicators.members[comm]
        sums = Sums(
            sent=record.size_sent,
            received=record.size_received,
            size=size,
            is_exclusive=enum_name(record.collective_op) == "EXSCAN",
            is_root=op in ROOTED and root < size and members[root] == self.rank,
        )
        values = {"peer": root, "comm": comm, "bytes": payload_bytes(op, sums)}
        if op is Operation.ALLTOALLV:
            begin = self.program.reserve_aux(size)
            values |= {"aux_begin": begin, "aux_count": size}
            part = VectorExchange(self.rank, sums.sent, sums.received, begin)
            self._tally.alltoallv.setdefault(comm, {}).setdefault(self.rank, []).append(part)
        self.program.add(op, **values)


_HANDLERS: dict[str, Callable[[RankReader, Any], None]] = {
    "Enter": RankReader._on_enter,
    "Leave": RankReader._on_leave,
    "MeasurementOnOff": RankReader._on_measurement_on_off,
    "BufferFlush": RankReader._on_buffer_flush,
    "MpiSend": RankReader._on_mpi_send,
    "MpiRecv": RankReader._on_mpi_recv,
    "MpiIsend": RankReader._on_mpi_isend,
    "MpiIsendComplete": RankReader._on_mpi_isend_complete,
    "MpiIrecvRequest": RankReader._on_mpi_irecv_request,
    "MpiIrecv": RankReader._on_mpi_irecv,
    "MpiRequestCancelled": RankReader._on_mpi_request_cancelled,
    "MpiProbe": RankReader._on_mpi_probe,
    "MpiMrecv": RankReader._on_mpi_mrecv,
    "MpiImrecvRequest": RankReader._on_mpi_imrecv_request,
    "MpiImrecv": RankReader._on_mpi_imrecv,
    "MpiCollectiveEnd": RankReader._on_mpi_collective_end,
}
