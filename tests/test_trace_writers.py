"""Traces are written as GOAL and Chakra, and come back as they were."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from odonata.cli import main
from odonata.errors import TraceError
from odonata.traces import Operation, goal_writer, read

pytest.importorskip("google.protobuf", reason="needs the package protobuf")


@pytest.fixture(scope="module")
def corpus(repository):
    sys.path.insert(0, str(repository / "fuzz"))
    import trace_corpus  # noqa: PLC0415 - beside the package

    return trace_corpus


def same(one, other):
    names = set(one.columns) | set(other.columns)
    return all(np.array_equal(one.columns[name], other.columns[name]) for name in names)


@pytest.mark.parametrize("name", ["binary_tree_32", "binomialtreebcast_128_1024", "schedule"])
def test_goal_comes_back_as_it_was(shared, tmp_path, name):
    trace = read(shared / "data" / "traces" / "goal" / f"{name}.goal")
    assert same(trace, read(goal_writer.write(trace, tmp_path / "again.goal")))


def test_chakra_comes_back_as_it_was(shared, tmp_path):
    folder = shared / "data" / "traces" / "chakra" / "astra_custom_ring_allreduce_8"
    assert main(["trace", "convert", str(folder), str(tmp_path / "again.et")]) == 0
    trace, again = read(folder), read(tmp_path / "again.0.et")
    assert same(trace, again)
    assert len(list(tmp_path.iterdir())) == 8


def test_a_sequence_becomes_a_graph(scenarios, tmp_path):
    """LAMMPS as recorded: GOAL takes it with its collectives written out, Chakra as it is."""
    trace = scenarios / "traces" / "lammps-melt-16.npz"
    assert main(["trace", "convert", str(trace), str(tmp_path / "melt.goal")]) == 0
    own, goal = read(trace), read(tmp_path / "melt.goal")
    assert goal.check() == []
    of_collectives = goal.columns["tag"] >= 1_000_000
    is_send = goal.columns["op"] == Operation.SEND
    sent = goal.columns["bytes"][is_send & ~of_collectives]
    assert len(sent) == own.info()["messages"]
    assert sent.sum() == own.info()["message_bytes"]
    assert len(goal.columns["bytes"][is_send & of_collectives]) == written_out(own)
    assert main(["trace", "convert", str(trace), str(tmp_path / "melt.et")]) == 0
    before, after = read(trace).info(), read(tmp_path / "melt.0.et").info()
    for key in ("ranks", "messages", "message_bytes", "collective_bytes"):
        assert before[key] == after[key], key
    assert read(tmp_path / "melt.0.et").check() == []


def written_out(trace):
    """Messages of the collectives of 16 ranks: those of the textbook, per call."""
    messages = {
        Operation.BARRIER: 16 * 4,
        Operation.BCAST: 15,
        Operation.REDUCE: 15,
        Operation.ALLREDUCE: 16 * 4,
    }
    first = trace.columns["op"][: trace.columns["rank_offsets"][1]]
    return sum(int((first == operation).sum()) * each for operation, each in messages.items())


def test_requests_become_edges(corpus, tmp_path):
    trace = read(corpus.write_table(tmp_path))
    text = goal_writer.write(trace, tmp_path / "own.goal").read_text()
    assert "l1: send 65536b to 1 tag 5\nl1 requires l0\n" in text
    assert "l2: recv 8b from 1 tag 6 cpu 1\n" in text
    assert "l3: calc 0\nl3 requires l1\nl3 requires l2\nl3 irequires l1\n" in text
    again = read(tmp_path / "own.goal")
    assert again.check() == []
    assert again.info()["message_bytes"] == trace.info()["message_bytes"]


def test_what_a_form_cannot_say_is_named(tmp_path, capsys):
    file = tmp_path / "own.csv"
    file.write_text(
        "rank,step,operation,peer,bytes,tag,after\n0,1,irecv,-1,8,6,\n0,2,waitany,,,,1\n"
        "0,3,isend,0,8,6,\n"
    )
    with pytest.raises(TraceError, match="operation 1 of rank 0 is a waitany"):
        goal_writer.write(read(file), tmp_path / "own.goal")
    file.write_text("rank,step,operation,peer,bytes,tag\n0,1,irecv,-1,8,6\n0,2,isend,0,8,6\n")
    assert main(["trace", "convert", str(file), str(tmp_path / "own.et")]) == 2
    assert "Chakra has no receives from any source" in capsys.readouterr().err
    assert main(["trace", "convert", str(file), str(tmp_path / "own.txt")]) == 2
    assert "*.npz (compact form), *.goal (GOAL)" in capsys.readouterr().err
    assert sorted(one.name for one in tmp_path.iterdir()) == ["own.csv"]
