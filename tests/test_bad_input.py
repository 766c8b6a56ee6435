"""Bad input: exit code 2, one sentence that helps, no call stack, no partial file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from examples import jobs, open_loop
from odonata.scenario.text import to_toml
from odonata.traces import TraceData, store


def halo(**changes):
    workload = {"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": "1 kB", "iterations": 1}
    return {"name": "halo", "workload": workload | changes}


def system(**changes):
    return {"preset": "dragonfly(2, 4, 2, 9)"} | changes


CASES = {
    "unknown key": (jobs(sistem={}), ["`sistem`", "Did you mean `system`?"]),
    "wrong unit": (jobs(stop={"time": "5 GB"}), ["line", "`stop.time`", "ps, ns, us, ms, s"]),
    "impossible shape": (jobs(system={"preset": "dragonfly(2, 4, 2, 99)"}), ["s.toml", "global"]),
    "no nodes": (jobs(system={"preset": "dragonfly(0, 4, 2, 9)"}), ["s.toml", "nodes"]),
    "too few nodes": (
        jobs(jobs=[halo(ranks=125, grid=[5, 5, 5])]), ["s.toml", "line", "125", "72"],
    ),
    "unknown workload": (
        jobs(jobs=[{"workload": {"kind": "halo4d"}}]), ["`halo3d`", "fft3d", "line"],
    ),
    "grid of another size": (jobs(jobs=[halo(grid=[3, 3, 4])]), ["s.toml", "line", "grid", "27"]),
    "virtual channels": (
        jobs(system=system(router={"virtual_channels": 2})),
        ["virtual_channels", "needs 5", "line"],
    ),
    "packet larger than buffer": (
        open_loop(system=system(router={"input_buffer": "256 B"})),
        ["s.toml", "input_buffer", "512 B"],
    ),
    "missing trace": (
        jobs(jobs=[{"workload": {"kind": "trace", "path": "none.npz"}}]), ["none.npz", "line"],
    ),
    "unknown pattern": (
        open_loop(jobs=[{"workload": {"kind": "open-loop", "load": 0.1, "pattern": "unifrm"}}]),
        ["`uniform`", "adversarial", "line"],
    ),
    "negative load": (
        open_loop(jobs=[{"workload": {"kind": "open-loop", "load": -0.1}}]), ["load", "line"],
    ),
    "unknown mpi preset": (jobs(system=system(mpi={"preset": "firefly"})), ["firefly-kang2022"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_is_refused(case, odonata, tmp_path):
    data, parts = CASES[case]
    file = tmp_path / "s.toml"
    file.write_text(to_toml(data))
    done = odonata("run", file, "--out", "out")
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]


def columns(**changes):
    """Two ranks: one sends 8 B, the other receives them."""
    table = {
        "rank_offsets": np.array([0, 1, 2], np.uint64),
        "op": np.array([1, 2], np.uint8),
        "peer": np.array([1, 0], np.int32),
        "bytes": np.array([8, 8], np.uint64),
        "tag": np.array([5, 5], np.int32),
        "comm": np.zeros(2, np.uint32),
        "request": np.zeros(2, np.uint32),
        "duration_ps": np.zeros(2, np.uint64),
        "aux_begin": np.zeros(2, np.uint64),
        "aux_count": np.zeros(2, np.uint32),
        "aux": np.zeros(0, np.uint64),
        "comm_offsets": np.array([0, 2], np.uint64),
        "comm_members": np.array([0, 1], np.uint32),
    }
    return table | changes


@pytest.fixture
def replay(odonata, tmp_path):
    def replay(table, cut=None):
        path = store.save(TraceData(columns=table), tmp_path / "t.npz")
        if cut is not None:
            path.write_bytes(path.read_bytes()[:cut])
        file = tmp_path / "s.toml"
        job = {"name": "replayed", "workload": {"kind": "trace", "path": str(path)}}
        file.write_text(to_toml(jobs(jobs=[job])))
        return odonata("run", file, "--out", "out", "--json")

    return replay


def test_a_trace_is_replayed(replay):
    done = replay(columns())
    assert done.returncode == 0, done.stderr
    (job,) = json.loads(done.stdout)["jobs"]
    assert (job["ranks"], job["messages_sent"]) == (2, 1)


@pytest.mark.parametrize(
    ("table", "cut", "parts"),
    [
        (columns(tag=np.array([5, 6], np.int32)), None, ["t.npz", "cannot be replayed", "check"]),
        (columns(), 200, ["t.npz"]),
        (columns(peer=np.array([7, 0], np.int32)), None, ["t.npz"]),
    ],
)
def test_damaged_and_unmatched_traces(table, cut, parts, replay, tmp_path):
    done = replay(table, cut)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    for part in [*parts, "s.toml, line", "jobs[0].workload.path"]:
        assert part in done.stderr, done.stderr
    assert json.loads(done.stdout)["exit_code"] == 2
    assert not (tmp_path / "out").exists()


def test_results_that_cannot_be_read_or_written(odonata, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(open_loop()))
    for arguments, part in [
        (("run", file, "--out", file), "is a file"),
        (("report", tmp_path / "nowhere"), "odonata run --out"),
        (("trace", "info", tmp_path / "nowhere.npz"), "nowhere.npz"),
        (("check", tmp_path / "nowhere.toml"), "no such file"),
        (("topo", "kang"), "kang2022-1056"),
        (("list", "routing-algorithms"), "routings"),
    ]:
        done = odonata(*arguments)
        assert done.returncode == 2, arguments
        assert part in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
