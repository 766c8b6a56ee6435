"""Tables that benchmarks print under a line of column names: what the columns hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from odonata.measured.content import Content

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", re.IGNORECASE)
"""A number as benchmarks print it."""


def repeated(rows: list[dict[str, object]]) -> pl.DataFrame:
    """Rows of a log; what stands there again is the next iteration.

    Parameters
    ----------
    rows : list of dict
        Columns of the form by name: series, quantity, statistic, size and so on.
    """
    frame = pl.DataFrame(rows, infer_schema_length=None)
    keys = [name for name in frame.columns if name != "value"]
    return frame.with_columns(iteration=pl.int_range(pl.len()).over(keys))


def warn_of_rows(content: Content, rows: Mapping[tuple[str, str], list[int]]) -> None:
    """Warn of rows that the benchmark itself calls wrong, once per series and problem.

    Parameters
    ----------
    content : Content
        The file, which keeps the warnings.
    rows : mapping of tuple of str to list of int
        Lines by series and problem; the problem is what is said behind "rows".
    """
    for (series, problem), lines in rows.items():
        count = "1 row" if len(lines) == 1 else f"{len(lines)} rows"
        content.warn(f"{series}: {count} {problem}", lines[0])


@dataclass(frozen=True, slots=True)
class Column:
    """What a column of a benchmark holds.

    Attributes
    ----------
    pattern : str
        Regular expression of its name, without groups.
    quantity, unit, statistic : str
        As in the form; ``p`` stands for the percentile that the name begins with.
    scale : float
        How many of the unit of the form one of the printed unit is.
    """

    pattern: str
    quantity: str
    unit: str
    statistic: str
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Meaning:
    """A column under the name that stands in the file: see :class:`Column`."""

    quantity: str
    unit: str
    statistic: str
    scale: float


class Columns:
    """The columns that a benchmark may print.

    Parameters
    ----------
    known : tuple of Column
        In the order in which names are tried.
    other : str
        Regular expression of the name of any other column; by default words one blank apart.
    """

    def __init__(self, known: tuple[Column, ...], other: str = r"\S+(?: \S+)*") -> None:
        self._known = tuple((re.compile(column.pattern), column) for column in known)
        # Some names contain blanks and some stand one blank apart: known ones are looked for first.
        patterns = [f"(?:{column.pattern})(?!\\S)" for column in known]
        self._names = re.compile("|".join([*patterns, other]))

    def names(self, line: str) -> list[str]:
        """Names of the columns on a line; empty if it is no line of names.

        Examples
        --------
        >>> few = Columns((Column(r"MB/s", "bandwidth", "B/s", "mean", 1e6),))
        >>> few.names("# Size     MB/s"), few.names("# pairs: 2")
        (['Size', 'MB/s'], [])
        """
        found = [match.group(0) for match in self._names.finditer(line.strip().lstrip("# "))]
        return found if any(self.meaning(name) for name in found) else []

    @staticmethod
    def is_row(line: str, names: list[str]) -> bool:
        """Whether a line below names is a row, as opposed to what others write into a log.

        Numbers only; or as many words as there are names, the first of them and all but one others
        numbers.

        Examples
        --------
        >>> few = Columns((Column(r"MB/s", "bandwidth", "B/s", "mean", 1e6),))
        >>> [few.is_row(line, ["Size", "MB/s"]) for line in ("8 1.5", "8 1.5 2", "4 nodes are up")]
        [True, True, False]
        """
        words = line.split()
        numbers = [_NUMBER.fullmatch(word) is not None for word in words]
        others = numbers.count(False)
        return numbers[:1] == [True] and (others == 0 or (others == 1 and len(words) == len(names)))

    def meaning(self, name: str) -> Meaning | None:
        """What a column holds; ``None`` if it is not known, such as a column of remarks."""
        for pattern, column in self._known:
            if pattern.fullmatch(name):
                tail = re.match(r"P(\d+) ", name)
                statistic = f"p{tail.group(1)}" if tail else column.statistic
                return Meaning(column.quantity, column.unit, statistic, column.scale)
        return None

    def cells(
        self, content: Content, where: tuple[int, list[str]], names: list[str], remedy: str
    ) -> Iterator[dict[str, object]]:
        """Quantity, unit, statistic and value of every known column of a row.

        Parameters
        ----------
        content : Content
            The file, for its refusals.
        where : tuple of int and list of str
            Number of the line and its words.
        names : list of str
            Names of the columns.
        remedy : str
            What to do about a damaged row, as an order.

        Raises
        ------
        MeasurementError
            The row has more or fewer words than names, or one that is no number.
        """
        number, words = where
        if len(words) != len(names):
            raise content.error(
                f"there are {len(words)} values for {len(names)} column names", remedy, number
            )
        for name, word in zip(names, words, strict=True):
            meaning = self.meaning(name)
            if meaning is not None:
                value = content.number(word, number, remedy) * meaning.scale
                if not math.isfinite(value):
                    raise content.error(f"`{word[:40]}` is too large", remedy, number)
                yield {"quantity": meaning.quantity, "unit": meaning.unit,
                       "statistic": meaning.statistic, "value": value}  # fmt: skip
