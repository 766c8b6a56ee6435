"""Verdicts: what is published, what was simulated, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from odonata.core import quantities
from odonata.core.errors import Error
from odonata.studies import numbers, relations
from odonata.studies.claims import Claim, Row, StudyError
from odonata.studies.expression import Quantity, Reading
from odonata.studies.numbers import Value
from odonata.studies.placebo import without_cause
from odonata.studies.records import Record
from odonata.studies.relations import Compared
from odonata.studies.sources import NotRunError, Sources

AGREES, PARTLY, AS_CODE, FITTED, INPUT, CANNOT_FAIL, DIFFERS, NOT_RUN, CANNOT = VERDICTS = (
    "agrees", "partly", "as the authors' code", "fitted", "input", "cannot fail", "differs",
    "not run", "cannot be run",
)  # fmt: skip
"""In the order of tables; only the first counts as agreed."""

_OF_A_FACT = (DIFFERS, AS_CODE, PARTLY, FITTED, INPUT, CANNOT_FAIL, AGREES, NOT_RUN, CANNOT)
"""Which verdict a fact has if those of its claims are not the same: the first that is there."""

UNKNOWN = "not known why"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is said of a claim.

    Parameters
    ----------
    claim : Claim
        Which.
    verdict : str
        One of :data:`VERDICTS`.
    simulated : Value or None
        The quantity, if it is known.
    published : Value or None
        The published number, if it is one.
    deviation : str
        How far the two are apart.
    reason : str
        Why it has another verdict than "agrees".
    runs : tuple of str
        Runs that it rests on.
    other_code : tuple of str
        Those of them whose numbers may have moved: they were made by an engine of another model,
        or of none that is known.
    placebo : Value or None
        The quantity with its cause taken away, of a claim that would agree and names how.
    """

    claim: Claim
    verdict: str
    simulated: Value | None = None
    published: Value | None = None
    deviation: str = ""
    reason: str = ""
    runs: tuple[str, ...] = ()
    other_code: tuple[str, ...] = ()
    placebo: Value | None = None


def judge(claims: Iterable[Claim], sources: Sources) -> list[Verdict]:
    """A verdict for each claim, from what is stored.

    Raises
    ------
    StudyError
        A row cannot be understood; says which, and where.
    """
    return [_verdict(claim, sources) for claim in claims]


@dataclass(frozen=True, slots=True)
class Asked:
    """The expressions of a claim.

    Parameters
    ----------
    quantity : Quantity
        What is simulated.
    published : Quantity or None
        What is published, if that is a number.
    placebo : Quantity or None
        What is simulated with its cause taken away.
    code : Quantity or None
        What the authors' code gives, if that is known and another number.
    """

    quantity: Quantity
    published: Quantity | None = None
    placebo: Quantity | None = None
    code: Quantity | None = None

    @property
    def readings(self) -> list[Reading]:
        """What it takes of runs, each once."""
        more = self.placebo.readings if self.placebo else []
        return list(dict.fromkeys((*self.quantity.readings, *more)))


def checked(claim: Claim) -> Asked | None:
    """The expressions of a claim, if it has a quantity; its other cells have been looked at, too.

    Raises
    ------
    StudyError
        A cell cannot be understood.
    """
    if not claim.quantity:
        return None
    quantity = _cell(claim, "quantity", claim.quantity)
    if isinstance(claim, Row):
        return Asked(quantity)
    placebo = _placebo(claim)
    try:
        is_number = relations.takes_number(claim.relation)
    except StudyError as error:
        raise claim.error("relation", str(error)) from None
    try:
        relations.Tolerance.of(claim.tolerance)
    except StudyError as error:
        raise claim.error("tolerance", str(error)) from None
    if not is_number:
        if claim.authors_code:
            raise claim.error("authors_code", f"`{claim.relation}` is compared with no number; "
                              "leave it empty.")  # fmt: skip
        return Asked(quantity, None, placebo)
    if not claim.published:
        raise claim.error("published", f"`{claim.relation}` needs a number.")
    code = _cell(claim, "authors_code", claim.authors_code) if claim.authors_code else None
    return Asked(quantity, _cell(claim, "published", claim.published), placebo, code)


def _placebo(claim: Claim) -> Quantity | None:
    """The quantity of a claim without its cause, if the claim says how."""
    if not claim.placebo:
        return None
    try:
        return Quantity(without_cause(claim.quantity, claim.placebo))
    except StudyError as error:
        raise claim.error("placebo", str(error)) from None


def _cell(claim: Claim, column: str, text: str) -> Quantity:
    try:
        return Quantity(text)
    except StudyError as error:
        raise claim.error(column, str(error)) from None


