"""Counters by the machine's names, as the simulator describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from odonata.core import native

_TILE = re.compile(r"^(?:cray_npu:::)?AR_RTR_(?:PT_)?\d_\d_")
"""What stands before the name of a counter of one tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """A counter, or a row of counters whose names differ by a number.

    Attributes
    ----------
    name : str
        Its name; of a row, with all its numbers.
    names : tuple of str
        All names of the row.
    place : str
        Where it is: a network tile, a processor tile, a NIC.
    unit : str
        What one step stands for.
    meaning : str
        What it is in the model.
    hardware : str
        What the hardware counts.
    differs : str
        Where the two differ; empty if that is not known.
    is_derived : bool
        It is made from counters of the machine.
    counts : bool
        False if it is always 0.
    """

    name: str
    names: tuple[str, ...]
    place: str
    unit: str
    meaning: str
    hardware: str
    differs: str
    is_derived: bool
    counts: bool


def _span(pattern: str, labels: list[str]) -> str:
    """The name of a row, with its numbers as a span or one by one; further ones are ``n``."""
    numbers = [int(label) for label in labels if label.isdecimal()]
    follow = len(numbers) == len(labels) and numbers == list(range(len(labels)))
    shown = f"0..{len(labels) - 1}" if follow else "{" + ",".join(labels) + "}"
    first, _, rest = pattern.partition("{}")
    return first + shown + rest.replace("{}", "n") if labels else pattern


@lru_cache(maxsize=1)
def counters() -> tuple[Counter, ...]:
    """Every counter that the simulator knows, by place."""
    return tuple(
        Counter(
            name=_span(row["pattern"], row["labels"]),
            names=tuple(row["names"]),
            place=row["place"],
            unit=row["unit"],
            meaning=row["meaning"],
            hardware=row["hardware"],
            differs=row["differs"],
            is_derived=row["derived"],
            counts=row["counts"],
        )
        for row in native.registry()["counters"]
    )


def find(name: str) -> list[Counter]:
    """Counters of that name: a row, one of a row, or one of a tile with the tile in front.

    Parameters
    ----------
    name : str
        Such as ``INQ_PRF_ROWBUS_STALL_CNT`` or ``AR_RTR_0_3_INQ_PRF_ROWBUS_STALL_CNT``.

    Returns
    -------
    list of Counter
        One for each kind of place that has it; empty if there is none.
    """
    bare = _TILE.sub("", name)
    return [one for one in counters() if name == one.name or bare in one.names]
