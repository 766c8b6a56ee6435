"""Collectives written out as messages, for forms that have none.

The algorithms are those of the simulator (:func:`odonata.core.native.collective_rounds`); which one
is the same for every size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

from odonata.core import native
from odonata.core.errors import TraceError
from odonata.traces.operations import ROOTED, Columns, Operation

FIRST_TAG = 1_000_000
"""Tags of written-out collectives begin here, as those of Schedgen do."""

_TAGS = (1 << 24) - FIRST_TAG
"""So many there are; then they begin again."""

_BARRIER = 1
"""Bytes of a message of a barrier: LogGOPSim counts the bytes behind the first."""


class Message(NamedTuple):
    """One message of one rank; the partner is a rank of the communicator."""

    is_send: bool
    peer: int
    size: int


Round = list[Message]
"""Messages of one rank that go at once, after those of the round before."""


class Group(NamedTuple):
    """All ranks of a collective, as one of them sees it.

    Attributes
    ----------
    me, size, root : int
        Ranks in the communicator, and their number.
    each : list of int
        ``bytes`` of every member.
    lists : list of list of int
        ``aux`` of every member.
    """

    me: int
    size: int
    root: int
    each: list[int]
    lists: list[list[int]]

    @property
    def own(self) -> int:
        """Bytes of this member."""
        return self.each[self.me]


Sizes = tuple[list[int], list[int]]
"""Of blocks that a rank sends, and of blocks that it receives: one for all, or one for each."""


def _none(_: Group) -> Sizes:
    return [0], [0]


def _own(group: Group) -> Sizes:
    return [group.own], [group.own]


def _of_each(group: Group) -> Sizes:
    return group.each, group.each


def _same_to_all(group: Group) -> Sizes:
    return [group.own], group.each


def _to_each(group: Group) -> Sizes:
    everybody = range(group.size)
    return (
        [_block(group, group.me, to) for to in everybody],
        [_block(group, source, group.me) for source in everybody],
    )


def _own_blocks(group: Group) -> Sizes:
    blocks = [_block(group, to, to) for to in range(group.size)]
    return blocks, blocks


def _block(group: Group, of: int, place: int) -> int:
    """Block at a place of the list of a member; without one its total is divided nearly equally."""
    if sizes := group.lists[of]:
        return sizes[place]
    share, rest = divmod(group.each[of], group.size)
    return share + (place < rest)


_WAYS: dict[str, tuple[str, str, Callable[[Group], Sizes]]] = {
    "BARRIER": ("barrier", "dissemination", _none),
    "BCAST": ("bcast", "binomial", _own),
    "REDUCE": ("reduce", "binomial", _own),
    "ALLREDUCE": ("allreduce", "recursive-doubling", _own),
    "ALLGATHER": ("allgather", "ring", _of_each),
    "ALLGATHERV": ("allgather", "ring", _of_each),
    "ALLTOALL": ("alltoall", "pairwise", _same_to_all),
    "ALLTOALLV": ("alltoall", "pairwise", _to_each),
    "REDUCE_SCATTER": ("reduce_scatter", "pairwise", _own_blocks),
    "GATHER": ("gather", "linear", _of_each),
    "GATHERV": ("gather", "linear", _of_each),
    "SCATTER": ("scatter", "linear", _of_each),
    "SCATTERV": ("scatter", "linear", _of_each),
    "SCAN": ("scan", "linear", _own),
}
"""Collective and algorithm, as the parameters of MPI name them, and where its sizes are from."""


def _written_out(name: str, group: Group) -> list[Round]:
    kind, algorithm, sizes = _WAYS[name if name in _WAYS else name.removeprefix("I")]
    sent, received = sizes(group)
    call = native.CollectiveCall(kind, algorithm, group.me, group.size, group.root, sent, received)
    least = _BARRIER if kind == "barrier" else 0
    found = [
        [Message(is_send, peer, max(size, least)) for is_send, peer, size in one]
        for one in native.collective_rounds(call)
    ]
    if algorithm != "pairwise":
        return found
    kept = ([message for message in one if message.size] for one in found)
    return [one for one in kept if one]


class Expansion:
    """Writes out the collectives of a trace.

    Raises
    ------
    odonata.errors.TraceError
        If members of a communicator call different numbers of collectives.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._order: dict[int, int] = {}
        table = native.Table.of(columns)
        for rank in range(len(columns["rank_offsets"]) - 1):
            for at in table.core.collectives(rank):
                rows = self._rows[int(columns["comm"][at]), rank]
                self._order[at] = len(rows)
                rows.append(at)
        self._first = self._number()

    def _number(self) -> dict[int, int]:
        """Number of the first collective of each communicator."""
        counts: Counter[int] = Counter()
        for (comm, rank), rows in self._rows.items():
            if counts.setdefault(comm, len(rows)) != len(rows):
                message = (
                    f"rank {rank} calls {len(rows)} collectives on communicator {comm}, and "
                    f"another rank {counts[comm]}: they cannot be expanded"
                )
                raise TraceError(message)
        first, found = 0, {}
        for comm in sorted(counts):
            found[comm] = first
            first += counts[comm]
        return found

    def __bool__(self) -> bool:
        return bool(self._order)

    def members(self, at: int) -> list[int]:
        """Ranks of the job in the communicator of an operation."""
        comm = int(self._columns["comm"][at])
        begin, end = (int(value) for value in self._columns["comm_offsets"][comm : comm + 2])
        members: list[int] = self._columns["comm_members"][begin:end].tolist()
        return members

    def tag(self, at: int) -> int:
        """Return the tag of the messages of a collective."""
        number = self._first[int(self._columns["comm"][at])] + self._order[at]
        return FIRST_TAG + number % _TAGS

    def rounds(self, at: int, rank: int) -> list[Round]:
        """Return the messages of a rank in a collective."""
        columns, comm = self._columns, int(self._columns["comm"][at])
        members, order = self.members(at), self._order[at]
        try:
            rows = [self._rows[comm, member][order] for member in members]
        except IndexError:
            message = f"rank {rank}: not all members of communicator {comm} call its collectives"
            raise TraceError(message) from None
        lists = []
        for row in rows:
            begin = int(columns["aux_begin"][row])
            lists.append(columns["aux"][begin : begin + int(columns["aux_count"][row])].tolist())
        operation = Operation(int(columns["op"][at]))
        group = Group(
            members.index(rank),
            len(members),
            int(columns["peer"][at]) if operation in ROOTED else 0,
            [int(columns["bytes"][row]) for row in rows],
            lists,
        )
        if group.root >= group.size:
            message = f"rank {rank}: root {group.root} of a collective among {group.size} ranks"
            raise TraceError(message)
        return _written_out(operation.name, group) if group.size > 1 else []
