"""Commands and snippets of every page: all are understood; those of the guides run, in order.

A block whose first line is `# file: NAME` is written under that name before the commands below it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import tomllib

import pytest

from odonata.cli import main
from odonata.cli.arguments import parser
from odonata.scenario import Scenario

GUIDES = ["tutorial", "how-to/own-system", "how-to/own-application", "how-to/own-routing",
          "how-to/campaign", "how-to/compare-with-measurements", "coming-from"]  # fmt: skip
"""Pages whose commands are carried out."""

SLOW = (
    "odonata demo --no-open",
    "odonata run scenarios/blame.toml --out results/routing",
    "odonata run scenarios/blame.toml --out results/placement",
    "odonata run scenarios/blame.toml --out results/compare",
    "odonata report results/compare",
    "odonata report results/grid",
    "odonata run booksim.toml",
)
"""Commands that are understood and left out, unless ODONATA_LONG is set: each takes seconds."""

PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|<|>|\.\.\.")


def blocks(text):
    """Language and text of each block of code, in order."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^\1```", text, flags=re.MULTILINE | re.DOTALL)
    return [(language, re.sub(rf"^{indent}", "", body, flags=re.MULTILINE))
            for indent, language, body in found]  # fmt: skip


def commands(block):
    """Command lines of Odonata in a block, continued lines joined, without remarks."""
    lines = block.replace("\\\n", " ").splitlines()
    return [line.removeprefix("$ ").strip() for line in lines
            if re.match(r"(\$ )?(\.venv/bin/)?odonata ", line)]  # fmt: skip


def pages(repository):
    return sorted([*(repository / "docs").rglob("*.md"), repository / "README.md"])


def test_every_command_of_every_page_is_understood(repository):
    count, wrong = 0, []
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            for line in commands(block) if language in {"", "console", "sh", "bash"} else []:
                words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)[1:]
                if any("..." in word for word in words):
                    continue  # says that more belongs there
                try:
                    with contextlib.redirect_stderr(io.StringIO()) as said:
                        parser().parse_args(words)
                    count += 1
                except SystemExit as end:
                    if end.code:
                        wrong.append(f"{page.name}: {line}: {said.getvalue().splitlines()[-1]}")
    assert wrong == []
    assert count > 60


def test_scenarios_that_pages_name_are_there(repository):
    """A path below `scenarios` in a command is a file of the repository, or made by the page."""
    missing = []
    for page in pages(repository):
        for _, block in blocks(page.read_text("utf-8")):
            for line in commands(block):
                paths = re.findall(r"\bscenarios/[\w./-]+\.(?:toml|npz|py)\b", line)
                missing += [f"{page}: {one}" for one in paths if not (repository / one).exists()]
    assert missing == []


def test_toml_of_every_page_is_toml(repository):
    count = 0
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "toml":
                tomllib.loads(block)
                count += 1
    assert count > 15


def test_python_of_every_page_compiles(repository):
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "python":
                compile(block, str(page), "exec")


def test_scripts_of_every_page_are_taken_by_a_shell(repository):
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "" and block.startswith("#!/bin/bash"):
                done = subprocess.run(["bash", "-n"], input=block, text=True, check=False,
                                      capture_output=True)  # fmt: skip
                assert done.returncode == 0, f"{page}: {done.stderr}"


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_runs_from_its_first_to_its_last_line(guide, repository, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").symlink_to(repository / "scenarios")
    done = 0
    for language, block in blocks((repository / "docs" / f"{guide}.md").read_text("utf-8")):
        named = re.match(r"# file: (\S+)\n", block)
        if named:
            (tmp_path / named[1]).write_text(block)
            if language == "toml":
                Scenario.read(tmp_path / named[1])
        elif language == "python":
            exec(compile(block, guide, "exec"), {"print": lambda *_: None})  # noqa: S102
            done += 1
        elif language == "" and not block.startswith("#!"):
            done += sum(carried_out(line) for line in commands(block))
    assert done >= 1


def carried_out(line):
    """Run a command in this process; whether it was one that can be run here."""
    if line == "odonata demo --scenarios scenarios":  # they are there already
        return 0
    if (line.startswith(SLOW) and not os.environ.get("ODONATA_LONG")) or PLACEHOLDER.search(
        re.sub(r"\"[^\"]*\"", "", line)
    ):
        return 0
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = main([*shlex.split(line, comments=True)[1:]])
    assert code == 0, f"{line}: {said.getvalue()}"
    return 1


def test_the_python_of_noise_and_others_runs(repository, monkeypatch):
    """Snippets that need no file but those of the repository."""
    monkeypatch.chdir(repository)
    ran = 0
    for page in ("noise", "results"):
        path = repository / "docs" / f"{page}.md"
        for language, block in blocks(path.read_text("utf-8")) if path.is_file() else []:
            if language == "python" and "import" in block:
                exec(compile(block, str(path), "exec"), {"print": lambda *_: None})  # noqa: S102
                ran += 1
    assert ran >= 1
