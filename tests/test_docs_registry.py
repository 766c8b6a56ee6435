"""What pages have of the registry is up to date; every workload has a page, and it is whole."""

from __future__ import annotations

import re

import pytest

from conftest import tool
from odonata.scenario import registry, sections
from odonata.scenario.build import families

PAGES = tool("registry_pages")
NAMES = [name for name in PAGES.registry.family("workloads") if name not in PAGES.OTHERS]
HEADINGS = ["One iteration", "Parameters", "Source"]


@pytest.fixture(scope="module")
def written():
    """Pages as they should be."""
    return PAGES.pages()


@pytest.fixture(scope="module")
def folder(repository):
    return repository / "docs" / "workloads"


def test_pages_are_up_to_date(written):
    for path, text in written.items():
        assert path.read_text("utf-8") == text, "make docs"


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_workload_is_whole(folder, name):
    text = (folder / f"{name}.md").read_text("utf-8")
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings == HEADINGS
    assert f'`kind = "{name}"`' in text
    assert f"](../images/workloads/{name}.png)" in text, "tools/workload_pictures.py"
    assert (folder.parent / "images" / "workloads" / f"{name}.png").is_file()


def test_every_workload_has_a_page(folder):
    assert {page.stem for page in folder.glob("*.md")} - {"README"} == set(NAMES)


def test_every_class_stands_on_a_page_with_its_keys(written):
    """Each key has a row, where its class is named; what several classes share has a sentence."""
    tables = re.findall(r"^In Python: `([\w.]+)`\.\n((?:\n\|.*(?:\n\|.*)*)?)",
                        "\n".join(written.values()), flags=re.MULTILINE)  # fmt: skip
    found = {name: set(re.findall(r"^\| `(\w+)` ", rows, flags=re.MULTILINE))
             for name, rows in tables}  # fmt: skip
    assert len(found) == len(tables)
    expected = {name: set(one.KNOWN) for name, one in families.tables().items()}
    expected["Scenario"] = expected.pop(families.SCENARIO)
    for family in families.BASES:
        shared = {"mapping", "groups", "nodes"} if family == "placements" else set()
        for name, one in families.members(family).items():
            entry = registry.family(family).get(one.FIXED.get("kind", ""))
            own = {row.name for row in entry.parameters} if entry else set()
            expected[f"{family}.{name}"] = set(one.KNOWN) - (shared - own)
    links, background = expected.pop("Links"), expected.pop("workloads.Background")
    assert links == set(sections.LINK_KINDS)
    assert background == {"preset"} | expected["workloads.OpenLoop"]
    assert found == expected


def test_a_page_without_a_place_for_its_table_is_refused():
    with pytest.raises(ValueError, match="no lines"):
        PAGES.updated("# LU\n", "")
