"""Results of one run, for commands that look at one."""

from __future__ import annotations

from pathlib import Path

from odonata.core.errors import RunError
from odonata.results import Result, Sweep, load


def one_run(directory: Path) -> Result:
    """The run in a folder.

    Raises
    ------
    odonata.errors.RunError
        If there are no results, or those of a sweep.
    """
    found = load(directory)
    if isinstance(found, Sweep):
        first = next(iter(found.runs), "NAME")
        raise RunError(
            f"{directory} holds a sweep of {len(found.runs)} runs; name one of them, such as "
            f"{directory / 'runs' / first}."
        )
    return found
