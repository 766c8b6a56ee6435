"""What must be known before numbers are read is said by check, run and report."""

from __future__ import annotations

import html
import json

import pytest

import odonata
from examples import jobs, open_loop
from odonata.cli import main
from odonata.errors import ScenarioError
from odonata.output.caveats import of_replicas
from odonata.scenario import Scenario, before
from odonata.scenario.notes import notes, of_production
from odonata.scenario.presets import presets
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "50 ns", "window": "200 ns"}
SLINGSHOT = ("frontier", "aurora", "alps", "lumi", "perlmutter", "slingshot(2, 2, 1, 2)")


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


def test_the_routing_of_a_machine_without_its_parameters_is_noted():
    system = {"preset": "slingshot(4, 4, 2, 9)"}
    (note,) = of_production(open_loop(system=system, routing={"algorithm": "ugal-node"}))
    assert '`weights = "hops"`' in note
    assert "`slingshot` runs it with" in note
    assert of_production(open_loop(
        system=system, sweep={"routing.algorithm": ["minimal", "ugal-node"]}
    )) == [note]  # fmt: skip
    stated = {"algorithm": "ugal-node", "weights": "hops", "bias_packets": 0,
              "bias_percent": -5, "ordered": "eager", "scope": "everywhere"}  # fmt: skip
    assert of_production(open_loop(system=system, routing=stated)) == []
    assert of_production(open_loop(system=system, routing={"algorithm": "minimal"})) == []
    assert of_production(open_loop(routing={"algorithm": "ugal-node"})) == []


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


