"""Collectives written out as messages, for forms that have none.

The algorithms are common ones, the same for every size: a dissemination barrier, binomial trees for
a broadcast and a reduction, recursive doubling for an allreduce, a ring for an allgather, all pairs
in turn for an alltoall and a reduce-scatter, the root with each for a gather and a scatter, a chain
for a scan.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from odonata.errors import TraceError
from odonata.traces.operations import COLLECTIVES, Columns, Operation

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

    def away(self, distance: int) -> int:
        """The member at a distance, around the circle."""
        return (self.me + distance) % self.size


def _send(peer: int, size: int) -> Message:
    return Message(True, peer, size)  # noqa: FBT003


def _receive(peer: int, size: int) -> Message:
    return Message(False, peer, size)  # noqa: FBT003


def _barrier(group: Group) -> list[Round]:
    distances = [1 << k for k in range((group.size - 1).bit_length())]
    return [
        [_send(group.away(far), _BARRIER), _receive(group.away(-far), _BARRIER)]
        for far in distances
    ]


def _masks(group: Group) -> list[int]:
    return [1 << k for k in range((group.size - 1).bit_length())]


def _bcast(group: Group) -> list[Round]:
    """Down a binomial tree: the farthest child first."""
    seat = group.away(-group.root)
    found: list[Round] = []
    children = _masks(group)
    for mask in _masks(group):
        if seat & mask:
            found.append([_receive((seat - mask + group.root) % group.size, group.own)])
            children = [one for one in children if one < mask]
            break
    below = [seat + mask for mask in reversed(children) if seat + mask < group.size]
    return [*found, *([_send((one + group.root) % group.size, group.own)] for one in below)]


def _reduce(group: Group) -> list[Round]:
    """Up the same tree."""
    return [
        [Message(not is_send, peer, size) for is_send, peer, size in one]
        for one in reversed(_bcast(group))
    ]


def _allreduce(group: Group) -> list[Round]:
    """Recursive doubling; where ranks are no power of two, the first ones meet in pairs."""
    most = 1 << (group.size.bit_length() - 1)
    pairs, me, size = group.size - most, group.me, group.own
    if me < 2 * pairs and me % 2 == 0:
        return [[_send(me + 1, size)], [_receive(me + 1, size)]]
    seat = me // 2 if me < 2 * pairs else me - pairs
    found: list[Round] = [[_receive(me - 1, size)]] if me < 2 * pairs else []
    for mask in (1 << k for k in range(most.bit_length() - 1)):
        other = seat ^ mask
        peer = 2 * other + 1 if other < pairs else other + pairs
        found.append([_send(peer, size), _receive(peer, size)])
    return [*found, [_send(me - 1, size)]] if me < 2 * pairs else found


def _allgather(group: Group) -> list[Round]:
    """A ring, on which the block of each goes around."""
    return [
        [
            _send(group.away(1), group.each[group.away(-step)]),
            _receive(group.away(-1), group.each[group.away(-step - 1)]),
        ]
        for step in range(group.size - 1)
    ]


def _pairs(group: Group, size: Callable[[int, int], int]) -> list[Round]:
    """Each with each in turn; `size` says what one sends to another."""
    found = []
    for far in range(1, group.size):
        to, source = group.away(far), group.away(-far)
        both = [_send(to, size(group.me, to)), _receive(source, size(source, group.me))]
        found.append([message for message in both if message.size])
    return [one for one in found if one]


def _share(total: int, size: int, place: int) -> int:
    """Divide a total nearly equally: the first ones get the rest."""
    share, rest = divmod(total, size)
    return share + (place < rest)


def _alltoall(group: Group) -> list[Round]:
    return _pairs(group, lambda source, _: group.each[source])


def _alltoallv(group: Group) -> list[Round]:
    def size(source: int, to: int) -> int:
        sizes = group.lists[source]  # sizes to each, and perhaps from each behind them
        return sizes[to] if sizes else _share(group.each[source], group.size, to)

    return _pairs(group, size)


def _reduce_scatter(group: Group) -> list[Round]:
    def block(_: int, to: int) -> int:
        blocks = group.lists[to]
        return blocks[to] if blocks else _share(group.each[to], group.size, to)

    return _pairs(group, block)


def _to_root(group: Group) -> list[Round]:
    if group.me != group.root:
        return [[_send(group.root, group.own)]]
    others = (one for one in range(group.size) if one != group.root)
    return [[_receive(one, group.each[one]) for one in others]]


def _from_root(group: Group) -> list[Round]:
    return [[Message(not is_send, *rest) for is_send, *rest in one] for one in _to_root(group)]


def _scan(group: Group) -> list[Round]:
    before = [[_receive(group.me - 1, group.own)]] if group.me else []
    behind = [[_send(group.me + 1, group.own)]] if group.me + 1 < group.size else []
    return [*before, *behind]


_ROUNDS: dict[str, Callable[[Group], list[Round]]] = {
    "BARRIER": _barrier,
    "BCAST": _bcast,
    "REDUCE": _reduce,
    "ALLREDUCE": _allreduce,
    "ALLGATHER": _allgather,
    "ALLGATHERV": _allgather,
    "ALLTOALL": _alltoall,
    "ALLTOALLV": _alltoallv,
    "REDUCE_SCATTER": _reduce_scatter,
    "GATHER": _to_root,
    "GATHERV": _to_root,
    "SCATTER": _from_root,
    "SCATTERV": _from_root,
    "SCAN": _scan,
}


class Expansion:
    """Writes out the collectives of a trace.

    Parameters
    ----------
    columns : dict of str to numpy.ndarray
        The trace.

    Raises
    ------
    odonata.errors.TraceError
        If members of a communicator call different numbers of collectives.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._order: dict[int, int] = {}
        is_ours = np.isin(columns["op"], [int(one) for one in COLLECTIVES])
        offsets = columns["rank_offsets"]
        for at in np.flatnonzero(is_ours).tolist():
            rank = int(np.searchsorted(offsets, at, side="right")) - 1
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
                    f"rank {rank} calls {len(rows)} collectives on communicator {comm}, another "
                    f"one {counts[comm]}: they cannot be written out"
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
        group = Group(
            members.index(rank),
            len(members),
            int(columns["peer"][at]),
            [int(columns["bytes"][row]) for row in rows],
            lists,
        )
        name = Operation(int(columns["op"][at])).name
        rounds = _ROUNDS[name if name in _ROUNDS else name.removeprefix("I")]
        return rounds(group) if group.size > 1 else []
