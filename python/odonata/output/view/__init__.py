"""The interactive view: one page that shows a run in a browser, links over time, who and when."""

from __future__ import annotations

from pathlib import Path

from odonata.core import files
from odonata.core.errors import RunError
from odonata.output.view.content import content
from odonata.output.view.page import render
from odonata.results import Result, damage_told

PAGE = "view.html"

_OURS = b'<meta name="generator" content="Odonata">'
_BEGIN = 1000
"""What tells our pages, and the bytes at their beginning in which it stands."""

__all__ = ["PAGE", "write"]


def write(run: Result, path: Path) -> Path:
    """Write the view of one run.

    Parameters
    ----------
    run : odonata.results.Result
        The run.
    path : pathlib.Path
        File to write; it needs no other file and no network.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    odonata.errors.RunError
        If the run has no links, its tables are damaged, or the file cannot be written or is
        there and no page of ours.
    """
    with damage_told(run.directory):
        page = render(content(run))
    _refuse_foreign(path)
    try:
        data = page.encode("utf-8", errors="backslashreplace")
        files.write_whole(path, data, partial=path.with_name(f".{path.name}.partial"))
    except OSError as error:
        raise RunError(
            f"{path} cannot be written: {files.problem(error)}; choose another file (--out)."
        ) from None
    return path


def _refuse_foreign(path: Path) -> None:
    """A page of ours is replaced; what others wrote is not."""
    try:
        with path.open("rb") as stream:
            begin = stream.read(_BEGIN)
    except OSError:
        return  # there is none, or writing will say what is wrong
    if _OURS not in begin:
        raise RunError(f"{path} is there and no view of Odonata; choose another file (--out).")
