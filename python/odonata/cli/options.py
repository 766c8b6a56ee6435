"""Arguments that several commands have, and how their words are read."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Commands:
    """What a command is put among.

    Parameters
    ----------
    inner : argparse action
        Of the whole command line.
    about : mapping
        One line about each command.
    """

    inner: argparse._SubParsersAction[argparse.ArgumentParser]
    about: Mapping[str, str]

    def add_parser(self, name: str, *, description: str | None = None) -> argparse.ArgumentParser:
        """The parser of a command."""
        return self.inner.add_parser(name, help=self.about[name], description=description)


def add_scenario(command: argparse.ArgumentParser) -> None:
    """Let a command be given a scenario, and values to replace in it."""
    command.add_argument("scenario", type=Path, metavar="FILE", help="scenario (TOML)")
    command.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace a value, such as --set routing.algorithm=par or "
        "--set 'jobs.0.workload.face=\"96 kB\"'; may be given several times",
    )


def add_json(command: argparse.ArgumentParser) -> None:
    """Let a command answer in JSON."""
    command.add_argument(
        "--json", action="store_true", help="print one JSON object on standard output"
    )


def whole_number(least: int) -> Callable[[str], int]:
    """Reads a whole number of so much at least."""

    def read(text: str) -> int:
        if not text.isdecimal() or len(text) > 18 or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not a whole number from {least} on")
        return int(text)

    return read


def number(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number in a range."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not a number from {least} to {most}")
        return int(text)

    return read


def width(text: str) -> float:
    """A share such as 2% or 0.02."""
    number, percent, rest = text.partition("%")
    try:
        value = float(number) / (100.0 if percent else 1.0)
    except ValueError:
        value = 0.0
    if rest or not 0.0001 <= value < 1.0:
        raise argparse.ArgumentTypeError(
            f"{text} is not a width from 0.01% to 100%; write 2% for an interval that is 2 % of "
            "its estimate wide"
        )
    return value


def add_budget(command: argparse.ArgumentParser, about: str) -> None:
    """Let a command be told how long it may take, in seconds of ``options.budget``."""
    command.add_argument("--budget", type=_seconds, default=math.inf, metavar="TIME", help=about)


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*(s|min|m|h)", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text} is not a time to spend; write 90s, 30min or 2h")
    return float(found[1]) * {"s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}[found[2]]
