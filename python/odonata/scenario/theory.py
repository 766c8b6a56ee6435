"""What theory says of the latency of open-loop traffic on a dragonfly without load.

docs/model/workloads.md has the derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from odonata.core.quantities import parse_quantity
from odonata.scenario.nodes import has_several_nics

_TO_ONE_GROUP = ("adversarial", "tornado", "nearest-group")
"""Patterns under which every packet of a group goes to one other group."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A dragonfly of equal groups, each two joined by equally many channels."""

    nodes: int
    routers: int
    groups: int
    channels: int

    @classmethod
    def of(cls, topology: Mapping[str, Any]) -> _Shape | None:
        if topology.get("kind") != "dragonfly" or topology.get("more_groups"):
            return None
        routers, groups = topology["routers_per_group"], topology["groups"]
        channels = routers * topology["global_ports_per_router"] // max(groups - 1, 1)
        if groups < 2 or not channels:
            return None
        return cls(topology["nodes_per_router"] * routers, routers, groups, channels)

    @property
    def all_nodes(self) -> int:
        return self.nodes * self.groups


def zero_load_ns(scenario: Mapping[str, Any]) -> float | None:
    """Mean latency of packets on minimal paths that nothing delays.

    Parameters
    ----------
    scenario : mapping
        Resolved, without a sweep.

    Returns
    -------
    float or None
        ``None`` where the formula does not hold: other topologies, several links between two
        groups, several jobs, a job that does not have all nodes, other patterns, messages of
        several packets, headers, damaged links, traffic classes.
    """
    system = scenario.get("system", {})
    shape = _Shape.of(system.get("topology", {}))
    pattern = _pattern(scenario, shape)
    if shape is None or pattern is None or not _is_plain(system):
        return None
    is_leaving = pattern in _TO_ONE_GROUP
    leaving = 1.0 if is_leaving else (shape.all_nodes - shape.nodes) / (shape.all_nodes - 1)
    return _mean_ns(scenario, shape, leaving)


def _pattern(scenario: Mapping[str, Any], shape: _Shape | None) -> str | None:
    """The pattern of the only job, if it has all nodes and one of the known patterns."""
    jobs = scenario.get("jobs", [])
    if shape is None or len(jobs) != 1 or jobs[0]["workload"].get("kind") != "open-loop":
        return None
    workload = jobs[0]["workload"]
    if workload.get("ranks", shape.all_nodes) != shape.all_nodes or jobs[0].get("muted"):
        return None
    pattern = str(workload.get("pattern", "uniform"))
    return pattern if pattern in ("uniform", *_TO_ONE_GROUP) else None


def _is_plain(system: Mapping[str, Any]) -> bool:
    """Whether a packet takes the time of its payload, on links that are whole and shared by all."""
    is_shared = "qos" in system or "failures" in system or has_several_nics(system.get("node", {}))
    return not is_shared and not _bytes(system["packet"].get("header", 0))


def _mean_ns(scenario: Mapping[str, Any], shape: _Shape, leaving: float) -> float | None:
    """Mean over all pairs that the pattern has (docs/model/network.md); of one packet a message."""
    system = scenario["system"]
    router, packet, links = system["router"], system["packet"], system["links"]
    host = _bandwidth(links["host"])
    is_simple = (
        router["architecture"] == "voq" and packet.get("delivery", "tail") == "tail"
        and router.get("switching", "cut-through") == "cut-through" and shape.channels == 1
        and all(_bandwidth(links[kind]) == host for kind in ("local", "global"))
    )  # fmt: skip
    message = _bytes(scenario["jobs"][0]["workload"].get("message", packet["size"]))
    if not is_simple or message > _bytes(packet["size"]):
        return None
    flit = _bytes(packet["flit"])
    on_wire = -(-message // flit) * flit
    # Both ends of a global channel are at a router of a packet with equal chances; inside a group,
    # the target is any other of its nodes.
    per_router = shape.nodes // shape.routers
    inside = (shape.nodes - per_router) / (shape.nodes - 1)
    local = leaving * 2 * (1 - 1 / shape.routers) + (1 - leaving) * inside
    wires = 2 * _ns(links["host"]) + local * _ns(links["local"]) + leaving * _ns(links["global"])
    routers = (1 + local + leaving) * parse_quantity(router["latency"], "time") / 1e3
    return wires + routers + on_wire / host * 1e9


def _bandwidth(link: Mapping[str, Any]) -> int:
    return parse_quantity(link["bandwidth"], "bandwidth")


def _ns(link: Mapping[str, Any]) -> float:
    return parse_quantity(link["latency"], "time") / 1e3


def _bytes(value: str | int) -> int:
    return parse_quantity(value, "bytes")
