"""The table of routing algorithms on its page is that of the simulator."""

from __future__ import annotations

import re

import pytest

native = pytest.importorskip(
    "odonata.core.native",
    reason="the simulator is not built; run `make setup`",
    exc_type=ImportError,
)

COLUMNS = [
    "scale", "weights", "bias", "bias_packets", "bias_percent", "bias_step", "threshold",
    "estimate", "minimal_candidates", "nonminimal_candidates", "ordered", "flow_gap_ns",
    "scope",
]  # fmt: skip
LADDERS = {"M": 2, "G": 3, "R": 4, "D": 4, "P": 5, "H": 5}
NONE = "–"  # noqa: RUF001


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "docs" / "model" / "routing.md").read_text("utf-8")


@pytest.fixture(scope="module")
def rows(page):
    """Cells of the table of algorithms, by algorithm and column."""
    lines = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
    head = next(index for index, cells in enumerate(lines) if cells[0] == "algorithm")
    table = {}
    for cells in lines[head + 2 :]:
        if len(cells) != len(lines[head]):
            break
        table[cells[0]] = dict(zip(lines[head], cells, strict=True))
    return table


@pytest.fixture(scope="module")
def entries():
    return {entry["name"]: entry for entry in native.registry()["routings"]}


def test_every_algorithm_stands_in_the_table_in_order(rows, entries):
    assert list(rows) == list(entries)


def test_families_and_virtual_channels_are_those_of_the_registry(rows, entries):
    for name, row in rows.items():
        entry = entries[name]
        counts = {
            family: int(row[family])
            for family in ("dragonfly", "aries", "megafly")
            if row[family] != NONE
        }
        assert counts == entry["virtual_channels"], name
        families = [*counts, *(["file"] if row["file"] == "yes" else [])]
        assert families == entry["families"], name
        assert entry["needs"] == f"{next(iter(counts.values()))} virtual channels", name
        if "dragonfly" in counts:
            assert LADDERS[row["ladder"]] == counts["dragonfly"], name


def test_parameters_and_defaults_are_those_of_the_registry(page, rows, entries):
    cells = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in page.partition("### Other parameters")[2].partition("\n### ")[0].splitlines()
        if line.startswith("| `")
    ]
    others = {(of, name): (default, unit) for name, of, default, unit in cells}
    for name, row in rows.items():
        given = {column: row[column] for column in COLUMNS if row[column] != NONE}
        defaults = {}
        for one in entries[name]["parameters"]:
            text = str(one["default"]).lower() if one["type"] == "boolean" else str(one["default"])
            if one["name"] in COLUMNS:
                defaults[one["name"]] = text
            else:
                assert others.pop((name, one["name"])) == (text, one["unit"]), one
        assert given == defaults, name
        assert (row["path"] == "by the rule") == bool(defaults), name
    assert not others


def test_every_parameter_is_described(page, entries):
    described = page.partition("## Parameters")[2].partition("\n## ")[0]
    for entry in entries.values():
        for parameter in entry["parameters"]:
            assert f"`{parameter['name']}`" in described, parameter["name"]


def test_the_steps_of_every_ladder_go_up(page):
    """The order that the deadlock argument states holds for every path that the page draws."""
    section = page.partition("### Ladders")[2].partition("\n### ")[0]
    paths = [
        [(int(number), kind == "g") for kind, number in re.findall(r"\b([lg])(\d)\b", line)]
        for line in section.splitlines()
        if "->" in line
    ]
    assert len(paths) == 1 + 2 + 2 + 4 + 4
    for path in paths:
        assert path == sorted(set(path)), path
    tops = [max(number for number, _ in path) for path in paths]
    assert sorted(set(tops)) == sorted({count - 1 for count in LADDERS.values()})


def test_the_example_is_valid(page):
    from odonata.scenario import Scenario  # noqa: PLC0415 - needs the simulator

    (text,) = re.findall(r"^```toml\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    (point,) = Scenario.from_text(text).points
    assert point.config["routing"] == {
        "algorithm": "par", "scale": 2, "bias": 16, "bias_packets": 0, "estimate": "both",
        "minimal_candidates": 2, "nonminimal_candidates": 2,
    }  # fmt: skip
    assert "virtual_channels" in native.check(point.config, {})


def test_the_row_of_the_how_to_is_that_of_its_algorithm_with_what_it_changes(rows, repository):
    text = (repository / "docs" / "how-to" / "own-routing.md").read_text("utf-8")
    (line,) = re.findall(r"^\| (`ugal-node-2` .*) \|$", text, flags=re.MULTILINE)
    cells = [cell.strip().strip("`") for cell in line.split("|")]
    row = dict(zip(rows["ugal-node"], cells, strict=True))
    changed = {name for name, cell in row.items() if cell != rows["ugal-node"][name]}
    assert changed <= {"algorithm", "estimate", "minimal_candidates", "nonminimal_candidates",
                       "source"}  # fmt: skip
    assert (row["estimate"], row["minimal_candidates"]) == ("queued", "2")
