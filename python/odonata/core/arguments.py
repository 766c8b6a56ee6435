"""Arguments of functions that users call: what is wrong with one is said in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

from odonata.core.errors import RunError


def path(value: object, name: str) -> Path:
    """A path that a user gave.

    Raises
    ------
    RunError
        It is none.
    """
    if isinstance(value, str | os.PathLike):
        return Path(value)
    raise RunError(f"{name}: {value!r:.60} is no path; give text or a pathlib.Path.")


def whole(value: object, name: str, *, least: int, most: int) -> int:
    """A whole number that a user gave.

    Raises
    ------
    RunError
        It is none, or out of range.

    Examples
    --------
    >>> whole(4, "threads", least=1, most=1024)
    4
    """
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise RunError(f"{name}: {value!r:.60} is not a number from {least} to {most}.")


def settings(value: object, name: str) -> list[str]:
    """Settings such as ``routing.algorithm=par`` that a user gave.

    Raises
    ------
    RunError
        It is no list of text.
    """
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return list(value)
    raise RunError(f'{name}: give a list of settings, such as ["routing.algorithm=par"].')


def number(value: object, name: str) -> float:
    """A number that a user gave.

    Raises
    ------
    RunError
        It is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise RunError(f"{name}: {value!r:.60} is not a number; leave quotes and signs out.")
