"""Nodes of a machine, of which each may be several ends of the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NodeType:
    """Nodes that are alike, and follow each other.

    Parameters
    ----------
    name : str
        As in ``[[system.node.types]]``; empty where all nodes are alike.
    nodes : int or None
        How many there are; ``None``: all that are left.
    nics : int
        Network ends of each.
    wiring : str
        ``spread`` or ``together``.
    """

    name: str
    nodes: int | None
    nics: int
    wiring: str

    def ends(self, left: int) -> int:
        """Network ends of all of them, of so many that are left."""
        return left if self.nodes is None else min(self.nodes * self.nics, left)


def node_types(node: Mapping[str, Any]) -> tuple[NodeType, ...]:
    """The types of nodes of a resolved table ``[system.node]``, in the order of their numbers.

    Examples
    --------
    >>> types = [{"name": "gpu"}, {"name": "cpu", "nics": 1}]
    >>> [one.nics for one in node_types({"nics": 4, "types": types})]
    [4, 1]
    """
    nics, wiring = node.get("nics") or 1, node.get("wiring", "spread")
    types: Sequence[Mapping[str, Any]] = node.get("types") or ({},)
    return tuple(
        NodeType(one.get("name", ""), one.get("nodes"), one.get("nics") or nics,
                 one.get("wiring") or wiring)
        for one in types
    )  # fmt: skip


def has_several_nics(node: Mapping[str, Any]) -> bool:
    """Whether some nodes are several ends of the network."""
    return any(one.nics > 1 for one in node_types(node))


def machine_nodes(ends: int, node: Mapping[str, Any]) -> tuple[int, ...]:
    """Nodes of the machine, of each type, where the network has so many ends.

    Examples
    --------
    >>> types = [{"name": "gpu", "nodes": 3}, {"name": "cpu", "nics": 1}]
    >>> machine_nodes(20, {"nics": 4, "types": types})
    (3, 8)
    """
    counts = []
    for one in node_types(node):
        own = one.ends(ends)
        counts.append(own // one.nics)
        ends -= own
    return tuple(counts)
