"""A process dies at any moment: the folder holds the old results or the new ones, whole."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import odonata as package
from examples import jobs, open_loop
from killed import DEATH
from lengths import IS_LONG
from odonata.errors import RunError
from odonata.results import damaged
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "0 s", "window": "500 ns"}
OLD = open_loop(measure=SHORT, seed=1)
NEW = jobs(seed=2)
SWEEP = open_loop(measure=SHORT, sweep={"seed": [1, 2, 3]})


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenarios")
    for name, data in (("old", OLD), ("new", NEW), ("sweep", SWEEP)):
        (folder / f"{name}.toml").write_text(to_toml(data))
    return folder


@pytest.fixture(scope="module")
def run():
    """Run a scenario in a process of its own that may die; the number of its file operations."""
    command = [sys.executable, Path(__file__).with_name("killed.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:

        def run(scenario, out, *options, deadly=0):
            server.stdin.write(json.dumps([deadly, str(scenario), str(out), options]) + "\n")
            server.stdin.flush()
            code, count = map(int, server.stdout.readline().split())
            assert code == (DEATH if deadly else 0)
            return count

        yield run
        server.stdin.close()


def digest(result):
    """What a run is, whoever asks: its scenario and all its tables, isolated runs included."""
    parts = [result.summary["scenario_hash"], result.stop]
    for one in (result, *result.baselines.values()):
        parts += [(name, one.table(name).to_dict(as_series=False)) for name in one.tables()]
    return parts


def found(out):
    """What a reader finds: nothing, or the digest of what is there."""
    try:
        return digest(package.load(out))
    except RunError as error:
        return None if "holds no results" in str(error) else str(error)


@pytest.fixture(scope="module")
def wanted(scenarios, tmp_path_factory):
    """The whole results, from runs that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("old", "new"):
        package.run(scenarios / f"{name}.toml", out=folder / name)
    return {name: digest(package.load(folder / name)) for name in ("old", "new")} | {
        "folder": folder
    }


def every(count):
    """Every operation in `make test-long`, otherwise every tenth, from one that differs by run."""
    step = 1 if IS_LONG else 10
    return range(random.randrange(step) + 1, count + 1, step)  # noqa: S311 - not a secret


def hidden(out):
    return [path for path in out.rglob("*") if path.name.startswith(".")]


def test_a_fresh_run_dies_before_each_operation(run, scenarios, wanted, tmp_path):
    scenario = scenarios / "new.toml"
    count = run(scenario, tmp_path / "count")
    assert count > 20
    for number in every(count):
        out = tmp_path / f"{number}"
        run(scenario, out, deadly=number)
        assert found(out) in (None, wanted["new"]), number
        run(scenario, out)
        assert found(out) == wanted["new"], number
        assert hidden(out) == [], number


@pytest.mark.parametrize("has_notes", [False, True])
def test_a_replacement_dies_before_each_operation(has_notes, run, scenarios, wanted, tmp_path):
    """With files of others among the old ones, folders cannot change places: files move."""
    scenario = scenarios / "new.toml"

    def earlier(name):
        out = tmp_path / name
        shutil.copytree(wanted["folder"] / "old", out)
        if has_notes:
            (out / "notes.txt").write_text("mine")
        return out

    count = run(scenario, earlier("count"), "--overwrite")
    seen = set()
    for number in every(count):
        out = earlier(f"{number}")
        run(scenario, out, "--overwrite", deadly=number)
        if not has_notes:
            assert (out / "summary.json").is_file(), number
            assert damaged(out) == [], number
        is_old = found(out) == wanted["old"]
        assert is_old or found(out) == wanted["new"], number
        seen.add(is_old)
        assert run(scenario, out, "--overwrite") >= 0
        assert found(out) == wanted["new"], number
        assert not has_notes or (out / "notes.txt").read_text() == "mine"
        assert hidden(tmp_path) == [], number
        assert not (out / "unfinished").exists()
    assert seen == {True, False}


def test_a_sweep_dies_before_each_operation(run, scenarios, tmp_path):
    scenario = scenarios / "sweep.toml"
    count = run(scenario, tmp_path / "count")
    whole = [digest(run) for run in package.load(tmp_path / "count").runs.values()]
    for number in every(count):
        out = tmp_path / f"{number}"
        run(scenario, out, deadly=number)
        there = {path: path.stat().st_mtime_ns for path in out.glob("runs/*/summary.json")}
        run(scenario, out)
        sweep = package.load(out)
        assert [digest(run) for run in sweep.runs.values()] == whole, number
        assert sweep.index.height == 3
        # What was there is not run again.
        assert all(path.stat().st_mtime_ns == stamp for path, stamp in there.items()), number
        assert hidden(out) == [], number


def start(scenario, out):
    command = [sys.executable, "-m", "odonata", "run", scenario, "--out", out, "--overwrite"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_death_at_any_instant(number, scenarios, wanted, tmp_path):
    seed = random.randrange(1000)  # noqa: S311 - not a secret
    draw = random.Random(seed)  # noqa: S311
    scenario, out = scenarios / "new.toml", tmp_path / "out"
    begin = time.monotonic()
    assert start(scenario, tmp_path / "timed").wait(timeout=60) == 0
    longest = time.monotonic() - begin
    shutil.copytree(wanted["folder"] / "old", out)
    for trial in range(30 if IS_LONG else 2):
        process = start(scenario, out)
        time.sleep(draw.uniform(0.3, 1.1) * longest)
        process.send_signal(number)
        assert process.wait(timeout=60) in (0, 3, -number), (seed, trial)
        assert found(out) in (wanted["old"], wanted["new"]), (seed, trial)
    assert start(scenario, out).wait(timeout=60) == 0
    assert found(out) == wanted["new"]
    assert hidden(out) == []
