"""The report: one self-contained page about a run or a sweep, made from its tables.

Every number on the page is in a table of the run, in ``figures/*.csv`` beside the page, or in both.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from odonata.core import files
from odonata.core.errors import RunError
from odonata.output.report.figures import draw
from odonata.output.report.gather import collect
from odonata.output.report.interactive import library
from odonata.output.report.page import render
from odonata.results import damage_told, damaged, load
from odonata.results.store import put_report

PAGE = "report.html"
FIGURES = "figures"

__all__ = ["FIGURES", "PAGE", "write"]


def write(directory: Path, *, interactive: bool = False) -> Path:
    """Write ``report.html`` and its pictures into the folder of a run or a sweep.

    Parameters
    ----------
    directory : pathlib.Path
        What ``odonata run --out`` has written.
    interactive : bool
        Whether there are plots to zoom into beside the pictures; the page gets 5 MB larger.

    Returns
    -------
    pathlib.Path
        The page. Pictures are in ``figures/`` as PNG and SVG, their numbers as CSV.

    Raises
    ------
    odonata.errors.RunError
        If the folder holds no results, they are damaged, or it cannot be written; or what draws
        interactive plots is not installed.
    """
    directory = Path(directory)
    program = library() if interactive else ""
    load(directory)  # says what is wrong with a folder without results
    if not directory.is_dir():
        sweep = directory.parent.parent
        raise RunError(
            f"{directory}: this run has no folder of its own, it is packed with others; "
            f"`odonata report {shlex.quote(str(sweep))}` draws all of them. To draw it alone, "
            f"`odonata.load({str(directory)!r}).save('FOLDER')` in Python gives it a folder, and "
            "`odonata report FOLDER` draws that."
        )
    wrong = damaged(directory)
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise RunError(
            f"{directory / wrong[0]}{more} is missing or not as Odonata wrote it; run the scenario "
            "again with --overwrite."
        )
    try:
        with damage_told(directory):
            put_report(directory, lambda folder: _fill(directory, folder, program))
    except OSError as error:
        raise RunError(
            f"{directory}: the report cannot be written: {files.problem(error)}; make the folder "
            "writable and free some space."
        ) from None
    return directory / PAGE


def _fill(directory: Path, folder: Path, program: str) -> None:
    """Page and pictures, into an empty folder."""
    study = collect(directory)
    pictures = folder / FIGURES
    pictures.mkdir()
    page = render(study, draw(study, pictures), library=program)
    (folder / PAGE).write_text(page, encoding="utf-8", errors="backslashreplace")
