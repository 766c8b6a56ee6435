"""Modes of the network, forced from inside the process: a preload library has a function for it.

`libodonata_aries.so` has ``int odonata_aries_force(int)`` (docs/preload.md), the library for
Slingshot ``odonata_fi_force``; both take the same numbers. Any other library that has a function of
one number and returns 0 can be named, too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from odonata.core.errors import MeasurementError, suggestion


@dataclass(frozen=True, slots=True)
class Library:
    """A preload library that forces modes.

    Attributes
    ----------
    function : str
        Its function: takes the number of a mode, returns 0 if that is in force from now on.
    modes : mapping
        Names of modes and their numbers.
    preload : str
        Its name for ``odonata preload path``.
    """

    function: str
    modes: Mapping[str, int]
    preload: str


_MODES = {"adaptive-0": 0, "adaptive-1": 1, "adaptive-3": 3, "application-aware": -1}

LIBRARIES = (
    Library("odonata_aries_force", _MODES, "aries"),
    Library("odonata_fi_force", _MODES, "fi"),
)
"""Libraries of Odonata."""


class Modes:
    """Modes that take turns.

    Parameters
    ----------
    names : sequence of str
        In order; empty for what the machine does by itself.
    numbers : sequence of int
        Their numbers.
    call : callable or None
        The function of the library.
    """

    def __init__(self, names: Sequence[str], numbers: Sequence[int], call: Any) -> None:  # noqa: ANN401 - a function of ctypes
        self.names: tuple[str | None, ...] = tuple(names) or (None,)
        self._numbers = tuple(numbers)
        self._call = call

    def enter(self, turn: int) -> bool:
        """Put the mode of a turn in force; whether the library did."""
        return self._call is None or self._call(self._numbers[turn % len(self._numbers)]) == 0

    def refused(self) -> str | None:
        """The first mode that the library does not put in force, after trying all."""
        if self._call is None:
            return None
        for turn, name in enumerate(self.names):
            if not self.enter(turn):
                return name
        return None


def chosen(names: Sequence[str], function: str | None) -> tuple[tuple[Library, ...], list[str]]:
    """Libraries and modes that were asked for.

    Parameters
    ----------
    names : sequence of str
        Names of modes; with a function of one's own ``NAME=NUMBER``.
    function : str or None
        Name of that function.

    Returns
    -------
    tuple of Library, list of str
        Libraries that have these modes, one of which must be loaded; names of the modes.

    Raises
    ------
    MeasurementError
        There is no such mode, one is named twice, or a number is missing.

    Examples
    --------
    >>> chosen(["adaptive-3", "adaptive-0"], None)[1]
    ['adaptive-3', 'adaptive-0']
    >>> chosen(["slow=2", "fast=1"], "awr_change_routing")[0][0].modes
    {'slow': 2, 'fast': 1}
    """
    libraries: tuple[Library, ...] = LIBRARIES
    plain = list(names)
    if function is not None:
        found = dict(_numbered(name) for name in names)
        libraries, plain = (Library(function, found, ""),), list(found)
    for name in plain:
        if name not in libraries[0].modes:
            raise MeasurementError(
                f"there is no mode `{name}`.{suggestion(name, libraries[0].modes)}"
            )
    if len(set(plain)) < len(names):
        raise MeasurementError(f"a mode is named twice in {', '.join(names)}; name each once.")
    return libraries, plain


def _numbered(text: str) -> tuple[str, int]:
    name, separator, number = text.partition("=")
    if not (name and separator and number.removeprefix("-").isdecimal() and len(number) < 10):
        raise MeasurementError(
            f"mode `{text}` has no number; with --force write NAME=NUMBER, such as biased=3."
        )
    return name, int(number)


def opened(names: Sequence[str], function: str | None) -> Modes | str:
    """Modes ready to take turns in this process, or why there are none."""
    if not names:
        return Modes((), (), None)
    libraries, plain = chosen(names, function)
    process = ctypes.CDLL(None)
    library = next((one for one in libraries if hasattr(process, one.function)), None)
    if library is None:
        functions = " or ".join(f"`{one.function}`" for one in libraries)
        remedy = "preload the library that has it"
        if function is None:
            which = "|".join(one.preload for one in libraries)
            remedy = f"start it with LD_PRELOAD=$(odonata preload path {which})"
        return (f"modes {', '.join(plain)} were requested, but no loaded library has the "
                f"function {functions}; {remedy}.")  # fmt: skip
    call = getattr(process, library.function)
    call.argtypes, call.restype = [ctypes.c_int], ctypes.c_int
    modes = Modes(plain, [library.modes[name] for name in plain], call)
    refused = modes.refused()
    if refused is not None:
        return (f"`{library.function}` does not accept mode {refused}; its library prints the "
                "reason on standard error when the program starts.")  # fmt: skip
    return modes
