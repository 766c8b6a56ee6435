"""Classes of routings.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Routing

class Minimal(Routing):
    """At most local-global-local, never adaptive between groups."""
    def __init__(self) -> None:
        """It has no keys."""

class ValiantGroup(Routing):
    """Always over a random intermediate group, minimal inside it."""
    def __init__(self) -> None:
        """It has no keys."""

class ValiantNode(Routing):
    """Always over a random intermediate router."""
    def __init__(self) -> None:
        """It has no keys."""

class UgalG(Routing):
    """Minimal or over a random group, decided once at the source router."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 2)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 1)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 1)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class UgalN(Routing):
    """Minimal or over a random router, decided once at the source router."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 2)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 1)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 1)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class Par(Routing):
    """As ugal-n, and a minimal choice may be revised in the source group."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 2)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 1)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 1)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class BooksimUgal(Routing):
    """UGAL-L on credits in use, threshold 30 flits, random node of the machine."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 2)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 30)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: in-use)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 1)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 1)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class CodesAdaptive(Routing):
    """CODES on Theta: two gateways of each kind, a threshold, also inside groups."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    threshold: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        threshold: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        threshold : int
            minimal without a comparison up to this congestion; bytes of a buffer divided by the
            flit size [flits] (default: 8)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        threshold: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class CodesPar(Routing):
    """CODES, progressive: asked again in the source group; on ports where not Aries."""
    scale: int | None
    bias: int | None
    threshold: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    global_candidates: int | None
    source_leaf_consider_nonmin: bool | None
    int_spine_consider_min: bool | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        bias: int | None = ...,
        threshold: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
        global_candidates: int | None = ...,
        source_leaf_consider_nonmin: bool | None = ...,
        int_spine_consider_min: bool | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        threshold : int
            minimal without a comparison up to this congestion; bytes of a buffer divided by the
            flit size [flits] (default: 0)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        global_candidates : int
            global ports drawn at a router with links to the group (dragonfly, megafly) (default:
            2)
        source_leaf_consider_nonmin : bool
            a leaf of the source group may go non-minimally (megafly); else its spine decides
            (default: True)
        int_spine_consider_min : bool
            an intermediate spine may take its own link to the target group (megafly); else down
            first (default: False)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        bias: int | None = ...,
        threshold: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
        global_candidates: int | None = ...,
        source_leaf_consider_nonmin: bool | None = ...,
        int_spine_consider_min: bool | None = ...,
    ) -> Self: ...

class Adaptive0(Routing):
    """Aries ADAPTIVE_0: two candidates of each kind, no bias."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class Adaptive1(Routing):
    """Aries ADAPTIVE_1: the bias grows with each router of the source group."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    bias_step: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        bias_step: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 0)
        bias_step : int
            added to the bias for each router of the source group behind the packet [flits]
            (default: 40)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        bias_step: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class Adaptive2(Routing):
    """Aries ADAPTIVE_2: a low bias towards minimal paths."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 20)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class Adaptive3(Routing):
    """Aries ADAPTIVE_3: a high bias towards minimal paths."""
    scale: int | None
    weights: Literal["scale", "hops"] | None
    bias: int | None
    estimate: Literal["queued", "in-use", "both"] | None
    minimal_candidates: int | None
    nonminimal_candidates: int | None
    def __init__(
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        scale : int
            non-minimal iff q_min > scale * q_nonmin + bias (default: 1)
        weights : Literal["scale", "hops"]
            of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is
            not read) (default: scale)
        bias : int
            added to the non-minimal side; larger means more minimal [flits] (default: 100)
        estimate : Literal["queued", "in-use", "both"]
            congestion of a port: flits queued here, credits in use, or their sum (default: both)
        minimal_candidates : int
            minimal candidates drawn among parallel global links (default: 2)
        nonminimal_candidates : int
            non-minimal candidates drawn (default: 2)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        scale: int | None = ...,
        weights: Literal["scale", "hops"] | None = ...,
        bias: int | None = ...,
        estimate: Literal["queued", "in-use", "both"] | None = ...,
        minimal_candidates: int | None = ...,
        nonminimal_candidates: int | None = ...,
    ) -> Self: ...

class MinHash(Routing):
    """Aries MIN_HASH: a random minimal path for each packet."""
    def __init__(self) -> None:
        """It has no keys."""

class NminHash(Routing):
    """Aries NMIN_HASH: a random non-minimal path for each packet."""
    def __init__(self) -> None:
        """It has no keys."""

class InOrder(Routing):
    """Aries IN_ORDER: one minimal path for each pair of nodes."""
    def __init__(self) -> None:
        """It has no keys."""

class QAdaptive(Routing):
    """The port with the least learned time, asked at two routers."""
    learning_rate_good: float | None
    learning_rate_bad: float | None
    epsilon: float | None
    threshold_source: float | None
    threshold_intermediate: float | None
    global_ns: int | None
    local_ns: int | None
    load_table: str | None
    save_table: bool | None
    def __init__(
        self,
        *,
        learning_rate_good: float | None = ...,
        learning_rate_bad: float | None = ...,
        epsilon: float | None = ...,
        threshold_source: float | None = ...,
        threshold_intermediate: float | None = ...,
        global_ns: int | None = ...,
        local_ns: int | None = ...,
        load_table: str | None = ...,
        save_table: bool | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        learning_rate_good : float
            weight of a time shorter than the estimate (default: 0.2)
        learning_rate_bad : float
            weight of a time longer than the estimate (default: 0.04)
        epsilon : float
            probability of a random port at a decision (default: 0.001)
        threshold_source : float
            share of the minimal estimate that another port must save at the source router
            (default: 0.2)
        threshold_intermediate : float
            the same at the first router of an intermediate group (default: 0.35)
        global_ns : int
            first estimate of a global link: its latency [ns] (default: 300)
        local_ns : int
            first estimate of a local link: its latency [ns] (default: 30)
        load_table : str
            table `q_table` of an earlier run to start from (.parquet, .csv)
        save_table : bool
            keep what routers have learnt as the table `q_table`
        """
    def replace(  # type: ignore[override]
        self,
        *,
        learning_rate_good: float | None = ...,
        learning_rate_bad: float | None = ...,
        epsilon: float | None = ...,
        threshold_source: float | None = ...,
        threshold_intermediate: float | None = ...,
        global_ns: int | None = ...,
        local_ns: int | None = ...,
        load_table: str | None = ...,
        save_table: bool | None = ...,
    ) -> Self: ...

