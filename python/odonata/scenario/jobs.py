"""``[[jobs]]`` and how their packets find their way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario import registry, sections
from odonata.scenario.backgrounds import expanded
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, checked_table, read_table
from odonata.scenario.members import member
from odonata.scenario.occupancy import is_occupancy, jobs_of
from odonata.scenario.sections import LEARNING

OPEN_LOOP = "open-loop"
"""Workload that never ends by itself."""

_BEST_EFFORT = "best-effort"
"""The class of jobs that ask for none, where the system has one by this name."""

_MOST_JOBS = 255
"""Of a run: the simulator numbers them in a byte."""

MAPPINGS = tuple(registry.family("mappings"))
"""Named orders of the ranks on the nodes of a job."""


def jobs(
    data: Mapping[str, Any], classes: Sequence[str], document: Document
) -> list[dict[str, Any]]:
    """Every job of a scenario.

    Parameters
    ----------
    data : mapping
        The scenario.
    classes : sequence of str
        Traffic classes of the system.

    Returns
    -------
    list of dict
        In file order, complete, in base units.

    Raises
    ------
    ScenarioError
        No job, a wrong one, or two of the same name.
    """
    tables = data.get("jobs")
    if not isinstance(tables, list) or not tables:
        kinds = ", ".join(registry.family("workloads"))
        raise document.error(
            ("jobs",) if "jobs" in data else (),
            f"a scenario needs at least one [[jobs]] with a workload. Workloads: {kinds}.",
        )
    if len(tables) > _MOST_JOBS:  # before each of them is looked at
        raise document.error(
            ("jobs",), f"{len(tables)} jobs are more than the {_MOST_JOBS} that can run."
        )
    found = [
        _job(table, index, classes, document)
        for index, given in enumerate(tables)
        for table in _all(given, index, document)
    ]
    names: set[str] = set()
    for index, name in enumerate(job["name"] for job in found):
        if name in names:
            raise document.error(
                ("jobs", index, "name"), f'two jobs are called "{name}"; give each its own name.'
            )
        names.add(name)
    return _repeated(found, data)


def _all(job: Any, index: int, document: Document) -> list[Any]:  # noqa: ANN401 - any TOML value
    """Return the jobs that an entry stands for: itself, or those of a scheduler log."""
    return jobs_of(job, document, ("jobs", index)) if is_occupancy(job) else [job]


def _repeated(jobs: list[dict[str, Any]], data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Whether each job starts again: by default all but victims, if anything else ends the run."""
    ending = [job for job in jobs if job["workload"]["kind"] != OPEN_LOOP]
    is_ended = "measure" in data or any(job["role"] == "victim" for job in ending)
    for job in ending:
        job.setdefault("repeat", is_ended and job["role"] != "victim")
    return jobs


def route_alltoalls(jobs: Sequence[dict[str, Any]], way: str, document: Document) -> None:
    """Gives alltoalls the routing of the machine in jobs that choose no routing of their own.

    Parameters
    ----------
    jobs : sequence of dict
        Of a scenario that leaves routing to its preset.
    way : str
        Routing of alltoalls there.
    """
    chosen = {"routing", "alltoall_routing", "policy"}
    for index, job in enumerate(jobs):
        if job["workload"]["kind"] != OPEN_LOOP and not chosen & job.keys():
            at = ("jobs", index, "alltoall_routing")
            job["alltoall_routing"] = [member("routings", way, document, at)]


def is_name(text: str) -> bool:
    """Whether folders and tables can show it."""
    return text.isprintable() and not {"/", "\\"} & set(text)


_OWN = [row.name for row in sections.JOB
        if row.kind in {"time", "integer", "boolean"} or row.name == "on_failure"]  # fmt: skip
"""Keys of a job that stand for themselves."""

_USUAL = {"ranks_per_node": 1, "share_nodes": False, "on_failure": "end"}
"""Values that a resolved job leaves out."""


def _job(table: object, index: int, classes: Sequence[str], document: Document) -> dict[str, Any]:
    key: Key = ("jobs", index)
    rows = {row.name: row for row in sections.JOB}
    job = checked_table(table, rows, document, key, owner="[[jobs]]")
    if "workload" not in job:
        kinds = ", ".join(registry.family("workloads"))
        raise document.error(key, f"a job needs `workload`. Valid kinds: {kinds}.")
    at = (*key, "workload")
    workload = member("workloads", expanded(job["workload"], document, at), document, at)
    placement = _placement(job.get("placement", "contiguous"), index, document)
    kind = workload["kind"]
    name = job.get("name", kind)
    if not isinstance(name, str) or not name or not is_name(name):
        raise document.error(
            (*key, "name"), "a name is text in quotes without slashes and control characters."
        )
    role = job.get("role", "background" if kind == OPEN_LOOP else "victim")
    if role not in sections.ROLES:
        nearest = suggestion(str(role), sections.ROLES)
        raise document.error((*key, "role"), f'"{role}" is not a role.{nearest}')
    own = {own: rows[own].read(job[own], document, (*key, own)) for own in _OWN if own in job}
    return {
        "name": name,
        "role": role,
        **{own: value for own, value in own.items() if value != _USUAL.get(own)},
        **_classes(job, key, classes, document),
        **_ways(job, key, document),
        "placement": placement,
        "workload": workload,
    }


