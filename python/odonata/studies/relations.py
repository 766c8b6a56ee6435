"""Relations: how a simulated quantity is compared with what is published.

Every relation takes the value of the quantity, the cell ``published`` and the cell ``tolerance``,
and says whether it holds and how far the two are apart.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from odonata.core.errors import suggestion
from odonata.studies import numbers
from odonata.studies.claims import StudyError
from odonata.studies.numbers import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a relation says.

    Parameters
    ----------
    holds : bool
        Whether it does.
    deviation : str
        How far the two are apart, in words or a number.
    """

    holds: bool
    deviation: str


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far two numbers may be apart.

    Parameters
    ----------
    size : float
        In the unit of the quantity, or a share of what is published.
    is_share : bool
        Which of them.
    """

    size: float
    is_share: bool

    @classmethod
    def of(cls, text: str) -> Tolerance:
        """A tolerance such as ``10%`` or ``0.5``; nothing is 0.

        Raises
        ------
        StudyError
            It is neither.
        """
        found = re.fullmatch(r"(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(%?)", text or "0")
        if found is None or not math.isfinite(float(found[1])):
            raise StudyError(f"`{text}` is not a tolerance; write 10% for a share of what is "
                             "published, or 0.5 in its unit.")  # fmt: skip
        share = bool(found[2])
        return cls(float(found[1]) / (100.0 if share else 1.0), share)

    def around(self, published: float) -> float:
        """How far from a published number another may be."""
        return self.size * (abs(published) if self.is_share else 1.0)


def _number(value: Value) -> float:
    if isinstance(value, list):
        raise StudyError("the quantity is a list; this relation takes one number.")
    if not math.isfinite(value):
        raise StudyError("the quantity is not a finite number.")
    return value


def _list(value: Value) -> list[float]:
    if not isinstance(value, list) or len(value) < 2:
        raise StudyError("this relation takes a list of two numbers or more: [a, b, c].")
    return [_number(one) for one in value]


def _two_lists(value: Value) -> tuple[list[float], list[float]]:
    if not isinstance(value, list) or len(value) != 2:
        raise StudyError("this relation takes two lists: [[1, 2, 3], [a, b, c]].")
    first, second = _list(value[0]), _list(value[1])
    if len(first) != len(second):
        raise StudyError(f"its lists have {len(first)} and {len(second)} numbers, but must have "
                         "the same length.")  # fmt: skip
    return first, second


def _shift(value: float, published: float) -> str:
    if published == 0.0:
        return f"{value - published:+.4g}"
    return f"{100 * (value / published - 1):+.1f} %" if value != published else "0 %"


def _pairs(value: Value, published: Value) -> list[tuple[float, float]]:
    """Numbers that are compared with each other: lists one by one, or each with the one number."""
    if not isinstance(value, list):
        return [(_number(value), _number(published))]
    found = [_number(one) for one in numbers.flat(value)]
    wanted = numbers.flat(published)
    wanted = wanted if isinstance(published, list) else wanted * len(found)
    if not found or len(wanted) != len(found):
        raise StudyError(
            f"{len(found)} numbers are compared with {len(wanted)}; give the same number of both."
        )
    return list(zip(found, wanted, strict=True))


def _every(
    value: Value, published: Value, tolerance: str, fits: Callable[[float, float, float], bool]
) -> Compared:
    """Whether every number fits; of several the deviation that is farthest off is told."""
    given = Tolerance.of(tolerance)
    pairs = _pairs(value, published)
    fitting = [fits(found, wanted, given.around(wanted)) for found, wanted in pairs]
    worst = max(pairs, key=lambda pair: abs(pair[0] - pair[1]) / (abs(pair[1]) or 1.0))
    counts = f"{sum(fitting)} of {len(pairs)}, worst " if len(pairs) > 1 else ""
    return Compared(holds=all(fitting), deviation=counts + _shift(*worst))


def _value(value: Value, published: Value, tolerance: str) -> Compared:
    def fits(found: float, wanted: float, room: float) -> bool:
        # What is written with few digits is not missed by what rounding leaves.
        return abs(found - wanted) <= room + 1e-12 * abs(wanted)

    return _every(value, published, tolerance, fits)


def _at_most(value: Value, published: Value, tolerance: str) -> Compared:
    return _every(value, published, tolerance, lambda found, wanted, room: found <= wanted + room)


def _at_least(value: Value, published: Value, tolerance: str) -> Compared:
    return _every(value, published, tolerance, lambda found, wanted, room: found >= wanted - room)


def _within(value: Value, published: Value, tolerance: str) -> Compared:
    found, ends = _number(value), _list(published)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise StudyError("`within` takes two ends, such as [100, 2560].")
    room = [Tolerance.of(tolerance).around(end) for end in ends]
    holds = ends[0] - room[0] <= found <= ends[1] + room[1]
    if ends[0] <= found <= ends[1]:
        return Compared(holds=holds, deviation="inside")
    return Compared(holds=holds, deviation=_shift(found, ends[0 if found < ends[0] else 1]))


def _ratio(value: Value, published: Value, tolerance: str) -> Compared:
    found, wanted = _number(value), _number(published)
    if found <= 0.0 or wanted <= 0.0:
        raise StudyError("`ratio` compares positive numbers.")
    given = Tolerance.of(tolerance)
    most = 1.0 + given.size if given.is_share else max(given.size, 1.0)
    factor = found / wanted
    return Compared(holds=1.0 / most <= factor <= most, deviation=f"{factor:.3g} times")


_SIGNS = {"+": 1, "-": -1, "0": 0}


def _sign(value: Value, published: str, tolerance: str) -> Compared:
    if published not in _SIGNS:
        raise StudyError(f"a sign is +, - or 0, not `{published}`.")
    given = Tolerance.of(tolerance)
    values = [_number(one) for one in numbers.flat(value)]
    signs = [0 if abs(one) <= given.size else (1 if one > 0 else -1) for one in values]
    right = sum(one == _SIGNS[published] for one in signs)
    return Compared(holds=right == len(signs), deviation=f"{right} of {len(signs)}")


def _order(value: Value, published: str, tolerance: str) -> Compared:
    del published  # says in words what the list has in its order
    values, room = _list(value), Tolerance.of(tolerance)
    right = sum(a < b + room.around(b) for a, b in itertools.pairwise(values))
    return Compared(holds=right == len(values) - 1, deviation=f"{right} of {len(values) - 1} steps")


def _least(value: Value, published: str, tolerance: str) -> Compared:
    del published
    values, room = _list(value), Tolerance.of(tolerance)
    place = 1 + sum(one + room.around(one) < values[0] for one in values[1:])
    return Compared(holds=place == 1, deviation=f"place {place} of {len(values)}")


def _largest(value: Value, published: str, tolerance: str) -> Compared:
    return _least([-one for one in _list(value)], published, tolerance)


def _monotone(value: Value, published: str, tolerance: str) -> Compared:
    if published not in ("rising", "falling"):
        raise StudyError(f"`monotone` is rising or falling, not `{published}`.")
    values, room = _list(value), Tolerance.of(tolerance)
    if published == "falling":
        values = values[::-1]
    right = sum(a <= b + room.around(a) for a, b in itertools.pairwise(values))
    is_more = values[-1] > values[0]
    return Compared(holds=right == len(values) - 1 and is_more,
                    deviation=f"{right} of {len(values) - 1} steps")  # fmt: skip


def _rank_correlation(value: Value, published: str, tolerance: str) -> Compared:
    if published not in ("+", "-"):
        raise StudyError(f"a rank correlation is published as + or -, not `{published}`.")
    found = numbers.rank_correlation(*_two_lists(value))
    least = Tolerance.of(tolerance or "0.5").size
    return Compared(holds=_SIGNS[published] * found >= least, deviation=f"{found:+.2f}")


def _crossing(value: Value, published: Value, tolerance: str) -> Compared:
    at, differences = _two_lists(value)
    ends = _list(published)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise StudyError("`crossing` takes the two ends between which it lies, such as [1, 10].")
    room = Tolerance.of(tolerance)
    changes = [
        place for place in range(len(at) - 1)
        if (differences[place] > 0.0) != (differences[place + 1] > 0.0)
    ]  # fmt: skip
    if len(changes) != 1:
        return Compared(holds=False, deviation=f"{len(changes)} crossings")
    left = changes[0]
    a, b = differences[left], differences[left + 1]
    where = at[left] + (at[left + 1] - at[left]) * (a / (a - b))
    if a > b:
        return Compared(holds=False, deviation=f"falls at {where:.3g}")
    holds = ends[0] - room.around(ends[0]) <= where <= ends[1] + room.around(ends[1])
    return Compared(holds=holds, deviation=f"at {where:.3g}")


_OF_NUMBERS: dict[str, Callable[[Value, Value, str], Compared]] = {
    "value": _value, "at-most": _at_most, "at-least": _at_least, "within": _within,
    "ratio": _ratio, "crossing": _crossing,
}  # fmt: skip
_OF_TEXTS: dict[str, Callable[[Value, str, str], Compared]] = {
    "sign": _sign, "order": _order, "least": _least, "largest": _largest, "monotone": _monotone,
    "rank-correlation": _rank_correlation,
}  # fmt: skip
"""Where what is published is a word or a sentence."""

MEANINGS = {
    "value": "equal to the number within the tolerance; two lists are compared element by element",
    "at-most": "no more than the number, for every element of a list",
    "at-least": "no less than the number, for every element of a list",
    "within": "between two numbers, [low, high]",
    "ratio": "the number, within a factor: 15% or 2",
    "sign": "every number has the sign +, - or 0; within the tolerance it counts as 0",
    "order": "the numbers of the list increase",
    "least": "the first number of the list is the smallest",
    "largest": "the first number of the list is the largest",
    "monotone": "the list is rising or falling and never turns by more than the tolerance",
    "rank-correlation": (
        "of two lists: the sign of their correlation, + or -, whose size is at "
        "least the tolerance (default: 0.5)"
    ),
    "crossing": "the second of two lists rises through 0 once, where the first is in [low, high]",
}
NAMES = tuple(MEANINGS)


def takes_number(name: str) -> bool:
    """Whether what is published is a number or an expression, not a text.

    Raises
    ------
    StudyError
        There is no such relation.
    """
    if name not in MEANINGS:
        raise StudyError(f"there is no relation `{name}`.{suggestion(name, NAMES)}")
    return name in _OF_NUMBERS


def compare(name: str, value: Value, published: Value | str, tolerance: str) -> Compared:
    """Whether a relation holds.

    Parameters
    ----------
    name : str
        One of :data:`NAMES`.
    value : Value
        What was simulated.
    published : Value or str
        What is published.
    tolerance : str
        How far they may be apart.

    Raises
    ------
    StudyError
        The relation is unknown, or cannot take what it is given.

    Examples
    --------
    >>> compare("value", 5.137, 5.12, "2%")
    Compared(holds=True, deviation='+0.3 %')
    >>> compare("order", [1.0, 3.0, 2.0], "a < b < c", "").deviation
    '1 of 2 steps'
    """
    if not takes_number(name):
        return _OF_TEXTS[name](value, str(published), tolerance)
    if isinstance(published, str):
        raise StudyError(f"`{name}` compares with a number, not with `{published}`.")
    return _OF_NUMBERS[name](value, published, tolerance)
