"""Every page leads somewhere: files and tests that it names exist; indexes are complete."""

from __future__ import annotations

import re
import subprocess

import pytest

ROOTS = ("crates/", "python/", "tests/", "docs/", "scenarios/", "benches/", "fuzz/", "tools/")


@pytest.fixture(scope="module")
def pages(repository):
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=repository, capture_output=True, text=True, check=True,
    )  # fmt: skip
    paths = [repository / line for line in done.stdout.splitlines()]
    return {path: path.read_text("utf-8") for path in paths if path.is_file()}


def prose(text):
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def test_links_lead_to_files(pages):
    missing = [
        f"{page}: {target}"
        for page, text in pages.items()
        for target in re.findall(r"\]\(([^)#\s]+)", prose(text))
        if not target.startswith("http") and not (page.parent / target).exists()
    ]
    assert missing == []


def test_files_named_by_their_path_exist(pages, repository):
    """Paths in backquotes, from the root or a crate; names in capitals are placeholders."""
    crates = [repository, *(repository / "crates").iterdir()]
    missing = []
    for page, text in pages.items():
        for path in re.findall(r"`([\w./-]+)`", prose(text)):
            is_path = path.startswith(ROOTS) and not re.search(r"\b[A-Z]+\b", path)
            if is_path and not any((crate / path).exists() for crate in crates):
                missing.append(f"{page.relative_to(repository)}: {path}")
    assert missing == []


@pytest.mark.parametrize("folder", ["docs/model", "docs/decisions"])
def test_indexes_name_every_page(folder, repository):
    index = (repository / folder / "README.md").read_text("utf-8")
    listed = set(re.findall(r"\]\(([\w.-]+\.md)\)", index))
    found = {path.name for path in (repository / folder).glob("*.md")} - {"README.md"}
    assert listed == found


def test_superseded_decisions_say_so_in_their_first_line(repository):
    """And the index says the same of the same pages."""
    folder = repository / "docs" / "decisions"
    rows = re.findall(
        r"^\| [\d-]+ \| .*\]\(([\w.-]+)\) \| (in force|superseded.*) \|$",
        (folder / "README.md").read_text("utf-8"), flags=re.MULTILINE,
    )  # fmt: skip
    assert len(rows) == len(list(folder.glob("*.md"))) - 1
    for name, status in rows:
        line = (folder / name).read_text("utf-8").split("\n\n")[1].replace("\n", " ")
        said = re.match(r"\*\*Superseded( in part)?\*\* by \[.*?\]\(([\w./#-]+)\)", line)
        assert (said is not None) == status.startswith("superseded"), name
        if said:
            assert status.startswith(f"superseded{said[1] or ''} by "), name
            assert said[2] in status, name


def test_tests_named_in_pages_exist(pages, repository):
    """Names such as `test_a_file_is_one_idea` are functions of some test."""
    sources = [path.read_text("utf-8") for path in (repository / "tests").glob("*.py")]
    defined = {name for text in sources for name in re.findall(r"def (test_\w+)", text)}
    defined |= {path.stem for path in (repository / "tests").glob("*.py")}
    named = {name for text in pages.values() for name in re.findall(r"`(test_\w+)`", text)}
    assert named <= defined
