"""The command ``view``."""

from __future__ import annotations

import argparse
import json
import webbrowser

from odonata.cli.one_run import one_run
from odonata.cli.screen import printable


def view(options: argparse.Namespace) -> int:
    """``odonata view``."""
    from odonata.output import view as room  # noqa: PLC0415 - pictures take a second to import

    path = room.write(one_run(options.directory), options.out or options.directory / room.PAGE)
    opened = options.open and webbrowser.open(path.resolve().as_uri())
    if options.json:
        print(json.dumps({"exit_code": 0, "view": str(path), "opened": opened}))
        return 0
    print(printable(str(path)))
    if options.open and not opened:
        print("No browser was found; open the file in a browser.")
    return 0