def told(path, data, capsys):
    """What `check`, `run` and the report say of a scenario, and the warnings of the run."""
    path.mkdir(exist_ok=True)
    file, out = path / "s.toml", path / "out"
    file.write_text(to_toml(data))
    assert main(["check", str(file), "--json"]) == 0
    noted = json.loads(capsys.readouterr().out)["notes"]
    assert main(["run", str(file), "--out", str(out), "--overwrite"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert main(["report", str(out)]) == 0
    capsys.readouterr()
    page = html.unescape((out / "report.html").read_text().split("<h2>")[0])
    runs = odonata.load(out)
    runs = runs.runs.values() if isinstance(runs, odonata.Sweep) else [runs]
    return noted, shown, " ".join(page.split()), [run.summary.get("warnings", []) for run in runs]


def everywhere(sentence, found):
    """A sentence is said once by each of them."""
    noted, shown, page, runs = found
    assert sum(sentence in text for text in noted) == 1, noted
    assert shown.count(sentence) == page.count(sentence) == 1
    assert any(sentence in text for texts in runs for text in texts)


def test_a_load_that_no_node_can_inject_is_noted_once(tmp_path, capsys):
    data = open_loop(sweep={"jobs.0.workload.load": [0.5, 1.0, 5.0], "seed": [1, 2]})
    found = told(tmp_path, data, capsys)
    everywhere("Job `uniform` offers more than its nodes can inject, which is a load of 1.", found)
    assert all("So it is in 2 of 6 runs." in f"{said}" for said in found[:3])


@pytest.mark.parametrize(
    ("workload", "system", "sentence"),
    [
        ({"pattern": "adversarial", "load": 0.2}, {}, "the links between groups can carry on min"),
        ({"pattern": "incast", "load": 0.2}, {}, "its targets can receive, which is a load of 0.0"),
        ({"interval": "10 ns"}, {}, "more than its nodes can inject"),
        ({"burst": "2 us", "pause": "3 us", "load": 0.2}, {}, "of job `uniform`, a burst with its"),
        ({"load": 0.1}, {"router": {"global_buffer": "5 KiB"}}, "at most 32 % of a global link"),
        ({"load": 0.1}, {"nic": {"response": "16 B", "outstanding": 9}}, "bandwidth towards far"),
    ],
)  # fmt: skip
def test_limits_that_look_like_congestion_are_named(workload, system, sentence, tmp_path, capsys):
    data = open_loop(measure={"warm_up": "1 us", "window": "4 us", "drain": "1 us"})
    data["jobs"][0]["workload"] = {"kind": "open-loop", **workload}
    data["system"] |= system
    found = told(tmp_path, data, capsys)
    everywhere(sentence, found)
    assert [len(texts) for texts in found[3]] == [1]


def noisy(role, mpi, kind="uniform-random"):
    data = jobs()
    data["system"]["mpi"] = {"preset": mpi}
    workload = {"kind": kind, "ranks": 20, "message": "4 KiB", "iterations": 30}
    data["jobs"][1] |= {"role": role, "workload": workload}
    return data


def test_an_mpi_library_that_holds_a_congestor_back_is_named(tmp_path, capsys):
    sentence = "A rank of job `noise` can send at most 2."
    everywhere(sentence, told(tmp_path, noisy("aggressor", "firefly-kang2022"), capsys))
    for number, quiet in enumerate([
        noisy("victim", "firefly-kang2022"),
        noisy("aggressor", "ideal"),
        noisy("aggressor", "firefly-kang2022", "incast"),  # nineteen fill the link of one
    ]):  # fmt: skip
        found = told(tmp_path / str(number), quiet, capsys)
        assert "can send at most" not in f"{found}"


def detouring(load=0.05, **routing):
    data = open_loop(measure={"warm_up": "3 us", "window": "5 us"})
    data["routing"] = {"algorithm": "par", "estimate": "both", "bias_packets": 0} | routing
    data["jobs"][0]["workload"]["load"] = load
    return data


def test_detours_through_an_idle_network_are_named(tmp_path, capsys):
    found = told(tmp_path, detouring(), capsys)
    everywhere("of the packets of job `uniform` left the minimal path although no link was", found)


@pytest.mark.parametrize(
    "data",
    [detouring(estimate="queued", bias=16), detouring(load=0.4),
     open_loop(routing={"algorithm": "valiant-node"}, measure=SHORT)],
)  # fmt: skip
def test_detours_for_a_reason_are_not_named(data, tmp_path, capsys):
    assert "minimal path although" not in f"{told(tmp_path, data, capsys)}"


def learning(warm_up, window, pattern="adversarial"):
    data = open_loop(measure={"warm_up": warm_up, "window": window})
    data["routing"] = {"algorithm": "q-adaptive"}
    data["jobs"][0]["workload"] = {"kind": "open-loop", "pattern": pattern, "load": 0.2}
    return data


def test_a_routing_that_is_measured_before_it_has_learned_is_named(tmp_path, capsys):
    noted, shown, page, (said,) = told(tmp_path, learning("10 us", "20 us"), capsys)
    before = "takes about 57.6 us to learn: every estimate of its tables must be corrected 25 times"
    after = "The tables of `q-adaptive` still moved in the measured window"
    assert sum(before in text for text in noted) == 1
    for sentence in (before, after):
        assert shown.count(sentence) == page.count(sentence) == 1
        assert any(sentence in text for text in said)


def test_a_routing_that_has_learned_is_not_named(tmp_path, capsys):
    found = told(tmp_path, learning("80 us", "40 us"), capsys)
    assert found[0] == found[3][0] == []


def test_a_nic_that_decides_no_path_is_named():
    events = [{"at": "1 us", "link": [0, 2], "state": "down"}]
    marks = {"kind": "nscc", "window": 0}
    for more, words in (
        ({"nic": {"congestion": "none"}}, ["NICs decide no path under `spray-group`"]),
        ({"nic": {"congestion": marks}, "failures": {"events": events}}, ["where links go down"]),
        ({"nic": {"congestion": marks}}, []),
    ):
        data = open_loop(system={"preset": SLINGSHOT[-1]} | more, measure=SHORT)
        data["routing"] = {"algorithm": "spray-group"}
        (point,) = Scenario.from_mapping(data).points
        found = [text for text in before.check(point)["warnings"] if "spray-group" in text]
        assert len(found) == len(words), found
        assert all(word in text for word, text in zip(words, found, strict=True))


@pytest.mark.parametrize("preset", [name for name, one in presets().items() if not one.parameters])
def test_presets_are_not_warned_of(preset):
    data = open_loop(system={"preset": preset}, measure={"warm_up": "5 us", "window": "10 us"})
    # Machines whose links between groups are tapered carry 0.27 to 0.43 of uniform traffic.
    data["jobs"][0]["workload"]["load"] = 0.2
    (point,) = Scenario.from_mapping(data).points
    assert before.check(point)["warnings"] == []
