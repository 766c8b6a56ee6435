"""One scenario without sweep to the resolved configuration that the simulator takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from odonata.errors import ScenarioError, suggestion
from odonata.scenario import presets, registry, sections
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, checked_table, read_table, resolved, written

OPEN_LOOP = "open-loop"
"""Workload that never ends by itself."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A scenario without sweep, defaults filled in.

    Parameters
    ----------
    config : dict
        What the simulator takes: base units, suffixes.
    scenario : dict
        The same as a scenario: presets expanded, quantities as text.
    """

    config: dict[str, Any]
    scenario: dict[str, Any]


def resolve(document: Document) -> Resolved:
    """Validate a scenario and fill in its defaults.

    Parameters
    ----------
    document : Document
        Its sweep, if any, is ignored.

    Returns
    -------
    Resolved
        Configuration for the simulator, and as a scenario.

    Raises
    ------
    ScenarioError
        Whatever can be found without building the network.
    """
    data = checked_table(document.data, sections.TOP, document, (), owner="a scenario")
    _check_schema(data, document)
    seed = _seed(data, document)
    system, system_text = _system(data.get("system", {}), document)
    routing = _routing(data, document)
    jobs = _jobs(data, document)
    config: dict[str, Any] = {"seed": seed, "system": system, "routing": routing.config}
    config["jobs"] = [job.config for job in jobs]
    text: dict[str, Any] = {"schema": sections.SCHEMA_VERSION, "name": name_of(document)}
    if "description" in data:
        text["description"] = data["description"]
    text |= {"seed": seed, "system": system_text, "routing": routing.scenario}
    text["jobs"] = [job.scenario for job in jobs]
    for name, fields in (("stop", sections.STOP), ("telemetry", sections.TELEMETRY)):
        values = read_table(data.get(name, {}), fields, document, (name,), owner=f"[{name}]")
        config[name] = resolved(values, fields)
        text[name] = written(values, fields)
    measure = _measure(data, config["jobs"], document)
    if measure is not None:
        config["measure"] = resolved(measure, sections.MEASURE)
        text["measure"] = written(measure, sections.MEASURE)
    return Resolved(config, text)


def name_of(document: Document) -> str:
    """Name of a scenario: its own, or that of its file.

    Raises
    ------
    ScenarioError
        The name cannot be that of a folder.
    """
    name = document.data.get("name")
    if name is None:
        stem = document.name.rpartition("/")[2].removesuffix(".toml")
        return stem if stem and not stem.startswith("<") else "scenario"
    if not isinstance(name, str) or not name or any(letter in name for letter in "/\\\n\0"):
        raise document.error(("name",), 'a name is text without slashes, such as "my-run".')
    if name in (".", ".."):
        raise document.error(("name",), "this name is that of a folder; choose another.")
    return name


def _check_schema(data: Mapping[str, Any], document: Document) -> None:
    version = data.get("schema", sections.SCHEMA_VERSION)
    if version != sections.SCHEMA_VERSION or isinstance(version, bool):
        raise document.error(
            ("schema",), f"this version reads schema = {sections.SCHEMA_VERSION}; write that."
        )
    description = data.get("description", "")
    if not isinstance(description, str):
        raise document.error(("description",), "a description is text in quotes.")


def _seed(data: Mapping[str, Any], document: Document) -> int:
    seed = data.get("seed", 1)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise document.error(("seed",), "a seed is a whole number from 0 to 2^63 - 1.")
    return seed


def _system(table: object, document: Document) -> tuple[dict[str, Any], dict[str, Any]]:
    key: Key = ("system",)
    own = dict(checked_table(table, sections.SYSTEM, document, key, owner="[system]"))
    if "preset" not in own and "topology" not in own:
        names = ", ".join(preset.signature for preset in presets.presets().values())
        raise document.error(key, f"needs `preset` or `topology`. Presets: {names}.")
    given = own.pop("preset", presets.DEFAULT)
    if not isinstance(given, str):
        raise document.error((*key, "preset"), "a preset is a name in quotes.")
    try:
        base = presets.expand(given)
    except ScenarioError as error:
        raise document.error((*key, "preset"), str(error)) from None
    for name, value in own.items():
        if not isinstance(value, dict):
            raise document.error((*key, name), f"must be a table: [system.{name}].")
    data = presets.merged(base, own)
    config: dict[str, Any] = {}
    text: dict[str, Any] = {}
    topology = _member("topologies", "topology", data.get("topology"), document, (*key, "topology"))
    config["topology"], text["topology"] = topology.config, topology.scenario
    config["links"], text["links"] = _links(data.get("links"), document, (*key, "links"))
    for name, fields in sections.TABLES.items():
        values = read_table(data.get(name, {}), fields, document, (*key, name),
                            owner=f"[system.{name}]")  # fmt: skip
        if name == "router":
            values.setdefault("output_buffer", values["input_buffer"])
        config[name], text[name] = resolved(values, fields), written(values, fields)
    config["mpi"], text["mpi"] = _mpi(data.get("mpi", {}), document, (*key, "mpi"))
    return config, text


def _links(table: object, document: Document, key: Key) -> tuple[dict[str, Any], dict[str, Any]]:
    links = checked_table(table, sections.LINK_KINDS, document, key, owner="[system.links]")
    config = {}
    text = {}
    for kind in sections.LINK_KINDS:
        values = read_table(links.get(kind, {}), sections.LINK, document, (*key, kind),
                            owner=f"[system.links.{kind}]")  # fmt: skip
        config[kind] = resolved(values, sections.LINK)
        text[kind] = written(values, sections.LINK)
    return config, text


def _mpi(table: object, document: Document, key: Key) -> tuple[dict[str, Any], dict[str, Any]]:
    """MPI parameters: the preset and what overrides it; defaults stay with the preset."""
    fields = [_optional(field) for field in registry.mpi_parameters()]
    values = read_table(table, fields, document, key, owner="[system.mpi]")
    return values, written(values, fields)


def _optional(field: Field) -> Field:
    return replace(field, default=None)


def _routing(data: Mapping[str, Any], document: Document) -> Resolved:
    if "routing" not in data:
        names = ", ".join(registry.family("routings"))
        raise document.error((), f"[routing] is missing; write algorithm = ... Valid: {names}.")
    return _member("routings", "routing", data["routing"], document, ("routing",), tag="algorithm")


def _member(
    family: str, noun: str, table: object, document: Document, key: Key, *, tag: str = "kind"
) -> Resolved:
    """A member of a family with its parameters: ``kind`` names it, the other keys are its own."""
    entries = registry.family(family)
    if isinstance(table, str):
        table = {tag: table}
    if not isinstance(table, dict) or not isinstance(table.get(tag), str):
        raise document.error(key, f"a {noun} is a table with `{tag}`. Valid: {', '.join(entries)}.")
    name = table[tag]
    entry = entries.get(name)
    if entry is None:
        at = (*key, tag) if (*key, tag) in document.lines or document.was_set((*key, tag)) else key
        raise document.error(at, f'no {noun} is called "{name}".{suggestion(name, entries)}')
    fields = [_optional(f) if f.default is None else f for f in entry.parameters]
    values = read_table(table, fields, document, key, owner=f"{noun} `{name}`", also=(tag,))
    return Resolved({tag: name, **values}, {tag: name, **written(values, fields)})


def _jobs(data: Mapping[str, Any], document: Document) -> list[Resolved]:
    tables = data.get("jobs")
    if not isinstance(tables, list) or not tables:
        kinds = ", ".join(registry.family("workloads"))
        raise document.error(
            ("jobs",) if "jobs" in data else (),
            f"a scenario needs at least one [[jobs]] with a workload. Workloads: {kinds}.",
        )
    jobs = [_job(table, index, document) for index, table in enumerate(tables)]
    names = [job.config["name"] for job in jobs]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise document.error(
                ("jobs", index, "name"), f'two jobs are called "{name}"; give each its own name.'
            )
    return jobs


def _job(table: object, index: int, document: Document) -> Resolved:
    key: Key = ("jobs", index)
    job = checked_table(table, sections.JOB, document, key, owner="[[jobs]]")
    if "workload" not in job:
        kinds = ", ".join(registry.family("workloads"))
        raise document.error(key, f"a job needs `workload`. Valid kinds: {kinds}.")
    workload = _member("workloads", "workload", job["workload"], document, (*key, "workload"))
    placement = _member("placements", "placement", job.get("placement", "contiguous"), document,
                        (*key, "placement"))  # fmt: skip
    kind = workload.config["kind"]
    name = job.get("name", kind)
    if not isinstance(name, str) or not name or any(letter in name for letter in "/\\\n\0"):
        raise document.error((*key, "name"), "a name is text in quotes without slashes.")
    role = job.get("role", "background" if kind == OPEN_LOOP else "victim")
    if role not in sections.ROLES:
        nearest = suggestion(str(role), sections.ROLES)
        raise document.error((*key, "role"), f'"{role}" is not a role.{nearest}')
    config = {"name": name, "role": role}
    return Resolved(
        {**config, "placement": placement.config, "workload": workload.config},
        {**config, "placement": placement.scenario, "workload": workload.scenario},
    )


def _measure(
    data: Mapping[str, Any], jobs: Sequence[Mapping[str, Any]], document: Document
) -> dict[str, Any] | None:
    """Measurement if asked for, or if no job ends by itself; a drain of four windows."""
    if "measure" not in data and not all(_is_open_loop(job) for job in jobs):
        return None
    table = data.get("measure", {})
    values = read_table(table, sections.MEASURE, document, ("measure",), owner="[measure]")
    values.setdefault("drain", 4 * values["window"])
    return values


def _is_open_loop(job: Mapping[str, Any]) -> bool:
    return bool(job["workload"]["kind"] == OPEN_LOOP)


def victims(jobs: Iterable[Mapping[str, Any]]) -> list[str]:
    """Names of the jobs that get a baseline."""
    return [job["name"] for job in jobs if job["role"] == "victim"]
