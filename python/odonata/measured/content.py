"""What a reader gets: the bytes of one file, its name, and a way to refuse it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath

from odonata.core.errors import MeasurementError

MOST_NUMBERS = 1 << 23
"""Numbers of one file at most."""

_LABEL = re.compile(
    r"(?:\s*(?:"
    r"\[(?:[\w.-]{1,100}@)?\d+,\d+\](?:\[[\w.:-]{1,100}\])?(?:<std\w{2,3}>)?:"
    r"|\[\d+\](?=\s|$)"
    r"|(?:[A-Za-z][\w.-]{0,100} )?\d+:(?=\s|$)"
    r") ?){1,2}"
)
"""What launchers put in front of a line: Open MPI (`[1,0]<stdout>:`), MPICH and Intel MPI (`[0]`),
Slurm (`0:`), PALS (`x1000c0s0b0n0 0:`); behind it that of the library, Cray MPICH (`PE 0:`)."""


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
    warnings : list of str
        What readers have to say of it, each a sentence that begins with the label.
    """

    label: str
    data: bytes
    beside: Callable[[str], bytes | None] = field(default=lambda _: None)
    path: Path | None = None
    warnings: list[str] = field(default_factory=list)

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

    @cached_property
    def whole(self) -> str:
        """The text without a last line that has no end: the file may be cut short there.

        Empty if it is no text. A text of a single line stays as it is.
        """
        text = self.text or ""
        complete, _, last = text.rpartition("\n")
        if not (complete.strip() and last.strip()):
            return text
        self.warn(
            "the last line has no line break and may be truncated; it is left out",
            complete.count("\n") + 2,
        )
        return f"{complete}\n"

    def lines(
        self, first: re.Pattern[str] | None = None, most: int | None = None
    ) -> Iterator[tuple[int, str]]:
        """Number, from 1, and text of every whole line.

        Parameters
        ----------
        first : re.Pattern, optional
            What lines begin with that belong to a format, such as its titles. The labels that a
            launcher has put in front of such lines are taken off every line. Others stay: a line
            with the label of another rank, or a text that only looks like a label, is no row.
        most : int, optional
            How many lines to look at; by default all.

        Returns
        -------
        iterator of (int, str)
            Nothing if the file is not text.
        """
        found = islice(enumerate(self.whole.splitlines(), 1), most)
        return found if first is None else _without_labels(list(found), first)

    def has(self, first: re.Pattern[str], most: int | None = None) -> bool:
        """Whether a line begins with a pattern, behind the label of a launcher if it has one.

        Parameters
        ----------
        first : re.Pattern
            What the line begins with.
        most : int, optional
            Lines that are looked at; default: all.

        Returns
        -------
        bool
            False if there is none.
        """
        return any(first.match(line) for _, line in self.lines(first, most))

    def warn(self, sentence: str, line: int | None = None) -> None:
        """Keep what a user of the file should know.

        Parameters
        ----------
        sentence : str
            Without a point at its end.
        line : int, optional
            Where.
        """
        self.warnings.append(f"{self._place(line)}: {sentence}.")

    def _place(self, line: int | None) -> str:
        return f"{self.label}, line {line}" if line else self.label

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
        # What is quoted from a file may hold breaks of lines; the message is one line.
        return MeasurementError(f"{self._place(line)}: {' '.join(problem.split())}; {remedy}.")

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
            raise self.error(f"`{word[:40]}` is not a number", remedy, line)
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
            raise self.error(f"`{word[:40]}` is not a 64-bit integer", remedy, line)
        return int(value)


def _without_labels(
    lines: list[tuple[int, str]], first: re.Pattern[str]
) -> Iterator[tuple[int, str]]:
    """Lines without those labels that stand in front of a line that begins with `first`."""
    labelled = [(number, line, _LABEL.match(line)) for number, line in lines]
    labels = {
        label.group().strip()
        for _, line, label in labelled
        if label and first.match(line, label.end())
    }
    for number, line, label in labelled:
        is_label = label is not None and label.group().strip() in labels
        yield number, line[label.end() :] if label and is_label else line
