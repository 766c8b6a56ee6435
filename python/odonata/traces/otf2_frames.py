"""What the readers of one rank of an OTF2 trace share: calls being read, communicators, a tally."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from odonata.traces.calls import Call

if TYPE_CHECKING:
    from odonata.traces.otf2_definitions import Definitions


@dataclass
class Tally:
    """What all ranks together left out or estimated; times in timer ticks."""

    unsupported: Counter[str] = field(default_factory=Counter)
    local_calls: Counter[str] = field(default_factory=Counter)
    hints: Counter[str] = field(default_factory=Counter)
    ticks: Counter[str] = field(default_factory=Counter)


class Frame:
    """An MPI call that is being read."""

    __slots__ = (
        "call", "collective_seen", "completed", "flushed", "is_fence", "name", "receives",
        "record_seen", "sends", "size",
    )  # fmt: skip

    def __init__(self, call: Call, name: str) -> None:
        self.call = call
        self.name = name
        self.completed: list[int] = []
        self.sends: list[int] = []
        self.receives: list[int] = []
        self.collective_seen = False
        self.record_seen = False
        self.flushed: list[tuple[int, int]] = []
        self.is_fence = False
        self.size: int | None = None


class Communicators:
    """Numbers the communicators of a trace in the order of their first use, rank by rank.

    Communicator 0 holds all ranks. A communicator of the kind "self" is one communicator per rank.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._known = definitions.communicators
        self._numbers: dict[int | tuple[int, int], int] = {}
        self.members: list[tuple[int, ...]] = [tuple(range(len(definitions.ranks)))]

    def number(self, definition: int, rank: int) -> int | None:
        """Return the number of a communicator as a rank sees it; None: not supported."""
        number = self._numbers.get(definition)
        if number is None:
            number = self._numbers.get((definition, rank))
        return self._add(definition, rank) if number is None else number

    def _add(self, definition: int, rank: int) -> int | None:
        known = self._known[definition]
        if known.is_inter:
            return None
        members = (rank,) if known.is_self else known.members
        if known.name == "MPI_COMM_WORLD" and members == self.members[0]:
            number = 0
        else:
            self.members.append(members)
            number = len(self.members) - 1
        self._numbers[(definition, rank) if known.is_self else definition] = number
        return number

    def beside(self, number: int) -> int:
        """Return the number of another communicator of the same ranks, which only we use."""
        known = self._numbers.get((-1, number))
        if known is None:
            self.members.append(self.members[number])
            known = self._numbers[(-1, number)] = len(self.members) - 1
        return known

    def is_single(self, definition: int) -> bool:
        """Whether a communicator has one rank only."""
        known = self._known[definition]
        return known.is_self or (not known.is_inter and len(known.members) == 1)

    def size(self, number: int) -> int:
        """Return the number of ranks of a communicator."""
        return len(self.members[number])
