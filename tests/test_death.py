"""A process dies at any moment: the folder holds the old results or the new ones, whole."""

from __future__ import annotations

import os
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
from odonata.errors import RunError
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "0 s", "window": "500 ns"}
OLD = open_loop(measure=SHORT, seed=1)
NEW = jobs(seed=2)
SWEEP = open_loop(measure=SHORT, sweep={"seed": [1, 2, 3]})

ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenarios")
    for name, data in (("old", OLD), ("new", NEW), ("sweep", SWEEP)):
        (folder / f"{name}.toml").write_text(to_toml(data))
    return folder


def start(number, scenario, out, *options):
    return subprocess.Popen(
        [sys.executable, Path(__file__).with_name("killed.py"), str(number), scenario, out, *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip


def end(process):
    text, complaints = process.communicate(timeout=60)
    return process.returncode, text, complaints


def digest(result):
    """What a run is, whoever asks: its scenario and all its tables, isolated runs included."""
    parts = [result.summary["scenario_hash"], result.stop]
    for one in (result, *result.baselines.values()):
        parts += [(name, one.table(name).to_dict(as_series=False)) for name in one.tables()]
    return parts


def found(out):
    """What a reader finds: nothing, or the digest of what is there."""
    try:
        result = package.load(out)
    except RunError as error:
        assert "holds no results" in str(error), error
        return None
    return digest(result)


@pytest.fixture(scope="module")
def wanted(scenarios, tmp_path_factory):
    """The whole results, from runs that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("old", "new"):
        package.run(scenarios / f"{name}.toml", out=folder / name)
    return {name: digest(package.load(folder / name)) for name in ("old", "new")} | {
        "folder": folder
    }


def hidden(out):
    return [path for path in out.rglob("*") if path.name.startswith(".")]


def counts(scenario, out, *options):
    code, text, complaints = end(start(0, scenario, out, *options))
    assert code == 0, complaints
    return int(text)


def dies(number, scenario, out, *options):
    code, _, complaints = end(start(number, scenario, out, *options))
    assert code == 99, complaints


def test_a_fresh_run_dies_before_each_operation(scenarios, wanted, tmp_path):
    scenario = scenarios / "new.toml"
    count = counts(scenario, tmp_path / "count")
    assert count > 30
    for number in every(count):
        out = tmp_path / f"{number}"
        dies(number, scenario, out)
        assert found(out) in (None, wanted["new"]), number
        counts(scenario, out)
        assert found(out) == wanted["new"], number
        assert hidden(out) == [], number


def test_a_replacement_dies_before_each_operation(scenarios, wanted, tmp_path):
    scenario = scenarios / "new.toml"

    def earlier(name):
        out = tmp_path / name
        shutil.copytree(wanted["folder"] / "old", out)
        (out / "notes.txt").write_text("mine")
        return out

    count = counts(scenario, earlier("count"), "--overwrite")
    seen = set()
    for number in every(count):
        out = earlier(f"{number}")
        dies(number, scenario, out, "--overwrite")
        is_old = found(out) == wanted["old"]
        assert is_old or found(out) == wanted["new"], number
        seen.add(is_old)
        assert counts(scenario, out, "--overwrite") >= 0
        assert found(out) == wanted["new"], number
        assert (out / "notes.txt").read_text() == "mine"
        assert hidden(out) == [], number
        assert not (out / "unfinished").exists()
    assert seen == {True, False}


def test_a_sweep_dies_before_each_operation(scenarios, tmp_path):
    scenario = scenarios / "sweep.toml"
    count = counts(scenario, tmp_path / "count")
    whole = [digest(run) for run in package.load(tmp_path / "count").runs.values()]
    for number in every(count):
        out = tmp_path / f"{number}"
        dies(number, scenario, out)
        there = {path: path.stat().st_mtime_ns for path in out.glob("runs/*/summary.json")}
        counts(scenario, out)
        sweep = package.load(out)
        assert [digest(run) for run in sweep.runs.values()] == whole, number
        assert sweep.index.height == 3
        # What was there is not run again.
        assert all(path.stat().st_mtime_ns == stamp for path, stamp in there.items()), number
        assert hidden(out) == [], number


def every(count):
    """Every operation with ODONATA_LONG, otherwise every seventh, from a place that changes."""
    step = 1 if os.environ.get("ODONATA_LONG") else 7
    first = random.randrange(step) + 1  # noqa: S311 - not a secret
    print(f"from operation {first} in steps of {step}")
    return range(first, count + 1, step)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_death_at_any_instant(number, scenarios, wanted, tmp_path):
    seed = random.randrange(1000)  # noqa: S311 - not a secret
    print(f"seed {seed}")
    draw = random.Random(seed)  # noqa: S311
    scenario, out = scenarios / "new.toml", tmp_path / "out"
    start_s = time.monotonic()
    counts(scenario, tmp_path / "timed")
    longest = time.monotonic() - start_s
    shutil.copytree(wanted["folder"] / "old", out)
    for _ in range(40 if os.environ.get("ODONATA_LONG") else 5):
        process = start(0, scenario, out, "--overwrite")
        time.sleep(draw.uniform(0.3, 1.1) * longest)
        process.send_signal(number)
        code, _, complaints = end(process)
        assert code in (0, 3, -number), complaints
        assert found(out) in (wanted["old"], wanted["new"])
    counts(scenario, out, "--overwrite")
    assert found(out) == wanted["new"]
    assert hidden(out) == []
