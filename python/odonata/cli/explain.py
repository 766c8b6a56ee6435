"""The command ``explain``."""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from odonata.cli.one_run import one_run
from odonata.cli.screen import printable
from odonata.core.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable

_FORMATS = (".png", ".svg", ".pdf")


def explain(options: argparse.Namespace) -> int:
    """``odonata explain``."""
    from odonata.output.report.explain import explain as why  # noqa: PLC0415 - the same
    from odonata.output.report.related_runs import opened  # noqa: PLC0415 - takes a second to import

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
    for about, text in found.steps:
        print(printable(f"{about}:"))
        print(printable(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="  ")))
    if picture is not None:
        print(printable(f"Picture: {picture}"))
    elif options.picture is not None:
        print("There is no picture: the run has no table `blame`.")
    return 0


def _drawn(draw: Callable[[Path], Path | None], path: Path) -> Path | None:
    try:
        return draw(path)
    except OSError as error:
        raise RunError(f"{path}: the picture cannot be written: {error.strerror}.") from None
