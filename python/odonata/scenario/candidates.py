"""Combinations of a sweep one by one, and scenarios of chosen ones with chosen seeds.

A sweep refuses a scenario of which one combination cannot run. Here such a combination is left out
with its reason, unless a value can run in no combination: then it is a mistake in the file.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from odonata.core.errors import ScenarioError
from odonata.scenario.axes import Axis, axes_of
from odonata.scenario.document import Document, Key, dotted
from odonata.scenario.model import Point, Points, Scenario
from odonata.scenario.resolve import name_of, seed_of, seeds_of

MOST = 1000
"""Combinations that can be told apart one by one."""

CANDIDATE, SEED = "candidate", "seed"
"""Keys of a scenario of chosen combinations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A combination of swept values.

    Parameters
    ----------
    number : int
        Its place; 0 is the scenario as it stands.
    label : str
        Its values in a few words.
    values : dict
        Value by swept key, as far as the scenario has one.
    point : Point
        Its run with the scenario's own seed.
    """

    number: int
    label: str
    values: dict[str, Any]
    point: Point


@dataclass(slots=True)
class Candidates:
    """The combinations of a scenario.

    Parameters
    ----------
    document : Document
        The scenario.
    every : list of Candidate
        Those that can be resolved and differ; the first is the scenario as it stands.
    refused : dict
        Why others are left out, by label.
    axes : tuple of str
        Swept keys.
    """

    document: Document
    every: list[Candidate]
    refused: dict[str, str] = field(default_factory=dict)
    axes: tuple[str, ...] = ()

    def seeds(self, count: int) -> list[int]:
        """Seeds that all combinations have in common."""
        return seeds_of(seed_of(self.document), count)

    def scenario(self, chosen: Mapping[int, Sequence[int]]) -> Scenario:
        """Runs of chosen combinations, as a scenario.

        Parameters
        ----------
        chosen : mapping
            Numbers of replicas, from 0, by number of the candidate.
        """
        seeds = self.seeds(1 + max((max(one, default=0) for one in chosen.values()), default=0))
        points = [
            _replica(self.every[number], replica, seeds[replica])
            for number, replicas in chosen.items()
            for replica in replicas
        ]
        return Scenario(name_of(self.document), _Chosen(self.document, points), (CANDIDATE, SEED),
                        max(map(len, chosen.values()), default=1))  # fmt: skip


def run_name(candidate: Candidate, replica: int) -> str:
    """Name of a run among those of :meth:`Candidates.scenario`."""
    plain = re.sub(r"[^A-Za-z0-9.+-]+", "-", candidate.label).strip("-")[:60]
    return f"{candidate.number:03}-{plain},replica={replica}"


def _replica(candidate: Candidate, replica: int, seed: int) -> Point:
    point = candidate.point
    return Point(
        run_name(candidate, replica), {CANDIDATE: candidate.label, SEED: seed},
        {**point.config, "seed": seed}, {**point.resolved, "seed": seed}, point.document,
        candidate.number,
    )  # fmt: skip


class _Chosen(Points):
    """Runs that are given one by one."""

    def __init__(self, document: Document, points: Sequence[Point]) -> None:
        super().__init__(document, ())
        self._points = list(points)

    def __len__(self) -> int:
        return len(self._points)

    @property
    def names(self) -> Sequence[str]:
        return tuple(point.name for point in self._points)

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Point, ...]: ...
    def __getitem__(self, index: int | slice) -> Point | tuple[Point, ...]:
        found = self._points[index]
        return tuple(found) if isinstance(found, list) else found

    def __iter__(self) -> Iterator[Point]:
        return iter(self._points)


def candidates(document: Document, *, fixed: Sequence[Key] = ()) -> Candidates:
    """Combinations of the sweep of a scenario, the scenario as it stands in front.

    Parameters
    ----------
    document : Document
        With its sweep.
    fixed : sequence of Key
        Swept keys that keep the value that the scenario has.

    Raises
    ------
    ScenarioError
        The scenario as it stands is wrong, or a value that is swept, or there is nothing to choose.
    """
    axes = [axis for axis in axes_of(document) if axis.target not in fixed]
    if not axes:
        raise document.error(
            (), "there is nothing to choose from; list values under [sweep], such as "
            '"routing.algorithm" = ["minimal", "par"].'
        )  # fmt: skip
    if any(axis.is_seed for axis in axes):
        raise document.error(
            ("sweep", "seed"), "seeds are not chosen from: every candidate runs with the same; "
            "leave this out."
        )  # fmt: skip
    own = {dotted(axis.target): _own(document, axis.target) for axis in axes}
    point = Point.of(document)
    as_it_stands = {key: value for key, value in own.items() if value is not None}
    found = Candidates(document, [], {}, tuple(own))
    seen = {_canonical(point): 0}
    # The values of the sweep name the scenario as it stands, if they have it.
    found.every.append(Candidate(number=0, label="as it stands", values=as_it_stands, point=point))
    _add(found, axes, seen)
    _tell_apart(found)
    return found


def _add(found: Candidates, axes: Sequence[Axis], seen: dict[str, int]) -> None:
    count = 1
    for axis in axes:
        count *= len(axis.values)
    if count > MOST:
        raise found.document.error(
            ("sweep",), f"{count} candidates are more than {MOST}; list fewer values."
        )
    errors: dict[tuple[int, ...], ScenarioError] = {}
    for places in itertools.product(*(range(len(axis.values)) for axis in axes)):
        values = [(axis, axis.values[at]) for axis, at in zip(axes, places, strict=True)]
        named = {dotted(axis.target): value for axis, value in values}
        label = ", ".join(map(in_words, named.values()))
        try:
            point = Point.of(found.document.changed_copy(
                [(axis.target, value, axis.origin) for axis, value in values]
            ))  # fmt: skip
        except ScenarioError as error:
            errors[places] = error
            found.refused[label] = str(error)
            continue
        number = seen.setdefault(_canonical(point), len(found.every))
        one = Candidate(number=number, label=label, values=named, point=point)
        if number == len(found.every):
            found.every.append(one)
        elif number == 0 and found.every[0].label == "as it stands":
            found.every[0] = one
        else:
            found.refused[label] = f"it is the same as {found.every[number].label}."
    _raise_mistakes(axes, errors)


def _raise_mistakes(
    axes: Sequence[Axis], errors: Mapping[tuple[int, ...], ScenarioError]
) -> None:  # fmt: skip
    """A value that can be run in no combination is a mistake, not a candidate."""
    for place, axis in enumerate(axes):
        others = 1
        for other, one in enumerate(axes):
            others *= 1 if other == place else len(one.values)
        for value in range(len(axis.values)):
            wrong = [error for at, error in errors.items() if at[place] == value]
            if len(wrong) == others:
                raise wrong[0]


def _tell_apart(found: Candidates) -> None:
    """Labels that two candidates share get the last words of their keys."""
    labels = [one.label for one in found.every]
    for place, one in enumerate(found.every):
        if labels.count(one.label) > 1:
            parts = [f"{key.rpartition('.')[2]} {in_words(value)}"
                     for key, value in one.values.items()]  # fmt: skip
            label = f"{one.number}: {', '.join(parts)}"
            found.every[place] = Candidate(
                number=one.number, label=label, values=one.values, point=one.point
            )


def _canonical(point: Point) -> str:
    return json.dumps(point.config, sort_keys=True)


def _own(document: Document, target: Key) -> Any:  # noqa: ANN401 - any TOML value
    """What the scenario says for a key; ``None`` if nothing."""
    here: Any = document.data
    for part in target:
        if isinstance(here, list) and isinstance(part, str):
            here = next((one for one in here if isinstance(one, dict) and one.get("name") == part),
                        None)  # fmt: skip
        elif isinstance(here, list):
            here = here[part] if isinstance(part, int) and part < len(here) else None
        else:
            here = here.get(part) if isinstance(here, dict) else None
    return here


_NAMED_BY = ("algorithm", "kind", "preset", "name", "monitor")


def in_words(value: Any) -> str:  # noqa: ANN401 - any TOML value
    """A swept value in a few words.

    Examples
    --------
    >>> in_words("par"), in_words({"algorithm": "ugal-node", "bias": 4}), in_words([1, "a"])
    ('par', 'ugal-node bias=4', '1 a')
    """
    if isinstance(value, dict):
        named = next((name for name in _NAMED_BY if name in value), "")
        rest = [f"{name}={in_words(one)}" for name, one in value.items() if name != named]
        return " ".join([*([str(value[named])] if named else []), *rest])
    if isinstance(value, list):
        return " ".join(map(in_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
