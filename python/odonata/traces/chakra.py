"""Reader of Chakra execution traces: one graph of nodes per rank, as protobuf or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from odonata.core import native
from odonata.core.errors import TraceError
from odonata.traces.chakra_files import Node, collective, dimensions_of, group_of, groups_of
from odonata.traces.chakra_files import nodes as nodes_of
from odonata.traces.chakra_schema import CollectiveType, NodeType
from odonata.traces.formats import Found
from odonata.traces.graphs import GraphProgram
from odonata.traces.operations import Operation
from odonata.traces.table import TraceData, assemble

_MICROSECOND_PS = 1_000_000
_COLLECTIVES = {
    CollectiveType.ALL_REDUCE: Operation.ALLREDUCE,
    CollectiveType.REDUCE: Operation.REDUCE,
    CollectiveType.ALL_GATHER: Operation.ALLGATHER,
    CollectiveType.GATHER: Operation.GATHER,
    CollectiveType.SCATTER: Operation.SCATTER,
    CollectiveType.BROADCAST: Operation.BCAST,
    CollectiveType.ALL_TO_ALL: Operation.ALLTOALL,
    CollectiveType.REDUCE_SCATTER: Operation.REDUCE_SCATTER,
    CollectiveType.REDUCE_SCATTER_BLOCK: Operation.REDUCE_SCATTER,
    CollectiveType.BARRIER: Operation.BARRIER,
}
# Streams: computation, and one per kind of communication.
_COMPUTE, _SENDS, _RECEIVES, _COLLECTIVE = range(4)


@dataclass
class Tally:
    """What the reader says besides the columns."""

    unsupported: Counter[str] = field(default_factory=Counter)
    places: dict[str, str] = field(default_factory=dict)
    hints: Counter[str] = field(default_factory=Counter)

    def omit(self, name: str, place: str) -> None:
        """Count what is left out."""
        self.unsupported[name] += 1
        self.places.setdefault(name, place)


def read(found: Found) -> TraceData:
    """Read a Chakra trace.

    Raises
    ------
    odonata.errors.TraceError
        If a file is cut short, damaged or of another kind, or nodes wait for each other.
    """
    tally = Tally()
    # Groups first: a communicator has all ranks that name it. Nodes are read twice, not kept.
    members: dict[str, list[int]] = {}
    for rank, file in enumerate(found.files):
        for name in groups_of(file, found.kind):
            members.setdefault(name, []).append(rank)
    everybody = list(range(len(found.files)))
    # By length first, so that numbers are in their order.
    names = sorted(members.keys() - {""}, key=lambda name: (len(name), name))
    numbers = {name: number for number, name in enumerate(names, 1)}
    communicators = [everybody, *(members[name] for name in names)]
    programs = (
        _Rank(rank, file, tally, numbers, communicators).read(nodes_of(file, found.kind))
        for rank, file in enumerate(found.files)
    )
    table = assemble(programs, communicators, has_streams=True)
    return TraceData(
        columns=table,
        unsupported=dict(sorted(tally.unsupported.items())),
        notes=tuple(f"{count} {hint}" for hint, count in sorted(tally.hints.items())),
        places=tally.places,
        origin={"format": "chakra", "name": found.name},
    )


class _Rank:
    """The nodes of one rank as operations."""

    def __init__(
        self,
        rank: int,
        file: Path,
        tally: Tally,
        numbers: Mapping[str, int],
        communicators: list[list[int]],
    ) -> None:
        self._rank = rank
        self._file = file
        self._tally = tally
        self._numbers = numbers
        self._communicators = communicators
        self._program = GraphProgram()
        self._nodes = native.Numbers()
        # Twice the operation that waits, one more by control; and the node that it waits for.
        self._later = native.Numbers()
        self._wanted = native.Numbers()
        self._has_control = False

    def read(self, nodes: Iterator[Node]) -> GraphProgram:
        """Take all nodes; edges may point forwards."""
        for node in nodes:
            try:
                position = self._operation(node)
                self._nodes.append(node.number)
                for is_control, wanted in enumerate((node.data, node.control)):
                    for one in wanted:
                        self._later.append(2 * position + is_control)
                        self._wanted.append(one)
                    self._has_control |= bool(is_control and wanted)
            except OverflowError:
                words = f"a number of node {node.number} is negative or needs more than 64 bits"
                raise self._bad(words) from None
        for use_control in (True, False):
            self._program.set_edges(np.unique(self._edges(use_control=use_control)))
            stuck = self._program.stuck()
            if stuck is None:
                break
            if use_control and self._has_control:
                self._tally.hints[
                    "ranks whose control dependencies form a cycle; only data dependencies are kept"
                ] += 1
                continue
            raise self._bad(f"node {self._nodes[stuck]} is part of a dependency cycle")
        self._program.close()
        return self._program

    def _edges(self, *, use_control: bool) -> npt.NDArray[np.uint64]:
        """Dependencies on nodes as edges between operations, which may be there several times."""
        numbers = self._nodes.part(0, len(self._nodes))
        order = np.argsort(numbers, kind="stable").astype(np.uint64)
        numbers = numbers[order]
        twice = np.flatnonzero(numbers[1:] == numbers[:-1])
        if len(twice):
            raise self._bad(f"node {numbers[twice[0]]} appears twice")
        later, wanted = (one.part(0, len(one)) for one in (self._later, self._wanted))
        is_used = use_control | (later & 1 == 0)
        later, wanted = later[is_used] >> np.uint64(1), wanted[is_used]
        at = np.searchsorted(numbers, wanted)
        at[at == len(numbers)] = 0
        is_there = numbers[at] == wanted if len(numbers) else np.zeros(0, dtype=bool)
        missing = int(np.count_nonzero(~is_there))
        if missing:
            self._tally.hints["dependencies on nodes that are not in the trace"] += missing
        later, earlier = later[is_there], order[at[is_there]]
        # Sends of Chakra end without their receive: a ring in which everybody first sends and then
        # receives must not stand still because messages are large.
        stream = self._program.part("stream", 0, len(self._program))
        is_start = (stream[later] == _RECEIVES) & (stream[earlier] == _SENDS)
        found: npt.NDArray[np.uint64] = later << np.uint64(32) | earlier << np.uint64(1)
        found |= is_start.astype(np.uint64)
        return found

    def _bad(self, problem: str) -> TraceError:
        return TraceError(f"trace {self._file}: {problem}; generate the trace again")

    def _operation(self, node: Node) -> int:
        add = self._program.add_on
        match node.kind:
            case NodeType.COMM_SEND | NodeType.COMM_RECV:
                return self._message(node)
            case NodeType.COMM_COLL if "comm_type" in node.values:
                return self._collective(node)
            case NodeType.COMM_COLL:
                self._tally.hints[
                    "collective nodes without `comm_type`, which prepare a collective, treated "
                    "as computation"
                ] += 1
            case NodeType.METADATA | NodeType.COMP:
                pass
            case NodeType.MEM_LOAD | NodeType.MEM_STORE:
                self._tally.hints["memory accesses, treated as computation"] += 1
            case _:
                known = node.kind in _KNOWN_NODES
                name = f"{NodeType(node.kind).name}_NODE" if known else f"node of type {node.kind}"
                self._tally.omit(name, self._place(node))
        if not node.micros:
            return add(Operation.NOTHING, _COMPUTE, follows=False)
        duration = min(node.micros * _MICROSECOND_PS, 2**63)
        return add(Operation.COMPUTE, _COMPUTE, follows=False, duration_ps=duration)

    def _message(self, node: Node) -> int:
        is_send = node.kind == NodeType.COMM_SEND
        name, partner = ("send", "comm_dst") if is_send else ("receive", "comm_src")
        stream = _SENDS if is_send else _RECEIVES
        if partner not in node.values:
            # As traces of PyTorch are converted: of a message they have its size only.
            self._tally.omit(f"{name} without `{partner}`", self._place(node))
            return self._program.add_on(Operation.NOTHING, stream, follows=False)
        return self._program.add_on(
            Operation.SEND if is_send else Operation.RECV,
            stream,
            follows=False,
            peer=self._number(node, partner, 2**31),
            bytes=self._number(node, "comm_size"),
            tag=self._number(node, "comm_tag", 2**31, default=0),
        )

    def _place(self, node: Node) -> str:
        return f"node {node.number} of rank {self._rank}"

    def _collective(self, node: Node) -> int:
        kind = self._number(node, "comm_type", 2**31)
        known = collective(kind)
        operation = None if known is None else _COLLECTIVES.get(known)
        if operation is None:
            self._tally.omit(f"collective of type {kind}", self._place(node))
            return self._program.add_on(Operation.NOTHING, _COLLECTIVE, follows=False)
        group = group_of(node)
        self._check_dimensions(node, group)
        comm = self._numbers.get(group, 0)
        size = len(self._communicators[comm])
        if size == 1:
            self._tally.hints["collectives of a single rank, which send nothing"] += 1
            return self._program.add_on(Operation.NOTHING, _COLLECTIVE, follows=False)
        total = self._number(node, "comm_size", default=0)
        return self._program.add_on(
            operation,
            _COLLECTIVE,
            follows=False,
            comm=comm,
            peer=self._number(node, "root", 2**31, default=0),
            # The size of an alltoall counts what a rank sends to all.
            bytes=total // size if operation == Operation.ALLTOALL else total,
        )

    def _check_dimensions(self, node: Node, group: str) -> None:
        """Refuse a part of the network: which ranks these are stands in a file of the simulator."""
        if all(dimensions_of(node)):
            return
        if not group:
            words = (
                f"`involved_dim` of node {node.number} selects only some dimensions of a "
                "network, and the trace does not say which ranks belong to them; name the group "
                "with `pg_name`"
            )
            raise TraceError(f"trace {self._file}: {words}")
        self._tally.hints[
            "collectives of a group that select only some dimensions of a network "
            "(`involved_dim`); all members of the group take part"
        ] += 1

    def _number(self, node: Node, name: str, below: int = 2**64, default: int | None = None) -> int:
        value = node.values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
            shown = " ".join(repr(value).split())  # a message of protobuf has lines
            raise self._bad(
                f"`{name}` of node {node.number} is {shown:.40}, which is not a number of its type"
            )
        return value


_KNOWN_NODES = {int(kind) for kind in NodeType}
