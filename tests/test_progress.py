"""What is said while runs go on: soon, again and again, and with true times."""

from __future__ import annotations

import re
import threading

import pytest

from examples import jobs
from odonata import run
from odonata.campaign.conduct import SILENT, Timed
from odonata.cli import main, progress
from odonata.cli.progress import ProgressBar
from odonata.scenario.text import to_toml


class Told:
    """Is told of everything and remembers times."""

    def __init__(self):
        self.seconds = {}

    def took(self, label, seconds):
        self.seconds[label] = seconds

    def __getattr__(self, name):
        return getattr(SILENT, name)


def test_times_of_runs_are_those_of_the_processes_that_made_them():
    told = Told()
    assert isinstance(told, Timed)
    sweep = run(jobs(sweep={"routing.algorithm": ["minimal", "par", "ugal-node"]}), baseline=False,
                executor="processes", workers=1, observer=told)  # fmt: skip
    assert len(told.seconds) == 3
    for name, result in sweep.runs.items():
        assert told.seconds[name] >= result.summary["engine"]["wall_s"] > 0


def test_the_time_of_a_run_is_not_that_between_two_messages(capsys):
    with ProgressBar(quiet=False) as bar:
        bar.planned(2)
        bar.started("a")
        bar.took("a", 0.06)
        bar.finished("a")  # heard in the same message as its beginning
        bar.took("b", 1.5)
        bar.finished("b")  # its beginning was never heard of
    said = capsys.readouterr().err
    assert "1/2 a: 60 ms" in said
    assert "2/2 b: 1.5 s" in said


@pytest.mark.parametrize(
    ("prepare", "line"),
    [
        (lambda _: None, r"preparing, "),
        (lambda bar: bar.planned(3), r"0/3 runs, "),
        (lambda bar: bar.started("a"), r"begins, "),
        (lambda bar: (bar.started("a"), bar.progress("a", 10**6, 9, 0.5)), r"50% .* packets/s"),
    ],
)
def test_runs_that_say_nothing_are_spoken_for(prepare, line, capsys):
    with ProgressBar(quiet=False) as bar:
        prepare(bar)
        bar._speak()
    assert re.search(line, capsys.readouterr().err)


def test_something_is_said_within_ten_seconds(monkeypatch):
    assert progress._EVERY_S <= 10
    monkeypatch.setattr(progress, "_EVERY_S", 0.1)
    monkeypatch.setattr(progress, "_LOOK_S", 0.01)
    said = threading.Event()
    monkeypatch.setattr(ProgressBar, "_speak", lambda _: said.set())
    with ProgressBar(quiet=False) as bar:
        bar.planned(1)
        bar.started("a")
        assert said.wait(30)
    said.clear()
    with ProgressBar(quiet=True) as bar:
        bar.planned(1)
    assert not said.is_set()


def test_check_shows_the_scenario_before_it_tries_it(tmp_path, monkeypatch, capsys):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(jobs()))
    seen = []
    doing = ProgressBar.doing

    def told(bar, what):
        seen.append((what, capsys.readouterr().out))
        return doing(bar, what)

    monkeypatch.setattr(ProgressBar, "doing", told)
    assert main(["check", str(file)]) == 0
    words = [what for what, _ in seen]
    assert [word.split()[0] for word in words] == ["checking", "running", "running"]
    assert "[system.topology]" in seen[1][1]
    assert "virtual channels" in seen[1][1]
    assert "forecast:" in capsys.readouterr().out
