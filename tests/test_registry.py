"""One registry: every parameter is one row, no default stands twice, constants have sources."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest

from odonata.core import native
from odonata.scenario.fields import Kind

OTHERS = ("mpi", "tables", "counters", "class_profiles")
FAMILIES = [name for name in native.registry() if name not in OTHERS]


def tables():
    """Rows by what they belong to, and what is said of the source of all of them."""
    data = native.registry()
    for name, rows in data["tables"].items():
        yield name, "", rows
    yield "mpi", "", data["mpi"]
    for family in FAMILIES:
        for entry in data[family]:
            yield f"{family} {entry['name']}", entry["source"], entry["parameters"]


TABLES = list(tables())


@pytest.mark.parametrize(("owner", "source", "rows"), TABLES, ids=[name for name, *_ in TABLES])
def test_rows_are_whole(owner, source, rows):
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names), "a name stands twice"
    for row in rows:
        assert row["doc"], row["name"]
        assert row["type"] in get_args(Kind), row["name"]
        assert not (row["required"] and row["default"] is not None), row["name"]
        if row["choices"] and isinstance(row["default"], str):
            assert row["default"] in row["choices"], row["name"]
        is_constant = isinstance(row["default"], int | float) and row["default"] not in (0, 1)
        if is_constant:
            assert row["source"] or source, f"{owner}: where is {row['name']} from?"


def test_every_cost_of_mpi_has_a_source_in_every_preset():
    costs = [row for row in native.registry()["mpi"] if "presets" in row]
    assert len(costs) == 28
    for row in costs:
        assert len(row["sources"]) == len(row["presets"]) == 5
        for said in row["sources"]:
            of, _, what = said.partition(": ")
            assert of, row["name"]
            assert what, row["name"]


def test_python_has_no_defaults_of_its_own(repository):
    """Fields are made of rows; those of Python alone may be absent and have no value then.

    The file of `odonata advise` has no rows: nothing of it reaches the simulator.
    """
    found = []
    for file in sorted((repository / "python" / "odonata").rglob("*.py")):
        if file.name in ("registry.py", "advice.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Field":
                values = [word.value for word in node.keywords if word.arg == "default"]
                absent = [isinstance(one, ast.Constant) and one.value is None for one in values]
                if not all(absent):
                    found.append(f"{file.name}:{node.lineno}")
    assert found == []


def test_rust_has_no_defaults_beside_its_rows(repository):
    """A `serde` default with a value is a second one; the whole table `telemetry` may be absent."""
    found = []
    for file in sorted((repository / "crates").glob("*/src/**/*.rs")):
        text = file.read_text("utf-8")
        found += [f"{file.name}: {name}" for name in re.findall(r'serde\(default = "(.*?)"', text)]
    assert sorted(found) == ["config.rs: tables::usual_node", "config.rs: tables::usual_records"]


def test_what_the_registry_says_is_what_scenarios_have(odonata):
    shown = odonata("show", "mpi", "match_each", "--json").stdout
    assert "configuration of SST firefly by Kang et al. 2022: matchDelay" in shown
