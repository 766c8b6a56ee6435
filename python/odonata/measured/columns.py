"""Tables of numbers in text: blanks between them, and lines with ``#`` that say what they are."""

from __future__ import annotations

import io
import re
import warnings

import numpy as np
import numpy.typing as npt

from odonata.measured.content import MOST_NUMBERS, Content


def numbers(
    content: Content, columns: int, remedy: str, first: re.Pattern[str]
) -> npt.NDArray[np.float64]:
    """The numbers of a table without a gap.

    Parameters
    ----------
    content : Content
        Lines of numbers; what follows ``#`` is left out.
    columns : int
        Numbers that every line must have.
    remedy : str
        What to do if it has not, as an order.
    first : re.Pattern
        The line that tells what the file holds, which tells labels of launchers, too.

    Returns
    -------
    numpy.ndarray
        Shape (lines, columns).

    Raises
    ------
    MeasurementError
        A line has more, fewer, or something else; or there is none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an empty table is refused below
            found = np.loadtxt(io.StringIO(content.whole), comments="#", ndmin=2, dtype=np.float64)
    except ValueError:
        found = _slowly(content, columns, remedy, first)
    if found.size > MOST_NUMBERS:
        raise content.error(f"it has {found.size} numbers, which is too many", "split it")
    if found.size == 0:
        raise content.error("the table has no rows", remedy)
    if found.shape[1] != columns or not np.isfinite(found).all():
        found = _slowly(content, columns, remedy, first)
    return found


def _slowly(
    content: Content, columns: int, remedy: str, first: re.Pattern[str]
) -> npt.NDArray[np.float64]:
    """The same line by line, to name the first that is wrong."""
    rows = []
    for number, line in content.lines(first):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != columns:
            raise content.error(
                f"there are {len(words)} values, but {columns} are expected", remedy, number
            )
        rows.append([content.number(word, number, remedy) for word in words])
    return np.array(rows, dtype=np.float64).reshape(-1, columns)


def order_within(keys: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Place of every element among those equal to it, from 0.

    Examples
    --------
    >>> order_within(np.array([1.0, 1.0, 8.0, 1.0])).tolist()
    [0, 1, 0, 2]
    """
    if len(keys) and (keys == keys[0]).all():
        return np.arange(len(keys), dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = np.maximum.accumulate(np.where(starts, np.arange(len(keys)), 0))
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.arange(len(keys)) - first
    return places
