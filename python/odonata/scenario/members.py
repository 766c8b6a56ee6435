"""Members of the simulator's families in a scenario: a name with parameters of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario import presets, registry, sections
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import read_table

_NOUNS = {
    "topologies": "topology",
    "routings": "routing",
    "placements": "placement",
    "workloads": "workload",
    "policies": "policy",
    "controllers": "controller",
}
"""What messages call a member of a family."""


def member(family: str, table: object, document: Document, key: Key) -> dict[str, Any]:
    """A member of a family with its parameters: a key names it, the others are its own.

    Parameters
    ----------
    family : str
        Such as ``routings``.
    table : object
        As written; the name alone will do.

    Returns
    -------
    dict
        Name and parameters, in base units; but for the mapping of a placement.

    Raises
    ------
    ScenarioError
        No such member, or wrong parameters.
    """
    noun, tag = _NOUNS[family], sections.tag_of(family)
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
    more = sections.beside(family, name)
    names = [tag, *(field.name for field in more)]
    values = read_table(table, fields, document, key, owner=f"{noun} `{name}`", also=names)
    for field in more:
        if field.name in table and field is not sections.MAPPING:
            values[field.name] = field.read(table[field.name], document, (*key, field.name))
    return {tag: name, **values}
