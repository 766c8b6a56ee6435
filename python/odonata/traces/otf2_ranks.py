"""Turns the records of one rank of an OTF2 trace into operations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from odonata.traces.calls import Call
from odonata.traces.collectives import COLLECTIVE_CODES, HANDLE_CODES, Calls, CollectiveCall, Kind
from odonata.traces.operations import ROOTED, Operation
from odonata.traces.otf2_frames import Communicators, Frame, Tally
from odonata.traces.otf2_one_sided import OneSided, counted
from odonata.traces.otf2_tau import KINDS, NONBLOCKING_SENDS, WITHOUT_SIZE, Unnamed
from odonata.traces.otf2_threads import BEGINNINGS, ENDS, FORKS, JOINS, Moments
from odonata.traces.receives import Completions, completion_of
from odonata.traces.table import RankProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from odonata.traces.otf2_definitions import Definitions

_OFF = 2
"""Recording is off (`OTF2_MEASUREMENT_OFF`)."""

_NOBODY = frozenset({0xFFFF_FFFE, 0xFFFF_FFFF})
"""Partners that mean `MPI_PROC_NULL`: -2 in Open MPI, -1 in MPICH."""


class Address(NamedTuple):
    """Where a message goes or comes from, in the terms of the table."""

    peer: int
    comm: int
    tag: int
    size: int


class BegunCollective(NamedTuple):
    """A nonblocking collective that has begun; which one it is, is recorded when it ends."""

    position: int
    request: int
    order: int


class RankReader:
    """Reads the records of one rank in program order.

    Parameters
    ----------
    rank : int
        Job rank.
    definitions : Definitions
        Of the trace.
    communicators : Communicators
        Shared by all ranks.
    tally : Tally
        Shared by all ranks.
    to_ps : callable
        Converts timer ticks to picoseconds.
    main : RankReader, optional
        Of the first thread of the rank, if this is another one: it adds to the same program.

    Attributes
    ----------
    has_threads : bool
        Whether there are other threads of the rank.
    collectives : Calls
        Collectives in the order of their beginnings.
    completes : bool
        Whether the trace says which requests end in which call.
    """

    def __init__(
        self,
        rank: int,
        definitions: Definitions,
        communicators: Communicators,
        tally: Tally,
        to_ps: Callable[[int], int],
        main: RankReader | None = None,
    ) -> None:
        self.rank = rank
        self.program: RankProgram = main.program if main else RankProgram()
        self.moments = Moments()
        self.has_threads = False
        self._main = main
        self._definitions = definitions
        self.marks: Counter[str] = Counter()
        self.collectives: Calls = main.collectives if main else Calls()
        self.completions = Completions()
        self.backward_steps = 0
        self.completes = not definitions.is_eztrace
        self._regions = definitions.regions
        self._communicators = communicators
        self._tally = tally
        self._to_ps = to_ps
        self._frames: list[Frame] = []
        self._gap_begin: int | None = None
        self._off_begin: int | None = None
        self._requests: dict[int, int] = {}
        self._posted: dict[int, int] = {}
        self._probed: dict[int, tuple[int, int | None, int]] = {}
        self._messages: dict[int, int] = {}
        self._begun: dict[int, BegunCollective] = {}
        self._one_sided = OneSided(rank, definitions, communicators, self.program, tally)
        self._unnamed = Unnamed(self.program, tally.hints)
        self._last = 0

    def beside(self) -> RankReader:
        """Return a reader of another thread of the same rank."""
        return RankReader(
            self.rank, self._definitions, self._communicators, self._tally, self._to_ps, self
        )

    def handlers(self) -> dict[str, Callable[..., None]]:
        """Return what takes the records, by their names."""
        calls: dict[str, Callable[..., None]] = {
            "MpiSend": self._on_mpi_send,
            "MpiRecv": self._on_mpi_recv,
            "MpiIsend": self._on_mpi_isend,
            "MpiIrecvRequest": self._on_mpi_irecv_request,
            "MpiCollectiveEnd": self._on_mpi_collective_end,
            "NonBlockingCollectiveRequest": self._on_collective_request,
            "NonBlockingCollectiveComplete": self._on_collective_complete,
            "MpiProbe": self._on_mpi_probe,
            "MpiMrecv": self._on_mpi_mrecv,
            "MpiImrecvRequest": self._on_mpi_imrecv_request,
            **self._one_sided.handlers(lambda: self._frames[-1]),
        }
        if self.completes:
            calls |= {
                "MpiIsendComplete": self._on_mpi_isend_complete,
                "MpiIrecv": self._on_mpi_irecv,
                "MpiRequestCancelled": self._on_mpi_request_cancelled,
                "MpiImrecv": self._on_mpi_imrecv,
            }
        sizes = {"Metric": self._on_metric} if self._definitions.sizes else {}
        return {
            **sizes,
            "Enter": self._on_enter,
            "Leave": self._on_leave,
            "MeasurementOnOff": self._on_measurement_on_off,
            "BufferFlush": self._on_buffer_flush,
            **counted(self._tally.unsupported),
            **self._thread_handlers(),
            **{name: self._inside(name, handler) for name, handler in calls.items()},
        }

    def _thread_handlers(self) -> dict[str, Callable[..., None]]:
        """Return what takes the records of threads, where a rank has several."""
        if self._main is not None:
            beginnings = dict.fromkeys(BEGINNINGS, self._on_begin)
            return {**beginnings, **dict.fromkeys(ENDS, self._on_end)}
        if self.has_threads:
            return {**dict.fromkeys(FORKS, self._on_fork), **dict.fromkeys(JOINS, self._on_join)}
        return {}

    def _inside(self, name: str, handler: Callable[..., None]) -> Callable[..., None]:
        """Give a record of MPI that stands outside of any call one of its own."""

        def read(time: int, *values: int) -> None:
            if self._frames:
                handler(time, *values)
            else:
                self._enter(Frame(Call.TRANSFER, name), time)
                handler(time, *values)
                self._leave(time)

        return read

    def finish(self) -> None:
        """Close what the trace leaves open at its end."""
        if self._frames:
            self._tally.hints[f"ranks whose trace ends inside {self._frames[0].name}"] += 1
            while self._frames:
                self._leave(self._last)
        if self._gap_begin is not None:
            self._compute_until(self._last)
        self._unnamed.finish()
        self._tally.unsupported.update(
            ["nonblocking collective that never ends"] * len(self._begun)
        )
        if not self.completes:
            return
        for position in (*self._posted.values(), *self._messages.values()):
            self.program.set(position, op=Operation.NOTHING)
            self._tally.unsupported["receive that never completes"] += 1

    def close(self) -> None:
        """Pack what has been read."""
        self.program.close()
        self.collectives.close()
        self.completions.close()
        self.moments.close()

    # Regions

    def _enter(self, frame: Frame, time: int) -> None:
        if self._main is not None and not self.moments.begins:
            self._on_begin(time)  # nothing says when the thread began
        if not self._frames:
            self._compute_until(time)
        self._frames.append(frame)

    def _leave(self, time: int) -> None:
        frame = self._frames.pop()
        if frame.sends and frame.receives:
            self._unblock(frame)
        self._unnamed.leave(frame)
        if frame.completed:
            self.program.add_wait(frame.completed)
        self._one_sided.leave(frame)
        if frame.call is Call.COLLECTIVE:
            if not frame.collective_seen and not self._add_by_name(frame):
                self._tally.unsupported[frame.name] += 1
        elif not self.completes and frame.call is Call.TRANSFER:
            self._note_completion(frame)
        if self._frames:
            return
        self._ended(time)
        self._gap_begin = None if frame.call is Call.FINALIZE else time
        if frame.call is Call.INIT and self._main is None:
            self._clear()

    def _ended(self, time: int) -> None:
        """Note that all operations so far have ended, if another thread may wait for them."""
        if self.has_threads or self._main is not None:
            self.moments.ended(time, len(self.program))

    def _clear(self) -> None:
        """Forget what came before `MPI_Init` returned."""
        self.program.clear()
        self.collectives.clear()
        self._begun.clear()
        self._unnamed.clear()
        self.completions.clear()
        self.moments.clear()

    def _note_completion(self, frame: Frame) -> None:
        kind = completion_of(frame.name)
        if kind is not None:
            position = self.program.add(Operation.NOTHING)
            self.completions.add(position, kind)
        elif frame.name.startswith("MPI_Sendrecv") and not (frame.sends or frame.receives):
            self._tally.unsupported[f"{frame.name} whose messages are not in the trace"] += 1

    def _unblock(self, frame: Frame) -> None:
        """Let a call that both sends and receives do so at the same time."""
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
            self._tally.hints["timestamps that go backwards (intervals taken as 0)"] += 1
        self.program.add_compute(self._to_ps(time - self._gap_begin))
        self._gap_begin = time

    def _tick(self, time: int) -> None:
        if time < self._last:
            self.backward_steps += 1
        else:
            self._last = time

    def _on_enter(self, time: int, region: int) -> None:
        self._tick(time)
        known = self._regions[region]
        call = known.call
        if call is Call.PROGRAM:
            if known.is_iteration:
                self._mark(known.name, Operation.ITERATION_BEGIN, time)
            return
        if call is Call.UNSUPPORTED:
            self._tally.unsupported[known.name] += 1
        elif call in _COUNTED:
            self._tally.local_calls[known.name] += 1
            if known.name.lower() == "mpi_ssend_init":
                self._tally.hints["persistent synchronous sends, replayed as standard ones"] += 1
        self._enter(Frame(call, known.name), time)

    def _on_leave(self, time: int, region: int) -> None:
        self._tick(time)
        known = self._regions[region]
        if known.call is Call.PROGRAM:
            if known.is_iteration:
                self._mark(known.name, Operation.ITERATION_END, time)
        elif self._frames:
            self._leave(time)
        else:
            self._gap_begin = time
            self._tally.hints[f"ends of {known.name} without a beginning"] += 1

    def _mark(self, name: str, op: Operation, time: int) -> None:
        """Note the beginning or end of a region that the user marked as an iteration."""
        if self._frames or self._main is not None:
            return
        self._compute_until(time)
        self.program.add(op)
        self.marks[f"{name}:{op.name}"] += 1

    def _on_measurement_on_off(self, time: int, mode: int) -> None:
        self._tick(time)
        if mode == _OFF:
            self._off_begin = time
        elif self._off_begin is not None and self._gap_begin is not None:
            self._tally.ticks["off"] += time - self._off_begin
            self._off_begin = None

    def _on_buffer_flush(self, time: int, stop: int) -> None:
        self._tick(time)
        if not self._frames and self._gap_begin is not None:
            self._compute_until(time)
            self._gap_begin = stop
            self._tally.ticks["flush"] += stop - time

    # Threads

    def _on_begin(self, time: int, *_: int) -> None:
        """A thread that is not the first one begins to work."""
        self._tick(time)
        if self._gap_begin is None and not self._frames:
            self.moments.begins.append((self.program.add(Operation.NOTHING), time))
            self._gap_begin = time

    def _on_end(self, time: int, *_: int) -> None:
        """It has ended, or waits for the next team."""
        self._tick(time)
        if self._gap_begin is not None and not self._frames:
            self._compute_until(time)
            self._gap_begin = None
            self._ended(time)

    def _on_fork(self, time: int, *_: int) -> None:
        """The first thread lets others begin."""
        self._tick(time)
        if self._gap_begin is not None and not self._frames:
            self._compute_until(time)
            self.program.add(Operation.NOTHING)
            self._ended(time)

    def _on_join(self, time: int, *_: int) -> None:
        """The first thread waits for the others."""
        self._tick(time)
        if self._gap_begin is not None and not self._frames:
            self._compute_until(time)
            self.moments.joins.append((self.program.add(Operation.NOTHING), time))

    # Point to point

    def _address(
        self, name: str, peer: int, communicator: int, tag: int, size: int
    ) -> Address | None:
        """Return where a message goes or comes from; None: it is not replayed."""
        comm = self._communicators.number(communicator, self.rank)
        if comm is None:
            self._tally.unsupported[f"{name} on an inter-communicator"] += 1
            return None
        if peer in _NOBODY:
            self._tally.hints["messages to or from MPI_PROC_NULL, which send nothing"] += 1
            return None
        return Address(peer, comm, tag, size)

    def _on_mpi_send(self, _: int, peer: int, communicator: int, tag: int, size: int) -> None:
        address = self._address("MpiSend", peer, communicator, tag, size)
        if address is not None:
            frame = self._frames[-1]
            name = frame.name.lower()
            if name in NONBLOCKING_SENDS:
                op = Operation.ISSEND if name == "mpi_issend" else Operation.ISEND
                self.program.add_message(op, *address, self._unnamed.send())
                return
            op = Operation.SSEND if name == "mpi_ssend" else Operation.SEND
            frame.sends.append(self.program.add_message(op, *address))

    def _on_mpi_recv(self, _: int, peer: int, communicator: int, tag: int, size: int) -> None:
        address = self._address("MpiRecv", peer, communicator, tag, size)
        posted = self._unnamed.receive(self._frames[-1].name)
        if posted is not None and address is not None:
            request = self.program.new_request()
            self.program.set(posted, op=Operation.IRECV, request=request)
            self._complete(posted, request, address)
        elif address is not None:
            self._frames[-1].receives.append(self.program.add_message(Operation.RECV, *address))

    def _on_mpi_isend(
        self, _: int, peer: int, communicator: int, tag: int, size: int, number: int
    ) -> None:
        address = self._address("MpiIsend", peer, communicator, tag, size)
        if address is not None:
            request = self.program.new_request()
            self._requests[number] = request
            is_synchronous = self._frames[-1].name.lower() == "mpi_issend"
            op = Operation.ISSEND if is_synchronous else Operation.ISEND
            self.program.add_message(op, *address, request)

    def _on_mpi_isend_complete(self, _: int, number: int) -> None:
        request = self._requests.pop(number, None)
        if request is None:
            self._tally.hints["completions of sends whose beginning is not in the trace"] += 1
        else:
            self._frames[-1].completed.append(request)

    def _on_mpi_irecv_request(self, _: int, number: int) -> None:
        self._frames[-1].record_seen = True
        request = self.program.new_request()
        self._requests[number] = request
        position = self.program.add(Operation.IRECV, request=request)
        self._posted[number] = position
        if not self.completes:
            self.program.unknown_receives += 1

    def _on_mpi_irecv(
        self, _: int, peer: int, communicator: int, tag: int, size: int, number: int
    ) -> None:
        address = self._address("MpiIrecv", peer, communicator, tag, size)
        position = self._posted.pop(number, None)
        request = self._requests.pop(number, None)
        if position is None or request is None:
            self._tally.hints["receives whose beginning is not in the trace"] += 1
            if address is not None:
                self.program.add_message(Operation.RECV, *address)
        else:
            self._complete(position, request, address)

    def _complete(self, position: int, request: int, address: Address | None) -> None:
        """Note of which message a nonblocking receive was."""
        if address is None:
            self.program.set(position, op=Operation.NOTHING)
            return
        peer, comm, tag, size = address
        self.program.set(position, peer=peer, comm=comm, tag=tag, bytes=size)
        self._frames[-1].completed.append(request)

    def _on_mpi_request_cancelled(self, _: int, number: int) -> None:
        position = self._posted.pop(number, None)
        self._requests.pop(number, None)
        if position is None:
            self._tally.unsupported["cancelled send"] += 1
        else:
            self.program.set(position, op=Operation.NOTHING)
            self._tally.hints["receives that the program cancelled"] += 1

    # Matched probes (MPI 3)

    def _on_mpi_probe(self, _: int, peer: int, communicator: int, tag: int, message: int) -> None:
        self._probed[message] = (peer, communicator, tag)

    def _matched(self, message: int, size: int) -> Address | None:
        peer, communicator, tag = self._probed.pop(message, (0, None, 0))
        if communicator is None:
            self._tally.unsupported["matched receive without its probe"] += 1
            return None
        return self._address("MpiMrecv", peer, communicator, tag, size)

    def _on_mpi_mrecv(self, _: int, message: int, size: int) -> None:
        address = self._matched(message, size)
        if address is not None:
            self._frames[-1].receives.append(self.program.add_message(Operation.RECV, *address))

    def _on_mpi_imrecv_request(self, _: int, message: int, number: int) -> None:
        request = self.program.new_request()
        self._requests[number] = request
        self._messages[number] = self.program.add(Operation.IRECV, request=request)
        self._probed[-1 - number] = self._probed.pop(message, (0, None, 0))

    def _on_mpi_imrecv(self, _: int, number: int, size: int) -> None:
        position = self._messages.pop(number, None)
        request = self._requests.pop(number, None)
        address = self._matched(-1 - number, size)
        if position is not None and request is not None:
            self._complete(position, request, address)

    # Collectives

    def _on_mpi_collective_end(
        self, _: int, code: int, communicator: int, root: int, sent: int, received: int
    ) -> None:
        frame = self._frames[-1]
        frame.collective_seen = True
        found = self._collective(frame, code, communicator)
        if found is None:
            return
        kind, comm = found
        peer = root if kind.operation in ROOTED else 0
        position = self.program.add(kind.operation, peer=peer, comm=comm)
        self.collectives.append(CollectiveCall(kind, comm, position, peer, sent, received))

    def _on_metric(
        self, _: int, metric: int, count: int, _kinds: object, values: Sequence[int]
    ) -> None:
        if count and self._frames and metric in self._definitions.sizes:
            frame = self._frames[-1]
            frame.size = max(frame.size or 0, values[0])

    def _add_by_name(self, frame: Frame) -> bool:
        """Add a collective of which only name and size are known, as TAU records it."""
        kind = KINDS.get(frame.name.lower()) if self._definitions.is_tau else None
        if kind is None or (frame.size is None and kind.name not in WITHOUT_SIZE):
            return False
        if len(self._definitions.ranks) == 1:
            self._tally.hints["collectives of a single rank, which send nothing"] += 1
            return True
        position = self.program.add(kind.operation)
        size = frame.size or 0
        self.collectives.append(CollectiveCall(kind, 0, position, 0, size, size))
        return True

    def _collective(self, frame: Frame, code: int, communicator: int) -> tuple[Kind, int] | None:
        """Which collective it is, and on which communicator; None: it is not replayed."""
        if self._communicators.is_single(communicator):
            self._tally.hints["collectives of a single rank, which send nothing"] += 1
            return None
        kind = COLLECTIVE_CODES.get(code)
        if code in HANDLE_CODES and frame.call is not Call.COLLECTIVE:
            return None  # its call is counted by itself
        comm = self._communicators.number(communicator, self.rank)
        if kind is None or comm is None:
            if frame.call is not Call.UNSUPPORTED:
                where = "" if comm is not None else " on an inter-communicator"
                self._tally.unsupported[f"{frame.name}{where}"] += 1
            return None
        if kind.name == "exscan":
            self._tally.hints["exclusive scans, replayed as inclusive ones"] += 1
        return kind, comm

    def _on_collective_request(self, _: int, number: int) -> None:
        frame = self._frames[-1]
        if frame.call is Call.UNSUPPORTED and frame.name.lower().startswith("mpi_i"):
            # The call was counted when it was entered; here is what it began.
            self._tally.unsupported[frame.name] -= 1
            frame.call = Call.TRANSFER
        request = self.program.new_request()
        position = self.program.add(Operation.NOTHING)
        self._begun[number] = BegunCollective(position, request, len(self.collectives))
        self.collectives.append(None)

    def _on_collective_complete(
        self, _: int, code: int, communicator: int, root: int, sent: int, received: int, number: int
    ) -> None:
        frame = self._frames[-1]
        begun = self._begun.pop(number, None)
        if begun is None:
            self._tally.hints["ends of collectives whose beginning is not in the trace"] += 1
            return
        found = self._collective(frame, code, communicator)
        if found is None:
            return
        kind, comm = found
        peer = root if kind.operation in ROOTED else 0
        operation = Operation[f"I{kind.operation.name}"]
        self.program.set(begun.position, op=operation, peer=peer, comm=comm, request=begun.request)
        call = CollectiveCall(kind, comm, begun.position, peer, sent, received)
        self.collectives[begun.order] = call
        frame.completed.append(begun.request)


_COUNTED = frozenset({Call.LOCAL, Call.INIT, Call.FINALIZE})
