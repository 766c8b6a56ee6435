"""The documentation site: what is staged for it, and the guides that the issue of a user names."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def tool(repository):
    def load(name):
        spec = importlib.util.spec_from_file_location(name, repository / "tools" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def prose(site, page):
    """A page without code."""
    return "".join(site.CODE.split(page.read_text("utf-8"))[::2])


def test_links_hold_on_the_site(tool, tmp_path):
    site = tool("site")
    site.stage(tmp_path / "pages", tmp_path / "none")
    pages = {path for path in (tmp_path / "pages").rglob("*") if path.is_file()}
    assert len(pages) > 80
    missing = [
        f"{page.name}: {target}"
        for page in pages if page.suffix == ".md"
        for _, _, target in site.LINK.findall(prose(site, page))
        if not target.startswith(("http", "#"))
        and (page.parent / target.partition("#")[0]).resolve() not in pages
    ]  # fmt: skip
    assert missing == []


def test_links_are_rewritten(tool, repository):
    site = tool("site")
    places = site.staged()
    docs = repository / "docs"
    found = site.relinked("[a](../ARCHITECTURE.md#rooms), [b](../crates/x.rs), `[c](d.md)`",
                          docs / "noise.md", places)  # fmt: skip
    assert found == "[a](architecture.md#rooms), b, `[c](d.md)`"
    assert site.relinked("[a](docs/noise.md)", repository / "README.md", places) == (
        "[a](noise.md)"
    )


def test_every_page_has_its_place_in_the_navigation(tool, repository):
    docs = repository / "docs"
    pages = [str(path.relative_to(docs)) for path in docs.rglob("*.md")
             if path.parent in {docs, docs / "how-to"}]  # fmt: skip
    text = tool("site").config([*pages, "new-page.md"])
    listed = re.findall(r"(?::|-) ([\w/-]+\.md)$", text, flags=re.MULTILINE)
    assert set(pages) | {"new-page.md"} <= set(listed)
    assert len(listed) == len(set(listed))
    there = {"architecture.md", "contributing.md", "changelog.md", "about.md", "api/README.md"}
    assert all((docs / page).is_file() for page in set(listed) - there - {"new-page.md"})


def test_every_page_says_what_the_reader_can_do_after_it(repository):
    """The guides; older pages say it in their own words."""
    docs = repository / "docs"
    names = (
        "tutorial",
        "installing",
        "explanation",
        "glossary",
        "coming-from",
        "first-hours",
        "gallery",
        "measure",
    )
    guides = [*docs.glob("how-to/*.md"), *(docs / f"{name}.md" for name in names)]
    for page in guides:
        text = " ".join(page.read_text("utf-8").split())
        assert "After this page you" in text[:200], page


def test_the_gallery_names_a_picture_and_commands_for_each_section(tool):
    gallery = tool("gallery")
    text = gallery.PAGE.read_text("utf-8")
    assert len(gallery.pictures(text)) == text.count("\n## ") == len(set(gallery.pictures(text)))
    assert all(words[0] == "odonata" for words in gallery.commands(text))


@pytest.mark.skipif(not os.environ.get("ODONATA_LONG"), reason="minutes; ODONATA_LONG=1 runs it")
def test_every_picture_of_the_gallery_appears(tool, tmp_path):
    assert tool("gallery").make(tmp_path) == []


@pytest.mark.skipif(importlib.util.find_spec("mkdocstrings") is None,
                    reason="no MkDocs here; make docs-site builds the site")  # fmt: skip
def test_the_site_is_built_without_warnings(repository, tmp_path):
    done = subprocess.run([sys.executable, "tools/site.py", "--out", tmp_path], cwd=repository,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tutorial.html").is_file()
