"""GOAL and Chakra traces: graphs with streams and edges."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter

import numpy as np
import pytest

import odonata
from odonata.cli import main
from odonata.errors import ScenarioError, TraceError
from odonata.traces import Operation, read

pytest.importorskip("google.protobuf", reason="needs the package protobuf")
from odonata.traces.chakra_schema import NodeType, messages


@pytest.fixture(scope="module")
def recorded(shared):
    return shared / "data" / "traces"


def replay(path, **workload):
    return odonata.run(
        {
            "name": "replay",
            "seed": 1,
            "system": {"preset": "dragonfly(2, 4, 2, 9)", "mpi": {"preset": "ideal"}},
            "routing": {"algorithm": "minimal"},
            "jobs": [
                {"name": "trace", "workload": {"kind": "trace", "path": str(path), **workload}}
            ],
        },
        baseline=False,
    )


def same(one, other):
    return all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)


# GOAL


def naive_goal(text):
    """Operations by kind and bytes sent, by a regular expression."""
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    found = re.findall(r"\b(send|recv|calc)\s+(\d+)", text)
    edges = len(re.findall(r"\b(?:i?requires)\b", text))
    sent = sum(int(size) for kind, size in found if kind == "send")
    return Counter(kind for kind, _ in found), sent, edges


@pytest.mark.parametrize("name", ["binary_tree_32", "binomialtreebcast_128_1024", "schedule"])
def test_goal_equals_a_naive_count(recorded, name):
    file = recorded / "goal" / f"{name}.goal"
    trace = read(file)
    kinds, sent, edges = naive_goal(file.read_text())
    info = trace.info()
    assert info["message_bytes"] == sent
    assert info["messages"] == kinds["send"]
    found = info["operations_by_kind"]
    # An operation of no time is a computation too.
    assert (found["send"], found["recv"], found.get("compute", 0)) == (
        kinds["send"], kinds["recv"], kinds["calc"],
    )  # fmt: skip
    assert info["edges"] == edges
    assert trace.check() == []


def test_a_pair_of_text_and_binary_is_one_program(recorded):
    folder = recorded / "goal"
    text = read(folder / "binomialtreebcast_128_1024.goal")
    binary = read(folder / "binomialtreebcast_128_1024.bin")
    assert text.rank_count == 128
    assert same(text, binary)


def test_extensions_of_goal_are_named(recorded):
    trace = read(recorded / "goal" / "test.goal")
    assert trace.unsupported == {"append": 2, "put": 1, "tput": 1}
    assert trace.places["put"].startswith("line 4 of ")


def test_goal_runs_in_the_order_of_its_edges(tmp_path):
    """Rank 1 computes 5 us on one CPU and 3 us on another, then sends; rank 0 only receives."""
    file = tmp_path / "two.goal"
    file.write_text(
        "num_ranks 2\nrank 0 {\nl1: recv 8b from 1 tag 0\n}\n"
        "rank 1 {\nl1: calc 5000\nl2: calc 3000 cpu 1\nl3: send 8b to 0 tag 0\n"
        "l3 requires l1\nl3 requires l2\n}\n"
    )
    result = replay(file)
    assert result.summary["stop"] == "finished"
    assert 5000 <= result.summary["simulated_ns"] < 6500


def test_a_circle_of_goal_is_refused(tmp_path):
    file = tmp_path / "circle.goal"
    file.write_text("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n")
    (problem,) = read(file).check()
    assert "wait for each other" in problem


# Chakra


def framed(messages):
    """Messages as a file has them: the length of each in front of it."""
    content = b""
    for message in messages:
        data = message.SerializeToString()
        length = len(data)
        while length > 0x7F:
            content += bytes([length & 0x7F | 0x80])
            length >>= 7
        content += bytes([length]) + data
    return content


def write_et(file, nodes, version="0.0.4"):
    head = messages()["GlobalMetadata"](version=[version.encode()])
    file.write_bytes(framed([head, *nodes]))


def node(number, kind, *, data=(), micros=0, **values):
    made = messages()["Node"](id=number, type=int(kind), duration_micros=micros, data_deps=data)
    for name, value in values.items():
        attribute = made.attr.add(name=name)
        match value:
            case str():
                attribute.string_val = value
            case list():
                attribute.bool_list.values.extend(value)
            case _:
                attribute.int64_val = value
    return made


def allreduce(number, size, *, data=(), **values):
    return node(number, NodeType.COMM_COLL, data=data, comm_type=0, comm_size=size, **values)


def write_ranks(folder, ranks):
    """A trace of the nodes of each rank."""
    folder.mkdir(exist_ok=True)
    for rank, nodes in enumerate(ranks):
        write_et(folder / f"own.{rank}.et", nodes)
    return folder


def members(trace):
    """Ranks of each communicator."""
    offsets = trace.columns["comm_offsets"].tolist()
    ranks = trace.columns["comm_members"].tolist()
    return [ranks[begin:end] for begin, end in itertools.pairwise(offsets)]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Numbers and values of the fields of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at : at + value], at + value
        yield key >> 3, value


def naive_et(file):
    """Nodes by type and bytes sent, from the bytes of the file alone."""
    data, at, kinds, sent = file.read_bytes(), 0, Counter(), 0
    length, at = varint(data, at)
    at += length
    while at < len(data):
        length, at = varint(data, at)
        found = list(fields(data[at : at + length]))
        at += length
        kind = next((value for key, value in found if key == 3), 0)
        kinds[kind] += 1
        if kind == NodeType.COMM_SEND:
            attributes = [dict(fields(value)) for key, value in found if key == 10]
            sent += next(a[9] for a in attributes if a[1] == b"comm_size")
    return kinds, sent


def test_chakra_equals_a_naive_count(recorded):
    folder = recorded / "chakra" / "astra_custom_ring_allreduce_8"
    trace = read(folder)
    kinds, sent = Counter(), 0
    for file in folder.glob("*.et"):
        of_rank, bytes_of_rank = naive_et(file)
        kinds += of_rank
        sent += bytes_of_rank
    info = trace.info()
    assert info["message_bytes"] == sent
    assert info["operations_by_kind"] == {
        "compute": kinds[NodeType.COMP],
        "send": kinds[NodeType.COMM_SEND],
        "recv": kinds[NodeType.COMM_RECV],
    }
    assert trace.check() == []


@pytest.mark.parametrize(
    ("name", "operation", "size"),
    [("all_reduce", "allreduce", 2**20), ("all_to_all", "alltoall", 2**16)],
)
def test_chakra_collectives(recorded, name, operation, size):
    trace = read(recorded / "chakra" / "astra_micro" / name)
    info = trace.info()
    assert info["operations_by_kind"] == {operation: 16}
    assert info["collective_bytes"] == 16 * size
    assert trace.check() == []


def test_chakra_json_equals_its_protobuf(recorded, tmp_path):
    import tarfile  # noqa: PLC0415 - of this test alone

    with tarfile.open(recorded / "chakra" / "json_trace.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    file = tmp_path / "jsonData" / "chakra.0.json"
    trace = read(file)
    nodes = json.loads(file.read_text())["workload_graph"]
    assert len(trace.columns["op"]) == len(nodes)
    binary = read(recorded / "chakra" / "feeder_tests_trace.tar.gz")
    # This JSON does not say what the collectives do: their times are computation.
    assert trace.info()["compute_ns_max"] == 1000 * sum(node.get("runtime", 0) for node in nodes)
    assert trace.info()["edges"] == binary.info()["edges"]
    assert trace.check() == []


def test_an_execution_trace_of_pytorch_is_told_what_to_do(recorded):
    with pytest.raises(TraceError, match=r"PyTorch execution trace.*chakra_converter"):
        read(recorded / "chakra" / "1.0.2-chakra.0.0.4.tgz")


def test_chakra_waits_for_its_dependencies(tmp_path):
    for rank in range(2):
        write_et(
            tmp_path / f"two.{rank}.et",
            [
                node(7, NodeType.COMP, micros=5),
                node(8, NodeType.COMM_COLL, data=[7], comm_type=0, comm_size=64),
                node(9, NodeType.COMP, data=[8], micros=2),
                node(3, NodeType.COMP, micros=1),
            ],
        )
    trace = read(tmp_path)
    c = trace.columns
    assert c["op"].tolist()[:4] == [0, Operation.ALLREDUCE, 0, 0]
    assert c["after"].tolist()[:2] == [0, 1]
    result = replay(tmp_path / "two.0.et")
    assert result.summary["stop"] == "finished"
    # One CPU computes: 5, 2 and 1 us, and the all-reduce in between.
    assert 8000 <= result.summary["simulated_ns"] < 9500


@pytest.mark.parametrize("attribute", ["pg_name", "comm_group"])
@pytest.mark.parametrize("kind", [str, int])
def test_groups_of_chakra_have_the_ranks_that_name_them(tmp_path, attribute, kind):
    """As text or number, by the name of today or of 2023; also a group that all ranks name."""
    trace = read(write_ranks(tmp_path / "named", [
        [
            allreduce(1, 8, **{attribute: kind(rank // 2)}),
            allreduce(2, 16, data=[1], **{attribute: kind(10)}),
            allreduce(3, 24, data=[2]),
        ]
        for rank in range(4)
    ]))  # fmt: skip
    assert members(trace) == [[0, 1, 2, 3], [0, 1], [2, 3], [0, 1, 2, 3]]
    assert trace.columns["comm"].tolist() == [1, 3, 0] * 2 + [2, 3, 0] * 2
    assert trace.check() == []


def test_a_group_of_chakra_is_a_name(tmp_path):
    folder = write_ranks(tmp_path / "list", [[allreduce(1, 8, pg_name=[True, False])]])
    with pytest.raises(TraceError, match=r"`pg_name` of node 1 is .*, which is not a group name"):
        read(folder)


def test_two_groups_of_all_ranks_are_two_communicators(tmp_path):
    """Each rank may begin with either group: the collectives of one never meet the other's."""
    late = [node(1, NodeType.COMP, micros=20)]
    folder = write_ranks(tmp_path / "two", [
        [*late, allreduce(2, 65536, pg_name="0"), allreduce(3, 131072, data=[1], pg_name="1")],
        [*late, allreduce(2, 65536, data=[1], pg_name="0"), allreduce(3, 131072, pg_name="1")],
    ])  # fmt: skip
    trace = read(folder)
    assert members(trace) == [[0, 1]] * 3
    assert trace.check() == []
    assert replay(folder).summary["stop"] == "finished"


