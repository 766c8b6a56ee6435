"""The OTF2 reader on real traces; skipped where the shared data is absent."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from odonata.traces import Operation, read

pytest.importorskip("otf2", reason="needs the optional package otf2")

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("ODONATA_SHARED", ROOT.parent / "shared"))


def real_trace(name):
    folder = SHARED / "data" / "traces" / "otf2" / name
    if not folder.is_dir():
        pytest.skip(f"shared data not found: {folder} (set ODONATA_SHARED)")
    return read(folder)


def test_stencil_of_32_ranks():
    trace = real_trace("tracer_stencil4d_32")
    info = trace.info()
    assert info["ranks"] == 32
    assert info["messages"] == 512
    assert info["message_bytes"] == 512 * 131_072
    kinds = info["operations_by_kind"]
    assert (kinds["send"], kinds["irecv"], kinds["waitall"], kinds["barrier"]) == (512, 512, 64, 96)
    assert trace.unsupported == {}
    assert trace.check() == []
    c = trace.columns
    waits = c["op"] == Operation.WAITALL
    assert set(c["aux_count"][waits].tolist()) == {8}
    first = np.flatnonzero(c["op"][: int(c["rank_offsets"][1])] == Operation.SEND)
    assert c["peer"][first].tolist() == [1, 1, 2, 2, 4, 4, 24, 8] * 2
    # Rank 0 enters its first MPI_Irecv 254,631 ticks of 1/2,095,147,102 s after leaving MPI_Init.
    assert int(c["duration_ps"][0]) == round((3247460025 - 3247205394) * 10**12 / 2095147102)


def test_every_kind_of_collective():
    trace = real_trace("sstmacro_mpi_coverage_10")
    info = trace.info()
    assert info["ranks"] == 10
    assert info["messages"] == 1440
    # Four pairs, and every rank sends messages to itself on communicators of its own.
    assert sorted(info["communicators"]) == [1] * 12 + [2] * 4 + [10]
    assert trace.unsupported == {
        "MPI_Iallgather": 360,
        "MPI_Iallreduce": 360,
        "MPI_Ialltoall": 360,
    }
    assert trace.check() == []
    c = trace.columns
    world = (c["op"] == Operation.ALLTOALL) & (c["comm"] == 0)
    assert sorted(set(c["bytes"][world].tolist())) == [4 * 2**k for k in range(12)]
    pair = (c["op"] == Operation.BCAST) & (c["comm"] == 1)
    assert c["bytes"][pair].tolist() == [4, 4]


def test_ping_pong():
    trace = real_trace("pipit_pingpong_2")
    assert trace.info()["operations_by_kind"] == {"compute": 34, "send": 16, "recv": 16}
    assert trace.check() == []
