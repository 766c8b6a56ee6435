"""Writes numbers with their units, short enough for a table."""

from __future__ import annotations

from odonata.output.plots import time_unit

MISSING = "–"  # noqa: RUF001 - a dash is meant
"""Stands where there is no value."""

_DUST_NS = 5e-4
"""The simulator counts picoseconds: less is what rounding has left."""


def number(value: float | None, digits: int = 4) -> str:
    """Write a number with so many significant digits, without an exponent where it is short.

    Examples
    --------
    >>> number(0.5), number(10_500_000.0)
    ('0.5000', '1.050e+07')
    """
    if value is None or value != value:  # noqa: PLR0124 - not a number
        return MISSING
    if value and not 1e-3 <= abs(value) < 1e6:
        return f"{value:.{digits - 1}e}"
    if not value:
        return "0"
    text = f"{value:#.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text.rstrip(".")


def count(value: float | None) -> str:
    """Write a whole number with separators."""
    return MISSING if value is None else f"{int(value):,}"


def time(value_ns: float | None) -> str:
    """Write a time in its natural unit.

    Examples
    --------
    >>> time(15_570_000), time(-1.137e-13)
    ('15.57 ms', '0 ns')
    """
    if value_ns is None or value_ns != value_ns:  # noqa: PLR0124 - not a number
        return MISSING
    if abs(value_ns) < _DUST_NS:
        value_ns = 0.0
    scale, symbol = time_unit(abs(value_ns))
    return f"{number(value_ns / scale)} {symbol}"


def spread(mean_ns: float | None, std_ns: float | None) -> str:
    """Write a mean and a standard deviation in the unit of the mean."""
    return spread_like(mean_ns, std_ns, mean_ns)


def spread_like(mean_ns: float | None, std_ns: float | None, other_ns: float | None) -> str:
    """The same in the unit of the larger of two times: one unit for a row.

    Examples
    --------
    >>> spread_like(604_200, 860, 3_040_000)
    '0.6042 ± 0.00086 ms'
    """
    if mean_ns is None or std_ns is None:
        return time(mean_ns)
    if other_ns is None:
        other_ns = mean_ns
    scale, symbol = time_unit(max(abs(mean_ns), abs(other_ns)))
    return f"{number(mean_ns / scale)} ± {_deviation(std_ns / scale)} {symbol}"


def _deviation(value: float) -> str:
    """Write a standard deviation beside its mean: two digits, and no exponent for a small one."""
    if 0 < value < 1e-3:
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return number(value, 2)


def times(value: float | None) -> str:
    """Write a ratio."""
    return MISSING if value is None else f"{value:.2f}×"  # noqa: RUF001 - the sign of "times"


def share(value: float | None) -> str:
    """Write a fraction as a percentage."""
    if value is None or value != value:  # noqa: PLR0124 - not a number
        return MISSING
    text = f"{100 * value:.1f} %"
    return "0.0 %" if text == "-0.0 %" else text


def percent(value: float) -> str:
    """Write a fraction that is compared with others with two digits, no fewer than there are.

    Examples
    --------
    >>> percent(0.1862), percent(0.0034), percent(0.99999), percent(0.0), percent(1.5)
    ('19 %', '0.34 %', '100 %', '0 %', '150 %')
    """
    if abs(value) < 5e-5:
        return "0 %" if value == 0.0 else "less than 0.01 %"
    shown = 100 * value
    return f"{shown:.0f} %" if abs(shown) >= 9.95 else f"{shown:.2g} %"


def size(value: float | None) -> str:
    """Write bytes in binary units."""
    if value is None:
        return MISSING
    for unit, symbol in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if value >= unit:
            return f"{value / unit:.3g} {symbol}"
    return f"{value:.0f} B"
