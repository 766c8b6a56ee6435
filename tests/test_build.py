"""Scenarios built and changed in Python: the same as a file, with the same sentences."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import re
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import odonata
from conftest import tool
from odonata.build import Job, Links, Scenario, SmallClass, Stop, System  # fmt: skip
from odonata.errors import ScenarioError
from odonata.results.presentation import Plots
from odonata.scenario import registry
from odonata.scenario.build import (  # fmt: skip
    families,
    placements,
    routings,
    topologies,
    workloads,
)
from odonata.scenario.build.table import class_name


def small(**changes):
    return Scenario(
        name="small",
        system=System(preset="dragonfly(2, 4, 2, 9)"),
        routing=routings.Par(),
        jobs=[
            Job(name="halo", placement=placements.RandomNode(),
                workload=workloads.Halo3d(ranks=8, iterations=6, face="4 KiB")),
            Job(name="noise", role="aggressor",
                workload=workloads.Alltoall(ranks=16, iterations=2, message="8 KiB")),
        ],
        stop=Stop(time="20 ms"),
        **changes,
    )  # fmt: skip


@pytest.mark.parametrize("family", families.BASES)
def test_every_member_of_a_family_has_a_class(family):
    tag = "algorithm" if family == "routings" else "kind"
    for name, entry in registry.family(family).items():
        one = families.members(family)[class_name(name)]
        assert dict(one.FIXED) == {tag: name}
        assert {field.name for field in entry.parameters} <= set(one.KNOWN)
        assert one().to_dict() == {tag: name}
    assert len({*families.members(family)}) >= len(registry.family(family))


def test_every_scenario_of_the_repository_is_read_and_written_the_same(scenarios):
    for path in sorted(scenarios.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        built = Scenario.read(path)
        again = tomllib.loads(built.to_toml())
        assert again == {"name": path.stem} | data, path
        assert Scenario.from_dict(again) == built
        one, other = built.check(), odonata.Scenario.read(path)
        assert one.points[0].config == other.points[0].config


def test_stubs_are_those_of_the_registry():
    stubs = tool("stubs")
    for name, text in stubs.stubs().items():
        assert (stubs.FOLDER / name).read_text("utf-8") == text, f"{name}: run `make docs`"


def test_changes_leave_the_original_alone():
    one = small()
    other = one.changed({
        "routing": routings.UgalGroup(bias=3), "jobs.halo.workload.face": "16 KiB", "seed": 9,
    })  # fmt: skip
    assert (one.routing, one.seed) == (routings.Par(), None)
    assert (other.routing.bias, other.jobs[0].workload.face, other.seed) == (3, "16 KiB", 9)
    assert other.replace(seed=None).to_dict() == {
        key: value for key, value in other.to_dict().items() if key != "seed"
    }
    assert small() == small()
    assert len({small(), small(), other}) == 2


def test_words_of_python_have_an_underscore():
    links = Links(global_={"latency": "1 us"})
    assert links.to_dict() == {"global": {"latency": "1 us"}}
    assert Job(class_="low", workload=workloads.Barrier()).to_dict()["class"] == "low"
    assert SmallClass(name="a", below="4 KiB").below == "4 KiB"
    with pytest.raises(AttributeError, match=r"Halo3d has no `gird`\. Did you mean `grid`"):
        workloads.Halo3d().gird  # noqa: B018 - it is what fails


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: workloads.Halo3d(gird=[2, 2, 2]), "unknown key `gird`. Did you mean `grid`?"),
        (lambda: small(routng="par"), "Scenario: unknown key `routng`. Did you mean `routing`?"),
        (lambda: small().changed({"jobs.hallo.seed": 1}), "Did you mean `halo`?"),
        (lambda: small().changed({"routing.bias": "x"}).check(),
         'scenario "small": `routing.bias`: "x" is not a whole number'),
        (lambda: odonata.run(small().changed({"jobs.0.workload.ranks": 999})),
         "999 ranks need 999 nodes"),
        (lambda: odonata.run(small(seed={1, 2})), "set is not JSON serializable"),
        (lambda: Scenario.read("nowhere.toml"), "nowhere.toml"),
        (lambda: small().save(Path("no/such/folder/a.toml")), "choose another file"),
    ],
)  # fmt: skip
def test_sentences_are_those_of_the_command_line(make, words):
    with pytest.raises(ScenarioError) as raised:
        make()
    assert words in str(raised.value)


def test_unknown_classes_name_the_nearest():
    for module, name, words in (
        (workloads, "Halo3D", "Did you mean `Halo3d`"), (routings, "PAR", "Did you mean `Par`"),
        (topologies, "Torus", "among topologies"), (placements, "Random", "among placements"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=words):
            getattr(module, name)
        assert class_name(next(iter(registry.family(module.__name__.rpartition(".")[2])))) in dir(
            module
        )


def test_relative_paths_stay_with_the_file(scenarios, tmp_path):
    built = Scenario.read(scenarios / "real-trace.toml").changed({"seed": 5})
    assert built.folder == scenarios
    assert Path(built.check().points[0].traces[0].path).is_file()
    assert built.within(tmp_path).folder == tmp_path


def test_notebooks_show_tables():
    shown = small()._repr_html_()
    assert shown.startswith("<table>")
    assert "dragonfly(2, 4, 2, 9)" in shown
    assert "<b>" not in System(name="<b>")._repr_html_()
    assert repr(workloads.Halo3d(ranks=8)) == "Halo3d(ranks=8)"


def test_a_built_scenario_runs_and_saves(tmp_path):
    path = small().changed({"jobs.0.workload.iterations": 1}).save(tmp_path / "mine.toml")
    from_file, built = odonata.run(path), odonata.run(Scenario.read(path))
    assert from_file.summary["scenario_hash"] == built.summary["scenario_hash"]
    assert built.table("ranks").equals(from_file.table("ranks"))


def test_the_snippets_of_the_page_run(repository):
    text = (repository / "docs" / "python.md").read_text("utf-8")
    snippets = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names = {"print": lambda *_: None}
    for snippet in snippets:
        exec(compile(snippet, "python.md", "exec"), names)  # noqa: S102
    assert len(names["ranks"]) == 27
    scenario = names["scenario"]
    table = re.findall(r"^\| [^|`]*\| `(s?[^`]*scenario\.[^`]*)`", text, flags=re.MULTILINE)
    calls = [call for call in table if "save" not in call and "..." not in call]
    assert len(calls) >= 3
    for call in calls:
        eval(call, names | {"scenario": scenario})  # noqa: S307
    asks = set(re.findall(r"`([a-z_]+)`", text.partition("Pictures are")[2]))
    assert asks == {name for name in vars(Plots) if not name.startswith("_")}


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_scenario_survives_pickling(protocol, tmp_path):
    one = small(sweep={"routing.algorithm": ["minimal", "par"]}).within(tmp_path)
    for other in (pickle.loads(pickle.dumps(one, protocol)), copy.deepcopy(one), copy.copy(one)):  # noqa: S301
        assert other == one
        assert (type(other), other.folder) == (Scenario, tmp_path)
        assert type(other.jobs[0].workload) is workloads.Halo3d
        assert other.changed({"seed": 3}) == one.changed({"seed": 3})
    for family in families.BASES:
        for member in families.members(family).values():
            assert pickle.loads(pickle.dumps(member, protocol)) is member  # noqa: S301
    for table in families.tables().values():
        assert pickle.loads(pickle.dumps(table, protocol)) is table  # noqa: S301


def test_a_scenario_is_sent_to_another_process():
    """A new interpreter, which has not made the classes yet."""
    one = small().within("somewhere")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(Scenario.to_toml, one).result()
        back = pool.submit(Scenario.changed, one, {"seed": 5}).result()
    assert found == one.to_toml()
    assert back == one.changed({"seed": 5})
    assert back.folder == Path("somewhere")
