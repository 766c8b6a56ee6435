"""Nonblocking collectives in OTF2 traces: they begin in one call and end in another."""

from __future__ import annotations

import pytest

from odonata.traces import Operation, read

pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import Trace


def write(folder):
    with Trace(folder, 4) as trace:
        for number, rank in enumerate(trace.ranks):
            rank.call("MPI_Init")
            rank.call("MPI_Iallreduce", rank.begun(1))
            rank.wait_until(rank.now + 500)
            rank.call("MPI_Ibcast", rank.begun(2))
            rank.collective("MPI_Allreduce", sent=32, received=32)
            # The second one ends first.
            sent = 3 * 64 if number == 2 else 0
            received = 0 if number == 2 else 64
            rank.call("MPI_Wait", rank.ended("MPI_Bcast", 2, sent, received, root=2))
            rank.call("MPI_Wait", rank.ended("MPI_Allreduce", 1, 4 * 8, 4 * 8))
            rank.call("MPI_Finalize")
    return folder


def test_nonblocking_collectives_begin_and_end_where_the_program_did(tmp_path):
    trace = read(write(tmp_path / "trace"))
    assert trace.unsupported == {}
    assert trace.check() == []
    c = trace.columns
    first, last = (int(value) for value in c["rank_offsets"][:2])
    found = [
        (Operation(op).name, size)
        for op, size in zip(
            c["op"][first:last].tolist(), c["bytes"][first:last].tolist(), strict=True
        )
    ]
    assert found == [
        ("IALLREDUCE", 8), ("COMPUTE", 0), ("IBCAST", 64), ("ALLREDUCE", 8), ("WAIT", 0),
        ("WAIT", 0),
    ]  # fmt: skip
    requests = c["request"][first:last].tolist()
    assert requests[4:] == [requests[2], requests[0]]


def test_one_that_never_ends_is_counted(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Init")
            rank.call("MPI_Iallreduce", rank.begun(1))
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    trace = read(tmp_path / "trace")
    assert trace.unsupported == {"nonblocking collective that never ends": 2}
    assert set(trace.info()["operations_by_kind"]) == {"barrier"}
