"""Functions of numbers and lists that quantities may use."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import polars as pl

from odonata.analysis.correlation import r_squared
from odonata.analysis.frames import AnalysisError
from odonata.analysis.impact import mean_interval
from odonata.core.errors import suggestion
from odonata.studies.claims import StudyError

Value = float | list["Value"]
"""A number, or a list of numbers or lists."""

_ORDER = 1
"""Seed of the order in which :func:`shuffled` puts numbers."""


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Spearman's rank correlation of two lists; ties have the mean of their ranks.

    Examples
    --------
    >>> rank_correlation([1.0, 2.0, 3.0], [10.0, 20.0, 15.0])
    0.5
    """
    return correlation(pl.Series(first).rank().to_list(), pl.Series(second).rank().to_list())


def correlation(first: list[float], second: list[float]) -> float:
    """Pearson's correlation of two lists; its square says how well a line fits.

    Examples
    --------
    >>> correlation([1.0, 2.0, 3.0], [-2.0, -4.0, -6.0])
    -1.0
    """
    if len(first) != len(second) or len(first) < 3:
        raise StudyError("a correlation needs two lists of the same length, 3 or more.")
    a, b = np.asarray(first), np.asarray(second)
    a, b = a - a.mean(), b - b.mean()
    norm = math.sqrt(float(a @ a) * float(b @ b))
    if norm == 0.0:
        raise StudyError("a correlation needs values that vary.")
    return float(a @ b) / norm


def half_width(values: list[float]) -> float:
    """Half the width of Student's 95 % interval of the mean of independent values.

    Examples
    --------
    >>> round(half_width([1.0, 2.0, 3.0]), 3)
    2.484
    """
    found = mean_interval(np.asarray(values), ordered=False)
    if found is None:
        raise StudyError("an interval needs three numbers or more.")
    return (found.high - found.low) / 2.0


def shuffled(values: list[float]) -> list[float]:
    """The numbers in an order that has nothing to do with theirs, the same every time.

    Examples
    --------
    >>> shuffled([1.0, 2.0, 3.0, 4.0, 5.0])
    [5.0, 1.0, 2.0, 3.0, 4.0]
    """
    order = np.random.default_rng(_ORDER).permutation(len(values))
    return [values[place] for place in order]


def beyond(values: list[float], by: list[float], share: float) -> Value:
    """The numbers whose partners in the second list are at or above a percentile of that list.

    Examples
    --------
    >>> beyond([1.0, 2.0, 3.0, 4.0], [40.0, 10.0, 30.0, 20.0], 50.0)
    [1.0, 3.0]
    """
    if len(values) != len(by) or not 0.0 <= share <= 100.0:
        raise StudyError("the lists need the same length, and a percentile is from 0 to 100.")
    least = np.percentile(by, share)
    return [value for value, one in zip(values, by, strict=True) if one >= least]


Function = Callable[[list[Value]], Value]


def flat(value: Value) -> list[float]:
    """All numbers of a value, in order.

    Examples
    --------
    >>> flat([1.0, [2.0, 3.0]])
    [1.0, 2.0, 3.0]
    """
    return [one for part in value for one in flat(part)] if isinstance(value, list) else [value]


def _list(value: Value) -> list[float]:
    """The numbers of a list."""
    if not isinstance(value, list) or not flat(value):
        raise StudyError("a list of numbers is needed.")
    return flat(value)


def _of_list(how: Callable[[list[float]], float]) -> Function:
    """A function of one list, or of several numbers."""
    return lambda given: how(_list(given[0] if len(given) == 1 else given))


def _of_number(how: Callable[[float], float]) -> Function:
    """A function of a number, or of every number of a list."""

    def found(given: list[Value]) -> Value:
        if len(given) != 1:
            raise StudyError("one number or one list is needed.")
        (value,) = given
        return [found([one]) for one in value] if isinstance(value, list) else how(value)

    return found


def _of_pair(how: Callable[..., Value], more: int = 0) -> Function:
    """A function of two lists, and of so many numbers behind them."""

    def found(given: list[Value]) -> Value:
        if len(given) != 2 + more or any(isinstance(one, list) for one in given[2:]):
            raise StudyError(f"two lists of numbers and {more} numbers are needed.")
        return how(_list(given[0]), _list(given[1]), *given[2:])

    return found


_FUNCTIONS: dict[str, Function] = {
    "mean": _of_list(lambda values: sum(values) / len(values)),
    "median": _of_list(lambda values: float(np.median(values))),
    "std": _of_list(lambda values: float(np.std(values))),
    "half_width": _of_list(half_width),
    "min": _of_list(min),
    "max": _of_list(max),
    "sum": _of_list(sum),
    "count": _of_list(lambda values: float(len(values))),
    "abs": _of_number(abs),
    "sqrt": _of_number(math.sqrt),
    "log": _of_number(math.log),
    "beyond": _of_pair(beyond, 1),
    "shuffled": lambda given: [*shuffled(_list(given[0] if len(given) == 1 else given))],
    "share_positive": _of_list(lambda values: sum(value > 0.0 for value in values) / len(values)),
    "correlation": _of_pair(correlation),
    "r_squared": _of_pair(r_squared),
    "rank_correlation": _of_pair(rank_correlation),
}
NAMES = tuple(_FUNCTIONS)
"""Functions that take numbers."""


def known(name: str) -> None:
    """Refuse a function that takes no numbers.

    Raises
    ------
    StudyError
        There is none of that name.
    """
    if name not in _FUNCTIONS:
        raise StudyError(f"`{name}` is not a function of numbers.{suggestion(name, NAMES)}")


def carried_out(name: str, given: list[Value]) -> Value:
    """What a function makes of numbers.

    Raises
    ------
    StudyError
        It was given something that it cannot take.
    """
    try:
        return _FUNCTIONS[name](given)
    except (StudyError, AnalysisError) as error:
        raise StudyError(f"`{name}`: {error}") from None