def _ways(job: Mapping[str, Any], key: Key, document: Document) -> dict[str, Any]:
    """Routing of a job, or several that take turns; and its policy."""
    found: dict[str, Any] = {}
    given = job.get("routing")
    if isinstance(given, list) or "alternate" in job:
        found["routing"] = _turns(given, job.get("alternate"), key, document)
        found["alternate"] = job["alternate"]
    elif given is not None:
        found["routing"] = member("routings", given, document, (*key, "routing"))
    if "alltoall_routing" in job:
        found["alltoall_routing"] = _of_alltoalls(job["alltoall_routing"], given, key, document)
    if "policy" in job:
        found["policy"] = member("policies", job["policy"], document, (*key, "policy"))
    return found


def _of_alltoalls(
    given: object, routings: object, key: Key, document: Document
) -> list[dict[str, Any]]:
    """Routings of what belongs to alltoalls: one, or one for each that takes turns."""
    at = (*key, "alltoall_routing")
    turns = len(routings) if isinstance(routings, list) else 1
    every = given if isinstance(given, list) else [given] * turns
    if len(every) != turns:
        raise document.error(
            at,
            f"{len(every)} routings of alltoalls for {turns} in turn: give one for each, in their "
            "order, or a single one.",
        )
    ways = [
        member("routings", each, document, (*at, index) if isinstance(given, list) else at)
        for index, each in enumerate(every)
    ]
    if any(way["algorithm"] == LEARNING for way in ways):
        raise document.error(at, f"`{LEARNING}` learns from all messages of a job, or from none.")
    return ways


def _turns(given: object, when: object, key: Key, document: Document) -> list[dict[str, Any]]:
    """Routings that take turns."""
    at = (*key, "routing")
    if when is None:
        raise document.error(
            at, 'several routings need to know when they take turns; add alternate = "iteration".'
        )
    if when not in sections.ALTERNATE:
        nearest = suggestion(str(when), sections.ALTERNATE)
        raise document.error(
            (*key, "alternate"), f'"{when}" is no turn.{nearest} Write alternate = "iteration".'
        )
    if not isinstance(given, list):
        raise document.error(
            (*key, "alternate"),
            'only a list takes turns, such as routing = ["adaptive-0", "adaptive-3"].',
        )
    ways = [member("routings", each, document, (*at, index)) for index, each in enumerate(given)]
    if not ways:
        raise document.error(at, "a list of routings has at least one.")
    if any(way["algorithm"] == LEARNING for way in ways):
        raise document.error(at, f"`{LEARNING}` learns all the time and cannot take turns.")
    return ways


def _classes(
    job: Mapping[str, Any], key: Key, classes: Sequence[str], document: Document
) -> dict[str, Any]:
    """Traffic classes of the messages of a job."""
    given = [name for name in ("class", "collective_class", "small_class") if name in job]
    if given and not classes:
        raise document.error(
            (*key, given[0]),
            "the system has no traffic classes; add [system.qos] with classes, or leave this out.",
        )
    if not classes:
        return {}
    default = _BEST_EFFORT if _BEST_EFFORT in classes else classes[-1]
    found: dict[str, Any] = {"class": job.get("class", default)}
    if "collective_class" in job:
        found["collective_class"] = job["collective_class"]
    for name, value in found.items():
        _check_class(value, (*key, name), classes, document)
    if "small_class" in job:
        here = (*key, "small_class")
        small = read_table(job["small_class"], sections.SMALL_CLASS, document, here,
                           owner="`small_class`")  # fmt: skip
        _check_class(small["name"], (*here, "name"), classes, document)
        found["small_class"] = small
    return found


def _check_class(name: object, key: Key, classes: Sequence[str], document: Document) -> None:
    if name not in classes:
        nearest = suggestion(str(name), classes)
        raise document.error(key, f'no traffic class is called "{name}".{nearest}')


def _placement(table: object, index: int, document: Document) -> dict[str, Any]:
    """Nodes of a job, and which rank is on which of them."""
    key: Key = ("jobs", index, "placement")
    found = member("placements", table, document, key)
    if "file" in found:
        found.setdefault("line", index)
    given = table.get("mapping", "linear") if isinstance(table, dict) else "linear"
    mapping = _mapping(given, (*key, "mapping"), document)
    if mapping != "linear":
        found["mapping"] = mapping
    return found


MAPPING_FILE = (Field("file", "path", "ranks in the order of the nodes, separated by spaces"),)
"""A mapping that is kept in a file."""


def _mapping(value: object, key: Key, document: Document) -> Any:  # noqa: ANN401 - any TOML value
    """Order of the ranks: a name, their list, or the file that holds it."""
    if isinstance(value, dict):
        return read_table(value, MAPPING_FILE, document, key, owner="`mapping`")
    if isinstance(value, list):
        if not all(isinstance(r, int) and not isinstance(r, bool) and r >= 0 for r in value):
            raise document.error(key, "a mapping lists the rank of each node: whole numbers.")
        if sorted(value) != list(range(len(value))):
            raise document.error(
                key, f"a mapping names every rank from 0 to {len(value) - 1} exactly once."
            )
        return value
    if value not in MAPPINGS:
        nearest = suggestion(str(value), MAPPINGS)
        raise document.error(
            key,
            f'"{value}" is not a mapping.{nearest} A list of ranks or {{ file = ... }} will do.',
        )
    return value
