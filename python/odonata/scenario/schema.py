"""JSON Schema of the scenario format, for editors and for the classes in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from odonata.scenario import advice, occupancy, registry, sections
from odonata.scenario import jobs as work
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.fields import REQUIRED, Field

Node = dict[str, Any]
"""Part of a schema."""


def schema() -> Node:
    """JSON Schema of a scenario file; units and choices come from the simulator's registry."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Odonata scenario",
        **_table(sections.TOP, {
            "schema": {"const": sections.SCHEMA_VERSION},
            "system": _system(),
            "routing": {"anyOf": [_defined("routing")]},
            "jobs": _list(_job(), minItems=1),
            "stop": _table(sections.STOP, {"precision": _one_or_several("precision")}),
            "sweep": {"type": "object", "additionalProperties": {"type": ["array", "object"]}},
            "advise": _advise(),
        }),
        "$defs": _definitions(),
    }  # fmt: skip


def _table(
    fields: Iterable[Field],
    nested: Mapping[str, Node] | None = None,
    *,
    doc: str = "",
    partial: bool = False,
) -> Node:
    """A table of the scenario.

    Parameters
    ----------
    fields : iterable of Field
        Its rows.
    nested : mapping
        Schema of the values that are no single value, by key.
    doc : str
        What the table is, if no row says it.
    partial : bool
        Nothing is required: a preset may give what the table leaves out.
    """
    fields, nested = tuple(fields), nested or {}
    table: Node = {"type": "object"}
    if doc:
        table["description"] = doc
    table["additionalProperties"] = False
    properties = table["properties"] = {}
    for field in fields:
        value = nested.get(field.name) or _inside(field, partial=partial)
        properties[field.name] = {"description": field.doc, **value}
    required = [field.name for field in fields if field.default is REQUIRED]
    if required and not partial:
        table["required"] = required
    return table


def _inside(field: Field, *, partial: bool) -> Node:
    """Schema of a value: one, a table, or a list of tables."""
    if not isinstance(field.rows, tuple) or not field.rows:
        return field.json_schema()
    if field.kind == "list":
        return _list(_table(field.rows, doc=field.owner))
    return _table(field.rows, partial=partial)


def _definitions() -> Node:
    """What stands at several places."""
    quantity = {"enum": list(advice.QUANTITIES)}
    return {
        "routing": _named("routings"),
        "mapping": _mapping(),
        "objective": {"anyOf": [quantity, _table(advice.OBJECTIVE, doc="an objective")]},
        "precision": _table(sections.PRECISION, doc="a quantity that is to be known"),
    }


def _defined(name: str) -> Node:
    return {"$ref": f"#/$defs/{name}"}


def _one_or_several(name: str, **bounds: int) -> Node:
    one = _defined(name)
    return {"anyOf": [one, _list(one, minItems=1, **bounds)]}


def _list(one: Node, **bounds: int) -> Node:
    return {"type": "array", **bounds, "items": one}


def _advise() -> Node:
    """What is asked of `odonata advise`."""
    return _table(advice.FIELDS, {
        "objective": _one_or_several("objective", maxItems=2),
        "fixed": _list({"type": "string"}),
    })  # fmt: skip


def _system() -> Node:
    """The machine; a preset may give what a table leaves out."""
    pair = _list({"type": "integer", "minimum": 0}, minItems=2, maxItems=2)
    event = _table(sections.EVENT, {"link": pair}, doc="what becomes of a link, router or node")
    classes = _list(_table(sections.CLASS, doc="a traffic class"),
                    minItems=1, maxItems=sections.LARGEST_CLASSES)  # fmt: skip
    return _table(sections.SYSTEM, {
        "preset": {"type": "string", "examples": ["kang2022-1056", "dragonfly(4, 8, 4, 33)"]},
        "topology": _family("topologies", partial=True),
        "failures": _table(sections.FAILURES, {"links": _list(pair), "events": _list(event)}),
        "node": _table(sections.NODE, {"out_of_service": _list(pair)}, partial=True),
        "nic": _table(sections.NIC, {sections.CONGESTION.name: _named("controllers", partial=True)},
                      partial=True),
        "qos": _table(sections.QOS, {"classes": classes}, partial=True),
    }, partial=True)  # fmt: skip


def _job() -> Node:
    return _table(sections.JOB, {
        "routing": _one_or_several("routing"),
        "alltoall_routing": _one_or_several("routing"),
        "policy": _named("policies"),
        "placement": _placement(),
        "workload": {"anyOf": [_family("workloads"), _background(), _occupancy()]},
    })  # fmt: skip


def _occupancy() -> Node:
    """Jobs of a scheduler log."""
    table = _table(occupancy.FIELDS, doc="all jobs of a stretch of a scheduler log")
    return _tagged("kind", {"const": occupancy.KIND}, table)


def _background() -> Node:
    """Named background loads, with what replaces parts of them."""
    table = _table(registry.family("workloads")[work.OPEN_LOOP].parameters,
                   doc="a named background")  # fmt: skip
    return _tagged("preset", {"enum": list(backgrounds())}, table)


def _named(family: str, *, partial: bool = False) -> Node:
    """Members with their parameters; those that need none go by their names alone."""
    return {"anyOf": [{"enum": _names(family)}, _family(family, partial=partial)]}


def _placement() -> Node:
    """Placements with their parameters, each with the mapping of ranks, or their names alone."""
    tables = _family("placements")
    for table in tables["oneOf"]:
        table["properties"][sections.MAPPING.name] = _defined("mapping")
    return {"anyOf": [{"enum": _names("placements")}, tables]}


def _mapping() -> Node:
    return {
        "description": "which rank is on which node",
        "anyOf": [
            {"enum": list(work.MAPPINGS)},
            {"type": "array", "items": {"type": "integer", "minimum": 0}},
            _table(work.MAPPING_FILE, doc="list of ranks in a file"),
        ],
    }


def _family(family: str, *, partial: bool = False) -> Node:
    """One table per member, told apart by the key that names it."""
    return {"oneOf": [
        _tagged(sections.tag_of(family), {"const": name},
                _table((*entry.parameters, *sections.beside(family, name)), doc=entry.summary,
                       partial=partial), partial=partial)
        for name, entry in registry.family(family).items()
    ]}  # fmt: skip


def _names(family: str) -> list[str]:
    """Members that need no parameter."""
    return [name for name, entry in registry.family(family).items()
            if not any(field.default is REQUIRED for field in entry.parameters)]  # fmt: skip


def _tagged(tag: str, names: Node, table: Node, *, partial: bool = False) -> Node:
    """The table with the key that says which one it is."""
    table["properties"] = {tag: names, **table["properties"]}
    if not partial:
        table["required"] = [tag, *table.get("required", [])]
    return table
