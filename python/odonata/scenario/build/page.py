"""Reference of the classes for scenarios in Python: ``python -m odonata.scenario.build.page``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from odonata.scenario.build import families
from odonata.scenario.build.scenario import Scenario
from odonata.scenario.build.stubs import type_of
from odonata.scenario.build.table import Node, Table, spelled

_HEAD = """\
# Classes for scenarios in Python

This page is generated from the scenario's schema: `make docs` writes it, a test compares it.
After it you know every class of `odonata.build`, its parameters, their units and defaults.
[Python](python.md) shows how they are used; [what a scenario can name](registry.md) has the sources
of the models and of their defaults.

Every parameter is given by its name. A quantity is text with a unit, such as `"16 KiB"`; the column
*unit* has the units that it may have. A parameter without a default can be left out if its meaning
says what it is then, or if `preset` of `System` sets it. Every class has the methods `replace`,
`to_dict` and `from_dict`; every object can be compared, hashed, copied and pickled.
"""
_FAMILIES = {
    "workloads": "what a job does: `workload` of `Job`",
    "routings": "how packets find their way: `routing` of `Scenario` and `Job`",
    "placements": "which nodes a job gets: `placement` of `Job`",
    "policies": "how each message is sent, decided at the NIC: `policy` of `Job`",
    "topologies": "the shape of a network: `topology` of `System`",
}
_MEANING = {
    "system": "the machine",
    "routing": "how packets find their way",
    "jobs": "what runs on it, one after the other in every listing",
    "topology": "shape of the network; a preset has one",
    "links": "bandwidth and latency of every kind of links",
    "policy": "how each message is sent, decided at its NIC",
    "placement": "which nodes the job gets",
    "workload": "what the job does",
    "preset": "name of the load; `odonata list backgrounds` has them",
}
"""Of keys that the schema has no words for: the tables say it."""


def page() -> str:
    """The page as Markdown."""
    parts = [_HEAD, "## Tables of a scenario\n"]
    for name, one in families.tables().items():
        if name == families.SCENARIO:
            parts.insert(2, "\n".join(_section("Scenario", one, _summary(Scenario.__doc__ or ""))))
        else:
            parts.append("\n".join(_section(name, one)))
    for family, what in _FAMILIES.items():
        parts.append(f"## {family.capitalize()}: {what}\n")
        for name, one in families.members(family).items():
            parts.append("\n".join(_section(f"{family}.{name}", one)))
    return "\n".join(parts).rstrip() + "\n"


def _summary(text: str) -> str:
    return text.partition("\n")[0].removesuffix(".")


def _section(title: str, one: type[Table], about: str = "") -> Iterator[str]:
    about = about or one.__doc__ or title
    yield f"### `{title}`\n"
    named = "".join(f' In a file: `{key} = "{name}"`.' for key, name in one.FIXED.items())
    yield f"{about[:1].upper()}{about[1:]}.{named}\n"
    if not one.KNOWN:
        yield "It has no parameters.\n"
        return
    yield "| parameter | type | unit | valid | default | meaning |"
    yield "|---|---|---|---|---|---|"
    for key, node in one.KNOWN.items():
        cells = [f"`{spelled(key)}`", _kind(one, key, node), unit(node), _valid(node),
                 _default(node), _escaped(node.get("description") or _MEANING[key])]  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    yield ""


def _kind(one: type[Table], key: str, node: Node) -> str:
    if unit(node):
        return "text"
    kind = re.sub(r"Literal\[[^\]]*\]", "name", type_of(one, key, node))
    return f"`{kind}`".replace("|", "\\|")


def _patterns(node: Node) -> Iterator[str]:
    for choice in (node, *node.get("anyOf", ())):
        if "pattern" in choice:
            yield choice["pattern"]


def unit(node: Node) -> str:
    """Units that a quantity may have; empty for anything else.

    Parameters
    ----------
    node : Node
        What the schema says of a key.

    Examples
    --------
    >>> unit({"type": "string", "pattern": "^[0-9._eE+ -]+(ps|ns|us|ms|s)$"})
    'ps to s'
    """
    found = next((re.search(r"\(([^()]+)\)\$$", one) for one in _patterns(node)), None)
    if found is None:
        return ""
    names = found[1].replace("\\", "").split("|")
    return f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0]


def _valid(node: Node) -> str:
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return ", ".join(f"`{one}`" for one in node["enum"])
    names = [one for choice in node.get("anyOf", ()) for one in choice.get("enum", ())]
    if names:
        return "a member, or its name" if len(names) > _MANY else ", ".join(f"`{x}`" for x in names)
    low, high = node.get("minimum"), node.get("maximum")
    if node.get("type") in ("integer", "number"):
        if high is not None:
            return f"{_number(low)} to {_number(high)}" if low is not None else f"≤ {_number(high)}"
        return "" if low is None else f"≥ {_number(low)}"
    return ""


_MANY = 8


def _number(value: Any) -> str:  # noqa: ANN401 - a number of the schema
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _default(node: Node) -> str:
    value = node.get("default")
    return "" if value is None else f"`{value}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
