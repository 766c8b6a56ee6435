"""Members of the simulator's families in a scenario: a name with parameters of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario import presets, registry
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, read_table, written


@dataclass(frozen=True, slots=True)
class Resolved:
    """Part of a scenario, defaults filled in.

    Parameters
    ----------
    config : dict
        What the simulator takes: base units, suffixes.
    scenario : dict
        The same as a scenario: presets expanded, quantities as text.
    """

    config: dict[str, Any]
    scenario: dict[str, Any]


_NOUNS = {
    "topologies": ("topology", "kind"),
    "routings": ("routing", "algorithm"),
    "placements": ("placement", "kind"),
    "workloads": ("workload", "kind"),
    "policies": ("policy", "kind"),
}
"""What messages call a member of a family, and the key that names it."""


def member(
    family: str, table: object, document: Document, key: Key, *, also: Sequence[str] = ()
) -> Resolved:
    """A member of a family with its parameters: a key names it, the others are its own.

    Parameters
    ----------
    family : str
        Such as ``routings``.
    table : object
        As written; the name alone will do.
    document : Document
        For messages.
    key : Key
        Where it stands.
    also : sequence of str
        Other valid keys, read by the caller.

    Returns
    -------
    Resolved
        Name and parameters.

    Raises
    ------
    ScenarioError
        No such member, or wrong parameters.
    """
    noun, tag = _NOUNS[family]
    entries = registry.family(family)
    if isinstance(table, str):
        table = {tag: table}
    if not isinstance(table, dict) or not isinstance(table.get(tag), str):
        raise document.error(key, f"a {noun} is a table with `{tag}`. Valid: {', '.join(entries)}.")
    name = table[tag]
    entry = registry.find(family, name)
    if entry is None:
        at = (*key, tag) if (*key, tag) in document.lines or document.was_set((*key, tag)) else key
        raise document.error(at, f'no {noun} is called "{name}".{suggestion(name, entries)}')
    name = entry.name
    of_system = presets.routing_defaults(document.data, name) if family == "routings" else {}
    fields = [replace(f, default=of_system.get(f.name, f.default)) for f in entry.parameters]
    values = read_table(table, fields, document, key, owner=f"{noun} `{name}`", also=(tag, *also))
    # A parameter that came later is left out at the simulator's default, so that older scenarios
    # keep their fingerprint. Those of workloads have been part of it from their first day.
    later = {
        f.name
        for f in entry.parameters
        if family == "routings" and f.sparse and values.get(f.name) == f.default
    }
    config = {key: value for key, value in values.items() if key not in later}
    return Resolved({tag: name, **config}, {tag: name, **written(values, fields)})


def optional(field: Field) -> Field:
    """The same field, left out where it is absent."""
    return replace(field, default=None)
