"""``[[jobs]]`` and how their packets find their way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario import registry, sections
from odonata.scenario.backgrounds import expanded
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, checked_table, read_table, written
from odonata.scenario.members import Resolved, member
from odonata.scenario.occupancy import is_occupancy, jobs_of

OPEN_LOOP = "open-loop"
"""Workload that never ends by itself."""

LEARNING = "q-adaptive"
"""Routing that learns, and can start from what an earlier run has learnt."""

_BEST_EFFORT = "best-effort"
"""The class of jobs that ask for none, where the system has one by this name."""

_MOST_JOBS = 255
"""Of a run: the simulator numbers them in a byte."""

MAPPINGS = ("linear", "cyclic", "shuffled")
"""Named orders of the ranks on the nodes of a job."""

TABLES = (
    Field("load_table", "path", "table `q_table` of an earlier run to start from (.parquet, .csv)",
          default=None),
    Field("save_table", "boolean", "keep what routers have learnt as the table `q_table`",
          default=None),
)  # fmt: skip
"""Keys of `q-adaptive` beside its parameters."""


def routing(table: object, document: Document, key: Key) -> Resolved:
    """Routing of a system or of one job.

    Parameters
    ----------
    table : object
        As written: ``algorithm`` and its parameters, or the name alone.
    document : Document
        For messages.
    key : Key
        Where it stands.

    Returns
    -------
    Resolved
        Of `save_table`, only the scenario speaks: the simulator is asked for the table.

    Raises
    ------
    ScenarioError
        No such algorithm, or wrong parameters.
    """
    learns = isinstance(table, dict) and table.get("algorithm") == LEARNING
    names = [field.name for field in TABLES] if learns else []
    found = member("routings", table, document, key, also=names)
    if not isinstance(table, dict) or not learns:
        return found
    own = {name: table[name] for name in names if name in table}
    values = read_table(own, TABLES, document, key, owner=f"routing `{LEARNING}`")
    tables = {name: value for name, value in values.items() if name != "save_table"}
    return Resolved(found.config | tables, found.scenario | values)


def jobs(data: Mapping[str, Any], classes: Sequence[str], document: Document) -> list[Resolved]:
    """Every job of a scenario.

    Parameters
    ----------
    data : mapping
        The scenario.
    classes : sequence of str
        Traffic classes of the system.
    document : Document
        For messages.

    Returns
    -------
    list of Resolved
        In file order.

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
    for index, name in enumerate(job.config["name"] for job in found):
        if name in names:
            raise document.error(
                ("jobs", index, "name"), f'two jobs are called "{name}"; give each its own name.'
            )
        names.add(name)
    return _repeated(found, data)


def _all(job: Any, index: int, document: Document) -> list[Any]:  # noqa: ANN401 - any TOML value
    """Return the jobs that an entry stands for: itself, or those of a scheduler log."""
    return jobs_of(job, document, ("jobs", index)) if is_occupancy(job) else [job]


def _repeated(jobs: list[Resolved], data: Mapping[str, Any]) -> list[Resolved]:
    """Whether each job starts again: by default all but victims, if anything else ends the run."""
    ending = [job for job in jobs if job.config["workload"]["kind"] != OPEN_LOOP]
    is_ended = "measure" in data or any(job.config["role"] == "victim" for job in ending)
    for job in ending:
        if job.config.get("repeat") is None:
            repeats = is_ended and job.config["role"] != "victim"
            job.config["repeat"] = job.scenario["repeat"] = repeats
    return jobs


def route_alltoalls(jobs: Sequence[Resolved], way: str, document: Document) -> None:
    """Gives alltoalls the routing of the machine in jobs that choose no routing of their own.

    Parameters
    ----------
    jobs : sequence of Resolved
        Of a scenario that leaves routing to its preset.
    way : str
        Routing of alltoalls there.
    document : Document
        For messages.
    """
    chosen = {"routing", "alternated", "alltoall_routings", "policy"}
    for index, job in enumerate(jobs):
        if job.config["workload"]["kind"] != OPEN_LOOP and not chosen & job.config.keys():
            found = routing(way, document, ("jobs", index, "alltoall_routing"))
            job.config["alltoall_routings"] = [found.config]
            job.scenario["alltoall_routing"] = [found.scenario]


def is_name(text: str) -> bool:
    """Whether folders and tables can show it."""
    return text.isprintable() and not {"/", "\\"} & set(text)


def _job(table: object, index: int, classes: Sequence[str], document: Document) -> Resolved:
    key: Key = ("jobs", index)
    job = checked_table(table, [row.name for row in sections.JOB], document, key, owner="[[jobs]]")
    if "workload" not in job:
        kinds = ", ".join(registry.family("workloads"))
        raise document.error(key, f"a job needs `workload`. Valid kinds: {kinds}.")
    at = (*key, "workload")
    workload = member("workloads", expanded(job["workload"], document, at), document, at)
    placement = _placement(job.get("placement", "contiguous"), index, document)
    kind = workload.config["kind"]
    name = job.get("name", kind)
    if not isinstance(name, str) or not name or not is_name(name):
        raise document.error(
            (*key, "name"), "a name is text in quotes without slashes and control characters."
        )
    role = job.get("role", "background" if kind == OPEN_LOOP else "victim")
    if role not in sections.ROLES:
        nearest = suggestion(str(role), sections.ROLES)
        raise document.error((*key, "role"), f'"{role}" is not a role.{nearest}')
    config: dict[str, Any] = {"name": name, "role": role}
    given = (*sections.REPEAT, *sections.PACKET_MULTIPLE, *sections.MESSAGE_SAMPLE, *sections.MUTED)
    for field in given:
        if field.name in job:
            config |= read_table({field.name: job[field.name]}, (field,), document, key,
                                 owner="[[jobs]]")  # fmt: skip
    config |= _seats(job, key, document)
    text = dict(config)
    stay = {field.name: job[field.name] for field in sections.STAY if field.name in job}
    stay = read_table(stay, sections.STAY, document, key, owner="[[jobs]]")
    config |= {f"{name}_ps": value for name, value in stay.items()}
    text |= written(stay, sections.STAY)
    own = _classes(job, key, classes, document)
    config, text = config | own.config, text | own.scenario
    way = _ways(job, key, document)
    config, text = config | way.config, text | way.scenario
    return Resolved(
        {**config, "placement": placement.config, "workload": workload.config},
        {**text, "placement": placement.scenario, "workload": workload.scenario},
    )


