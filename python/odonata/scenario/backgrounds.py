"""Named background loads: one TOML file each in ``odonata/scenario/data/backgrounds``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from odonata.core.errors import InternalError, suggestion
from odonata.scenario.document import Document, Key

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
    folder = resources.files("odonata") / "scenario" / "data" / "backgrounds"
    found = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            try:
                background = Background(**data)
            except TypeError as wrong:
                raise InternalError(f"background {file.name}: {wrong}") from None
            found[background.name] = background
    return found


def expanded(workload: object, document: Document, key: Key) -> object:
    """``workload`` with the content of the background it names, its own keys first.

    Parameters
    ----------
    workload : object
        As written.
    document : Document
        For messages.
    key : Key
        Where it stands.

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