def test_dimensions_of_a_network_are_no_group(tmp_path):
    whole = write_ranks(tmp_path / "whole", [[allreduce(1, 8, involved_dim=[True, True])]] * 2)
    assert read(whole).notes == ()
    part = write_ranks(tmp_path / "part", [[allreduce(1, 8, involved_dim=[True, False])]] * 2)
    with pytest.raises(TraceError, match=r"`involved_dim` of node 1 .* name the group with"):
        read(part)
    named = [allreduce(1, 8, involved_dim=[True, False], pg_name="dp")]
    (note,) = read(write_ranks(tmp_path / "named", [named] * 2)).notes
    assert note.startswith("2 collectives of a group that select only some")


ORDER = "may start in either order"


def test_collectives_of_chakra_whose_order_is_open_are_refused(tmp_path):
    """Rank 0 is ready for the first one, rank 1 for the second one; or sizes are alike."""
    for sizes in ((65536, 131072), (65536, 65536)):
        late = node(1, NodeType.COMP, micros=20)
        folder = write_ranks(tmp_path / f"open{sizes[1]}", [
            [late, allreduce(2, sizes[0]), allreduce(3, sizes[1], data=[1])],
            [late, allreduce(2, sizes[0], data=[1]), allreduce(3, sizes[1])],
        ])  # fmt: skip
        (problem,) = read(folder).check()
        assert problem.startswith("operations 1 (allreduce of 65536 B) and 2 (allreduce of")
        assert f"of rank 1, both on communicator 0, {ORDER}" in problem
        with pytest.raises(ScenarioError, match=ORDER):
            replay(folder)
        assert main(["trace", "convert", str(folder), str(tmp_path / "open.goal")]) == 2
        assert not (tmp_path / "open.goal").exists()


