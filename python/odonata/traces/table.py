"""The internal form of a trace: operations of every rank, in columns.

A rank's program is the slice ``rank_offsets[r]:rank_offsets[r + 1]`` of the operation columns. What
the columns mean for each operation is written in ``docs/traces.md``.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from odonata.traces.inspect import describe, find_problems
from odonata.traces.operations import OPERATION_COLUMNS, Columns, Operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ARRAY_CODES = {"u1": "B", "i4": "i", "u4": "I", "u8": "Q"}


@dataclass(frozen=True, kw_only=True)
class TraceData:
    """A trace in the internal form, with what could not be taken over.

    Attributes
    ----------
    columns : dict of str to numpy.ndarray
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
            **describe(self.columns),
            "unsupported": dict(self.unsupported),
            "places": dict(self.places),
            "notes": list(self.notes),
        }

    def summary(self) -> dict[str, Any]:
        """Return the same as :meth:`info`."""
        return self.info()

    def check(self) -> list[str]:
        """Look for what would keep the trace from being replayed.

        Returns
        -------
        list of str
            One sentence per problem; empty if there is none.
        """
        return find_problems(self.columns)

    def to_json(self) -> str:
        """Serialise everything except the columns."""
        return json.dumps(
            {
                "unsupported": dict(self.unsupported),
                "notes": list(self.notes),
                "places": dict(self.places),
                "origin": dict(self.origin),
            },
            sort_keys=True,
        )


class RankProgram:
    """Collects the operations of one rank.

    Aux entries are addressed relative to the rank until :func:`assemble` shifts them.

    Attributes
    ----------
    columns : dict of str to array.array
        The operations so far.
    aux : array.array
        The lists of the operations.
    request_count : int
        Requests so far; they are numbered from 0.
    unknown_receives : list of int
        Positions of nonblocking receives of which the trace does not say what they received.
    """

    __slots__ = ("_appends", "aux", "columns", "request_count", "unknown_receives")

    def __init__(self) -> None:
        self.columns: dict[str, array[int]] = {
            name: array(_ARRAY_CODES[kind]) for name, kind in OPERATION_COLUMNS.items()
        }
        self._appends = tuple(column.append for column in self.columns.values())
        self.aux: array[int] = array("Q")
        self.request_count = 0
        self.unknown_receives: list[int] = []

    def __len__(self) -> int:
        return len(self.columns["op"])

    def clear(self) -> None:
        """Forget every operation."""
        for column in self.columns.values():
            del column[:]
        del self.aux[:]
        self.request_count = 0
        self.unknown_receives.clear()

    def add(self, op: Operation, **values: int) -> int:
        """Append an operation; columns that are not named are 0. Return its position."""
        position = self.add_message(op, 0, 0, 0, 0)
        for name, value in values.items():
            self.columns[name][position] = value
        return position

    def add_message(
        self, op: Operation, peer: int, comm: int, tag: int, size: int, request: int = 0
    ) -> int:
        """Append a message. Return its position."""
        position = len(self.columns["op"])
        values = (op, peer, size, tag, comm, request, 0, 0, 0)  # in the order of the columns
        for append, value in zip(self._appends, values, strict=True):
            append(value)
        return position

    def set(self, position: int, **values: int) -> None:
        """Overwrite columns of one operation."""
        for name, value in values.items():
            self.columns[name][position] = value

    def new_request(self) -> int:
        """Return a request number that this rank has not used yet."""
        self.request_count += 1
        return self.request_count - 1

    def add_compute(self, duration_ps: int) -> None:
        """Append a computation, or lengthen the one that came just before."""
        if duration_ps <= 0:
            return
        ops, durations = self.columns["op"], self.columns["duration_ps"]
        if ops and ops[-1] == Operation.COMPUTE:
            durations[-1] += duration_ps
        else:
            self.add(Operation.COMPUTE, duration_ps=duration_ps)

    def add_wait(self, requests: list[int]) -> None:
        """Append a wait for one or more requests."""
        self.set_wait(self.add(Operation.NOTHING), requests)

    def set_list(self, position: int, values: Sequence[int]) -> None:
        """Give an operation its list."""
        self.set(position, aux_begin=len(self.aux), aux_count=len(values))
        self.aux.extend(values)

    def set_wait(self, position: int, requests: list[int]) -> None:
        """Make an operation a wait for some requests, or nothing."""
        if len(requests) == 1:
            self.set(position, op=Operation.WAIT, request=requests[0])
        elif requests:
            self.set(position, op=Operation.WAITALL)
            self.set_list(position, requests)


def assemble(
    programs: list[RankProgram],
    communicators: Sequence[Sequence[int]],
    *,
    drop: frozenset[Operation],
) -> Columns:
    """Join the programs of all ranks into one table.

    Parameters
    ----------
    programs : list of RankProgram
        By rank; they keep their codes and lose the rest, so that it is not there twice.
    communicators : sequence of sequence of int
        Job ranks of each communicator, by communicator number.
    drop : frozenset of Operation
        Operations to leave out.

    Returns
    -------
    dict of str to numpy.ndarray
        The table.
    """
    unwanted = np.array(sorted(drop), dtype=np.uint8)
    kept = [
        ~np.isin(np.frombuffer(one.columns["op"], dtype=np.uint8), unwanted) for one in programs
    ]
    lengths = [0, *map(int, map(np.count_nonzero, kept))]
    offsets = np.cumsum(lengths)
    columns: Columns = {}
    for name, kind in OPERATION_COLUMNS.items():
        columns[name] = np.empty(offsets[-1], dtype=kind)
        for program, mask, begin, end in zip(programs, kept, offsets, offsets[1:], strict=False):
            columns[name][begin:end] = np.frombuffer(program.columns[name], dtype=kind)[mask]
            if name != "op":
                program.columns[name] = array(_ARRAY_CODES[kind])
    aux_parts, aux_length = [], 0
    for program, begin, end in zip(programs, offsets, offsets[1:], strict=False):
        has_aux = columns["aux_count"][begin:end] > 0
        columns["aux_begin"][begin:end][has_aux] += np.uint64(aux_length)
        aux_parts.append(np.array(program.aux, dtype="u8"))
        aux_length += len(program.aux)
    columns["rank_offsets"] = np.cumsum(lengths, dtype="u8")
    columns["aux"] = np.concatenate(aux_parts)
    columns["comm_offsets"] = np.cumsum([0, *map(len, communicators)], dtype="u8")
    columns["comm_members"] = np.array([m for c in communicators for m in c], dtype="u4")
    return columns
