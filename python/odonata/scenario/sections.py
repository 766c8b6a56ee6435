"""Tables of a scenario and their order. What is in a table, the simulator's registry says."""

from __future__ import annotations

from dataclasses import replace

from odonata.scenario import registry
from odonata.scenario.fields import Field

SCHEMA_VERSION = 1
"""Version of the scenario format."""

ROLES = ("victim", "aggressor", "background")
"""Roles of jobs: the first gets an isolated baseline, the others are there for its sake."""

LINK_KINDS = ("host", "local", "row", "column", "global")
"""Node to router, inside a group (rows and columns of it where it is a grid), between groups."""

INSIDE = ("row", "column")
"""Kinds of links that are like `local` ones where nothing else is said."""

ROUTER_LINK_KINDS = tuple(kind for kind in LINK_KINDS if kind != "host")
"""Kinds of links between routers: those that may fail."""

TOP = ("schema", "name", "description", "seed", "replicas", "without", "system", "routing", "jobs",
       "measure", "stop", "telemetry", "sweep", "advise")  # fmt: skip
"""Keys of a scenario."""

SYSTEM = ("preset", "name", "note", "topology", "failures", "links", "router", "packet", "nic",
          "node", "qos", "mpi", "host")  # fmt: skip
"""Keys of ``[system]``."""

JOB = ("name", "role", "start", "end", "repeat", "ranks_per_node", "share_nodes", "muted", "class",
       "collective_class", "small_class", "routing", "alternate", "alltoall_routing", "policy",
       "packet_multiple", "message_sample", "placement", "workload")  # fmt: skip
"""Keys of ``[[jobs]]``."""

ALTERNATE = ("iteration",)
"""When the routings of a job take turns."""
MOST_REPLICAS = 10_000
"""Most runs of a variant that differ in nothing but their seed."""

LINK = registry.table("link")
QOS = registry.table("qos")
CLASS = registry.table("class")
NODE = registry.table("node")
MORE_GROUPS = registry.table("more_groups")
HOST = registry.table("host")
DETOUR = registry.table("detour")
CALL = registry.table("call")
FAILURES = registry.table("failures")
LINK_EVENT = registry.table("link_event")
MEASURE = registry.table("measure")
STOP = registry.table("stop")
PRECISION = registry.table("precision")
TELEMETRY = registry.table("telemetry")

SMALL_CLASS = tuple(
    replace(field, name="name") if field.name == "class" else field
    for field in registry.table("small_class")
)
"""In a scenario, the class of small messages is named like any class: by `name`."""

REPEAT = (
    Field("repeat", "boolean", "start again until every victim has ended; default: true for "
          "aggressors and background if something else ends the run", default=None),
)  # fmt: skip
"""Of a job whose workload ends by itself."""

RANKS_PER_NODE = (
    Field("ranks_per_node", "integer", "ranks that share a node; placement counts nodes; "
          "default: 1", default=None, minimum=1, maximum=256),
)  # fmt: skip
"""Of a job of ranks."""

SHARE_NODES = (
    Field("share_nodes", "boolean", "the job may use the nodes of earlier jobs that share nodes, "
          "and later ones its own; default: false", default=None),
)  # fmt: skip
"""Of a job of ranks."""

STAY = (
    Field("start", "time", "when the job arrives and its ranks begin; default: 0", default=None),
    Field("end", "time", "when the job leaves, whatever it does, and later jobs may have its "
          "nodes; default: never", default=None),
)  # fmt: skip
"""Of a job of ranks."""

PACKET_MULTIPLE = (
    Field("packet_multiple", "integer", "packets of the system that travel as one, of a job that "
          "is only noise; default: 1", default=None, minimum=1, maximum=65_535),
)  # fmt: skip
"""Of a job that is no victim."""

MESSAGE_SAMPLE = (
    Field("message_sample", "integer", "record about every n-th message of the job, 0: none; "
          "default: `telemetry.message_sample`", default=None, minimum=0, maximum=4_294_967_295),
)  # fmt: skip
"""Of any job."""

MUTED = (Field("muted", "boolean", "the job is absent, but its nodes stay reserved", default=None),)
"""Of any job; what `odonata run --without JOB` sets."""

TABLES = {name: registry.table(name) for name in ("router", "packet", "nic")}
"""Tables of ``[system]`` with fixed keys."""

LARGEST_CLASSES: int = next(field.length for field in QOS if field.length is not None)
"""Most traffic classes of a system."""
