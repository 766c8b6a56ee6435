"""``[system]``: a preset and what overrides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from odonata.core.errors import ScenarioError
from odonata.scenario import presets, registry, sections
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import checked_table, read_table
from odonata.scenario.members import member

KEY: Key = ("system",)

_WORDS = {"name": "a name is text", "note": "a note is a sentence"}
"""Keys for readers of results: what they hold."""

_TABLES = {
    **sections.TABLES, "failures": sections.FAILURES, "node": sections.NODE, "qos": sections.QOS,
    "host": sections.HOST, "mpi": sections.MPI,
}  # fmt: skip
"""Tables beside `topology` and `links`, in the order in which they are resolved."""

_MAY_LACK = ("failures", "node", "qos", "host")
"""Tables that a system need not have."""


def system(table: object, document: Document) -> dict[str, Any]:
    """The machine, every value filled in.

    Parameters
    ----------
    table : object
        ``[system]`` as written.

    Returns
    -------
    dict
        In base units: topology, failures, links, routers, packets, NICs, classes, MPI, hosts.

    Raises
    ------
    ScenarioError
        Unknown keys, wrong values, no preset and no topology.
    """
    data = _with_preset(table, document)
    values: dict[str, Any] = {}
    for name in _WORDS:
        if name in data:
            values[name] = _words(data[name], name, document)
    values["topology"] = member("topologies", data.get("topology"), document, (*KEY, "topology"))
    values["links"] = _links(data.get("links"), document)
    checks = {"failures": _check_failures, "node": _check_node, "qos": _check_qos}
    for name, fields in _TABLES.items():
        if name == "nic":
            values[name] = _nic(data.get(name, {}), document)
        elif name in data or name not in _MAY_LACK:
            given = _filled(name, data.get(name, {}))
            values[name] = read_table(
                given, fields, document, (*KEY, name), owner=f"[system.{name}]"
            )
            if name in checks:
                checks[name](values[name], document)
    return values


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
    _leave_other_kind(base, own, "topology")
    _leave_other_kind(base.get("nic", {}), own.get("nic", {}), sections.CONGESTION.name)
    return presets.merged(base, own)


def _leave_other_kind(base: dict[str, Any], own: Mapping[str, Any], name: str) -> None:
    """Sizes of one shape, and numbers of one controller, mean nothing to another."""
    given = own.get(name)
    kind = given.get("kind") if isinstance(given, dict) else None
    if kind is not None and name in base and kind != base[name]["kind"]:
        del base[name]


def _nic(table: Any, document: Document) -> dict[str, Any]:  # noqa: ANN401 - any TOML value
    """What NICs keep and wait for, and their controller."""
    key, control = (*KEY, "nic"), sections.CONGESTION.name
    for name in table:
        if name in sections.OF_CONTROLLERS:
            kind, row = sections.OF_CONTROLLERS[name]
            raise document.error(
                (*key, name), "the numbers of a controller stand beside its kind; write "
                f'congestion = {{ kind = "{kind}", {row} = ... }}.'
            )  # fmt: skip
    plain = [row for row in sections.NIC if row.name != control]
    values = read_table(table, plain, document, key, owner="[system.nic]", also=(control,))
    given = table.get(control, registry.controller().default)
    return {**values, control: member("controllers", given, document, (*key, control))}


def _filled(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """A table with what follows from another of its keys."""
    if name == "router" and "input_buffer" in given:
        return {"output_buffer": given["input_buffer"], **given}
    if name == "failures" and "fraction" in given:
        return {"kinds": ["global"], **given}
    return given


def _words(value: object, name: str, document: Document) -> str:
    """What results say of this system and the simulator does not know."""
    if not isinstance(value, str) or not value.strip():
        raise document.error((*KEY, name), f"{_WORDS[name]} in quotes.")
    return value


def _check_node(values: dict[str, Any], document: Document) -> None:
    """The nodes that no job gets."""
    for index, pair in enumerate(values.get("out_of_service", ())):
        if not _is_pair(pair):
            raise document.error(
                (*KEY, "node", "out_of_service", index),
                "a range is a pair of node numbers, the first and the last, such as [9408, 9471].",
            )


def _call(preset: str, own: Mapping[str, Any]) -> str:
    """Name of a system that is a preset, or one with changes."""
    changed = [key for key in own if key not in _WORDS]
    return f"{preset} with other {' and '.join(changed)}" if changed else preset


def _links(table: object, document: Document) -> dict[str, Any]:
    """Every kind of link; rows and columns, where given, have from `local` what they lack."""
    key = (*KEY, "links")
    links = checked_table(table, sections.LINK_KINDS, document, key, owner="[system.links]")
    found = {}
    for kind in sections.LINK_KINDS:
        given = links.get(kind, {})
        if kind in sections.INSIDE:
            if kind not in links:
                continue
            given = {**links.get("local", {}), **given} if isinstance(given, dict) else given
        found[kind] = read_table(given, sections.LINK, document, (*key, kind),
                                 owner=f"[system.links.{kind}]")  # fmt: skip
    return found


def _check_failures(values: dict[str, Any], document: Document) -> None:
    """Links that have failed: named, drawn, or both."""
    key = (*KEY, "failures")
    for index, pair in enumerate(values.get("links", ())):
        _check_pair(pair, document, (*key, "links", index))
    for index, event in enumerate(values.get("events", ())):
        _check_event(event, document, (*key, "events", index))
    if "kinds" in values and "fraction" not in values:
        raise document.error(
            (*key, "kinds"), "kinds belong to `fraction`; write, for example, fraction = 0.02."
        )
    for name in ("known_after", "resent_after"):
        if name in values and not values.get("events"):
            raise document.error(
                (*key, name),
                f"{name} belongs to `events`; write, for example, "
                'events = [{ at = "200 us", link = [0, 1], state = "down" }].',
            )


def _check_event(event: Mapping[str, Any], document: Document, key: Key) -> None:
    """What becomes of a link, a router or a node at an instant."""
    named = [kind for kind in ("link", "router", "node") if kind in event]
    if len(named) != 1:
        raise document.error(
            key,
            "an event is about one of these: link = [0, 1], router = 5, or node = 12.",
        )
    if "link" in event:
        _check_pair(event["link"], document, (*key, "link"))
    for name in () if "link" in event else ("port", "lanes"):
        if name in event:
            raise document.error(
                (*key, name), f"`{name}` is of a link; a {named[0]} is down, or up again."
            )
    if ("state" in event) == ("lanes" in event):
        of_link = ', or which share of its bandwidth is left, such as lanes = "50 %"'
        raise document.error(
            key,
            f'an event says either what becomes of the {named[0]}, state = "down" or '
            f'state = "up"{of_link if named == ["link"] else ""}.',
        )


def _check_pair(pair: object, document: Document, key: Key) -> None:
    if not _is_pair(pair):
        raise document.error(key, "a link is a pair of router ids such as [0, 1].")
    if pair[0] == pair[1]:
        raise document.error(key, "a link has two ends; name two different routers.")


def _is_pair(value: object) -> TypeGuard[list[int]]:
    """Whether it is a list of two numbers of nodes or routers."""
    return isinstance(value, list) and len(value) == 2 and all(
        isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 2**32 for one in value
    )  # fmt: skip


def _check_qos(values: dict[str, Any], document: Document) -> None:
    """Traffic classes: the system's own, or those of a profile."""
    key = (*KEY, "qos")
    profile = values.pop("profile", None)
    if (profile is None) == ("classes" not in values):
        raise document.error(
            key,
            "classes come either from `classes`, such as "
            'classes = [{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }], or from '
            f"`profile`: {', '.join(registry.class_profiles())}.",
        )
    if profile is not None:
        tables = list(registry.class_profiles()[profile].classes)
        values["classes"] = read_table(
            {"classes": tables}, sections.QOS, document, key, owner="[system.qos]"
        )["classes"]
    classes = values["classes"]
    if not 1 <= len(classes) <= sections.LARGEST_CLASSES:
        raise document.error(
            (*key, "classes"),
            f"there are {len(classes)} classes; give 1 to {sections.LARGEST_CLASSES}, such as "
            'classes = [{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }].',
        )
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


def class_names(system: Mapping[str, Any]) -> list[str]:
    """Traffic classes of a resolved system, by falling priority; empty without them."""
    return [entry["name"] for entry in system.get("qos", {}).get("classes", ())]
