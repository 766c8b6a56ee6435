"""Tables for terminals of any width: labels are whole, columns of numbers give way, and say so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich import box
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Kind = Literal["label", "prose", "number", "time"]
Cell = str | float | tuple[float, float] | None
"""Text as it stands, a number, the two ends of an interval, or nothing."""

_LEAST_PROSE = 18
"""Columns of a terminal below which sentences are not squeezed."""

_LONGEST_LABEL = 60
"""A longer one goes on in the next line."""

_TIMES = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))

_DUST = 1e-12
"""Share of the largest number of a column below which another one is what rounding has left."""

_DUST_NS = 5e-4
"""The simulator counts picoseconds."""


def plain(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, without an exponent.

    Examples
    --------
    >>> plain(0.000312), plain(15.57), plain(48_300.0), plain(0.0), plain(-2.0)
    ('0.000312', '15.6', '48300', '0', '-2.00')
    """
    if not value or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    decimals = digits - 1 - math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    return f"{value:.{min(max(decimals, 0), 12)}f}"


@dataclass(slots=True)
class _Column:
    name: str
    kind: Kind
    format: str
    is_kept: bool = False
    cells: list[Cell] = field(default_factory=list)
    peers: list[_Column] = field(default_factory=list)

    def texts(self) -> tuple[str, list[str]]:
        """Heading and cells."""
        scale, unit = self._unit()
        heading = f"{self.name} [{unit}]" if unit else self.name
        return heading, [self._text(cell, scale) for cell in self.cells]

    def _numbers(self) -> list[float]:
        """Of all columns that have the same unit."""
        cells = (cell for column in self.peers for cell in column.cells)
        parts = (cell if isinstance(cell, tuple) else (cell,) for cell in cells)
        found = (float(one) for part in parts for one in part if isinstance(one, float | int))
        return [abs(one) for one in found if math.isfinite(one)]

    def _unit(self) -> tuple[float, str]:
        """Of times: the largest of which the middle one of the numbers has at least one."""
        if self.kind != "time":
            return 1.0, ""
        numbers = sorted(one for one in self._numbers() if one > self._dust())
        if not numbers:
            return (1.0, "ns") if self._numbers() else (1.0, "")
        middle = numbers[len(numbers) // 2]
        unit, scale = next((found for found in _TIMES if middle >= found[1]), _TIMES[-1])
        return scale, unit

    def _dust(self) -> float:
        least = _DUST_NS if self.kind == "time" else 0.0
        return max(least, _DUST * max(self._numbers(), default=0.0))

    def _text(self, cell: Cell, scale: float) -> str:
        if cell is None or isinstance(cell, str):
            return cell or ""
        if isinstance(cell, tuple):
            return " to ".join(self._text(one, scale) for one in cell)
        if math.isnan(cell):
            return ""
        if isinstance(cell, int) and scale == 1.0:
            return format(cell, self.format)
        value = 0.0 if abs(cell) <= self._dust() else cell / scale
        text = format(value, self.format) if self.format else plain(value)
        return text if set(text) & set("123456789") else text.lstrip("+-")


class Listing:
    """A table whose labels are never shortened.

    What has no room next to them is left out from the right, column by column, and named below the
    table. If not even the columns that are kept (or one column of numbers) fit, every row becomes a
    block of lines. Times in columns that are added together have one unit, which stands in their
    headings.

    Parameters
    ----------
    title : str
        Above it; none if empty.
    all_in : str
        Where everything is, as the end of a sentence about what is left out.
    has_header : bool
        Whether the columns have headings.

    Examples
    --------
    >>> table = Listing("Jobs").labels("job").times("alone").numbers("slowdown", form=".2f")
    >>> table.row("halo", 15_570.0, 1.5)
    >>> table.print(Console(width=40))  # doctest: +NORMALIZE_WHITESPACE
    Jobs
    <BLANKLINE>
     job    alone [us]   slowdown
     ────────────────────────────
     halo         15.6       1.50
    <BLANKLINE>
    """

    def __init__(self, title: str = "", *, all_in: str = "", has_header: bool = True) -> None:
        self._title = title
        self._all_in = all_in
        self._has_header = has_header
        self._columns: list[_Column] = []

    def __len__(self) -> int:
        """Rows."""
        return len(self._columns[0].cells) if self._columns else 0

    def labels(self, *names: str) -> Listing:
        """Columns that say what a row is; nothing of them is cut off."""
        return self._add(names, "label", "")

    def prose(self, *names: str) -> Listing:
        """Columns of sentences; they are wrapped."""
        return self._add(names, "prose", "")

    def numbers(self, *names: str, form: str = "", kept: bool = False) -> Listing:
        """Columns of numbers in Python's form, or with three digits; the kept ones never go."""
        return self._add(names, "number", form, kept=kept)

    def times(self, *names: str, kept: bool = False) -> Listing:
        """Columns of times in ns; each gets a unit. The kept ones never go."""
        return self._add(names, "time", "", kept=kept)

    def _add(self, names: Iterable[str], kind: Kind, form: str, *, kept: bool = False) -> Listing:
        added = [_Column(name, kind, form, kept) for name in names]
        for column in added:
            column.peers = added if kind == "time" else [column]
        self._columns += added
        return self

    def row(self, *cells: Cell) -> None:
        """One more row."""
        for column, cell in zip(self._columns, cells, strict=True):
            column.cells.append(cell)

    def print(self, console: Console) -> None:
        """Print it as wide as the terminal is; as wide as it must be where there is none."""
        made = [(column, *column.texts()) for column in self._columns]
        numbers = [one for one in made if one[0].kind in ("number", "time")]
        numbers.sort(key=lambda one: not one[0].is_kept)
        most = len(numbers) - max(1, sum(one[0].is_kept for one in numbers))
        for left_out in range(max(most, 0) + 1):
            dropped = [id(one[0]) for one in numbers[len(numbers) - left_out :]]
            kept = [one for one in made if id(one[0]) not in dropped]
            table = self._table(kept)
            least = self._least(table, console)
            if least <= console.width or not console.is_terminal:
                if self._title:
                    console.print(Text(self._title, style="bold"))
                self._whole(table, least, console)
                self._say([one[1] for one in made if id(one[0]) in dropped], made, console)
                return
        console.print(self._turned(made))

    @staticmethod
    def _whole(table: Table, least: int, console: Console) -> None:
        """Print it at least so wide; a file has no width."""
        before = console.width
        if least > before:
            console.width = least
        console.print(table)
        if least > before:
            console.width = before

    @staticmethod
    def _least(table: Table, console: Console) -> int:
        """Columns without which something of it is cut off."""
        wide = console.options.update(max_width=100_000)
        return Measurement.get(console, wide, table).minimum

    def _table(self, kept: Sequence[tuple[_Column, str, list[str]]]) -> Table:
        table = Table(box=box.SIMPLE_HEAD if self._has_header else None, pad_edge=False,
                      show_header=self._has_header,
                      padding=(0, 1) if self._has_header else (0, 2, 0, 0))  # fmt: skip
        for column, heading, texts in kept:
            lines = [line for text in (heading, *texts) for line in text.split("\n")]
            longest = max((Text(line).cell_len for line in lines), default=0)
            is_prose = column.kind == "prose"
            is_endless = column.kind == "label" and longest > _LONGEST_LABEL
            least = min(longest, _LEAST_PROSE if is_prose else _LONGEST_LABEL)
            words = (word for line in lines for word in line.split())
            word = max((Text(one).cell_len for one in words), default=0)
            table.add_column(
                Text(heading), overflow="fold", no_wrap=not is_prose and not is_endless,
                min_width=max(least, min(word, 2 * _LEAST_PROSE)) if is_prose else least,
                justify="right" if column.kind in ("number", "time") else "left",
            )  # fmt: skip
        for row in zip(*(texts for _, _, texts in kept), strict=True):
            table.add_row(*map(Text, row))
        return table

    def _say(
        self, names: list[str], made: list[tuple[_Column, str, list[str]]], console: Console
    ) -> None:
        """What was left out, and how to see it."""
        if not names:
            return
        needed = self._least(self._table(made), console)
        where = f"; {self._all_in}" if self._all_in else ""
        text = f"Not shown for lack of room: {', '.join(names)}. A terminal of {needed} columns " \
               f"shows them{where}."  # fmt: skip
        console.print(Text(text))

    def _turned(self, made: list[tuple[_Column, str, list[str]]]) -> RenderableType:
        """A block of lines for each row."""
        parts: list[RenderableType] = [Text(self._title, style="bold")] if self._title else []
        for row in range(len(self)):
            if not self._has_header:
                parts += [
                    Padding(Text(texts[row], overflow="fold"), (0, 0, 0, 2 if place else 0))
                    for place, (_, _, texts) in enumerate(made)
                ]
                continue
            block = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
            block.add_column(no_wrap=True)
            block.add_column(overflow="fold")
            for _, heading, texts in made:
                if texts[row]:
                    block.add_row(Text(heading), Text(texts[row]))
            parts += [Text(""), block]
        return Group(*parts, Text("")) if self._has_header else Group(*parts)
