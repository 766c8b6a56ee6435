"""Placebos: the quantity of a claim with its cause taken away, which must not agree."""

from __future__ import annotations

import re

from odonata.studies.claims import StudyError

_ARROW = re.compile(r"\s*(<->|->)\s*")


def without_cause(quantity: str, placebo: str) -> str:
    """The text of a quantity in which a placebo has exchanged parts.

    Parameters
    ----------
    quantity : str
        Expression of a claim.
    placebo : str
        Exchanges with ``;`` between them: ``OLD -> NEW``, or ``ONE <-> OTHER`` for both ways.
        They are made at once, so that none reads what another has written.

    Raises
    ------
    StudyError
        It is no exchange, or the quantity does not have what it exchanges.

    Examples
    --------
    >>> without_cause('mean("a") / mean("b")', '"a" <-> "b"')
    'mean("b") / mean("a")'
    """
    found: dict[str, str] = {}
    for part in placebo.split(";"):
        sides = _ARROW.split(part.strip())
        if len(sides) != 3 or not sides[0] or sides[0] == sides[2]:
            raise StudyError(f"`{part.strip()}` is no exchange; write `OLD -> NEW`, or "
                             "`ONE <-> OTHER`.")  # fmt: skip
        old, arrow, new = sides
        if old not in quantity:
            raise StudyError(f"the quantity has no `{old}`.")
        found[old] = new
        if arrow == "<->":
            found[new] = old
    longest_first = sorted(found, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda one: found[one[0]], quantity)
