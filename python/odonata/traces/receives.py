"""Finds the messages of receives of which a trace has only the beginning.

EZTrace 2.0 records when a nonblocking receive is posted, but neither which message it got nor in
which call of the wait family it ended. All messages are known from their sends. So the programs of
all ranks are walked together, in the order in which they could have run, and every open receive
gets a message that has been sent by then and that no blocking receive of the trace claims or would
have left to it.

A wait takes the oldest request, a waitall all of them; of a series of tests the last one is taken
to have succeeded. Where that would stand still, a wait takes only what is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from odonata.core import native
from odonata.traces.operations import COLLECTIVES, RECEIVES, SENDS, Operation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from odonata.traces.table import RankProgram


class Completes(Enum):
    """How many requests a call completes."""

    ONE = "one"
    ALL = "all"


Kind = tuple[Completes, bool]
"""How many requests, and whether it may also complete none."""

_KINDS: tuple[Kind, ...] = tuple((many, may) for many in Completes for may in (False, True))

_ONE, _ONE_OR_NONE, _ALL, _ALL_OR_NONE = _KINDS
_COMPLETIONS = {
    "mpi_wait": _ONE,
    "mpi_waitany": _ONE,
    "mpi_waitsome": _ONE,
    "mpi_waitall": _ALL,
    "mpi_test": _ONE_OR_NONE,
    "mpi_testany": _ONE_OR_NONE,
    "mpi_testsome": _ONE_OR_NONE,
    "mpi_testall": _ALL_OR_NONE,
}


class Completions:
    """Calls of the wait or test family of a rank, by their positions, ascending; packed."""

    __slots__ = ("_next", "_packed")

    def __init__(self) -> None:
        self._packed = native.Numbers()
        self._next = 0

    def __len__(self) -> int:
        return len(self._packed)

    def __getitem__(self, place: int) -> tuple[int, Kind]:
        position, kind = divmod(self._packed[place], len(_KINDS))
        return position, _KINDS[kind]

    def add(self, position: int, kind: Kind) -> None:
        """Add one behind the others."""
        self._packed.append(position * len(_KINDS) + _KINDS.index(kind))

    def at(self, position: int) -> Kind | None:
        """What is completed at a position; asked for positions that do not fall."""
        while self._next < len(self):
            here, kind = self[self._next]
            if here >= position:
                return kind if here == position else None
            self._next += 1
        return None

    def clear(self) -> None:
        """Forget all of them."""
        self._packed.clear()

    def close(self) -> None:
        """Pack what is not packed yet."""
        self._packed.close()


def completion_of(name: str) -> Kind | None:
    """Return what a call completes; None: it is not of the wait or test family."""
    return _COMPLETIONS.get(name.lower())


class _Channel(NamedTuple):
    """Where messages stay in order."""

    comm: int
    source: int
    tag: int


class _Message(NamedTuple):
    number: int
    """Among all those of its source: about the same for messages of one phase of the program."""
    size: int


class _Queue:
    """Whole numbers, first in, first out; packed."""

    __slots__ = ("_first", "_values")

    def __init__(self) -> None:
        self._values = native.Numbers()
        self._first = 0

    def __bool__(self) -> bool:
        return self._first < len(self._values)

    def append(self, value: int) -> None:
        if not self:
            self._values.clear()
            self._first = 0
        self._values.append(value)

    def first(self) -> int:
        return self._values[self._first]

    def popleft(self) -> int:
        self._first += 1
        return self._values[self._first - 1]

    def close(self) -> None:
        self._values.close()


class _Messages:
    """Messages of a channel that have been sent and not received."""

    __slots__ = ("_numbers", "_sizes")

    def __init__(self) -> None:
        self._numbers, self._sizes = _Queue(), _Queue()

    def __bool__(self) -> bool:
        return bool(self._sizes)

    def append(self, message: _Message) -> None:
        self._numbers.append(message.number)
        self._sizes.append(message.size)

    def first(self) -> _Message:
        return _Message(self._numbers.first(), self._sizes.first())

    def popleft(self) -> _Message:
        return _Message(self._numbers.popleft(), self._sizes.popleft())


@dataclass
class _Inbox:
    """Messages to one rank that have been sent and not received."""

    queues: defaultdict[_Channel, _Messages] = field(default_factory=lambda: defaultdict(_Messages))
    spare: Counter[_Channel] = field(default_factory=Counter)
    """Messages of the whole trace that no blocking receive takes, less those given out."""
    awaited: defaultdict[_Channel, _Queue] = field(default_factory=lambda: defaultdict(_Queue))
    """Sizes of the blocking receives that are still to come."""
    received: dict[_Channel, int] = field(default_factory=dict)
    """Position of the last blocking receive."""

    def find(self, position: int) -> _Channel | None:
        """Find a message for the receive that was posted at a position; none: not yet.

        Of those that their sources sent the earliest, counted in messages, one that no blocking
        receive looks for next, if there is one. Not of a channel of which a blocking receive that
        was posted later has had a message: this one would have taken it.
        """
        found = [
            channel
            for channel, left in self.spare.items()
            if left > 0 and self.queues[channel] and self.received.get(channel, -1) < position
        ]
        return min(found, key=self._order, default=None)

    def _order(self, channel: _Channel) -> tuple[bool, int, _Channel]:
        head, awaited = self.queues[channel].first(), self.awaited[channel]
        return bool(awaited) and awaited.first() == head.size, head.number, channel

    def take_spare(self, channel: _Channel) -> int:
        """Take the next message of a channel for an open receive; return its size."""
        self.spare[channel] -= 1
        return self.queues[channel].popleft().size

    def receive(self, channel: _Channel, position: int) -> bool:
        """Let a blocking receive take its message; return whether it is there."""
        if not self.queues[channel]:
            return False
        self.queues[channel].popleft()
        self.awaited[channel].popleft()
        self.received[channel] = position
        return True

    def is_for_another(self, channel: _Channel) -> bool:
        """Whether the next message has another size than the blocking receive that looks at it."""
        queue = self.queues[channel]
        is_spare = self.spare[channel] > 0
        return is_spare and bool(queue) and queue.first().size != self.awaited[channel].first()


@dataclass
class _Open:
    """A request that has not been waited for."""

    number: int
    position: int | None = None
    """Of a receive that has no message yet."""


@dataclass
class _Walker:
    """How far one rank has come."""

    program: RankProgram
    completions: Completions
    position: int = 0
    requests: list[_Open] = field(default_factory=list)
    """Open requests, oldest first."""
    turn: int | None = None
    """At a collective: which one of its communicator it is; none before it has been counted."""

    @property
    def is_done(self) -> bool:
        return self.position >= len(self.program)


class _Walk:
    """The programs of all ranks, advanced together."""

    def __init__(
        self,
        programs: Sequence[RankProgram],
        completions: Sequence[Completions],
        communicators: Sequence[Sequence[int]],
    ) -> None:
        self._members = communicators
        self._place = [{m: at for at, m in enumerate(members)} for members in communicators]
        self._walkers = [
            _Walker(program, _last_of_series(program, own))
            for program, own in zip(programs, completions, strict=True)
        ]
        self._inboxes = [_Inbox() for _ in programs]
        self._sent: Counter[int] = Counter()
        self._arrived: Counter[int] = Counter()
        self.found = 0
        for rank in range(len(programs)):
            self._claim(rank)

    def _claim(self, rank: int) -> None:
        """Count what the sends and blocking receives of a rank add to and take from channels."""
        inbox = self._inboxes[rank]
        for _, op, comm, peer, tag, size in _messages(self._walkers[rank].program):
            if op == Operation.RECV:
                channel = _Channel(comm, peer, tag)
                inbox.spare[channel] -= 1
                inbox.awaited[channel].append(size)
            elif op in SENDS:
                channel = _Channel(comm, self._place[comm][rank], tag)
                self._inboxes[self._members[comm][peer]].spare[channel] += 1
        for queue in inbox.awaited.values():
            queue.close()

    def run(self) -> None:
        """Walk to the end, or as far as it goes."""
        while True:
            moved = [self._advance(rank) for rank in range(len(self._walkers))]
            if not any(moved) and not any(map(self._give_way, range(len(self._walkers)))):
                break
        for rank, walker in enumerate(self._walkers):
            self._inboxes[rank].received.clear()  # what is left over goes to what is left over
            for request in walker.requests:
                if not self._is_served(rank, request) and request.position is not None:
                    walker.program.set(request.position, op=Operation.NOTHING)
        self._settle_sizes()

    def _settle_sizes(self) -> None:
        """Give receives of one channel the sizes of its messages in the order in which they match.

        Where blocking receives stand between others that order may not be the one of the walk.
        """
        sent = self._all_sent()
        for rank, walker in enumerate(self._walkers):
            for at, op, comm, peer, tag, size in _messages(walker.program):
                queue = sent.get((rank, _Channel(comm, peer, tag))) if op in RECEIVES else None
                if queue:
                    arrives = queue.popleft()
                    if arrives != size:
                        walker.program.put("bytes", at, arrives)

    def _all_sent(self) -> dict[tuple[int, _Channel], _Queue]:
        """Sizes of all messages by destination and channel."""
        sent: defaultdict[tuple[int, _Channel], _Queue] = defaultdict(_Queue)
        for rank, walker in enumerate(self._walkers):
            for _, op, comm, peer, tag, size in _messages(walker.program):
                if op in SENDS:
                    target = self._members[comm][peer]
                    sent[target, _Channel(comm, self._place[comm][rank], tag)].append(size)
        for queue in sent.values():
            queue.close()
        return sent

    def _advance(self, rank: int) -> bool:
        """Take operations of a rank until it has to wait; return whether there were any."""
        walker = self._walkers[rank]
        start = walker.position
        while not walker.is_done and self._take(rank, walker):
            walker.position += 1
            walker.turn = None
        return walker.position > start

    def _take(self, rank: int, walker: _Walker) -> bool:
        program, at = walker.program, walker.position
        op = program.get("op", at)
        if op in SENDS:
            self._send(rank, walker)
        elif op == Operation.RECV:
            return self._receive(rank, walker)
        elif op == Operation.IRECV:
            walker.requests.append(_Open(program.get("request", at), at))
        elif op in COLLECTIVES:
            return self._synchronise(walker)
        elif walker.completions.at(at) is not None:
            return self._complete(rank, walker)
        return True

    def _receive(self, rank: int, walker: _Walker) -> bool:
        at = walker.position
        channel = _Channel(*(walker.program.get(name, at) for name in ("comm", "peer", "tag")))
        inbox = self._inboxes[rank]
        while inbox.is_for_another(channel):
            oldest = next((r for r in walker.requests if r.position is not None), None)
            if oldest is None:
                break
            self._give(rank, oldest, channel)
        return inbox.receive(channel, at)

    def _send(self, rank: int, walker: _Walker) -> None:
        get, at = walker.program.get, walker.position
        comm, tag = get("comm", at), get("tag", at)
        target = self._members[comm][get("peer", at)]
        channel = _Channel(comm, self._place[comm][rank], tag)
        self._sent[rank] += 1
        message = _Message(self._sent[rank], get("bytes", at))
        self._inboxes[target].queues[channel].append(message)
        if get("op", at) in {Operation.ISEND, Operation.ISSEND}:
            walker.requests.append(_Open(get("request", at)))

    def _synchronise(self, walker: _Walker) -> bool:
        """Nobody leaves a collective before all members have come to it."""
        comm = walker.program.get("comm", walker.position)
        size = len(self._members[comm])
        if walker.turn is None:
            walker.turn = self._arrived[comm] // size
            self._arrived[comm] += 1
        return self._arrived[comm] >= (walker.turn + 1) * size

    def _complete(self, rank: int, walker: _Walker) -> bool:
        ended_here = walker.completions.at(walker.position)
        how_many = Completes.ONE if ended_here is None else ended_here[0]
        ended = walker.requests if how_many is Completes.ALL else walker.requests[:1]
        served = [self._is_served(rank, request) for request in ended]  # all of them: no shortcut
        if not all(served):
            return False
        self._end(walker, ended)
        return True

    def _is_served(self, rank: int, request: _Open) -> bool:
        """Whether a request can end: a send can, a receive if it has its message or finds one."""
        if request.position is None:
            return True
        channel = self._inboxes[rank].find(request.position)
        if channel is not None:
            self._give(rank, request, channel)
        return channel is not None

    def _give(self, rank: int, request: _Open, channel: _Channel) -> None:
        """Give a receive the next message of a channel."""
        comm, peer, tag = channel
        size = self._inboxes[rank].take_spare(channel)
        program, position = self._walkers[rank].program, request.position
        if position is not None:
            program.set(position, peer=peer, comm=comm, tag=tag, bytes=size)
        request.position = None
        self.found += 1

    def _give_way(self, rank: int) -> bool:
        """Let a rank that stands in a wait leave it with what there is."""
        walker = self._walkers[rank]
        kind = None if walker.is_done else walker.completions.at(walker.position)
        if kind is None:
            return False
        if kind[0] is Completes.ALL:
            self._end(walker, [r for r in walker.requests if r.position is None])
        walker.position += 1
        return True

    @staticmethod
    def _end(walker: _Walker, ended: list[_Open]) -> None:
        """Complete requests: the call becomes a wait for them."""
        walker.program.set_wait(walker.position, [request.number for request in ended])
        gone = {request.number for request in ended}
        walker.requests = [r for r in walker.requests if r.number not in gone]


def _last_of_series(program: RankProgram, completions: Completions) -> Completions:
    """Keep all waits, and of tests with nothing but computation in between the last one."""
    kept = Completions()
    for number in range(len(completions)):
        position, kind = completions[number]
        if kind[1] and number + 1 < len(completions):
            then, (_, may_fail) = completions[number + 1]
            between = set(program.part("op", position + 1, then).tolist()) if may_fail else {-1}
            if between <= {Operation.COMPUTE, Operation.NOTHING}:
                continue
        kept.add(position, kind)
    kept.close()
    return kept


def _messages(program: RankProgram) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Position, operation, communicator, partner, tag and size of every message."""
    for begin in range(0, len(program), _PART):
        names = ("op", "comm", "peer", "tag", "bytes")
        columns = [program.part(name, begin, begin + _PART) for name in names]
        found = np.flatnonzero(np.isin(columns[0], _MESSAGES))
        rows = zip(*(column[found].tolist() for column in columns), strict=True)
        for at, row in zip((found + begin).tolist(), rows, strict=True):
            yield at, *row


_MESSAGES = [int(one) for one in (*SENDS, *RECEIVES)]
_PART = 4096
"""Operations that are unpacked at a time."""


def find_messages(
    programs: Sequence[RankProgram],
    completions: Sequence[Completions],
    communicators: Sequence[Sequence[int]],
) -> tuple[int, int]:
    """Give every receive of unknown message one, and every call of the wait family its requests.

    Parameters
    ----------
    programs : sequence of RankProgram
        By rank; their ``unknown receives`` and waits are filled in.
    completions : sequence of Completions
        By rank: calls of the wait and test family.
    communicators : sequence of sequence of int
        Job ranks of each communicator.

    Returns
    -------
    tuple of int
        Receives that got a message, and receives for which there is none, which are left out.
    """
    walk = _Walk(programs, completions, communicators)
    walk.run()
    return walk.found, sum(program.unknown_receives for program in programs) - walk.found