def _verdict(claim: Claim, sources: Sources) -> Verdict:
    asked = checked(claim)
    if claim.cannot:
        return Verdict(claim=claim, verdict=CANNOT, reason=claim.cannot)
    if asked is None:
        return Verdict(claim=claim, verdict=NOT_RUN, reason="it has no quantity yet")
    runs = _runs(claim, asked.quantity, sources)
    try:
        simulated = _value(claim, "quantity", asked.quantity, sources)
    except NotRunError as error:
        return Verdict(claim=claim, verdict=NOT_RUN, reason=str(error), runs=tuple(runs))
    published: Value | str = claim.published
    if asked.published is not None:
        published = _value(claim, "published", asked.published, sources)
    found = _compared(claim, "quantity", simulated, published)
    verdict, reason = _said(claim, holds=found.holds)
    if verdict == DIFFERS and asked.code is not None:
        code = _value(claim, "authors_code", asked.code, sources)
        if _differs_alike(claim, simulated, code, published):
            verdict, reason = AS_CODE, claim.reason or f"the authors' code gives {shown(code)}"
    judged = Verdict(
        claim=claim,
        verdict=verdict,
        simulated=simulated,
        published=None if isinstance(published, str) else published,
        deviation=found.deviation,
        reason=reason,
        runs=tuple(runs),
        other_code=tuple(run for run, one in runs.items() if one and not one.is_of_this_model),
    )
    if asked.placebo is None or verdict != AGREES:
        return judged
    return _without_cause(judged, asked.placebo, published, sources)


def _without_cause(
    agreeing: Verdict, placebo: Quantity, published: Value | str, sources: Sources
) -> Verdict:
    """What is left of a verdict once the claim was judged again without its cause."""
    claim = agreeing.claim
    try:
        value = _value(claim, "placebo", placebo, sources)
    except NotRunError as error:
        return replace(agreeing, verdict=NOT_RUN, reason=f"its placebo: {error}")
    if not _compared(claim, "placebo", value, published).holds:
        return replace(agreeing, placebo=value)
    return replace(agreeing, placebo=value, verdict=CANNOT_FAIL,
                   reason=f"its placebo agrees, too ({claim.placebo})")  # fmt: skip


def _compared(claim: Claim, column: str, value: Value, published: Value | str) -> Compared:
    try:
        return relations.compare(claim.relation, value, published, claim.tolerance)
    except StudyError as error:
        raise claim.error(column, str(error)) from None


def _differs_alike(claim: Claim, simulated: Value, code: Value, published: Value | str) -> bool:
    """Whether the authors' code contradicts what they published, and agrees with us."""
    column = "authors_code"
    return (not _compared(claim, column, code, published).holds
            and _compared(claim, column, simulated, code).holds)  # fmt: skip


def _said(claim: Claim, *, holds: bool) -> tuple[str, str]:
    """The verdict of a claim whose relation holds or not, and its reason."""
    if claim.fitted:
        return FITTED, claim.fitted
    if not holds:
        return DIFFERS, claim.reason or UNKNOWN
    qualified = {PARTLY: claim.partly, INPUT: claim.input, CANNOT_FAIL: claim.cannot_fail}
    return next(((word, why) for word, why in qualified.items() if why), (AGREES, ""))


def _value(claim: Claim, column: str, quantity: Quantity, sources: Sources) -> Value:
    try:
        return quantity.value(lambda reading: _in_unit(claim, quantity, reading, sources))
    except NotRunError:
        raise
    except Error as error:
        raise claim.error(column, str(error)) from None


def _in_unit(claim: Claim, quantity: Quantity, reading: Reading, sources: Sources) -> Value:
    """The number of a reading; where nothing is computed with it, in the unit of the claim."""
    value = sources.value(reading, claim.folder)
    unit = sources.unit(reading, claim.folder) if claim.unit and quantity.is_plain else None
    if unit is None:
        return value
    factor = quantities.factor(unit, claim.unit)
    if factor is None:
        raise StudyError(f"`{reading.what}` is in {unit}, and the unit of the claim is "
                         f"`{claim.unit}`; give one to which {unit} can be converted.")  # fmt: skip
    return [one * factor for one in numbers.flat(value)] if isinstance(value, list) \
        else value * factor  # fmt: skip


def _runs(claim: Claim, quantity: Quantity, sources: Sources) -> dict[str, Record | None]:
    try:
        parts = [sources.rests_on(reading, claim.folder) for reading in quantity.readings]
    except Error as error:
        raise claim.error("quantity", str(error)) from None
    return {label: record for part in parts for label, record in part.items()}


def counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many there are of each verdict, in the order of :data:`VERDICTS`."""
    found = Counter(one.verdict for one in verdicts)
    return {name: found[name] for name in VERDICTS}


def counted_facts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many facts there are of each verdict: one agrees if every judged claim of it does."""
    words: dict[str, set[str]] = {}
    for one in verdicts:
        words.setdefault(one.claim.fact, set()).add(one.verdict)
    found = Counter(min(of, key=_OF_A_FACT.index) for of in words.values())
    return {name: found[name] for name in VERDICTS}


def shown(value: Value | None, digits: int = 4) -> str:
    """A value as text."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(shown(one, digits) for one in value)
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"


__all__ = [
    "AGREES", "AS_CODE", "CANNOT", "CANNOT_FAIL", "DIFFERS", "FITTED", "INPUT", "NOT_RUN", "PARTLY",
    "VERDICTS", "Verdict", "checked", "counted", "counted_facts", "judge", "shown",
]  # fmt: skip
