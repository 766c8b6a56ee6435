"""Writes what pages and editors have of the simulator's registry: `python tools/registry_pages.py`.

`docs/registry.md` and `scenario.schema.json` are written as a whole; on the pages of workloads and
of counters, the tables between two marks are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from odonata.cli.topo import described
from odonata.scenario import advice, jobs, occupancy, registry, sections
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.build.families import table_name
from odonata.scenario.build.table import class_name
from odonata.scenario.counters import Counter, counters
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.nodes import node_types
from odonata.scenario.presets import Preset, presets
from odonata.scenario.schema import schema
from odonata.scenario.text import inline

REPOSITORY = Path(__file__).resolve().parent.parent
DOCS = REPOSITORY / "docs"

BEGIN = "<!-- from the registry: `make docs` writes it -->\n"
END = "<!-- end -->\n"

OTHERS = ("open-loop", "trace", "program", "profile")
"""Workloads without a page: docs/model/workloads.md, docs/traces.md, docs/programs.md."""

_HEAD = """\
# What a scenario can name

This page is generated from the simulator's registry: `make docs` writes it, a test compares it.
Quantities are text with [a unit](scenario.md#quantities); `(required)` has no default, or that of
the preset; an empty default depends on other values. [In Python](python.md) each table and each
member is a class of `odonata.build`, which is named where its keys are.
"""


def page() -> str:
    """The page of everything that a scenario can name."""
    parts = [_HEAD, "## Systems\n"]
    parts += [
        f"* `{preset.signature}`: {preset.summary}. Source: {preset.source}.{_routing(preset)}"
        for preset in presets().values()
    ]
    parts += ["", *_tables()]
    parts.append("## Backgrounds: named loads, `workload = { preset = NAME }`\n")
    parts.append("`workloads.Background` in Python. Keys of `open-loop` replace parts of them.\n")
    parts += [
        f"* `{entry.name}`: {entry.summary}. Source: {entry.source}."
        for entry in backgrounds().values()
    ]
    parts.append("")
    for family, what in registry.FAMILIES.items():
        parts += [f"## {family.capitalize()}: {what}\n", *_members(family)]
    return "\n".join(parts).rstrip() + "\n"


def _tables() -> Iterator[str]:
    """Every table of a scenario that belongs to no family."""
    yield _section("## The file", "scenario", sections.TOP)
    yield _section("### `[[jobs]]`", "jobs", sections.JOB)
    yield _section("#### `small_class`", "small_class", sections.SMALL_CLASS)
    yield _section("### `[measure]`", "measure", sections.MEASURE)
    yield _section("### `[stop]`", "stop", sections.STOP)
    yield _section("#### Each entry of `precision`", "precision", sections.PRECISION)
    yield _section("### `[telemetry]`", "telemetry", sections.TELEMETRY)
    yield _section("### `[advise]`", "advise", advice.FIELDS)
    yield _section("#### Each `objective`", "objective", advice.OBJECTIVE)
    yield _section("#### Each of the `conditions`", "conditions", advice.CONDITION)
    yield _section("## `[system]`", "system", sections.SYSTEM)
    yield _section("### `[system.links.KIND]`", "link", sections.LINK)
    yield "Kinds (`Links` in Python): " + ", ".join(f"`{x}`" for x in sections.LINK_KINDS) + ".\n"
    for name, fields in sections.TABLES.items():
        yield _section(f"### `[system.{name}]`", name, fields)
    yield f"### `[[system.topology.more_groups]]`\n\n{_table(sections.MORE_GROUPS)}"
    yield f"#### Of a megafly\n\n{_table(sections.MORE_LEVELS)}"
    yield _section("### `[system.node]`", "node", sections.NODE)
    yield _section("#### Each of the `types`", "types", sections.NODE_TYPE)
    yield _section("### `[system.host]`", "host", sections.HOST)
    yield _section("#### Each of the `detours`", "detours", sections.DETOUR)
    yield _section("#### Each of the `calls`", "calls", sections.CALL)
    yield _section("### `[system.failures]`", "failures", sections.FAILURES)
    yield _section("#### Each of the `events`", "events", sections.EVENT)
    yield _section("### `[system.qos]`", "qos", sections.QOS)
    yield _section("#### Each of the `classes`", "classes", sections.CLASS)
    yield from map(_profile, registry.class_profiles().values())
    yield _section("### `[system.mpi]`", "mpi", registry.mpi_parameters())


def _section(title: str, key: str, fields: Iterable[Field]) -> str:
    return f"{title}\n\nIn Python: `{table_name('', key)}`.\n\n{_table(fields)}"


def _members(family: str) -> Iterator[str]:
    """The members of a family: those with parameters with their tables, a line each if none has."""
    entries = registry.family(family)
    if not any(entry.parameters for entry in entries.values()):
        yield from (f"* `{one.name}`: {one.summary}.{_source(one)}" for one in entries.values())
        yield ""
        return
    if family == "workloads":
        yield "Most have [a page](workloads/README.md), with their keys; these are the others.\n"
        entries = {name: entries[name] for name in OTHERS}
    if family == "placements":
        yield ("All have the keys `mapping` (which rank is on which node: "
               f"{', '.join(f'`{name}`' for name in jobs.MAPPINGS)}, a list of ranks, or "
               f"`{{ file = PATH }}`) and `groups` ({sections.GROUPS.doc}); all but `list` have "
               f"`nodes` ({sections.NODES.doc}).\n")  # fmt: skip
    for entry in entries.values():
        needs = f" Needs: {entry.needs}." if entry.needs else ""
        if entry.families:
            needs = f" Virtual channels: {registry.channels(entry)}."
        yield f"### `{entry.name}`\n\n{entry.summary}.{_source(entry)}{needs}\n"
        if entry.rule:
            yield f"{entry.rule}\n"
        more = () if family == "placements" else sections.beside(family, entry.name)
        yield _keys(family, entry.name, (*entry.parameters, *more))
    if family == "workloads":
        yield f"### `{occupancy.KIND}`\n\nall jobs of a stretch of a scheduler log.\n"
        yield _keys(family, occupancy.KIND, occupancy.FIELDS)
        yield f"Each of the `rules`:\n\n{_table(occupancy.RULE)}"


def _keys(family: str, name: str, fields: tuple[Field, ...]) -> str:
    """What a member is in Python, and what may be set."""
    return f"In Python: `{family}.{class_name(name)}`.\n" + (
        f"\n{_table(fields)}" if fields else ""
    )


def _source(entry: registry.Entry) -> str:
    return f" Source: {entry.source}." if entry.source else ""


def _routing(preset: Preset) -> str:
    """What a scenario that names no algorithm gets."""
    values = ", ".join(f"`{key} = {inline(value)}`" for key, value in preset.routing.items())
    return f" Routing by default: {values}." if values else ""


def _table(fields: Iterable[Field]) -> str:
    fields = tuple(fields)
    columns = ["key", "is", "default", "meaning"]
    columns += ["source"] if any(field.source for field in fields) else []
    rows = (
        (f"`{field.name}`", _kind(field), _default(field), field.doc, field.source)
        for field in fields
    )
    return _markdown(columns, rows)


def _markdown(columns: list[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for row in rows:
        cells = [str(cell).replace("|", "\\|") for cell in row][: len(columns)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _kind(field: Field) -> str:
    """What a value is, with its bounds: a count is at least 0 and may be 4,294,967,295."""
    kind = ", ".join(f"`{choice}`" for choice in field.choices) or field.kind
    low, high = (None if x is None else _number(field, x) for x in (field.minimum, field.maximum))
    if high is None:
        return kind if low in (None, "0") else f"{kind}, ≥ {low}"
    return f"{kind}, ≤ {high}" if low is None else f"{kind}, {low} to {high}"


def _number(field: Field, bound: float) -> str:
    if field.dimension is not None:
        return str(field.written(int(bound)))
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:g}"


def _default(field: Field) -> str:
    if field.default is REQUIRED:
        return "(required)"
    return "" if field.default is None else f"`{field.written(field.default)}`"


def _profile(profile: registry.ClassProfile) -> str:
    """The classes of a profile."""
    columns = ["name", "assured", "fabric", "ceiling", "priority", "response_priority"]
    rows = ([one[name] for name in columns] for one in profile.classes)
    return f"Profile `{profile.name}` ({profile.summary}):\n\n{_markdown(columns, rows)}"


def workload(name: str) -> str:
    """What the page of a workload has of the registry."""
    return _keys("workloads", name, registry.family("workloads")[name].parameters)


def workloads() -> str:
    """The table of all their pages."""
    return _markdown(["kind", "what it is"], (
        (f"[`{name}`]({name}.md)", entry.summary)
        for name, entry in registry.family("workloads").items() if name not in OTHERS
    ))  # fmt: skip


@lru_cache(maxsize=1)
def systems() -> str:
    """Every preset in a row."""
    columns = ["system", "topology", "groups", "switches", "nodes", "NICs", "links of a pair",
               "between groups", "MPI", "routing", "published"]  # fmt: skip
    fixed = (preset for preset in presets().values() if not preset.parameters)
    return _markdown(columns, map(_preset_row, fixed))


def _preset_row(preset: Preset) -> Iterator[str]:
    found = described(preset.name)
    summary = found.summary
    rates = found.channels.filter(pl.col("kind") == "global")["bandwidth_bytes_per_s"]
    nodes = summary.get("machine_nodes", summary["nodes"])
    pair = summary["links_per_group_pair"] or {"least": 0, "most": 0}
    nics = sorted({one.nics for one in node_types(preset.system.get("node", {}))})
    yield f"`{preset.name}`"
    yield f"{summary['family']}"
    yield f"{summary['groups']:,}"
    yield f"{summary['routers']:,}"
    yield f"{summary.get('nodes_in_service', nodes):,}"
    yield " or ".join(map(str, nics))
    yield f"{pair['least']}" + (f" to {pair['most']}" if pair["most"] > pair["least"] else "")
    yield f"{rates.sum() / 2 / 1e12:.3g} TB/s"
    yield f"`{preset.system['mpi']['preset']}`"
    yield f"`{preset.routing['algorithm']}`" if preset.routing else ""
    agreeing = sum(one["agrees"] for one in found.published)
    yield f"{agreeing} of {len(found.published)}" if found.published else ""


def counter_tables() -> str:
    """The counters of every place."""
    by_place: dict[str, list[Counter]] = {}
    for counter in counters():
        by_place.setdefault(counter.place, []).append(counter)
    columns = ["counter", "unit", "in the model", "on the hardware", "what differs"]
    return "".join(
        f"\n### {place[0].upper()}{place[1:]}\n\n{_markdown(columns, map(_counter, found))}"
        for place, found in by_place.items()
    ) + "\n"  # fmt: skip


def _counter(one: Counter) -> Iterator[str]:
    name = f"`{one.name}`" + (" \\*" if one.is_derived else "")
    for text in (name, one.unit, one.meaning, one.hardware, one.differs):
        yield text.replace("{}", "n")


def updated(text: str, tables: str) -> str:
    """A page with its tables as the registry has them.

    Raises
    ------
    ValueError
        The page has no place for them.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        message = f"the page has no lines {BEGIN!r} and {END!r} around its tables"
        raise ValueError(message)
    return f"{before}{begin}{tables}{end}{after}"


def laid_out(part: Any, indent: str = "") -> str:  # noqa: ANN401 - any part of the schema
    """Part of the schema as text: a table a block, a key a line."""
    line = json.dumps(part, ensure_ascii=False)
    if '"properties": {' not in line:
        return line
    inner = f"{indent} "
    if isinstance(part, list):
        rows = [laid_out(one, inner) for one in part]
    else:
        rows = [f"{json.dumps(key)}: {laid_out(one, inner)}" for key, one in part.items()]
    inside = ",\n".join(f"{inner}{row}" for row in rows)
    return f"{line[0]}\n{inside}\n{indent}{line[-1]}"


def pages() -> dict[Path, str]:
    """Every file that says something from the registry, as it should be."""
    parts = {DOCS / "model" / "counters.md": counter_tables(),
             DOCS / "systems.md": systems(),
             DOCS / "workloads" / "README.md": workloads()}  # fmt: skip
    for name in registry.family("workloads"):
        if name not in OTHERS:
            parts[DOCS / "workloads" / f"{name}.md"] = workload(name)
    found = {path: updated(path.read_text("utf-8"), tables) for path, tables in parts.items()}
    whole = {DOCS / "registry.md": page(),
             REPOSITORY / "scenario.schema.json": laid_out(schema()) + "\n"}  # fmt: skip
    return whole | found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
