"""Where studies are: every folder with an ``expected.csv`` below one folder."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from odonata.core import files
from odonata.core.errors import suggestion
from odonata.studies import claims
from odonata.studies.claims import EXPECTED, Claim, StudyError

ABOUT = "study.toml"
PAPER, BENCHMARK, MACHINE, QUESTION = "paper", "benchmark", "machine", "question"
KINDS = (PAPER, BENCHMARK, MACHINE, QUESTION)
"""What the claims of a study are of, the key `kind` of its `study.toml`; a paper without one."""

_LARGEST = 1 << 20


@dataclass(slots=True)
class Study:
    """A paper, or whatever else states something: its figures share runs and results.

    Parameters
    ----------
    name : str
        Of its folder.
    folder : pathlib.Path
        Where its results are.
    figures : dict
        Claims by figure, in the order of the folders; the empty name is the folder itself.
    kind : str
        One of :data:`KINDS`. Claims of a kind are counted together.
    """

    name: str
    folder: Path
    figures: dict[str, list[Claim]] = field(default_factory=dict)
    kind: str = PAPER

    @property
    def claims(self) -> list[Claim]:
        """All of them."""
        return [claim for figure in self.figures.values() for claim in figure]


class Shelf:
    """The studies below a folder.

    Parameters
    ----------
    folder : pathlib.Path
        Holds a folder for each study, or is one.

    Raises
    ------
    StudyError
        There is none, or one cannot be read, or an id is there twice.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.studies: dict[str, Study] = {}
        if not folder.is_dir():
            raise StudyError(f"{folder}: there is no such folder; give the folder of the studies "
                             "with --studies DIR.")  # fmt: skip
        for path in sorted(folder.rglob(EXPECTED), key=_natural):
            self._add(path)
        if not self.studies:
            raise StudyError(f"{folder}: no folder in it has a file {EXPECTED}.")
        self.claims: dict[str, Claim] = {}
        for claim in (one for study in self.studies.values() for one in study.claims):
            there = self.claims.get(claim.id)
            if there is not None:
                raise StudyError(f"{claim.place}: `{claim.id}` is already used in {there.place}; "
                                 "give one of them another id.")  # fmt: skip
            self.claims[claim.id] = claim

    def _add(self, path: Path) -> None:
        inside = path.parent.relative_to(self.folder).parts
        name = inside[0] if inside else self.folder.resolve().name
        place = self.folder / inside[0] if inside else self.folder
        if name not in self.studies:
            self.studies[name] = Study(name, place, kind=_kind(place / ABOUT))
        study = self.studies[name]
        study.figures["/".join(inside[1:])] = claims.read(path)

    def of_kind(self, kind: str) -> dict[str, Study]:
        """Studies of a kind, by name."""
        return {name: study for name, study in self.studies.items() if study.kind == kind}

    def study_of(self, claim: Claim) -> Study:
        """The study that a claim belongs to."""
        return next(study for study in self.studies.values() if claim in study.claims)

    def chosen(self, patterns: Sequence[str]) -> list[Claim]:
        """Claims by id, by pattern (``kang-fig4*``) or by folder (``kang2022/fig4a``); all of none.

        Raises
        ------
        StudyError
            A word fits nothing.
        """
        if not patterns:
            return list(self.claims.values())
        found: dict[str, Claim] = {}
        for pattern in patterns:
            fitting = self._fitting(pattern.rstrip("/"))
            if not fitting:
                names = [*self.claims, *self.studies]
                near = suggestion(pattern, names).partition(" Valid:")[0]
                raise StudyError(f"there is no claim, study or figure `{pattern}`.{near} "
                                 "`odonata study list` lists all.")  # fmt: skip
            found |= {claim.id: claim for claim in fitting}
        return [claim for claim in self.claims.values() if claim.id in found]

    def _fitting(self, pattern: str) -> list[Claim]:
        if pattern in self.claims:
            return [self.claims[pattern]]
        for study in self.studies.values():
            for figure, found in study.figures.items():
                if pattern == f"{study.name}/{figure}":
                    return found
            if pattern == study.name:
                return study.claims
        return [claim for claim in self.claims.values() if fnmatch.fnmatchcase(claim.id, pattern)]


def _kind(path: Path) -> str:
    """The key `kind` of a `study.toml`, which a study need not have."""
    if not path.is_file():
        return PAPER
    try:
        found = tomllib.loads(files.read_text(path, most=_LARGEST)).get("kind", PAPER)
    except (OSError, ValueError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise StudyError(f"{path}: {problem}; write TOML.") from None
    if found not in KINDS:
        raise StudyError(f"{path}: `kind` is `{found}`.{suggestion(str(found), KINDS)}")
    return str(found)


def _natural(path: Path) -> list[tuple[str, int]]:
    """Order in which ``fig2`` comes before ``fig10``."""
    parts = re.findall(r"(\D*)(\d*)", path.as_posix())
    return [(text, int(number or 0)) for text, number in parts]
