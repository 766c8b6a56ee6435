"""``odonata new``: a commented scenario from five questions or flags."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console

from odonata.cli import draft
from odonata.cli.draft import QUESTIONS, Answers
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json, whole_number
from odonata.cli.screen import screen
from odonata.cli.words import printable
from odonata.core.errors import ScenarioError, in_shell, suggestion
from odonata.core.files import write_whole

_HELP = "?"


def add(commands: Commands) -> None:
    """Put ``new`` among the commands."""
    command = commands.add_parser(
        "new",
        description="Write a commented scenario that can be run as it is. Without flags, on a "
        "terminal, five questions are asked; otherwise what is not given has its default.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="scenario to write (.toml)")
    default = draft.Answers()
    names = {"job": "WORKLOAD"}
    for name, (question, _) in draft.QUESTIONS.items():
        command.add_argument(
            f"--{name}", metavar=names.get(name, name.upper()),
            help=f"{question} (default: {getattr(default, name)})",
        )  # fmt: skip
    command.add_argument(
        "--ranks", type=whole_number(1), metavar="N",
        help="ranks of the job and of the co-running one (default: the largest power of two up to "
        "256 that fits twice)",
    )  # fmt: skip
    command.add_argument("--overwrite", action="store_true", help="replace the file")
    add_json(command)
    command.set_defaults(command=new)


def new(options: argparse.Namespace) -> int:
    """``odonata new FILE``."""
    path: Path = options.file
    if path.suffix != ".toml":
        raise ScenarioError(f"{path}: a scenario is a .toml file; write, for example, "
                            f"{path.stem or 'mine'}.toml.")  # fmt: skip
    if path.exists() and not options.overwrite:
        raise ScenarioError(f"{path} exists; choose another name, or give --overwrite.")
    given = {name: getattr(options, name) for name in QUESTIONS}
    is_asked = not options.json and not any(given.values()) and sys.stdin.isatty()
    if is_asked:
        given = _asked()
    known = {name: value for name, value in given.items() if value is not None}
    text = draft.draft(Answers(**known, ranks=options.ranks), path)
    write_whole(path, text.encode(), partial=path.with_name(f".{path.name}.partial"))
    if options.json:
        print(json.dumps({"exit_code": 0, "file": str(path), "scenario": text}))
    else:
        print(printable(f"{path}: written and checked. Next: odonata run {in_shell(path)}"))
    return 0


def _asked() -> dict[str, str | None]:
    """Answers from the terminal; an empty line is the answer in brackets."""
    console = screen()
    console.print(f"Enter takes the value in brackets, {_HELP} lists the answers.", markup=False)
    default = Answers()
    return {name: _ask(console, name, getattr(default, name)) for name in QUESTIONS}


def _ask(console: Console, name: str, default: str) -> str:
    known = draft.choices(name)
    while True:
        console.print(f"{QUESTIONS[name][0]} [{default}] ", markup=False, end="")
        line = sys.stdin.readline()
        if not line:
            raise KeyboardInterrupt  # the input has ended: nobody is there to ask
        answer = line.strip() or default
        if answer == _HELP:
            _list(console, known)
        elif _is_valid(name, answer, known):
            return answer
        else:
            console.print(f"`{answer}` is not known.{suggestion(answer, known)}", markup=False,
                          soft_wrap=True)  # fmt: skip


def _is_valid(name: str, answer: str, known: dict[str, str]) -> bool:
    if name == "system":  # with sizes of the user's own
        return answer.partition("(")[0].strip() in {one.partition("(")[0] for one in known}
    return answer in known or (name == "job" and Path(answer).exists())


def _list(console: Console, known: dict[str, str]) -> None:
    table = Listing(has_header=False).labels("name").prose("what it is")
    for name, summary in known.items():
        table.row(name, summary)
    table.print(console)
