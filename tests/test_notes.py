"""What must be known before numbers are read is said by check, run and report."""

from __future__ import annotations

import json

import pytest

from examples import jobs, open_loop
from odonata.cli import main
from odonata.errors import ScenarioError
from odonata.output.caveats import of_replicas
from odonata.scenario import Scenario
from odonata.scenario.notes import notes
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "50 ns", "window": "200 ns"}
SLINGSHOT = ("frontier", "aurora", "alps", "slingshot(2, 2, 1, 2)")


def of(data):
    return notes(point.resolved for point in Scenario.from_mapping(data).points)


@pytest.mark.parametrize("preset", SLINGSHOT)
def test_slingshot_presets_say_what_stands_in(preset):
    (note,) = of(open_loop(system={"preset": preset}))
    assert "congestion control at end points is not public" in note


@pytest.mark.parametrize("control", ["none", "nscc", "abate"])
def test_nothing_is_said_to_stand_in_where_something_else_acts(control):
    system = {"preset": SLINGSHOT[-1], "nic": {"congestion": control}}
    assert of(open_loop(system=system)) == []


def test_other_systems_have_no_note():
    assert of(open_loop()) == of(jobs()) == []


def test_a_note_stays_with_the_resolved_scenario():
    (point,) = Scenario.from_mapping(open_loop(system={"preset": "alps"})).points
    again = Scenario.from_text(to_toml(point.resolved)).points[0]
    assert of(again.resolved) == of(point.resolved)
    assert again.config == point.config
    assert "note" not in point.config["system"]


def test_a_note_is_a_sentence():
    for wrong in (3, "", {"a": 1}):
        with pytest.raises(ScenarioError, match="sentence in quotes"):
            of(open_loop(system={"preset": "alps", "note": wrong}))


def test_a_load_that_no_node_can_inject_is_noted_once():
    data = open_loop(sweep={"jobs.0.workload.load": [0.5, 1.0, 5.0], "seed": [1, 2]})
    (note,) = of(data)
    assert "offers 5 times what its nodes can inject" in note


def test_a_victim_that_never_ends_is_noted():
    data = open_loop()
    data["jobs"][0]["role"] = "victim"
    (note,) = of(data)
    assert "no communication time and no slowdown" in note


def test_check_run_and_report_say_it(odonata, tmp_path):
    data = open_loop(measure={"warm_up": "100 ns", "window": "200 ns"})
    data["system"] = {"preset": "dragonfly(2, 4, 2, 9)", "note": "A cable [is] missing."}
    (tmp_path / "s.toml").write_text(to_toml(data))
    assert "Note: A cable [is] missing." in odonata("check", "s.toml").stdout
    assert json.loads(odonata("check", "s.toml", "--json").stdout)["notes"] == [
        "A cable [is] missing."
    ]
    assert "Note: A cable [is] missing." in odonata("run", "s.toml", "--out", "o").stdout
    assert odonata("report", "o").returncode == 0
    assert "A cable [is] missing." in (tmp_path / "o" / "report.html").read_text().split("<h2>")[0]


@pytest.mark.parametrize(
    ("asked", "count"),
    [({"replicas": 2}, 2), ({"replicas": 4}, 4), ({"sweep": {"seed": [1, 2, 3]}}, 3),
     ({"replicas": 3, "sweep": {"routing.bias": [0, 1, 2, 3, 4, 5]}}, 3)],
)  # fmt: skip
def test_check_and_run_warn_of_fewer_than_five_replicas(asked, count, tmp_path, capsys):
    path = tmp_path / "few.toml"
    path.write_text(to_toml(open_loop(measure=SHORT) | {"routing": {"algorithm": "par"}} | asked))
    for command in (["check", str(path)], ["run", str(path), "--out", str(tmp_path / "out")]):
        assert main(command) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert f"Note: {count} replicas are too few" in said
        assert said.count("Give replicas = 5 or more") == 1
    assert main(["check", str(path), "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith(f"{count} replicas")


@pytest.mark.parametrize(
    "asked", [{}, {"replicas": 1}, {"replicas": 5}, {"sweep": {"seed": [1, 2, 3, 4, 5]}},
              {"sweep": {"routing.algorithm": ["par", "minimal"]}}]
)  # fmt: skip
def test_five_replicas_or_one_run_are_not_warned_of(asked):
    assert of_replicas(Scenario.from_mapping(open_loop() | asked)) == []
