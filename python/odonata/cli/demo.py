"""``odonata demo``: the first picture, from a scenario that comes with the package."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import webbrowser
from importlib import resources
from pathlib import Path

from odonata.campaign import experiment
from odonata.cli.one_run import one_run
from odonata.cli.options import Commands, add_json
from odonata.cli.outcome import print_results
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import screen
from odonata.cli.words import printable
from odonata.core.errors import RunError, in_shell
from odonata.core.files import problem
from odonata.scenario import Scenario

_SHORT = "blame.toml"
_SHORT_VARIANTS = (
    'sweep."routing.algorithm"=["minimal", "ugal-group", "par"]',
    "telemetry.link_series=true",
)
_FULL = "demo.toml"
_VIEWED = "algorithm=par"
"""The run of the view; both scenarios have it."""


def add(commands: Commands) -> None:
    """Put ``demo`` among the commands."""
    command = commands.add_parser(
        "demo",
        description="Run a scenario that comes with the package, print its table, write its report "
        "with pictures and the interactive view of one run.",
    )
    command.add_argument("--full", action="store_true",
                         help="342 nodes: half a minute; without it 72 nodes: seconds")  # fmt: skip
    command.add_argument("--out", type=Path, default=Path("odonata-demo"), metavar="DIR",
                         help="folder for results (default: odonata-demo)")  # fmt: skip
    command.add_argument("--scenarios", type=Path, metavar="DIR",
                         help="copy all scenarios of the package there instead")  # fmt: skip
    command.add_argument("--no-open", dest="opens", action="store_false",
                         help="do not open the report in a browser")  # fmt: skip
    add_json(command)
    command.set_defaults(command=demo)


def examples() -> Path:
    """Folder of the scenarios that come with the package.

    Raises
    ------
    RunError
        It was installed without them.
    """
    folder = Path(str(resources.files("odonata") / "examples"))
    if not (folder / _SHORT).is_file():
        raise RunError(f"{folder}: the scenarios are missing; install Odonata again.")
    return folder


def demo(options: argparse.Namespace) -> int:
    """``odonata demo``."""
    if options.scenarios is not None:
        return _copied(options.scenarios, as_json=options.json)
    from odonata.output import report, view  # noqa: PLC0415 - pictures take a second to import

    file = examples() / (_FULL if options.full else _SHORT)
    scenario = Scenario.read(file, overrides=() if options.full else _SHORT_VARIANTS)
    with ProgressBar(quiet=False) as bar:
        results = experiment.run(scenario, out=options.out, observer=bar)
    path = report.write(options.out)
    seen = view.write(one_run(options.out / "runs" / _VIEWED), options.out / view.PAGE)
    pictures = sorted(str(one) for one in path.parent.rglob("*.png"))
    console = screen(to_stderr=options.json)
    print_results(results, console)
    for what in (f"Report with pictures: {path}", f"View of the run under par: {seen}"):
        console.print(printable(what), markup=False, soft_wrap=True)
    if options.json:
        told = {"exit_code": 0, "report": str(path), "view": str(seen), "pictures": pictures}
        print(json.dumps(told))
    elif options.opens and _has_screen():
        webbrowser.open(path.resolve().as_uri())
    return 0


def _has_screen() -> bool:
    """Whether somebody sits in front of this machine."""
    return sys.stdout.isatty() and any(
        name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def _copied(folder: Path, *, as_json: bool) -> int:
    if folder.exists():
        raise RunError(f"{folder} exists; name a new folder.")
    try:
        shutil.copytree(examples(), folder)
    except OSError as error:
        raise RunError(f"{folder}: {problem(error)}; name another folder.") from None
    if as_json:
        print(json.dumps({"exit_code": 0, "folder": str(folder)}))
    else:
        print(printable(f"{folder}: `odonata run {in_shell(folder / _SHORT)}` runs one of them."))
    return 0
