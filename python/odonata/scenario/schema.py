"""JSON Schema of the scenario format, for editors: ``python -m odonata.scenario.schema``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from odonata.scenario import advice, occupancy, registry, sections
from odonata.scenario import jobs as work
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.removal import NOBODY

Node = dict[str, Any]
"""Part of a schema."""


def schema() -> Node:
    """JSON Schema of a scenario file; units and choices come from the simulator's registry."""
    properties: Node = {
        "schema": {"const": sections.SCHEMA_VERSION, "description": "version of the format"},
        "name": {"type": "string", "description": "name of the results; default: of the file"},
        "description": {"type": "string", "description": "for readers"},
        "seed": {"type": "integer", "minimum": 0, "description": "root of every random stream"},
        "replicas": {
            "type": "integer",
            "minimum": 1,
            "maximum": sections.MOST_REPLICAS,
            "description": "runs of each variant, each with a seed of its own; default: 1",
        },
        "without": {
            "type": "string",
            "description": "job that is left out while its nodes stay reserved; default: "
            f'"{NOBODY}", every job is there',
        },
        "system": _system(),
        "routing": _defined("routing"),
        "jobs": {"type": "array", "minItems": 1, "items": _job()},
        "measure": _table(sections.MEASURE, "steady-state measurement of open-loop traffic"),
        "stop": _stop(),
        "telemetry": _table(sections.TELEMETRY, "records beyond the defaults"),
        "sweep": {
            "type": "object",
            "description": "dotted keys with lists of values: the grid of runs; a load with "
            "`values` and `knee` is searched for saturation",
            "additionalProperties": {"type": ["array", "object"]},
        },
        "advise": _advise(),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Odonata scenario",
        "type": "object",
        "required": ["system", "jobs"],
        "additionalProperties": False,
        "properties": {key: properties[key] for key in sections.TOP},
        "$defs": _definitions(),
    }


def _table(fields: Iterable[Field], doc: str, *, partial: bool = False) -> Node:
    fields = tuple(fields)
    table: Node = {
        "type": "object",
        "description": doc,
        "additionalProperties": False,
        "properties": {field.name: field.json_schema() for field in fields},
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
        "objective": {"anyOf": [quantity, _table(advice.OBJECTIVE, "an objective")]},
        "precision": _table(sections.PRECISION, "a quantity that is to be known"),
    }


def _defined(name: str) -> Node:
    return {"$ref": f"#/$defs/{name}"}


def _one_or_several(name: str, **bounds: int) -> list[Node]:
    one = _defined(name)
    return [one, {"type": "array", "minItems": 1, **bounds, "items": one}]


def _advise() -> Node:
    """What is asked of `odonata advise`."""
    asked = _table(advice.FIELDS, "what `odonata advise` is asked; no run depends on it")
    entries = asked["properties"]
    entries["objective"] = {
        "description": entries["objective"]["description"],
        "anyOf": _one_or_several("objective", maxItems=2),
    }
    entries["conditions"]["items"] = _table(advice.CONDITION, "a condition")
    entries["fixed"]["items"] = {"type": "string"}
    return asked


def _stop() -> Node:
    stop = _table(sections.STOP, "bounds of a run")
    precision = stop["properties"]["precision"]
    precision.pop("type")
    precision["anyOf"] = _one_or_several("precision")
    return stop


def _system() -> Node:
    links = {kind: _table(sections.LINK, f"{kind} links", partial=True)
             for kind in sections.LINK_KINDS}  # fmt: skip
    properties: Node = {
        "preset": {
            "type": "string",
            "description": "named system that the other tables override",
            "examples": ["kang2022-1056", "dragonfly(4, 8, 4, 33)"],
        },
        "name": {
            "type": "string",
            "description": "what results call this system; default: the preset and what it changes",
        },
        "note": {
            "type": "string",
            "description": "what the model leaves out of this system; every result says it",
        },
        # A preset may give what a table leaves out.
        "topology": _topology(),
        "links": {"type": "object", "additionalProperties": False, "properties": links},
        "mpi": _table((_without_default(field) for field in registry.mpi_parameters()),
                      "costs and algorithms of the MPI library"),
    }  # fmt: skip
    for name, fields in sections.TABLES.items():
        properties[name] = _table(fields, name, partial=True)
    properties["node"] = _table(sections.NODE, "every node of the machine", partial=True)
    properties["failures"] = _table(sections.FAILURES, "links that have failed")
    pair = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2,
            "maxItems": 2}  # fmt: skip
    properties["failures"]["properties"]["links"]["items"] = pair
    properties["node"]["properties"]["out_of_service"]["items"] = pair
    event = _table(sections.LINK_EVENT, "what becomes of a link")
    event["properties"]["link"] |= pair
    properties["failures"]["properties"]["events"]["items"] = event
    properties["host"] = _table(sections.HOST, "what nodes take from their ranks")
    for name, fields, words in (
        ("detours", sections.DETOUR, "a source of detours"),
        ("calls", sections.CALL, "a cost of calls"),
    ):
        properties["host"]["properties"][name]["items"] = _table(fields, words)
    properties["qos"] = _table(sections.QOS, "traffic classes", partial=True)
    properties["qos"]["properties"]["classes"] |= {
        "minItems": 1,
        "maxItems": sections.LARGEST_CLASSES,
        "items": _table(sections.CLASS, "a traffic class"),
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: properties[key] for key in sections.SYSTEM},
    }


