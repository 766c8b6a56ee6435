"""Reference of everything a scenario can name: ``python -m odonata.scenario.page``."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from odonata.scenario import advice, registry, sections
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.presets import Preset, presets
from odonata.scenario.text import inline

_HEAD = """\
# What a scenario can name

This page is generated from the simulator's registry: `make docs` writes it, a test compares it.
Quantities are text with a unit; `(required)` has no default; an empty default depends on other
values.
"""


def page() -> str:
    """The page as Markdown."""
    parts = [_HEAD, "## Systems\n"]
    parts += [
        f"* `{preset.signature}`: {preset.summary}. Source: {preset.source}.{_routing(preset)}"
        for preset in presets().values()
    ]
    parts.append("\n## Tables of `[system]`\n")
    for name, fields in (("links.KIND", sections.LINK), *sections.TABLES.items()):
        parts.append(table(f"### `[system.{name}]`", fields))
    parts.append(table("### `[[system.topology.more_groups]]`", sections.MORE_GROUPS))
    parts.append(table("### `[system.node]`", sections.NODE))
    parts.append(table("### `[system.host]`", sections.HOST))
    parts.append(table("Each of the `detours`:\n", sections.DETOUR))
    parts.append(table("Each of the `calls`:\n", sections.CALL))
    parts.append(table("### `[system.failures]`", sections.FAILURES))
    parts.append(table("Each of the `events`:\n", sections.LINK_EVENT))
    parts.append(table("### `[system.qos]`", sections.QOS))
    parts.append(table("Each of the `classes`:\n", sections.CLASS))
    parts += [_profile(profile) for profile in registry.class_profiles().values()]
    parts.append(table("### `[system.mpi]`", registry.mpi_parameters()))
    parts.append("## Other tables\n")
    others = (("measure", sections.MEASURE), ("stop", sections.STOP),
              ("telemetry", sections.TELEMETRY))  # fmt: skip
    for name, fields in others:
        parts.append(table(f"### `[{name}]`", fields))
        if name == "stop":
            parts.append(table("Each entry of `precision`:\n", sections.PRECISION))
    parts.append(table("### `[advise]`", advice.FIELDS))
    parts.append(table("Each `objective`:\n", advice.OBJECTIVE))
    parts.append(table("Each of the `conditions`:\n", advice.CONDITION))
    parts.append("## Backgrounds: named loads, `workload = { preset = NAME }`\n")
    parts += [
        f"* `{entry.name}`: {entry.summary}. Source: {entry.source}."
        for entry in backgrounds().values()
    ]
    parts.append("")
    for family, what in registry.FAMILIES.items():
        parts.append(f"## {family.capitalize()}: {what}\n")
        for entry in registry.family(family).values():
            source = f" Source: {entry.source}." if entry.source else ""
            needs = f" Needs: {entry.needs}." if entry.needs else ""
            if entry.families:
                needs = f" Virtual channels: {registry.channels(entry)}."
            parts.append(f"### `{entry.name}`\n\n{entry.summary}.{source}{needs}\n")
            parts += [f"{entry.rule}\n"] if entry.rule else []
            if entry.parameters:
                parts.append(table("", entry.parameters))
    return "\n".join(parts).rstrip() + "\n"


def _routing(preset: Preset) -> str:
    """What a scenario that names no algorithm gets."""
    way = preset.routing
    values = ", ".join(f"`{key} = {inline(value)}`" for key, value in way.items())
    return f" Routing by default: {values}." if way else ""


def table(title: str, fields: Iterable[Field]) -> str:
    """Fields as a table in Markdown, under `title`."""
    lines = [title, ""] if title else []
    fields = tuple(fields)
    columns = ["key", "is", "default", "meaning"]
    columns += ["source"] if any(field.source for field in fields) else []
    lines += [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for field in fields:
        kind = ", ".join(f"`{choice}`" for choice in field.choices) or field.kind
        cells = [f"`{field.name}`", kind, _default(field), _escaped(field.doc)]
        cells += [_escaped(field.source)] if "source" in columns else []
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _profile(profile: registry.ClassProfile) -> str:
    """The classes of a profile as a table in Markdown."""
    columns = ["name", "assured", "fabric", "ceiling", "priority", "response_priority"]
    lines = [f"Profile `{profile.name}` ({profile.summary}):", ""]
    lines += [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    lines += [f"| {' | '.join(str(one[name]) for name in columns)} |" for one in profile.classes]
    return "\n".join(lines) + "\n"


def _default(field: Field) -> str:
    if field.default is REQUIRED:
        return "(required)"
    return "" if field.default is None else f"`{field.written(field.default)}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
