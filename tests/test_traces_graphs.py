"""GOAL and Chakra traces: graphs with streams and edges."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest

import odonata
from odonata.errors import TraceError
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
        made.attr.add(name=name, int64_val=value)
    return made


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
    with pytest.raises(TraceError, match=r"execution trace of PyTorch.*chakra_converter"):
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


def test_what_chakra_cannot_say_is_refused(tmp_path):
    file = tmp_path / "one.0.et"
    write_et(file, [node(1, NodeType.COMM_SEND, comm_dst=0)])
    with pytest.raises(TraceError, match="`comm_size` of node 1 is None"):
        read(file)
    write_et(file, [node(1, NodeType.COMP, data=[2]), node(2, NodeType.COMP, data=[1])])
    with pytest.raises(TraceError, match="node 1 waits for itself in a circle"):
        read(file)
    write_et(file, [node(1, NodeType.COMP), node(1, NodeType.COMP)])
    with pytest.raises(TraceError, match="node 1 is there twice"):
        read(file)
    file.write_bytes(file.read_bytes()[:-2])
    with pytest.raises(TraceError, match="a message is cut short"):
        read(file)