def test_messages_of_one_pair_and_tag_whose_order_is_open_are_refused(tmp_path):
    sizes = (1048576, 64)
    sends = [
        node(2, NodeType.COMM_SEND, data=[1], comm_dst=1, comm_size=sizes[0], comm_tag=0),
        node(3, NodeType.COMM_SEND, comm_dst=1, comm_size=sizes[1], comm_tag=0),
    ]
    receives = [
        node(number, NodeType.COMM_RECV, comm_src=0, comm_size=size, comm_tag=0)
        for number, size in zip((2, 3), sizes, strict=True)
    ]
    late = node(1, NodeType.COMP, micros=20)
    (problem,) = read(write_ranks(tmp_path / "sends", [[late, *sends], receives])).check()
    assert f"of rank 0, both to rank 1 with tag 0, {ORDER}" in problem
    # Another tag is another pair; and an edge gives the order.
    sends[1].attr[2].int64_val = receives[1].attr[2].int64_val = 7
    assert read(write_ranks(tmp_path / "tags", [[late, *sends], receives])).check() == []


def test_chakra_and_its_goal_pair_collectives_alike(tmp_path):
    """The second node of rank 0 is the first one that is issued."""
    folder = write_ranks(tmp_path / "turned", [
        [allreduce(1, 400_000, data=[2]), allreduce(2, 64), node(3, NodeType.COMP, micros=9)],
        [allreduce(1, 64), allreduce(2, 400_000, data=[1]), node(3, NodeType.COMP, micros=9)],
    ])  # fmt: skip
    assert read(folder).check() == []
    assert main(["trace", "convert", str(folder), str(tmp_path / "turned.goal")]) == 0
    goal = read(tmp_path / "turned.goal")
    assert goal.check() == []
    sent = goal.columns["op"] == Operation.SEND
    pairs = set(zip(goal.columns["tag"][sent], goal.columns["bytes"][sent], strict=True))
    assert pairs == {(1_000_000, 64), (1_000_001, 400_000)}
    for path in (folder, tmp_path / "turned.goal"):
        assert replay(path).summary["stop"] == "finished"


def test_what_chakra_cannot_say_is_refused(tmp_path):
    file = tmp_path / "one.0.et"
    write_et(file, [node(1, NodeType.COMM_SEND, comm_dst=0)])
    with pytest.raises(TraceError, match="`comm_size` of node 1 is None"):
        read(file)
    write_et(file, [node(1, NodeType.COMP, data=[2]), node(2, NodeType.COMP, data=[1])])
    with pytest.raises(TraceError, match="node 1 is part of a dependency cycle"):
        read(file)
    write_et(file, [node(1, NodeType.COMP), node(1, NodeType.COMP)])
    with pytest.raises(TraceError, match="node 1 appears twice"):
        read(file)
    file.write_bytes(file.read_bytes()[:-2])
    with pytest.raises(TraceError, match="a message is truncated"):
        read(file)
