"""The command ``explain``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from odonata.cli.one_run import one_run
from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen, tell
from odonata.core.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable

_FORMATS = (".png", ".svg", ".pdf")

_PLAIN = 96
"""Columns of the sentences in a file."""


def add(commands: Commands) -> None:
    """Put ``explain`` among the commands."""
    command = commands.add_parser(
        "explain",
        description="Why a job was slow, in sentences: from its slowest rank to the links where "
        "its packets waited, and the jobs that made them wait (`telemetry.blame = true`). Of "
        "replicas all are compared, and the one of the median slowdown is described in detail; of "
        "a sweep, the variant in which the job is slowest.",
    )
    command.add_argument(
        "directory", type=Path, metavar="DIR",
        help="results of a run, of a sweep, of one of its runs (DIR/runs/NAME), or of "
        "`odonata run --without-each`",
    )  # fmt: skip
    command.add_argument("--job", metavar="JOB", help="default: the one slowed down most")
    command.add_argument(
        "--against", type=Path, metavar="DIR",
        help="results of the same scenario without some jobs (`odonata run --without`)",
    )  # fmt: skip
    command.add_argument("--picture", type=Path, metavar="FILE", help="draw it (.png, .svg, .pdf)")
    add_json(command)
    command.set_defaults(command=explain)


def explain(options: argparse.Namespace) -> int:
    """``odonata explain``."""
    from odonata.output.explain.explain import explain as why  # noqa: PLC0415 - the same
    from odonata.output.explain.related_runs import opened  # noqa: PLC0415 - takes a second to import

    if options.picture is not None and options.picture.suffix not in _FORMATS:
        raise RunError(
            f"--picture {options.picture}: give a file that ends in {', '.join(_FORMATS)}."
        )
    without = None if options.against is None else one_run(options.against)
    run, known = opened(options.directory, options.job)
    found = why(run, options.job, without=without, known=known)
    picture = None if options.picture is None else _drawn(found.draw, options.picture)
    if options.json:
        steps = [{"about": about, "text": text} for about, text in found.steps]
        shown = {"exit_code": 0, "job": found.job, "steps": steps, "facts": found.facts}
        print(json.dumps(shown | {"picture": picture and str(picture)}))
        return 0
    console = screen()
    for about, text in found.steps:
        tell(console, f"{about}:")
        tell(console, text, indent="  ", plain=_PLAIN)
    if picture is not None:
        tell(console, f"Picture: {picture}")
    elif options.picture is not None:
        tell(console, "There is no picture: the run has no table `blame`.")
    return 0


def _drawn(draw: Callable[[Path], Path | None], path: Path) -> Path | None:
    try:
        return draw(path)
    except OSError as error:
        raise RunError(f"{path}: the picture cannot be written: {error.strerror}.") from None
