"""``odonata man``: the manual page, made from the argument parser."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from odonata.cli.command_tree import PROGRAM, Command, Word
from odonata.core.native import VERSION

_EXIT = {
    0: "done",
    1: "internal error: a fault of Odonata; the message names a file for the report",
    2: "bad input: nothing was run, the message says what to do",
    3: "stopped early; what is complete is kept",
    4: "the simulation stalled; the diagnosis is in the results",
}

_EXAMPLES = {
    f"{PROGRAM} new first.toml": "Asks five questions and writes a scenario that can be run.",
    f"{PROGRAM} run first.toml": "Runs it, and each victim alone; tables go to results/first.",
    f"{PROGRAM} report results/first": "Makes one page with pictures.",
    f"{PROGRAM} show routing par": "Describes how a routing decides, and its parameters.",
}


def man(program: Command) -> int:
    """``odonata man``."""
    sys.stdout.write("\n".join(page(program)) + "\n")
    return 0


def page(program: Command) -> Iterator[str]:
    """The page in the language of ``man``.

    Yields
    ------
    str
        Its lines.
    """
    yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield f"{PROGRAM} \\- {_plain(program.description[:1].lower() + program.description[1:-1])}"
    yield ".SH SYNOPSIS"
    for command in program.walk():
        if command.path and not command.commands:
            yield from _synopsis(command)
    yield ".SH DESCRIPTION"
    yield (
        "A scenario, a short TOML file, names a system, a routing and jobs. Odonata runs it packet "
        "by packet, runs each victim alone as well, and writes tables, a summary and a report with "
        "pictures. The same scenario and seed give the same bytes for any number of threads."
    )
    yield ".SH COMMANDS"
    for command in program.walk():
        if command.path and not command.commands:
            yield from _section(command)
    yield ".SH EXIT STATUS"
    for code, words in _EXIT.items():
        yield from (".TP", f".B {code}", _plain(words))
    yield ".SH EXAMPLES"
    for call, words in _EXAMPLES.items():
        yield from (".TP", f".B {_plain(call)}", _plain(words))


def _synopsis(command: Command) -> Iterator[str]:
    yield f".B {PROGRAM} {' '.join(command.path)}"
    shown = [f"[{_plain(_option(one))}]" for one in command.options if "-h" not in one.flags]
    for word in command.positionals:
        name = f"{word.shown}{' ...' if word.is_repeated else ''}"
        shown.append(f"[{name}]" if word.is_optional else name)
    if shown:
        yield " ".join(shown)
    yield ".br"


def _option(option: Word) -> str:
    value = f" {option.shown}" if option.shown else ""
    return f"{option.flags[-1]}{value}{' ...' if option.is_repeated else ''}"


def _section(command: Command) -> Iterator[str]:
    yield f".SS {PROGRAM} {' '.join(command.path)}"
    yield _plain(command.description)
    for word in command.positionals:
        yield from (".TP", f".I {word.shown}", _plain(word.help or " ".join(word.names)))
    for option in command.options:
        if "-h" in option.flags:
            continue
        yield ".TP"
        value = f" \\fI{_plain(option.shown)}\\fR" if option.shown else ""
        yield ", ".join(f"\\fB{_plain(flag)}\\fR{value}" for flag in option.flags)
        yield _plain(option.help)


def _plain(text: str) -> str:
    """Text in which nothing is a command of ``man``."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith((".", "'")) else text
