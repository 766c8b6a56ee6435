"""Counters through PAPI, loaded when it is there: those of the Aries NIC have native events."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_FILES = ("libpapi.so", "libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.6.0",
          "libpapi.so.5.7")  # fmt: skip
_VERSIONS = ((7, 2), (7, 1), (7, 0), (6, 0), (5, 7))
"""PAPI starts only for the version that it is."""

_NONE = -1


class PapiError(Exception):
    """Counters cannot be read; the text says why."""


class Papi:
    """Events of one set, counting.

    Parameters
    ----------
    events : sequence of str
        Names of events without prefix.
    prefixes : sequence of str
        What to try in front of them.

    Raises
    ------
    PapiError
        PAPI is missing, too old, or refuses.
    """

    def __init__(self, events: Sequence[str], prefixes: Sequence[str]) -> None:
        self._library = _loaded()
        _started(self._library)
        self._set = ctypes.c_int(_NONE)
        self._check(self._library.PAPI_create_eventset(ctypes.byref(self._set)), "an event set")
        self.events = tuple(events)
        for event in events:
            self._add(event, prefixes)
        self._check(self._library.PAPI_start(self._set), "counting")
        self._values = (ctypes.c_longlong * len(events))()

    def read(self) -> list[int]:
        """Counts since the start, in the order of the events."""
        self._check(self._library.PAPI_read(self._set, self._values), "reading")
        return list(self._values)

    def close(self) -> None:
        """Stop counting."""
        self._library.PAPI_stop(self._set, self._values)

    def _add(self, event: str, prefixes: Sequence[str]) -> None:
        code = _NONE
        for prefix in prefixes:
            code = self._library.PAPI_add_named_event(self._set, f"{prefix}{event}".encode())
            if code == 0:
                return
        self._check(code, f"the event {event}")

    def _check(self, code: int, what: str) -> None:
        if code != 0:
            raise PapiError(f"PAPI refuses {what} (code {code})")


def _loaded() -> Any:  # noqa: ANN401 - a library of ctypes
    named = os.environ.get("ODONATA_ARIES_PAPI")
    if named and "/" in named and Path(named).exists() and not Path(named).is_file():
        # Whoever opens a pipe that nobody writes to waits for ever.
        raise PapiError(f"{named} is not a file")
    for file in (named,) if named else _FILES:
        try:
            library = ctypes.CDLL(file)
        except OSError:
            continue
        if hasattr(library, "PAPI_add_named_event"):
            return library
    raise PapiError(f"there is no {named or 'libpapi.so'}")


def _started(library: Any) -> None:  # noqa: ANN401 - a library of ctypes
    for major, minor in _VERSIONS:
        version = major << 24 | minor << 16
        if library.PAPI_library_init(version) == version:
            return
    raise PapiError("the version of PAPI is not from 5.7 to 7.2")
