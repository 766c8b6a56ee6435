"""Classes of topologies.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Topology

class Dragonfly(Topology):
    """1-D dragonfly: fully connected groups, fully connected to each other."""
    groups: int | None
    routers_per_group: int | None
    nodes_per_router: int | None
    global_ports_per_router: int | None
    arrangement: Literal["absolute", "relative", "circulant"] | None
    def __init__(
        self,
        *,
        groups: int | None = ...,
        routers_per_group: int | None = ...,
        nodes_per_router: int | None = ...,
        global_ports_per_router: int | None = ...,
        arrangement: Literal["absolute", "relative", "circulant"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        groups : int
            groups (g)
        routers_per_group : int
            routers of a group (a)
        nodes_per_router : int
            nodes of a router (p)
        global_ports_per_router : int
            global ports of a router (h)
        arrangement : Literal["absolute", "relative", "circulant"]
            which global port leads to which group (default: absolute)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        groups: int | None = ...,
        routers_per_group: int | None = ...,
        nodes_per_router: int | None = ...,
        global_ports_per_router: int | None = ...,
        arrangement: Literal["absolute", "relative", "circulant"] | None = ...,
    ) -> Self: ...

class Aries(Topology):
    """2-D dragonfly: groups of rows and columns, wired as Theta is."""
    groups: int | None
    rows: int | None
    columns: int | None
    nodes_per_router: int | None
    column_links: int | None
    global_ports_per_router: int | None
    chassis_per_cabinet: int | None
    def __init__(
        self,
        *,
        groups: int | None = ...,
        rows: int | None = ...,
        columns: int | None = ...,
        nodes_per_router: int | None = ...,
        column_links: int | None = ...,
        global_ports_per_router: int | None = ...,
        chassis_per_cabinet: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        groups : int
            groups
        rows : int
            rows of routers in a group; a row is a chassis
        columns : int
            routers of a row
        nodes_per_router : int
            nodes of a router
        column_links : int
            parallel links between each two routers of a column
        global_ports_per_router : int
            global channels of a router
        chassis_per_cabinet : int
            rows that stand in one cabinet
        """
    def replace(  # type: ignore[override]
        self,
        *,
        groups: int | None = ...,
        rows: int | None = ...,
        columns: int | None = ...,
        nodes_per_router: int | None = ...,
        column_links: int | None = ...,
        global_ports_per_router: int | None = ...,
        chassis_per_cabinet: int | None = ...,
    ) -> Self: ...

class AriesInterconnect(Topology):
    """A Cray XC machine rebuilt from the dump of its router tiles."""
    interconnect: str | None
    chassis_per_cabinet: int | None
    def __init__(
        self,
        *,
        interconnect: str | None = ...,
        chassis_per_cabinet: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        interconnect : str
            the dump: one line per tile
        chassis_per_cabinet : int
            rows that stand in one cabinet; default: as the dump says
        """
    def replace(  # type: ignore[override]
        self,
        *,
        interconnect: str | None = ...,
        chassis_per_cabinet: int | None = ...,
    ) -> Self: ...

class Megafly(Topology):
    """Megafly (dragonfly+): groups of leaves and spines."""
    groups: int | None
    leaf_routers_per_group: int | None
    spine_routers_per_group: int | None
    nodes_per_leaf: int | None
    links_per_group_pair: int | None
    def __init__(
        self,
        *,
        groups: int | None = ...,
        leaf_routers_per_group: int | None = ...,
        spine_routers_per_group: int | None = ...,
        nodes_per_leaf: int | None = ...,
        links_per_group_pair: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        groups : int
            groups
        leaf_routers_per_group : int
            routers with nodes in a group
        spine_routers_per_group : int
            routers with global links in a group
        nodes_per_leaf : int
            nodes of a leaf
        links_per_group_pair : int
            links between each two groups
        """
    def replace(  # type: ignore[override]
        self,
        *,
        groups: int | None = ...,
        leaf_routers_per_group: int | None = ...,
        spine_routers_per_group: int | None = ...,
        nodes_per_leaf: int | None = ...,
        links_per_group_pair: int | None = ...,
    ) -> Self: ...

class File(Topology):
    """Any network, given channel by channel (`odonata topo --edges` writes such a list)."""
    channels: str | None
    def __init__(
        self,
        *,
        channels: str | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        channels : str
            the channels, as CSV or Parquet
        """
    def replace(  # type: ignore[override]
        self,
        *,
        channels: str | None = ...,
    ) -> Self: ...

