"""Traces as TAU writes them: without requests, communicators and roots of collectives."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from odonata.errors import TraceError
from odonata.traces import read
from odonata.traces.operations import Operation

pytest.importorskip("otf2", reason="needs the optional package otf2")
import otf2
from otf2.enums import GroupType, MetricMode, MetricType, Paradigm, Type

from otf2_traces import Trace

RENDEZVOUS = 1 << 20


class Tau(Trace):
    """A trace with the habits of TAU."""

    def __enter__(self):
        super().__enter__()
        self._sizes = {}
        for rank in self.ranks:
            rank.enter(".TAU application")
        return self

    def __exit__(self, *error):
        for rank in self.ranks:
            rank.leave(".TAU application")
        return super().__exit__(*error)

    def size(self, what):
        """The metric of a kind of collective."""
        if what not in self._sizes:
            member = self.definitions.metric_member(
                f"Message size for {what}", "", MetricType.OTHER, MetricMode.ABSOLUTE_POINT,
                Type.UINT64, otf2.Base.DECIMAL, 0, "bytes",
            )  # fmt: skip
            self._sizes[what] = self.definitions.metric_class((member,))
        return self._sizes[what]

    def collective(self, rank, name, what=None, size=None):
        """A collective: three values of its metric, the middle one of which is the size."""
        events = ()
        if what is not None:
            metric = self.size(what)
            events = [
                lambda value=value: rank.writer.metric(rank.now, metric, [value])
                for value in (0, size, 0)
            ]
        rank.call(f"MPI_{name}()", *events)


def operations(data, rank):
    """Names of a rank's operations."""
    begin, end = data.columns["rank_offsets"][rank : rank + 2]
    kept = [Operation(op) for op in data.columns["op"][begin:end]]
    return [op.name.lower() for op in kept if op is not Operation.COMPUTE]


