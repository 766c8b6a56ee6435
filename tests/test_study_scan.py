"""Scans: claims over the ranges of what a paper leaves out."""

from __future__ import annotations

import csv
import json

import pytest

from odonata.cli import main
from odonata.studies import StudyError, unknowns
from odonata.studies.claims import Claim
from odonata.studies.index import Study, StudyIndex
from odonata.studies.runs import StudyRuns
from odonata.studies.scan import Draw, drawn, read, region, scanned
from odonata.studies.unknowns import Unknown

SCENARIO = """
schema = 1
name = "one"
seed = 3

[system]
preset = "dragonfly(2, 4, 2, 9)"

[routing]
algorithm = "ugal-node"

[[jobs]]
name = "load"
workload = { kind = "open-loop", pattern = "adversarial", load = 0.1 }

[measure]
warm_up = "2 us"
window = "4 us"

[sweep]
"routing.algorithm" = ["minimal", "valiant-node"]
"""
ABOUT = """
[[unknown]]
name = "load"
about = "load of the sources"
keys = ["jobs.load.workload.load"]
low = 0.02
high = 0.42
unit = "of a link"
source = "assumed"

[[table]]
name = "times"
file = "times.csv"
rows = [[{ how = "minimal" }, { how = "valiant-node" }]]
columns = [
    { head = "how", text = "{how}" },
    { head = "latency", quantity = '{mean}' },
]
[table.names]
mean = 'summary("one/algorithm={how}", "jobs.load.packet_latency_ns.mean")'
"""
READ = 'value(""times.csv"", ""latency"", how=""{}"")'
FAR, NEAR = READ.format("valiant-node"), READ.format("minimal")
EXPECTED = f"""
id,claim,where,quantity,relation,published
minimal-wins,minimal paths are faster,a,"{FAR} / {NEAR}",at-least,1
minimal-good,minimal paths take less than a microsecond,a,"{NEAR}",at-most,1000
"""
CONCLUSIONS = """
id,conclusion,where,needs
quiet,minimal paths are best,a,minimal-wins
"""


@pytest.fixture
def studies(tmp_path):
    """A study whose only claim holds at a low load, which nobody has published."""
    folder = tmp_path / "studies" / "loads"
    folder.mkdir(parents=True)
    for name, text in (
        ("one.toml", SCENARIO), ("study.toml", ABOUT), ("expected.csv", EXPECTED),
        ("conclusions.csv", CONCLUSIONS),
    ):  # fmt: skip
        (folder / name).write_text(text.lstrip(), "utf-8")
    return tmp_path / "studies"


def said(studies, *words):
    return main(["study", "scan", *words, "--studies", str(studies)])


