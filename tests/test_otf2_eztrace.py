"""Traces of EZTrace: a real one, and receives of which it has the beginning only."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import odonata
from odonata.traces import Operation, read, store

pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import Trace

SCENARIO = """
name = "recorded"
system.preset = "dragonfly(2, 4, 2, 9)"
routing.algorithm = "minimal"
jobs = [{ workload = { kind = "trace", path = "t.npz", compute_scale = 0.0 } }]
"""


def finishes(trace, folder):
    """Whether a replay comes to its end."""
    store.save(trace, folder / "t.npz")
    (folder / "s.toml").write_text(SCENARIO)
    result = odonata.run(folder / "s.toml", baseline=False)
    return (result.stop, result.summary["jobs"][0]["ranks_finished"]) == (
        "finished",
        trace.rank_count,
    )


def operations(trace, rank):
    """(name, peer, tag, requests) of a rank's operations other than computation."""
    c = trace.columns
    found = []
    for at in range(*c["rank_offsets"][rank : rank + 2].astype(int)):
        op = Operation(int(c["op"][at]))
        begin, count = int(c["aux_begin"][at]), int(c["aux_count"][at])
        requests = c["aux"][begin : begin + count].tolist()
        if op in {Operation.WAIT, Operation.IRECV, Operation.ISEND}:
            requests = [int(c["request"][at])]
        if op is not Operation.COMPUTE:
            found.append((op.name.lower(), int(c["peer"][at]), int(c["tag"][at]), requests))
    return found


def end(trace):
    """What EZTrace writes at the end, by which it is known."""
    for rank in trace.ranks:
        rank.call("EZTrace finalize")


def test_a_real_trace_is_read_and_replayed(tmp_path, repository):
    trace = read(repository / "tests" / "data" / "eztrace-lammps-4")
    info = trace.info()
    assert (info["ranks"], info["messages"], info["communicators"]) == (4, 104, [4])
    kinds = info["operations_by_kind"]
    assert (kinds["irecv"], kinds["wait"], kinds["allreduce"]) == (104, 104, 280)
    assert trace.check() == []
    assert any("MPI_Cart_create (4) costs nothing" in note for note in trace.notes)
    assert trace.unsupported == {
        "MPI_Scan": 4,
        "MPI_Sendrecv whose messages are not in the trace": 24,
    }
    assert any(note.startswith("104 nonblocking receives") for note in trace.notes)
    assert finishes(trace, tmp_path)


def test_a_halo_gets_the_messages_of_its_own_round(tmp_path):
    """Sizes tell the rounds apart; every rank waits for its four requests at once."""
    ranks, rounds = 5, 4
    with Trace(tmp_path / "trace", ranks) as trace:
        for number, rank in enumerate(trace.ranks):
            left, right = (number - 1) % ranks, (number + 1) % ranks
            for turn in range(rounds):
                for request in (1, 2):
                    rank.call("MPI_Irecv", rank.irecv(request))
                rank.call("MPI_Isend", rank.isend(left, 100 + turn, 3, tag=1))
                rank.call("MPI_Isend", rank.isend(right, 200 + turn, 4, tag=2))
                rank.call("MPI_Waitall")
        end(trace)
    found = read(tmp_path / "trace")
    assert found.check() == []
    c = found.columns
    for number in range(ranks):
        own = operations(found, number)
        calls = ["irecv", "irecv", "isend", "isend", "waitall"]
        assert [name for name, *_ in own] == calls * rounds
        left, right = (number - 1) % ranks, (number + 1) % ranks
        begin, stop = c["rank_offsets"][number : number + 2].astype(int)
        is_receive = c["op"][begin:stop] == Operation.IRECV
        peers, sizes = (c[name][begin:stop][is_receive].tolist() for name in ("peer", "bytes"))
        got = list(zip(peers, sizes, strict=True))
        for turn in range(rounds):
            pair = Counter(got[2 * turn : 2 * turn + 2])
            assert pair == Counter({(left, 200 + turn): 1, (right, 100 + turn): 1})
        for turn in range(rounds):
            requests = own[5 * turn + 4][3]
            assert sorted(requests) == list(range(4 * turn, 4 * turn + 4))
    assert finishes(found, tmp_path)


