"""The documentation site: what is staged for it, and the guides that the issue of a user names."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import types

import pytest

from conftest import tool


def prose(site, page):
    """A page without code."""
    return "".join(site.CODE.split(page.read_text("utf-8"))[::2])


def test_links_hold_on_the_site(tmp_path):
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


def test_links_are_rewritten(repository):
    site = tool("site")
    places = site.staged()
    docs = repository / "docs"
    found = site.relinked("[a](../ARCHITECTURE.md#rooms), [b](../crates/x.rs), `[c](d.md)`",
                          docs / "noise.md", places)  # fmt: skip
    assert found == "[a](architecture.md#rooms), b, `[c](d.md)`"
    assert site.relinked("[a](docs/noise.md)", repository / "README.md", places) == (
        "[a](noise.md)"
    )


def test_every_page_has_its_place_in_the_navigation(repository):
    docs = repository / "docs"
    pages = [str(path.relative_to(docs)) for path in docs.rglob("*.md")
             if path.parent in {docs, docs / "how-to"}]  # fmt: skip
    text = tool("site").config([*pages, "new-page.md"])
    listed = re.findall(r"(?::|-) ([\w/-]+\.md)$", text, flags=re.MULTILINE)
    assert set(pages) | {"new-page.md"} <= set(listed)
    assert len(listed) == len(set(listed))
    there = {*tool("site").OUTSIDE.values(), "api/README.md"}
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


def test_the_gallery_names_a_picture_and_commands_for_each_section():
    gallery = tool("gallery")
    text = gallery.PAGE.read_text("utf-8")
    assert len(gallery.pictures(text)) == text.count("\n## ") == len(set(gallery.pictures(text)))
    assert all(words[0] == "odonata" for words in gallery.commands(text))


def test_the_site_needs_neither_a_build_nor_the_gallery(repository):
    """The pictures of the gallery are shown if they were made; no page waits for them."""
    text = (repository / "Makefile").read_text("utf-8")
    (needs,) = re.findall(r"^docs-site: (.*)$", text, flags=re.MULTILINE)
    assert needs == "$(SITE_VENV)/.installed"


@pytest.mark.long
def test_every_picture_of_the_gallery_appears(tmp_path):
    assert tool("gallery").make(tmp_path) == []


def test_the_start_page_has_a_picture_and_four_doors(repository, tmp_path):
    site = tool("site")
    text = (repository / "docs" / "README.md").read_text("utf-8")
    start = text.partition("## All pages")[0]
    about = start.partition("# Odonata\n\n")[2].partition("\n\n")[0]
    assert len(re.findall(r"\.(?=\s|$)", about)) == 3
    assert "![" in start
    doors = start.partition(site.DOORS[0][0])[2].partition(site.DOORS[1][0])[0]
    assert len(re.findall(r"^\* \*\*", doors, flags=re.MULTILINE)) == 4
    assert all("](" in door for door in doors.split("\n* ")[1:])
    site.stage(tmp_path / "pages", tmp_path / "none")
    assert '<div class="doors" markdown>' in (tmp_path / "pages" / "README.md").read_text("utf-8")
    assert (tmp_path / "pages" / "site_assets" / "iframe-worker.js").is_file()


class Fake(types.SimpleNamespace):
    """An object of griffe, as far as the extension asks."""

    is_alias = False


def test_roles_in_docstrings_become_links(monkeypatch):
    """With a stand-in for griffe, which only the environment of the site has."""
    monkeypatch.setitem(sys.modules, "griffe", Fake(Extension=object, Object=object, Module=object))
    roles = tool("docstring_roles")
    package = Fake(path="odonata", parent=None, members={}, docstring=None)
    kind = Fake(path="odonata.Sweep", parent=package, members={}, docstring=None)
    kind.members["read"] = method = Fake(
        path="odonata.Sweep.read", parent=kind, members={}, docstring=Fake(
            value="As for :meth:`read`, :func:`run`, :mod:`odonata.build`; `a`, :data:`~b.LEAST`."
        )
    )  # fmt: skip
    package.members |= {"Sweep": kind, "run": Fake(members={}, docstring=None)}
    roles.Roles().on_package(pkg=package)
    link = '<autoref identifier="{}" optional><code>{}</code></autoref>'.format
    assert method.docstring.value == (
        f"As for {link('odonata.Sweep.read', 'read')}, {link('odonata.run', 'run')}, "
        f"{link('odonata.build', 'odonata.build')}; `a`, {link('b.LEAST', 'LEAST')}."
    )


def test_every_role_of_the_sources_is_known_to_the_site(repository, monkeypatch):
    monkeypatch.setitem(sys.modules, "griffe", Fake(Extension=object, Object=object, Module=object))
    known = tool("docstring_roles").ROLE
    for path in (repository / "python").rglob("*.py"):
        rest = known.sub("", path.read_text("utf-8"))
        assert re.findall(r"(?<!\w):[a-z]+:`[^`]*`?", rest) == [], path


@pytest.fixture(scope="module")
def built(repository, tmp_path_factory):
    """The site, built by the environment that `make docs-site` makes."""
    python = repository / ".venv-site" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environment of the site here; make docs-site makes it")
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run([python, "tools/site.py", "--out", out], cwd=repository,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out


def test_the_site_is_built_without_warnings(built):
    assert (built / "tutorial.html").is_file()


def test_pages_of_modules_have_no_marks_of_another_language(built):
    """No roles, and no examples that were taken for quotations."""
    pages = sorted((built / "api").glob("*.html"))
    assert len(pages) > 8
    for page in pages:
        text = page.read_text("utf-8")
        assert not re.search(r":(attr|class|data|func|meth|mod):", text), page
        assert "<blockquote" not in text, page
    scenario = (built / "api" / "odonata.build.html").read_text("utf-8")
    assert 'id="odonata.build.Scenario.changed"' in scenario
    assert 'href="odonata.html#odonata.run' in (built / "api" / "odonata.html").read_text("utf-8") \
        or 'href="#odonata.run' in (built / "api" / "odonata.html").read_text("utf-8")  # fmt: skip


def test_the_site_works_from_a_file(built):
    """Search finds, nothing is asked of the network, and narrow screens scroll wide pictures."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with driver.sync_playwright() as started:
        try:
            browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except driver.Error as error:
            pytest.skip(f"there is no Chromium to start: {str(error).splitlines()[0]}")
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        wrong = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url)
                if not request.url.startswith(("file:", "blob:", "data:")) else None)  # fmt: skip
        page.goto((built / "index.html").as_uri())
        assert page.locator(".doors li").count() == 4
        page.fill("input.md-search__input", "traffic classes")
        page.wait_for_selector(".md-search-result__item", timeout=60_000)
        targets = page.locator("a.md-search-result__link").evaluate_all(
            "all => all.map(a => a.href)"
        )
        assert any("how-to/classes-or-placement.html" in target for target in targets)
        page.set_viewport_size({"width": 420, "height": 800})
        page.goto((built / "index.html").as_uri())
        picture = page.wait_for_selector("p.wide > img", timeout=60_000)
        assert picture.bounding_box()["width"] > 600
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
        hint = "getComputedStyle(document.querySelector('p.wide'), '::before').content"
        assert "scroll sideways" in page.evaluate(hint)
        browser.close()
        assert wrong == []
