"""Every recorded trace that is at hand is replayed to its end, on a large and on a small system."""

from __future__ import annotations

import pytest

import odonata
from lengths import IS_LONG

SYSTEMS = [
    {"preset": "kang2022-1056"},
    # Without headers and control messages, so that bytes are those of the trace.
    {"preset": "dragonfly(2, 4, 2, 9)", "mpi": {"preset": "ideal"}},
]
LONG = ("milc_4ranks_daint_2022.tar.xz", "ti_traces_32_1")
"""Traces of a minute and more, at a hundredth of their sizes; whole in `make test-long`."""


def recorded(folder):
    """Every trace below a folder of shared data: a path that names each once."""
    found = [folder / "dumpi" / name for name in ("testtrace_4", "testbgp_7")]
    found += sorted((folder / "pmpi").iterdir())
    unit = folder / "simgrid_ti" / "replay_unit"
    found += [folder / "simgrid_ti" / "ti_traces_32_1", unit / "actions0.txt"]
    found += sorted(unit.glob("actions_*.txt"))
    goal, chakra = folder / "goal", folder / "chakra"
    found += [*sorted(goal.glob("*.goal")), *sorted(goal.glob("*.bin"))]
    found += [chakra / "astra_custom_ring_allreduce_8", chakra / "feeder_tests_trace.tar.gz"]
    return [*found, *sorted(one for one in (chakra / "astra_micro").glob("*/*") if one.is_dir())]


def replay(path, system, scale=1.0):
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
                    "workload": {
                        "kind": "trace",
                        "path": str(path),
                        "compute_scale": 0.0,
                        "size_scale": scale,
                    },
                }
            ],
        },
        baseline=False,
    )


@pytest.mark.parametrize("system", SYSTEMS, ids=["large", "small"])
def test_every_recorded_trace_is_replayed_to_its_end(shared, system):
    for path in recorded(shared / "data" / "traces"):
        trace = odonata.traces.read(path)
        if trace.rank_count > 72 and "mpi" in system:
            continue
        scale = 0.01 if path.name in LONG and not IS_LONG else 1.0
        result = replay(path, system, scale)
        assert result.summary["stop"] == "finished", path
        (job,) = result.summary["jobs"]
        assert job["ranks"] == trace.rank_count
        # Collectives add messages of their own.
        assert job["messages_sent"] >= trace.info()["messages"], path
        kinds = set(trace.info()["operations_by_kind"])
        point_to_point = {"send", "recv", "isend", "irecv", "wait", "waitall", "compute",
                          "nothing"}  # fmt: skip
        if kinds <= point_to_point and "mpi" in system and scale == 1.0:
            sent = (job["messages_sent"], job["bytes_sent"])
            assert sent == (trace.info()["messages"], trace.info()["message_bytes"]), path
