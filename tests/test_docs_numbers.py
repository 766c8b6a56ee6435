"""Numbers and pictures of pages are those of today's model, and can be made by one command."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

from conftest import REPOSITORY


@pytest.fixture(scope="module")
def tool():
    sys.path.insert(0, str(REPOSITORY / "tools"))
    try:
        numbers = importlib.import_module("page_numbers")
        facts = importlib.import_module("page_facts")
    finally:
        sys.path.remove(str(REPOSITORY / "tools"))
    numbers.PAGES, numbers.FACTS = facts.PAGES, facts.FACTS
    return numbers


@pytest.fixture(scope="module")
def stored(tool):
    return json.loads(tool.STORED.read_text("utf-8"))


def page_of(tool, path):
    return next(page for page in tool.PAGES if page.path == path)


def paths():
    return sorted(json.loads((REPOSITORY / "docs" / "numbers.json").read_text("utf-8")))


def test_every_page_with_numbers_is_stored(tool, stored):
    assert set(stored) == {page.path for page in tool.PAGES} == set(tool.FACTS)
    assert len(stored) >= 6


@pytest.mark.parametrize("path", paths())
def test_a_page_states_what_its_commands_gave(path, tool, stored):
    text = page_of(tool, path).text()
    missing = [one for one in stored[path]["facts"].values() if not tool.states(text, one)]
    assert missing == [], "`make numbers` writes them"
    for target, fingerprint in stored[path]["pictures"].items():
        assert tool.fingerprint(REPOSITORY / target) == fingerprint, "`make numbers` draws it"


@pytest.mark.parametrize("path", paths())
def test_a_page_is_not_older_than_the_model_and_its_scenarios(path, tool, stored):
    """The fingerprint has `MODEL`, raised whenever a golden row moves, and each resolved run."""
    assert tool.basis(page_of(tool, path)) == stored[path]["basis"], (
        f"{path} states numbers of another model, or of other scenarios: `make numbers`"
    )


def test_a_page_that_runs_something_else_is_seen(tool, monkeypatch):
    page = page_of(tool, "docs/how-to/classes-or-placement.md")
    before = tool.basis(page)
    changed = page.text().replace("load = 0.6", "load = 0.7")
    monkeypatch.setattr(tool.Page, "text", lambda _: changed)
    assert tool.basis(page) != before


def test_slots_are_filled_wherever_lines_end(tool):
    page = "It takes 1.20\ntimes as long,\n  which is much. Another 3.\n"
    text = tool.filled("takes {} times as long, which", ("1.50",))
    assert not tool.states(page, text)
    changed = tool.rewritten(page, {"takes {} times as long, which": text})
    assert changed == "It takes 1.50\ntimes as long,\n  which is much. Another 3.\n"
    assert tool.states(changed, text)
    with pytest.raises(SystemExit, match="stands 0 times"):
        tool.rewritten(page, {"is not {} there": "is not 1 there"})


@pytest.mark.parametrize(
    "path",
    ["docs/tutorial.md",
     *(pytest.param(path, marks=pytest.mark.long) for path in paths() if "tutorial" not in path)],
)  # fmt: skip
def test_commands_of_a_page_give_its_numbers(path, tool, stored):
    """The tutorial in every run, the others in `make test-long`."""
    with tool.place() as folder:
        made = tool.carried_out(page_of(tool, path), folder)
        facts = tool.facts_of(made, tool.FACTS[path])
    assert facts == stored[path]["facts"]
