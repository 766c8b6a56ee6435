"""What a reader gets: the bytes of one file, its name, and a way to refuse it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from odonata.core.errors import MeasurementError

MOST_NUMBERS = 1 << 23
"""Numbers of one file at most."""


@dataclass(frozen=True, eq=False)
class Content:
    """One file, from a disk or from an archive.

    Attributes
    ----------
    label : str
        What to call it in tables and messages.
    data : bytes
        Its content, unpacked.
    beside : callable
        Content of a file beside it by name; ``None`` if there is none.
    path : pathlib.Path or None
        The file itself, for libraries that open files; ``None`` inside an archive.
    """

    label: str
    data: bytes
    beside: Callable[[str], bytes | None] = field(default=lambda _: None)
    path: Path | None = None

    @property
    def name(self) -> str:
        """Last part of the label."""
        return PurePosixPath(self.label).name

    @cached_property
    def text(self) -> str | None:
        """The content as text; ``None`` if it is not."""
        if b"\0" in self.data[:65536]:
            return None
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return None

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as text; empty if it is not text."""
        return (self.text or "")[:65536]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number, from 1, and text of every line.

        Returns
        -------
        iterator of (int, str)
            Nothing if the file is not text.
        """
        return enumerate((self.text or "").splitlines(), 1)

    def error(self, problem: str, remedy: str, line: int | None = None) -> MeasurementError:
        """What to raise: where, what, what to do.

        Parameters
        ----------
        problem : str
            What is wrong, as part of a sentence.
        remedy : str
            What to do, as an order.
        line : int, optional
            Where.

        Returns
        -------
        MeasurementError
            Not raised here; its message is one line.
        """
        where = f"{self.label}, line {line}" if line else self.label
        # What is quoted from a file may hold breaks of lines; the message is one line.
        return MeasurementError(f"{where}: {' '.join(problem.split())}; {remedy}.")

    def number(self, word: str, line: int, remedy: str) -> float:
        """A number of a line.

        Parameters
        ----------
        word : str
            What stands in the line.
        line : int
            Number of the line, from 1.
        remedy : str
            What to do if it is no number, as an order.

        Returns
        -------
        float
            Finite.

        Raises
        ------
        MeasurementError
            It is none, or not finite.
        """
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.error(f"`{word[:40]}` is no number", remedy, line)
        return value

    def integer(self, word: str, line: int, remedy: str) -> int:
        """A whole number of a line that fits into 64 bits.

        Parameters
        ----------
        word : str
            What stands in the line.
        line : int
            Number of the line, from 1.
        remedy : str
            What to do if it is no whole number, as an order.

        Returns
        -------
        int
            Between -2^63 and 2^63, both excluded.

        Raises
        ------
        MeasurementError
            It is none.
        """
        value = self.number(word, line, remedy)
        if value != int(value) or abs(value) >= 2**63:
            raise self.error(f"`{word[:40]}` is no whole number of 64 bits", remedy, line)
        return int(value)
