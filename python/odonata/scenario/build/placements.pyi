"""Classes of placements.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Placement

class Contiguous(Placement):
    """The first free nodes in the order of their ids."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class RandomNode(Placement):
    """Free nodes drawn uniformly, each rank independently of its neighbours; with several NICs per
    node, whole nodes in random order.
    """
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class RandomRouter(Placement):
    """Routers in random order, the free nodes of each consecutively."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class RandomChassis(Placement):
    """Chassis in random order, the free nodes of each consecutively; needs a system with chassis.
    """
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class RandomCabinet(Placement):
    """Cabinets in random order, the free nodes of each consecutively; needs a system with cabinets.
    """
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class RandomGroup(Placement):
    """Groups in random order, the free nodes of each consecutively."""
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class Geometric(Placement):
    """Clusters of consecutive free nodes at random places, their length geometrically distributed.
    """
    mean_length: int | None
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        mean_length: int | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        mean_length : int
            mean nodes of a cluster, 1/p of the geometric distribution; the study's is not
            published (default: 64)
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        mean_length: int | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class Striped(Placement):
    """One free node of each unit in turn, again and again."""
    unit: Literal["node", "router", "chassis", "cabinet", "group"] | None
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        unit: Literal["node", "router", "chassis", "cabinet", "group"] | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        unit : Literal["node", "router", "chassis", "cabinet", "group"]
            what consecutive ranks are spread over; the system must have it (default: group)
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        unit: Literal["node", "router", "chassis", "cabinet", "group"] | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

class List(Placement):
    """Exactly the nodes given, here or in an allocation file, rank i on the i-th."""
    nodes: Sequence[int] | None
    file: str | None
    line: int | None
    per_group: int | None
    mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None
    def __init__(
        self,
        *,
        nodes: Sequence[int] | None = ...,
        file: str | None = ...,
        line: int | None = ...,
        per_group: int | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        nodes : Sequence[int]
            node ids, at least one per rank; or give `file`
        file : str
            allocation file of CODES: a line per job of node ids, separated by spaces
        line : int
            line of the file, from 0; default: number of the job
        per_group : int
            the ids count only the first so many nodes of each group (30 of 32 in MFNetSim, whose
            other nodes are storage servers); default: all nodes
        mapping : Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any]
            which rank is on which node
        """
    def replace(  # type: ignore[override]
        self,
        *,
        nodes: Sequence[int] | None = ...,
        file: str | None = ...,
        line: int | None = ...,
        per_group: int | None = ...,
        mapping: Literal["linear", "cyclic", "shuffled"] | Sequence[int] | Mapping[str, Any] | None = ...,
    ) -> Self: ...

