"""Sizes of collectives, from the sums that all members of a communicator recorded.

A trace has two numbers per rank and collective: bytes sent and bytes received. What they count
depends on who wrote the trace, and on whether the program gave ``MPI_IN_PLACE``, which no trace
says. What one rank cannot know often follows from the others; see ``docs/traces.md``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from odonata.core import native
from odonata.traces.operations import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from odonata.traces.table import RankProgram


class Kind(NamedTuple):
    """A collective of MPI and the operation that replays it."""

    name: str
    operation: Operation


COLLECTIVE_CODES = {
    0: Kind("barrier", Operation.BARRIER),
    1: Kind("bcast", Operation.BCAST),
    2: Kind("gather", Operation.GATHER),
    3: Kind("gatherv", Operation.GATHERV),
    4: Kind("scatter", Operation.SCATTER),
    5: Kind("scatterv", Operation.SCATTERV),
    6: Kind("allgather", Operation.ALLGATHER),
    7: Kind("allgatherv", Operation.ALLGATHERV),
    8: Kind("alltoall", Operation.ALLTOALL),
    9: Kind("alltoallv", Operation.ALLTOALLV),
    10: Kind("alltoallw", Operation.ALLTOALLV),
    11: Kind("allreduce", Operation.ALLREDUCE),
    12: Kind("reduce", Operation.REDUCE),
    13: Kind("reduce_scatter", Operation.REDUCE_SCATTER),
    14: Kind("scan", Operation.SCAN),
    15: Kind("exscan", Operation.SCAN),
    16: Kind("reduce_scatter_block", Operation.REDUCE_SCATTER),
}
"""By the number that OTF2 gives them (`OTF2_CollectiveOp`)."""

HANDLE_CODES = range(17, 23)
"""Creating and destroying communicators and windows, with or without their memory."""


class CollectiveCall(NamedTuple):
    """One rank's part in one collective.

    Attributes
    ----------
    kind : Kind
        Which collective.
    comm : int
        Communicator.
    position : int
        Of the operation in the rank's program.
    root : int
        Rank in the communicator; of no meaning for collectives without a root.
    sent, received : int
        What the trace recorded, bytes.
    """

    kind: Kind
    comm: int
    position: int
    root: int
    sent: int
    received: int


_KINDS = tuple(COLLECTIVE_CODES.values())


class Calls:
    """Collectives of a rank in the order of their beginnings, packed."""

    def __init__(self) -> None:
        self._kinds = native.Numbers()
        self._values = tuple(native.Numbers() for _ in range(5))

    def __len__(self) -> int:
        return len(self._kinds)

    def append(self, call: CollectiveCall | None) -> None:
        """Add a call, or keep its place."""
        self._kinds.append(0)
        for column in self._values:
            column.append(0)
        if call is not None:
            self[len(self) - 1] = call

    def __setitem__(self, place: int, call: CollectiveCall) -> None:
        self._kinds[place] = 1 + _KINDS.index(call.kind)
        for column, value in zip(self._values, call[1:], strict=True):
            column[place] = value

    def __getitem__(self, place: int) -> CollectiveCall | None:
        kind = self._kinds[place]
        comm, position, root, sent, received = (column[place] for column in self._values)
        if not kind:
            return None
        return CollectiveCall(_KINDS[kind - 1], comm, position, root, sent, received)

    def __iter__(self) -> Iterator[CollectiveCall]:
        for place in range(len(self)):
            call = self[place]
            if call is not None:
                yield call

    def places(self) -> dict[int, native.Numbers]:
        """Where the calls on each communicator are."""
        found: defaultdict[int, native.Numbers] = defaultdict(native.Numbers)
        comms = self._values[0]
        for begin in range(0, len(self), _PART):
            part = slice(begin, begin + _PART)
            kinds, own = (one.part(part.start, part.stop).tolist() for one in (self._kinds, comms))
            for place, (kind, comm) in enumerate(zip(kinds, own, strict=True), start=begin):
                if kind:
                    found[comm].append(place)
        for numbers in found.values():
            numbers.close()
        return found

    def clear(self) -> None:
        """Forget all of them."""
        for column in (self._kinds, *self._values):
            column.clear()

    def close(self) -> None:
        """Pack what is not packed yet."""
        for column in (self._kinds, *self._values):
            column.close()


_PART = 4096
"""Calls that are looked at at a time."""


@dataclass(frozen=True)
class Recorded:
    """What all members of a communicator recorded of one collective, in their order.

    Attributes
    ----------
    name : str
        Of the collective.
    root : int
        Rank in the communicator.
    sent, received : list of int
        Bytes; shape (size,).
    """

    name: str
    root: int
    sent: list[int]
    received: list[int]

    @property
    def size(self) -> int:
        """Ranks of the communicator."""
        return len(self.sent)

    def of_others(self, values: list[int]) -> list[int]:
        """Give the root the size of the others: what it recorded itself may lack its own part."""
        others = [value for rank, value in enumerate(values) if rank != self.root]
        return [max(others) if rank == self.root else value for rank, value in enumerate(values)]


@dataclass(frozen=True)
class Sizes:
    """Sizes of one collective.

    Attributes
    ----------
    each : list of int
        The ``bytes`` entry of every member, see ``docs/traces.md``.
    lists : list of list of int
        The ``aux`` entry of every member; empty: it has none.
    doubt : str
        What has been assumed, as the end of a sentence that begins with a number of calls; empty:
        nothing.
    """

    each: list[int]
    lists: list[list[int]]
    doubt: str = ""


def _plain(each: list[int], doubt: str = "") -> Sizes:
    return Sizes(each, [], doubt)


def _unfit(recorded: Recorded) -> str:
    return f"calls of {recorded.name} whose sums match no size; the size is an estimate"


def _share(recorded: Recorded, total: int) -> tuple[int, str]:
    """Divide a sum over all partners by their number: all ranks, or all others (in place)."""
    size = recorded.size
    without, within = total % size == 0, total % (size - 1) == 0
    about = f"calls of {recorded.name} among {size} ranks"
    if without and within and total:
        return total // size, (
            f"{about} match with and without MPI_IN_PLACE; read as without it, which makes them "
            f"{100 / size:.3g} % too small if it was used"
        )
    if without:
        return total // size, ""
    if within:
        return total // (size - 1), f"{about} read as in place, since their sums divide only then"
    return -(-total // size), _unfit(recorded)


def _shares(recorded: Recorded) -> Sizes:
    """Every rank sends the same to everybody, itself included unless in place."""
    each, doubts = zip(*(_share(recorded, total) for total in recorded.sent), strict=True)
    return _plain(list(each), max(doubts))


def _by_all(totals: list[int], parts: list[int]) -> bool:
    """Whether all agree on a total that is the sum of their parts."""
    return len(set(totals)) == 1 and sum(parts) == totals[0]


def _blocks(recorded: Recorded, copies: list[int], totals: list[int]) -> tuple[list[int], str]:
    """Find the block of every rank.

    `copies` counts a rank's own block once per partner, `totals` the blocks of all partners. In
    place a rank is no partner of itself.
    """
    size = recorded.size
    without = within = None
    if all(copy % size == 0 for copy in copies):
        parts = [copy // size for copy in copies]
        without = parts if _by_all(totals, parts) else None
    if all(copy % (size - 1) == 0 for copy in copies):
        parts = [copy // (size - 1) for copy in copies]
        whole = [total + part for total, part in zip(totals, parts, strict=True)]
        within = parts if _by_all(whole, parts) else None
    found = without or within
    if found and len(set(found)) == 1:  # nothing but divisibility tells
        share, doubt = _share(recorded, copies[0])
        return [share] * size, doubt
    if found:
        return found, ""
    return [-(-copy // size) for copy in copies], _unfit(recorded)


def _reduce_scatter(blocks: list[int], doubt: str) -> Sizes:
    total = [sum(blocks)] * len(blocks)
    return Sizes(total, [blocks] * len(blocks) if len(set(blocks)) > 1 else [], doubt)


def _scan(recorded: Recorded) -> Sizes:
    """Rank `r` of `n` sends to `n - r` ranks and receives from `r + 1`; in place one less each."""
    size, fits = recorded.size, []
    for own in (0,) if recorded.name == "exscan" else (1, 0):
        share = recorded.sent[0] // (size - 1 + own)
        sent = [(size - 1 - rank + own) * share for rank in range(size)]
        received = [(rank + own) * share for rank in range(size)]
        if (sent, received) == (recorded.sent, recorded.received):
            fits.append(share)
    if fits:
        return _plain([fits[0]] * size)
    return _plain([-(-recorded.sent[0] // size)] * size, _unfit(recorded))


def estimate_matrix(sent: Sequence[int], received: Sequence[int]) -> npt.NDArray[np.uint64]:
    """Estimate how many bytes each rank of an alltoallv sends to each other.

    Only the sums per rank are known. Rank `i` is taken to send to rank `j` in proportion to what
    `j` receives in total; then both the row and the column sums are those of the trace, up to the
    rounding of the columns. Row sums are exact.

    Parameters
    ----------
    sent, received : sequence of int
        Bytes by communicator rank; shape (size,).

    Returns
    -------
    numpy.ndarray
        Bytes, shape (size, size), uint64; row: source, column: destination.

    Examples
    --------
    >>> estimate_matrix([30, 30], [20, 40]).tolist()
    [[10, 20], [10, 20]]
    """
    size = len(sent)
    weights = list(received) if sum(received) else [1] * size
    total = sum(weights)
    before, bounds = 0, [0]
    for weight in weights:
        before += weight
        bounds.append(before)
    rows = [[s * b // total for b in bounds] for s in sent]
    return np.diff(np.array(rows, dtype=np.uint64), axis=1).astype(np.uint64)


def _alltoallv(recorded: Recorded) -> Sizes:
    matrix = estimate_matrix(recorded.sent, recorded.received).tolist()
    doubt = (
        f"calls of {recorded.name}: their sizes per destination are estimates, because the trace "
        "has sums per rank only"
    )
    return Sizes(recorded.sent, matrix, doubt)


_COMMON: dict[str, Callable[[Recorded], Sizes]] = {
    "barrier": lambda r: _plain([0] * r.size),
    "gather": lambda r: _plain(r.of_others(r.sent)),
    "gatherv": lambda r: _plain(r.sent),
    "scatter": lambda r: _plain(r.of_others(r.received)),
    "scatterv": lambda r: _plain(r.received),
    "alltoallv": _alltoallv,
    "alltoallw": _alltoallv,
    "scan": _scan,
    "exscan": _scan,
}


def _bcast(recorded: Recorded) -> Sizes:
    """Take what the others receive; some converters write the size at the root only."""
    others = recorded.of_others(recorded.received)
    return _plain(others if any(others) else [recorded.received[recorded.root]] * recorded.size)


SCOREP: dict[str, Callable[[Recorded], Sizes]] = {
    **_COMMON,
    "bcast": _bcast,
    "reduce": lambda r: _plain(r.of_others(r.sent)),
    "allreduce": _shares,
    "alltoall": _shares,
    "allgather": _shares,
    "allgatherv": lambda r: _plain(*_blocks(r, r.sent, r.received)),
    "reduce_scatter": lambda r: _reduce_scatter(*_blocks(r, r.received, r.sent)),
    "reduce_scatter_block": lambda r: _reduce_scatter(*_blocks(r, r.received, r.sent)),
}
"""Score-P: sums over all partners; a rank is a partner of itself unless it gave `MPI_IN_PLACE`."""


def _even_blocks(recorded: Recorded) -> Sizes:
    doubt = (
        "calls of reduce_scatter: the trace has only the sum of their blocks, which are "
        "assumed to be equal"
    )
    return _plain(recorded.sent, doubt)


EZTRACE: dict[str, Callable[[Recorded], Sizes]] = {
    **_COMMON,
    "bcast": lambda r: _plain(r.sent),
    "reduce": lambda r: _plain(r.sent),
    "allreduce": lambda r: _plain(r.sent),
    "alltoall": lambda r: _plain(r.received),
    "allgather": lambda r: _plain(r.received),
    "allgatherv": lambda r: _plain(r.sent, "" if _by_all(r.received, r.sent) else _unfit(r)),
    "reduce_scatter": _even_blocks,
}
"""EZTrace: the product of count and size of type of either buffer, as the program gave them."""


def resolve_collectives(
    programs: Sequence[RankProgram],
    calls: Sequence[Calls],
    communicators: Sequence[Sequence[int]],
    rules: dict[str, Callable[[Recorded], Sizes]],
) -> Counter[str]:
    """Fill in the sizes of all collectives.

    Where members disagree on which collective comes next the checks of the trace name the place.

    Parameters
    ----------
    programs : sequence of RankProgram
        By rank; their collectives get ``bytes`` and lists.
    calls : sequence of Calls
        By rank, in program order.
    communicators : sequence of sequence of int
        Job ranks of each communicator.
    rules : dict of str to callable
        Who wrote the trace: :data:`SCOREP` or :data:`EZTRACE`.

    Returns
    -------
    collections.Counter of str
        How often what has been assumed.
    """
    doubts: Counter[str] = Counter()
    for members, group in _groups(calls, communicators):
        first = group[0]
        recorded = Recorded(
            first.kind.name,
            first.root,
            [call.sent for call in group],
            [call.received for call in group],
        )
        sizes = rules.get(first.kind.name, SCOREP[first.kind.name])(recorded)
        if sizes.doubt:
            doubts[sizes.doubt] += 1
        for rank, member in enumerate(members):
            program = programs[member]
            program.set(group[rank].position, bytes=sizes.each[rank])
            if sizes.lists:
                program.set_list(group[rank].position, sizes.lists[rank])
    return doubts


def _groups(
    calls: Sequence[Calls], communicators: Sequence[Sequence[int]]
) -> Iterator[tuple[Sequence[int], tuple[CollectiveCall, ...]]]:
    """Put together the calls of the members of a communicator that belong together."""
    by_member = [own.places() for own in calls]
    for comm in sorted({comm for own in by_member for comm in own}):
        members = communicators[comm]
        none = native.Numbers()
        places = [by_member[member].pop(comm, none) for member in members]
        for number in range(min(map(len, places))):
            group = tuple(
                call
                for member, own in zip(members, places, strict=True)
                if (call := calls[member][own[number]]) is not None
            )
            if len({(call.kind, call.root) for call in group}) == 1:
                yield members, group
            else:  # each as if the others had called the same
                for member, call in zip(members, group, strict=True):
                    yield (member,) * len(group), (call,) * len(group)
