"""Named systems: one TOML file each in ``odonata/scenario/data/presets``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from odonata.core.errors import InternalError, ScenarioError, suggestion

DEFAULT = "dragonfly"
"""Preset whose links, router and packets a system without preset has."""

_COUNT = re.compile(r"[0-9]{1,18}")
_CALL = re.compile(r"\s*([A-Za-z0-9_-]+)\s*(?:\((.*)\))?\s*")


@dataclass(frozen=True, slots=True)
class Published:
    """A number that the operators of a machine publish.

    Parameters
    ----------
    what : str
        In their words.
    value : int or float
        As published: bytes per second, shares as fractions. Of a fraction only the digits that are
        given count.
    key : str
        Where ``odonata topo --json`` has it, such as ``group_kinds.compute.groups``.
    source : str
        Where it is published.
    times : int
        What the number of ``key`` is multiplied by: 2 for one that is published for both
        directions together.
    differs : str
        Why the preset has another number; empty if it has this one.
    """

    what: str
    value: int | float
    key: str
    source: str
    times: int = 1
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named system.

    Parameters
    ----------
    name : str
        As in ``system.preset``.
    summary : str
        One line.
    source : str
        Where its numbers come from.
    parameters : dict
        Letters of a parametric preset, each with the key of ``system`` that it sets.
    system : dict
        Content of ``[system]``.
    published : tuple of Published
        What its operators publish of the machine.
    routings : dict
        Parameters of routings, by algorithm, whose defaults are others in this system.
    routing : dict
        Content of ``[routing]`` where a scenario names no algorithm: what the machine runs in
        production. ``alltoall_routing`` in it is that key of MPI jobs. Empty: none.
    """

    name: str
    summary: str
    source: str
    parameters: dict[str, str]
    system: dict[str, Any]
    published: tuple[Published, ...] = ()
    routings: dict[str, dict[str, Any]] = field(default_factory=dict)
    routing: dict[str, Any] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Name, with the letters of its parameters."""
        letters = ", ".join(self.parameters)
        return f"{self.name}({letters})" if letters else self.name


@lru_cache(maxsize=1)
def presets() -> dict[str, Preset]:
    """Every preset by name, in alphabetical order."""
    found = [_preset(data, file) for file, data in tables_in("presets")]
    return {preset.name: preset for preset in found}


def tables_in(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Files of a folder of ``odonata/scenario/data`` in alphabetical order, and what they hold."""
    files = (resources.files("odonata") / "scenario" / "data" / folder).iterdir()
    for file in sorted(files, key=lambda file: file.name):
        if file.name.endswith(".toml"):
            yield file.name, tomllib.loads(file.read_text(encoding="utf-8"))


def _preset(data: dict[str, Any], file: str) -> Preset:
    try:
        return Preset(
            name=data.pop("name"),
            summary=data.pop("summary"),
            source=data.pop("source"),
            parameters=data.pop("parameters", {}),
            system=data.pop("system"),
            published=tuple(Published(**entry) for entry in data.pop("published", ())),
            routings=data.pop("routings", {}),
            routing=data.pop("routing", {}),
        )
    except KeyError as missing:
        raise InternalError(f"preset {file} lacks {missing}") from None


def find(call: object) -> Preset | None:
    """The preset that ``call`` names, with or without parameters; ``None`` if there is none."""
    match = _CALL.fullmatch(call) if isinstance(call, str) else None
    return presets().get(match[1]) if match else None


def expand(call: str) -> dict[str, Any]:
    """Content of ``[system]`` for a preset, parameters put in.

    Parameters
    ----------
    call : str
        A name, or a parametric one such as ``dragonfly(4, 8, 4, 33)`` or
        ``dragonfly(p=4, a=8, h=4, g=33)``.

    Returns
    -------
    dict
        A copy that may be changed.

    Raises
    ------
    ScenarioError
        No such preset, or wrong parameters. The text lacks file and line.
    """
    match = _CALL.fullmatch(call)
    preset = find(call)
    if match is None or preset is None:
        names = [entry.signature for entry in presets().values()]
        nearest = suggestion(match[1] if match else call, presets())
        start = nearest.partition(" Valid:")[0]
        raise ScenarioError(f'no system is called "{call}".{start} Valid: {", ".join(names)}.')
    system: dict[str, Any] = _copy(preset.system)
    for path, value in _arguments(preset, match[2]).items():
        *tables, name = path.split(".")
        here = system
        for table in tables:
            here = here.setdefault(table, {})
        here[name] = value
    return system


def routing_defaults(data: Mapping[str, Any], algorithm: str) -> dict[str, Any]:
    """Parameters of a routing whose defaults are others in the system of a scenario.

    Parameters
    ----------
    data : mapping
        The scenario; its system has been read.
    algorithm : str
        Name of the routing.

    Returns
    -------
    dict
        Empty where the defaults of the algorithm hold.
    """
    system = data.get("system")
    preset = find(system.get("preset")) if isinstance(system, dict) else None
    return preset.routings.get(algorithm, {}) if preset else {}


def _arguments(preset: Preset, text: str | None) -> dict[str, int]:
    letters = list(preset.parameters)
    parts = [part.strip() for part in text.split(",")] if text and text.strip() else []
    example = f"{preset.name}({', '.join(f'{letter}=4' for letter in letters)})"
    wrong = ScenarioError(
        f"{preset.name} takes {', '.join(letters) or 'no parameters'}, whole numbers of at least 0"
        + (f"; write, for example, {example}." if letters else "; leave out the brackets.")
    )
    if text is None and letters:
        return {}
    if len(parts) != len(letters):
        raise wrong
    values: dict[str, int] = {}
    for position, part in enumerate(parts):
        name, equals, number = part.rpartition("=")
        letter = name.strip() if equals else letters[position]
        if letter not in letters or letter in values or not _COUNT.fullmatch(number.strip()):
            raise wrong
        values[letter] = int(number)
    return {preset.parameters[letter]: value for letter, value in values.items()}


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``over``; tables are merged, everything else is replaced."""
    result: dict[str, Any] = _copy(base)
    for key, value in over.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = merged(old, value)
        else:
            result[key] = _copy(value)
    return result


def _copy(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    if isinstance(value, dict):
        return {key: _copy(entry) for key, entry in value.items()}
    return list(value) if isinstance(value, list) else value
