"""``[system]``: a preset and what overrides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from odonata.core.errors import ScenarioError
from odonata.scenario import presets, registry, sections
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, checked_table, read_table, resolved, written
from odonata.scenario.members import Resolved, member, optional

KEY: Key = ("system",)

_WORDS = {"name": "a name is text", "note": "a note is a sentence"}
"""Keys for readers of results: what they hold."""


def system(table: object, document: Document) -> Resolved:
    """The machine, every value filled in.

    Parameters
    ----------
    table : object
        ``[system]`` as written.
    document : Document
        For messages.

    Returns
    -------
    Resolved
        Topology, failures, links, routers, packets, NICs, classes, MPI, hosts.

    Raises
    ------
    ScenarioError
        Unknown keys, wrong values, no preset and no topology.
    """
    data = _with_preset(table, document)
    config: dict[str, Any] = {}
    text: dict[str, Any] = {}
    for name in _WORDS:
        if name in data:
            text[name] = _words(data[name], name, document)
    topology = _topology(data.get("topology"), document)
    config["topology"], text["topology"] = topology.config, topology.scenario
    config["links"], text["links"] = _links(data.get("links"), document)
    for name, fields in sections.TABLES.items():
        values = read_table(data.get(name, {}), fields, document, (*KEY, name),
                            owner=f"[system.{name}]")  # fmt: skip
        if name == "router":
            values.setdefault("output_buffer", values["input_buffer"])
        config[name], text[name] = resolved(values, fields), written(values, fields)
    readers = {"failures": _failures, "node": _node, "qos": _qos, "host": _host}
    for name, read in readers.items():
        if name in data:
            part = read(data[name], document)
            config[name], text[name] = part.config, part.scenario
    config["mpi"], text["mpi"] = _mpi(data.get("mpi", {}), document)
    return Resolved(config, text)


def _topology(table: object, document: Document) -> Resolved:
    """The shape of the network; of a dragonfly also groups of other kinds."""
    key = (*KEY, "topology")
    found = member("topologies", table, document, key)
    if "more_groups" not in found.config:
        return found
    kinds = [
        read_table(kind, sections.MORE_GROUPS, document, (*key, "more_groups", index),
                   owner="a kind of groups")
        for index, kind in enumerate(found.config["more_groups"])
    ]  # fmt: skip
    return Resolved(
        found.config | {"more_groups": [resolved(kind, sections.MORE_GROUPS) for kind in kinds]},
        found.scenario | {"more_groups": [written(kind, sections.MORE_GROUPS) for kind in kinds]},
    )


def _with_preset(table: object, document: Document) -> dict[str, Any]:
    own = dict(
        checked_table(table, [row.name for row in sections.SYSTEM], document, KEY, owner="[system]")
    )
    if "preset" not in own and "topology" not in own:
        names = ", ".join(preset.signature for preset in presets.presets().values())
        raise document.error(KEY, f"needs `preset` or `topology`. Presets: {names}.")
    is_preset = "preset" in own
    given = own.pop("preset", presets.DEFAULT)
    if not isinstance(given, str):
        raise document.error((*KEY, "preset"), "a preset is a name in quotes.")
    try:
        base = presets.expand(given)
    except ScenarioError as error:
        raise document.error((*KEY, "preset"), str(error)) from None
    for name, value in own.items():
        if not isinstance(value, dict) and name not in _WORDS:
            raise document.error((*KEY, name), f"must be a table: [system.{name}].")
    if is_preset:
        base.setdefault("name", _call(given, own))
    kind = own.get("topology", {}).get("kind")
    if kind is not None and kind != base["topology"]["kind"]:
        del base["topology"]  # the sizes of one shape mean nothing to another
    return presets.merged(base, own)


def _words(value: object, name: str, document: Document) -> str:
    """What results say of this system and the simulator does not know."""
    if not isinstance(value, str) or not value.strip():
        raise document.error((*KEY, name), f"{_WORDS[name]} in quotes.")
    return value


def _node(table: object, document: Document) -> Resolved:
    """NICs of a node, and the nodes that no job gets."""
    key = (*KEY, "node")
    values = read_table(table, sections.NODE, document, key, owner="[system.node]")
    for index, pair in enumerate(values.get("out_of_service", ())):
        if not isinstance(pair, list) or len(pair) != 2 or not all(_is_id(one) for one in pair):
            raise document.error(
                (*key, "out_of_service", index),
                "a range is a pair of node numbers, the first and the last, such as [9408, 9471].",
            )
    return Resolved(resolved(values, sections.NODE), written(values, sections.NODE))


def _host(table: object, document: Document) -> Resolved:
    """What nodes take from their ranks: detours, costs of calls, cores and memory."""
    key = (*KEY, "host")
    values = read_table(table, sections.HOST, document, key, owner="[system.host]")
    config, text = resolved(values, sections.HOST), written(values, sections.HOST)
    for name, fields, owner in (
        ("detours", sections.DETOUR, "a source of detours"),
        ("calls", sections.CALL, "a cost of calls"),
    ):
        entries = [
            read_table(entry, fields, document, (*key, name, index), owner=owner)
            for index, entry in enumerate(values.get(name) or ())
        ]
        if entries:
            config[name] = [resolved(entry, fields) for entry in entries]
            text[name] = [written(entry, fields) for entry in entries]
    return Resolved(config, text)


def _call(preset: str, own: Mapping[str, Any]) -> str:
    """Name of a system that is a preset, or one with changes."""
    changed = [key for key in own if key not in _WORDS]
    return f"{preset} with other {' and '.join(changed)}" if changed else preset


def _links(table: object, document: Document) -> tuple[dict[str, Any], dict[str, Any]]:
    """Every kind of link; rows and columns, where given, have from `local` what they lack."""
    key = (*KEY, "links")
    links = checked_table(table, sections.LINK_KINDS, document, key, owner="[system.links]")
    config = {}
    text = {}
    for kind in sections.LINK_KINDS:
        given = links.get(kind, {})
        if kind in sections.INSIDE:
            if kind not in links:
                continue
            given = {**links.get("local", {}), **given} if isinstance(given, dict) else given
        values = read_table(given, sections.LINK, document, (*key, kind),
                            owner=f"[system.links.{kind}]")  # fmt: skip
        config[kind] = resolved(values, sections.LINK)
        text[kind] = written(values, sections.LINK)
    return config, text


def _failures(table: object, document: Document) -> Resolved:
    """Links that have failed: named, drawn, or both."""
    key = (*KEY, "failures")
    values = read_table(table, sections.FAILURES, document, key, owner="[system.failures]")
    for index, pair in enumerate(values.get("links", ())):
        _check_pair(pair, document, (*key, "links", index))
    events = [
        _event(entry, document, (*key, "events", index))
        for index, entry in enumerate(values.get("events", ()))
    ]
    if "fraction" in values:
        values.setdefault("kinds", ["global"])
    elif "kinds" in values:
        raise document.error(
            (*key, "kinds"), "kinds belong to `fraction`; write, for example, fraction = 0.02."
        )
    if "known_after" in values and not events:
        raise document.error(
            (*key, "known_after"),
            "known_after belongs to `events`; write, for example, "
            'events = [{ at = "200 us", link = [0, 1], state = "down" }].',
        )
    config, text = resolved(values, sections.FAILURES), written(values, sections.FAILURES)
    if events:
        config["events"] = [resolved(event, sections.LINK_EVENT) for event in events]
        text["events"] = [written(event, sections.LINK_EVENT) for event in events]
    return Resolved(config, text)


def _event(table: object, document: Document, key: Key) -> dict[str, Any]:
    """What becomes of a link at an instant."""
    values = read_table(table, sections.LINK_EVENT, document, key, owner="an event of a link")
    _check_pair(values["link"], document, (*key, "link"))
    if ("state" in values) == ("lanes" in values):
        raise document.error(
            key,
            'an event says either what becomes of the link, state = "down" or state = "up", or '
            'which share of its bandwidth is left, such as lanes = "50 %".',
        )
    return values


def _check_pair(pair: object, document: Document, key: Key) -> None:
    if not isinstance(pair, list) or len(pair) != 2 or not all(_is_id(one) for one in pair):
        raise document.error(key, "a link is a pair of router ids such as [0, 1].")
    if pair[0] == pair[1]:
        raise document.error(key, "a link has two ends; name two different routers.")


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**32


def _qos(table: object, document: Document) -> Resolved:
    """Traffic classes: the system's own, or those of a profile."""
    key = (*KEY, "qos")
    values = read_table(table, sections.QOS, document, key, owner="[system.qos]")
    profile = values.pop("profile", None)
    if (profile is None) == ("classes" not in values):
        raise document.error(
            key,
            "classes come either from `classes`, such as "
            'classes = [{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }], or from '
            f"`profile`: {', '.join(registry.class_profiles())}.",
        )
    tables = values["classes"] if profile is None else registry.class_profiles()[profile].classes
    if not 1 <= len(tables) <= sections.LARGEST_CLASSES:
        raise document.error(
            (*key, "classes"),
            f"there are {len(tables)} classes; give 1 to {sections.LARGEST_CLASSES}, such as "
            'classes = [{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }].',
        )
    classes = [
        read_table(entry, sections.CLASS, document, (*key, "classes", index), owner="a class")
        for index, entry in enumerate(tables)
    ]
    for index, entry in enumerate(classes):
        if ("cap" in entry) == ("assured" in entry):
            raise document.error(
                (*key, "classes", index),
                f'class "{entry["name"]}" needs a share: either `cap` or `assured`, such as '
                'assured = "30 %".',
            )
    names = [entry["name"] for entry in classes]
    for index, name in enumerate(names):
        if not name or name in names[:index]:
            raise document.error(
                (*key, "classes", index, "name"),
                f'two classes are called "{name}"; give each its own name.'
                if name
                else "a class needs a name; it must not be empty.",
            )
    return Resolved(
        resolved(values, sections.QOS) | {"classes": _each(resolved, classes)},
        written(values, sections.QOS) | {"classes": _each(written, classes)},
    )


def _each(how: Any, classes: list[dict[str, Any]]) -> list[dict[str, Any]]:  # noqa: ANN401
    return [how(entry, sections.CLASS) for entry in classes]


def _mpi(table: object, document: Document) -> tuple[dict[str, Any], dict[str, Any]]:
    """MPI parameters: the preset and what overrides it; defaults stay with the preset."""
    fields: list[Field] = [optional(field) for field in registry.mpi_parameters()]
    values = read_table(table, fields, document, (*KEY, "mpi"), owner="[system.mpi]")
    return values, written(values, fields)


def class_names(config: Mapping[str, Any]) -> list[str]:
    """Traffic classes of a resolved system, by falling priority; empty without them."""
    return [entry["name"] for entry in config.get("qos", {}).get("classes", ())]
