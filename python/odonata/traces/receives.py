"""Finds the messages of receives of which a trace has only the beginning.

EZTrace 2.0 records when a nonblocking receive is posted, but neither which message it got nor in
which call of the wait family it ended. All messages are known from their sends. So the programs of
all ranks are walked together, in the order in which they could have run, and every open receive
gets a message that has been sent by then and that no blocking receive of the trace claims.

A wait takes the oldest request, a waitall all of them; of a series of tests the last one is taken
to have succeeded. Where that would stand still, a wait takes only what is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from odonata.traces.operations import COLLECTIVES, SENDS, Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odonata.traces.table import RankProgram


class Completes(Enum):
    """How many requests a call completes."""

    ONE = "one"
    ALL = "all"


class Completion(NamedTuple):
    """A call of the wait or test family, at a position of a program."""

    position: int
    kind: tuple[Completes, bool]
    """How many, and whether it may also complete none."""


_COMPLETIONS = {
    "mpi_wait": (Completes.ONE, False),
    "mpi_waitany": (Completes.ONE, False),
    "mpi_waitsome": (Completes.ONE, False),
    "mpi_waitall": (Completes.ALL, False),
    "mpi_test": (Completes.ONE, True),
    "mpi_testany": (Completes.ONE, True),
    "mpi_testsome": (Completes.ONE, True),
    "mpi_testall": (Completes.ALL, True),
}


def completion_of(name: str) -> tuple[Completes, bool] | None:
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


@dataclass
class _Inbox:
    """Messages to one rank that have been sent and not received."""

    queues: defaultdict[_Channel, deque[_Message]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    spare: Counter[_Channel] = field(default_factory=Counter)
    """Messages of the whole trace that no blocking receive takes, less those given out."""

    def available(self) -> int:
        """Count the messages that an open receive may take now."""
        return sum(min(len(self.queues[c]), left) for c, left in self.spare.items() if left > 0)

    def take_spare(self) -> tuple[_Channel, int]:
        """Take the one that its source sent the earliest, counted in messages."""
        open_ones = [c for c, left in self.spare.items() if left > 0 and self.queues[c]]
        channel = min(open_ones, key=lambda c: (self.queues[c][0].number, c))
        self.spare[channel] -= 1
        return channel, self.queues[channel].popleft().size


@dataclass
class _Walker:
    """How far one rank has come."""

    program: RankProgram
    completions: dict[int, tuple[Completes, bool]]
    position: int = 0
    requests: list[tuple[int, int | None]] = field(default_factory=list)
    """Open requests, oldest first: number, and position of the receive (sends: none)."""
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
        completions: Sequence[Sequence[Completion]],
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
        columns = self._walkers[rank].program.columns
        for position, op in enumerate(columns["op"]):
            if op in SENDS or op == Operation.RECV:
                comm, peer, tag = (columns[name][position] for name in ("comm", "peer", "tag"))
                if op == Operation.RECV:
                    self._inboxes[rank].spare[_Channel(comm, peer, tag)] -= 1
                else:
                    channel = _Channel(comm, self._place[comm][rank], tag)
                    self._inboxes[self._members[comm][peer]].spare[channel] += 1

    def run(self) -> None:
        """Walk to the end, or as far as it goes."""
        while True:
            moved = [self._advance(rank) for rank in range(len(self._walkers))]
            if not any(moved) and not any(map(self._give_way, range(len(self._walkers)))):
                break
        for rank, walker in enumerate(self._walkers):
            self._assign(rank, [request for request in walker.requests if request[1] is not None])

    def _advance(self, rank: int) -> bool:
        """Take operations of a rank until it has to wait; return whether there were any."""
        walker = self._walkers[rank]
        start = walker.position
        while not walker.is_done and self._take(rank, walker):
            walker.position += 1
            walker.turn = None
        return walker.position > start

    def _take(self, rank: int, walker: _Walker) -> bool:
        columns, at = walker.program.columns, walker.position
        op = columns["op"][at]
        if op in SENDS:
            self._send(rank, walker)
        elif op == Operation.RECV:
            channel = _Channel(columns["comm"][at], columns["peer"][at], columns["tag"][at])
            queue = self._inboxes[rank].queues[channel]
            if not queue:
                return False
            queue.popleft()
        elif op == Operation.IRECV:
            walker.requests.append((columns["request"][at], at))
        elif op in COLLECTIVES:
            return self._synchronise(walker)
        elif at in walker.completions:
            return self._complete(rank, walker)
        return True

    def _send(self, rank: int, walker: _Walker) -> None:
        columns, at = walker.program.columns, walker.position
        comm, tag = columns["comm"][at], columns["tag"][at]
        target = self._members[comm][columns["peer"][at]]
        channel = _Channel(comm, self._place[comm][rank], tag)
        self._sent[rank] += 1
        message = _Message(self._sent[rank], columns["bytes"][at])
        self._inboxes[target].queues[channel].append(message)
        if columns["op"][at] in {Operation.ISEND, Operation.ISSEND}:
            walker.requests.append((columns["request"][at], None))

    def _synchronise(self, walker: _Walker) -> bool:
        """Nobody leaves a collective before all members have come to it."""
        comm = walker.program.columns["comm"][walker.position]
        size = len(self._members[comm])
        if walker.turn is None:
            walker.turn = self._arrived[comm] // size
            self._arrived[comm] += 1
        return self._arrived[comm] >= (walker.turn + 1) * size

    def _complete(self, rank: int, walker: _Walker) -> bool:
        how_many, _ = walker.completions[walker.position]
        ended = walker.requests if how_many is Completes.ALL else walker.requests[:1]
        receives = [request for request in ended if request[1] is not None]
        if len(receives) > self._inboxes[rank].available():
            return False
        self._end(rank, walker, ended)
        return True

    def _give_way(self, rank: int) -> bool:
        """Let a rank that stands in a wait leave it with what there is."""
        walker = self._walkers[rank]
        if walker.is_done or walker.position not in walker.completions:
            return False
        there = self._inboxes[rank].available()
        receives = [request for request in walker.requests if request[1] is not None]
        late = set(receives[there:])
        how_many, _ = walker.completions[walker.position]
        if how_many is Completes.ALL:
            self._end(rank, walker, [r for r in walker.requests if r not in late])
        walker.position += 1
        return True

    def _end(self, rank: int, walker: _Walker, ended: list[tuple[int, int | None]]) -> None:
        """Complete requests: the call becomes a wait for them."""
        ended = list(ended)
        self._assign(rank, [request for request in ended if request[1] is not None])
        walker.program.set_wait(walker.position, [number for number, _ in ended])
        gone = set(ended)
        walker.requests = [request for request in walker.requests if request not in gone]

    def _assign(self, rank: int, receives: list[tuple[int, int | None]]) -> None:
        """Give receives their messages; those for which there is none are left out."""
        program, inbox = self._walkers[rank].program, self._inboxes[rank]
        for _, position in receives:
            if position is None:
                continue
            if not inbox.available():
                program.set(position, op=Operation.NOTHING)
                continue
            channel, size = inbox.take_spare()
            program.set(
                position, peer=channel.source, comm=channel.comm, tag=channel.tag, bytes=size
            )
            self.found += 1


def _last_of_series(
    program: RankProgram, completions: Sequence[Completion]
) -> dict[int, tuple[Completes, bool]]:
    """Keep all waits, and of tests with nothing but computation in between the last one."""
    kept: dict[int, tuple[Completes, bool]] = {}
    ops = program.columns["op"]
    for number, (position, kind) in enumerate(completions):
        _, may_fail = kind
        following = completions[number + 1 : number + 2]
        if may_fail and following and following[0].kind[1]:
            between = set(ops[position + 1 : following[0].position])
            if between <= {Operation.COMPUTE, Operation.NOTHING}:
                continue
        kept[position] = kind
    return kept


def find_messages(
    programs: Sequence[RankProgram],
    completions: Sequence[Sequence[Completion]],
    communicators: Sequence[Sequence[int]],
) -> tuple[int, int]:
    """Give every receive of unknown message one, and every call of the wait family its requests.

    Parameters
    ----------
    programs : sequence of RankProgram
        By rank; their ``unknown_receives`` and waits are filled in.
    completions : sequence of sequence of Completion
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
    return walk.found, sum(len(program.unknown_receives) for program in programs) - walk.found
