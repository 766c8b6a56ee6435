"""Every workload has a page, which leads to its parameters in the registry."""

from __future__ import annotations

import pytest

from odonata.scenario import registry, workload_pages

NAMES = [name for name in registry.family("workloads") if name not in workload_pages.OTHERS]
HEADINGS = ["One iteration", "Who talks to whom, and when", "Source", "What it leaves out"]


@pytest.fixture(scope="module")
def folder(repository):
    return repository / "docs" / "workloads"


@pytest.mark.parametrize("name", NAMES)
def test_page_is_whole(folder, name):
    text = (folder / f"{name}.md").read_text("utf-8")
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings == HEADINGS
    assert f'`kind = "{name}"`' in text
    assert f"](../registry.md#{name})" in text
    assert f"](../images/workloads/{name}.png)" in text, "tools/workload_pictures.py"
    assert (folder.parent / "images" / "workloads" / f"{name}.png").is_file()


def test_index_lists_all_pages(folder):
    text = (folder / "README.md").read_text("utf-8")
    assert workload_pages.index() in text, "make docs"
    pages = {page.stem for page in folder.glob("*.md")} - {"README"}
    assert pages == set(NAMES)
