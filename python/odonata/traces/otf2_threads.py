"""Threads of OTF2 traces: when each of them begins and ends, and the graph that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from odonata.core import native
from odonata.traces.graphs import Edges
from odonata.traces.operations import Operation
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
    times, counts : native.Numbers
        At this time (ticks), so many operations of the rank's program had ended, if they are of
        this thread.
    begins, joins : list of tuple of int
        Position of an operation that stands for a beginning, or for waiting for the other threads,
        and its time.
    """

    times: native.Numbers = field(default_factory=native.Numbers)
    counts: native.Numbers = field(default_factory=native.Numbers)
    begins: list[tuple[int, int]] = field(default_factory=list)
    joins: list[tuple[int, int]] = field(default_factory=list)

    def ended(self, time: int, count: int) -> None:
        """Note that all operations so far have ended."""
        self.times.append(time)
        self.counts.append(count)

    def clear(self) -> None:
        """Forget everything."""
        for known in (self.times, self.counts, self.begins, self.joins):
            known.clear()

    def close(self) -> None:
        """Pack what is not packed yet."""
        self.times.close()
        self.counts.close()

    def last_by(self, time: int) -> int | None:
        """Position of the last operation that had ended by then."""
        place = self.times.up_to(time)
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


def has_calls(program: RankProgram, first: int) -> bool:
    """Whether operations from a position on are more than computation."""
    idle = [Operation.NOTHING, Operation.COMPUTE]
    return not np.isin(program.part("op", first, len(program)), idle).all()


def join(
    programs: Sequence[RankProgram],
    threads: Sequence[Threads],
    communicators: Sequence[Sequence[int]],
    *,
    drop: frozenset[Operation],
) -> native.Table:
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
    native.Table
        The table, with streams and edges.
    """
    for program, own in zip(programs, threads, strict=True):
        program.set_streams([thread.end for thread in own.members])
        edges = Edges()
        for later, earlier in own.edges():
            edges.add(later, earlier)
        edges.put_into(program)
    return assemble(programs, communicators, drop=drop, has_streams=True)
