"""Claims: the rows of ``expected.csv``."""

from __future__ import annotations

import csv
import io
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
    reason : str
        Why the two differ, if that is known.
    fact : str
        The claim whose fact it states, too; its own id if it is alone with its fact.
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
    reason: str = ""
    fact: str = ""
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
    "fitted", "partly", "input", "cannot_fail", "cannot", "reason", "fact",
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
    try:
        text = files.read_text(path, most=_LARGEST)
    except UnicodeDecodeError:
        raise StudyError(f"{path}: the file is not UTF-8 text; save it as such.") from None
    except (OSError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise StudyError(f"{path}: {problem}; a study needs a file {EXPECTED}.") from None
    return parsed(text, path)


def parsed(text: str, path: Path) -> list[Claim]:
    """The claims of the text of an ``expected.csv``; `path` says where it is.

    Raises
    ------
    StudyError
        As :func:`read`.
    """
    said = _comments(text)
    below = "\n".join(text.split("\n")[said:])
    rows = csv.reader(io.StringIO(below), strict=True)
    found: list[Claim] = []
    try:
        header = [name.strip() for name in next(rows, [])]
        _check_header(header, f"{path}:{said + 1}")
        line = said + rows.line_num + 1
        for row in rows:
            if any(cell.strip() for cell in row):
                found.append(_claim(header, row, path, line))
            line = said + rows.line_num + 1
    except csv.Error as error:
        raise StudyError(f"{path}:{said + rows.line_num}: {error}; correct the quotes.") from None
    seen: dict[str, Claim] = {}
    for claim in found:
        if claim.id in seen:
            raise StudyError(f"{claim.place}: `{claim.id}` is already used in "
                             f"{seen[claim.id].place}; give one of them another id.")  # fmt: skip
        seen[claim.id] = claim
    return found


def _comments(text: str) -> int:
    """How many lines at the beginning are comments."""
    lines = text.split("\n")
    return next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))


def _check_header(header: list[str], place: str) -> None:
    for name in header:
        if name not in COLUMNS:
            raise StudyError(f"{place}: there is no column `{name}`.{suggestion(name, COLUMNS)}")
    if len(set(header)) != len(header):
        raise StudyError(f"{place}: a column appears twice; keep one.")
    for name in _NEEDED:
        if name not in header:
            raise StudyError(f"{place}: the column `{name}` is missing; the columns are "
                             f"{', '.join(COLUMNS)}.")  # fmt: skip


def _claim(header: list[str], row: list[str], path: Path, line: int) -> Claim:
    place = f"{path}:{line}"
    if len(row) != len(header):
        raise StudyError(f"{place}: the row has {len(row)} cells and the header {len(header)}; "
                         "put cells that hold commas in quotes.")  # fmt: skip
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
    for name in _NEEDED:
        if not cells[name]:
            raise StudyError(f"{place}: `{name}` is empty.")
    filled = [name for name in _QUALIFYING if cells.get(name)]
    if len(filled) > 1:
        raise StudyError(f"{place}: `{filled[0]}` and `{filled[1]}` are two verdicts; leave one of "
                         "them empty.")  # fmt: skip
    cells["fact"] = cells.get("fact") or cells["id"]
    return Claim(**cells, place=place, folder=path.parent)
