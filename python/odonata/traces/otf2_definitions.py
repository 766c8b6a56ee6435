"""The definitions of an OTF2 trace, as far as a replay needs them.

A definition that is given twice counts as it was given last: some writers (EZTrace 2.0) give their
groups twice, under one number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from odonata.traces.calls import Call, classify, plain_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odonata.traces.otf2_library import Archive

_DYNAMIC = 1
"""Bit of the region flags that marks a region entered once per iteration."""

_SIZE_OF_TAU = "Message size for "
"""With which the names of TAU's metrics of collectives begin."""


class Region(NamedTuple):
    """A region of the program: what it is to the reader."""

    name: str
    call: Call
    is_iteration: bool


class Location(NamedTuple):
    """A stream of records."""

    name: str
    group: int
    announced: int
    """Records that the definitions say it has."""
    is_thread: bool = True
    """Whether it is a thread of a processor, not a metric or an accelerator."""


class Communicator(NamedTuple):
    """Who talks: job ranks in the order of the communicator."""

    name: str
    members: tuple[int, ...]
    is_self: bool = False
    is_inter: bool = False


@dataclass
class Definitions:
    """All definitions, by their number in the trace.

    Attributes
    ----------
    resolution : int
        Ticks of the timer per second; 0: not given.
    ranks : sequence of int
        Location of every MPI rank; empty if the trace has none.
    windows : dict of int to int
        Communicator of every window of one-sided calls.
    groups : dict of int to tuple of int
        Job ranks of every group.
    sizes : frozenset of int
        Metrics that say how many bytes a collective has.
    ranks_follow : bool
        Whether the ranks follow from the processes, since the list of them cannot be right.
    """

    resolution: int = 0
    regions: dict[int, Region] = field(default_factory=dict)
    locations: dict[int, Location] = field(default_factory=dict)
    processes: dict[int, str] = field(default_factory=dict)
    ranks: Sequence[int] = ()
    communicators: dict[int, Communicator] = field(default_factory=dict)
    windows: dict[int, int] = field(default_factory=dict)
    groups: dict[int, tuple[int, ...]] = field(default_factory=dict)
    sizes: frozenset[int] = frozenset()
    ranks_follow: bool = False

    def describe(self, location: int) -> str:
        """Return the name of a location and of its process."""
        known = self.locations[location]
        return f"{self.processes.get(known.group, 'unknown process')}, {known.name}"

    def threads(self) -> dict[int, int]:
        """Return the rank of each thread beside the first one of its process."""
        first = {self.locations[known].group: rank for rank, known in enumerate(self.ranks)}
        return {
            number: first[location.group]
            for number, location in self.locations.items()
            if location.is_thread and location.group in first and number not in set(self.ranks)
        }

    @property
    def is_eztrace(self) -> bool:
        """Whether EZTrace wrote the trace; it does not say so, but leaves a region of its own."""
        return any(region.name.startswith("EZTrace ") for region in self.regions.values())

    @cached_property
    def is_tau(self) -> bool:
        """Whether TAU wrote the trace; it has a region of its own around all others."""
        names = (region.name for region in self.regions.values())
        return bool(self.sizes) or any(name.startswith(".TAU ") for name in names)


