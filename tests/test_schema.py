"""The schema for editors agrees with the program."""

from __future__ import annotations

import json
import tomllib

import jsonschema
import pytest

from examples import jobs, open_loop
from odonata.errors import ScenarioError
from odonata.scenario import Scenario, schema


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(schema.schema())
    return jsonschema.Draft202012Validator(schema.schema())


def test_scenarios_of_the_repository_are_valid(validator, scenarios):
    for file in sorted(scenarios.glob("*.toml")):
        data = tomllib.loads(file.read_text())
        assert [error.message for error in validator.iter_errors(data)] == [], file


@pytest.mark.parametrize("data", [jobs(), open_loop()])
def test_resolved_scenarios_are_valid(validator, data):
    resolved = Scenario.from_mapping(data).points[0].resolved
    assert [error.message for error in validator.iter_errors(resolved)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"sistem": {}},
        {"stop": {"time": "5 GB"}},
        {"stop": {"time": 5, "tme": 3}},
        {"routing": {"algorithm": "q-adaptiv"}},
        {"routing": {"algorithm": "minimal", "bias": 3}},
        {"jobs": []},
        {"jobs": [{"workload": {"kind": "halo4d"}}]},
        {"jobs": [{"workload": {"kind": "halo3d", "ranks": -1}}]},
        {"system": {"preset": "kang2022-1056", "router": {"architecture": "vog"}}},
    ],
)
def test_what_the_program_refuses_is_not_valid(validator, change):
    data = jobs() | change
    with pytest.raises(ScenarioError):
        Scenario.from_mapping(data)
    assert list(validator.iter_errors(json.loads(json.dumps(data))))
