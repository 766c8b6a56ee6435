"""JSON Schema of the scenario format, for editors and for the classes in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
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
            "measure": _table(sections.MEASURE),
            "stop": _table(sections.STOP, {"precision": _one_or_several("precision")}),
            "telemetry": _table(sections.TELEMETRY),
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
    table["properties"] = {
        field.name: {"description": field.doc, **nested[field.name]}
        if field.name in nested
        else field.json_schema()
        for field in fields
    }
    required = [field.name for field in fields if field.default is REQUIRED]
    if required and not partial:
        table["required"] = required
    return table


def _definitions() -> Node:
    """What stands at several places."""
    quantity = {"enum": list(advice.QUANTITIES)}
    return {
        "routing": _routing(),
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
        "conditions": _list(_table(advice.CONDITION, doc="a condition")),
        "fixed": _list({"type": "string"}),
    })  # fmt: skip


def _system() -> Node:
    """The machine; a preset may give what a table leaves out."""
    pair = _list({"type": "integer", "minimum": 0}, minItems=2, maxItems=2)
    event = _table(sections.LINK_EVENT, {"link": pair}, doc="what becomes of a link")
    links = {kind: _table(sections.LINK, doc=f"{kind} links", partial=True)
             for kind in sections.LINK_KINDS}  # fmt: skip
    classes = _list(_table(sections.CLASS, doc="a traffic class"),
                    minItems=1, maxItems=sections.LARGEST_CLASSES)  # fmt: skip
    return _table(sections.SYSTEM, {
        "preset": {"type": "string", "examples": ["kang2022-1056", "dragonfly(4, 8, 4, 33)"]},
        "topology": _topology(),
        "failures": _table(sections.FAILURES, {"links": _list(pair), "events": _list(event)}),
        "links": {"type": "object", "additionalProperties": False, "properties": links},
        **{name: _table(fields, partial=True) for name, fields in sections.TABLES.items()},
        "node": _table(sections.NODE, {"out_of_service": _list(pair)}, partial=True),
        "qos": _table(sections.QOS, {"classes": classes}, partial=True),
        # What is not given stays that of the preset.
        "mpi": _table(replace(field, default=None) for field in registry.mpi_parameters()),
        "host": _table(sections.HOST, {
            "detours": _list(_table(sections.DETOUR, doc="a source of detours")),
            "calls": _list(_table(sections.CALL, doc="a cost of calls")),
        }),
    })  # fmt: skip


def _topology() -> Node:
    """Shapes of networks; the groups of a dragonfly may be of several kinds."""
    tables = _family("topologies", "kind", partial=True)
    kind = _table(sections.MORE_GROUPS, doc="groups of another kind")
    for table in tables["oneOf"]:
        if "more_groups" in table["properties"]:
            table["properties"]["more_groups"]["items"] = kind
    return tables


def _job() -> Node:
    return _table(sections.JOB, {
        "small_class": _table(sections.SMALL_CLASS),
        "routing": _one_or_several("routing"),
        "alltoall_routing": _one_or_several("routing"),
        "policy": _policy(),
        "placement": _placement(),
        "workload": {"anyOf": [_family("workloads", "kind"), _background(), _occupancy()]},
    })  # fmt: skip


def _occupancy() -> Node:
    """Jobs of a scheduler log."""
    rule = _table(occupancy.RULE, doc="what a job of the log runs")
    table = _table(occupancy.FIELDS, {"rules": _list(rule)},
                   doc="all jobs of a stretch of a scheduler log")  # fmt: skip
    return _tagged("kind", {"const": occupancy.KIND}, table)


def _background() -> Node:
    """Named background loads, with what replaces parts of them."""
    table = _table(registry.family("workloads")[work.OPEN_LOOP].parameters,
                   doc="a named background")  # fmt: skip
    return _tagged("preset", {"enum": list(backgrounds())}, table)


def _routing() -> Node:
    """Algorithms with their parameters; those that need none go by their names alone."""
    tables = _family("routings", "algorithm")
    for table in tables["oneOf"]:
        if table["properties"]["algorithm"]["const"] == work.LEARNING:
            table["properties"] |= {field.name: field.json_schema() for field in work.TABLES}
    return {"anyOf": [{"enum": _names("routings")}, tables]}


def _policy() -> Node:
    """Policies with their parameters, or their names alone."""
    return {"anyOf": [{"enum": list(registry.family("policies"))}, _family("policies", "kind")]}


def _placement() -> Node:
    """Placements with their parameters, each with the mapping of ranks, or their names alone."""
    tables = _family("placements", "kind")
    groups = {"type": "string", "description": work.GROUPS.doc}
    for table in tables["oneOf"]:
        table["properties"].setdefault("mapping", _defined("mapping"))
        table["properties"].setdefault("groups", groups)
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


def _family(family: str, tag: str, *, partial: bool = False) -> Node:
    """One table per member, told apart by ``tag``."""
    return {"oneOf": [
        _tagged(tag, {"const": name},
                _table(entry.parameters, doc=entry.summary, partial=partial), partial=partial)
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
