"""One-sided calls in OTF2 traces, as Score-P records them."""

from __future__ import annotations

import pytest

import odonata
from odonata.traces import Operation, read

pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import Trace


def operations(trace, rank):
    c = trace.columns
    own = slice(*(int(at) for at in c["rank_offsets"][rank : rank + 2]))
    found = zip(c["op"][own].tolist(), c["peer"][own].tolist(), c["bytes"][own].tolist(),
                strict=True)  # fmt: skip
    return [(Operation(op).name, peer, size) for op, peer, size in found if op]


def write(folder):
    with Trace(folder, 3) as trace:
        for number, rank in enumerate(trace.ranks):
            rank.call("MPI_Init")
            rank.call("MPI_Win_create", rank.met())
            rank.call("MPI_Win_fence", rank.met())
            if number == 0:
                rank.call("MPI_Put", rank.put(1, 100, 1))
                rank.call("MPI_Get", rank.get(2, 200, 2))
                # Local: of the put nothing that a replay waits for.
                rank.call("MPI_Win_flush_local", rank.locally(1))
                rank.call("MPI_Win_flush", rank.complete(2))
                rank.call("MPI_Put", rank.put(2, 300, 3))
                rank.call("MPI_Put", rank.put(1, 400, 4))
                rank.call("MPI_Win_flush_all", rank.complete(3), rank.complete(4))
            rank.wait_until(5000)
            rank.call("MPI_Win_fence", rank.complete(9), rank.met())
            rank.call("MPI_Win_free", rank.met())
            rank.call("MPI_Finalize")
    return folder


def test_puts_gets_flushes_and_fences_stand_where_they_were_called(tmp_path):
    trace = read(write(tmp_path / "trace"))
    assert trace.unsupported == {}
    assert trace.check() == []
    assert operations(trace, 0) == [
        ("FENCE", 0, 0), ("PUT", 1, 100), ("GET", 2, 200), ("FLUSH", 2, 0), ("PUT", 2, 300),
        ("PUT", 1, 400), ("FLUSH", -1, 0), ("FENCE", 0, 0),
    ]  # fmt: skip
    assert operations(trace, 1) == [("FENCE", 0, 0)] * 2
    result = odonata.run(
        {
            "name": "replay",
            "system": {"preset": "dragonfly(2, 2, 1, 3)", "mpi": {"preset": "ideal"}},
            "routing": {"algorithm": "minimal"},
            "jobs": [{"workload": {"kind": "trace", "path": str(tmp_path / "trace")}}],
        }
    )
    ranks = result.table("ranks").sort("rank")
    assert ranks["finished"].all()
    # Ideal: barriers move no bytes beyond the least that a message has.
    assert ranks["messages_sent"][0] >= 3


def test_what_cannot_be_told_is_counted(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Init")
            rank.call("MPI_Put")
            rank.call("MPI_Win_fence")
            rank.call("MPI_Accumulate", lambda rank=rank: rank.writer.rma_atomic(
                rank.now, trace.window, 0, 0, 8, 0, 1))  # fmt: skip
            rank.call("MPI_Win_post")
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    trace = read(tmp_path / "trace")
    assert trace.unsupported == {
        "MPI_Accumulate": 2, "MPI_Put": 2, "MPI_Win_fence": 2, "MPI_Win_post": 2, "RmaAtomic": 2,
    }  # fmt: skip
