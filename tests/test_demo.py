"""`odonata demo`: the first picture, and the scenarios that come with the package."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib

from odonata.cli import main
from odonata.scenario import Scenario


def test_the_first_picture(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path / "demo"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert any(path.endswith("communication_time.png") for path in told["pictures"])
    assert any(path.endswith("blame.png") for path in told["pictures"])
    for path in [told["report"], told["view"], *told["pictures"]]:
        assert (tmp_path / path).stat().st_size > 1000


def test_the_demo_of_the_sources_shows_who_delayed_whom(repository):
    """``make demo`` and ``odonata demo --full``."""
    scenario = Scenario.read(repository / "scenarios" / "demo.toml")
    assert [point.config["routing"]["algorithm"] for point in scenario.points][-1] == "par"
    for point in scenario.points:
        assert {job["role"] for job in point.config["jobs"]} == {"victim", "aggressor"}
        telemetry = point.config["telemetry"]
        assert telemetry["blame"]
        assert telemetry["link_series"]


def recipe(repository, tmp_path, target, *made):
    """What ``make`` would do for a target, with these files made a moment ago."""
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    command = ["make", "--dry-run", target, f"VENV={tmp_path}"]
    return subprocess.run(
        command, cwd=repository, check=True, capture_output=True, text=True
    ).stdout


def test_a_fresh_clone_sets_up_for_the_demo_only_what_runs_need(repository, tmp_path):
    demo = recipe(repository, tmp_path, "demo")
    assert f"tools/setup.sh {tmp_path} run" in demo
    assert f"tools/setup.sh {tmp_path} dev" not in demo
    for command in ("odonata run", "odonata report", "odonata view"):
        assert command in demo


def test_what_comes_after_the_demo_is_set_up_as_a_whole(repository, tmp_path):
    for target, kind in (("setup", "dev"), ("test-python", "test"), ("lint-python", "test")):
        told = recipe(repository, tmp_path, target, ".odonata-demo")
        assert f"tools/setup.sh {tmp_path} {kind}" in told, target
    assert "setup.sh" not in recipe(
        repository, tmp_path, "demo", ".odonata-demo", ".odonata-installed"
    )


def test_there_is_one_compiled_module_and_stamps_say_which(repository, tmp_path):
    """What takes the place of a module takes away the stamps of what it is not good enough for."""
    tested = recipe(repository, tmp_path, "test-python")
    assert f"rm -f {tmp_path}/.odonata-demo {tmp_path}/.odonata-installed" in tested
    assert f"rm -f {tmp_path}/.odonata-tested {tmp_path}/.odonata-installed" in recipe(
        repository, tmp_path, "demo"
    )
    release = recipe(repository, tmp_path, "setup", ".odonata-tested")
    assert f"tools/setup.sh {tmp_path} dev" in release
    assert f"rm -f {tmp_path}/.odonata-tested" in release  # so that tests have their own again
    assert "setup.sh" not in recipe(repository, tmp_path, "test-python", ".odonata-tested")


def pins(path):
    found = {}
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith(("#", "-r ")):
            name, version = line.split("==")
            found[re.sub(r"[-_.]+", "-", name).lower()] = version
    return found


def test_what_runs_need_is_pinned_apart_from_what_tests_need(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    run = pins(repository / "tools" / "requirements-run.txt")
    dev = pins(repository / "tools" / "requirements-dev.txt")
    assert {re.split(">=", one)[0] for one in project["dependencies"]} <= set(run)
    assert not set(run) & set(dev)
    extras = {re.split(">=", one)[0] for extra in project["optional-dependencies"].values()
              for one in extra}  # fmt: skip
    assert not extras & set(run)
    assert "-r requirements-run.txt" in (repository / "tools" / "requirements-dev.txt").read_text(
        "utf-8"
    )


def test_scenarios_and_schema_are_inside_the_package(tmp_path, repository, capsys):
    assert main(["demo", "--scenarios", str(tmp_path / "s")]) == 0
    assert "small.toml" not in capsys.readouterr().err
    copied = {str(path.relative_to(tmp_path / "s")) for path in (tmp_path / "s").rglob("*.*")}
    ours = {str(path.relative_to(repository / "scenarios"))
            for path in (repository / "scenarios").rglob("*.*")}  # fmt: skip
    assert copied == ours
    assert Scenario.read(tmp_path / "s" / "real-trace.toml").points
    schema = repository / "python" / "odonata" / "scenario.schema.json"
    assert json.loads(schema.read_text("utf-8"))["title"]
    assert main(["demo", "--scenarios", str(tmp_path / "s")]) == 2
    assert "exists" in capsys.readouterr().err
