"""What TAU leaves out of an OTF2 trace: which request a call ends, communicators and roots."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from odonata.traces.collectives import COLLECTIVE_CODES, EZTRACE, Calls, Kind, Recorded, Sizes
from odonata.traces.operations import Operation
from odonata.traces.receives import Completes, completion_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from odonata.traces.collectives import CollectiveCall
    from odonata.traces.table import RankProgram

NONBLOCKING_SENDS = frozenset(
    f"mpi_{name}" for name in ("isend", "ibsend", "issend", "irsend", "start", "startall")
)
"""Calls in which a send begins and does not end."""

_BY_NAME = ("barrier", "bcast", "gather", "scatter", "allgather", "alltoall", "allreduce")
KINDS = {
    f"mpi_{kind.name}": kind
    for kind in COLLECTIVE_CODES.values()
    if kind.name in (*_BY_NAME, "reduce", "scan")
}
"""Collectives of which name and size say what a rank sends, by the call."""

WITHOUT_SIZE = frozenset({"barrier", "gather"})
"""Collectives of which some or all ranks record no size."""

_EQUAL = frozenset({"bcast", "allgather", "alltoall", "allreduce", "reduce", "scan"})
"""Collectives whose size is the same at all ranks."""


class _Frame(Protocol):
    name: str
    completed: list[int]
    record_seen: bool


class Unnamed:
    """Requests of one rank that no record names: they follow from the order of the calls.

    A message that comes in a wait or test is that of the oldest open receive. A wait in which none
    comes ends the oldest open send, a waitall all of them.

    Parameters
    ----------
    program : RankProgram
        Of the rank.
    hints : collections.Counter of str
        Takes how many there are.
    """

    def __init__(self, program: RankProgram, hints: Counter[str]) -> None:
        self._program = program
        self._hints = hints
        self._sends: deque[int] = deque()
        self._receives: deque[int] = deque()

    def clear(self) -> None:
        """Forget all of them."""
        self._sends.clear()
        self._receives.clear()

    def send(self) -> int:
        """Return the request of a send that begins."""
        self._note()
        request = self._program.new_request()
        self._sends.append(request)
        return request

    def receive(self, call: str) -> int | None:
        """Return the position of the receive that ends in a call; None: it has none."""
        if completion_of(call) is None or not self._receives:
            return None
        self._note()
        return self._receives.popleft()

    def leave(self, frame: _Frame) -> None:
        """Take note of the end of a call."""
        if frame.name.lower() == "mpi_irecv" and not frame.record_seen:
            self._receives.append(self._program.add(Operation.NOTHING))
        completion = completion_of(frame.name) if self._sends else None
        if completion is None or completion[1]:  # of a test nobody knows whether it ended any
            return
        if completion[0] is Completes.ALL:
            frame.completed.extend(self._sends)
            self._sends.clear()
        elif not frame.completed:
            frame.completed.append(self._sends.popleft())

    def finish(self) -> None:
        """Wait for what is still open."""
        if self._sends:
            self._program.add_wait(list(self._sends))
            self._sends.clear()

    def _note(self) -> None:
        self._hints[
            "nonblocking messages without a request in the trace; which call ends them follows "
            "from the order of the calls"
        ] += 1


def _of_root(recorded: Recorded) -> Sizes:
    return Sizes([max(recorded.sent)] * recorded.size, [])


def _as_given(recorded: Recorded) -> Sizes:
    return Sizes(recorded.sent, [])


TAU: dict[str, Callable[[Recorded], Sizes]] = {
    **EZTRACE,
    "gather": _of_root,
    "scatter": _of_root,
    "scan": _as_given,
}
"""TAU: the product of count and size of type; of gathers only the root has one."""


def agreed(
    programs: Sequence[RankProgram],
    calls: Sequence[Calls],
    hints: Counter[str],
    unsupported: Counter[str],
) -> Sequence[Calls]:
    """Keep the collectives if all ranks have called the same ones, in sizes, too.

    Then they can have been those of all ranks. Otherwise some were of fewer, nobody knows which.

    Parameters
    ----------
    programs : sequence of RankProgram
        By rank; they lose what is not kept.
    calls : sequence of Calls
        By rank, in program order.
    hints, unsupported : collections.Counter of str
        Take how many were kept, and which were not.

    Returns
    -------
    sequence of Calls
        Those that are kept.
    """

    def told(call: CollectiveCall) -> tuple[Kind, int]:
        return call.kind, call.sent if call.kind.name in _EQUAL else 0

    def agree(own: Calls) -> bool:
        pairs = zip(calls[0], own, strict=False)
        return len(own) == len(calls[0]) and all(told(one) == told(two) for one, two in pairs)

    if all(map(agree, calls)):
        if calls[0]:
            hints[
                "collectives whose communicator and root TAU does not record, replayed over all "
                "ranks with root 0"
            ] += len(calls[0])
        return calls
    for program, own in zip(programs, calls, strict=True):
        for call in own:
            program.set(call.position, op=Operation.NOTHING)
            name = call.kind.name.capitalize()
            unsupported[f"MPI_{name} on a communicator that TAU does not record"] += 1
    return [Calls() for _ in calls]