def _topology() -> Node:
    """Shapes of networks; the groups of a dragonfly may be of several kinds."""
    tables = _family("topologies", "kind", partial=True)
    kind = _table(sections.MORE_GROUPS, "groups of another kind")
    for table in tables["oneOf"]:
        if "more_groups" in table["properties"]:
            table["properties"]["more_groups"]["items"] = kind
    return tables


def _without_default(field: Field) -> Field:
    """MPI parameters that are not given stay those of the preset."""
    return replace(field, default=None)


def _job() -> Node:
    properties: Node = {
        "name": {"type": "string", "description": "unique; default: the kind of its workload"},
        "role": {
            "enum": list(sections.ROLES),
            "description": "a victim also runs alone; the others are there until it has ended",
        },
        **{
            field.name: field.json_schema()
            for field in (
                *sections.REPEAT,
                *sections.RANKS_PER_NODE,
                *sections.SHARE_NODES,
                *sections.STAY,
                *sections.PACKET_MULTIPLE,
                *sections.MESSAGE_SAMPLE,
                *sections.MUTED,
            )
        },
        "class": {"type": "string", "description": "traffic class; default: the last one"},
        "collective_class": {"type": "string", "description": "class of collective operations"},
        "small_class": _table(sections.SMALL_CLASS, "class of small messages"),
        "routing": {
            "anyOf": _one_or_several("routing"),
            "description": "how packets of this job find their way; default: as the system's do",
        },
        "alternate": {
            "enum": list(sections.ALTERNATE),
            "description": "when the routings of a list take turns; that of the policy comes last",
        },
        "alltoall_routing": {
            "anyOf": _one_or_several("routing"),
            "description": "how packets of alltoalls find their way: one for each routing in turn, "
            "or one for all; default: as other packets",
        },
        "policy": _policy(),
        "placement": _placement(),
        "workload": {"anyOf": [_family("workloads", "kind"), _background(), _occupancy()]},
    }
    return {
        "type": "object",
        "required": ["workload"],
        "additionalProperties": False,
        "properties": {key: properties[key] for key in sections.JOB},
    }


def _occupancy() -> Node:
    """Jobs of a scheduler log."""
    table = _table(occupancy.FIELDS, "all jobs of a stretch of a scheduler log")
    table["properties"]["rules"]["items"] = _table(occupancy.RULE, "what a job of the log runs")
    return _tagged("kind", {"const": occupancy.KIND}, table)


def _background() -> Node:
    """Named background loads, with what replaces parts of them."""
    fields = registry.family("workloads")[work.OPEN_LOOP].parameters
    return _tagged("preset", {"enum": list(backgrounds())}, _table(fields, "a named background"))


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
            _table(work.MAPPING_FILE, "list of ranks in a file"),
        ],
    }


def _family(family: str, tag: str, *, partial: bool = False) -> Node:
    """One table per member, told apart by ``tag``."""
    return {"oneOf": [
        _tagged(tag, {"const": name}, _table(entry.parameters, entry.summary, partial=partial),
                partial=partial)
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


def text() -> str:
    """The schema as it is kept in ``scenario.schema.json``: a table a block, a key a line."""
    return _laid_out(schema()) + "\n"


def _line(part: object) -> str:
    return json.dumps(part, ensure_ascii=False)


def _laid_out(part: Any, indent: str = "") -> str:  # noqa: ANN401 - any part of the schema
    line = _line(part)
    if '"properties": {' not in line:
        return line
    inner = f"{indent} "
    if isinstance(part, list):
        rows = [_laid_out(one, inner) for one in part]
    else:
        rows = [f"{_line(key)}: {_laid_out(one, inner)}" for key, one in part.items()]
    inside = ",\n".join(f"{inner}{row}" for row in rows)
    return f"{line[0]}\n{inside}\n{indent}{line[-1]}"


if __name__ == "__main__":
    sys.stdout.write(text())
