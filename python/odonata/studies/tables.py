"""Tables: numbers of many runs that a study shows or writes beside its claims.

A ``[[table]]`` of ``study.toml`` has rows, which give names their texts, and columns, whose texts
and quantities use the names in braces.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata.core import files
from odonata.core.errors import suggestion
from odonata.studies import numbers
from odonata.studies.claims import Row, StudyError
from odonata.studies.expression import Quantity
from odonata.studies.measures import NoNumberError
from odonata.studies.records import write_table
from odonata.studies.sources import NotRunError, Sources
from odonata.studies.verdicts import shown

_LARGEST = 1 << 22
_DEEPEST = 8
_MOST_ROWS = 10_000
_NAME = re.compile(r"\{([A-Za-z_]\w*)\}")
_NONE = "-"
"""Where there is no number, such as an interval that the values do not support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column.

    Parameters
    ----------
    head : str
        Its name.
    text : str
        What it says of a row; empty if it has a quantity.
    quantity : str
        Number or list of numbers of a row.
    form : str
        How these are shown, a format such as ``{:.1f} ± {:.1f} %``.
    """

    head: str
    text: str = ""
    quantity: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table.

    Parameters
    ----------
    name : str
        Under which a page and ``odonata study run`` know it.
    title : str
        Its heading on a page that has no place for it.
    columns : tuple of Column
        Of every row.
    rows : tuple of dict
        The texts of the names.
    file : str
        Under which it is written as CSV instead of shown; empty if it is shown.
    place : str
        The file that it stands in.
    folder : pathlib.Path
        Of the study.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[dict[str, str], ...]
    file: str
    place: str
    folder: Path

    def error(self, sentence: str) -> StudyError:
        """An error in the table."""
        return StudyError(f"{self.place}, table `{self.name}`: {sentence}")

    def reads(self, study: str) -> Iterator[Row]:
        """What the rows read of runs."""
        for number, names in enumerate(self.rows, 1):
            filled = [self._filled(one.quantity, names) for one in self.columns]
            cells = ", ".join(text for text in filled if text)
            yield Row(
                id=f"{study}/{self.name}/{number}", claim=self.title, where=self.name,
                quantity=f"[{cells}]" if cells else "", place=self.place, folder=self.folder,
            )  # fmt: skip

    def lines(self, sources: Sources) -> list[str]:
        """The table as Markdown; what was not run says so."""
        heads = [one.head for one in self.columns]
        rows = [[self._shown(one, names, sources) for one in self.columns] for names in self.rows]
        return [line(heads), "|---" * len(heads) + "|", *map(line, rows)]

    def write(self, sources: Sources, folder: Path) -> Path:
        """Write the file; a row whose runs were not all made stays as it was.

        Returns
        -------
        pathlib.Path
            What was written.
        """
        heads = [one.head for one in self.columns]
        keys = [place for place, one in enumerate(self.columns) if not one.quantity]
        found = {
            tuple(row[key] for key in keys): row for row in self._before(self.folder / self.file)
        }
        found |= {tuple(row[key] for key in keys): row for row in self.exact(sources)}
        write_table(folder / self.file, heads, list(found.values()))
        return folder / self.file

    def exact(self, sources: Sources) -> Iterator[list[str]]:
        """The rows whose runs were all made, with all digits."""
        for names in self.rows:
            try:
                yield [self._exact(one, names, sources) for one in self.columns]
            except NotRunError:
                continue

    def asked(self) -> Iterator[tuple[dict[str, str], list[Quantity]]]:
        """The texts of each row by the heads of their columns, and its quantities."""
        for names in self.rows:
            said = {one.head: self._filled(one.text, names) for one in self.columns if one.text}
            filled = [self._filled(one.quantity, names) for one in self.columns]
            yield said, [Quantity(text) for text in filled if text]

    def _before(self, path: Path) -> list[list[str]]:
        rows = list(csv.reader(io.StringIO(_text(path)))) if path.exists() else []
        if rows and rows[0] != [one.head for one in self.columns]:
            raise self.error(f"{path} has other columns; remove it, or name another file.")
        return rows[1:]

    def _filled(self, text: str, names: Mapping[str, str]) -> str:
        """A text with all names replaced, those in what replaces them too."""
        for _ in range(_DEEPEST):
            asked = set(_NAME.findall(text))
            if not asked:
                return text
            for name in asked - set(names):
                raise self.error(f"there is no name `{name}`.{suggestion(name, names)}")
            text = _NAME.sub(lambda found: names[found[1]], text)
        raise self.error(f"names stand in each other more than {_DEEPEST} deep; write them out.")

    def _cell(
        self, column: Column, names: Mapping[str, str], sources: Sources
    ) -> str | list[float]:
        """The text of a cell, or its numbers."""
        text = self._filled(column.quantity, names)
        if not text:
            return self._filled(column.text, names)
        try:
            value = Quantity(text).value(lambda reading: sources.value(reading, self.folder))
        except NotRunError:
            raise
        except NoNumberError:
            return [math.nan]
        except StudyError as error:
            raise self.error(f"column `{column.head}`: {error}") from None
        return numbers.flat(value)

    def _shown(self, column: Column, names: Mapping[str, str], sources: Sources) -> str:
        try:
            found = self._cell(column, names, sources)
        except NotRunError:
            return "not run"
        if isinstance(found, str):
            return found
        if any(math.isnan(one) for one in found):
            return _NONE
        try:
            return column.form.format(*found) if column.form else ", ".join(map(shown, found))
        except (IndexError, KeyError, ValueError, AttributeError) as error:
            raise self.error(f"column `{column.head}`: `{column.form}` does not fit {len(found)} "
                             f"numbers ({error}); write it as {{:.2f}}.") from None  # fmt: skip

    def _exact(self, column: Column, names: Mapping[str, str], sources: Sources) -> str:
        found = self._cell(column, names, sources)
        if isinstance(found, str):
            return found
        if len(found) != 1:
            raise self.error(f"column `{column.head}`: a file has one number in a cell, not "
                             f"{len(found)}.")  # fmt: skip
        return "" if math.isnan(found[0]) else repr(found[0]).removesuffix(".0")


def line(cells: Iterable[str]) -> str:
    """A row of a table, as Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def parsed(given: Mapping[str, Any], place: str, folder: Path) -> Table:
    """A ``[[table]]`` of ``study.toml``.

    Raises
    ------
    StudyError
        It lacks something, or has a key that is not known.
    """
    name = str(given.get("name", ""))
    where = f"{place}, table `{name}`"
    known(given, ("name", "title", "rows", "columns", "names", "file"), where)
    if not re.fullmatch(r"[\w-]+", name):
        raise StudyError(f"{where}: `name` is letters, digits and dashes.")
    columns = [_column(one, where) for one in _list(given.get("columns"), f"{where}, columns")]
    axes = [_axis(one, folder, where) for one in _list(given.get("rows", [[{}]]), f"{where}, rows")]
    if math.prod(map(len, axes)) > _MOST_ROWS:
        raise StudyError(f"{where}: it has more than {_MOST_ROWS} rows; divide it.")
    shared = texts(given.get("names", {}), where)
    rows = [
        shared | {name: text for part in parts for name, text in part.items()}
        for parts in itertools.product(*axes)
    ]
    return Table(
        name=name, title=str(given.get("title", name)), columns=tuple(columns), rows=tuple(rows),
        file=str(given.get("file", "")), place=place, folder=folder,
    )  # fmt: skip


