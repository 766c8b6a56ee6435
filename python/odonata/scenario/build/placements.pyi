"""Classes of placements.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from odonata.scenario.build.families import Placement

class Contiguous(Placement):
    """The first free nodes in the order of their ids."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[Contiguous]]

class RandomNode(Placement):
    """Free nodes drawn uniformly, each rank independently of its neighbours; with several NICs per node, whole nodes in random order."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[RandomNode]]

class RandomRouter(Placement):
    """Routers in random order, the free nodes of each consecutively."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[RandomRouter]]

class RandomChassis(Placement):
    """Chassis in random order, the free nodes of each consecutively; needs a system with chassis."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[RandomChassis]]

class RandomCabinet(Placement):
    """Cabinets in random order, the free nodes of each consecutively; needs a system with cabinets."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[RandomCabinet]]

class RandomGroup(Placement):
    """Groups in random order, the free nodes of each consecutively."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[RandomGroup]]

class Geometric(Placement):
    """Clusters of consecutive free nodes at random places, their length geometrically distributed."""
    mean_length: int | None = ...
    """mean nodes of a cluster, 1/p of the geometric distribution; the study's is not published (default: 64)"""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[Geometric]]

class Striped(Placement):
    """One free node of each unit in turn, again and again."""
    unit: Literal["node", "router", "chassis", "cabinet", "group"] | None = ...
    """what consecutive ranks are spread over; the system must have it (default: group)"""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    nodes: str | None = ...
    """type of the nodes that the job gets; default: the first one"""
    replace: ClassVar[type[Striped]]

class List(Placement):
    """Exactly the nodes given, here or in an allocation file, rank i on the i-th."""
    nodes: Sequence[int] | None = ...
    """node ids, at least one per rank; or give `file`"""
    file: str | None = ...
    """allocation file: a line per job of node ids (`0 1 5`, as CODES has them) or of nodes as batch systems list them (`nid[00000-00001,00005]`)"""
    line: int | None = ...
    """line of the file, from 0; default: number of the job"""
    per_group: int | None = ...
    """the ids count only the first so many nodes of each group (30 of 32 in MFNetSim, whose other nodes are storage servers); default: all nodes"""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...
    """which rank is on which node"""
    groups: str | None = ...
    """kind of the groups whose nodes the job gets; default: compute, and for a list of nodes any"""
    replace: ClassVar[type[List]]

