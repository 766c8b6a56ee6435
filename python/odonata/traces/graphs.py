"""Programs of ranks that are graphs: operations on streams, and what starts after what."""

from __future__ import annotations

from typing import Self

import numpy as np

from odonata.core import native
from odonata.traces.operations import Operation
from odonata.traces.table import RankProgram


class Edges:
    """Which operation of a rank waits for which other one; packed."""

    __slots__ = ("_earlier", "_later")

    def __init__(self) -> None:
        self._later = native.Numbers()
        self._earlier = native.Numbers()

    def __len__(self) -> int:
        return len(self._later)

    def add(self, later: int, earlier: int, *, is_start: bool = False) -> None:
        """Let an operation wait for the end (or start) of another one."""
        self._later.append(later)
        self._earlier.append(2 * earlier + is_start)

    def put_into(self, program: native.Rank) -> None:
        """Make them those of a program."""
        count = len(self)
        keys = self._later.part(0, count) << np.uint64(32)
        keys |= self._earlier.part(0, count)
        program.set_edges(np.unique(keys))


class GraphProgram(RankProgram):
    """Collects the operations of one rank with their streams and edges.

    Attributes
    ----------
    edges : Edges
        Those that the program gets when it is finished.
    """

    def __new__(cls) -> Self:
        """Make it a graph."""
        return super().__new__(cls, has_streams=True)

    def __init__(self) -> None:
        super().__init__()
        self.edges = Edges()

    def add_on(self, op: Operation, stream: int, *, follows: bool, **values: int) -> int:
        """Append an operation to a stream. Return its position."""
        position = self.add(op, **values)
        self.put_on(stream, follows)
        return position

    def finish(self) -> None:
        """Put the edges in place."""
        self.edges.put_into(self)
        self.edges = Edges()
        self.close()
