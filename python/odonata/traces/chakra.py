"""Reader of Chakra execution traces: one graph of nodes per rank, as protobuf or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from odonata.errors import TraceError
from odonata.traces.chakra_files import Node, collective
from odonata.traces.chakra_files import nodes as nodes_of
from odonata.traces.chakra_schema import CollectiveType, NodeType
from odonata.traces.formats import Found
from odonata.traces.graphs import GraphProgram, circle, join
from odonata.traces.operations import Operation
from odonata.traces.table import TraceData

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

    Parameters
    ----------
    found : Found
        Its files, by rank.

    Returns
    -------
    TraceData
        The trace in the internal form.

    Raises
    ------
    odonata.errors.TraceError
        If a file is cut short, damaged or of another kind, or nodes wait for each other.
    """
    tally = Tally()
    groups: dict[str, set[int]] = {}
    nodes: list[list[Node]] = []
    for rank, file in enumerate(found.files):
        own = list(nodes_of(file, found.kind))
        nodes.append(own)
        for node in own:
            groups.setdefault(_group(node), set()).add(rank)
    everybody = set(range(len(nodes)))
    communicators = [sorted(everybody)]
    numbers = {}
    for name, members in sorted(groups.items()):
        if members != everybody:
            numbers[name] = len(communicators)
            communicators.append(sorted(members))
    programs = []
    for rank, own in enumerate(nodes):
        reader = _Rank(rank, found.files[rank], tally, numbers, communicators)
        programs.append(reader.read(own))
    return TraceData(
        columns=join(programs, communicators),
        unsupported=dict(sorted(tally.unsupported.items())),
        notes=tuple(f"{count} {hint}" for hint, count in sorted(tally.hints.items())),
        places=tally.places,
        origin={"format": "chakra", "name": found.name},
    )


def _group(node: Node) -> str:
    """Name of the group of a collective; the empty one is everybody."""
    is_collective = node.kind == NodeType.COMM_COLL and "comm_type" in node.values
    return str(node.values.get("pg_name", "")) if is_collective else ""


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

    def read(self, nodes: list[Node]) -> GraphProgram:
        """Take all nodes; edges may point forwards."""
        positions: dict[int, int] = {}
        sends = {node.number for node in nodes if node.kind == NodeType.COMM_SEND}
        for node in nodes:
            if node.number in positions:
                raise self._bad(f"node {node.number} is there twice")
            try:
                positions[node.number] = self._operation(node)
            except OverflowError:
                words = f"a number of node {node.number} is negative or needs more than 64 bits"
                raise self._bad(words) from None
        for use_control in (True, False):
            self._program.edges.clear()
            for node in nodes:
                wanted = [*node.data, *(node.control if use_control else ())]
                self._wait_for(node, wanted, positions, sends)
            stuck = circle(self._program)
            if not stuck:
                break
            if use_control and any(node.control for node in nodes):
                self._tally.hints[
                    "ranks whose control dependencies form a circle; only data dependencies are "
                    "kept"
                ] += 1
                continue
            raise self._bad(f"node {nodes[stuck[0]].number} waits for itself in a circle")
        return self._program

    def _wait_for(
        self, node: Node, wanted: list[int], positions: Mapping[int, int], sends: set[int]
    ) -> None:
        for number in wanted:
            if number in positions:
                # Sends of Chakra end without their receive: a ring in which everybody first sends
                # and then receives must not stand still because messages are large.
                is_start = node.kind == NodeType.COMM_RECV and number in sends
                self._program.add_edge(positions[node.number], positions[number], is_start=is_start)
            else:
                self._tally.hints["dependencies on nodes that are not in the trace"] += 1

    def _bad(self, problem: str) -> TraceError:
        return TraceError(f"trace {self._file}: {problem}; make the trace again")

    def _operation(self, node: Node) -> int:
        add = self._program.add_on
        match node.kind:
            case NodeType.COMM_SEND | NodeType.COMM_RECV:
                return self._message(node)
            case NodeType.COMM_COLL if "comm_type" in node.values:
                return self._collective(node)
            case NodeType.COMM_COLL:
                self._tally.hints[
                    "nodes of collectives without `comm_type`, which prepare one, taken as "
                    "computation"
                ] += 1
            case NodeType.METADATA | NodeType.COMP:
                pass
            case NodeType.MEM_LOAD | NodeType.MEM_STORE:
                self._tally.hints["accesses to memory, taken as computation"] += 1
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
        comm = self._numbers.get(_group(node), 0)
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

    def _number(self, node: Node, name: str, below: int = 2**64, default: int | None = None) -> int:
        value = node.values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
            raise self._bad(
                f"`{name}` of node {node.number} is {value!r:.40}, no number of its kind"
            )
        return value


_KNOWN_NODES = {int(kind) for kind in NodeType}
