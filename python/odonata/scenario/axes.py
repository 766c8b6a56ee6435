"""Swept keys of a scenario, and what the runs along them are called."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from odonata.core.errors import ScenarioError
from odonata.scenario.document import Document, Key, split_dotted
from odonata.scenario.resolve import seed_of, seeds_of

SEED: Key = ("seed",)

_LARGEST_SWEEP = 100_000


@dataclass(frozen=True, slots=True)
class Axis:
    """A swept key: what it sets, to what, and where that is written; names of the values.

    Between its values the load at which the network saturates is searched, to within `knee`, if
    that is above 0.
    """

    target: Key
    values: list[Any]
    origin: str
    label: str = ""
    knee: float = 0.0

    @property
    def is_seed(self) -> bool:
        """Whether runs along it differ in nothing but their random numbers."""
        return self.target == SEED


def replica_axis(document: Document, axes: Sequence[Axis], count: int) -> Axis:
    """Replicas as an axis, the last one: each has its seed in every variant."""
    if any(axis.is_seed for axis in axes):
        raise document.error(
            ("replicas",), "a sweep over `seed` makes replicas, too; keep one of them."
        )
    _check_size(document, (count, *(len(axis.values) for axis in axes)), "replicas")
    return Axis(SEED, seeds_of(seed_of(document), count), "replicas", "replica")


def axes_of(document: Document) -> list[Axis]:
    """Swept keys with their values, in file order."""
    table = document.data.get("sweep", {})
    if not isinstance(table, dict):
        raise document.error(("sweep",), 'a sweep is a table: "key" = [values].')
    axes: list[Axis] = []
    for key, given in _flattened(table, ("sweep",)):
        values, knee = _searched(document, key, given) if isinstance(given, dict) else (given, 0.0)
        if not isinstance(values, list) or not values:
            raise document.error(key, "a swept key needs a list of at least one value.")
        target = _swept_key(key, document)
        if target == ("replicas",):
            raise document.error(key, "replicas are not swept; write `replicas = N` at the top.")
        if any(axis.target == target for axis in axes):
            raise document.error(key, "this key is swept twice; keep one.")
        if knee and any(axis.knee for axis in axes):
            raise document.error(key, "one load is searched at a time; keep one `knee`.")
        axes.append(Axis(target, list(values), f"{document.place(key)}, sweep", knee=knee))
    _check_size(document, [len(axis.values) for axis in axes], "sweep")
    return axes


def _check_size(document: Document, lengths: Sequence[int], key: str) -> None:
    count = math.prod(lengths)
    if count > _LARGEST_SWEEP:
        raise document.error(
            (key,), f"{count} runs are more than {_LARGEST_SWEEP}; ask for fewer of them."
        )


def _swept_key(key: Key, document: Document) -> Key:
    try:
        return split_dotted(".".join(str(part) for part in key[1:]))
    except ScenarioError as error:
        raise document.error(key, str(error)) from None


_SEARCH = {"values", "knee"}
"""Keys of a load along which saturation is searched."""

_FINEST = 1e-4
"""Of a search."""


def _searched(document: Document, key: Key, given: Mapping[str, Any]) -> tuple[list[float], float]:
    """Loads of a search and how far it goes."""
    values, knee = given.get("values"), given.get("knee")
    if set(given) != _SEARCH or str(key[-1]).rpartition(".")[2] != "load":
        raise document.error(
            key, "a search needs the load of a job with `values` and `knee` alone, such as "
            '"jobs.0.workload.load" = { values = [0.1, 0.5, 0.9], knee = 0.01 }.'
        )  # fmt: skip
    if not isinstance(knee, float) or not _FINEST <= knee < 1.0:
        raise document.error(
            (*key, "knee"), f"how close the search comes is a load from {_FINEST:g} to 1, such as "
            "0.01."
        )  # fmt: skip
    if not isinstance(values, list) or len({*map(str, values)}) < 2 or not all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in values
    ):  # fmt: skip
        raise document.error((*key, "values"), "a search needs at least two loads to lie between.")
    if "measure" not in document.data:
        raise document.error(
            key, "whether a network is saturated is known of a measured window only; give the "
            "scenario [measure]."
        )  # fmt: skip
    return values, knee


def _flattened(table: Mapping[str, Any], prefix: Key) -> Iterator[tuple[Key, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and _SEARCH.isdisjoint(value):
            yield from _flattened(value, (*prefix, key))
        else:
            yield (*prefix, key), value


def run_name(swept: Mapping[str, Any], number: int, taken: set[str]) -> str:
    """Folder name: ``algorithm=par,seed=1``; numbered where that is too long or not unique."""
    lasts = [str(split_dotted(key)[-1]) for key in swept]
    parts = []
    for last, (key, value) in zip(lasts, swept.items(), strict=True):
        label = last if lasts.count(last) == 1 else key
        if type(value) is int and value >= 0:  # the seeds of 10,000 replicas
            parts.append(f"{label}={value}")
            continue
        text = value if isinstance(value, str) else json.dumps(value)
        parts.append(f"{label}={re.sub(r'[^A-Za-z0-9.+-]+', '-', text).strip('-')}")
    name = ",".join(parts)
    if len(name) > 100 or name in taken:
        name = f"run-{number:05}"
    return name
