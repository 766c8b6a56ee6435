"""Builds the documentation site from the pages of docs/, strictly: a warning ends it.

    python tools/site.py [--pictures FOLDER] [--out FOLDER]

Pages are copied to a folder of their own, since some link to files outside of docs/: those that are
pages (architecture, contributing, changelog) come along, links to other files become plain words.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CONFIG = REPOSITORY / "tools" / "mkdocs.yml"
ASSETS = REPOSITORY / "tools" / "site_assets"
"""Style and scripts of the site."""

OUTSIDE = {
    "README.md": "about.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "tests/README.md": "tests.md",
    "packaging/README.md": "packaging.md",
}
"""Pages beside docs/, and their names on the site."""

API = {
    "odonata": "The package: run scenarios, load results.",
    "odonata.build": "Scenarios as objects; [their keys](../registry.md) have a page.",
    "odonata.scenario": "Scenarios: read, build, check.",
    "odonata.results": "Results: tables, summaries, sweeps.",
    "odonata.noise": "Noise of measured and simulated times.",
    "odonata.analysis": "Statistics on tables, without a simulator.",
    "odonata.measure": "Measuring on real machines.",
    "odonata.traces": "Readers and writers of traces.",
    "odonata.errors": "Errors that a user can mend.",
}
"""Modules with a page of their own, and one line about each."""

DOORS = (
    ("<!-- doors -->", '<div class="doors" markdown>'),
    ("<!-- /doors -->", "</div>"),
)
"""Marks around the doors of the start page, and what stands there on the site."""

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
PICTURE = re.compile(r"<!-- picture: (\S+) -->\n")
MORE = "      # more:"
CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def staged() -> dict[Path, Path]:
    """Source of every page or picture, and its place on the site."""
    docs = REPOSITORY / "docs"
    found = {path: path.relative_to(docs) for path in sorted(docs.rglob("*")) if path.is_file()}
    return found | {REPOSITORY / name: Path(target) for name, target in OUTSIDE.items()}


def relinked(text: str, source: Path, places: dict[Path, Path]) -> str:
    """A page with links that hold on the site."""

    def replaced(match: re.Match[str]) -> str:
        mark, words, target = match.groups()
        if target.startswith(("http:", "https:", "#", "mailto:")):
            return match[0]
        path, _, anchor = target.partition("#")
        there = (source.parent / path).resolve()
        if there.is_dir():
            there = there / "README.md"
        if there not in places:
            return words
        way = os.path.relpath(places[there], places[source].parent)
        return f"{mark}[{words}]({way}{'#' if anchor else ''}{anchor})"

    # Code is not touched: a link there is an example.
    parts = CODE.split(text)
    return "".join(part if at % 2 else LINK.sub(replaced, part) for at, part in enumerate(parts))


def with_pictures(text: str, pictures: Path, target: Path) -> str:
    """The gallery with the pictures that were made."""

    def replaced(match: re.Match[str]) -> str:
        source = pictures / match[1]
        if not source.is_file():
            return ""
        place = target / "gallery" / match[1]
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)
        return f"![{source.stem.replace('_', ' ')}](gallery/{match[1]})\n\n"

    return PICTURE.sub(replaced, text)


def with_doors(text: str) -> str:
    """The start page with doors side by side; elsewhere they are a list."""
    for mark, there in DOORS:
        text = text.replace(mark, there)
    return text


def api(target: Path) -> None:
    """A page for each module, made from its docstrings."""
    folder = target / "api"
    folder.mkdir()
    lines = ["# Python", "", "After this page you know where to look for a function.", ""]
    for module, line in API.items():
        (folder / f"{module}.md").write_text(f"# `{module}`\n\n{line}\n\n::: {module}\n", "utf-8")
        lines.append(f"* [`{module}`]({module}.md): {line}")
    (folder / "README.md").write_text("\n".join(lines) + "\n", "utf-8")


def stage(target: Path, pictures: Path) -> None:
    """Copy everything to the folder from which the site is built."""
    shutil.rmtree(target, ignore_errors=True)
    places = staged()
    for source, place in places.items():
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        if source.suffix != ".md":
            shutil.copy(source, target / place)
            continue
        text = relinked(source.read_text("utf-8"), source, places)
        (target / place).write_text(with_doors(with_pictures(text, pictures, target)), "utf-8")
    shutil.copytree(ASSETS, target / ASSETS.name)
    api(target)


def config(pages: Iterable[str]) -> str:
    """Configuration of MkDocs in which every page of `docs/` and `docs/how-to/` has its place."""
    text = CONFIG.read_text("utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", text, flags=re.MULTILINE))
    more = "".join(f"      - {page}\n" for page in sorted(pages) if page not in listed)
    return text.replace(MORE, more + MORE)


def main() -> int:
    """Stage and build; the exit code of MkDocs."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--pictures", type=Path, default=REPOSITORY / "out" / "gallery")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "out" / "site")
    options = parser.parse_args()
    pages = REPOSITORY / "out" / "site-pages"
    stage(pages, options.pictures.resolve())
    docs = REPOSITORY / "docs"
    own = (*docs.glob("*.md"), *docs.glob("how-to/*.md"))
    ready = pages.parent / "mkdocs.yml"
    ready.write_text(config(str(path.relative_to(docs)) for path in own), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", ready,
         "--site-dir", options.out.resolve()],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        print(f"{options.out / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
