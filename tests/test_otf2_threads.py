"""Threads of a rank in OTF2 traces: each that calls MPI is a stream."""

from __future__ import annotations

import pytest

import odonata
from odonata.traces import Operation, read

pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import Trace

WORK = 1_000_000
"""Computation of each thread in the parallel region, ns."""


def write(folder, *, is_told=True):
    """Two ranks of two threads; second threads exchange while the first ones compute."""
    with Trace(folder, 2) as trace:
        for number, rank in enumerate(trace.ranks):
            worker = trace.thread(number)
            other = 1 - number
            rank.call("MPI_Init_thread")
            rank.wait_until(1_000)
            if is_told:
                rank.fork()
            worker.wait_until(1_100)
            if is_told:
                worker.team_begin()
            worker.wait_until(1_100 + WORK)
            worker.call("MPI_Isend", worker.isend(other, 4096, 1, tag=5))
            worker.call("MPI_Recv", worker.recv(other, 4096, tag=5))
            worker.call("MPI_Wait", worker.sent(1))
            if is_told:
                worker.team_end()
            rank.wait_until(rank.now + WORK)
            rank.collective("MPI_Allreduce", sent=16, received=16)
            rank.wait_until(1_600 + 2 * WORK)
            if is_told:
                rank.join()
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    return folder


def run(path):
    return odonata.run(
        {
            "name": "replay",
            "system": {"preset": "dragonfly(2, 2, 1, 3)"},
            "routing": {"algorithm": "minimal"},
            "jobs": [{"workload": {"kind": "trace", "path": str(path)}}],
        }
    )


def test_threads_that_call_mpi_are_streams(tmp_path):
    trace = read(write(tmp_path / "trace"))
    assert trace.unsupported == {}
    assert trace.check() == []
    c = trace.columns
    first = slice(0, int(c["rank_offsets"][1]))
    streams = {0: [], 1: []}
    for op, stream in zip(c["op"][first].tolist(), c["stream"][first].tolist(), strict=True):
        if op != Operation.NOTHING:
            streams[stream].append(Operation(op).name)
    assert streams[1] == ["COMPUTE", "ISEND", "RECV", "WAIT"]
    assert streams[0] == ["COMPUTE", "COMPUTE", "ALLREDUCE", "COMPUTE", "BARRIER"]
    assert c["follows"].all()
    assert len(c["after"]) == 4, "a fork and a join on each rank"
    spans = run(tmp_path / "trace").table("ranks")
    assert spans["finished"].all()
    assert spans["compute_time_ns"].to_list() == pytest.approx([2 * WORK] * 2, rel=0.01)
    times = (spans["comm_time_ns"] + spans["compute_time_ns"]).to_list()
    assert all(2 * WORK < time < 2.1 * WORK for time in times), "not one after the other"


def test_a_thread_without_a_beginning_begins_with_its_first_call(tmp_path):
    trace = read(write(tmp_path / "trace", is_told=False))
    assert trace.unsupported == {}
    assert trace.check() == []
    assert set(trace.columns["stream"].tolist()) == {0, 1}
    assert run(tmp_path / "trace").summary["stop"] == "finished"


def test_threads_that_only_compute_leave_a_sequence(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for number, rank in enumerate(trace.ranks):
            worker = trace.thread(number)
            rank.call("MPI_Init")
            rank.fork()
            worker.team_begin()
            worker.enter("work")
            worker.wait_until(rank.now + 500)
            worker.leave("work")
            worker.team_end()
            rank.wait_until(rank.now + 600)
            rank.join()
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    trace = read(tmp_path / "trace")
    assert "stream" not in trace.columns
    assert trace.info()["compute_ns_max"] == 600
