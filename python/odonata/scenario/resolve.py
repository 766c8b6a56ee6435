"""One scenario without sweep to the resolved configuration that the simulator takes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from odonata.scenario import jobs as work
from odonata.scenario import registry, sections
from odonata.scenario import system as machine
from odonata.scenario.document import Document
from odonata.scenario.fields import checked_table, read_table, resolved, written
from odonata.scenario.members import member
from odonata.scenario.presets import find
from odonata.scenario.removal import leave_out


def resolve(document: Document) -> tuple[dict[str, Any], dict[str, Any]]:
    """Validate a scenario and fill in its defaults.

    Parameters
    ----------
    document : Document
        Its sweep, if any, is ignored.

    Returns
    -------
    dict
        What the simulator takes: base units, suffixes.
    dict
        The same as a scenario: presets expanded, quantities as text.

    Raises
    ------
    ScenarioError
        Whatever can be found without building the network.
    """
    data = checked_table(
        document.data, [row.name for row in sections.TOP], document, (), owner="a scenario"
    )
    _check_schema(data, document)
    seed = seed_of(document)
    replicas_of(document)
    system = machine.system(data.get("system", {}), document)
    way = _way(data)
    alltoalls = way.pop("alltoall_routing", None)
    routing = _routing(data, way, document)
    jobs = work.jobs(data, machine.class_names(system), document)
    if alltoalls is not None:
        work.route_alltoalls(jobs, alltoalls, document)
    leave_out(jobs, document)
    values: dict[str, Any] = {"schema": sections.SCHEMA_VERSION, "name": name_of(document)}
    if "description" in data:
        values["description"] = data["description"]
    values |= {"seed": seed, "system": system, "routing": routing, "jobs": jobs}
    values["stop"] = _stop(data.get("stop", {}), document)
    values["telemetry"] = read_table(
        data.get("telemetry", {}), sections.TELEMETRY, document, ("telemetry",), owner="[telemetry]"
    )
    ways = (routing, *(job.get("routing") for job in jobs))
    if any(isinstance(way, dict) and way.get("save_table") for way in ways):
        values["telemetry"]["q_table"] = True
    measure = _measure(data, jobs, document)
    if measure is not None:
        values["measure"] = measure
    return resolved(values, sections.TOP), written(values, sections.TOP)


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
        return stem if stem and work.is_name(stem) and not stem.startswith("<") else "scenario"
    if not isinstance(name, str) or not name or not work.is_name(name):
        raise document.error(
            ("name",), 'a name is text without slashes and control characters, such as "my-run".'
        )
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


def seed_of(document: Document) -> int:
    """Seed of a scenario.

    Raises
    ------
    ScenarioError
        Not a seed.
    """
    seed = document.data.get("seed", 1)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise document.error(("seed",), "a seed is a whole number from 0 to 2^63 - 1.")
    return seed


def replicas_of(document: Document) -> int:
    """How many runs of each variant a scenario asks for.

    Raises
    ------
    ScenarioError
        Not a number of runs.
    """
    count = document.data.get("replicas", 1)
    most = sections.MOST_REPLICAS
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise document.error(
            ("replicas",), f"replicas are a whole number from 1 to {most:,}, such as 20."
        )
    return count


def seeds_of(seed: int, count: int) -> list[int]:
    """Seeds of replicas: the scenario's own, and numbers derived from it.

    A replica has the same seed in every variant and in the isolated runs, so that what differs is
    not the random numbers. Seeds of other scenarios give others, not neighbours.

    Examples
    --------
    >>> seeds_of(42, 3)
    [42, 48331723241019, 68045818727770]
    """
    derived = (
        int.from_bytes(hashlib.sha256(f"odonata {seed} {number}".encode()).digest()[:6])
        for number in range(1, count)
    )
    return [seed, *derived]


def _way(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the preset of the system runs in production, if the scenario names no algorithm."""
    given = data.get("routing", {})
    preset = find(data["system"].get("preset"))
    is_left = isinstance(given, dict) and "algorithm" not in given
    return dict(preset.routing) if preset is not None and is_left else {}


def _routing(data: Mapping[str, Any], way: dict[str, Any], document: Document) -> dict[str, Any]:
    given = data.get("routing", {})
    if "routing" not in data and not way:
        names = ", ".join(registry.family("routings"))
        raise document.error((), f"[routing] is missing; write algorithm = ... Valid: {names}.")
    return member("routings", {**way, **given} if way else given, document, ("routing",))


def _stop(table: object, document: Document) -> dict[str, Any]:
    """Bounds of a run; what is to be known may be one table or a list of them."""
    key = ("stop", "precision")
    given = table.get("precision") if isinstance(table, dict) else None
    if isinstance(table, dict) and isinstance(given, dict):
        table = {**table, "precision": []}
    values = read_table(table, sections.STOP, document, ("stop",), owner="[stop]")
    if isinstance(given, dict):
        values["precision"] = [
            read_table(given, sections.PRECISION, document, key, owner="`precision`")
        ]
    elif given == []:
        raise document.error(
            key, 'nothing is asked; write, for example, precision = { half_width = "1 %" }.'
        )
    return values


def _measure(
    data: Mapping[str, Any], jobs: Sequence[Mapping[str, Any]], document: Document
) -> dict[str, Any] | None:
    """Measurement if asked for, or if no job ends by itself; a drain of four windows."""
    is_open = all(job["workload"]["kind"] == work.OPEN_LOOP for job in jobs)
    if "measure" not in data and not is_open:
        return None
    table = data.get("measure", {})
    values = read_table(table, sections.MEASURE, document, ("measure",), owner="[measure]")
    values.setdefault("drain", 4 * values["window"])
    return values


def victims(jobs: Iterable[Mapping[str, Any]]) -> list[str]:
    """Names of the jobs that get a baseline."""
    return [job["name"] for job in jobs if job["role"] == "victim" and not job.get("muted")]
