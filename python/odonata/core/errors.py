"""Errors that a user can mend: one tree, every message ends with what to do."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable


class Error(Exception):
    """Base of every error of this package; its text is a sentence for the user."""


class ScenarioError(Error):
    """A scenario that cannot be run: unknown key, wrong unit, impossible value."""


class RunError(Error):
    """A run that could not be carried out or results that cannot be read or written."""


class TraceError(Error):
    """A trace that is missing, damaged or cannot be replayed."""


class TextError(Error):
    """A file that a scenario names and that is missing, damaged or of another kind."""


class MeasurementError(Error):
    """A file of measured data that is missing, damaged or of another kind."""


class PreloadError(Error):
    """A preload library that is not there, or reports of one that cannot be read."""


class InternalError(Error):
    """A fault of this program, not of its input.

    Parameters
    ----------
    message : str
        What broke.
    details : str
        Where, for the report: call stack of the simulator.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


def suggestion(given: str, valid: Iterable[str]) -> str:
    """Nearest spelling and the list of valid names, as the end of a sentence.

    Parameters
    ----------
    given : str
        The name as it was written.
    valid : iterable of str
        The names that are known, in the order in which to list them.

    Returns
    -------
    str
        Empty if nothing is valid.

    Examples
    --------
    >>> suggestion("minimul", ["minimal", "par"])
    ' Did you mean `minimal`? Valid: minimal, par.'
    """
    names = list(valid)
    if not names:
        return ""
    close = nearest(given, names)
    nearest_text = f" Did you mean `{close}`?" if close else ""
    return f"{nearest_text} Valid: {', '.join(names)}."


def in_shell(path: object) -> str:
    """A path as a command line in a hint has it, in quotes where it needs them.

    Examples
    --------
    >>> in_shell("my results/a"), in_shell("results/a")
    ("'my results/a'", 'results/a')
    """
    return shlex.quote(str(path))


def nearest(given: str, valid: Iterable[str]) -> str | None:
    """The name that ``given`` was probably meant to be, if there is one.

    Case does not count, unless names differ in nothing else.

    Parameters
    ----------
    given : str
        The name as it was written.
    valid : iterable of str
        The names that are known.

    Examples
    --------
    >>> nearest("PAR", ["minimal", "par"])
    'par'
    """
    names = list(valid)
    close = difflib.get_close_matches(given, names, n=1, cutoff=0.6)
    if not close:
        by_letters = {name.lower(): name for name in reversed(names)}
        found = difflib.get_close_matches(given.strip().lower(), by_letters, n=1, cutoff=0.6)
        close = [by_letters[name] for name in found]
    return close[0] if close else None
