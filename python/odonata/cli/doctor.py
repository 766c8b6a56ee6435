"""``odonata doctor``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from odonata.cli.diagnosis import examine
from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen
from odonata.cli.words import printable

_MARKS = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN "}


def add(commands: Commands) -> None:
    """Put ``doctor`` among the commands."""
    command = commands.add_parser(
        "doctor",
        description="What is installed, what is missing and what it is for, with a small run that "
        "is checked. Ends with 1 if something that is needed is broken.",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=doctor)


def doctor(options: argparse.Namespace) -> int:
    """``odonata doctor``: 0, or 1 if something that is needed is broken."""
    found = examine()
    code = 1 if any(one.state == "broken" for one in found) else 0
    if options.json:
        print(json.dumps({"exit_code": code, "findings": [asdict(one) for one in found]}))
        return code
    console = screen()
    for one in found:
        line = f"{_MARKS[one.state]}  {one.what}: {one.says}"
        console.print(printable(line), markup=False, soft_wrap=True, highlight=False)
    return code
