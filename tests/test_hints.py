"""Names that were mistyped, and commands that messages recommend: what is said can be typed."""

from __future__ import annotations

import shlex
import tomllib

import pytest

import odonata as package
from examples import jobs
from odonata.build import Job, Scenario, System
from odonata.cli import diagnosis, main
from odonata.core import files
from odonata.errors import RunError, ScenarioError
from odonata.measured import preload
from odonata.scenario import registry
from odonata.scenario.build import routings, workloads


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rum"], "Did you mean `run`?"),
        (["trace", "chek"], "Did you mean `check`?"),
        (["completion", "zhs"], "Did you mean `zsh`?"),
        (["topo", "thet"], "Did you mean `theta`?"),
        (["show", "routings", "minimul"], "Did you mean `minimal`?"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(words, meant, capsys):
    assert main(words) == 2
    told = capsys.readouterr().err
    assert meant in told
    assert "<mapping>" not in told


def test_a_scenario_without_a_file_is_called_a_scenario():
    with pytest.raises(ScenarioError, match=r"^scenario: `system\.preset`: no system"):
        package.run(jobs(system={"preset": "thet"}))


@pytest.mark.parametrize(("kind", "names"), [("routings", None), ("workloads", ["halo3d", "amg"])])
def test_shown_defaults_are_toml(kind, names, capsys):
    names = names or list(registry.family(kind))
    for name in names:
        assert main(["show", kind, name]) == 0
    told = capsys.readouterr().out
    assert not {"True", "False", "None"} & set(told.split())


def test_a_shown_system_is_a_table_of_a_scenario(capsys):
    for name in ("theta", "alps", "dragonfly"):
        assert main(["show", "systems", name]) == 0
        text = capsys.readouterr().out.partition("\n\n")[2]
        assert "topology" in tomllib.loads(text)["system"]


def test_hints_quote_paths_with_spaces(odonata, tmp_path):
    done = odonata("new", "my first.toml", "--ranks", "8")
    command = done.stdout.partition("Next: ")[2].strip()
    assert shlex.split(command) == ["odonata", "run", "my first.toml"]
    head = (tmp_path / "my first.toml").read_text().splitlines()[:3]
    said = [shlex.split(line.removeprefix("# "))[:3] for line in head]
    assert [words[2] for words in said] == ["my first.toml"] * 2 + ["results/my first"]
    done = odonata("run", "my first.toml", "--set", "jobs.0.workload.iterations=1", "--no-baseline")
    command = done.stdout.partition("Pictures: ")[2].strip()
    assert shlex.split(command) == ["odonata", "report", "results/my first"]


def test_a_wheel_is_not_told_to_make_anything(monkeypatch, tmp_path):
    assert "program valgrind" in {one.what for one in diagnosis.examine()}
    package = tmp_path / "site-packages" / "odonata"
    monkeypatch.setattr(files, "__file__", str(package / "core" / "files.py"))
    monkeypatch.setattr(preload, "__file__", str(package / "measured" / "preload.py"))
    monkeypatch.setattr(diagnosis.native, "DEBUG_BUILD", True)
    found = diagnosis.examine()
    assert {one.what: one.state for one in found}["preload library aries"] == "missing"
    assert not [one for one in found if "make" in one.says]


def test_a_job_that_is_not_there_is_answered_with_the_nearest():
    result = package.run(jobs(), baseline=False)
    with pytest.raises(KeyError, match=r"there is no job `hallo`\. Did you mean `halo`\? Valid: "):
        result.jobs["hallo"]
    with pytest.raises(RunError):
        result.jobs["hallo"]
    assert result.jobs.get("hallo") is None
    assert "hallo" not in result.jobs
    sweep = package.run(jobs(sweep={"routing.algorithm": ["minimal", "par"]}), baseline=False)
    with pytest.raises(KeyError, match="Did you mean `algorithm=par`"):
        sweep.runs["algorithm=pa"]


QUIET = Scenario(
    name="quiet",
    system=System(preset="dragonfly(2, 4, 2, 9)"),
    routing=routings.Par(),
    jobs=[Job(name="halo", workload=workloads.Halo3d(ranks=27, iterations=2))],
)


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("routing.bais", 4, "bias"),
        ("routng.bias", 4, "routing"),
        ("routing.algorithm", "minimul", "minimal"),
        ("system.links.locl.latency", "3 ns", "local"),
        ("telemetry.blam", True, "blame"),
        ("jobs.hallo.role", "victim", "halo"),
        ("jobs.halo.wrkload.face", "1 KiB", "workload"),
        ("jobs.halo.workload.fcae", "1 KiB", "face"),
        ("jobs.0.workload.kind", "halo3", "halo3d"),
    ],
)
def test_changed_refuses_names_that_are_not_there(key, value, meant):
    with pytest.raises(ScenarioError, match=f"Did you mean `{meant}`") as caught:
        QUIET.changed({key: value})
    assert str(caught.value).startswith((f"changed({key}): ", "Scenario: "))


def test_changed_takes_every_key_that_a_scenario_has():
    changes = {"routing.bias": 4, "system.links.local.latency": "3 ns", "telemetry.blame": True,
               "jobs.halo.workload.kind": "alltoall", "jobs.halo.workload.message": "1 KiB",
               "system.router.speedup": 2, "jobs.halo.role": "victim",
               "sweep.routing.algorithm": ["ugal-node", "par"]}  # fmt: skip
    assert QUIET.changed(changes).check()


def test_no_iterations_are_no_job():
    for kind in ("halo3d", "alltoall", "fft3d", "milc", "allreduce", "training"):
        given = jobs(jobs=[{"name": "a", "workload": {"kind": kind, "iterations": 0}}])
        with pytest.raises(ScenarioError, match=r"iterations`: 0 is too small; the smallest is 1"):
            package.run(given)
