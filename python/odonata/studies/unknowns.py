"""Unknown inputs: what a paper leaves out, each with the range that it may lie in."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from odonata.core.errors import suggestion
from odonata.studies.claims import StudyError

UNIFORM, LOG = LAWS = ("uniform", "log")
_KNOWN_BY = ("name", "algorithm", "kind")
_SEED = 20_190
"""Of the draws: they are the same for everybody, and more draws begin with another order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """An input that nobody has published.

    Parameters
    ----------
    name : str
        What tables and sentences call it.
    about : str
        What it is.
    keys : tuple of str
        Where it stands in a resolved scenario. A table, or an entry of a list, is known by its
        `name`, `algorithm` or `kind`, too, an entry by its number: ``jobs.0.routing.par.bias``.
    low, high : float
        Ends of the range.
    law : str
        How it is drawn, one of :data:`LAWS`.
    is_whole : bool
        Whether it is a whole number.
    unit : str
        Written behind a number where the scenario has a text, such as ``us``.
    source : str
        Where the range comes from, or ``assumed``.
    """

    name: str
    about: str
    keys: tuple[str, ...]
    low: float
    high: float
    law: str = UNIFORM
    is_whole: bool = False
    unit: str = ""
    source: str = "assumed"

    def at(self, share: float) -> float:
        """The value that so large a share of draws does not exceed."""
        if self.law == LOG:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + (self.high - self.low) * share
        return float(round(value)) if self.is_whole else float(f"{value:.4g}")


def parsed(given: Mapping[str, Any], place: str) -> Unknown:
    """An ``[[unknown]]`` of ``study.toml``.

    Raises
    ------
    StudyError
        It lacks something, or has what is not known.
    """
    where = f"{place}, unknown `{given.get('name', '')}`"
    known = ("name", "about", "keys", "low", "high", "law", "whole", "unit", "source")
    for key in given:
        if key not in known:
            raise StudyError(f"{where}: there is no key `{key}`.{suggestion(key, known)}")
    for key in ("name", "about", "keys", "low", "high", "source"):
        if not given.get(key, "") and given.get(key) != 0:
            raise StudyError(f"{where}: `{key}` is missing.")
    law, (low, high) = given.get("law", UNIFORM), _range(given, where)
    keys = given["keys"]
    if not isinstance(keys, list) or not all(isinstance(one, str) for one in keys):
        raise StudyError(f"{where}: `keys` is a list of texts.")
    return Unknown(
        name=str(given["name"]), about=str(given["about"]), keys=tuple(keys), low=low, high=high,
        law=law, is_whole=bool(given.get("whole", False)),
        unit=str(given.get("unit", "")), source=str(given["source"]),
    )  # fmt: skip


def _range(given: Mapping[str, Any], where: str) -> tuple[float, float]:
    """The ends of the range of an unknown input, drawn by the law that it names."""
    law, low, high = given.get("law", UNIFORM), given["low"], given["high"]
    if law not in LAWS:
        raise StudyError(f"{where}: `law` is `{law}`.{suggestion(str(law), LAWS)}")
    if not all(type(one) in (int, float) for one in (low, high)) or not low < high:
        raise StudyError(f"{where}: `low` and `high` are numbers, the first the smaller one.")
    if law == LOG and low <= 0:
        raise StudyError(f"{where}: the range of the law `log` begins above 0.")
    return float(low), float(high)


def draws(unknowns: Sequence[Unknown], count: int) -> list[dict[str, float]]:
    """Values of all unknown inputs, so many times.

    Each input has one value in each of `count` parts of its range, in an order of its own (a Latin
    hypercube), so that few draws reach all of every range.
    """
    found: list[dict[str, float]] = [{} for _ in range(count)]
    for number, unknown in enumerate(unknowns):
        stream = np.random.default_rng([_SEED, number])
        shares = (stream.permutation(count) + stream.random(count)) / count
        for one, share in zip(found, shares, strict=True):
            one[unknown.name] = unknown.at(float(share))
    return found


def put(
    resolved: Mapping[str, Any], unknowns: Sequence[Unknown], values: Mapping[str, float]
) -> dict[str, Any]:
    """A resolved scenario with values of unknown inputs; keys that it does not have are left."""
    changed = copy.deepcopy(dict(resolved))
    for unknown in unknowns:
        if unknown.name not in values:
            continue
        for key in unknown.keys:
            *way, last = key.split(".")
            for table in _tables(changed, way):
                if last in table:
                    table[last] = _written(unknown, values[unknown.name], table[last])
    return changed


def there(resolved: Mapping[str, Any], unknowns: Sequence[Unknown]) -> set[str]:
    """Names of the unknown inputs that a resolved scenario has."""
    found = set()
    for unknown in unknowns:
        for key in unknown.keys:
            *way, last = key.split(".")
            found |= {unknown.name for table in _tables(resolved, way) if last in table}
    return found


def _written(unknown: Unknown, value: float, before: object) -> Any:  # noqa: ANN401 - of a scenario
    number = round(value) if unknown.is_whole or math.isclose(value, round(value)) else value
    if isinstance(before, str):
        return f"{number} {unknown.unit}".strip()
    return number


def _tables(here: object, way: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The tables at the end of a way through tables and lists."""
    if not way:
        if isinstance(here, dict):
            yield here
        return
    first, *rest = way
    if isinstance(here, dict) and (first in here or first in _names(here)):
        yield from _tables(here.get(first, here), rest)
    elif isinstance(here, list):
        for place, one in enumerate(here):
            if first == str(place) or first in _names(one):
                yield from _tables(one, rest)


def _names(entry: object) -> list[Any]:
    """What a table is known by."""
    return [entry.get(key) for key in _KNOWN_BY] if isinstance(entry, dict) else []
