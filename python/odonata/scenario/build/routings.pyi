"""Classes of routings.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from odonata.scenario.build.families import Routing

class Minimal(Routing):
    """At most local-global-local, never adaptive between groups."""
    replace: ClassVar[type[Minimal]]

class ValiantGroup(Routing):
    """Always over a random intermediate group, minimal inside it."""
    replace: ClassVar[type[ValiantGroup]]

class ValiantNode(Routing):
    """Always over a random intermediate router."""
    replace: ClassVar[type[ValiantNode]]

class UgalGroup(Routing):
    """Minimal or over a random group, decided once at the source router."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 2)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 4)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: backlog)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 1)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 1)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[UgalGroup]]

class UgalNode(Routing):
    """Minimal or over a random router, decided once at the source router."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 2)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 4)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: backlog)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 1)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 1)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[UgalNode]]

class Par(Routing):
    """As ugal-node, and a minimal choice may be revised in the source group."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 2)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 4)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: backlog)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 1)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 1)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[Par]]

class BooksimUgal(Routing):
    """UGAL-L on credits in use, threshold 30 flits, random node of the machine."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 2)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 30)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 0)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: in-use)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 1)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 1)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[BooksimUgal]]

class CodesAdaptive(Routing):
    """CODES on Theta: two gateways of each kind, a threshold, also inside groups."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 0)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    threshold: int | None = ...
    """minimal without a comparison up to this congestion; bytes of a buffer divided by the flit
    size [flits] (default: 8)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[CodesAdaptive]]

class CodesPar(Routing):
    """CODES, progressive: asked again in the source group; on ports where not Aries."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    threshold: int | None = ...
    """minimal without a comparison up to this congestion; bytes of a buffer divided by the flit
    size [flits] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    global_candidates: int | None = ...
    """global ports drawn at a router with links to the group (dragonfly, megafly) (default: 2)"""
    source_leaf_consider_nonmin: bool | None = ...
    """a leaf of the source group may go non-minimally (megafly); else its spine decides (default:
    True)
    """
    int_spine_consider_min: bool | None = ...
    """an intermediate spine may take its own link to the target group (megafly); else down first
    (default: False)
    """
    replace: ClassVar[type[CodesPar]]

class Adaptive0(Routing):
    """Aries ADAPTIVE_0: two candidates of each kind, no bias."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 0)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[Adaptive0]]

class Adaptive1(Routing):
    """Aries ADAPTIVE_1: the bias grows with each router of the source group."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 0)"""
    bias_step: int | None = ...
    """added to the bias for each router of the source group behind the packet [flits] (default:
    40)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[Adaptive1]]

class Adaptive2(Routing):
    """Aries ADAPTIVE_2: a low bias towards minimal paths."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 20)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 0)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[Adaptive2]]

class Adaptive3(Routing):
    """Aries ADAPTIVE_3: a high bias towards minimal paths."""
    scale: int | None = ...
    """non-minimal iff q_min > scale * q_nonmin + bias (default: 1)"""
    weights: Literal["scale", "hops"] | None = ...
    """of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not
    read) (default: scale)
    """
    bias: int | None = ...
    """added to the non-minimal side; larger means more minimal [flits] (default: 100)"""
    bias_packets: int | None = ...
    """added to the non-minimal side, in full packets of the system [packets] (default: 0)"""
    bias_percent: int | None = ...
    """added to the non-minimal side, percent of it: "5 % away from minimal" is -5 [%] (default: 0)
    """
    estimate: Literal["queued", "in-use", "both", "backlog"] | None = ...
    """congestion of a port: flits queued here, credits in use, their sum, or the sum less the
    credits of the link's round trip (default: both)
    """
    minimal_candidates: int | None = ...
    """minimal candidates drawn among parallel global links (default: 2)"""
    nonminimal_candidates: int | None = ...
    """non-minimal candidates drawn (default: 2)"""
    ordered: Literal["none", "eager", "all"] | None = ...
    """packets that follow the one before in their flow: none, those of eager messages and of
    protocol headers of MPI, or all (default: none)
    """
    flow_gap_ns: int | None = ...
    """an ordered packet decides anew if it comes this long after the one before [ns] (default:
    4000)
    """
    replace: ClassVar[type[Adaptive3]]

class MinHash(Routing):
    """Aries MIN_HASH: a random minimal path for each packet."""
    replace: ClassVar[type[MinHash]]

class NminHash(Routing):
    """Aries NMIN_HASH: a random non-minimal path for each packet."""
    replace: ClassVar[type[NminHash]]

class InOrder(Routing):
    """Aries IN_ORDER: one minimal path for each pair of nodes."""
    replace: ClassVar[type[InOrder]]

class QAdaptive(Routing):
    """The port with the least learned time, asked at two routers."""
    learning_rate_good: float | None = ...
    """weight of a time shorter than the estimate (default: 0.2)"""
    learning_rate_bad: float | None = ...
    """weight of a time longer than the estimate (default: 0.04)"""
    epsilon: float | None = ...
    """probability of a random port at a decision (default: 0.001)"""
    threshold_source: float | None = ...
    """share of the minimal estimate that another port must save at the source router (default:
    0.2)
    """
    threshold_intermediate: float | None = ...
    """the same at the first router of an intermediate group (default: 0.35)"""
    global_ns: int | None = ...
    """first estimate of a global link: its latency [ns] (default: 300)"""
    local_ns: int | None = ...
    """first estimate of a local link: its latency [ns] (default: 30)"""
    load_table: str | None = ...
    """table `q_table` of an earlier run to start from (.parquet, .csv)"""
    save_table: bool | None = ...
    """keep what routers have learnt as the table `q_table`"""
    replace: ClassVar[type[QAdaptive]]

