"""``odonata list`` and ``odonata show``."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Mapping
from typing import Any

from rich.markup import escape

from odonata import traces
from odonata.cli import demand
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen, tell
from odonata.core.errors import Error, suggestion
from odonata.scenario import counters, registry
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.presets import presets
from odonata.scenario.text import inline, to_toml

KINDS = {
    "systems": "named systems",
    **registry.FAMILIES,
    "backgrounds": "named loads of open-loop traffic",
    "mpi": "costs and algorithms of the MPI library",
    "traces": "formats of traces",
    "counters": "counters of tiles and NICs, by the machine's names",
}
"""What ``odonata list`` knows."""


_LABELS = {
    "channels": "virtual channels",
    "deadlock": "why it cannot deadlock",
    "defaults": "defaults of routings here",
    "former_name": "called before 0.3.0",
}


def add(commands: Commands) -> None:
    """Put ``list`` and ``show`` among the commands."""
    listing = commands.add_parser("list")
    listing.add_argument("kind", metavar="KIND", nargs="?", help=", ".join(KINDS))
    add_json(listing)
    listing.set_defaults(command=list_kind)
    entry = commands.add_parser("show")
    entry.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
    entry.add_argument("name", metavar="NAME")
    add_json(entry)
    entry.set_defaults(command=show)


def list_kind(options: argparse.Namespace) -> int:
    """``odonata list KIND``; without a kind, the kinds."""
    rows = _rows(options.kind) if options.kind else list(KINDS.items())
    if options.json:
        entries = [{"name": name, "summary": summary} for name, summary in rows]
        print(json.dumps({"exit_code": 0, "kind": options.kind, "entries": entries}))
        return 0
    table = Listing(has_header=False).labels("name").prose("what it is")
    for name, summary in rows:
        table.row(name, summary)
    table.print(screen())
    return 0


def _known(kind: str) -> str:
    """``kind`` as :data:`KINDS` has it; the singular will do."""
    for name in KINDS:
        if kind in (name, name.removesuffix("s"), name.removesuffix("ies") + "y"):
            return name
    raise Error(f"there is no kind `{kind}`.{suggestion(kind, KINDS)}")


def _rows(kind: str) -> list[tuple[str, str]]:
    kind = _known(kind)
    if kind == "systems":
        return [(preset.signature, preset.summary) for preset in presets().values()]
    if kind == "backgrounds":
        return [(entry.name, entry.summary) for entry in backgrounds().values()]
    if kind == "traces":
        return list(traces.FORMATS.items())
    if kind == "counters":
        return [
            (one.name, f"{one.place}, {one.unit}: {one.meaning}") for one in counters.counters()
        ]
    if kind == "mpi":
        return [(field.name, field.doc) for field in registry.mpi_parameters()]
    return [(entry.name, entry.summary) for entry in registry.family(kind).values()]


def show(options: argparse.Namespace) -> int:
    """``odonata show KIND NAME``."""
    kind = _known(options.kind)
    facts, body = _entry(kind, options.name)
    if options.json:
        print(json.dumps({"exit_code": 0, "kind": kind, **facts}))
        return 0
    console = screen()
    for key in (
        "name",
        "former_name",
        "summary",
        "defaults",
        "rule",
        "channels",
        "deadlock",
        "source",
        "needs",
    ):
        if facts.get(key):
            label = _LABELS.get(key, key)
            said = f"[bold]{label}[/]: {escape(str(facts[key]))}"
            console.print(said, soft_wrap=not console.is_terminal)
    if "demand" in facts:
        tell(console, demand.sentence(facts["demand"]))
    console.print()
    if isinstance(body, str):
        console.print(body, soft_wrap=True)  # a line of TOML is not broken
    else:
        body.print(console)
    return 0


def _collectives(
    name: str, entries: Mapping[str, registry.Entry]
) -> tuple[dict[str, Any], Listing]:
    """All algorithms of a collective, or all collectives that an algorithm has."""
    found = [entry for entry in entries.values() if name in entry.name.split("/")]
    if not found:
        parts = dict.fromkeys(part for one in entries for part in one.split("/"))
        raise Error(f"there is no `{name}` among collectives.{suggestion(name, parts)}")
    table = Listing().labels("name").prose("messages and bytes", "source")
    for entry in found:
        table.row(entry.name, entry.rule, entry.source)
    rows = [{"name": e.name, "rule": e.rule, "source": e.source} for e in found]
    return {"name": name, "entries": rows}, table


def _entry(kind: str, name: str) -> tuple[dict[str, Any], Listing | str]:
    """Facts of an entry, and how they are shown."""
    if kind == "systems":
        return _system(name)
    if kind == "backgrounds":
        return _background(name)
    if kind == "traces":
        raise Error("`odonata list traces` describes all formats of traces.")
    if kind == "counters":
        return _counter(name)
    if kind == "mpi":
        found = {field.name: field for field in registry.mpi_parameters()}
        if name not in found:
            raise Error(f"MPI has no parameter `{name}`.{suggestion(name, found)}")
        return {"name": name, "parameters": [_plain(found[name])]}, _parameters((found[name],))
    return _member(kind, name)


def _counter(name: str) -> tuple[dict[str, Any], Listing]:
    """A counter at every kind of place that has it, and how it is shown."""
    found = counters.find(name)
    if not found:
        names = dict.fromkeys(one for row in counters.counters() for one in row.names)
        near = difflib.get_close_matches(name, names, 1)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        raise Error(f"there is no counter `{name}`.{hint} `odonata list counters` lists all.")
    table = Listing().labels("where", "unit")
    table.prose("in the model", "on the hardware", "what differs")
    for one in found:
        table.row(one.place, one.unit, one.meaning, one.hardware, one.differs)
    rows = [{"place": one.place, "unit": one.unit, "meaning": one.meaning,
             "hardware": one.hardware, "differs": one.differs, "derived": one.is_derived,
             "counts": one.counts, "names": list(one.names)} for one in found]  # fmt: skip
    return {"name": name, "entries": rows}, table


def _system(name: str) -> tuple[dict[str, Any], str]:
    preset = presets().get(name.partition("(")[0].strip())
    if preset is None:
        raise Error(f"there is no system `{name}`.{suggestion(name, presets())}")
    facts = {"name": preset.signature, "summary": preset.summary, "source": preset.source}
    if preset.routings:
        facts["defaults"] = "; ".join(
            f"{algorithm}: {', '.join(f'{key} = {inline(value)}' for key, value in own.items())}"
            for algorithm, own in preset.routings.items()
        )
    shown = {"system": preset.system}
    way = dict(preset.routing)
    alltoalls = way.pop("alltoall_routing", None)
    if not way:
        return facts | shown, escape(to_toml(shown))
    text = to_toml(shown | {"routing": way})
    if alltoalls is not None:
        text += f'# jobs without a routing of their own: alltoall_routing = "{alltoalls}"\n'
    return facts | shown | {"routing": preset.routing}, escape(text)


def _background(name: str) -> tuple[dict[str, Any], str]:
    background = backgrounds().get(name)
    if background is None:
        raise Error(f"there is no background `{name}`.{suggestion(name, backgrounds())}")
    facts = {"name": name, "summary": background.summary, "source": background.source}
    table = {"workload": background.workload}
    return facts | table, escape(to_toml(table))


def _member(kind: str, name: str) -> tuple[dict[str, Any], Listing | str]:
    """Facts of a member of a family, and how they are shown."""
    entries = registry.family(kind)
    entry = registry.find(kind, name)
    if entry is None and kind == "collectives":
        return _collectives(name, entries)
    if entry is None:
        raise Error(f"there is no `{name}` among {kind}.{suggestion(name, entries)}")
    facts: dict[str, Any] = {
        "name": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "needs": entry.needs,
    }
    if entry.rule:
        facts["rule"] = entry.rule
    if entry.families:
        facts = {
            "name": entry.name,
            "former_name": entry.former_name,
            "summary": entry.summary,
            "rule": entry.rule,
            "channels": registry.channels(entry),
            "virtual_channels": dict(entry.virtual_channels),
            "families": list(entry.families),
            "deadlock": entry.deadlock,
            "source": entry.source,
        }
    if kind == "workloads" and (found := demand.of_default(name)):
        facts["demand"] = found
    facts["parameters"] = [_plain(field) for field in entry.parameters]
    return facts, _parameters(entry.parameters) if entry.parameters else "no parameters"


def _plain(field: Field) -> dict[str, Any]:
    default = None if field.default is REQUIRED else field.written(field.default)
    return {
        "name": field.name,
        "kind": field.kind,
        "doc": field.doc,
        "required": field.default is REQUIRED,
        "default": default,
        "choices": list(field.choices),
        "source": field.source,
    }


def _parameters(fields: tuple[Field, ...]) -> Listing:
    table = Listing("Parameters").labels("name").prose("is", "default", "meaning")
    sourced = any(field.source for field in fields)
    if sourced:
        table.prose("source")
    for field in fields:
        plain = _plain(field)
        default = plain["default"]
        text = "(required)" if plain["required"] else "" if default is None else inline(default)
        is_a = " | ".join(field.choices) if field.choices else field.kind
        table.row(field.name, is_a, text, field.doc, *((field.source,) if sourced else ()))
    return table
