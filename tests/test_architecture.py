"""ARCHITECTURE and tests/README name files that are there, and things are where they say."""

from __future__ import annotations

import re

import pytest

PROMISES = "What is promised, and what holds it"

# What a reader looks for, a file that ARCHITECTURE names for it, and what must stand in that file.
TEN_THINGS = (
    ("UGAL's rule", "crates/routing/src/first_decision.rs", "pub(crate) fn first_decision("),
    ("UGAL's rule", "crates/routing/src/rule.rs", "pub fn diverts_by("),
    ("the Q update", "crates/routing/src/q_table.rs", "pub fn update("),
    ("the cap of a class", "crates/network/src/rules/classes.rs", "fn is_over("),
    ("how an allreduce becomes messages", "crates/mpi/src/collective/halving.rs", "Rabenseifner"),
    ("a counter of a tile or NIC", "crates/counters/src/aries.rs", "const NETWORK_TILE:"),
    ("a table's column", "crates/sim/src/report/tables.rs", 'table!("ranks"'),
    ("the paper of a constant", "crates/routing/src/registry.rs", "source:"),
    ("where a credit returns", "crates/network/src/router/output.rs", "fn return_credits"),
    ("a slowdown", "python/odonata/results/summaries.py", "def compare("),
)


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "ARCHITECTURE.md").read_text("utf-8")


def _section(page, title):
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def _rows(section):
    rows = (line for line in section.splitlines() if line.startswith("| "))
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows][1:]


def _named(text):
    """Files in backquotes; one without a folder is beside the file before it."""
    found, folder = [], ""
    for name in re.findall(r"`([\w./*-]+(?:\.(?:rs|py|md|js|json|toml)|/))`", text):
        if name.startswith(
            ("crates/", "python/", "docs/", "tests/", "benches/", "fuzz/", "tools/")
        ):
            folder = name.rsplit("/", 1)[0] + "/"
            found.append(name)
        elif folder:
            found.append(folder + name)
    return found


@pytest.mark.parametrize(
    ("name", "title"), [("ARCHITECTURE.md", "Where to find things"), ("tests/README.md", PROMISES)]
)
def test_named_files_are_there(name, title, repository):
    rows = _rows(_section((repository / name).read_text("utf-8"), title))
    names = [name for row in rows for name in _named(row[-1])]
    assert len(names) > 20
    assert [name for name in names if not (repository / name).exists()] == []


@pytest.mark.parametrize(("thing", "name", "symbol"), TEN_THINGS)
def test_what_a_reader_looks_for_is_where_the_page_says(thing, name, symbol, page, repository):
    rows = {row[0]: row[1] for row in _rows(_section(page, "Where to find things"))}
    assert name in _named(rows[thing])
    assert symbol in (repository / name).read_text("utf-8")


def test_every_promise_names_what_holds_it(repository):
    rows = _rows(_section((repository / "tests" / "README.md").read_text("utf-8"), PROMISES))
    assert len(rows) > 50
    unheld = [row[0] for row in rows if not re.search(r"`[^`]+`", row[-1])]
    assert unheld == []


def test_a_file_that_is_not_there_would_be_found(repository):
    names = _named("`crates/routing/src/rule.rs`, `nothing.rs`, `docs/model/` and `fn x`")
    assert names == [
        "crates/routing/src/rule.rs",
        "crates/routing/src/nothing.rs",
        "docs/model/",
    ]
    assert [name for name in names if not (repository / name).exists()] == [names[1]]