def exchange(folder, *, rounds=3, size=RENDEZVOUS):
    """Both ranks send and receive at the same time, with each call that can end a request."""
    with Tau(folder, 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Init()")
        for _ in range(rounds):
            for me, rank in enumerate(trace.ranks):
                rank.call("MPI_Isend()", rank.send(1 - me, size, tag=3))
                rank.call("MPI_Irecv()")
                rank.call("MPI_Irecv()")
                rank.call("MPI_Isend()", rank.send(1 - me, 8, tag=4))
                rank.call("MPI_Wait()", rank.recv(1 - me, size, tag=3))
                rank.call("MPI_Wait()")
                rank.call("MPI_Waitall()", rank.recv(1 - me, 8, tag=4))
        for rank in trace.ranks:
            rank.call("MPI_Finalize()")
    return folder


def test_messages_without_requests_are_nonblocking(tmp_path):
    data = read(exchange(tmp_path / "trace"))
    one_round = ["isend", "irecv", "irecv", "isend", "wait", "wait", "waitall"]
    assert operations(data, 0) == operations(data, 1) == one_round * 3
    assert data.check() == []
    assert data.unsupported == {}
    assert any(note.startswith("24 nonblocking messages without a req") for note in data.notes)
    sizes = data.columns["bytes"][data.columns["op"] == Operation.IRECV]
    assert sizes.tolist() == [RENDEZVOUS, 8] * 6


def test_a_send_is_waited_for_at_the_end_at_the_latest(tmp_path):
    with Tau(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Isend()", one.send(1, 64))
        one.call("MPI_Test()")
        two.call("MPI_Recv()", two.recv(0, 64))
    data = read(tmp_path / "trace")
    assert operations(data, 0) == ["isend", "wait"]
    assert operations(data, 1) == ["recv"]


SIZED = [
    ("Allreduce", "all-reduce", 8, Operation.ALLREDUCE),
    ("Bcast", "broadcast", 4096, Operation.BCAST),
    ("Reduce", "reduce", 16, Operation.REDUCE),
    ("Allgather", "all-gather", 24, Operation.ALLGATHER),
    ("Alltoall", "all-to-all", 512, Operation.ALLTOALL),
    ("Scan", "scan", 40, Operation.SCAN),
]


def test_collectives_are_known_by_name_and_size(tmp_path):
    with Tau(tmp_path / "trace", 4) as trace:
        for rank in trace.ranks:
            trace.collective(rank, "Barrier")
            for name, what, size, _ in SIZED:
                trace.collective(rank, name, what, size)
        for me, rank in enumerate(trace.ranks):  # only the root has a size
            trace.collective(rank, "Gather", *(("gather", 100) if me == 0 else ()))
    data = read(tmp_path / "trace")
    assert data.unsupported == {}
    assert data.check() == []
    columns = data.columns
    for rank in range(4):
        begin, end = columns["rank_offsets"][rank : rank + 2]
        own = columns["op"][begin:end] != Operation.COMPUTE
        kinds, found = (columns[name][begin:end][own] for name in ("op", "bytes"))
        sizes = [(op, size) for _, _, size, op in SIZED]
        expected = [(Operation.BARRIER, 0), *sizes, (Operation.GATHER, 100)]
        assert list(zip(kinds, found, strict=True)) == expected
    assert any("8 collectives whose communicator and root TAU does not record" in note
               for note in data.notes)  # fmt: skip


def test_collectives_that_not_all_ranks_call_are_counted(tmp_path):
    with Tau(tmp_path / "trace", 4) as trace:
        for me, rank in enumerate(trace.ranks):
            trace.collective(rank, "Barrier")
            if me < 2:
                trace.collective(rank, "Allreduce", "all-reduce", 8)
    data = read(tmp_path / "trace")
    assert data.unsupported == {
        "MPI_Allreduce on a communicator that TAU does not record": 2,
        "MPI_Barrier on a communicator that TAU does not record": 4,
    }
    assert not np.isin(data.columns["op"], [Operation.BARRIER, Operation.ALLREDUCE]).any()


def test_collectives_without_a_size_are_counted(tmp_path):
    with Tau(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            trace.collective(rank, "Alltoallv", "all-to-all", 8)
            trace.collective(rank, "Allreduce")
    assert read(tmp_path / "trace").unsupported == {"MPI_Allreduce": 2, "MPI_Alltoallv": 2}


def test_ranks_follow_from_the_processes_where_their_list_cannot_be_right(tmp_path):
    """Some versions of TAU list thread `i` of all where they should list that of rank `i`."""
    with Tau(tmp_path / "trace", 2, is_mpi=False) as trace:
        worker = trace.thread(0)
        kinds = {"paradigm": Paradigm.MPI, "members": (trace.locations[0], worker.location)}
        trace.definitions.group("", group_type=GroupType.COMM_LOCATIONS, **kinds)
        group = trace.definitions.group("all", group_type=GroupType.COMM_GROUP, **kinds)
        trace.world = trace.definitions.comm("MPI_COMM_WORLD", group=group)
        one, two = trace.ranks
        one.call("MPI_Send()", one.send(1, 64))
        two.call("MPI_Recv()", two.recv(0, 64))
        worker.call("work")
    data = read(tmp_path / "trace")
    assert operations(data, 0) == ["send"]
    assert operations(data, 1) == ["recv"]
    assert data.check() == []
    assert data.unsupported == {}
    assert any("2 ranks assumed to be the first threads of the processes" in n for n in data.notes)


def test_a_thread_may_be_announced_with_the_records_of_another(tmp_path):
    with Tau(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Send()", one.send(1, 64))
        two.call("MPI_Recv()", two.recv(0, 64))
        trace.announce(0, 400)
    assert operations(read(tmp_path / "trace"), 0) == ["send"]


def test_damaged_bytes_never_escape_as_another_error(tmp_path):
    """Metrics are read by address: their number is asked for first."""
    folder = tmp_path / "trace"
    with Tau(folder, 2) as trace:
        for rank in trace.ranks:
            for _ in range(20):
                trace.collective(rank, "Allreduce", "all-reduce", 8)
    random = np.random.default_rng(1)
    for number in range(80):
        part = folder / ["traces.def", "traces/1.evt", "traces/0.evt"][number % 3]
        content = part.read_bytes()
        damaged = bytearray(content)
        for position in random.integers(0, len(content), size=3):
            damaged[position] = random.integers(0, 256)
        part.write_bytes(bytes(damaged))
        with contextlib.suppress(TraceError):
            read(folder)
        part.write_bytes(content)
    assert len(read(folder).columns["op"]) > 0
