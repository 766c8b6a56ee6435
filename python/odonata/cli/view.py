"""The command ``view``."""

from __future__ import annotations

import argparse
import json
import webbrowser
from pathlib import Path

from odonata.cli.one_run import one_run
from odonata.cli.options import Commands, add_json
from odonata.cli.words import printable


def add(commands: Commands) -> None:
    """Put ``view`` among the commands."""
    command = commands.add_parser(
        "view",
        description="Write one HTML file that shows a run in a browser: groups on a ring, links by "
        "use, stalls or blame, jobs and times at a click. It needs no other file and no network. "
        "`telemetry.link_series = true` adds the time slider, `telemetry.blame = true` blame.",
    )
    command.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: DIR/view.html)"
    )
    command.add_argument("--open", action="store_true", help="open it in a browser")
    add_json(command)
    command.set_defaults(command=view)


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
