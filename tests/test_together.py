"""One simulation in several processes is that of one process, and ends when one of them ends."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import odonata as package
from examples import jobs, open_loop
from odonata.campaign.together import part
from odonata.core import native
from odonata.core.errors import RunError
from odonata.scenario import Scenario
from odonata.scenario.inputs import Inputs
from odonata.scenario.text import to_toml
from odonata.traces import TraceData, store
from test_interrupt import LONG, interrupted, simulating
from test_results import both_receive_first

SHAPES = [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (5, 1)]
"""Processes, and threads in each."""


def mixed():
    """A halo exchange beside noise that repeats, and open-loop traffic."""
    data = jobs()
    data["jobs"][1] |= {"repeat": True}
    data["jobs"][1]["workload"] |= {"ranks": 18, "grid": [2, 3, 3], "face": "8 KiB"}
    background = {
        "name": "background",
        "role": "background",
        "workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.2},
    }
    data["jobs"].append(background)
    return data


def learning():
    return open_loop(
        routing={"algorithm": "q-adaptive"},
        jobs=[{"name": "adversarial", "workload": {"kind": "open-loop", "pattern": "adversarial",
                                                   "shift": 1, "load": 0.3}}],
    )  # fmt: skip


def saturated():
    data = open_loop(routing={"algorithm": "ugal-group"})
    data["jobs"][0]["workload"] |= {"pattern": "adversarial", "shift": 1, "load": 0.9}
    return data


def machine(preset, routing, ranks=40):
    """An incast and an alltoall on a preset of a machine; few of its nodes."""
    alltoall = {"kind": "alltoall", "ranks": ranks, "message": "4 KiB", "iterations": 1}
    incast = {"kind": "open-loop", "pattern": "uniform", "load": 0.1, "ranks": 60}
    return {
        "name": "machine",
        "seed": 2,
        "system": {"preset": preset},
        "routing": {"algorithm": routing},
        "jobs": [
            {"name": "all", "placement": "random-node", "workload": alltoall},
            {"name": "rest", "role": "background", "placement": "random-node",
             "workload": incast},
        ],
    }  # fmt: skip


def failed_links():
    data = jobs(routing={"algorithm": "par"})
    data["system"]["failures"] = {"fraction": 0.1, "kinds": ["global"]}
    return data


def changing_links():
    data = jobs(routing={"algorithm": "par"})
    data["system"]["failures"] = {
        "known_after": "2 us",
        "events": [
            {"at": "10 us", "link": [0, 1], "state": "down"},
            {"at": "12 us", "link": [0, 4], "state": "down"},
            {"at": "30 us", "link": [0, 1], "state": "up"},
            {"at": "15 us", "link": [2, 3], "lanes": "25 %"},
        ],
    }
    return data


def failing():
    """One job is killed, another one waits for its dead, and traffic loses a source."""
    data = jobs(routing={"algorithm": "par"})
    for job in data["jobs"]:
        job.update(role="victim", placement="contiguous")
    data["jobs"][1]["on_failure"] = "wait"
    load = {"kind": "open-loop", "pattern": "uniform", "load": 0.2}
    data["jobs"].append({"name": "rest", "role": "background", "workload": load})
    data["system"]["failures"] = {
        "known_after": "2 us",
        "resent_after": "5 us",
        "events": [
            {"at": "10 us", "router": 16, "state": "down"},
            {"at": "12 us", "router": 4, "state": "down"},
            {"at": "20 us", "node": 70, "state": "down"},
            {"at": "30 us", "router": 16, "state": "up"},
        ],
    }
    return data


def classes():
    data = jobs()
    shares = [{"name": "high", "cap": "30 %"}, {"name": "low", "cap": "70 %"}]
    data["system"]["qos"] = {"window": "5 us", "monitor": "sliding", "classes": shares}
    data["jobs"][0]["class"] = "high"
    return data


def paced():
    """Congestion control at end points, which tells NICs of other groups."""
    data = machine("slingshot(4, 8, 4, 9)", "par")
    data["system"]["nic"] = {"congestion": "pace"}
    data["jobs"][1]["workload"] |= {"pattern": "hotspot", "load": 0.2}
    return data


def windowed():
    """A window for each target: acknowledgements go to NICs of other groups."""
    data = paced()
    data["system"]["nic"] = {"congestion": "nscc"}
    return data


def limited():
    return jobs(stop={"time": "30 us"})


CASES = {
    "jobs": jobs,
    "mixed": mixed,
    "open-loop": open_loop,
    "saturated": saturated,
    "learning": learning,
    "limited": limited,
    "classes": classes,
    "paced": paced,
    "windowed": windowed,
    "failures": failed_links,
    "events": changing_links,
    "failing": failing,
    "theta": lambda: machine("theta", "adaptive-0"),
    "slingshot": lambda: machine("slingshot(4, 8, 4, 9)", "par"),
}


def of_one(point):
    ready = Inputs().of(point)
    return native.run(ready.config, ready.traces, ready.texts, packed=True)


def of_many(point, processes, threads, builds=()):
    """What process 0 returns; the others are threads of this process."""
    ready = Inputs().of(point)
    given = (ready.config, ready.traces, ready.texts)
    said = {"beside": processes, "secret": "s", "task": "t"}
    team = native.Team.lead("127.0.0.1", processes, **said)
    ends = []

    def take_part(rank):
        build = builds[rank - 1] if builds else None
        try:
            other = native.Team.join(team.address, rank, processes, **said, build=build)
            other.gather()
            ends.append(native.run(*given, threads=threads, packed=True, team=other))
        except native.Error as error:
            ends.append(error)

    others = [threading.Thread(target=take_part, args=(rank,)) for rank in range(1, processes)]
    for other in others:
        other.start()
    try:
        team.gather()
        return native.run(*given, threads=threads, packed=True, team=team)
    finally:
        for other in others:
            other.join()
        of_many.ends = ends


def without_threads(summary):
    return {**summary, "engine": {**summary["engine"], "threads": 0}}


@pytest.mark.parametrize("case", CASES)
def test_any_number_of_processes_gives_the_same_bytes(case):
    point = Scenario.from_mapping(CASES[case]()).points[0]
    one = of_one(point)
    for processes, threads in SHAPES:
        found = of_many(point, processes, threads)
        shape = f"{processes} x {threads}"
        assert hashlib.sha256(found.packed).digest() == hashlib.sha256(one.packed).digest(), shape
        assert without_threads(found.summary) == without_threads(one.summary), shape
        assert found.stall == one.stall
        assert of_many.ends == [native.Outcome({}, {}, None)] * (processes - 1)
    assert one.summary["engine"]["packets"] > 500


def test_a_stall_has_the_same_diagnosis(tmp_path):
    store.save(TraceData(columns=both_receive_first()), tmp_path / "trace.npz")
    data = open_loop(jobs=[{"name": "waiting", "workload": {
        "kind": "trace", "path": str(tmp_path / "trace.npz")}}])  # fmt: skip
    del data["measure"]
    point = Scenario.from_mapping(data).points[0]
    one, two = of_one(point), of_many(point, 2, 1)
    assert one.summary["stop"] == two.summary["stop"] == "stalled"
    assert "rank 0" in one.stall
    assert "rank 1" in one.stall
    assert two.stall == one.stall


def test_more_processes_than_groups_are_refused():
    point = Scenario.from_mapping(jobs(system={"preset": "dragonfly(4, 8, 4, 2)"})).points[0]
    with pytest.raises(native.ConfigurationError, match="at most 2 processes"):
        of_many(point, 3, 1)
    assert all(isinstance(end, native.Error) for end in of_many.ends)


def test_what_one_process_refuses_several_refuse():
    """It is found when all have told what they know of the jobs."""
    precision = [{"quantity": "iteration_time", "half_width": "2%"}]
    point = Scenario.from_mapping(jobs(stop={"time": "20 ms", "precision": precision})).points[0]
    with pytest.raises(native.ConfigurationError, match="has 2 iterations"):
        of_many(point, 3, 1)
    assert all("has 2 iterations" in str(end) for end in of_many.ends)


def test_another_build_is_refused():
    point = Scenario.from_mapping(open_loop()).points[0]
    with pytest.raises(native.LostError, match="process 1 runs another build"):
        of_many(point, 2, 1, builds=["0.0.1+other"])
    (end,) = of_many.ends
    assert "another build" in str(end)


def digests(folder):
    files = sorted(folder.rglob("*.parquet"))
    assert len(files) >= 5
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def test_the_command_writes_the_same_files(tmp_path, odonata):
    """Baselines and runs of a sweep included; each has processes of its own."""
    (tmp_path / "s.toml").write_text(to_toml(mixed()))
    for name, arguments in (("one", ()), ("two", ("--processes", "2", "--threads", "2"))):
        done = odonata("run", "s.toml", "--out", name, "--quiet", *arguments, timeout=120)
        assert done.returncode == 0, done.stderr
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    engine = json.loads((tmp_path / "two" / "summary.json").read_text())["engine"]
    assert engine["threads"] == 4


def test_the_command_refuses_with_a_sentence(tmp_path, odonata):
    (tmp_path / "s.toml").write_text(to_toml(jobs(system={"preset": "dragonfly(4, 8, 4, 2)"})))
    done = odonata("run", "s.toml", "--processes", "3", timeout=60)
    assert done.returncode == 2
    assert "at most 2 processes" in done.stderr
    assert "Traceback" not in done.stderr
    done = odonata("run", "s.toml", "--processes", "2", "--workers", "2", timeout=60)
    assert done.returncode == 2
    assert "cannot be combined" in done.stderr


def children(pid):
    found = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid=,args="], text=True, check=False,
                           capture_output=True)  # fmt: skip
    lines = [line.split(None, 1) for line in found.stdout.splitlines()]
    return [int(number) for number, args in lines if "odonata.campaign.together.part" in args]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("who", ["first", "other"])
def test_a_process_that_dies_ends_all(tmp_path, who):
    file = tmp_path / "long.toml"
    file.write_text(to_toml(open_loop(measure=LONG)))
    command = [sys.executable, "-m", "odonata", "run", str(file), "--processes", "3"]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            simulating(process)
            others = children(process.pid)
            assert len(others) == 2
            start = time.monotonic()
            os.kill(process.pid if who == "first" else others[1], signal.SIGKILL)
            text = process.stderr.read()
            code = process.wait(20)
            while any(os.path.exists(f"/proc/{other}") for other in others):  # noqa: PTH110
                assert time.monotonic() - start < 20
                time.sleep(0.05)
        finally:
            process.kill()
    assert "Traceback" not in text
    if who == "other":
        assert code == 2, text
        assert "process 2 of the 3" in text, text


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_ctrl_c_keeps_what_all_processes_have_found(tmp_path):
    data = open_loop(measure=LONG)
    code, _, text = interrupted(tmp_path, data, simulating, "--processes", "3")
    assert code == 3, text
    assert "Traceback" not in text
    result = package.load(tmp_path / "out")
    assert result.stop == "interrupted"
    sent = result.table("ranks")["bytes_sent"]
    assert (sent.to_numpy() > 0).all(), "of the nodes of all processes"


def test_a_process_whose_file_has_changed_ends_with_a_sentence(tmp_path):
    path = tmp_path / "trace.npz"
    store.save(TraceData(columns=both_receive_first()), path)
    data = open_loop(jobs=[{"name": "waiting", "workload": {"kind": "trace", "path": str(path)}}])
    del data["measure"]
    point = Scenario.from_mapping(data).points[0]
    task = {
        "key": "k", "label": "l", "name": "n", "scenario_hash": "h",
        "config": json.dumps(point.config), "digests": ["another"],
    }  # fmt: skip
    with pytest.raises(package.errors.Error, match="has changed"):
        part.take_part({"task": task})


@pytest.mark.parametrize("text", ["", '{"address": "127.0.0.1:1", "ra', "\xff"])
def test_a_process_whose_standard_input_breaks_says_so(text):
    done = subprocess.run(
        [sys.executable, "-m", "odonata.campaign.together.part"], input=text, text=True, timeout=60,
        capture_output=True, check=False, encoding="latin-1",
    )  # fmt: skip
    assert done.returncode == 1
    assert "standard input" in done.stderr
    assert "Traceback" not in done.stderr


def test_python_takes_processes():
    one = package.run_one(open_loop())
    two = package.run(open_loop(), processes=2)
    assert two.table("links").equals(one.table("links"))
    assert np.isfinite(two.summary["engine"]["wall_s"])
    with pytest.raises(RunError, match="cannot be combined"):
        package.run(open_loop(), processes=2, workers=2)


MEASURED = """
import os, sys
pid = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ)
_, status, used = os.wait4(pid, 0)
print(used.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command and prints how many bytes it, or the largest process that it waited for, took."""


def most_bytes(tmp_path, preset, processes):
    """Of the largest process of a run that simulates next to nothing."""
    data = open_loop(system={"preset": preset})
    data["measure"] = {"warm_up": "0 ns", "window": "1 ns"}
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(to_toml(data))
    command = ["-m", "odonata", "run", str(scenario), "--quiet", "--threads", "1", "--overwrite",
               "--processes", str(processes), "--out", str(tmp_path / "out")]  # fmt: skip
    found = subprocess.run([sys.executable, "-c", MEASURED, *command],
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert found.returncode == 0, found.stderr
    return int(found.stdout.split()[-1])


def test_memory_follows_the_share_of_a_process(tmp_path):
    program = most_bytes(tmp_path, "dragonfly(2, 4, 2, 9)", 1)
    # 83,232 nodes; a process that built everything would take as much as one alone. Process 0
    # takes most when it has the results of all.
    of_one, of_four = (most_bytes(tmp_path, "dragonfly(12, 24, 12, 289)", processes) - program
                       for processes in (1, 4))  # fmt: skip
    assert of_four < 0.88 * of_one, (of_one, of_four)
