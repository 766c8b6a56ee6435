"""`odonata new`: whatever it writes can be run; what does not go together is refused."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odonata import cli
from odonata.cli import draft
from odonata.cli.draft import NOTHING, Answers
from odonata.errors import ScenarioError
from odonata.scenario import Scenario, before, registry

SMALL = (
    "dragonfly(2, 4, 2, 9)",
    "megafly(2, 4, 4, 5, 1)",
    "aries(2, 4)",
    "dragonfly(p=1, a=2, h=1, g=3)",
)


def answers():
    return st.builds(
        Answers,
        system=st.sampled_from(SMALL),
        job=st.sampled_from([*draft.choices("job")]),
        beside=st.sampled_from([*draft.choices("beside")]),
        routing=st.sampled_from([*draft.choices("routing")]),
        placement=st.sampled_from([*draft.choices("placement")]),
        ranks=st.none() | st.integers(1, 40),
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(given=answers())
def test_what_is_written_passes_check_and_what_cannot_be_is_refused(given):
    path = Path("mine.toml")
    try:
        text = draft.draft(given, path)
    except ScenarioError as error:
        said = str(error)
    else:
        said = ""
    if said:
        assert said.startswith(given.job)
        assert "<text>" not in said
        return
    for point in Scenario.from_text(text).points:
        assert before.check(point)["nodes_in_use"] > 0


@pytest.mark.parametrize("job", [*draft.choices("job")])
def test_every_workload_fits_by_itself(job):
    text = draft.draft(Answers(job=job, beside=NOTHING, routing="minimal"), Path("a.toml"))
    workload = tomllib.loads(text)["jobs"][0]["workload"]
    assert (workload["kind"], workload["ranks"]) == (job, 32)


def test_flags_write_a_file_that_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    flags = ("--system", "dragonfly(2, 4, 2, 9)", "--job", "barrier", "--routing", "minimal")
    assert cli.main(["new", "mine.toml", *flags, "--beside", NOTHING]) == 0
    assert cli.main(["check", "mine.toml"]) == 0
    assert cli.main(["new", "mine.toml", *flags]) == 2
    assert "exists" in capsys.readouterr().err
    assert cli.main(["run", "mine.toml", "--quiet"]) == 0
    assert (tmp_path / "results" / "mine" / "summary.json").is_file()


def test_comments_can_be_taken_away(tmp_path):
    text = draft.draft(Answers(), tmp_path / "a.toml")
    uncommented = [
        line.removeprefix("# ")
        if line.startswith(("# [", '# "routing', "# seed", "# blame"))
        else line
        for line in text.splitlines()
    ]
    scenario = Scenario.from_text("\n".join(uncommented))
    assert len(scenario.points) == 6
    assert scenario.points[0].config["telemetry"]["blame"] is True
    bare = [line.removeprefix("#   ") for line in text.splitlines() if line.startswith("#   ")]
    named = {line.partition(" = ")[0] for line in bare}
    for family, name in (("workloads", "halo3d"), ("routings", "par")):
        entry = registry.family(family)[name]
        assert {f.name for f in entry.parameters if f.default is not None} <= {
            *named, "iterations", "ranks",
        }  # fmt: skip


def test_a_recorded_trace_is_a_job(scenarios, tmp_path):
    trace = scenarios / "traces" / "lammps-melt-16.npz"
    text = draft.draft(Answers(job=str(trace), beside="incast"), tmp_path / "a.toml")
    workload = tomllib.loads(text)["jobs"][0]["workload"]
    assert (tmp_path / workload["path"]).resolve() == trace


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--job", "halo3"), "Did you mean `halo3d`?"),
        (("--system", "thta"), "Did you mean `theta`?"),
        (("--routing", "PAR"), "Did you mean `par`?"),
        (("--placement", "random-chassis"), "chassis"),
        (("--ranks", "2000"), "2000 ranks need 2000 nodes"),
        (("--ranks", "0"), "not a whole number from 1 on"),
        (("--beside", "nothin"), "Did you mean `nothing`?"),
    ],
)
def test_wrong_answers_are_answered_with_a_sentence(flags, words, tmp_path, capsys):
    assert cli.main(["new", str(tmp_path / "a.toml"), *flags]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert words in said
    assert "<text>" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_scenario_is_not_written(tmp_path, capsys):
    assert cli.main(["new", str(tmp_path / "a.txt")]) == 2
    assert "a scenario is a .toml file" in capsys.readouterr().err


def test_on_a_terminal_five_questions_are_asked(tmp_path):
    keyboard, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "odonata", "new", "mine.toml"], cwd=tmp_path, stdin=terminal,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        os.write(keyboard, b"\nhalo\nbarrier\n?\n\nminimal\n\n")
        shown, _ = process.communicate(timeout=60)
    os.close(terminal)
    os.close(keyboard)
    assert process.returncode == 0, shown
    assert "`halo` is not known. Did you mean `halo3d`?" in shown
    assert "the job has the system to itself" in shown
    scenario = tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    assert scenario["jobs"][0]["workload"]["kind"] == "barrier"
    assert scenario["routing"]["algorithm"] == "minimal"
