"""Classes of topologies.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from odonata.scenario.build.families import Topology

class Dragonfly(Topology):
    """1-D dragonfly: fully connected groups, fully connected to each other."""
    groups: int | None = ...
    """groups (g)"""
    routers_per_group: int | None = ...
    """routers of a group (a)"""
    nodes_per_router: int | None = ...
    """nodes of a router (p)"""
    global_ports_per_router: int | None = ...
    """global ports of a router (h)"""
    arrangement: Literal["absolute", "relative", "circulant"] | None = ...
    """which global port leads to which group (default: absolute)"""
    links_per_group_pair: int | None = ...
    """links between each two of these groups; default: as many as the global ports suffice for, the only valid number without `more_groups`, and beside it 1"""
    more_groups: Sequence[Mapping[str, Any]] | None = ...
    """groups of other kinds, which jobs get nodes of only if their placement says so: tables of `name`, `groups`, `routers_per_group`, `nodes_per_router`, `global_ports_per_router`, `links_per_group_pair`, `links_to_others`"""
    replace: ClassVar[type[Dragonfly]]

class Aries(Topology):
    """2-D dragonfly: groups of rows and columns, wired as Theta is."""
    groups: int | None = ...
    """groups"""
    rows: int | None = ...
    """rows of routers in a group; a row is a chassis"""
    columns: int | None = ...
    """routers of a row"""
    nodes_per_router: int | None = ...
    """nodes of a router"""
    column_links: int | None = ...
    """parallel links between each two routers of a column"""
    global_ports_per_router: int | None = ...
    """global channels of a router"""
    chassis_per_cabinet: int | None = ...
    """rows that stand in one cabinet"""
    replace: ClassVar[type[Aries]]

class AriesInterconnect(Topology):
    """A Cray XC machine rebuilt from the dump of its router tiles."""
    interconnect: str | None = ...
    """the dump: one line per tile"""
    chassis_per_cabinet: int | None = ...
    """rows that stand in one cabinet; default: as the dump says"""
    replace: ClassVar[type[AriesInterconnect]]

class Megafly(Topology):
    """Megafly (dragonfly+): groups of leaves and spines."""
    groups: int | None = ...
    """groups"""
    leaf_routers_per_group: int | None = ...
    """routers with nodes in a group"""
    spine_routers_per_group: int | None = ...
    """routers with global links in a group"""
    nodes_per_leaf: int | None = ...
    """nodes of a leaf"""
    links_per_group_pair: int | None = ...
    """links between each two groups"""
    replace: ClassVar[type[Megafly]]

class File(Topology):
    """Any network, given channel by channel (`odonata topo --edges` writes such a list)."""
    channels: str | None = ...
    """the channels, as CSV or Parquet"""
    replace: ClassVar[type[File]]

