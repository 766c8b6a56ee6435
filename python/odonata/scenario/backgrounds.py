"""Named background loads: one TOML file each in ``odonata/scenario/data/backgrounds``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from odonata.core.errors import InternalError, suggestion
from odonata.scenario.document import Document, Key
from odonata.scenario.presets import tables_in

_RATES = ("load", "interval")
"""How much is sent: who says one of them does not mean the other one of the preset."""


@dataclass(frozen=True, slots=True)
class Background:
    """A named background load.

    Parameters
    ----------
    name : str
        As in ``workload.preset``.
    summary : str
        One line.
    source : str
        Where its numbers come from, and which are assumed.
    workload : dict
        Content of ``workload``, without ``ranks``.
    """

    name: str
    summary: str
    source: str
    workload: dict[str, Any]


@lru_cache(maxsize=1)
def backgrounds() -> dict[str, Background]:
    """Every background by name, in alphabetical order."""
    found = {}
    for file, data in tables_in("backgrounds"):
        try:
            found[data["name"]] = Background(**data)
        except (KeyError, TypeError) as wrong:
            raise InternalError(f"background {file}: {wrong}") from None
    return found


def expanded(workload: object, document: Document, key: Key) -> object:
    """``workload`` with the content of the background it names, its own keys first.

    Parameters
    ----------
    workload : object
        As written.

    Returns
    -------
    object
        The same if it names none.

    Raises
    ------
    ScenarioError
        No such background.
    """
    if not isinstance(workload, dict) or "preset" not in workload:
        return workload
    own = {name: value for name, value in workload.items() if name != "preset"}
    name = workload["preset"]
    known = backgrounds()
    if not isinstance(name, str) or name not in known:
        raise document.error(
            (*key, "preset"), f'no background is called "{name}".{suggestion(str(name), known)}'
        )
    base = dict(known[name].workload)
    if any(rate in own for rate in _RATES):
        base = {key: value for key, value in base.items() if key not in _RATES}
    return base | own
