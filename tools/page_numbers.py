"""Makes the numbers and pictures that pages state, by the commands that stand on them.

A page is carried out in an empty folder: its files, its commands and its Python, in order. What it
states of them is in `tools/page_facts.py`, as sentences and rows with a slot for each number; the
slots are filled on the page, and its pictures are copied. `docs/numbers.json` keeps the texts, the
pictures by their fingerprint, and what they follow from: the model and every scenario that the page
runs. `tests/test_docs_numbers.py` compares all of it with the pages and with today's model.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from odonata import load
from odonata.campaign.plan import plan
from odonata.cli import main as odonata
from odonata.cli.arguments import parser
from odonata.core.native import MODEL
from odonata.results import Result, Sweep
from odonata.scenario import Scenario

REPOSITORY = Path(__file__).resolve().parent.parent
STORED = REPOSITORY / "docs" / "numbers.json"
BESIDE = ("scenarios", "tests")
"""What a page finds in its folder."""

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
SLOT = r"[\d.,]+"


@dataclass
class Made:
    """A page that was carried out.

    Parameters
    ----------
    folder : pathlib.Path
        Where.
    said : dict
        What each command printed.
    known : dict
        Names of its Python.
    """

    folder: Path
    said: dict[str, str] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=lambda: {"print": lambda *_: None})

    def results(self, name: str) -> Result | Sweep:
        """Results of a folder that a command has written."""
        return load(self.folder / name)

    def sweep(self, name: str) -> Sweep:
        """The same where they are those of a sweep."""
        found = self.results(name)
        if not isinstance(found, Sweep):
            raise SystemExit(f"{name} is one run, not a sweep.")
        return found


Facts = Iterator[tuple[str, tuple[str, ...]]]
"""Sentences or rows with slots, and what stands in the slots."""


@dataclass(frozen=True)
class Page:
    """What is carried out of a page, and what it states.

    Parameters
    ----------
    path : str
        From the root of the repository.
    commands : tuple of str
        Beginnings of the commands that are carried out.
    python : bool
        Whether its Python is.
    instead : dict
        What stands for files of the reader, and which files there are.
    before : tuple of str
        Commands of another page that come first.
    pictures : dict
        Place of a picture in the repository, by its place in the folder.
    """

    path: str
    commands: tuple[str, ...] = ("odonata run ",)
    python: bool = False
    instead: dict[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    pictures: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The page."""
        return (REPOSITORY / self.path).read_text("utf-8")


def steps(page: Page) -> Iterator[tuple[str, str]]:
    """What is done, in order: (`file NAME`, text), (`command`, line), (`python`, text)."""
    yield from (("command", line) for line in page.before)
    for _, language, written in BLOCK.findall(page.text()):
        block = written
        for old, new in page.instead.items():
            block = block.replace(old, new)
        named = re.match(r"# file: (\S+)\n", block)
        if named:
            yield f"file {named[1]}", block
        elif language == "python" and page.python:
            yield "python", block
        elif not language:
            for line in block.replace("\\\n", " ").splitlines():
                plain = re.sub(r"\s+#.*", "", line.strip().removeprefix(".venv/bin/"))
                if plain.startswith(page.commands):
                    yield "command", plain


@contextlib.contextmanager
def place() -> Iterator[Path]:
    """An empty folder to be in, with what pages find beside them."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for beside in BESIDE:
            Path(beside).symlink_to(REPOSITORY / beside)
        yield Path(name)


def carried_out(page: Page, folder: Path) -> Made:
    """Carry out a page in the current folder."""
    made = Made(folder)
    for kind, text in steps(page):
        if kind == "command":
            made.said[text] = command(text)
        elif kind == "python":
            exec(compile(text, page.path, "exec"), made.known)  # noqa: S102 - of our own page
        else:
            write(folder / kind.removeprefix("file "), text)
    return made


def command(line: str) -> str:
    """Run a command of Odonata in this process; what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = odonata(shlex.split(line)[1:])
    if code != 0:
        raise SystemExit(f"{line}: exit code {code}\n{said.getvalue()}")
    return said.getvalue()


def write(path: Path, text: str) -> None:
    """A file of a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def basis(page: Page) -> str:
    """Fingerprint of what the numbers of a page follow from, without a simulation."""
    found: list[str] = [str(MODEL)]
    with place() as folder:
        for kind, text in steps(page):
            if kind == "python":
                found.append(text)
            elif kind != "command":
                write(folder / kind.removeprefix("file "), text)
            elif text.startswith("odonata new "):
                command(text)
            elif text.startswith("odonata run "):
                asked = parser().parse_args(shlex.split(text)[1:])
                muted = [f'jobs."{job}".muted=true' for job in asked.without]
                scenario = Scenario.read(asked.scenario, overrides=[*asked.overrides, *muted])
                if asked.replicas:
                    scenario = scenario.with_replicas(asked.replicas)
                tasks = plan(scenario)
                found += [tasks.scenario_hash(key) for key in tasks]
    return hashlib.sha256(" ".join(found).encode()).hexdigest()


def pattern(template: str) -> re.Pattern[str]:
    """What a sentence with slots looks like on a page, wherever its lines end."""
    parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in template.split("{}")]
    return re.compile(SLOT.join(parts))


def filled(template: str, values: tuple[str, ...]) -> str:
    """A sentence with its numbers."""
    return template.format(*values)


def states(page: str, text: str) -> bool:
    """Whether a page has a sentence, wherever its lines end."""
    return text in " ".join(page.split())


def rewritten(page: str, facts: dict[str, str]) -> str:
    """A page with today's numbers.

    Parameters
    ----------
    page : str
        The page.
    facts : dict
        Sentence with its numbers, by the sentence with slots.
    """
    for template, text in facts.items():
        found = pattern(template).findall(page)
        if len(found) != 1:
            raise SystemExit(f"`{template}` stands {len(found)} times on the page, not once.")
        gaps = [*re.findall(r"\s+", found[0]), ""]  # lines end where they did
        words = zip(text.split(" "), gaps, strict=True)
        page = page.replace(found[0], "".join(word + gap for word, gap in words))
    return page


def fingerprint(path: Path) -> str:
    """Of a picture."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def facts_of(made: Made, facts: Callable[[Made], Facts]) -> dict[str, str]:
    """Sentences with their numbers, by the sentences with slots."""
    found = {template: filled(template, values) for template, values in facts(made)}
    if not found:
        raise SystemExit("the facts of the page are empty.")
    return found


def make(pages: Sequence[Page], facts_by_page: dict[str, Callable[[Made], Facts]]) -> None:
    """Make pages: run, write, store."""
    for page in pages:
        print(page.path, flush=True)
        with place() as folder:
            made = carried_out(page, folder)
            facts = facts_of(made, facts_by_page[page.path])
            for source, target in page.pictures.items():
                shutil.copy(folder / source, REPOSITORY / target)
        stored = json.loads(STORED.read_text("utf-8")) if STORED.is_file() else {}
        was = stored.get(page.path, {}).get("facts", {})
        moved = [text for template, text in facts.items() if was.get(template) != text]
        (REPOSITORY / page.path).write_text(rewritten(page.text(), facts), "utf-8")
        targets = page.pictures.values()
        stored[page.path] = {
            "basis": basis(page),
            "facts": facts,
            "pictures": {target: fingerprint(REPOSITORY / target) for target in targets},
        }
        STORED.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", "utf-8")
        print("".join(f"  now: {text}\n" for text in moved), end="", flush=True)
    print("Read the sentences around what moved: a number may contradict them now.")
