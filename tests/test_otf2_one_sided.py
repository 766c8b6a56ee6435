"""One-sided calls in OTF2 traces, as Score-P records them."""

from __future__ import annotations

import numpy as np
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


def replay(path):
    return odonata.run(
        {
            "name": "replay",
            "system": {"preset": "dragonfly(2, 2, 1, 3)", "mpi": {"preset": "ideal"}},
            "routing": {"algorithm": "minimal"},
            "jobs": [{"workload": {"kind": "trace", "path": str(path)}}],
        }
    )


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
    ranks = replay(tmp_path / "trace").table("ranks").sort("rank")
    assert ranks["finished"].all()
    # Ideal: barriers move no bytes beyond the least that a message has.
    assert ranks["messages_sent"][0] >= 3


def write_atomics(folder):
    """Accumulate, get-accumulate, fetch-and-op and compare-and-swap under a lock of the target."""
    with Trace(folder, 2) as trace:
        for number, rank in enumerate(trace.ranks):
            rank.call("MPI_Init")
            rank.call("MPI_Win_create", rank.met())
            if number == 0:
                rank.call("MPI_Win_lock", rank.locked(1))
                rank.call("MPI_Accumulate", rank.atomic(1, "ACCUMULATE", 800, 0, 1))
                rank.call("MPI_Get_accumulate", rank.atomic(1, "FETCH_AND_ACCUMULATE", 400, 400, 2))
                rank.call("MPI_Win_flush", rank.complete(1), rank.complete(2))
                rank.call("MPI_Fetch_and_op", rank.atomic(1, "FETCH_AND_ADD", 8, 8, 3))
                rank.call("MPI_Compare_and_swap", rank.atomic(1, "COMPARE_AND_SWAP", 16, 8, 4))
                rank.call("MPI_Raccumulate", rank.atomic(1, "ACCUMULATE", 0, 0, 5))
                rank.call("MPI_Win_unlock", *(rank.complete(one) for one in (3, 4, 5)))
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    return folder


def test_atomic_operations_send_and_fetch(tmp_path):
    trace = read(write_atomics(tmp_path / "trace"))
    assert trace.unsupported == {}
    assert trace.check() == []
    assert operations(trace, 0) == [
        ("PUT", 1, 800), ("PUT", 1, 400), ("GET", 1, 400), ("FLUSH", 1, 0),
        ("PUT", 1, 8), ("GET", 1, 8), ("PUT", 1, 16), ("GET", 1, 8), ("PUT", 1, 0),
        ("FLUSH", 1, 0), ("BARRIER", 0, 0),
    ]  # fmt: skip
    ranks = replay(tmp_path / "trace").table("ranks")
    assert ranks["finished"].all()


def write_active(folder):
    """Ranks 0 and 2 put into the window of rank 1, which lets them with post and wait."""
    with Trace(folder, 3) as trace:
        origins, target = trace.group("origins", (0, 2)), trace.group("target", (1,))
        for number, rank in enumerate(trace.ranks):
            rank.call("MPI_Init")
            rank.call("MPI_Win_create", rank.met())
            for round_ in range(2):
                if number == 1:
                    rank.wait_until(rank.now + 50_000)
                    rank.call("MPI_Win_post", rank.with_group(origins))
                    rank.call("MPI_Win_wait", rank.with_group(origins))
                else:
                    rank.call("MPI_Win_start", rank.with_group(target))
                    rank.call("MPI_Put", rank.put(1, 1000, round_))
                    rank.call("MPI_Win_complete", rank.complete(round_), rank.with_group(target))
            rank.call("MPI_Finalize")
    return folder


def test_an_active_target_lets_others_in_and_waits_for_them(tmp_path):
    trace = read(write_active(tmp_path / "trace"))
    assert trace.unsupported == {}
    assert trace.check() == []
    own = [("RECV", 1, 0), ("PUT", 1, 1000), ("FLUSH", 1, 0), ("SEND", 1, 0)] * 2
    assert operations(trace, 0) == operations(trace, 2) == own
    assert [one for one in operations(trace, 1) if one[0] != "COMPUTE"] == [
        ("SEND", 0, 0), ("SEND", 2, 0), ("RECV", 0, 0), ("RECV", 2, 0),
    ] * 2  # fmt: skip
    # The empty messages have a communicator of their own: those of the program cannot meet them.
    messages = trace.columns["comm"][np.isin(trace.columns["op"], [Operation.SEND, Operation.RECV])]
    puts = trace.columns["comm"][trace.columns["op"] == Operation.PUT]
    assert not set(messages.tolist()) & set(puts.tolist())
    ranks = replay(tmp_path / "trace").table("ranks").sort("rank")
    assert ranks["finished"].all()
    # An origin is not let in before its target posts, which computes 50 us before each time.
    assert ranks["mpi_time_ns"][0] > 100_000 > ranks["compute_time_ns"][0]


def test_a_group_that_the_window_does_not_have_is_counted(tmp_path):
    with Trace(tmp_path / "trace", 3) as trace:
        half = trace.communicator("half", (0, 1))
        window = trace.definitions.rma_win("half", comm=half)
        group = trace.group("outside", (2,))
        for rank in trace.ranks:
            rank.call("MPI_Init")
            rank.call("MPI_Win_post", rank.with_group(group, window))
            rank.call("MPI_Finalize")
    trace = read(tmp_path / "trace")
    assert trace.unsupported == {"MPI_Win_post with a group that the window does not have": 3}


def test_what_cannot_be_told_is_counted(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Init")
            rank.call("MPI_Put")
            rank.call("MPI_Win_fence")
            rank.call("MPI_Accumulate")
            rank.call("MPI_Win_post")
            rank.call("MPI_Put", lambda rank=rank: rank.writer.rma_wait_change(
                rank.now, trace.window))  # fmt: skip
            rank.collective("MPI_Barrier")
            rank.call("MPI_Finalize")
    trace = read(tmp_path / "trace")
    assert trace.unsupported == {
        "MPI_Accumulate": 2, "MPI_Put": 4, "MPI_Win_fence": 2, "MPI_Win_post": 2,
        "RmaWaitChange": 2,
    }  # fmt: skip
