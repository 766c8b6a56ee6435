"""``odonata report``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.cli.words import printable


def add(commands: Commands) -> None:
    """Put ``report`` among the commands."""
    command = commands.add_parser("report")
    command.add_argument("directory", type=Path, metavar="DIR", help="results of `odonata run`")
    command.add_argument(
        "--interactive", action="store_true",
        help="add plots to zoom into; the page gets 5 MB larger and still needs no network",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=report)


def report(options: argparse.Namespace) -> int:
    """``odonata report``."""
    from odonata.output import report as room  # noqa: PLC0415 - pictures take a second to import

    path = room.write(options.directory, interactive=options.interactive)
    shown = json.dumps({"exit_code": 0, "report": str(path)}) if options.json else str(path)
    print(printable(shown))
    return 0
