"""Every recorded trace that is at hand is replayed to its end, on a large and on a small system."""

from __future__ import annotations

import os

import pytest

import odonata

SYSTEMS = [
    {"preset": "kang2022-1056"},
    # Without headers and control messages, so that bytes are those of the trace.
    {"preset": "dragonfly(2, 4, 2, 9)", "mpi": {"preset": "ideal"}},
]
LONG = ("milc_4ranks_daint_2022.tar.xz", "ti_traces_32_1")
"""Traces of a minute and more; `ODONATA_LONG=1` replays them too."""


def recorded(folder):
    """Every trace below a folder of shared data: a path that names each once."""
    found = [folder / "dumpi" / name for name in ("testtrace_4", "testbgp_7")]
    found += sorted((folder / "pmpi").iterdir())
    unit = folder / "simgrid_ti" / "replay_unit"
    found += [folder / "simgrid_ti" / "ti_traces_32_1", unit / "actions0.txt"]
    return [*found, *sorted(unit.glob("actions_*.txt"))]


def replay(path, system):
    return odonata.run(
        {
            "name": "replay",
            "seed": 1,
            "system": system,
            "routing": {"algorithm": "minimal"},
            "jobs": [
                {
                    "name": "trace",
                    "placement": "random-node",
                    "workload": {"kind": "trace", "path": str(path), "compute_scale": 0.0},
                }
            ],
        },
        baseline=False,
    )


@pytest.mark.parametrize("system", SYSTEMS, ids=["large", "small"])
def test_every_recorded_trace_is_replayed_to_its_end(shared, system):
    for path in recorded(shared / "data" / "traces"):
        if path.name in LONG and not os.environ.get("ODONATA_LONG"):
            continue
        trace = odonata.traces.read(path)
        result = replay(path, system)
        assert result.summary["stop"] == "finished", path
        (job,) = result.summary["jobs"]
        assert job["ranks"] == trace.rank_count
        # Collectives add messages of their own.
        assert job["messages_sent"] >= trace.info()["messages"], path
        kinds = set(trace.info()["operations_by_kind"])
        point_to_point = {"send", "recv", "isend", "irecv", "wait", "waitall", "compute"}
        if kinds <= point_to_point and "mpi" in system:
            sent = (job["messages_sent"], job["bytes_sent"])
            assert sent == (trace.info()["messages"], trace.info()["message_bytes"]), path
