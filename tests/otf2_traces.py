"""Writes small OTF2 traces for tests, with the conventions of Score-P."""

from __future__ import annotations

import otf2
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm, RegionRole

COLLECTIVES = {
    f"MPI_{name.capitalize()}": getattr(otf2.CollectiveOp, name)
    for name in (
        "BARRIER",
        "BCAST",
        "GATHER",
        "GATHERV",
        "SCATTER",
        "SCATTERV",
        "ALLGATHER",
        "ALLGATHERV",
        "ALLTOALL",
        "ALLTOALLV",
        "ALLTOALLW",
        "ALLREDUCE",
        "REDUCE",
        "REDUCE_SCATTER",
        "REDUCE_SCATTER_BLOCK",
        "SCAN",
        "EXSCAN",
    )
}


class Rank:
    """Writes the records of one rank; the clock counts nanoseconds."""

    def __init__(self, trace, location):
        self.trace, self.now, self.location = trace, 0, location
        self.writer = trace.archive.event_writer_from_location(location)
        self.requests = 0

    def wait_until(self, time):
        self.now = time

    def enter(self, name, **kinds):
        self.writer.enter(self.now, self.trace.region(name, **kinds))

    def leave(self, name):
        self.writer.leave(self.now, self.trace.region(name))

    def call(self, name, *events, duration=100):
        """Write a region with events in the middle of it."""
        self.enter(name)
        self.now += duration // 2
        for event in events:
            event()
        self.now += duration - duration // 2
        self.leave(name)

    def send(self, peer, size, tag=0, comm=None):
        comm = comm or self.trace.world
        return lambda: self.writer.mpi_send(self.now, peer, comm, tag, size)

    def recv(self, peer, size, tag=0, comm=None):
        comm = comm or self.trace.world
        return lambda: self.writer.mpi_recv(self.now, peer, comm, tag, size)

    def isend(self, peer, size, request, tag=0, comm=None):
        comm = comm or self.trace.world
        return lambda: self.writer.mpi_isend(self.now, peer, comm, tag, size, request)

    def irecv(self, request):
        return lambda: self.writer.mpi_irecv_request(self.now, request)

    def sent(self, request):
        return lambda: self.writer.mpi_isend_complete(self.now, request)

    def received(self, peer, size, request, tag=0, comm=None):
        comm = comm or self.trace.world
        return lambda: self.writer.mpi_irecv(self.now, peer, comm, tag, size, request)

    def collective(self, name, sent=0, received=0, comm=None, root=0xFFFFFFFF):
        def events():
            self.writer.mpi_collective_begin(self.now)
            self.writer.mpi_collective_end(
                self.now, COLLECTIVES[name], comm or self.trace.world, root, sent, received
            )

        self.call(name, events)

    def handle(self, what, comm=None):
        """All ranks together create or destroy a communicator."""
        return lambda: self.writer.mpi_collective_end(
            self.now, HANDLE[what], comm or self.trace.world, 0xFFFFFFFF, 0, 0
        )

    def begun(self, request):
        """A nonblocking collective begins."""
        return lambda: self.writer.non_blocking_collective_request(self.now, request)

    def ended(self, name, request, sent=0, received=0, root=0xFFFFFFFF):
        """A nonblocking collective ends."""
        codes = {**COLLECTIVES, "MPI_Handle": HANDLE["CREATE"]}
        return lambda: self.writer.non_blocking_collective_complete(
            self.now, codes[name], self.trace.world, root, sent, received, request
        )

    def fork(self, count=2):
        self.writer.thread_fork(self.now, Paradigm.OPENMP, count)

    def join(self):
        self.writer.thread_join(self.now, Paradigm.OPENMP)

    def team_begin(self):
        self.writer.thread_team_begin(self.now, self.trace.world)

    def team_end(self):
        self.writer.thread_team_end(self.now, self.trace.world)

    def put(self, peer, size, number):
        return lambda: self.writer.rma_put(self.now, self.trace.window, peer, size, number)

    def get(self, peer, size, number):
        return lambda: self.writer.rma_get(self.now, self.trace.window, peer, size, number)

    def atomic(self, peer, kind, sent, received, number):
        """An operation that changes what is there, and may give back what was."""
        kind = getattr(otf2.RmaAtomicType, kind)
        return lambda: self.writer.rma_atomic(
            self.now, self.trace.window, peer, kind, sent, received, number
        )

    def locked(self, peer):
        """The window of a rank is locked."""
        return lambda: self.writer.rma_acquire_lock(
            self.now, self.trace.window, peer, 0, otf2.LockType.EXCLUSIVE
        )

    def with_group(self, group, window=None):
        """A group of ranks may begin or has ended."""
        return lambda: self.writer.rma_group_sync(
            self.now, otf2.RmaSyncLevel.PROCESS, window or self.trace.window, group
        )

    def complete(self, number):
        """A put or get is over at its target, too."""
        return lambda: self.writer.rma_op_complete_remote(self.now, self.trace.window, number)

    def locally(self, number):
        """The buffer of a put is free, or the data of a get are here."""
        return lambda: self.writer.rma_op_complete_non_blocking(self.now, self.trace.window, number)

    def met(self):
        """All ranks of the window have met."""

        def events():
            self.writer.rma_collective_begin(self.now)
            self.writer.rma_collective_end(
                self.now, otf2.CollectiveOp.BARRIER, otf2.RmaSyncLevel.PROCESS,
                self.trace.window, 0xFFFFFFFF, 0, 0,
            )  # fmt: skip

        return events


