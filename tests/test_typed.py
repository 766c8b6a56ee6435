"""Programs of users under a type checker: the types of the package are there and are right."""

from __future__ import annotations

import re

import pytest
from mypy import api

import odonata
from odonata import Result, Sweep
from odonata.errors import ScenarioError

SCENARIO = {
    "name": "typed",
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "par"},
    "jobs": [{"name": "halo", "workload": {"kind": "halo3d", "ranks": 8, "iterations": 1}}],
}
PROGRAM = """
from collections.abc import Sequence
from typing import assert_type

import odonata
import polars as pl
from matplotlib.figure import Figure
from odonata.build import Job, Scenario, System, routings, workloads
from odonata.scenario.shelf import Shelf

scenario = Scenario(
    name="mine",
    system=System(preset="dragonfly(2, 4, 2, 9)"),
    routing=routings.Par(bias=2),
    jobs=[Job(name="halo", workload=workloads.Halo3d(ranks=27))],
)
assert_type(scenario.replace(routing=routings.Minimal()), Scenario)
assert_type(scenario.changed({"seed": 3}), Scenario)
assert_type(scenario.jobs, Sequence[Job] | None)
assert_type(workloads.Halo3d().replace(ranks=8), workloads.Halo3d)
one = odonata.run_one(scenario, out="here", threads=2)
assert_type(one, odonata.Result)
assert_type(one.jobs["halo"].slowdown, float | None)
assert_type(one.table("links"), pl.DataFrame)
assert_type(one.plot.machine(), Figure)
many = odonata.sweep("mine.toml", replicas=5, executor="processes")
assert_type(many, odonata.Sweep)
assert_type(many[0], odonata.Result)
assert_type(many.intervals(), pl.DataFrame)
assert_type([run.stop for run in many], list[str])
assert_type(odonata.run(scenario), odonata.Result | odonata.Sweep)
assert_type(odonata.registry.routings, Shelf)
"""
WRONG = """
import odonata
from odonata.build import Job, Scenario, routings, workloads

Scenario(sweeep={})  # error: Unexpected keyword argument "sweeep"
workloads.Halo3d(ranks="many")  # error: Argument "ranks"
routings.Par(bias=[2])  # error: Argument "bias"
routings.Par(2)  # error: Too many positional arguments
routings.Par().replace(bias=[2])  # error: Argument "bias"
Scenario().replace(sweeep={})  # error: Unexpected keyword argument "sweeep"
routings.Par().bias = 3  # error: Property "bias" defined in "Par" is read-only
odonata.run_one(3)  # error: Argument 1 to "run_one"
odonata.run_one({}, replicas=5)  # error: Unexpected keyword argument "replicas"
odonata.sweep({}, replicas="5")  # error: Argument "replicas" to "sweep"
odonata.sweep({}, executor="slurm")  # error: Argument "executor" to "sweep"
odonata.sweep({}).jobs  # error: "Sweep" has no attribute "jobs"
odonata.run_one({}).slowdown  # error: "Result" has no attribute "slowdown"
"""


@pytest.fixture(scope="module")
def said(repository, tmp_path_factory):
    """What the checker says of a right program, of a wrong one and of README's, by line."""
    folder = tmp_path_factory.mktemp("typed")
    readme = re.findall(r"```python\n(.*?)```", (repository / "README.md").read_text("utf-8"),
                        flags=re.DOTALL)  # fmt: skip
    assert len(readme) >= 1
    programs = {"right": PROGRAM, "wrong": WRONG, "readme": "\n".join(readme)}
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "mypy.ini").write_text(f"[mypy]\nmypy_path = {repository / 'python'}\n")
    out, err, _ = api.run([
        "--strict", "--config-file", str(folder / "mypy.ini"), "--cache-dir", str(folder / "cache"),
        "--follow-imports=silent", *(str(folder / f"{name}.py") for name in programs),
    ])  # fmt: skip
    assert err == ""
    found = {name: {} for name in programs}
    for line in out.splitlines():
        if match := re.match(r".*?(\w+)\.py:(\d+): error: (.*)", line):
            found[match[1]].setdefault(int(match[2]), match[3])
    return found


def test_types_of_results_are_known(said):
    assert said["right"] == {}


def test_the_programs_of_readme_have_no_type_errors(said):
    assert said["readme"] == {}


def test_mistakes_are_found_by_the_type_checker(said):
    expected = {
        number: text.partition("# error: ")[2]
        for number, text in enumerate(WRONG.splitlines(), 1)
        if "# error: " in text
    }
    assert set(said["wrong"]) == set(expected)
    for number, words in expected.items():
        assert words in said["wrong"][number]


def test_run_one_and_sweep_give_what_their_types_say(tmp_path):
    one = odonata.run_one(SCENARIO, out=tmp_path / "one")
    assert isinstance(one, Result)
    assert one.table("ranks").equals(odonata.run(SCENARIO).table("ranks"))
    several = odonata.sweep(SCENARIO, replicas=2)
    assert isinstance(several, Sweep)
    assert (len(several), several.replicas) == (2, 2)
    seeds = odonata.sweep({**SCENARIO, "sweep": {"seed": [1, 2, 3]}}, out=tmp_path / "many")
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (lambda out: odonata.run_one({**SCENARIO, "replicas": 5}, out=out),
         "`typed` has 5 runs, over seed; run it with odonata.sweep."),
        (lambda out: odonata.run_one({**SCENARIO, "sweep": {"routing.bias": [0, 1]}}, out=out),
         "`typed` has 2 runs, over routing.bias"),
        (lambda out: odonata.sweep(SCENARIO, out=out), "run it with odonata.run_one"),
        (lambda out: odonata.sweep(SCENARIO, replicas=1, out=out), "or give replicas = 5"),
    ],
)  # fmt: skip
def test_the_other_kind_is_refused_before_anything_runs(start, words, tmp_path):
    with pytest.raises(ScenarioError) as raised:
        start(tmp_path / "out")
    assert words in str(raised.value)
    assert not (tmp_path / "out").exists()
