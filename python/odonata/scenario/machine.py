"""A system in the numbers that decide how a mix of jobs fits on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata.core.errors import ScenarioError, suggestion
from odonata.scenario import Point, Scenario, before, presets, registry
from odonata.scenario.nodes import node_types


@dataclass(frozen=True, slots=True)
class Pool:
    """Nodes among which a placement chooses: those in service of a type or a kind of groups."""

    nodes: int
    nics: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A system, and what of it a job can have.

    Parameters
    ----------
    name : str
        Its preset or what it calls itself.
    table : dict
        Content of ``[system]``.
    routing : dict
        What it runs in production; empty if nobody says.
    point : Point
        A run on it.
    summary : dict
        As ``odonata topo --json`` has it.
    pools : dict
        By type of nodes or kind of groups; the first one is that of jobs which name none.
    """

    name: str
    table: dict[str, Any]
    routing: dict[str, Any]
    point: Point
    summary: dict[str, Any]
    pools: dict[str, Pool]

    @property
    def default(self) -> Pool:
        """Where jobs are that name no type and no kind."""
        return next(iter(self.pools.values()))

    @property
    def nodes(self) -> int:
        """All nodes in service."""
        for key in ("nodes_in_service", "machine_nodes"):
            if key in self.summary:
                return int(self.summary[key])
        return sum(pool.nodes for pool in self.pools.values())

    def link(self, kind: str) -> dict[str, int]:
        """Bandwidth and latency of a kind of links, in base units."""
        found: dict[str, int] = self.point.config["system"]["links"][kind]
        return found

    def injected(self, pool: Pool) -> float:
        """Bytes per second that a node can send."""
        return float(pool.nics * self.link("host")["bandwidth_bytes_per_s"])

    @property
    def mpi(self) -> str:
        """Preset of its MPI library."""
        return str(self.point.config["system"]["mpi"].get("preset", "its own"))

    @property
    def global_bytes_per_s(self) -> float:
        """What a node can send out of its group if all nodes do."""
        channels = self.summary.get("global_channels") or 0
        return float(channels * self.link("global")["bandwidth_bytes_per_s"] / self.nodes)


def point_on(system: str) -> Point:
    """The first run of a scenario file, or any run on a preset.

    Raises
    ------
    ScenarioError
        There is no such system, or the scenario is wrong.
    """
    if system.endswith(".toml"):
        return Scenario.read(system).points[0]
    name = system.partition("(")[0].strip()
    if name not in presets.presets():
        raise ScenarioError(
            f"there is no system `{name}`.{suggestion(name, presets.presets())} A scenario "
            "file (*.toml) can be given, too."
        )
    scenario = Scenario.from_mapping({
        "system": {"preset": system},
        "routing": {"algorithm": next(iter(registry.family("routings")))},
        "jobs": [{"workload": {"kind": "open-loop", "load": 0.1}}],
    }, called=system)  # fmt: skip
    return scenario.points[0]


def named(system: str) -> Machine:
    """A preset, or the system of a scenario file.

    Raises
    ------
    ScenarioError
        There is no such system, or it cannot be built.
    """
    point = point_on(system)
    data = point.document.data
    return of_point(
        point, data["system"], data.get("routing", {}) if system.endswith(".toml") else {}
    )


def routing_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """What the preset of a ``[system]`` runs in production; empty if nobody says."""
    preset = presets.find(table.get("preset"))
    return dict(preset.routing) if preset else {}


def of_point(point: Point, table: dict[str, Any], routing: dict[str, Any]) -> Machine:
    """The system of a run.

    Parameters
    ----------
    point : Point
        The run.
    table : dict
        Its ``[system]`` as written.
    routing : dict
        What runs there; if empty, what its preset says.
    """
    summary, _ = before.topology(point)
    document = Path(point.document.name).stem
    name = str(table.get("name") or table.get("preset") or document)
    return Machine(
        name, table, routing or routing_of(table), point, summary, _pools(point, summary)
    )


def _pools(point: Point, summary: dict[str, Any]) -> dict[str, Pool]:
    node = point.config["system"].get("node", {})
    types = node_types(node)
    if "node_types" in summary:
        return {
            one.name: Pool(summary["node_types"][one.name]["nodes_in_service"], one.nics)
            for one in types
        }
    kinds = summary.get("group_kinds") or {"": summary}
    first = sorted(kinds, key=lambda kind: kind != "compute")
    return {kind: Pool(_served(kinds[kind]), types[0].nics) for kind in first}


def _served(numbers: dict[str, Any]) -> int:
    keys = ("nodes_in_service", "machine_nodes", "nodes")
    return int(next(numbers[key] for key in keys if key in numbers))