class Trace:
    """An OTF2 archive that is being written; use as a context manager."""

    def __init__(self, folder, ranks, *, is_mpi=True, **options):
        self.folder = folder
        self._closing = otf2.writer.open(str(folder), timer_resolution=10**9, **options)
        self._count = ranks
        self._is_mpi = is_mpi
        self._regions = {}

    def __enter__(self):
        self.archive = self._closing.__enter__()
        definitions = self.definitions = self.archive.definitions
        definitions.paradigm(Paradigm.MPI, name="MPI", paradigm_class=otf2.ParadigmClass.PROCESS)
        node = definitions.system_tree_node("node")
        self.locations, self.groups = [], []
        for rank in range(self._count):
            group = definitions.location_group(
                f"MPI Rank {rank}",
                location_group_type=LocationGroupType.PROCESS,
                system_tree_parent=node,
            )
            self.groups.append(group)
            self.locations.append(
                definitions.location("Master thread", type=LocationType.CPU_THREAD, group=group)
            )
        if self._is_mpi:
            definitions.group(
                "",
                group_type=GroupType.COMM_LOCATIONS,
                paradigm=Paradigm.MPI,
                members=tuple(self.locations),
            )
            self.world = self.communicator("MPI_COMM_WORLD", range(self._count))
        self.ranks = [Rank(self, location) for location in self.locations]
        return self

    def __exit__(self, *error):
        return self._closing.__exit__(*error)

    def thread(self, rank, name="Worker thread"):
        """Another thread of a rank."""
        location = self.definitions.location(
            name, type=LocationType.CPU_THREAD, group=self.groups[rank]
        )
        return Rank(self, location)

    @property
    def window(self):
        """The window of the whole job."""
        return self.definitions.rma_win("window", comm=self.world)

    def announce(self, rank, count):
        """Make the definitions lie about the number of records of a rank."""
        self.locations[rank]._number_of_events_written = count

    def communicator(self, name, ranks):
        return self.definitions.comm(name, group=self.group(f"group of {name}", ranks))

    def group(self, name, ranks):
        return self.definitions.group(
            name,
            group_type=GroupType.COMM_GROUP,
            paradigm=Paradigm.MPI,
            members=tuple(self.locations[rank] for rank in ranks),
        )

    def self_communicator(self):
        group = self.definitions.group(
            "self", group_type=GroupType.COMM_SELF, paradigm=Paradigm.MPI, members=()
        )
        return self.definitions.comm("MPI_COMM_SELF", group=group)

    def region(self, name, **kinds):
        if name not in self._regions:
            paradigm = Paradigm.MPI if name.startswith("MPI_") else Paradigm.USER
            role = kinds.pop("region_role", RegionRole.FUNCTION)
            self._regions[name] = self.definitions.region(
                name, paradigm=paradigm, region_role=role, **kinds
            )
        return self._regions[name]


HANDLE = {name: getattr(otf2.CollectiveOp, f"{name}_HANDLE") for name in ("CREATE", "DESTROY")}


def ping_pong(folder, *, size=4096, rounds=2, gap=1000):
    """Two ranks that send a message to and fro, computing in between."""
    with Trace(folder, 2) as trace:
        one, two = trace.ranks
        for rank in trace.ranks:
            rank.call("MPI_Init")
            rank.call("MPI_Comm_rank")
        for _ in range(rounds):
            for rank in trace.ranks:
                rank.wait_until(rank.now + gap)
            one.call("MPI_Send", one.send(1, size, tag=7))
            two.call("MPI_Recv", two.recv(0, size, tag=7))
            two.call("MPI_Send", two.send(0, size, tag=8))
            one.call("MPI_Recv", one.recv(1, size, tag=8))
        for rank in trace.ranks:
            rank.call("MPI_Finalize")
    return folder
