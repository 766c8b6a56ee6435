"""One-sided calls of OTF2 traces: puts, gets, and what waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from odonata.traces.calls import Call
from odonata.traces.operations import Operation

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from odonata.traces.otf2_definitions import Definitions
    from odonata.traces.otf2_frames import Communicators, Frame, Tally
    from odonata.traces.table import RankProgram

UNKNOWN = ("RmaWaitChange",)
"""Records that the internal form cannot express; they are counted."""

_LOCKS = ("RmaAcquireLock", "RmaTryLock")
_ALL = ("_all",)
_NEED_RECORDS = (
    "put", "get", "rput", "rget", "accumulate", "raccumulate", "get_accumulate", "rget_accumulate",
    "fetch_and_op", "compare_and_swap", "win_fence", "win_post", "win_start", "win_complete",
    "win_wait",
)  # fmt: skip
"""Calls that leave a record, if the recorder knows one-sided calls."""
_OPEN, _CLOSED = 0, 1
"""Tags of the empty messages of active targets: you may, and I am done."""


_WAYS = {
    "post": (Operation.SEND, _OPEN),
    "start": (Operation.RECV, _OPEN),
    "complete": (Operation.SEND, _CLOSED),
    "wait": (Operation.RECV, _CLOSED),
    "test": (Operation.RECV, _CLOSED),
}
"""What a call of an active target does with each rank of its group, by its name."""


class Transfer(NamedTuple):
    """A put or a get that has begun."""

    comm: int
    peer: int
    is_get: bool


class OneSided:
    """Reads the one-sided records of one location.

    Parameters
    ----------
    rank : int
        Job rank.
    definitions : Definitions
        Of the trace.
    communicators : Communicators
        Shared by all ranks.
    program : RankProgram
        Gets the operations.
    tally : Tally
        Shared by all ranks.
    """

    def __init__(
        self,
        rank: int,
        definitions: Definitions,
        communicators: Communicators,
        program: RankProgram,
        tally: Tally,
    ) -> None:
        self._rank = rank
        self._windows = definitions.windows
        self._groups = definitions.groups
        self._communicators = communicators
        self._program = program
        self._tally = tally
        self._open: dict[tuple[int, int], Transfer] = {}

    def handlers(self, frame: Callable[[], Frame]) -> dict[str, Callable[..., None]]:
        """Return what takes the records; ``frame`` gives the call they stand in."""

        def begun(op: Operation) -> Callable[..., None]:
            def take(_: int, window: int, peer: int, size: int, number: int) -> None:
                self._begin(frame(), op, (window, number), (peer, size))

            return take

        def ended(*, is_remote: bool) -> Callable[..., None]:
            def take(_: int, window: int, number: int) -> None:
                self._end(frame(), (window, number), is_remote=is_remote)

            return take

        return {
            "RmaPut": begun(Operation.PUT),
            "RmaGet": begun(Operation.GET),
            "RmaOpCompleteBlocking": ended(is_remote=False),
            "RmaOpCompleteNonBlocking": ended(is_remote=False),
            "RmaOpTest": ended(is_remote=False),
            "RmaOpCompleteRemote": ended(is_remote=True),
            **self._synchronisations(frame),
        }

    def _synchronisations(self, frame: Callable[[], Frame]) -> dict[str, Callable[..., None]]:
        """Return what takes the records that are more than a transfer."""

        def atomic(_time: int, window: int, peer: int, _kind: int, *values: int) -> None:
            sent, received, number = values
            self._exchange(frame(), (window, number), peer, (sent, received))

        def grouped(_time: int, _level: int, window: int, group: int) -> None:
            self._synchronise(frame(), window, group)

        def locked(_: int) -> None:
            self._tally.hints["window locks, replayed without waiting"] += 1

        def met(_: int, _code: int, _level: int, window: int, *_rest: int) -> None:
            self._meet(frame(), window)

        return {
            "RmaCollectiveEnd": met,
            "RmaAtomic": atomic,
            "RmaGroupSync": grouped,
            **dict.fromkeys(_LOCKS, locked),
        }

    def _comm(self, window: int) -> int | None:
        communicator = self._windows.get(window)
        if communicator is None:
            self._tally.unsupported["one-sided call on a window without definition"] += 1
            return None
        comm = self._communicators.number(communicator, self._rank)
        if comm is None:
            self._tally.unsupported["one-sided call on an inter-communicator"] += 1
        return comm

    def _begin(
        self, frame: Frame, op: Operation, key: tuple[int, int], address: tuple[int, int]
    ) -> None:
        frame.record_seen = True
        comm = self._comm(key[0])
        if comm is None:
            return
        peer, size = address
        self._program.add_message(op, peer, comm, 0, size)
        self._open[key] = Transfer(comm, peer, op is Operation.GET)

    def _exchange(
        self, frame: Frame, key: tuple[int, int], peer: int, sizes: tuple[int, int]
    ) -> None:
        """An atomic operation: a put of what is sent, and a get of what comes back."""
        frame.record_seen = True
        comm = self._comm(key[0])
        if comm is None:
            return
        sent, received = sizes
        if sent or not received:
            self._program.add_message(Operation.PUT, peer, comm, 0, sent)
        if received:
            self._program.add_message(Operation.GET, peer, comm, 0, received)
        self._open[key] = Transfer(comm, peer, is_get=received > 0)

    def _synchronise(self, frame: Frame, window: int, group: int) -> None:
        """Post, start, complete or wait: empty messages between the ranks of two groups.

        They go through a communicator of their own, so that no message of the program meets them.
        """
        frame.record_seen = True
        comm = self._comm(window)
        if comm is None:
            return
        numbers = {rank: number for number, rank in enumerate(self._communicators.members[comm])}
        ranks = self._groups.get(group)
        if ranks is None or not numbers.keys() >= set(ranks):
            self._tally.unsupported[f"{frame.name} with a group that the window does not have"] += 1
            return
        peers = [numbers[rank] for rank in ranks]
        beside = self._communicators.beside(comm)
        name = frame.name.lower().removeprefix("mpi_win_")
        if name == "complete":
            frame.flushed = [one for one in frame.flushed if one[0] != comm or one[1] not in peers]
            for peer in peers:
                self._program.add(Operation.FLUSH, peer=peer, comm=comm)
        way = _WAYS.get(name)
        if way is None:
            self._tally.unsupported[f"RmaGroupSync in {frame.name}"] += 1
            return
        for peer in peers:
            self._program.add_message(way[0], peer, beside, way[1], 0)

    def _end(self, frame: Frame, key: tuple[int, int], *, is_remote: bool) -> None:
        """A put that ends here only leaves its buffer free, which it does at once in a replay."""
        frame.record_seen = True
        begun = self._open.get(key)
        if begun is None or not (is_remote or begun.is_get):
            return
        del self._open[key]
        if begun[:2] not in frame.flushed:
            frame.flushed.append(begun[:2])

    def _meet(self, frame: Frame, window: int) -> None:
        frame.record_seen = True
        if not frame.name.lower().endswith("win_fence"):
            return
        comm = self._comm(window)
        if comm is not None:
            frame.flushed.clear()
            self._program.add(Operation.FENCE, comm=comm)
            frame.is_fence = True

    def leave(self, frame: Frame) -> None:
        """Wait at the end of a call for what it has completed."""
        if frame.call is not Call.ONE_SIDED and not frame.flushed:
            return
        name = frame.name.lower().removeprefix("mpi_")
        if not frame.record_seen and name in _NEED_RECORDS:
            self._tally.unsupported[frame.name] += 1
        if frame.is_fence:
            return
        if name.endswith(_ALL):
            flushed = [(comm, -1) for comm in dict.fromkeys(comm for comm, _ in frame.flushed)]
        else:
            flushed = frame.flushed
        for comm, peer in flushed:
            self._program.add(Operation.FLUSH, peer=peer, comm=comm)


def counted(unsupported: Counter[str]) -> dict[str, Callable[..., None]]:
    """Return what counts the records that are left out, by name."""

    def count(name: str) -> Callable[..., None]:
        def add(*_: int) -> None:
            unsupported[name] += 1

        return add

    return {name: count(name) for name in UNKNOWN}
