"""Policies and routings in turns, as a user sees them."""

from __future__ import annotations

import copy
import json

import polars as pl
import pytest

from odonata import ScenarioError, noise, run
from odonata.scenario import Scenario

_SMALL = {
    "seed": 3,
    "system": {"preset": "piz-daint", "topology": {"groups": 3, "rows": 2, "columns": 2}},
    "routing": "adaptive-0",
    "jobs": [
        {
            "name": "all",
            "placement": "random-node",
            "policy": "application-aware",
            "workload": {"kind": "alltoall", "ranks": 16, "message": "2 KiB", "iterations": 3},
        }
    ],
}


def small(**changes):
    """The scenario with other keys of its job."""
    scenario = copy.deepcopy(_SMALL)
    scenario["jobs"][0] |= changes
    return scenario


def test_regret_is_told_against_every_fixed_way():
    sweep = run(_SMALL, regret=True)
    index = sweep.index.sort("all.comm_time_ns_mean")
    fixed = index.filter(pl.col("jobs[0].policy.always") != "decide")
    assert set(fixed["jobs[0].policy.always"]) == {"adaptive-0", "adaptive-1", "adaptive-3"}
    assert fixed["all.regret"][0] == 0.0
    best = fixed["all.comm_time_ns_mean"][0]
    for row in index.iter_rows(named=True):
        assert row["all.regret"] == pytest.approx(row["all.comm_time_ns_mean"] / best - 1.0)
    decided = sweep.runs["always=decide"].summary["jobs"][0]["policy"]
    assert decided["decisions"] > 50
    assert 0 < decided["readings"] < decided["decisions"]  # ever less often
    static = sweep.runs["always=adaptive-3"].summary["jobs"][0]["policy"]
    assert static["bytes_share"] == {"adaptive-0": 0.0, "adaptive-1": 0.0, "adaptive-3": 1.0}
    assert static["readings"] == static["decisions"] == 0


def test_regret_goes_with_other_swept_keys():
    scenario = _SMALL | {"sweep": {"seed": [1, 2]}}
    sweep = Scenario.from_mapping(scenario, regret=True)
    assert sweep.sweep == ("seed", "jobs[0].policy.always")
    assert len(sweep.points) == 8


def test_turns_are_compared_in_pairs():
    workload = {"kind": "ping-pong", "message": "64 B", "iterations": 120}
    turns = small(routing=["minimal", {"algorithm": "valiant-node"}], alternate="iteration",
                  workload=workload)  # fmt: skip
    del turns["jobs"][0]["policy"]
    turns["jobs"][0]["placement"] = {"kind": "list", "nodes": [0, 40]}
    result = run(turns)
    assert result.scenario["jobs"][0]["alternate"] == "iteration"
    names = result.table("iterations").filter(pl.col("rank") == 0)["routing"]
    assert names[:3].to_list() == ["minimal", "valiant-node", "minimal"]
    found = noise.findings(noise.form_of(result)).alternated
    (row,) = found.iter_rows(named=True)
    assert (row["condition"], row["against"]) == ("valiant-node", "minimal")
    assert row["pairs"] == 60
    assert row["ratio_low"] > 1.1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"policy": "aplication-aware"}, ("application-aware",)),
        ({"policy": {"kind": "application-aware", "treshold": 3}}, ("threshold",)),
        ({"policy": {"kind": "application-aware", "always": "adaptive-2"}}, ("adaptive-3",)),
        ({"policy": {"kind": "application-aware", "damping_hold": 2}}, ("damping",)),
        ({"policy": {"kind": "slingshot"}, "routing": ["minimal"]}, ("alternate",)),
        ({"alternate": "iteration"}, ("list",)),
        ({"alternate": "iterations", "routing": ["minimal"]}, ("iteration",)),
        ({"alternate": "iteration", "routing": []}, ("at least one",)),
        ({"alternate": "iteration", "routing": ["q-adaptive"]}, ("turns",)),
        ({"alternate": "iteration", "routing": ["minimal", "minimel"]}, ("minimal",)),
    ],
)
def test_wrong_choices_are_answered_with_a_sentence(changes, words):
    with pytest.raises(ScenarioError) as told:
        run(small(**changes))
    for word in words:
        assert word in str(told.value)


def test_regret_needs_one_policy():
    scenario = small()
    del scenario["jobs"][0]["policy"]
    with pytest.raises(ScenarioError, match="no job has one"):
        Scenario.from_mapping(scenario, regret=True)
    twice = small()
    twice["jobs"].append(twice["jobs"][0] | {"name": "more"})
    with pytest.raises(ScenarioError, match="several"):
        Scenario.from_mapping(twice, regret=True)


def test_the_command_line_lists_and_runs_policies(odonata, tmp_path):
    listed = json.loads(odonata("list", "policies", "--json").stdout)
    names = [entry["name"] for entry in listed["entries"]]
    assert names == ["application-aware", "slingshot"]
    shown = odonata("show", "policy", "slingshot").stdout
    assert "urgency" in shown
    path = tmp_path / "small.toml"
    path.write_text(
        'routing = "adaptive-0"\n[system]\npreset = "piz-daint"\n'
        "topology = { groups = 3, rows = 2, columns = 2 }\n"
        '[[jobs]]\nname = "all"\npolicy = "application-aware"\n'
        'workload = { kind = "alltoall", ranks = 8, iterations = 1 }\n'
    )
    done = odonata("run", path, "--regret", "--out", tmp_path / "out")
    assert "regret" in done.stdout
    assert "adaptive-3" in done.stdout
