"""The OTF2 reader on traces that the tests write themselves."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from odonata.errors import TraceError
from odonata.traces import Operation, read, store
from odonata.traces.calls import Call, classify

otf2 = pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import Trace, ping_pong  # noqa: E402 - needs otf2


def program(trace, rank):
    """Return a rank's operations as (name, peer, bytes, tag, comm) tuples."""
    c = trace.columns
    begin, end = c["rank_offsets"][rank : rank + 2].astype(int)
    return [
        (
            Operation(int(c["op"][i])).name.lower(),
            int(c["peer"][i]),
            int(c["bytes"][i]),
            int(c["tag"][i]),
            int(c["comm"][i]),
        )
        for i in range(begin, end)
    ]


def names(trace, rank):
    return [entry[0] for entry in program(trace, rank)]


def test_ping_pong_becomes_sends_receives_and_gaps(tmp_path):
    trace = read(ping_pong(tmp_path / "trace", size=4096, rounds=2, gap=1000))
    one_round = ["compute", "send", "recv"]
    assert names(trace, 0) == one_round * 2
    assert program(trace, 0)[1] == ("send", 1, 4096, 7, 0)
    assert program(trace, 0)[2] == ("recv", 1, 4096, 8, 0)
    assert names(trace, 1) == ["compute", "recv", "send"] * 2
    durations = trace.columns["duration_ps"][trace.columns["op"] == Operation.COMPUTE]
    assert durations.tolist() == [1_000_000] * 4
    assert trace.check() == []
    assert trace.unsupported == {}


def test_columns_have_the_documented_types(tmp_path):
    columns = read(ping_pong(tmp_path / "trace")).columns
    types = {name: values.dtype.str[1:] for name, values in columns.items()}
    assert types == {
        "op": "u1",
        "peer": "i4",
        "bytes": "u8",
        "tag": "i4",
        "comm": "u4",
        "request": "u4",
        "duration_ps": "u8",
        "aux_begin": "u8",
        "aux_count": "u4",
        "rank_offsets": "u8",
        "aux": "u8",
        "comm_offsets": "u8",
        "comm_members": "u4",
    }
    assert columns["rank_offsets"].tolist() == [0, 6, 12]
    assert columns["comm_members"].tolist() == [0, 1]


def test_info_counts_what_is_in_the_trace(tmp_path):
    info = read(ping_pong(tmp_path / "trace", size=100, rounds=3)).info()
    assert info["ranks"] == 2
    assert info["messages"] == 6
    assert info["message_bytes"] == 600
    assert info["operations_by_kind"] == {"compute": 6, "send": 6, "recv": 6}
    assert info["compute_ns_max"] == pytest.approx(3000)
    assert info["communicators"] == [2]
    json.dumps(info)


def write_halo(folder):
    """A ring of three ranks: two receives and two sends in flight, one wait for all."""
    with Trace(folder, 3) as trace:
        for number, rank in enumerate(trace.ranks):
            left, right = (number - 1) % 3, (number + 1) % 3
            rank.call("MPI_Init")
            rank.call("MPI_Irecv", rank.irecv(11))
            rank.call("MPI_Irecv", rank.irecv(12))
            rank.call("MPI_Isend", rank.isend(left, 64, 13, tag=1))
            rank.call("MPI_Isend", rank.isend(right, 128, 14, tag=2))
            rank.wait_until(rank.now + 500)
            rank.call(
                "MPI_Waitall",
                rank.received(left, 128, 12, tag=2),
                rank.sent(14),
                rank.received(right, 64, 11, tag=1),
                rank.sent(13),
            )
            rank.call("MPI_Finalize")
    return folder