def test_a_wait_takes_the_oldest_and_tests_end_with_a_success(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Irecv", one.irecv(2))
        for _ in range(3):
            one.call("MPI_Test")
        one.call("MPI_Wait")
        two.call("MPI_Send", two.send(0, 8, tag=5))
        two.call("MPI_Send", two.send(0, 8, tag=6))
        end(trace)
    found = read(tmp_path / "trace")
    assert operations(found, 0) == [
        ("irecv", 1, 5, [0]),
        ("irecv", 1, 6, [1]),
        ("wait", 0, 0, [0]),
        ("wait", 0, 0, [1]),
    ]


def test_blocking_receives_keep_their_messages(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Recv", one.recv(1, 8, tag=1))
        one.call("MPI_Wait")
        two.call("MPI_Send", two.send(0, 8, tag=1))
        two.call("MPI_Send", two.send(0, 9, tag=2))
        end(trace)
    found = read(tmp_path / "trace")
    assert operations(found, 0)[0] == ("irecv", 1, 2, [0])
    assert found.check() == []
    assert finishes(found, tmp_path)


def test_a_receive_takes_nothing_that_a_later_one_would_have_left_to_it(tmp_path):
    """The blocking receive took the first message of rank 1, so the open one was for rank 2."""
    with Trace(tmp_path / "trace", 3) as trace:
        one, two, three = trace.ranks
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Recv", one.recv(1, 8, tag=1))
        one.call("MPI_Wait")
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Wait")
        for _ in range(2):
            two.call("MPI_Send", two.send(0, 8, tag=1))
        for tag in range(3):
            three.call("MPI_Send", three.send(1, 8, tag=tag))
        three.call("MPI_Send", three.send(0, 8, tag=9))
        for tag in range(3):
            two.call("MPI_Recv", two.recv(2, 8, tag=tag))
        end(trace)
    found = read(tmp_path / "trace")
    receives = [entry for entry in operations(found, 0) if entry[0] == "irecv"]
    assert [(peer, tag) for _, peer, tag, _ in receives] == [(2, 9), (1, 1)]
    assert found.check() == []
    assert finishes(found, tmp_path)


def test_receives_of_one_channel_have_the_sizes_of_their_messages(tmp_path):
    """The first receive takes the first message, though the program waits for it last."""
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Recv", one.recv(1, 8, tag=1))
        one.call("MPI_Wait")
        two.call("MPI_Send", two.send(0, 1000, tag=1))
        two.call("MPI_Send", two.send(0, 8, tag=1))
        end(trace)
    found = read(tmp_path / "trace")
    columns = found.columns
    receives = np.isin(columns["op"], (Operation.IRECV, Operation.RECV))
    assert columns["bytes"][receives].tolist() == [1000, 8]
    assert found.check() == []
    assert finishes(found, tmp_path)


def test_a_waitall_for_some_of_the_requests_does_not_stand_still(tmp_path):
    """The program waited for the first receive only; the second depends on what it sends then."""
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Irecv", one.irecv(1))
        one.call("MPI_Irecv", one.irecv(2))
        one.call("MPI_Waitall")
        one.call("MPI_Send", one.send(1, 8, tag=3))
        one.call("MPI_Wait")
        two.call("MPI_Send", two.send(0, 8, tag=1))
        two.call("MPI_Recv", two.recv(0, 8, tag=3))
        two.call("MPI_Send", two.send(0, 8, tag=2))
        end(trace)
    found = read(tmp_path / "trace")
    names = [entry[0] for entry in operations(found, 0)]
    assert names == ["irecv", "irecv", "wait", "send", "wait"]
    assert found.check() == []
    assert finishes(found, tmp_path)


def test_a_receive_without_a_message_is_left_out(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Irecv", rank.irecv(1))
            rank.call("MPI_Waitall")
            rank.collective("MPI_Barrier")
        end(trace)
    found = read(tmp_path / "trace")
    assert operations(found, 0) == [("barrier", 0, 0, [])]
    assert found.unsupported == {"receive that never completes": 2}


def test_phases_between_collectives_do_not_mix(tmp_path):
    """The second rank is ahead of the first by nothing: what it sends later is not taken early."""
    with Trace(tmp_path / "trace", 3) as trace:
        one, two, three = trace.ranks
        for turn in (1, 2):
            one.call("MPI_Irecv", one.irecv(1))
            one.call("MPI_Wait")
            sender = two if turn == 2 else three
            sender.call("MPI_Send", sender.send(0, turn, tag=turn))
            for rank in trace.ranks:
                rank.collective("MPI_Barrier")
        end(trace)
    found = read(tmp_path / "trace")
    receives = [entry for entry in operations(found, 0) if entry[0] == "irecv"]
    assert [(peer, tag) for _, peer, tag, _ in receives] == [(2, 1), (1, 2)]


def test_messages_to_nobody_are_no_messages(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            for nobody in (0xFFFFFFFE, 0xFFFFFFFF):
                rank.call("MPI_Send", rank.send(nobody, 8))
            rank.collective("MPI_Barrier", 0, 0)
        end(trace)
    found = read(tmp_path / "trace")
    assert operations(found, 0) == [("barrier", 0, 0, [])]
    assert any("MPI_PROC_NULL" in note for note in found.notes)
