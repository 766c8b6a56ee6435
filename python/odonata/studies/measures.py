"""What becomes of a column of a table: one number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from odonata.analysis.correlation import r_squared
from odonata.analysis.dispersion import describe, quartile_dispersion
from odonata.core.errors import nearest, suggestion
from odonata.studies import numbers
from odonata.studies.claims import StudyError
from odonata.studies.expression import EACH, TOTAL, TWO_COLUMNS, Given, Reading
from odonata.studies.numbers import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_MOST_SHOWN = 8


class NoNumberError(StudyError):
    """The rows are there, and their cells are empty."""


class NoRowError(StudyError):
    """No row is left."""


def read(reading: Reading, frame: pl.DataFrame, column: str) -> Value:
    """The number that a reading asks of a table, or the list of all.

    Returns
    -------
    Value
        In the unit of the column; a ratio has none.

    Raises
    ------
    StudyError
        The column, or one of those that choose rows, is not there, no row is left, or what is left
        are no numbers.

    Examples
    --------
    >>> table = pl.DataFrame({"job": ["a", "a", "b"], "time_ns": [1.0, 3.0, 9.0]})
    >>> read(Reading("mean", "run", "ranks.time_ns", where=(("job", "a"),)), table, "time_ns")
    2.0
    """
    _there(frame, column)
    try:
        chosen = rows(reading, frame)
    except NoRowError:
        if reading.function == TOTAL:
            return 0.0
        raise
    if reading.function in TWO_COLUMNS:
        _there(frame, reading.other)
        both = chosen.select(column, reading.other).drop_nulls()
        return _of_two(reading, both[column], both[reading.other])
    if reading.function == "count":
        return float(chosen[column].count())
    values = _numbers(chosen[column], column)
    return values.tolist() if reading.function == EACH else _of_one(reading, values)


def rows(reading: Reading, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table that a reading asks for.

    Raises
    ------
    StudyError
        A column is not there, or no row is left.
    """
    chosen = frame
    for name, value in reading.where:
        _there(frame, name)
        chosen = _kept(chosen, name, value)
    return chosen


def _there(frame: pl.DataFrame, name: str) -> None:
    if name not in frame.columns:
        raise StudyError(f"there is no column `{name}`.{suggestion(name, frame.columns)}")


def _kept(frame: pl.DataFrame, name: str, value: Given) -> pl.DataFrame:
    """The rows that hold what is asked for."""
    column = frame[name]
    is_text = column.dtype == pl.String
    if isinstance(value, str) or (isinstance(value, tuple) and isinstance(value[0], str)):
        wanted = [value] if isinstance(value, str) else list(value)
        if not is_text:
            raise StudyError(f"`{name}` holds {column.dtype}, not text; give a number.")
        found = frame.filter(pl.col(name).is_in(wanted))
        if found.is_empty():
            raise NoRowError(_no_row(name, str(wanted[0]), column.unique().drop_nulls().to_list()))
        return found
    if is_text:
        raise StudyError(f"`{name}` holds text; put {value} in quotes.")
    if isinstance(value, tuple):
        low, high = value
        found = frame.filter((pl.col(name) >= low) & (pl.col(name) < high))
    else:
        found = frame.filter(pl.col(name) == value)
    if found.is_empty():
        raise NoRowError(f"no row has `{name}` = {value}.")
    return found


def _no_row(name: str, wanted: str, there: Sequence[str]) -> str:
    near = nearest(wanted, there)
    meant = f" Did you mean `{near}`?" if near else ""
    shown = ", ".join(sorted(there)[:_MOST_SHOWN]) or "nothing"
    more = f" and {len(there) - _MOST_SHOWN} more" if len(there) > _MOST_SHOWN else ""
    return f"no row has `{name}` = `{wanted}`.{meant} There is {shown}{more}."


def _numbers(column: pl.Series, name: str) -> Values:
    # A column without a single value in a CSV is read as one of text.
    is_empty = column.null_count() == len(column)
    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean or is_empty):
        raise StudyError(f"`{name}` holds {column.dtype}, not numbers.")
    values = column.drop_nulls().cast(pl.Float64).drop_nans().to_numpy()
    if not len(values):
        raise NoNumberError(f"`{name}` holds no number in these rows.")
    return values


def _end_of_median(values: Values, end: str) -> float:
    """An end of the interval of the median, NaN where the values do not support one."""
    found = describe(values).median
    return math.nan if found is None else float(getattr(found, end))


def _value(values: Values) -> float:
    if len(values) != 1:
        raise StudyError(f"`value` needs one row, and {len(values)} are left; name more columns, "
                         "or take mean, max, first, ...")  # fmt: skip
    return float(values[0])


_ONE: dict[str, Callable[[Values], float]] = {
    "value": _value,
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "median_low": lambda values: _end_of_median(values, "low"),
    "median_high": lambda values: _end_of_median(values, "high"),
    "std": lambda values: float(values.std()),
    "min": lambda values: float(values.min()),
    "max": lambda values: float(values.max()),
    "sum": math.fsum,
    "total": math.fsum,
    "first": lambda values: float(values[0]),
    "last": lambda values: float(values[-1]),
    "dispersion": lambda values: float(quartile_dispersion(values)),
}


def _of_one(reading: Reading, values: Values) -> float:
    if reading.q is not None:
        return float(np.percentile(values, reading.q))
    return _ONE[reading.function](values)


def _of_two(reading: Reading, first: pl.Series, second: pl.Series) -> float:
    a, b = _numbers(first, first.name), _numbers(second, second.name)
    if len(a) != len(b) or len(a) < 3:
        raise StudyError(f"`{reading.function}` needs 3 rows or more that have both columns.")
    match reading.function:
        case "rank_correlation":
            return numbers.rank_correlation(a.tolist(), b.tolist())
        case "correlation":
            return float(np.corrcoef(a, b)[0, 1])
        case _:
            return r_squared(a, b)
