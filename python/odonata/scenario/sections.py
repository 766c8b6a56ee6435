"""Tables of a scenario and their order. What is in a table, the simulator's registry says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from odonata.scenario import registry
from odonata.scenario.fields import Field
from odonata.scenario.removal import NOBODY

SCHEMA_VERSION = 1
"""Version of the scenario format."""

ROLES = ("victim", "aggressor", "background")
"""Roles of jobs: the first gets an isolated baseline, the others are there for its sake."""

LINK_KINDS = ("host", "local", "row", "column", "global")
"""Node to router, inside a group (rows and columns of it where it is a grid), between groups."""

INSIDE = ("row", "column")
"""Kinds of links that are like `local` ones where nothing else is said."""

ALTERNATE = ("iteration",)
"""When the routings of a job take turns."""

MOST_REPLICAS = 10_000
"""Most runs of a variant that differ in nothing but their seed."""

LINK = registry.table("link")
QOS = registry.table("qos")
CLASS = registry.table("class")
NODE = registry.table("node")
NODE_TYPE = registry.table("node_type")
MORE_GROUPS = registry.table("more_groups")
MORE_LEVELS = registry.table("more_levels")
HOST = registry.table("host")
DETOUR = registry.table("detour")
CALL = registry.table("call")
FAILURES = registry.table("failures")
EVENT = registry.table("event")
MEASURE = registry.table("measure")
STOP = registry.table("stop")
PRECISION = registry.table("precision")
TELEMETRY = registry.table("telemetry")

SMALL_CLASS = tuple(
    replace(field, name="name", called="class") if field.name == "class" else field
    for field in registry.table("small_class")
)
"""In a scenario, the class of small messages is named like any class: by `name`."""

LINKS = tuple(Field(kind, "table", f"{kind} links", default=None, rows=LINK) for kind in LINK_KINDS)
"""Keys of ``[system.links]``."""

MPI = tuple(replace(field, default=None) for field in registry.mpi_parameters())
"""Keys of ``[system.mpi]``: what is not given stays that of the preset."""

LEARNING = "q-adaptive"
"""Routing that learns, and can start from what an earlier run has learnt."""

Q_TABLES = (
    Field("load_table", "path", "table `q_table` of an earlier run to start from (.parquet, .csv)",
          default=None),
    Field("save_table", "boolean", "keep what routers have learnt as the table `q_table`",
          default=None, called=""),
)  # fmt: skip
"""Keys of `q-adaptive` beside its parameters; for `save_table` the simulator records a table."""

GROUPS = Field("groups", "text", "kind of the groups whose nodes the job gets; default: compute, "
               "and for a list of nodes any", default=None)  # fmt: skip
"""Of any placement, where the groups of a dragonfly or megafly are of several kinds."""

NODES = Field("nodes", "text", "type of the nodes that the job gets; default: the first one",
              default=None)  # fmt: skip
"""Of any placement that does not list its nodes, where nodes are of several types."""

MAPPING = Field("mapping", "text", "which rank is on which node", default=None)
"""Of any placement: a name, a list of ranks, or the file of one."""


def tag_of(family: str) -> str:
    """Key that names a member of a family in a scenario."""
    return "algorithm" if family == "routings" else "kind"


def beside(family: str, name: str) -> tuple[Field, ...]:
    """Keys that a member of a family has in a scenario beside its parameters."""
    if family == "placements":
        lists = any(row.name == NODES.name for row in registry.family(family)[name].parameters)
        return (MAPPING, GROUPS) if lists else (MAPPING, GROUPS, NODES)
    return Q_TABLES if name == LEARNING else ()


def _member(family: str) -> Callable[[Mapping[str, Any]], tuple[Field, ...]]:
    """Keys of the members of a family: the one that names them, and those that each has."""
    tag = Field(tag_of(family), "text", "which one")
    if family == "controllers":
        row = registry.controller()
        tag = replace(row, name=tag.name, called=row.name)

    def rows(values: Mapping[str, Any]) -> tuple[Field, ...]:
        name = values[tag.name]
        return tag, *registry.family(family)[name].parameters, *beside(family, name)

    return rows


OF_CONTROLLERS = {
    f"{kind}_{row.name}": (kind, row.name)
    for kind, entry in registry.family("controllers").items() if "-" not in kind
    for row in entry.parameters
}  # fmt: skip
"""Rows of NICs that are of one controller: of which, and what the scenario calls them beside it."""

CONGESTION = Field(
    "congestion", "table", "controller of congestion at end points; default: none", default=None,
    rows=_member("controllers"), is_level=True,
)  # fmt: skip
"""The controller of NICs, with its numbers."""

NIC = (
    *(row for row in registry.table("nic") if row.name not in (*OF_CONTROLLERS, CONGESTION.name)),
    CONGESTION,
)
"""Keys of ``[system.nic]``."""

TABLES = {"router": registry.table("router"), "packet": registry.table("packet"), "nic": NIC}
"""Tables of ``[system]`` with fixed keys."""

SYSTEM = (
    Field("preset", "text", "named system that the other tables override", default=None),
    Field("name", "text", "what results call this system; default: the preset and what it changes",
          default=None, called=""),
    Field("note", "text", "what the model leaves out of this system; every result says it",
          default=None, called=""),
    Field("topology", "table", "shape of the network; a preset has one", default=None,
          rows=_member("topologies")),
    Field("failures", "table", "links, routers and nodes that fail", default=None, rows=FAILURES),
    Field("links", "table", "bandwidth and latency of every kind of links", default=None,
          rows=LINKS),
    Field("router", "table", "buffers and arbitration of routers", default=None,
          rows=TABLES["router"]),
    Field("packet", "table", "sizes of packets", default=None, rows=TABLES["packet"]),
    Field("nic", "table", "what NICs keep and wait for", default=None, rows=TABLES["nic"]),
    Field("node", "table", "every node of the machine", default=None, rows=NODE),
    Field("qos", "table", "traffic classes", default=None, rows=QOS),
    Field("mpi", "table", "costs and algorithms of the MPI library", default=None, rows=MPI),
    Field("host", "table", "what nodes take from their ranks", default=None, rows=HOST),
)  # fmt: skip
"""Keys of ``[system]``."""

JOB = (
    Field("name", "text", "unique; default: the kind of its workload", default=None),
    Field("role", "choice", "a victim also runs alone; the others are there until it has ended",
          default=None, choices=ROLES),
    Field("start", "time", "when the job arrives and its ranks begin; default: 0", default=None),
    Field("end", "time", "when the job leaves, whatever it does, and later jobs may have its "
          "nodes; default: never", default=None),
    Field("repeat", "boolean", "start again until every victim has ended; default: true for "
          "aggressors and background if something else ends the run", default=None),
    Field("ranks_per_node", "integer", "ranks that share a node; placement counts nodes; "
          "default: 1", default=None, minimum=1, maximum=256),
    Field("share_nodes", "boolean", "the job may use the nodes of earlier jobs that share nodes, "
          "and later ones its own; default: false", default=None),
    Field("on_failure", "choice", "what becomes of the job when a node of it fails: all its ranks "
          "are killed, or the others go on and wait; default: end", default=None,
          choices=("end", "wait")),
    Field("muted", "boolean", "the job is absent, but its nodes stay reserved", default=None),
    Field("class", "text", "traffic class; default: the last one", default=None),
    Field("collective_class", "text", "class of collective operations", default=None),
    Field("small_class", "table", "class of small messages", default=None, rows=SMALL_CLASS),
    Field("routing", "table", "how packets of this job find their way; default: as the system's do",
          default=None, several="alternated", rows=_member("routings")),
    Field("alternate", "choice", "when the routings of a list take turns; that of the policy comes "
          "last", default=None, choices=ALTERNATE, called=""),
    Field("alltoall_routing", "table", "how packets of alltoalls find their way: one for each "
          "routing in turn, or one for all; default: as other packets", default=None,
          several="alltoall_routings", rows=_member("routings")),
    Field("policy", "table", "how each message is sent, decided at its NIC", default=None,
          rows=_member("policies")),
    Field("packet_multiple", "integer", "packets of the system that travel as one, of a job that "
          "is only noise; default: 1", default=None, minimum=1, maximum=65_535),
    Field("message_sample", "integer", "record about every n-th message of the job, 0: none; "
          "default: `telemetry.message_sample`", default=None, minimum=0, maximum=4_294_967_295),
    Field("placement", "table", "which nodes the job gets", default=None,
          rows=_member("placements")),
    Field("workload", "table", "what the job does", rows=_member("workloads")),
)  # fmt: skip
"""Keys of ``[[jobs]]``."""

TOP = (
    Field("schema", "integer", "version of the format", default=None, called=""),
    Field("name", "text", "name of the results; default: of the file", default=None, called=""),
    Field("description", "text", "for readers", default=None, called=""),
    Field("seed", "count", "root of every random stream", default=None),
    Field("replicas", "integer", "runs of each variant, each with a seed of its own; default: 1",
          default=None, minimum=1, maximum=MOST_REPLICAS),
    Field("without", "text", "job that is left out while its nodes stay reserved; default: "
          f'"{NOBODY}", every job is there', default=None),
    Field("system", "table", "the machine: a preset and what differs from it, or everything in "
          "full", rows=SYSTEM),
    Field("routing", "table", "how packets find their way; default: as on the machine of the "
          "preset", default=None, rows=_member("routings")),
    Field("jobs", "list", "what runs on which nodes", rows=JOB),
    Field("measure", "table", "steady-state measurement of open-loop traffic", default=None,
          rows=MEASURE),
    Field("stop", "table", "bounds of a run", default=None, rows=STOP),
    Field("telemetry", "table", "records beyond the defaults", default=None, rows=TELEMETRY),
    Field("sweep", "table", "dotted keys with lists of values: the grid of runs; a load with "
          "`values` and `knee` is searched for saturation", default=None),
    Field("advise", "table", "what `odonata advise` is asked; no run depends on it", default=None),
)  # fmt: skip
"""Keys of a scenario."""

LARGEST_CLASSES: int = next(field.length for field in QOS if field.length is not None)
"""Most traffic classes of a system."""
