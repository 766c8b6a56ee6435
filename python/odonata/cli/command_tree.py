"""The commands as data, read off the argument parser: completions and manual are made of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from odonata.cli import draft
from odonata.cli.describe import KINDS
from odonata.scenario import registry
from odonata.scenario.presets import presets

Takes = Literal["nothing", "file", "folder", "name", "text"]
"""What a word is: an option that stands alone, a path, one of some names, or anything."""

PROGRAM = "odonata"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """An option or a positional argument.

    Parameters
    ----------
    flags : tuple of str
        Spellings of an option; empty for positionals.
    shown : str
        What its value is called, such as ``FILE``; empty if it takes none.
    help : str
        One line.
    takes : Takes
        What its value is.
    names : tuple of str
        Values there are, if they are known.
    is_repeated : bool
        Whether there may be several.
    is_optional : bool
        Whether it may be left out.
    """

    flags: tuple[str, ...]
    shown: str
    help: str
    takes: Takes
    names: tuple[str, ...] = ()
    is_repeated: bool = False
    is_optional: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, or the program itself.

    Parameters
    ----------
    path : tuple of str
        Words that call it, without the program; empty for the program.
    help : str
        One line.
    description : str
        A sentence or more.
    options, positionals : tuple of Word
        What may follow.
    commands : tuple of Command
        Commands below it.
    """

    path: tuple[str, ...]
    help: str
    description: str
    options: tuple[Word, ...]
    positionals: tuple[Word, ...]
    commands: tuple[Command, ...]

    def walk(self) -> Iterator[Command]:
        """The command and all below it."""
        yield self
        for command in self.commands:
            yield from command.walk()


def read(parser: argparse.ArgumentParser) -> Command:
    """The commands of a parser."""
    return _command(parser, (), "")


def _command(parser: argparse.ArgumentParser, path: tuple[str, ...], about: str) -> Command:
    # The lists of a parser have no public name; a test compares them with `--help`.
    options, positionals, commands = [], [], list[Command]()
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            helps = {one.dest: one.help or "" for one in action._choices_actions}  # noqa: SLF001
            commands += [
                _command(below, (*path, name), helps.get(name, ""))
                for name, below in action.choices.items()
            ]
        elif action.option_strings:
            options.append(_word(action))
        else:
            positionals.append(_word(action))
    return Command(
        path=path,
        help=about,
        description=parser.description or _sentence(about),
        options=tuple(options),
        positionals=tuple(positionals),
        commands=tuple(commands),
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "." if words else ""


def _word(action: argparse.Action) -> Word:
    shown = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    names = tuple(map(str, action.choices or ())) or tuple(_NAMES.get(shown, list)())
    takes: Takes = "text"
    if not shown:
        takes = "nothing"
    elif names:
        takes = "name"
    elif shown in ("FILE", "PATH", "TARGET"):
        takes = "file"
    elif shown == "DIR":
        takes = "folder"
    return Word(
        flags=tuple(action.option_strings),
        shown=shown,
        help=(action.help or "").replace("%%", "%"),
        takes=takes,
        names=names,
        is_repeated=action.nargs == "+" or isinstance(action, argparse._AppendAction),  # noqa: SLF001
        is_optional=bool(action.option_strings) or action.nargs in ("?", "*"),
    )


def _everything() -> list[str]:
    """Names of all members of all families."""
    found = [name for family in registry.FAMILIES for name in registry.family(family)]
    return list(dict.fromkeys([*presets(), *found]))


_NAMES: dict[str, Callable[[], list[str]]] = {
    "KIND": lambda: list(KINDS),
    "NAME": _everything,
    "SYSTEM": lambda: list(presets()),
    "ROUTING": lambda: list(draft.choices("routing")),
    "PLACEMENT": lambda: list(draft.choices("placement")),
    "WORKLOAD": lambda: list(draft.choices("job")),
    "BESIDE": lambda: list(draft.choices("beside")),
    "LIBRARY": lambda: ["aries"],
}
"""Values that are known, by what the parser calls them."""