def rows(studies):
    with (studies / "loads" / "scan.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_scan_says_where_in_the_range_a_conclusion_holds(studies, capsys):
    assert said(studies, "loads", "--draws", "16", "--workers", "1") == 0
    told = " ".join(capsys.readouterr().out.split())
    found = rows(studies)
    assert [row["claim"] for row in found] == ["minimal-wins"] * 16, "what conclusions rest on"
    holds = {float(row["load"]): row["verdict"] == "agrees" for row in found}
    assert holds[min(holds)], "minimal paths are the shorter ones"
    assert not holds[max(holds)], "a global link takes an eighth of the load of a group"
    least_bad = min(load for load, is_so in holds.items() if not is_so)
    assert all(is_so for load, is_so in holds.items() if load < least_bad)
    count = sum(holds.values())
    assert 4 <= count < 16
    assert f"quiet 16 {count} with load below" in told


def test_a_conclusion_that_holds_in_a_region_depends(studies, capsys):
    assert said(studies, "loads", "--draws", "16", "--workers", "2") == 0
    path = studies / "loads" / "one.toml"
    path.write_text(path.read_text("utf-8").replace("load = 0.1", "load = 0.4"), "utf-8")
    assert main(["study", "run", "--quiet", "--studies", str(studies)]) == 0
    assert main(["study", "run", "loads/times", "--quiet", "--studies", str(studies)]) == 0
    assert main(["study", "page", "--studies", str(studies)]) == 0
    assert main(["study", "page", "--studies", str(studies)]) == 0
    capsys.readouterr()
    assert main(["study", "conclusions", "quiet", "--json", "--studies", str(studies)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["conclusions"]
    count = sum(row["verdict"] == "agrees" for row in rows(studies))
    assert 4 <= count < 16
    assert found["verdict"] == "depends"
    assert (
        f"it holds in {count} of 16 draws of the unknown inputs; it holds with load below"
        in (found["scan"])
    )
    assert "It holds in " in (studies / "loads" / "README.md").read_text("utf-8")


@pytest.mark.parametrize(("draws", "verdict"), [(8, "refuted"), (7, "not reproduced")])
def test_a_conclusion_that_no_draw_shows_is_refuted(studies, capsys, draws, verdict):
    folder = studies / "loads"
    for name in ("study.toml", "one.toml"):
        text = (folder / name).read_text("utf-8")
        text = text.replace("low = 0.02", "low = 0.3").replace("load = 0.1", "load = 0.4")
        (folder / name).write_text(text, "utf-8")
    assert said(studies, "loads", "--draws", str(draws), "--workers", "1") == 0
    for words in (["run", "--quiet"], ["run", "loads/times", "--quiet"], ["page"], ["page"]):
        assert main(["study", *words, "--studies", str(studies)]) == 0
    capsys.readouterr()
    assert main(["study", "conclusions", "quiet", "--json", "--studies", str(studies)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["conclusions"]
    assert found["verdict"] == verdict
    page = (folder / "README.md").read_text("utf-8")
    assert "| load | load of the sources | 0.3 to 0.42 of a link | assumed |" in page
    assert "(scan.svg)" in page
    assert ">minimal-wins<" in (folder / "scan.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("simulated", "verdicts", "surrounds"),
    [
        (["0.06", "0.93"], ["differs", "differs"], True),
        (["0.75", "0.93"], ["differs", "differs"], False),
        (["0.75", "0.72"], ["differs", "agrees"], True),
        (["0.06, 0.1", "0.93, 0.8"], ["differs", "differs"], False),
    ],
)
def test_a_number_between_those_of_draws_is_not_refuted(tmp_path, simulated, verdicts, surrounds):
    claim = Claim(id="share", claim="", where="", relation="value", published="0.7")
    study = Study("s", tmp_path, {"": [claim]})
    draws = [
        Draw({}, {"share": verdict}, {"share": number})
        for number, verdict in zip(simulated, verdicts, strict=True)
    ]
    assert scanned(study, draws, ["share"]).surrounds == surrounds


def test_a_scan_that_was_run_is_judged_from_what_is_stored(studies, capsys):
    words = ("loads", "--draws", "4", "--workers", "1")
    assert said(studies, *words) == 0
    before = rows(studies)
    values = (studies / "loads" / "scan" / "values.csv").read_bytes()
    capsys.readouterr()
    assert said(studies, *words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["draws"] == 4
    assert rows(studies) == before
    assert (studies / "loads" / "scan" / "values.csv").read_bytes() == values, "nothing ran"
    assert not (studies / "loads" / "runs.csv").exists(), "runs with drawn values are apart"


def test_a_recorded_file_says_nothing_of_other_values(studies, capsys):
    folder = studies / "loads"
    (folder / "recorded.csv").write_text("x\n1\n", "utf-8")
    (folder / "runs.csv").write_text(
        "run,scenario_hash,run_hash,engine,seed,stop,wall_s,cpu_s,packet_hops\n"
        "recorded.csv,,,0.1,1,finished,1,1,0\n", "utf-8",
    )  # fmt: skip
    path = folder / "expected.csv"
    path.write_text(path.read_text("utf-8") + 'old,a,a,"value(""recorded.csv"", ""x"")",value,1\n',
                    "utf-8")  # fmt: skip
    assert said(studies, "old", "minimal-wins", "--draws", "4") == 0
    assert {row["verdict"] for row in rows(studies) if row["claim"] == "old"} == {"not run"}
    assert "old 0 0 none" in " ".join(capsys.readouterr().out.split())


def test_a_scan_of_other_claims_keeps_what_was_found_of_the_same_draws(studies):
    assert said(studies, "minimal-wins", "--draws", "4", "--quiet") == 0
    assert said(studies, "minimal-good", "--draws", "4", "--quiet") == 0
    assert [row["claim"] for row in rows(studies)] == ["minimal-wins", "minimal-good"] * 4
    assert said(studies, "minimal-good", "--draws", "5", "--quiet") == 0
    assert [row["claim"] for row in rows(studies)] == ["minimal-good"] * 5


def test_a_forecast_of_a_scan_makes_nothing(studies, capsys):
    capsys.readouterr()
    assert said(studies, "loads", "--draws", "4", "--dry", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["draws"], len(told["planned"])) == (4, 8)
    assert all(0 < one["cost_s"] < 10 for one in told["planned"])
    assert not (studies / "loads" / "scan").exists()
    assert not (studies / "loads" / "scan.csv").exists()


def test_what_no_draw_changes_is_run_once(studies, capsys):
    folder = studies / "loads"
    victim = '[[jobs]]\nname = "job"\nrole = "victim"\n'
    victim += 'workload = { kind = "ping-pong", iterations = 3 }\n'
    text = (folder / "one.toml").read_text("utf-8").replace("[[jobs]]", f"{victim}[[jobs]]")
    for old, new in (
        ('"load"\n', '"load"\nrole = "aggressor"\nplacement = "random-node"\n'),
        ('"open-loop"', '"open-loop", ranks = 40'), ("[measure]", "[stop]"),
        ('warm_up = "2 us"\n', ""), ('window = "4 us"', 'time = "50 us"'),
    ):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    (folder / "one.toml").write_text(text, "utf-8")
    mean = 'mean(""one/algorithm=minimal"", ""ranks.comm_time_ns"", job=""job"")'
    alone = mean.replace("job=", 'alone=""job"", job=')
    row = f'slowed,it is slowed,a,"{mean} / {alone}",at-least,1\n'
    with (folder / "expected.csv").open("a", encoding="utf-8") as file:
        file.write(row)
    words = ("slowed", "--draws", "4", "--workers", "1")
    assert said(studies, *words, "--dry", "--json") == 0
    planned = json.loads(capsys.readouterr().out)["planned"]
    assert len(planned) == 5, "beside four loads, and once alone"
    labels = [one["run"] for one in planned]
    assert len(set(labels)) == 5
    assert sum("alone" in one for one in labels) == 1
    assert said(studies, *words) == 0
    assert {row["verdict"] for row in rows(studies)} <= {"agrees", "differs"}, "each draw has it"
    runs = (studies / "loads" / "scan" / "runs.csv").read_text("utf-8")
    capsys.readouterr()
    assert said(studies, *words) == 0
    assert "Everything that these claims need has been run." in capsys.readouterr().out
    assert (studies / "loads" / "scan" / "runs.csv").read_text("utf-8") == runs


def test_a_budget_ends_with_whole_draws(studies):
    index = StudyIndex(studies)
    study = index.studies["loads"]
    draws = drawn(study, 4)
    runs = StudyRuns(index, study.claims, sources={"loads": draws})
    for cost, wanted in enumerate(runs.wanted.values(), 1):
        wanted.cost_s = cost / 10
    order = [wanted.target.label for wanted in runs.ordered(1.1)]
    loads = [f"load {one.values['load']:g}" for one in draws]
    of_order = [next(load for load in loads if load in label) for label in order]
    assert of_order == [loads[0], loads[0], loads[1], loads[1]], "and not the cheapest claim of all"


def test_draws_that_do_not_fit_are_set_aside(studies, capsys):
    path = studies / "loads" / "study.toml"
    path.write_text('fit = "minimal-good"\n' + path.read_text("utf-8"), "utf-8")
    assert said(studies, "loads", "--draws", "8", "--workers", "1") == 0
    told = " ".join(capsys.readouterr().out.split())
    fitting = sum(row["claim"] == "minimal-good" and row["verdict"] == "agrees"
                  for row in rows(studies))  # fmt: skip
    assert 0 < fitting < 8
    assert f"minimal-good {fitting} {fitting}" in told


def test_draws_reach_every_part_of_every_range():
    inputs = [
        Unknown(name="a", about="", keys=(), low=1.0, high=9.0),
        Unknown(name="b", about="", keys=(), low=1.0, high=16.0, law="log"),
    ]
    found = unknowns.draws(inputs, 8)
    assert sorted(int(one["a"]) for one in found) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(len(f"{int(one['b']):b}") for one in found) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert found == unknowns.draws(inputs, 8)
    assert [one["a"] for one in found] != sorted(one["a"] for one in found)


def test_values_are_put_where_a_scenario_has_them():
    about = {"about": "x", "low": 0.0, "high": 1.0}
    inputs = [
        Unknown(name="bias", keys=("jobs.job.routing.adaptive-3.bias",), is_whole=True, **about),
        Unknown(name="gap", keys=("jobs.1.gap", "jobs.none.gap"), unit="us", **about),
    ]
    modes = [{"algorithm": "adaptive-0", "bias": 0}, {"algorithm": "adaptive-3", "bias": 100}]
    scenario = {"jobs": [{"name": "job", "routing": modes}, {"name": "others", "gap": "1 us"}]}
    found = unknowns.put(scenario, inputs, {"bias": 400.0, "gap": 2.5})
    assert [one["bias"] for one in found["jobs"][0]["routing"]] == [0, 400]
    assert found["jobs"][1]["gap"] == "2.5 us"
    assert scenario["jobs"][1]["gap"] == "1 us"
    one_mode = {"jobs": [{"name": "job", "routing": {"algorithm": "adaptive-3", "bias": 100}}]}
    assert unknowns.put(one_mode, inputs, {"bias": 400.0})["jobs"][0]["routing"]["bias"] == 400
    one_mode["jobs"][0]["routing"]["algorithm"] = "adaptive-0"
    assert unknowns.put(one_mode, inputs, {"bias": 400.0}) == one_mode


def test_a_region_has_to_hold_enough_draws():
    load = Unknown(name="load", about="", keys=(), low=0, high=16)
    draws = [({"load": float(at)}, at == 16) for at in range(1, 17)]
    assert region([load], draws).text == "", "one draw of sixteen is an accident"
    draws = [({"load": float(at)}, at >= 12) for at in range(1, 17)]
    assert region([load], draws).text == "with load above 11.5"
    draws = [(values, True) for values, _ in draws]
    assert region([load], draws).text == "over all of their ranges"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("low = 0.02\n", "", "unknown `load`: `low` is missing"),
        ("high = 0.42", "high = 0.01", "`low` and `high` are numbers, the first the smaller one"),
        ('unit = "of a link"', 'untis = "x"', "there is no key `untis`. Did you mean `unit`?"),
        ('unit = "of a link"', 'law = "lg"', "`law` is `lg`. Did you mean `log`?"),
    ],
)
def test_an_unknown_input_is_looked_at(studies, capsys, old, new, sentence):
    path = studies / "loads" / "study.toml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert said(studies, "loads") == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_a_scan_of_other_inputs_is_named(studies):
    (studies / "loads" / "scan.csv").write_text("draw,lod,claim,simulated,verdict\n", "utf-8")
    sentence = "its columns are not draw, load, claim, simulated, verdict; repeat it"
    with pytest.raises(StudyError, match=sentence):
        read(StudyIndex(studies).studies["loads"])


def test_a_study_without_unknown_inputs_is_not_scanned(studies, capsys):
    (studies / "loads" / "study.toml").write_text("", "utf-8")
    assert said(studies, "loads") == 2
    assert "unknown inputs: none has" in " ".join(capsys.readouterr().err.split())


def test_a_key_that_no_scenario_has_is_an_error(studies, capsys):
    path = studies / "loads" / "study.toml"
    path.write_text(path.read_text("utf-8").replace("workload.load", "workload.laod"), "utf-8")
    assert said(studies, "loads", "--draws", "4") == 2
    assert "no scenario that is read has `jobs.load.workload.laod`" in " ".join(
        capsys.readouterr().err.split()
    )


def test_names_of_laws_are_those_of_the_page(repository):
    page = (repository / "docs" / "how-to" / "study.md").read_text("utf-8")
    assert all(f"`{law}`" in page for law in unknowns.LAWS)
