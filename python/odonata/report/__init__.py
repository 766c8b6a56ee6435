"""The report: one self-contained page about a run or a sweep, made from its tables.

Every number on the page is in a table of the run, in ``figures/*.csv`` beside the page, or in both.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from odonata.errors import RunError
from odonata.report.figures import draw
from odonata.report.gather import collect
from odonata.report.page import render
from odonata.report.store import discard, replace

PAGE = "report.html"
FIGURES = "figures"

__all__ = ["FIGURES", "PAGE", "write"]


def write(directory: Path) -> Path:
    """Write ``report.html`` and its pictures into the folder of a run or a sweep.

    Parameters
    ----------
    directory : pathlib.Path
        What ``odonata run --out`` has written.

    Returns
    -------
    pathlib.Path
        The page. Pictures are in ``figures/`` as PNG and SVG, their numbers as CSV.

    Raises
    ------
    odonata.errors.RunError
        If the folder holds no results, they are damaged, or it cannot be written.
    """
    directory = Path(directory)
    study = collect(directory)
    try:
        incoming = Path(mkdtemp(prefix=".figures-", dir=directory))
    except OSError as error:
        message = f"{directory}: the report cannot be written ({error.strerror}); make it writable"
        raise RunError(message) from error
    try:
        figures = draw(study, incoming)
        page = render(study, figures)
        replace(incoming, directory / FIGURES)
        partial = directory / f".{PAGE}.partial"
        partial.write_text(page, encoding="utf-8")
        return partial.replace(directory / PAGE)
    except OSError as error:
        message = f"{directory}: the report cannot be written ({error.strerror}); free some space"
        raise RunError(message) from error
    finally:
        discard(incoming)
