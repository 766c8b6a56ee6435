"""All classes of tables, made from the schema when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from odonata.core.errors import suggestion
from odonata.scenario.build.table import Node, Table, class_name, made, objects, tag_of, top


class Workload(Table):
    """What a job does."""

    __slots__ = ()


class Routing(Table):
    """How packets find their way."""

    __slots__ = ()


class Placement(Table):
    """Which nodes a job gets."""

    __slots__ = ()


class Policy(Table):
    """How each message of a job is sent, decided at its NIC."""

    __slots__ = ()


class Topology(Table):
    """The shape of a network."""

    __slots__ = ()


class Controller(Table):
    """How NICs control congestion at end points."""

    __slots__ = ()


BACKGROUND = "Background"
"""Class of a named background load; it has no key that names it in the schema."""

BASES: dict[str, type[Table]] = {
    "workloads": Workload,
    "routings": Routing,
    "placements": Placement,
    "policies": Policy,
    "topologies": Topology,
    "controllers": Controller,
}
"""What the members of each family derive from."""


def node_of(family: str) -> Node:
    """Where the schema lists the members of a family."""
    root = top()["properties"]
    system = root["system"]["properties"]
    job = root["jobs"]["items"]["properties"]
    nodes: dict[str, Node] = {
        "workloads": job["workload"],
        "routings": root["routing"],
        "placements": job["placement"],
        "policies": job["policy"],
        "topologies": system["topology"],
        "controllers": system["nic"]["properties"]["congestion"],
    }
    return nodes[family]


@lru_cache(maxsize=8)
def members(family: str) -> dict[str, type[Table]]:
    """Classes of a family by their names.

    Parameters
    ----------
    family : str
        A key of :data:`BASES`.

    Returns
    -------
    dict
        In the order of the registry.
    """
    found = {}
    for node in objects(node_of(family)):
        tag = tag_of(node)
        name = class_name(tag[1]) if tag else BACKGROUND
        found[name] = made(name, node, BASES[family], {}, module=family)
    return found


def classes_of(family: str) -> tuple[Callable[[str], type[Table]], Callable[[], list[str]]]:
    """What the module of a family has as ``__getattr__`` and ``__dir__``."""

    def class_of(name: str) -> type[Table]:
        """A class, made from the registry."""
        found = members(family)
        if name not in found:
            near = suggestion(name, found) if not name.startswith("_") else ""
            raise AttributeError(f"there is no `{name}` among {family}.{near}")
        return found[name]

    return class_of, lambda: list(members(family))


_FAMILY_OF = {
    "workload": "workloads",
    "routing": "routings",
    "alltoall_routing": "routings",
    "placement": "placements",
    "policy": "policies",
    "topology": "topologies",
    "congestion": "controllers",
}
"""Keys whose tables are members of a family."""

LINK = "Link"
LINKS = "Links"
SCENARIO = "ScenarioTable"
"""Names of classes: of a kind of links, of all of them, and of a scenario."""


@lru_cache(maxsize=1)
def tables() -> dict[str, type[Table]]:
    """Every other table of a scenario, by the name of its class."""
    found: dict[str, type[Table]] = {}
    _add(SCENARIO, top(), found)
    return found


def _add(name: str, node: Node, found: dict[str, type[Table]]) -> type[Table]:
    """The class of a table, and those of the tables in it."""
    if name in found:
        return found[name]
    below: dict[str, tuple[type[Table], ...]] = {}
    for key, one in node["properties"].items():
        if key in _FAMILY_OF:
            below[key] = tuple(members(_FAMILY_OF[key]).values())
            continue
        inside = one.get("items", one)
        parts = [part for part in objects(inside) if part.get("properties")]
        if parts:
            about = one.get("description", "")
            below[key] = tuple(
                _add(table_name(name, key), {"description": about, **part}, found) for part in parts
            )
    if name == LINK:
        node = {**node, "description": "links of one kind"}
    found[name] = made(name, node, Table, below, module="tables")
    return found[name]


def table_name(owner: str, key: str) -> str:
    """Name of the class of a table: that of its key, in the singular where it is a list.

    Examples
    --------
    >>> table_name("System", "router"), table_name("ScenarioTable", "jobs")
    ('Router', 'Job')
    """
    if owner == LINKS:
        return LINK
    name = class_name(key)
    plurals = {"Jobs": "Job", "Classes": "Class"}
    return plurals.get(name, name)
