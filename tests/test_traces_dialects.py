"""Traces as older versions of their writers leave them, and forms that a writer has besides."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma

import pytest

from odonata.errors import TraceError
from odonata.traces import Operation, formats, read
from odonata.traces.chakra_schema import messages
from test_traces_graphs import framed, node
from test_traces_recorded import rows

OP = Operation


def simgrid(folder, *ranks, name="actions.txt"):
    """A time-independent trace of all ranks, each a text of actions behind its number."""
    lines = [
        f"{rank} {line.strip()}"
        for rank, text in enumerate(ranks)
        for line in text.splitlines()
        if line.strip()
    ]
    (folder / name).write_text("# made for a test\n" + "\n".join(lines) + "\n")
    return folder / name


# SimGrid: the first versions, which have no tags


def test_simgrid_without_tags(tmp_path):
    """Names with capital letters, messages without tags, a wait without arguments."""
    trace = read(simgrid(
        tmp_path,
        "init\nsend p1 1e3\ncompute 5\nIrecv p1 2e3\nwait\nallReduce 40 86\nfinalize",
        "init\nIrecv p0 1e3\nIsend p0 2e3\nwaitAll\nallReduce 40 86\nfinalize",
    ))  # fmt: skip
    assert trace.check() == []
    assert trace.unsupported == {}
    assert "the trace has no tags: a wait is one for the request that began last" in trace.notes
    assert rows(trace, 0, "op", "peer", "bytes", "tag")[:2] == [
        (OP.SEND, 1, 1000, 0), (OP.COMPUTE, 0, 0, 0),
    ]  # fmt: skip
    kinds = trace.info()["operations_by_kind"]
    assert (kinds["allreduce"], kinds["wait"], kinds["waitall"]) == (2, 1, 1)


def test_simgrid_without_sizes_of_receives(tmp_path):
    path = simgrid(tmp_path, "init\nsend p1 5760\nIrecv p1\nwait", "init\nrecv p0\nsend p0 8 0")
    trace = read(path)
    assert trace.check() == []
    assert rows(trace, 1, "op", "bytes")[1] == (OP.SEND, 64)  # eight doubles


def test_simgrid_with_displacements(tmp_path):
    counts = "100 1 2 3 0 1 3"  # bytes, counts, displacements
    trace = read(simgrid(
        tmp_path,
        *[f"init\nallToAllV {counts} {counts} 1 1\nallGatherV {rank + 4} 4 5 6 0 4 9 1 1"
          for rank in range(3)],
    ))  # fmt: skip
    found = rows(trace, 2, "op", "bytes")
    assert found[0] == (OP.ALLTOALLV, 24)  # (1 + 2 + 3) integers
    assert found[1] == (OP.ALLGATHERV, 24)  # six integers


# SimGrid: what its writer leaves, which its replayer does not take


def test_simgrid_as_smpi_writes_it(tmp_path):
    """The size of a datatype stands in front of counts; ranks of a wait are counted from 1."""
    trace = read(simgrid(
        tmp_path,
        "init\nisend 1 7 10 1\nwait 1 2 7\nirecv -555 -444 10 1\nwait -555 1 -444\n"
        "allgatherv 4 1 4 5 1 1\ngatherv 4 1 4 5 1 1 1\nscatterv 1 4 5 4 0 1 1\n"
        "reducescatter 1 0 4 5 1\nscan -1 0 3 1\nbcast 24 0 -1\nISsend 1 1 2 1\nwaitall 1",
        "init\nirecv 0 7 10 1\nwait 1 2 7\nisend 0 3 10 1\nwait 2 1 3\n"
        "allgatherv 5 1 4 5 1 1\ngatherv 5 1 1 1 1\nscatterv 1 5 0 1 1\n"
        "reducescatter 1 0 4 5 1\nscan -1 0 3 1\nbcast 24 0 -1\nrecv 0 1 2 1",
    ))  # fmt: skip
    assert trace.check() == []
    assert trace.unsupported == {}
    first, second = (
        [one for one in rows(trace, rank, "op", "peer", "bytes") if one[0] >= OP.BARRIER]
        for rank in range(2)
    )
    assert first == [
        (OP.ALLGATHERV, 0, 16), (OP.GATHERV, 1, 16), (OP.SCATTERV, 0, 16),
        (OP.REDUCE_SCATTER, 0, 36), (OP.SCAN, 0, 12), (OP.BCAST, 0, 24), (OP.ISSEND, 1, 8),
    ]  # fmt: skip
    assert second[:3] == [(OP.ALLGATHERV, 0, 20), (OP.GATHERV, 1, 20), (OP.SCATTERV, 0, 20)]
    waits = [one[0] for one in rows(trace, 0, "op") if one[0] in {OP.WAIT, OP.WAITALL}]
    assert len(waits) == 3  # each behind its message, none at the end


def test_simgrid_exchanges_and_one_sided_calls(tmp_path):
    texts = [
        f"init\nsendRecv 10 {1 - rank} 10 {1 - rank} 1 1\nPut {1 - rank} 0 3 1\nWin_fence\n"
        f"Get {1 - rank} 0 2 1\nWin_unlock\nWin_lock\niallreduce 4 0 1\nwait 0 0 -444\n"
        "waitAny 2\ntestall\niteration_in\nbarrier\niteration_out"
        for rank in range(2)
    ]
    trace = read(simgrid(tmp_path, *texts))
    assert trace.check() == []
    assert trace.unsupported == {}
    found = [one[0] for one in rows(trace, 1, "op")]
    assert found == [
        OP.IRECV, OP.ISEND, OP.WAITALL, OP.PUT, OP.FENCE, OP.GET, OP.FLUSH, OP.IALLREDUCE, OP.WAIT,
        OP.ITERATION_BEGIN, OP.BARRIER, OP.ITERATION_END,
    ]  # fmt: skip
    assert any("`sendRecv`, whose tags are not in the trace" in note for note in trace.notes)


def test_simgrid_partners_of_processes_are_counted_from_one(tmp_path):
    texts = [f"init\nsendRecv 10 {2 - rank} 10 {2 - rank} 1 1" for rank in range(2)]
    trace = read(simgrid(tmp_path, *texts))
    assert trace.check() == []
    assert [one[0] for one in rows(trace, 0, "peer")][:2] == [1, 1]


def test_simgrid_lists_of_many_files_keep_their_folder(tmp_path):
    """A list longer than what is looked at of a file; its paths begin where it was made."""
    folder = tmp_path / "trace.txt_files"
    folder.mkdir()
    lines = ["# made by smpirun"]
    for rank in range(150):
        name = f"1542108273.203000_with_a_long_name_rank-{rank}.txt"
        (folder / name).write_text(f"{rank} init\n{rank} barrier\n")
        lines.append(f"elsewhere/{folder.name}/{name}")
    listed = tmp_path / "trace.txt"
    listed.write_text("\n".join(lines) + "\n")
    assert listed.stat().st_size > 4096
    assert read(listed).rank_count == 150


def test_a_line_that_no_file_can_be_named_by_is_no_list(tmp_path):
    file = tmp_path / "trace.txt"
    file.write_text(f"{'x' * 400}\n")
    with pytest.raises(TraceError, match="its format is not known"):
        read(file)


# liballprof


def allprof(folder, calls, ranks=2, head="# htor's PMPI Tracer 0.9 Output File\n"):
    for rank in range(ranks):
        lines = ["MPI_Init:-:1:2:100"]
        for number, call in enumerate(calls(rank)):
            name, arguments = call.split(":", 1)
            lines.append(f"MPI_{name}:{200 + 10 * number}:{arguments}:{205 + 10 * number}")
        lines.append("MPI_Finalize:1000:-")
        (folder / f"trace-rank-{rank}.txt").write_text(head + "\n".join(lines) + "\n")
    return folder / "trace-rank-0.txt"


def test_allprof_grids_of_all_ranks_are_known(tmp_path):
    """A communicator of a grid names place and size: with those of all ranks it is a copy."""

    def calls(rank):
        world, grid = f"91,{rank},2", f"95,{rank},2"
        return [
            f"Cart_create:{world}:2:11:12:0:13",
            f"Sendrecv:1:4:11,8,8:{1 - rank}:5:2:4:11,8,8:{1 - rank}:5:{grid}:0",
            f"Allreduce:1:2:1:11,8,8:3:{grid}",
        ]

    trace = read(allprof(tmp_path, calls))
    assert trace.unsupported == {}
    assert any("MPI_Cart_create (2) costs nothing" in note for note in trace.notes)
    assert trace.check() == []
    assert trace.info()["message_bytes"] == 64


def test_allprof_grids_of_other_ranks_stay_unknown(tmp_path):
    def calls(rank):
        grid = f"95,{1 - rank},2"  # the ranks are in another order
        return [f"Cart_create:91,{rank},2:2:11:12:1:13", f"Barrier:{grid}"]

    trace = read(allprof(tmp_path, calls))
    assert trace.unsupported == {
        "MPI_Cart_create": 2, "operation on a communicator of unknown members": 2,
    }  # fmt: skip


def test_allprof_nonblocking_collectives(tmp_path):
    def calls(rank):
        comm = f"91,{rank},2"
        return [
            f"Ibcast:1:3:11,8,8:1:{comm}:4000",
            f"Ialltoallv:1:2:4,4:3:0,0:11,8,8:4:5:4,4:6:0,0:11,8,8:{comm}:4008",
            f"Ibarrier:{comm}:4016",
            "Waitall:3:4000:0",
        ]

    trace = read(allprof(tmp_path, calls))
    assert trace.check() == []
    assert trace.unsupported == {}
    assert (OP.IBCAST, 1, 24) in rows(trace, 0, "op", "peer", "bytes")
    kinds = trace.info()["operations_by_kind"]
    assert (kinds["ialltoallv"], kinds["ibarrier"], kinds["waitall"]) == (2, 2, 2)


def test_allprof_without_its_first_line(tmp_path):
    path = allprof(tmp_path, lambda rank: [f"Barrier:91,{rank},2"], head="# cut by hand\n\n")
    assert formats.find(path).kind == "liballprof"
    assert read(path).info()["operations_by_kind"]["barrier"] == 2


def test_liballprof2_is_refused_with_a_reason(tmp_path):
    file = tmp_path / "lap2-trace-rank-0-of-1.txt"
    file.write_text("MPI_Init:0.00:0x7ffe:0x7fff:3.15  # backtrace [0x40: (main+0x4)]\n")
    with pytest.raises(TraceError, match="liballprof2, which does not record the sizes"):
        read(file)


# Chakra


def test_chakra_messages_without_partner_are_counted(tmp_path):
    """Traces of PyTorch as they are converted: of a message they have the size only."""
    file = tmp_path / "one.0.et"
    head = messages()["GlobalMetadata"]()
    nodes = [node(1, 5, comm_size=64), node(2, 6, comm_size=64), node(3, 4, micros=7, data=[1]),
             node(4, 8), node(5, 42)]  # fmt: skip
    file.write_bytes(framed([head, *nodes]))
    trace = read(file)
    assert trace.unsupported == {
        "STORAGE_NODE": 1, "node of type 42": 1, "receive without `comm_src`": 1,
        "send without `comm_dst`": 1,
    }  # fmt: skip
    assert trace.places["send without `comm_dst`"] == "node 1 of rank 0"
    assert trace.info()["operations_by_kind"]["compute"] == 1


def ring(rank):
    """Nodes of a rank: what it computes, sends and receives, and an allreduce."""
    return [
        node(0, 4, micros=9), node(1, 5, comm_dst=1 - rank, comm_size=640, comm_tag=3, data=[0]),
        node(2, 6, comm_src=1 - rank, comm_size=640, comm_tag=3),
        node(3, 7, comm_type=0, comm_size=4096, data=[1, 2]),
    ]  # fmt: skip


def columns(trace):
    return {name: values.tolist() for name, values in trace.columns.items()}


@pytest.fixture
def plain(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    head = messages()["GlobalMetadata"](version=[b"0.0.4"])
    for rank in range(2):
        (folder / f"ring.{rank}.et").write_bytes(framed([head, *ring(rank)]))
    return folder


@pytest.mark.parametrize("ending", ["et", "et.gz"])
def test_chakra_compressed(tmp_path, plain, ending):
    for rank in range(2):
        content = (plain / f"ring.{rank}.et").read_bytes()
        (tmp_path / f"ring.{rank}.{ending}").write_bytes(gzip.compress(content))
    trace = read(tmp_path / f"ring.1.{ending}")
    assert columns(trace) == columns(read(plain))
    cut = (tmp_path / f"ring.1.{ending}").read_bytes()[:-9]
    (tmp_path / f"ring.1.{ending}").write_bytes(cut)
    with pytest.raises(TraceError, match="truncated or damaged"):
        read(tmp_path / f"ring.0.{ending}")


def test_chakra_with_attributes_in_front(tmp_path, plain):
    """Versions without a number have attributes where the others have it."""
    attribute = messages()["Node"]().attr.add(name="schema", bytes_val=bytes(range(128, 256)))
    head = messages()["GlobalMetadata"](version=[attribute.SerializeToString()])
    for rank in range(2):
        (tmp_path / f"ring.{rank}.et").write_bytes(framed([head, *ring(rank)]))
    assert columns(read(tmp_path / "ring.0.et")) == columns(read(plain))


def test_chakra_as_its_jsonizer_writes_it(tmp_path, plain):
    """The JSON of protobuf, one message behind the other: numbers are texts, zeros left out."""
    kinds = {4: "COMP_NODE", 5: "COMM_SEND_NODE", 6: "COMM_RECV_NODE", 7: "COMM_COLL_NODE"}
    for rank in range(2):
        texts = [json.dumps({"version": "0.0.4"}, indent=2)]
        for one in ring(rank):
            entry = {"id": str(one.id), "type": kinds[one.type], "name": "n",
                     "durationMicros": str(one.duration_micros),
                     "dataDeps": [str(number) for number in one.data_deps],
                     "attr": [{"name": held.name, "int64Val": str(held.int64_val)}
                              for held in one.attr]}  # fmt: skip
            texts.append(json.dumps({key: value for key, value in entry.items()
                                     if value not in ("0", [])}, indent=2))  # fmt: skip
        (tmp_path / f"ring.{rank}.json").write_text("".join(texts))
    assert columns(read(tmp_path / "ring.0.json")) == columns(read(plain))
    whole = "".join(texts)
    for damaged in (whole[:-30], whole.replace('Micros": "9"', 'Micros": Infinity')):
        (tmp_path / "ring.1.json").write_text(damaged)
        with pytest.raises(TraceError, match="truncated or damaged"):
            read(tmp_path / "ring.0.json")
    (tmp_path / "ring.1.json").write_text(whole.replace('Micros": "9"', 'Micros": "-9"'))
    with pytest.raises(TraceError, match="a number of node 0 is negative or needs more than 64"):
        read(tmp_path / "ring.0.json")


def test_chakra_of_the_first_schema(tmp_path, plain):
    """Execution graphs of 2023: no head, other numbers, fields instead of attributes."""
    old = messages()["OldNode"]
    for rank in range(2):
        nodes = [
            old(id=0, name="a", node_type=3, simulated_run_time=9),
            old(id=1, name="b", node_type=4, parent=[0], comm_dst=1 - rank, comm_size=640,
                comm_tag=3),
            old(id=2, name="c", node_type=5, comm_src=1 - rank, comm_size=640, comm_tag=3),
            old(id=3, name="d", node_type=6, parent=[1, 2], comm_type=1, comm_size=4096),
        ]  # fmt: skip
        # A required field is written also where it is 0.
        (tmp_path / f"ring.{rank}.eg").write_bytes(framed([Required(nodes[0]), *nodes[1:]]))
    assert columns(read(tmp_path / "ring.0.eg")) == columns(read(plain))


class Required:
    """A message whose number is written although it is 0."""

    def __init__(self, message):
        self._message = message

    def SerializeToString(self):  # noqa: N802 - as protobuf has it
        return b"\x08\x00" + self._message.SerializeToString()


# Compressed files


@pytest.mark.parametrize(
    ("ending", "compress"), [("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)]
)
def test_a_compressed_file(tmp_path, ending, compress):
    text = b"num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n"
    file = tmp_path / f"two.goal.{ending}"
    file.write_bytes(compress(text))
    assert read(file).info()["message_bytes"] == 8
    file.write_bytes(compress(text)[:20])
    with pytest.raises(TraceError, match="truncated or damaged"):
        read(file)
