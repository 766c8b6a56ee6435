"""Programs of ranks that are graphs: operations on streams, and what starts after what."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from odonata.traces.operations import EDGE_COLUMNS, STREAM_COLUMNS, Columns, Operation
from odonata.traces.table import RankProgram, assemble


class GraphProgram(RankProgram):
    """Collects the operations of one rank with their streams and edges.

    Attributes
    ----------
    stream, follows : array.array
        Of each operation, as ``docs/traces.md`` has them.
    edges : list of tuple
        ``(later, earlier, is_start)``: positions in the rank, and which moment is waited for.
    """

    __slots__ = ("edges", "follows", "stream")

    def __init__(self) -> None:
        super().__init__()
        self.stream: array[int] = array("I")
        self.follows: array[int] = array("B")
        self.edges: list[tuple[int, int, int]] = []

    def add_on(self, op: Operation, stream: int, *, follows: bool, **values: int) -> int:
        """Append an operation to a stream. Return its position."""
        position = self.add(op, **values)
        self.stream.append(stream)
        self.follows.append(follows)
        return position

    def add_edge(self, later: int, earlier: int, *, is_start: bool = False) -> None:
        """Let an operation wait for the end (or start) of another one."""
        self.edges.append((later, earlier, int(is_start)))


def join(programs: Sequence[GraphProgram], communicators: Sequence[Sequence[int]]) -> Columns:
    """Join the programs of all ranks into one table.

    Parameters
    ----------
    programs : sequence of GraphProgram
        By rank.
    communicators : sequence of sequence of int
        Job ranks of each communicator; the first one has all.

    Returns
    -------
    dict of str to numpy.ndarray
        The table, with streams and edges.
    """
    columns = assemble(list(programs), communicators, drop=frozenset())
    edges = [sorted(set(program.edges)) for program in programs]
    counts = [
        np.bincount([later for later, _, _ in own], minlength=len(program))
        if own
        else np.zeros(len(program), dtype=np.int64)
        for program, own in zip(programs, edges, strict=True)
    ]
    after_count = np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64)
    found = {
        "stream": [value for program in programs for value in program.stream],
        "follows": [value for program in programs for value in program.follows],
        "after_begin": np.cumsum(after_count) - after_count,
        "after_count": after_count,
        "after": [earlier for own in edges for _, earlier, _ in own],
        "after_start": [is_start for own in edges for _, _, is_start in own],
    }
    kinds = {**STREAM_COLUMNS, **EDGE_COLUMNS}
    return {**columns, **{name: np.array(found[name], dtype=kinds[name]) for name in kinds}}


def circle(program: GraphProgram) -> list[int]:
    """Positions of operations that wait for each other; empty if there are none."""
    left = [0] * len(program)
    later_of: list[list[int]] = [[] for _ in left]
    for later, earlier, _ in program.edges:
        left[later] += 1
        later_of[earlier].append(later)
    ready = [position for position, count in enumerate(left) if count == 0]
    while ready:
        for later in later_of[ready.pop()]:
            left[later] -= 1
            if left[later] == 0:
                ready.append(later)
    return [position for position, count in enumerate(left) if count]
