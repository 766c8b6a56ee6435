"""Quantities with units: text such as ``"25 GB/s"`` to whole picoseconds, bytes, bytes per second.

Shares such as ``"30 %"`` become whole millionths.

Decimal prefixes are powers of 1000 (``kB`` and ``KB`` are the same), binary ones (``KiB``) of 1024.
Everything is exact: a value that is not a whole number of its base unit is refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from odonata.core.errors import Error

Dimension = Literal["bytes", "time", "bandwidth", "share"]
"""What a quantity measures; base units: byte, picosecond, byte per second, millionth."""

_DECIMAL = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}

_UNITS: dict[Dimension, dict[str, Fraction]] = {
    "bytes": {f"{p}B": Fraction(f) for p, f in (_DECIMAL | _BINARY).items()},
    "time": {
        "ps": Fraction(1),
        "ns": Fraction(10**3),
        "us": Fraction(10**6),
        "ms": Fraction(10**9),
        "s": Fraction(10**12),
    },
    "bandwidth": {f"{p}B/s": Fraction(f) for p, f in (_DECIMAL | _BINARY).items()}
    | {f"{p}b/s": Fraction(f, 8) for p, f in _DECIMAL.items()},
    "share": {"ppm": Fraction(1), "%": Fraction(10**4)},
}

_BASE: dict[Dimension, str] = {"bytes": "B", "time": "ps", "bandwidth": "B/s", "share": "ppm"}
_EXAMPLE: dict[Dimension, str] = {
    "bytes": "512 B", "time": "300 ns", "bandwidth": "25 GB/s", "share": "30 %",
}  # fmt: skip
_SHAPE = re.compile(
    r"\s*([0-9][0-9_]{0,99}(?:\.[0-9]{1,99})?(?:[eE][+-]?[0-9]{1,2})?)\s*([A-Za-z/µ%]*)\s*"
)
_LARGEST = 2**63 - 1

_OTHER_WAYS = (
    (r"(?i)bytes?", "B"),
    (r"(?i)bits?", "b"),
    (r"(?i)([b])ps$", r"\1/s"),
    (r"(?i)sec(ond)?s?$", "s"),
    (r"(?i)(percent|pct)$", "%"),
)
"""Other ways of writing units: regular expressions and what stands for them."""


class QuantityError(Error):
    """Text that is not a quantity of the wanted dimension."""


def units(dimension: Dimension) -> tuple[str, ...]:
    """Units of a dimension, smallest first.

    Examples
    --------
    >>> units("time")
    ('ps', 'ns', 'us', 'ms', 's')
    """
    table = _UNITS[dimension]
    return tuple(sorted(table, key=lambda unit: (table[unit], unit)))


def example(dimension: Dimension) -> str:
    """Text of a typical quantity, for messages."""
    return _EXAMPLE[dimension]


def parse_quantity(text: str | float, dimension: Dimension) -> int:
    """Whole base units in ``text``.

    Parameters
    ----------
    text : str or number
        Number and unit, such as ``"15360 B"``; of plain numbers only 0 needs no unit.
    dimension : Dimension
        What is expected.

    Returns
    -------
    int
        Bytes, picoseconds, bytes per second or millionths.

    Raises
    ------
    QuantityError
        No unit, a unit of something else, or not a whole number of base units.

    Examples
    --------
    >>> parse_quantity("12.5 GiB/s", "bandwidth")
    13421772800
    >>> parse_quantity("1.5 us", "time")
    1500000
    """
    if text == 0:
        return 0
    hint = f'write number and unit, such as "{example(dimension)}"'
    if not isinstance(text, str):
        raise QuantityError(f"{text} has no unit; {hint}.")
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise QuantityError(f'"{text}" is not a quantity; {hint}.')
    number, unit = match[1], match[2].replace("µ", "u")
    if not unit:
        raise QuantityError(f'"{text}" has no unit; {hint}.')
    factor = _UNITS[dimension].get(unit)
    if factor is None:
        known = ", ".join(units(dimension))
        meant = _meant(unit, dimension)
        hint = f" Did you mean `{meant}`?" if meant else ""
        raise QuantityError(f"`{unit}` is not a unit of {dimension}.{hint} Valid: {known}.")
    value = Fraction(number.replace("_", "")) * factor
    if value.denominator != 1:
        base = _BASE[dimension]
        raise QuantityError(f'"{text}" is not a whole number of {base}; round it to whole {base}.')
    if value > _LARGEST:
        raise QuantityError(f'"{text}" is too large; the largest is {_LARGEST} {_BASE[dimension]}.')
    return int(value)


def factor(unit: str, wanted: str) -> float | None:
    """How many of another unit one of a unit is.

    Returns
    -------
    float or None
        ``None`` if one of them is not known, or they measure different things.

    Examples
    --------
    >>> factor("ns", "us"), factor("ns", "B")
    (0.001, None)
    """
    one, other = (text.strip().replace("µ", "u") for text in (unit, wanted))
    for table in _UNITS.values():
        if one in table and other in table:
            return float(table[one] / table[other])
    return None


def _meant(unit: str, dimension: Dimension) -> str | None:
    """The unit that another way of writing stands for, such as ``Gbps``, ``Gbit/s``, ``usec``."""
    text = unit
    for long, short in _OTHER_WAYS:
        text = re.sub(long, short, text)
    known = units(dimension)
    for wanted in (text, f"{text}/s"):
        if wanted in known:
            return wanted
    return next((one for one in known if one.lower() in (text.lower(), f"{text}/s".lower())), None)


def format_quantity(value: int, dimension: Dimension) -> str:
    """Shortest exact text of a quantity.

    Parameters
    ----------
    value : int
        Base units.
    dimension : Dimension
        What it measures.

    Returns
    -------
    str
        Text that :func:`parse_quantity` reads back to ``value``.

    Examples
    --------
    >>> format_quantity(300_000, "time"), format_quantity(76_294, "time")
    ('300 ns', '76294 ps')
    >>> format_quantity(13_421_772_800, "bandwidth")
    '12.5 GiB/s'
    """
    if dimension == "bytes":
        return f"{value} B"
    if dimension == "time":
        table = _UNITS["time"]
        for unit in reversed(units("time")):
            if value and value % table[unit] == 0:
                return f"{int(value / table[unit])} {unit}"
        return "0 ps"
    if dimension == "share":
        return f"{value // 10**4} %" if value % 10**4 == 0 else f"{value} ppm"
    for unit, scale in (("GB/s", 10**9), ("GiB/s", 2**30)):
        if value and (value * 1000) % scale == 0:
            return f"{value / scale:.3f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{value} B/s"