class _Collector:
    """Takes the records in the order of the file; a record may refer to later ones."""

    def __init__(self, archive: Archive) -> None:
        self.texts: dict[int, str] = {}
        self.resolution = 0
        self.processes: dict[int, int] = {}
        self.locations: dict[int, tuple[int, int, int, bool]] = {}
        self.regions: dict[int, tuple[int, int]] = {}
        self.ranks: tuple[int, ...] = ()
        self.groups: dict[int, tuple[int, ...] | None] = {}
        self.communicators: dict[int, tuple[int, int | None]] = {}
        self.windows: dict[int, int] = {}
        self.members: dict[int, int] = {}
        self.metrics: dict[int, int] = {}
        constant = archive.constant
        self._mpi = constant("PARADIGM_MPI")
        self._thread = constant("LOCATION_TYPE_CPU_THREAD")
        self._locations_of_ranks = constant("GROUP_TYPE_COMM_LOCATIONS")
        self._self_group = constant("GROUP_TYPE_COMM_SELF")

    def clock(self, resolution: int, *_: int) -> None:
        self.resolution = resolution

    def text(self, number: int, text: bytes | None) -> None:
        self.texts[number] = (text or b"").decode(errors="replace")

    def process(self, number: int, name: int, *_: int) -> None:
        self.processes[number] = name

    def location(self, number: int, name: int, kind: int, announced: int, group: int) -> None:
        self.locations[number] = (name, group, announced, kind == self._thread)

    def region(self, number: int, name: int, *values: int) -> None:
        flags = values[4]
        self.regions[number] = (name, flags)

    def group(self, number: int, _name: int, kind: int, paradigm: int, *rest: object) -> None:
        _flags, count, numbers = rest
        members = tuple(numbers[:count]) if count else ()  # type: ignore[index]
        if kind != self._locations_of_ranks:
            self.groups[number] = None if kind == self._self_group else members
        elif paradigm == self._mpi:
            self.ranks = members

    def communicator(self, number: int, name: int, group: int, *_: int) -> None:
        self.communicators[number] = (name, group)

    def inter_communicator(self, number: int, name: int, *_: int) -> None:
        self.communicators[number] = (name, None)

    def window(self, number: int, _name: int, communicator: int, *_: int) -> None:
        self.windows[number] = communicator

    def metric_member(self, number: int, name: int, *_: int) -> None:
        self.members[number] = name

    def metric(self, number: int, count: int, members: Sequence[int], *_: int) -> None:
        if count == 1:
            self.metrics[number] = members[0]

    def definitions(self) -> Definitions:
        """Resolve the references."""
        texts = self.texts
        from_processes = self._first_threads()
        if from_processes:
            self.ranks = from_processes

        def region(name: int, flags: int) -> Region:
            text = plain_name(texts.get(name, ""))
            return Region(text, classify(text), bool(flags & _DYNAMIC))

        return Definitions(
            resolution=self.resolution,
            regions={number: region(*values) for number, values in self.regions.items()},
            locations={
                number: Location(texts.get(name, ""), group, announced, is_thread)
                for number, (name, group, announced, is_thread) in self.locations.items()
            },
            processes={number: texts.get(name, "") for number, name in self.processes.items()},
            ranks=self.ranks,
            communicators={
                number: self._resolve(texts.get(name, ""), group)
                for number, (name, group) in self.communicators.items()
            },
            windows=self.windows,
            groups={
                number: members for number, members in self.groups.items() if members is not None
            },
            sizes=frozenset(
                number
                for number, member in self.metrics.items()
                if texts.get(self.members.get(member, -1), "").startswith(_SIZE_OF_TAU)
            ),
            ranks_follow=bool(from_processes),
        )

    def _first_threads(self) -> tuple[int, ...]:
        """Return the first thread of every process, if the list of ranks cannot be right.

        TAU lists wrong locations. Two ranks cannot be of one process; a location must be known.
        """
        listed = {self.locations[one][1] for one in self.ranks if one in self.locations}
        if len(listed) == len(self.ranks):
            return ()
        first: dict[int, int] = {}
        for number, (_, group, _, is_thread) in sorted(self.locations.items()):
            if is_thread:
                first.setdefault(group, number)
        return (
            tuple(first[group] for group in sorted(first)) if len(first) == len(self.ranks) else ()
        )

    def _resolve(self, name: str, group: int | None) -> Communicator:
        if group is None:
            return Communicator(name, (), is_inter=True)
        members = self.groups.get(group, ())
        if members is None or (not members and name == "MPI_COMM_SELF"):
            return Communicator(name, (), is_self=True)
        wrong = [member for member in members if member >= len(self.ranks)]
        if wrong:
            message = f"communicator `{name}` has rank {wrong[0]} of {len(self.ranks)}"
            raise ValueError(message)
        return Communicator(name, members)


def read_definitions(archive: Archive) -> Definitions:
    """Read the definitions of an open archive.

    Returns
    -------
    Definitions
        The definitions.

    Raises
    ------
    Exception
        Whatever the bindings raise if the file of the definitions is damaged.
    """
    collector = _Collector(archive)
    archive.read_definitions(
        {
            "ClockProperties": collector.clock,
            "String": collector.text,
            "LocationGroup": collector.process,
            "Location": collector.location,
            "Region": collector.region,
            "Group": collector.group,
            "Comm": collector.communicator,
            "InterComm": collector.inter_communicator,
            "RmaWin": collector.window,
            "MetricMember": collector.metric_member,
            "MetricClass": collector.metric,
        }
    )
    return collector.definitions()