def test_halo_waits_for_the_requests_that_ended_inside_the_call(tmp_path):
    trace = read(write_halo(tmp_path / "trace"))
    c = trace.columns
    for rank in range(3):
        left, right = (rank - 1) % 3, (rank + 1) % 3
        assert program(trace, rank)[:5] == [
            ("irecv", right, 64, 1, 0),
            ("irecv", left, 128, 2, 0),
            ("isend", left, 64, 1, 0),
            ("isend", right, 128, 2, 0),
            ("compute", 0, 0, 0, 0),
        ]
        assert names(trace, rank)[5:] == ["waitall"]
        begin = int(c["rank_offsets"][rank])
        requests = c["request"][begin : begin + 4].tolist()
        assert len(set(requests)) == 4
        aux = int(c["aux_begin"][begin + 5])
        waited = c["aux"][aux : aux + int(c["aux_count"][begin + 5])].tolist()
        assert waited == [requests[1], requests[3], requests[0], requests[2]]
    assert trace.check() == []


def test_request_that_ends_in_a_test_is_waited_for_there(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Isend", one.isend(1, 8, 1))
        one.call("MPI_Test", lambda: one.writer.mpi_request_test(one.now, 1))
        one.call("MPI_Test", one.sent(1))
        two.call("MPI_Recv", two.recv(0, 8))
    result = read(tmp_path / "trace")
    assert names(result, 0) == ["isend", "wait"]


def test_sendrecv_sends_and_receives_at_the_same_time(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for number, rank in enumerate(trace.ranks):
            other = 1 - number
            rank.call("MPI_Sendrecv", rank.send(other, 10**6), rank.recv(other, 10**6))
    result = read(tmp_path / "trace")
    assert names(result, 0) == ["isend", "irecv", "waitall"]
    assert result.check() == []


def test_collectives_on_sub_communicators(tmp_path):
    with Trace(tmp_path / "trace", 4) as trace:
        odd = trace.communicator("odd", [3, 1])
        for number, rank in enumerate(trace.ranks):
            rank.collective("MPI_Allreduce", 4 * 80, 4 * 80)
            rank.collective("MPI_Alltoall", 4 * 16, 4 * 16)
            if number % 2:
                root = number == 1
                rank.collective("MPI_Bcast", 2 * 24 * root, 24, comm=odd, root=1)
            rank.collective("MPI_Gather", 40, 160 if number == 2 else 0, root=2)
            rank.collective("MPI_Scan", (4 - number) * 8, (number + 1) * 8)
            rank.collective("MPI_Barrier")
    result = read(tmp_path / "trace")
    common = [("allreduce", 0, 80, 0, 0), ("alltoall", 0, 16, 0, 0)]
    end = [("gather", 2, 40, 0, 0), ("scan", 0, 8, 0, 0), ("barrier", 0, 0, 0, 0)]
    assert program(result, 0) == common + end
    assert program(result, 3) == [*common, ("bcast", 1, 24, 0, 1), *end]
    offsets = result.columns["comm_offsets"].tolist()
    assert offsets == [0, 4, 6]
    assert result.columns["comm_members"][4:].tolist() == [3, 1]
    assert result.check() == []


def test_collectives_of_one_rank_leave_nothing_but_a_note(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        alone = trace.self_communicator()
        for rank in trace.ranks:
            rank.collective("MPI_Allreduce", 8, 8, comm=alone)
            rank.collective("MPI_Barrier")
    result = read(tmp_path / "trace")
    assert names(result, 1) == ["barrier"]
    assert any("2 collectives of a single rank" in note for note in result.notes)


def test_alltoallv_sizes_keep_the_sums_of_the_trace(tmp_path):
    sent, received = [300, 0, 600], [500, 100, 300]
    with Trace(tmp_path / "trace", 3) as trace:
        for number, rank in enumerate(trace.ranks):
            rank.collective("MPI_Alltoallv", sent[number], received[number])
    result = read(tmp_path / "trace")
    c = result.columns
    sizes = np.array([c["aux"][int(b) : int(b) + 3] for b in c["aux_begin"]])
    assert sizes.sum(axis=1).tolist() == sent
    assert np.abs(sizes.sum(axis=0).astype(int) - received).max() <= 3
    assert any("estimates" in note for note in result.notes)


def test_unsupported_calls_are_named_and_counted(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Put")
            rank.call("MPI_Iallreduce")
            rank.call("MPI_Iallreduce")
            rank.call("MPI_Allreduce")  # without a record of what it did
            rank.collective("MPI_Barrier")
            rank.call("MPI_Send")  # to MPI_PROC_NULL: no record, and nothing to do
    result = read(tmp_path / "trace")
    assert result.unsupported == {"MPI_Put": 2, "MPI_Iallreduce": 4, "MPI_Allreduce": 2}
    assert names(result, 0) == ["barrier"]


def test_unmatched_send_is_reported_with_ranks_tag_and_count(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        for tag in (5, 5, 6):
            one.call("MPI_Send", one.send(1, 8, tag=tag))
        two.call("MPI_Recv", two.recv(0, 8, tag=6))
        two.call("MPI_Recv", two.recv(0, 8, tag=9))
    assert read(tmp_path / "trace").check() == [
        "2 messages from rank 0 to rank 1 with tag 5 on communicator 0 are sent but never received",
        "1 message from rank 0 to rank 1 with tag 9 on communicator 0 is received but never sent",
    ]


def test_receive_that_never_ends_is_left_out_and_counted(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Irecv", rank.irecv(1))
            rank.collective("MPI_Barrier")
    result = read(tmp_path / "trace")
    assert names(result, 0) == ["barrier"]
    assert result.unsupported == {"receive that never completes": 2}


def test_cancelled_receive_is_left_out(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Irecv", rank.irecv(1))
            rank.call("MPI_Wait", lambda r=rank: r.writer.mpi_request_cancelled(r.now, 1))
            rank.collective("MPI_Barrier")
    result = read(tmp_path / "trace")
    assert names(result, 0) == ["barrier"]
    assert result.unsupported == {}
    assert "2 receives that the program cancelled" in result.notes


def test_collectives_that_differ_are_reported(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        trace.ranks[0].collective("MPI_Barrier")
        trace.ranks[0].collective("MPI_Allreduce", 16, 16)
        trace.ranks[1].collective("MPI_Barrier")
        trace.ranks[1].collective("MPI_Bcast", 0, 8, root=0)
    problem = "collective 1 on communicator 0 is allreduce of 8 bytes on rank 0 but bcast of 8"
    assert read(tmp_path / "trace").check()[0].startswith(problem)


def test_regions_marked_as_iterations_are_kept(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            for _ in range(3):
                rank.enter("step", region_flags=otf2.RegionFlag.DYNAMIC)
                rank.collective("MPI_Barrier")
                rank.leave("step")
    result = read(tmp_path / "trace")
    assert names(result, 0) == ["iteration_begin", "barrier", "iteration_end"] * 3
    assert result.info()["iterations"] == 3


def test_iterations_that_only_some_ranks_have_are_left_out(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for number, rank in enumerate(trace.ranks):
            for _ in range(3 - number):
                rank.enter("step", region_flags=otf2.RegionFlag.DYNAMIC)
                rank.leave("step")
            rank.collective("MPI_Barrier")
    assert names(read(tmp_path / "trace"), 0) == ["barrier"]


def test_time_inside_calls_is_not_computation(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.wait_until(5000)
            rank.call("MPI_Init", duration=10**6)
            rank.wait_until(rank.now + 300)
            rank.call("MPI_Comm_size", duration=10**5)
            rank.wait_until(rank.now + 200)
            rank.collective("MPI_Barrier")
    c = read(tmp_path / "trace").columns
    assert c["duration_ps"][c["op"] == Operation.COMPUTE].tolist() == [500_000] * 2


@pytest.mark.parametrize("keep", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("part", ["traces.otf2", "traces.def", "traces/1.evt", "traces/0.def"])
def test_truncated_file_is_one_sentence(tmp_path, capfd, part, keep):
    folder = ping_pong(tmp_path / "trace", rounds=50)
    file = folder / part
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(TraceError) as error:
        read(folder)
    message = str(error.value)
    assert str(folder) in message
    assert "truncated or damaged" in message
    assert "\n" not in message
    assert capfd.readouterr().err == ""
    if part.endswith("evt"):
        assert "MPI Rank 1" in message
    if keep == 0.9 and part != "traces.otf2":  # else what the library's buffer held may pass
        assert f"{part.rpartition('/')[2]} does not end with the end-of-file record" in message


@pytest.mark.parametrize("part", ["traces.def", "traces/1.evt", "traces/0.def"])
def test_missing_part_is_reported(tmp_path, part):
    folder = ping_pong(tmp_path / "trace")
    (folder / part).unlink()
    with pytest.raises(TraceError, match=r"copy (all parts of )?the trace"):
        read(folder)


def test_damaged_bytes_never_escape_as_another_error(tmp_path):
    folder = ping_pong(tmp_path / "trace", rounds=20)
    random = np.random.default_rng(1)
    for number in range(60):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(folder, copy)
        part = ["traces.otf2", "traces.def", "traces/1.evt", "traces/0.evt"][number % 4]
        content = bytearray((copy / part).read_bytes())
        for position in random.integers(0, len(content), size=4):
            content[position] = random.integers(0, 256)
        (copy / part).write_bytes(bytes(content))
        with contextlib.suppress(TraceError):
            read(copy)


@pytest.mark.parametrize(("name", "words"), [("nothing", "check the path"), ("empty", "anchor")])
def test_path_without_a_trace(tmp_path, name, words):
    (tmp_path / "empty").mkdir()
    with pytest.raises(TraceError, match=words):
        read(tmp_path / name)


def test_unknown_kind_of_file_lists_the_known_ones(tmp_path):
    (tmp_path / "trace.txt").write_text("hello")
    with pytest.raises(TraceError, match=r"the known formats are: Open Trace Format 2"):
        read(tmp_path / "trace.txt")


def test_converted_trace_is_the_same(tmp_path):
    trace = read(write_halo(tmp_path / "trace"))
    again = read(store.save(trace, tmp_path / "halo.npz"))
    assert again.info() == trace.info()
    for name, values in trace.columns.items():
        assert values.dtype == again.columns[name].dtype
        assert np.array_equal(values, again.columns[name])
    assert [p.name for p in tmp_path.glob("*.npz")] == ["halo.npz"]
    assert not list(tmp_path.glob(".*partial"))


def test_converted_trace_of_another_version_is_refused(tmp_path):
    np.savez(tmp_path / "t.npz", header=np.array(json.dumps({"format": "x", "version": 9})))
    with pytest.raises(TraceError, match="convert the original again"):
        read(tmp_path / "t.npz")


def test_truncated_converted_trace_is_refused(tmp_path):
    path = store.save(read(ping_pong(tmp_path / "trace")), tmp_path / "t.npz")
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(TraceError, match="not a complete converted trace"):
        read(path)


def test_columns_that_do_not_fit_are_refused(tmp_path):
    trace = read(ping_pong(tmp_path / "trace"))
    columns = dict(trace.columns)
    columns["rank_offsets"][-1] += 1
    with pytest.raises(TraceError, match="do not match"):
        read(store.save(replace(trace, columns=columns), tmp_path / "t.npz"))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("MPI_Waitany", Call.TRANSFER),
        ("MPI_INIT_THREAD", Call.INIT),
        ("MPI_Type_commit", Call.LOCAL),
        ("MPI_Comm_split", Call.UNSUPPORTED),
        ("MPI_File_write_all", Call.UNSUPPORTED),
        ("compute_forces", Call.PROGRAM),
    ],
)
def test_classification(name, call):
    assert classify(name) is call