def _ways(job: Mapping[str, Any], key: Key, document: Document) -> Resolved:
    """Routing of a job, or several that take turns; and its policy."""
    config: dict[str, Any] = {}
    text: dict[str, Any] = {}
    at = (*key, "routing")
    given = job.get("routing")
    if isinstance(given, list) or "alternate" in job:
        ways = _turns(given, job.get("alternate"), key, document)
        config["alternated"] = [way.config for way in ways]
        text |= {"routing": [way.scenario for way in ways], "alternate": job["alternate"]}
    elif given is not None:
        way = routing(given, document, at)
        config["routing"], text["routing"] = way.config, way.scenario
    if "alltoall_routing" in job:
        ways = _of_alltoalls(job["alltoall_routing"], given, key, document)
        config["alltoall_routings"] = [way.config for way in ways]
        text["alltoall_routing"] = [way.scenario for way in ways]
    if "policy" in job:
        policy = member("policies", job["policy"], document, (*key, "policy"))
        config["policy"], text["policy"] = policy.config, policy.scenario
    return Resolved(config, text)


def _of_alltoalls(given: object, routings: object, key: Key, document: Document) -> list[Resolved]:
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
        routing(each, document, (*at, index) if isinstance(given, list) else at)
        for index, each in enumerate(every)
    ]
    if any(way.config["algorithm"] == LEARNING for way in ways):
        raise document.error(at, f"`{LEARNING}` learns from all messages of a job, or from none.")
    return ways


def _turns(given: object, when: object, key: Key, document: Document) -> list[Resolved]:
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
    ways = [routing(each, document, (*at, index)) for index, each in enumerate(given)]
    if not ways:
        raise document.error(at, "a list of routings has at least one.")
    if any(way.config["algorithm"] == LEARNING for way in ways):
        raise document.error(at, f"`{LEARNING}` learns all the time and cannot take turns.")
    return ways


def _seats(job: Mapping[str, Any], key: Key, document: Document) -> dict[str, Any]:
    """How ranks share nodes, where it is not the usual."""
    fields = (*sections.RANKS_PER_NODE, *sections.SHARE_NODES)
    given = {field.name: job[field.name] for field in fields if field.name in job}
    values = read_table(given, fields, document, key, owner="[[jobs]]")
    usual = {"ranks_per_node": 1, "share_nodes": False}
    return {name: value for name, value in values.items() if value not in {None, usual[name]}}


def _classes(
    job: Mapping[str, Any], key: Key, classes: Sequence[str], document: Document
) -> Resolved:
    """Traffic classes of the messages of a job."""
    given = [name for name in ("class", "collective_class", "small_class") if name in job]
    if given and not classes:
        raise document.error(
            (*key, given[0]),
            "the system has no traffic classes; add [system.qos] with classes, or leave this out.",
        )
    if not classes:
        return Resolved({}, {})
    default = _BEST_EFFORT if _BEST_EFFORT in classes else classes[-1]
    config: dict[str, Any] = {"class": job.get("class", default)}
    if "collective_class" in job:
        config["collective_class"] = job["collective_class"]
    for name, value in config.items():
        _check_class(value, (*key, name), classes, document)
    text = dict(config)
    if "small_class" in job:
        here = (*key, "small_class")
        values = read_table(job["small_class"], sections.SMALL_CLASS, document, here,
                            owner="`small_class`")  # fmt: skip
        _check_class(values["name"], (*here, "name"), classes, document)
        config["small_class"] = {"class": values["name"], "below_bytes": values["below"]}
        text["small_class"] = written(values, sections.SMALL_CLASS)
    return Resolved(config, text)


def _check_class(name: object, key: Key, classes: Sequence[str], document: Document) -> None:
    if name not in classes:
        nearest = suggestion(str(name), classes)
        raise document.error(key, f'no traffic class is called "{name}".{nearest}')


def _placement(table: object, index: int, document: Document) -> Resolved:
    """Nodes of a job, and which rank is on which of them."""
    key: Key = ("jobs", index, "placement")
    found = member("placements", table, document, key, also=("mapping", GROUPS.name))
    config, text = dict(found.config), dict(found.scenario)
    if isinstance(table, dict) and GROUPS.name in table:
        groups = GROUPS.read(table[GROUPS.name], document, (*key, GROUPS.name))
        config[GROUPS.name] = text[GROUPS.name] = groups
    if "file" in config and "line" not in config:
        config["line"] = text["line"] = index
    mapping = table.get("mapping", "linear") if isinstance(table, dict) else "linear"
    mapping = _mapping(mapping, (*key, "mapping"), document)
    if mapping != "linear":
        config["mapping"] = text["mapping"] = mapping
    return Resolved(config, text)


GROUPS = Field("groups", "text", "kind of the groups whose nodes the job gets; default: compute, "
               "and for a list of nodes any", default=None)  # fmt: skip
"""Of any placement, where the groups of a dragonfly are of several kinds."""

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
