"""Which series of two frames are the same thing: by name, or as someone says."""

from __future__ import annotations

import shlex
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from odonata.core.errors import MeasurementError, suggestion

_SHOWN = 8
"""Names of a side in a message."""

_SAME = {"comm_time": "latency"}
"""Quantities that are one: the time of a call, as applications and as benchmarks name it."""


class Key(NamedTuple):
    """What series must agree in to be compared."""

    series: str | None
    condition: str | None
    quantity: str | None
    unit: str | None
    bytes: int | None


def matched(first: Iterable[Key], second: Iterable[Key]) -> list[tuple[Key, Key]]:
    """Pairs of keys that mean the same.

    Series, unit and size agree, the quantity does or is `comm_time` on one side and `latency` on
    the other, and so does the condition, or one side does not state it.

    Returns
    -------
    list of tuple of Key
        In the order of the first side; a key without a condition may have several partners.
    """
    others: dict[Hashable, list[Key]] = {}
    for key in second:
        others.setdefault(_loose(key), []).append(key)
    found = []
    for key in first:
        partners = others.get(_loose(key), [])
        exact = [one for one in partners if one.condition == key.condition]
        open_ones = [one for one in partners if None in (one.condition, key.condition)]
        found += [(key, one) for one in _nearest(key, exact or open_ones)]
    return found


def _loose(key: Key) -> Hashable:
    return key.series, _SAME.get(key.quantity or "", key.quantity), key.unit, key.bytes


def _nearest(key: Key, partners: list[Key]) -> list[Key]:
    """Those of the very quantity, if there are any."""
    return [one for one in partners if one.quantity == key.quantity] or partners


def renamed(
    frame: pl.DataFrame, against: pl.DataFrame, pairs: Sequence[str]
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The second frame with the names that its series have in the first.

    Parameters
    ----------
    frame, against : polars.DataFrame
        In the form.
    pairs : sequence of str
        ``FIRST=SECOND``: series of the first and of the second frame that are the same thing.

    Returns
    -------
    tuple of polars.DataFrame and dict of str to str
        The second frame, with a series under each name that it was given; and which series of the
        second frame a name of the first stands for.

    Raises
    ------
    MeasurementError
        There is no ``=``, or no such series.
    """
    here, there = names(frame), names(against)
    chosen = dict(_split(pair, here, there) for pair in pairs)
    taken = set(chosen.values()) | set(chosen)
    parts = [against.filter(~pl.col("series").is_in(list(taken)))]
    parts += [
        against.filter(pl.col("series") == second).with_columns(series=pl.lit(first))
        for first, second in chosen.items()
    ]
    return pl.concat(parts), chosen


def names(frame: pl.DataFrame) -> list[str]:
    """Names of the series of a frame, in order."""
    return [str(name) for name in frame["series"].drop_nulls().unique(maintain_order=True)]


def _split(pair: str, here: list[str], there: list[str]) -> tuple[str, str]:
    """Both names of a pair; names may hold `=`, too."""
    places = [at for at, letter in enumerate(pair) if letter == "="]
    if not places:
        raise MeasurementError(
            f"`{pair}` names one series; say which two are the same: --match FIRST=SECOND."
        )
    ways = [(pair[:at].strip(), pair[at + 1 :].strip()) for at in places]
    for first, second in ways:
        if first in here and second in there:
            return first, second
    first, second = ways[0]
    side, name, known = ("first", first, here) if first not in here else ("second", second, there)
    raise MeasurementError(
        f"--match: there is no series `{name}` on the {side} side.{suggestion(name, known[:40])}"
    )


def unmatched(frame: pl.DataFrame, against: pl.DataFrame, keys: Mapping[str, Iterable[Key]]) -> str:
    """Why nothing is on both sides, and what to type.

    Parameters
    ----------
    frame, against : polars.DataFrame
        In the form, names as they are compared.
    keys : mapping of str to iterable of Key
        What can be compared of the ``first`` and the ``second`` side.

    Returns
    -------
    str
        Part of a sentence that lists both sides.
    """
    sides = {side: list(some) for side, some in keys.items()}
    for side, some in sides.items():
        if not some:
            return (f"the {side} side has no times and no bandwidths, so that nothing can be "
                    "compared; give files of benchmarks or runs")  # fmt: skip
    here, there = names(frame), names(against)
    known = {key.series for some in sides.values() for key in some}
    common = [name for name in here if name in there and name in known]
    lists = f"the first side has {_listed(here)}; the second has {_listed(there)}"
    if not common:
        return f"no series is on both sides: {lists}; {hint(here, there)}"
    first, second = (_described(common[0], sides[side]) for side in ("first", "second"))
    return (
        f"no series is on both sides with the same quantity and size: `{common[0]}` has {first} on "
        f"the first side and {second} on the second; measure or simulate the same sizes, or say "
        "which other series are the same with --match FIRST=SECOND"
    )


def hint(here: Sequence[str], there: Sequence[str]) -> str:
    """What to type so that two series that share no name are compared."""
    first, second = _likely(here, there)
    pair = shlex.quote(f"{first}={second}")
    return f"if two of them are the same test, pair them: --match {pair}"


def _likely(here: Sequence[str], there: Sequence[str]) -> tuple[str, str]:
    """Names that share a word, such as `MPI Allreduce Latency Test` and `allreduce`."""
    for first in here:
        for second in there:
            one, other = (_plain(first), _plain(second))
            if one and other and (one in other or other in one):
                return first, second
    return (here or ["FIRST"])[0], (there or ["SECOND"])[0]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _listed(known: Sequence[str]) -> str:
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return (", ".join(f"`{name}`" for name in known[:_SHOWN]) + more) or "none"


def _described(name: str, keys: Iterable[Key]) -> str:
    """Quantities, conditions and sizes that a series has."""
    mine = [key for key in keys if key.series == name]
    if not mine:
        return "no times"
    quantities = dict.fromkeys(str(key.quantity) for key in mine)
    sizes = sorted({key.bytes for key in mine if key.bytes is not None})
    conditions = dict.fromkeys(str(key.condition) for key in mine if key.condition is not None)
    shown = ", ".join(map(str, sizes[:_SHOWN])) + (", ..." if len(sizes) > _SHOWN else "")
    return " ".join(
        [f"{', '.join(quantities)} of", f"{shown} B" if sizes else "no stated size",
         *([f"({', '.join(conditions)})"] if conditions else [])]
    )  # fmt: skip
