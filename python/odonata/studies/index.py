"""Where studies are: every folder with an ``expected.csv`` below one folder."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from odonata.core.errors import suggestion
from odonata.studies import claims, conclusions
from odonata.studies.about import About, read
from odonata.studies.claims import EXPECTED, Claim, Row, StudyError
from odonata.studies.conclusions import CONCLUSIONS, Conclusion


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
    about : About
        What its ``study.toml`` says.
    """

    name: str
    folder: Path
    figures: dict[str, list[Claim]] = field(default_factory=dict)
    about: About = field(default_factory=About)

    @property
    def claims(self) -> list[Claim]:
        """All of them."""
        return [claim for figure in self.figures.values() for claim in figure]


class StudyIndex:
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
        self._homes = {claim.id: study for study in self.studies.values() for claim in study.claims}
        for study in self.studies.values():
            _check_facts(study.claims)

    @cached_property
    def readers(self) -> dict[str, Claim]:
        """Everything that reads runs: claims, and rows of tables."""
        rows = [
            row for study in self.studies.values() for table in study.about.tables
            for row in table.reads(study.name)
        ]  # fmt: skip
        return self.claims | {row.id: row for row in rows}

    @cached_property
    def conclusions(self) -> dict[str, Conclusion]:
        """Those of the folder, and of each study, by id.

        Raises
        ------
        StudyError
            One cannot be understood, or an id is there twice.
        """
        homes: dict[Path, str | None] = {self.folder: None}
        homes |= {study.folder: name for name, study in self.studies.items()}
        ids = {name: [one.id for one in study.claims] for name, study in self.studies.items()}
        found: dict[str, Conclusion] = {}
        for folder, study in homes.items():
            path = folder / CONCLUSIONS
            for one in conclusions.read(path, study, ids) if path.exists() else []:
                if one.id in found:
                    raise one.error("id", f"it is already used in {found[one.id].place}; give one "
                                    "of them another id.")  # fmt: skip
                found[one.id] = one
        return found

    def concluded(self, words: Sequence[str]) -> list[Conclusion]:
        """Conclusions by study, id or pattern; all of none.

        Raises
        ------
        StudyError
            A word fits nothing.
        """
        every = self.conclusions
        for word in words:
            if not any(_names(one, word) for one in every.values()):
                names = [*dict.fromkeys(one.study for one in every.values()), *every]
                near = suggestion(word, names).partition(" Valid:")[0]
                raise StudyError(f"there is no conclusion of `{word}`, nor one that is called so."
                                 f"{near} `odonata study conclusions` lists all.")  # fmt: skip
        return [
            one for one in every.values()
            if not words or any(_names(one, word) for word in words)
        ]  # fmt: skip

    def _add(self, path: Path) -> None:
        inside = path.parent.relative_to(self.folder).parts
        name = inside[0] if inside else self.folder.resolve().name
        place = self.folder / inside[0] if inside else self.folder
        if name not in self.studies:
            self.studies[name] = Study(name, place, about=read(place))
        study = self.studies[name]
        study.figures["/".join(inside[1:])] = claims.read(path)

    def of_kind(self, kind: str) -> dict[str, Study]:
        """Studies of a kind, by name."""
        return {name: study for name, study in self.studies.items() if study.about.kind == kind}

    def study_of(self, claim: Claim) -> Study:
        """The study that a claim, or the row of a table, belongs to."""
        name = claim.id.partition("/")[0]
        return self.studies[name] if isinstance(claim, Row) else self._homes[claim.id]

    def chosen(self, patterns: Sequence[str]) -> list[Claim]:
        """Claims by id, by pattern (``kang-fig4*``) or by folder (``kang2022/fig4a``); all of none.

        Raises
        ------
        StudyError
            A word fits nothing.
        """
        return [one for one in self.needing(patterns) if not isinstance(one, Row)]

    def needing(self, patterns: Sequence[str]) -> list[Claim]:
        """Chosen claims, and the rows of tables: those of a file only if the table is named.

        Raises
        ------
        StudyError
            A word fits nothing.
        """
        if not patterns:
            return [*self.claims.values(), *self._shown_rows(self.studies.values())]
        found: dict[str, Claim] = {}
        for pattern in patterns:
            fitting = self._fitting(pattern.rstrip("/"))
            if not fitting:
                names = [*self.claims, *self.studies]
                near = suggestion(pattern, names).partition(" Valid:")[0]
                raise StudyError(f"there is no claim, study, figure or table `{pattern}`.{near} "
                                 "`odonata study list` lists all.")  # fmt: skip
            found |= {claim.id: claim for claim in fitting}
        return [claim for claim in self.readers.values() if claim.id in found]

    def _fitting(self, pattern: str) -> list[Claim]:
        if pattern in self.claims:
            return [self.claims[pattern]]
        if pattern in self.studies:
            study = self.studies[pattern]
            return [*study.claims, *self._shown_rows([study])]
        for study in self.studies.values():
            for figure, found in study.figures.items():
                if pattern == f"{study.name}/{figure}":
                    return found
        every = self.readers.values()
        return [
            one for one in every
            if fnmatch.fnmatchcase(one.id, pattern) or one.id.rpartition("/")[0] == pattern
        ]  # fmt: skip

    def _shown_rows(self, studies: Iterable[Study]) -> list[Claim]:
        return [
            row for study in studies for table in study.about.tables if not table.file
            for row in table.reads(study.name)
        ]  # fmt: skip


def _check_facts(found: Sequence[Claim]) -> None:
    """Raise unless the facts of a study are those of its claims."""
    facts = {claim.id: claim.fact for claim in found}
    for claim in found:
        if claim.fact not in facts:
            near = suggestion(claim.fact, facts).partition(" Valid:")[0]
            raise claim.error("fact", f"the study has no claim `{claim.fact}`.{near}")
        if facts[claim.fact] != claim.fact:
            raise claim.error("fact", f"`{claim.fact}` states the fact of `{facts[claim.fact]}`; "
                              "name that one.")  # fmt: skip


def _names(one: Conclusion, word: str) -> bool:
    """Whether a word of the user means a conclusion."""
    return word.rstrip("/") == one.study or fnmatch.fnmatchcase(one.id, word)


def _natural(path: Path) -> list[tuple[str, int]]:
    """Order in which ``fig2`` comes before ``fig10``."""
    parts = re.findall(r"(\D*)(\d*)", path.as_posix())
    return [(text, int(number or 0)) for text, number in parts]
