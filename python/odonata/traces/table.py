"""The internal form of a trace: operations of every rank, in columns.

A rank's program is the slice ``rank_offsets[r]:rank_offsets[r + 1]`` of the operation columns. What
the columns mean for each operation is written in ``docs/traces.md``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from odonata.core import native
from odonata.traces.operations import Columns, Operation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, kw_only=True)
class TraceData:
    """A trace in the internal form, with what could not be taken over.

    Attributes
    ----------
    columns : native.Table or dict of str to numpy.ndarray
        The table, see ``docs/traces.md``; operation columns have shape (operations,).
    unsupported : dict of str to int
        Name of an MPI call or trace record that was left out, and how often it occurred.
    notes : tuple of str
        Sentences about estimates and time that was left out.
    places : dict of str to str
        Where the first of each of ``unsupported`` is, as far as the reader says.
    origin : dict of str to object
        ``format``, ``name``, ``creator`` of the trace that was read.
    """

    columns: Columns
    unsupported: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)

    @property
    def rank_count(self) -> int:
        """Number of ranks."""
        return len(self.columns["rank_offsets"]) - 1

    def info(self) -> dict[str, Any]:
        """Say what the trace holds.

        Returns
        -------
        dict of str to object
            Ready for JSON: ``ranks``, ``operations``, ``operations_by_kind``, ``messages``,
            ``message_bytes``, ``compute_ns_max`` (largest over ranks), ``communicators``,
            ``iterations``, ``unsupported``, ``places``, ``notes`` and the keys of ``origin``.
        """
        return {
            **self.origin,
            **json.loads(native.Table.of(self.columns).core.facts()),
            "unsupported": dict(self.unsupported),
            "places": dict(self.places),
            "notes": list(self.notes),
        }

    def summary(self) -> dict[str, Any]:
        """Return the same as :meth:`info`.

        Returns
        -------
        dict
            See :meth:`info`.
        """
        return self.info()

    def check(self) -> list[str]:
        """Look for what would keep the trace from being replayed.

        Returns
        -------
        list of str
            One sentence per problem; empty if there is none.
        """
        return native.Table.of(self.columns).core.problems()

    def to_json(self) -> str:
        """Serialise everything except the columns.

        Returns
        -------
        str
            A JSON object with ``unsupported``, ``notes``, ``places`` and ``origin``; keys sorted.
        """
        return json.dumps(
            {
                "unsupported": dict(self.unsupported),
                "notes": list(self.notes),
                "places": dict(self.places),
                "origin": dict(self.origin),
            },
            sort_keys=True,
        )


class RankProgram(native.Rank):
    """Collects the operations of one rank; it keeps them packed.

    Attributes
    ----------
    request_count : int
        Requests so far; they are numbered from 0.
    unknown_receives : int
        Nonblocking receives of which the trace does not say what they received.
    """

    def __init__(self) -> None:
        self.request_count = 0
        self.unknown_receives = 0

    def clear(self) -> None:
        """Forget every operation."""
        super().clear()
        self.request_count = self.unknown_receives = 0

    def add(self, op: Operation, **values: int) -> int:
        """Append an operation; columns that are not named are 0. Return its position."""
        position = self.push(op)
        for name, value in values.items():
            self.put(name, position, value)
        return position

    def add_message(
        self, op: Operation, peer: int, comm: int, tag: int, size: int, request: int = 0
    ) -> int:
        """Append a message. Return its position."""
        return self.push(op, peer, comm, tag, size, request)

    def set(self, position: int, **values: int) -> None:
        """Overwrite columns of one operation."""
        for name, value in values.items():
            self.put(name, position, value)

    def new_request(self) -> int:
        """Return a request number that this rank has not used yet."""
        self.request_count += 1
        return self.request_count - 1

    def add_compute(self, duration_ps: int) -> None:
        """Append a computation, or lengthen the one that came just before."""
        if duration_ps > 0:
            self.compute(duration_ps)

    def add_wait(self, requests: list[int]) -> None:
        """Append a wait for one or more requests."""
        self.set_wait(self.add(Operation.NOTHING), requests)

    def set_wait(self, position: int, requests: list[int]) -> None:
        """Make an operation a wait for some requests, or nothing."""
        if len(requests) == 1:
            self.set(position, op=Operation.WAIT, request=requests[0])
        elif requests:
            self.set(position, op=Operation.WAITALL)
            self.set_list(position, requests)


def assemble(
    programs: Iterable[RankProgram],
    communicators: Iterable[Iterable[int]],
    *,
    drop: frozenset[Operation] = frozenset(),
    has_streams: bool = False,
) -> native.Table:
    """Join the programs of all ranks into one table.

    Parameters
    ----------
    programs : iterable of RankProgram
        By rank; they are empty afterwards, so that nothing is there twice.
    communicators : iterable of iterables of int
        Job ranks of each communicator, by communicator number.
    drop : frozenset of Operation
        Operations to leave out; of graphs, to make nothing.
    has_streams : bool
        Whether they are graphs.
    """
    builder, unwanted = native.Builder(has_streams=has_streams), bytes(sorted(drop))
    for program in programs:
        builder.append(program, unwanted)
    for members in communicators:
        builder.add_communicator(list(members))
    return native.Table(builder.finish())
