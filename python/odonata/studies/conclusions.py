"""Conclusions: the rows of ``conclusions.csv``, and what the verdicts on claims make of them.

A conclusion is what the readers of a paper take home. Its verdict follows from those of the claims
behind it (:func:`follows`), so that it cannot stay when they change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata.core.errors import suggestion
from odonata.studies import claims, numbers
from odonata.studies.claims import StudyError
from odonata.studies.verdicts import AGREES, AS_CODE, DIFFERS, NOT_RUN, PARTLY, Verdict, shown

CONCLUSIONS = "conclusions.csv"
REPRODUCED, DEPENDS, NOT, OPEN = "reproduced", "depends", "not reproduced", "open"
REFUTED = "refuted"
WORDS = (REPRODUCED, PARTLY, DEPENDS, REFUTED, NOT, OPEN)
_DIFFER = {DIFFERS, AS_CODE}
_REFUTE = 8
"""Draws of unknown inputs in none of which a refuted conclusion holds."""

COLUMNS = (
    "id", "study", "conclusion", "where", "published", "simulated", "verdict", "because", "needs",
    "otherwise",
)  # fmt: skip
_NEEDED = ("id", "conclusion", "where", "needs")
_REFERENCE = re.compile(
    r"\{([^{}:*\[\]\s]+)(?:\[(\d+|min|max)\])?(?:\*([-+.e\d]+))?(?::([^{}]*))?\}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a paper, or a measurement, concludes.

    Parameters
    ----------
    id : str
        Its name, unique among all conclusions.
    study : str
        The study whose claims are behind it.
    conclusion : str
        What is concluded, in a sentence.
    where : str
        Section of the paper.
    published, simulated : str
        The numbers. A claim in braces stands for its simulated number: ``{ID}``, ``{ID:.1%}``,
        ``{ID*1e-3:.1f}``, and of a list ``{ID[0]}``, ``{ID[max]}``.
    verdict : str
        One of :data:`WORDS` as somebody has written it, or nothing. It has to be the one that
        follows.
    because : str
        On what it depends, or what keeps it from being reproduced.
    needs : tuple of str
        Claims that have to agree.
    otherwise : tuple of str
        Claims of the same under other conditions.
    place : str
        File and line.
    """

    id: str
    study: str
    conclusion: str
    where: str
    published: str = ""
    simulated: str = ""
    verdict: str = ""
    because: str = ""
    needs: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    place: str = ""

    @property
    def claims(self) -> tuple[str, ...]:
        """Ids of all claims that it reads."""
        read = (found[1] for text in (self.published, self.simulated)
                for found in _REFERENCE.finditer(text))  # fmt: skip
        return tuple(dict.fromkeys([*self.needs, *self.otherwise, *read]))

    def error(self, column: str, sentence: str) -> StudyError:
        """An error at a cell of the row."""
        return StudyError(f"{self.place}, {self.id}, {column}: {sentence}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """Where claims hold in the ranges of the unknown inputs of a study.

    Parameters
    ----------
    draws, holding : int
        Draws in which all claims were judged, and those in which all agree.
    region : str
        A part of the ranges in which nearly all draws hold; empty if there is none.
    surrounds : bool
        Each claim agrees in a draw, or draws lie on both sides of its number.
    """

    draws: int = 0
    holding: int = 0
    region: str = ""
    surrounds: bool = False

    @property
    def text(self) -> str:
        """The same in words; empty if there was no draw."""
        if not self.draws:
            return ""
        where = f"; it holds {self.region}" if self.region else ""
        return f"it holds in {self.holding} of {self.draws} draws of the unknown inputs{where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is said of a conclusion.

    Parameters
    ----------
    conclusion : Conclusion
        Which.
    verdict : str
        The one of :data:`WORDS` that follows from its claims.
    published, simulated : str
        The numbers, those of claims filled in.
    behind : tuple of Verdict
        Verdicts on the claims that it needs, then on those under other conditions.
    scanned : str
        Over which part of the ranges of unknown inputs it holds; empty if there was no scan.
    """

    conclusion: Conclusion
    verdict: str
    published: str
    simulated: str
    behind: tuple[Verdict, ...]
    scanned: str = ""

    @property
    def contradiction(self) -> str:
        """Why the written verdict is wrong; nothing if it is right or there is none."""
        written = self.conclusion.verdict
        if written in ("", self.verdict):
            return ""
        names = ", ".join(f"{one.claim.id} {one.verdict}" for one in self.behind)
        return (
            f"{self.conclusion.place}: `{self.conclusion.id}` is written `{written}`, and "
            f"`{self.verdict}` follows from {names}; correct `verdict` and `because`."
        )


def read(path: Path, study: str | None, studies: Mapping[str, Sequence[str]]) -> list[Conclusion]:
    """The conclusions of a ``conclusions.csv``.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    study : str or None
        The study in whose folder it is, of rows that name none.
    studies : mapping
        Ids of claims by study.

    Raises
    ------
    StudyError
        A row cannot be understood, or names a study or claim that is not there.
    """
    text = claims.text_of(path, "write a table, or remove it.")
    return [
        _conclusion(cells, place, study, studies)
        for place, cells in claims.rows(text, path, COLUMNS, _NEEDED)
    ]


def _conclusion(
    cells: dict[str, str], place: str, study: str | None, studies: Mapping[str, Sequence[str]]
) -> Conclusion:
    name = cells.pop("study", "") or study or ""
    needs, otherwise = (tuple(cells.pop(key, "").split()) for key in ("needs", "otherwise"))
    found = Conclusion(**cells, study=name, needs=needs, otherwise=otherwise, place=place)
    if name not in studies:
        raise found.error("study", f"there is no study `{name}`.{suggestion(name, studies)}")
    for claim in found.claims:
        if claim not in studies[name]:
            near = suggestion(claim, studies[name]).partition(" Valid:")[0]
            raise found.error("needs", f"`{name}` has no claim `{claim}`.{near} "
                              f"`odonata study list {name}` lists all.")  # fmt: skip
    if found.verdict not in ("", *WORDS):
        raise found.error(
            "verdict", f"`{found.verdict}` is none.{suggestion(found.verdict, WORDS)}"
        )
    if found.verdict in (PARTLY, DEPENDS, REFUTED, NOT) and not found.because:
        raise found.error("because", f"say why it is `{found.verdict}`.")
    return found


def follows(needs: Sequence[Verdict], otherwise: Sequence[Verdict] = ()) -> str:
    """The verdict on a conclusion that follows from those on its claims.

    "open": a claim was not run, or none of those that it needs could be judged. "not reproduced":
    none of them agrees, not even in part, and one differs. "partly": some agree. "depends": all
    agree, and one under other conditions differs. "reproduced": all agree. A claim that was fitted,
    put in, or could not fail does not agree; one that differs as the authors' code does differs.
    """
    if any(one.verdict == NOT_RUN for one in (*needs, *otherwise)):
        return OPEN
    found = {one.verdict for one in needs}
    if found == {AGREES}:
        return DEPENDS if _DIFFER & {one.verdict for one in otherwise} else REPRODUCED
    if found & {AGREES, PARTLY}:
        return PARTLY
    return NOT if found & _DIFFER else OPEN


def judge(
    rows: Iterable[Conclusion], found: Mapping[str, Verdict],
    scans: Mapping[str, Scanned] | None = None,
) -> list[Finding]:  # fmt: skip
    """A finding for each conclusion, from verdicts on claims and from scans, each by id.

    Raises
    ------
    StudyError
        A number of a claim cannot be shown as asked.
    """
    return [_finding(one, found, (scans or {}).get(one.id, Scanned())) for one in rows]


def _finding(one: Conclusion, found: Mapping[str, Verdict], scanned: Scanned) -> Finding:
    verdict = follows([found[name] for name in one.needs], [found[name] for name in one.otherwise])
    if verdict != REPRODUCED and scanned.region:
        verdict = DEPENDS
    if verdict == NOT and scanned.draws >= _REFUTE and not scanned.holding:
        verdict = DEPENDS if scanned.surrounds else REFUTED
    return Finding(
        conclusion=one,
        verdict=verdict,
        published=_filled(one, "published", one.published, found),
        simulated=_filled(one, "simulated", one.simulated, found),
        behind=tuple(found[name] for name in (*one.needs, *one.otherwise)),
        scanned=scanned.text,
    )


def _filled(row: Conclusion, column: str, text: str, found: Mapping[str, Verdict]) -> str:
    """A text with the simulated numbers of claims in the places of their ids."""

    def number(reference: re.Match[str]) -> str:
        name, at, factor, form = reference.groups()
        simulated = found[name].simulated
        if simulated is None:
            return "not run" if found[name].verdict == NOT_RUN else "no number"
        values = numbers.flat(simulated)
        if at in ("min", "max"):
            values = [min(values) if at == "min" else max(values)]
        elif at:
            if int(at) >= len(values):
                raise row.error(column, f"`{name}` has {len(values)} numbers, the first is [0].")
            values = [values[int(at)]]
        try:
            values = [one * float(factor or 1) for one in values]
            texts = [format(one, form).replace("%", " %") if form else shown(one) for one in values]
        except ValueError as error:
            raise row.error(column, f"`{reference[0]}`: {error}; write `{{ID:.2f}}`, "
                            "`{ID:.1%}` or `{ID*1e-3:.1f}`.") from None  # fmt: skip
        return ", ".join(texts)

    return _REFERENCE.sub(number, text)


def counted(found: Iterable[Finding]) -> str:
    """How many there are, and of each verdict, as a sentence."""
    counts = Counter(one.verdict for one in found)
    total = counts.total()
    parts = ", ".join(f"{counts[word]} {word}" for word in WORDS if counts[word])
    return f"{total} conclusion{'s' if total != 1 else ''}: {parts}."
