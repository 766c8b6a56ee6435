"""Results in memory and on disk, odd sweeps, damaged folders, stalled runs."""

from __future__ import annotations

import json

import numpy as np
import pytest

import odonata
from examples import jobs, open_loop
from odonata.errors import RunError
from odonata.results import INDEX, SUMMARY
from odonata.traces import TraceData, store

SHORT = {"warm_up": "0 s", "window": "1 us"}


def test_in_memory_and_on_disk_are_the_same(tmp_path):
    memory = odonata.run(jobs())
    odonata.run(jobs(), out=tmp_path)
    disk = odonata.load(tmp_path)
    assert memory.tables() == disk.tables()
    for name in memory.tables():
        assert memory.table(name).equals(disk.table(name)), name
    assert memory.jobs["halo"].slowdown == disk.jobs["halo"].slowdown
    assert memory.scenario == disk.scenario
    with pytest.raises(RunError, match="Did you mean `links`"):
        disk.table("lnks")
    with pytest.raises(RunError, match="Valid: "):
        memory.table("nothing")


def test_a_victim_alone_needs_no_baseline():
    result = odonata.run(jobs(jobs=jobs()["jobs"][:1]))
    assert result.baselines == {}
    assert result.jobs["halo"].slowdown is None


def test_every_victim_has_its_own_baseline():
    two = [job | {"role": "victim"} for job in jobs()["jobs"]]
    result = odonata.run(jobs(jobs=two))
    assert set(result.baselines) == {"halo", "noise"}
    assert all(job.slowdown >= 0.9 for job in result.jobs.values())
    for name, alone in result.baselines.items():
        assert set(alone.jobs) == {name}


def test_sweeps_over_values_of_several_kinds(tmp_path):
    sweep = {
        "jobs.0.workload.load": [0.1, 1],
        "system.router.architecture": ["voq", "cioq"],
        "system.links.global": [{"latency": "300 ns"}],
    }
    result = odonata.run(open_loop(measure=SHORT, sweep=sweep), out=tmp_path)
    assert result.index.height == 4
    assert result.index["jobs[0].workload.load"].to_list() == [0.1, 0.1, 1.0, 1.0]
    assert json.loads(result.index["system.links.global"][0]) == {"latency": "300 ns"}
    again = odonata.load(tmp_path)
    assert again.index.equals(result.index)
    assert list(again.runs) == list(result.runs)


def test_saturation_is_a_result():
    workload = {"kind": "open-loop", "pattern": "adversarial", "load": 1.0}
    # Buffers that cover the credit round trip, so that the link is the only limit.
    system = {"preset": "dragonfly(2, 4, 2, 9)", "router": {"input_buffer": "60 KiB"}}
    measure = {"warm_up": "20 us", "window": "20 us"}
    data = open_loop(system=system, jobs=[{"workload": workload}], measure=measure)
    result = odonata.run(data)
    assert result.stop in ("finished", "time-limit")
    network = result.summary["network"]
    # Eight nodes of a group share the one link to the next group.
    assert network["accepted_load"] == pytest.approx(1 / 8, rel=0.01)
    assert network["offered_load"] == pytest.approx(1.0, rel=0.05)
    assert network["saturated"] is True
    assert result.summary["jobs"][0]["saturated"] is True


def test_damaged_folders_are_explained(tmp_path):
    with pytest.raises(RunError, match="holds no results"):
        odonata.load(tmp_path)
    (tmp_path / SUMMARY).write_text("{")
    with pytest.raises(RunError, match="damaged"):
        odonata.load(tmp_path)
    (tmp_path / INDEX).write_bytes(b"nonsense")
    with pytest.raises(RunError, match="damaged"):
        odonata.load(tmp_path)


def both_receive_first():
    """Two ranks that wait for each other: every message has its receive, none is ever sent."""
    ops = np.array([2, 1, 2, 1], np.uint8)
    return {
        "rank_offsets": np.array([0, 2, 4], np.uint64),
        "op": ops,
        "peer": np.array([1, 1, 0, 0], np.int32),
        "bytes": np.full(4, 8, np.uint64),
        "tag": np.zeros(4, np.int32),
        "comm": np.zeros(4, np.uint32),
        "request": np.zeros(4, np.uint32),
        "duration_ps": np.zeros(4, np.uint64),
        "aux_begin": np.zeros(4, np.uint64),
        "aux_count": np.zeros(4, np.uint32),
        "aux": np.zeros(0, np.uint64),
        "comm_offsets": np.array([0, 2], np.uint64),
        "comm_members": np.array([0, 1], np.uint32),
    }


def test_a_deadlock_of_the_application_ends_with_a_diagnosis(odonata, tmp_path):
    trace = store.save(TraceData(columns=both_receive_first()), tmp_path / "t.npz")
    file = tmp_path / "s.toml"
    file.write_text(
        'name = "stuck"\nsystem.preset = "dragonfly(2, 4, 2, 9)"\nrouting.algorithm = "minimal"\n'
        f'[[jobs]]\nworkload = {{ kind = "trace", path = "{trace.name}" }}\n'
    )
    done = odonata("run", file, "--out", "out")
    assert done.returncode == 4, done.stderr
    assert "rank 0" in done.stdout
    diagnosis = (tmp_path / "out" / "diagnosis.txt").read_text()
    assert "rank 1" in diagnosis
    summary = json.loads((tmp_path / "out" / SUMMARY).read_text())
    assert summary["stop"] == "stalled"
