"""Texts and numbers as a terminal shows them."""

from __future__ import annotations

import math

_DUST_NS = 5e-4
"""Half a picosecond."""
_STEPS = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))


def duration(ns: float | None) -> str:
    """Text of a time given in ns, three digits.

    Examples
    --------
    >>> duration(15_570_000), duration(4.2e11), duration(None), duration(-6.1e5)
    ('15.6 ms', '7 min', '', '-610 us')
    >>> duration(1.1e-13)  # what rounding has left: the simulator counts picoseconds
    '0 ns'
    """
    if ns is None or math.isnan(ns):
        return ""
    if ns < 0:
        return f"-{duration(-ns)}" if ns <= -_DUST_NS else "0 ns"
    if ns >= 1.2e11:
        minutes = round(ns / 6e10)
        return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
    for unit, size in _STEPS:
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns / size < 1000 else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns" if ns >= _DUST_NS else "0 ns"


def printable(text: str) -> str:
    r"""Text without letters that a terminal would obey; names may hold any.

    Examples
    --------
    >>> printable("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t"
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )  # fmt: skip