def known(given: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    """Refuse keys that mean nothing.

    Raises
    ------
    StudyError
        There is one.
    """
    for key in given:
        if key not in keys:
            raise StudyError(f"{where}: there is no key `{key}`.{suggestion(key, keys)}")


def _list(given: object, where: str) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise StudyError(f"{where}: give a list that is not empty.")
    return given


def texts(given: object, where: str) -> dict[str, str]:
    """Names with a text or a number each.

    Raises
    ------
    StudyError
        It is something else.
    """
    if not isinstance(given, dict) or any(isinstance(one, dict | list) for one in given.values()):
        raise StudyError(f"{where}: names have texts or numbers, such as {{ flows = 4 }}.")
    return {name: str(text) for name, text in given.items()}


def _column(given: object, where: str) -> Column:
    found = texts(given, where)
    known(found, ("head", "text", "quantity", "form"), where)
    if not found.get("head") or ("text" in found) == ("quantity" in found):
        raise StudyError(f"{where}: a column has a `head`, and a `text` or a `quantity`.")
    return Column(**found)


def _axis(given: object, folder: Path, where: str) -> list[dict[str, str]]:
    """Rows of one list, or of a file."""
    if isinstance(given, str):
        return list(csv.DictReader(io.StringIO(_text(folder / given))))
    return [texts(one, where) for one in _list(given, f"{where}, rows")]


def _text(path: Path) -> str:
    try:
        return files.read_text(path, most=_LARGEST)
    except (OSError, UnicodeDecodeError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise StudyError(f"{path}: {problem}; rows are read from a CSV file.") from None
