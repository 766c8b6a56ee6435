"""Threads of OTF2 traces: when each of them begins and ends, and the graph that follows from it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from odonata.traces.operations import EDGE_COLUMNS, STREAM_COLUMNS, Columns, Operation
from odonata.traces.table import RankProgram, assemble

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGINNINGS = ("ThreadBegin", "ThreadTeamBegin")
FORKS = ("ThreadFork", "ThreadCreate")
ENDS = ("ThreadEnd", "ThreadTeamEnd")
JOINS = ("ThreadJoin", "ThreadWait")
"""Records of a thread that begins, that begins others, that ends, and that waits for others."""


@dataclass(slots=True)
class Moments:
    """When what of a thread was over, and where it meets other threads.

    Attributes
    ----------
    times, counts : array.array
        At this time (ticks), so many operations of the rank's program had ended, if they are of
        this thread.
    begins, joins : list of tuple of int
        Position of an operation that stands for a beginning, or for waiting for the other threads,
        and its time.
    """

    times: array[int] = field(default_factory=lambda: array("Q"))
    counts: array[int] = field(default_factory=lambda: array("Q"))
    begins: list[tuple[int, int]] = field(default_factory=list)
    joins: list[tuple[int, int]] = field(default_factory=list)

    def ended(self, time: int, count: int) -> None:
        """Note that all operations so far have ended."""
        self.times.append(time)
        self.counts.append(count)

    def clear(self) -> None:
        """Forget everything."""
        for known in (self.times, self.counts, self.begins, self.joins):
            del known[:]

    def last_by(self, time: int) -> int | None:
        """Position of the last operation that had ended by then."""
        place = bisect_right(self.times, time)
        return self.counts[place - 1] - 1 if place and self.counts[place - 1] else None


@dataclass(slots=True)
class Thread:
    """A thread of a rank: its operations are a slice of the rank's program."""

    first: int
    end: int
    moments: Moments


@dataclass(slots=True)
class Threads:
    """All threads of a rank, the first one first."""

    members: list[Thread] = field(default_factory=list)

    def edges(self) -> list[tuple[int, int]]:
        """Operations that wait for the end of one of another thread."""
        main, others = self.members[0], self.members[1:]
        found = []
        for other in others:
            for position, time in other.moments.begins:
                earlier = main.moments.last_by(time)
                if earlier is not None:
                    found.append((position, earlier))
            for position, time in main.moments.joins:
                earlier = other.moments.last_by(time)
                if earlier is not None and earlier >= other.first:
                    found.append((position, earlier))
        return sorted(set(found))


def truncate(program: RankProgram, length: int) -> None:
    """Forget the operations of a program from a position on."""
    for column in program.columns.values():
        del column[length:]


def has_calls(program: RankProgram, first: int) -> bool:
    """Whether operations from a position on are more than computation."""
    idle = {Operation.NOTHING, Operation.COMPUTE}
    return any(op not in idle for op in program.columns["op"][first:])


def join(
    programs: Sequence[RankProgram],
    threads: Sequence[Threads],
    communicators: Sequence[Sequence[int]],
    *,
    drop: frozenset[Operation],
) -> Columns:
    """Join the programs of all ranks, whose threads become streams.

    Parameters
    ----------
    programs : sequence of RankProgram
        By rank: the operations of its threads one after the other.
    threads : sequence of Threads
        By rank.
    communicators : sequence of sequence of int
        Job ranks of each communicator.
    drop : frozenset of Operation
        What becomes nothing: positions stay, since edges name them.

    Returns
    -------
    dict of str to numpy.ndarray
        The table, with streams and edges.
    """
    columns = assemble(list(programs), communicators, drop=frozenset())
    columns["op"][np.isin(columns["op"], sorted(drop))] = Operation.NOTHING
    stream = np.concatenate(
        [
            np.repeat(np.arange(len(own.members)), [one.end - one.first for one in own.members])
            for own in threads
        ]
    )
    edges = [own.edges() for own in threads]
    after_count = np.concatenate(
        [
            np.bincount(
                np.array([later for later, _ in own], dtype=np.int64), minlength=len(program)
            )
            for program, own in zip(programs, edges, strict=True)
        ]
    )
    after = [earlier for own in edges for _, earlier in own]
    found = {
        "stream": stream,
        "follows": np.ones(len(stream)),
        "after_begin": np.cumsum(after_count) - after_count,
        "after_count": after_count,
        "after": after,
        "after_start": [0] * len(after),
    }
    kinds = {**STREAM_COLUMNS, **EDGE_COLUMNS}
    return {**columns, **{name: np.array(found[name], dtype=kinds[name]) for name in kinds}}
