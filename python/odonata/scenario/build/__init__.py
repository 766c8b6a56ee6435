"""Scenarios as Python objects, completed and checked by an editor.

A class per table of a scenario and per member of a family: ``workloads.Halo3d(ranks=64)``. They are
made from the simulator's registry; what a value must be is checked by ``Scenario.check`` and
``odonata.run``, with the sentences of the command line.
"""

from __future__ import annotations

from odonata.scenario.build import (
    controllers,
    placements,
    policies,
    routings,
    topologies,
    workloads,
)
from odonata.scenario.build.families import (
    Controller,
    Placement,
    Policy,
    Routing,
    Topology,
    Workload,
)
from odonata.scenario.build.scenario import Scenario
from odonata.scenario.build.table import Table
from odonata.scenario.build.tables import (
    Class,
    Failures,
    Job,
    Link,
    Links,
    Measure,
    Mpi,
    Nic,
    Packet,
    Precision,
    Qos,
    Router,
    SmallClass,
    Stop,
    System,
    Telemetry,
)

__all__ = [
    "Class",
    "Controller",
    "Failures",
    "Job",
    "Link",
    "Links",
    "Measure",
    "Mpi",
    "Nic",
    "Packet",
    "Placement",
    "Policy",
    "Precision",
    "Qos",
    "Router",
    "Routing",
    "Scenario",
    "SmallClass",
    "Stop",
    "System",
    "Table",
    "Telemetry",
    "Topology",
    "Workload",
    "controllers",
    "placements",
    "policies",
    "routings",
    "topologies",
    "workloads",
]
