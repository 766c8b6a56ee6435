"""What a study says of itself: the file ``study.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from odonata.core import files
from odonata.core.errors import suggestion
from odonata.studies import tables, unknowns
from odonata.studies.claims import StudyError
from odonata.studies.tables import Table
from odonata.studies.unknowns import Unknown

ABOUT, PAGE = "study.toml", "README.md"
PAPER, OTHER, BENCHMARK, MACHINE, QUESTION = (
    "paper", "other-paper", "benchmark", "machine", "question",
)  # fmt: skip
KINDS = (PAPER, OTHER, BENCHMARK, MACHINE, QUESTION)
"""What the claims of a study are of, the key `kind` of its `study.toml`; a paper without one."""

_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the ``study.toml`` of a study says, which it need not have.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`. Claims of a kind are counted together.
    page : str
        Its page, from its folder.
    families : dict
        Last parts of ids that share a row of a matrix, with the heads of their columns.
    tables : tuple of Table
        What stands beside the claims.
    unknowns : tuple of Unknown
        Inputs that nobody has published.
    fit : str
        The claim that values of unknown inputs have to agree with; empty if there is none.
    """

    kind: str = PAPER
    page: str = PAGE
    families: dict[str, str] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    fit: str = ""


def read(folder: Path) -> About:
    """What the ``study.toml`` of a folder says.

    Raises
    ------
    StudyError
        It cannot be understood.
    """
    path = folder / ABOUT
    if not path.is_file():
        return About()
    try:
        given = tomllib.loads(files.read_text(path, most=_LARGEST))
    except (OSError, ValueError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise StudyError(f"{path}: {problem}; write TOML.") from None
    tables.known(given, ("kind", "page", "families", "table", "unknown", "fit"), str(path))
    kind = given.get("kind", PAPER)
    if kind not in KINDS:
        raise StudyError(f"{path}: `kind` is `{kind}`.{suggestion(str(kind), KINDS)}")
    found = tuple(tables.parsed(one, str(path), folder) for one in given.get("table", []))
    if len({one.name for one in found}) != len(found):
        raise StudyError(f"{path}: two tables have the same name; give one of them another.")
    unknown = tuple(unknowns.parsed(one, str(path)) for one in given.get("unknown", []))
    families = tables.texts(given.get("families", {}), f"{path}, families")
    return About(kind=kind, page=str(given.get("page", PAGE)), families=families, tables=found,
                 unknowns=unknown, fit=str(given.get("fit", "")))  # fmt: skip
