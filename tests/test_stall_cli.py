"""A job that waits for ever ends the run with a diagnosis, also while open-loop traffic goes on."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

import odonata
from odonata.scenario import Scenario
from odonata.traces import TraceData, store
from test_results import both_receive_first

BACKGROUND = """
[[jobs]]
name = "noise"
role = "background"
workload = { kind = "open-loop", load = 0.3, message = "512 B", ranks = 8 }
"""

SCENARIO = """
name = "stuck"
system.preset = "dragonfly(2, 4, 2, 9)"
system.router.architecture = "{architecture}"
routing.algorithm = "ugal-group"

[[jobs]]
name = "waiting"
workload = {{ kind = "trace", path = "trace.npz" }}
"""

COMPUTE = 0
MILLISECOND_PS = 1_000_000_000


def write(folder, columns, architecture="voq"):
    """A trace and its scenario in ``folder``."""
    store.save(TraceData(columns=columns), folder / "trace.npz")
    file = folder / "scenario.toml"
    file.write_text(SCENARIO.format(architecture=architecture) + BACKGROUND)
    return file


@pytest.mark.parametrize("architecture", ["voq", "cioq"])
def test_background_does_not_hide_a_blocked_job(odonata, tmp_path, architecture):
    file = write(tmp_path, both_receive_first(), architecture)
    done = odonata("run", file, "--out", "out", timeout=30)
    assert done.returncode == 4, done.stderr
    diagnosis = (tmp_path / "out" / "diagnosis.txt").read_text()
    for text in (diagnosis, " ".join(done.stdout.split())):
        for rank, other in ((0, 1), (1, 0)):
            wanted = f"job `waiting` rank {rank} (node {rank}) waits for: recv"
            assert wanted in text, text
            assert f"from rank {other}" in text.partition(wanted)[2], text
        assert "not the network" in text
        assert "noise" not in text.partition("The simulation stalled")[2]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["stop"] == "stalled"
    waiting, noise = summary["jobs"]
    assert (waiting["ranks_finished"], waiting["packets"]) == (0, 0)
    assert "slowdown" not in waiting
    # Nothing of the job is on its way: the run ends at once, though traffic goes on.
    assert noise["packets"] > 0
    assert summary["simulated_ns"] < 100e3


CUT = """
[system]
preset = "{preset}"
mpi.preset = "firefly-kang2022"
[routing]
algorithm = "minimal"
[[jobs]]
workload = {{ kind = "{kind}", ranks = 4, iterations = 1000 }}
placement = "random-node"
[stop]
time = "{time} ns"
"""


@pytest.mark.parametrize("kind", ["ping-pong", "barrier", "allreduce"])
@pytest.mark.parametrize("preset", ["codes-dally-1056", "mfnetsim-1056"])
def test_a_run_that_is_cut_has_not_stalled(preset, kind):
    """Whatever is under way then, in windows of 76 ns and of a microsecond."""
    cuts = range(700, 2200, 61)
    texts = (CUT.format(preset=preset, kind=kind, time=time) for time in cuts)
    stops = Counter(odonata.run(Scenario.from_text(text), baseline=False).stop for text in texts)
    assert stops == {"time-limit": len(cuts)}


def test_several_processes_and_threads_are_cut_alike(tmp_path):
    scenario = Scenario.from_text(CUT.format(preset="mfnetsim-1056", kind="barrier", time=1554))
    for shape in ({"threads": 3}, {"processes": 2, "threads": 2}):
        result = odonata.run(scenario, out=tmp_path / str(len(shape)), baseline=False, **shape)
        assert result.stop == "time-limit", shape


def test_a_quiet_run_that_stalls_ends_with_a_sentence(odonata, tmp_path):
    done = odonata("run", write(tmp_path, both_receive_first()), "--out", "out", "--quiet")
    assert (done.returncode, done.stdout) == (4, "")
    first, *others = done.stderr.splitlines()
    assert first.startswith("The simulation stalled before ")
    assert first.endswith("diagnosis.txt says more.")
    assert all(line.startswith("`waiting` alone: The simulation stalled") for line in others)


def test_a_job_that_computes_for_long_does_not_stall(tmp_path):
    """The ranks do nothing for five milliseconds, then exchange a message."""
    columns = both_receive_first()
    columns["op"] = np.array([COMPUTE, 1, COMPUTE, 2], np.uint8)
    columns["duration_ps"] = np.array([5, 0, 5, 0], np.uint64) * MILLISECOND_PS
    columns["bytes"] = np.array([0, 8, 0, 8], np.uint64)
    result = odonata.run(write(tmp_path, columns), baseline=False)
    assert result.stop == "finished"
    assert 5e6 < result.summary["simulated_ns"] < 5.1e6
    waiting, noise = result.summary["jobs"]
    assert waiting["ranks_finished"] == 2
    assert noise["packets"] > 100_000
