"""Claims: the rows of ``expected.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata.core import files
from odonata.core.errors import Error, suggestion

EXPECTED = "expected.csv"
_LARGEST = 1 << 22


class StudyError(Error):
    """A study that cannot be read, run or judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a paper, or a measurement, states.

    Parameters
    ----------
    id : str
        Its name, unique among all studies.
    claim : str
        What is stated, in a sentence.
    where : str
        Figure, table or section.
    quantity : str
        Expression over tables of runs; empty if there is none yet.
    unit : str
        Of the quantity and the published value.
    relation : str
        How the two are compared, see :mod:`odonata.studies.relations`.
    published : str
        The published value: a number, an expression over a file, or what the relation takes.
    tolerance : str
        How far they may be apart, such as ``10%`` or ``0.5``.
    assumed : str
        What the paper leaves out and was assumed.
    fitted : str
        What was chosen by looking at this number; such a claim never counts as agreed.
    partly : str
        What is missing of a statement of which only a part is judged.
    input : str
        Which input says what is published, so that no run can say otherwise.
    cannot_fail : str
        Why nothing in these runs could have made it differ.
    cannot : str
        Why it cannot be run; empty if it can.
    authors_code : str
        What the code of the paper's authors gives where that is not what they published.
    reason : str
        Why the two differ, if that is known.
    fact : str
        The claim whose fact it states, too; its own id if it is alone with its fact.
    placebo : str
        What is exchanged in the quantity so that it must not agree, see
        :mod:`odonata.studies.placebo`.
    place : str
        File and line.
    folder : pathlib.Path
        Of its figure.
    """

    id: str
    claim: str
    where: str
    quantity: str = ""
    unit: str = ""
    relation: str = ""
    published: str = ""
    tolerance: str = ""
    assumed: str = ""
    fitted: str = ""
    partly: str = ""
    input: str = ""
    cannot_fail: str = ""
    cannot: str = ""
    authors_code: str = ""
    reason: str = ""
    fact: str = ""
    placebo: str = ""
    place: str = ""
    folder: Path = Path()

    def error(self, column: str, sentence: str) -> StudyError:
        """An error at a cell of the row."""
        return StudyError(f"{self.place}, {self.id}, {column}: {sentence}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Claim):
    """The row of a table: it needs runs as a claim does, and states nothing."""


COLUMNS = (
    "id", "claim", "where", "quantity", "unit", "relation", "published", "tolerance", "assumed",
    "fitted", "partly", "input", "cannot_fail", "cannot", "authors_code",
    "reason", "fact", "placebo",
)  # fmt: skip
_QUALIFYING = ("fitted", "partly", "input", "cannot_fail", "cannot")
"""Columns of which a row fills one at most: each is a verdict of its own."""

_NEEDED = ("id", "claim", "where")


def read(path: Path) -> list[Claim]:
    """The claims of an ``expected.csv``.

    Returns
    -------
    list of Claim
        In file order.

    Raises
    ------
    StudyError
        It cannot be read; a column is unknown or missing; an id is empty or there twice.
    """
    return parsed(text_of(path, f"a study needs a file {EXPECTED}."), path)


def text_of(path: Path, remedy: str) -> str:
    """The text of a table of rows.

    Raises
    ------
    StudyError
        It cannot be read; the error ends with the remedy.
    """
    try:
        return files.read_text(path, most=_LARGEST)
    except UnicodeDecodeError:
        raise StudyError(f"{path}: the file is not UTF-8 text; save it as such.") from None
    except (OSError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise StudyError(f"{path}: {problem}; {remedy}") from None


def parsed(text: str, path: Path) -> list[Claim]:
    """The claims of the text of an ``expected.csv``; `path` says where it is.

    Raises
    ------
    StudyError
        As :func:`read`.
    """
    found = [
        _claim(cells, place, path.parent) for place, cells in rows(text, path, COLUMNS, _NEEDED)
    ]
    seen: dict[str, Claim] = {}
    for claim in found:
        if claim.id in seen:
            raise StudyError(f"{claim.place}: `{claim.id}` is already used in "
                             f"{seen[claim.id].place}; give one of them another id.")  # fmt: skip
        seen[claim.id] = claim
    return found


def _claim(cells: dict[str, str], place: str, folder: Path) -> Claim:
    filled = [name for name in _QUALIFYING if cells.get(name)]
    if len(filled) > 1:
        raise StudyError(f"{place}: `{filled[0]}` and `{filled[1]}` are two verdicts; leave one of "
                         "them empty.")  # fmt: skip
    cells["fact"] = cells.get("fact") or cells["id"]
    return Claim(**cells, place=place, folder=folder)


def rows(
    text: str, path: Path, columns: Sequence[str], needed: Sequence[str]
) -> list[tuple[str, dict[str, str]]]:
    """Places and cells of the rows of a table that people write.

    Parameters
    ----------
    text : str
        The table as CSV, behind lines of comments that begin with ``#``.
    path : pathlib.Path
        The file, for errors.
    columns : sequence of str
        Columns that it may have.
    needed : sequence of str
        Those of them that it must have, and no cell of which is empty.

    Raises
    ------
    StudyError
        A column is unknown, missing or there twice; a row has another number of cells; a needed
        cell is empty.
    """
    said = _comments(text)
    below = "\n".join(text.split("\n")[said:])
    reader = csv.reader(io.StringIO(below), strict=True)
    found: list[tuple[str, dict[str, str]]] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, f"{path}:{said + 1}", columns, needed)
        line = said + reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                place = f"{path}:{line}"
                found.append((place, _cells(header, row, place, needed)))
            line = said + reader.line_num + 1
    except csv.Error as error:
        raise StudyError(f"{path}:{said + reader.line_num}: {error}; correct the quotes.") from None
    return found


def _comments(text: str) -> int:
    """How many lines at the beginning are comments."""
    lines = text.split("\n")
    return next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))


def _check_header(
    header: list[str], place: str, columns: Sequence[str], needed: Sequence[str]
) -> None:
    for name in header:
        if name not in columns:
            raise StudyError(f"{place}: there is no column `{name}`.{suggestion(name, columns)}")
    if len(set(header)) != len(header):
        raise StudyError(f"{place}: a column appears twice; keep one.")
    for name in needed:
        if name not in header:
            raise StudyError(f"{place}: the column `{name}` is missing; the columns are "
                             f"{', '.join(columns)}.")  # fmt: skip


def _cells(header: list[str], row: list[str], place: str, needed: Sequence[str]) -> dict[str, str]:
    if len(row) != len(header):
        raise StudyError(f"{place}: the row has {len(row)} cells and the header {len(header)}; "
                         "put cells that hold commas in quotes.")  # fmt: skip
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
    for name in needed:
        if not cells[name]:
            raise StudyError(f"{place}: `{name}` is empty.")
    return cells
