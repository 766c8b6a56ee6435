"""Traces whose programs are graphs: stored, checked, replayed."""

from __future__ import annotations

import numpy as np
import pytest

import odonata
from odonata.core import native
from odonata.errors import ScenarioError, TraceError
from odonata.traces import Operation, TraceData, read, store
from odonata.traces.operations import (
    COLLECTIVES,
    EDGE_COLUMNS,
    ONE_SIZE,
    OPERATION_COLUMNS,
    OTHER_COLUMNS,
    RECEIVES,
    ROOTED,
    SENDS,
    STREAM_COLUMNS,
)


def table(ranks):
    """Make a table of rows per rank: dictionaries of columns, ``after`` pairs (position, start).

    All ranks are in communicator 0.
    """
    columns = {name: [] for name in (*OPERATION_COLUMNS, *STREAM_COLUMNS)}
    after, offsets = [], [0]
    for rows in ranks:
        for row in rows:
            edges = row.get("after", [])
            values = {"follows": 0, **row, "after_begin": len(after), "after_count": len(edges)}
            for name, column in columns.items():
                column.append(values.get(name, 0))
            after += edges
        offsets.append(len(columns["op"]))
    kinds = {**OPERATION_COLUMNS, **STREAM_COLUMNS}
    made = {name: np.array(values, dtype=kinds[name]) for name, values in columns.items()}
    kinds = {**OTHER_COLUMNS, **EDGE_COLUMNS}
    others = {
        "rank_offsets": offsets,
        "aux": [],
        "comm_offsets": [0, len(ranks)],
        "comm_members": range(len(ranks)),
        "after": [position for position, _ in after],
        "after_start": [start for _, start in after],
    }
    made |= {name: np.array(list(values), dtype=kinds[name]) for name, values in others.items()}
    return TraceData(columns=made)


def ring(size=4, *, compute_ns=2_000):
    """A ring that computes while it exchanges, and then reduces: the example of the page."""
    return table([
        [
            {"op": Operation.COMPUTE, "duration_ps": compute_ns * 1_000},
            {"op": Operation.RECV, "peer": (rank - 1) % size, "bytes": 50_000, "stream": 1},
            {
                "op": Operation.SEND, "peer": (rank + 1) % size, "bytes": 50_000, "stream": 1,
                "after": [(1, 1)],
            },
            {
                "op": Operation.ALLREDUCE, "bytes": 8, "follows": 1,
                "after": [(1, 0), (2, 0)],
            },
        ]
        for rank in range(size)
    ])  # fmt: skip


def scenario(path, preset="dragonfly(2, 4, 2, 9)"):
    return {
        "schema": 1,
        "name": "graph",
        "system": {"preset": preset},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "ring", "workload": {"kind": "trace", "path": str(path)}}],
    }


def test_codes_are_those_of_the_simulator():
    known = {one["name"].replace(" ", "_").upper(): one for one in native.operations()}
    assert {one.name: int(one) for one in Operation} == {
        name: one["code"] for name, one in known.items()
    }
    assert len(SENDS) == 4
    assert set(RECEIVES) == {Operation.RECV, Operation.IRECV}
    assert len(COLLECTIVES) == 29  # 14, each of which may be nonblocking, and the fence
    assert Operation.IALLREDUCE == Operation.ALLREDUCE + 64
    assert Operation.IBCAST in ROOTED
    assert Operation.IALLTOALLV not in ONE_SIZE


def test_streams_and_edges_are_stored(tmp_path):
    trace = ring()
    path = store.save(trace, tmp_path / "ring.npz")
    again = read(path)
    assert sorted(again.columns) == sorted(trace.columns)
    for name, column in trace.columns.items():
        assert (again.columns[name] == column).all(), name
        assert again.columns[name].dtype == column.dtype, name
    assert again.check() == []
    info = again.info()
    assert (info["streams"], info["edges"], info["messages"]) == (2, 12, 4)


def test_columns_of_streams_that_do_not_fit_are_refused(tmp_path):
    trace = ring()
    for name in ("stream", "after", "after_start", "after_count"):
        damaged = {**trace.columns, name: trace.columns[name][:-1]}
        path = store.save(TraceData(columns=damaged), tmp_path / f"{name}.npz")
        with pytest.raises(TraceError, match=r"columns do not match|values, but"):
            read(path)
    missing = {name: column for name, column in trace.columns.items() if name != "follows"}
    path = store.save(TraceData(columns=missing), tmp_path / "missing.npz")
    with pytest.raises(TraceError, match=r"not a complete converted trace"):
        read(path)


def test_computation_overlaps_with_messages_in_a_run(tmp_path):
    times = {}
    for compute_ns in (0, 2_000, 60_000):
        path = store.save(ring(compute_ns=compute_ns), tmp_path / f"{compute_ns}.npz")
        result = odonata.run(scenario(path), out=tmp_path / f"out-{compute_ns}")
        times[compute_ns] = result.summary["simulated_ns"]
        assert result.summary["stop"] == "finished"
    # 2 us of computation hide behind 50,000 B; 60 us do not, and hide them.
    assert times[2_000] == pytest.approx(times[0], abs=200)
    assert 60_000 < times[60_000] < 60_000 + times[0]


def test_what_waits_for_itself_is_named(tmp_path):
    trace = ring()
    edges = trace.columns["after"].copy()
    edges[0] = 3  # the send of rank 0 after its allreduce, which waits for it
    problems = TraceData(columns={**trace.columns, "after": edges}).check()
    assert problems == [
        "operations of rank 0 wait for each other: send 2 (stream 1) after the start of allreduce "
        "3 (stream 0) after the end of send 2 (stream 1); leave one of these edges out"
    ]
    edges[0] = 9
    path = store.save(TraceData(columns={**trace.columns, "after": edges}), tmp_path / "bad.npz")
    with pytest.raises(ScenarioError, match=r"waits for operation 9, but the rank has 4"):
        odonata.run(scenario(path), out=tmp_path / "out")
