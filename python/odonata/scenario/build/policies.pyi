"""Classes of policies.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Policy

class ApplicationAware(Policy):
    """Chooses between no bias and a high bias towards minimal paths, by Algorithm 1."""
    counter_read: str | int | None
    cycle: str | int | None
    p_term: Literal["paper", "authors"] | None
    extensions: Sequence[Literal["damping", "learning", "exploration"]] | None
    threshold: str | int | None
    latency_factor: float | None
    stall_factor: float | None
    expiry: int | None
    damping_margin: float | None
    damping_hold: int | None
    learning_rate: float | None
    worst_latency: float | None
    worst_stalls: float | None
    always: Literal["decide", "adaptive-0", "adaptive-1", "adaptive-3"] | None
    def __init__(
        self,
        *,
        counter_read: str | int | None = ...,
        cycle: str | int | None = ...,
        p_term: Literal["paper", "authors"] | None = ...,
        extensions: Sequence[Literal["damping", "learning", "exploration"]] | None = ...,
        threshold: str | int | None = ...,
        latency_factor: float | None = ...,
        stall_factor: float | None = ...,
        expiry: int | None = ...,
        damping_margin: float | None = ...,
        damping_hold: int | None = ...,
        learning_rate: float | None = ...,
        worst_latency: float | None = ...,
        worst_stalls: float | None = ...,
        always: Literal["decide", "adaptive-0", "adaptive-1", "adaptive-3"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        counter_read : str | int
            time in which a node that reads counters neither sends nor receives (default: 1 us)
        cycle : str | int
            cycle of the NIC, in which latency and stalls are told (default: 1250 ps)
        p_term : Literal["paper", "authors"]
            latencies that a message waits for: (p + 512) / 1024, or as the authors' library has it
            (default: paper)
        extensions : Sequence[Literal["damping", "learning", "exploration"]]
            what goes beyond the paper; default: nothing
        threshold : str | int
            sum of bytes up to which messages go with the high bias, undecided (default: 4096 B)
        latency_factor : float
            packet latency under the high bias over that without (default: 0.8333333333333334)
        stall_factor : float
            stalls under the high bias over those without (default: 5.0)
        expiry : int
            age at which an observation of the other mode is replaced by an estimate [decisions]
            (default: 5)
        damping_margin : float
            least gain, as a share of the time under the other mode (default: 0.1)
        damping_hold : int
            decisions between two changes of mode [decisions] (default: 8)
        learning_rate : float
            weight of the newest pair of observations (default: 0.1)
        worst_latency : float
            packet latency at which a loss is 1 [cycles] (default: 8000.0)
        worst_stalls : float
            stalls at which a loss is 1 [cycles per flit] (default: 8.0)
        always : Literal["decide", "adaptive-0", "adaptive-1", "adaptive-3"]
            the way that all messages go, without decisions and readings; what regret is told
            against (default: decide)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        counter_read: str | int | None = ...,
        cycle: str | int | None = ...,
        p_term: Literal["paper", "authors"] | None = ...,
        extensions: Sequence[Literal["damping", "learning", "exploration"]] | None = ...,
        threshold: str | int | None = ...,
        latency_factor: float | None = ...,
        stall_factor: float | None = ...,
        expiry: int | None = ...,
        damping_margin: float | None = ...,
        damping_hold: int | None = ...,
        learning_rate: float | None = ...,
        worst_latency: float | None = ...,
        worst_stalls: float | None = ...,
        always: Literal["decide", "adaptive-0", "adaptive-1", "adaptive-3"] | None = ...,
    ) -> Self: ...

class Slingshot(Policy):
    """Chooses between ordered and unordered, and between two traffic classes."""
    urgency: float | None
    ordered: str | None
    urgent_class: str | None
    bulk_class: str | None
    counter_read: str | int | None
    cycle: str | int | None
    p_term: Literal["paper", "authors"] | None
    extensions: Sequence[Literal["damping", "learning", "exploration"]] | None
    threshold: str | int | None
    latency_factor: float | None
    stall_factor: float | None
    expiry: int | None
    damping_margin: float | None
    damping_hold: int | None
    learning_rate: float | None
    worst_latency: float | None
    worst_stalls: float | None
    always: Literal["decide", "ordered-urgent", "ordered-bulk", "unordered-urgent", "unordered-bulk"] | None
    def __init__(
        self,
        *,
        urgency: float | None = ...,
        ordered: str | None = ...,
        urgent_class: str | None = ...,
        bulk_class: str | None = ...,
        counter_read: str | int | None = ...,
        cycle: str | int | None = ...,
        p_term: Literal["paper", "authors"] | None = ...,
        extensions: Sequence[Literal["damping", "learning", "exploration"]] | None = ...,
        threshold: str | int | None = ...,
        latency_factor: float | None = ...,
        stall_factor: float | None = ...,
        expiry: int | None = ...,
        damping_margin: float | None = ...,
        damping_hold: int | None = ...,
        learning_rate: float | None = ...,
        worst_latency: float | None = ...,
        worst_stalls: float | None = ...,
        always: Literal["decide", "ordered-urgent", "ordered-bulk", "unordered-urgent", "unordered-bulk"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        urgency : float
            share of latency in the time of a message from which it is urgent (default: 0.5)
        ordered : str
            routing of ordered messages (default: in-order)
        urgent_class : str
            class of urgent messages; default: the first one
        bulk_class : str
            class of the others; default: the last one
        counter_read : str | int
            time in which a node that reads counters neither sends nor receives (default: 1 us)
        cycle : str | int
            cycle of the NIC, in which latency and stalls are told (default: 1250 ps)
        p_term : Literal["paper", "authors"]
            latencies that a message waits for: (p + 512) / 1024, or as the authors' library has it
            (default: paper)
        extensions : Sequence[Literal["damping", "learning", "exploration"]]
            what goes beyond the paper; default: nothing
        threshold : str | int
            sum of bytes up to which messages go with the high bias, undecided (default: 4096 B)
        latency_factor : float
            packet latency under the high bias over that without (default: 0.8333333333333334)
        stall_factor : float
            stalls under the high bias over those without (default: 5.0)
        expiry : int
            age at which an observation of the other mode is replaced by an estimate [decisions]
            (default: 5)
        damping_margin : float
            least gain, as a share of the time under the other mode (default: 0.1)
        damping_hold : int
            decisions between two changes of mode [decisions] (default: 8)
        learning_rate : float
            weight of the newest pair of observations (default: 0.1)
        worst_latency : float
            packet latency at which a loss is 1 [cycles] (default: 8000.0)
        worst_stalls : float
            stalls at which a loss is 1 [cycles per flit] (default: 8.0)
        always : Literal["decide", "ordered-urgent", "ordered-bulk", "unordered-urgent", "unordered
            the way that all messages go, without decisions and readings; what regret is told
            against (default: decide)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        urgency: float | None = ...,
        ordered: str | None = ...,
        urgent_class: str | None = ...,
        bulk_class: str | None = ...,
        counter_read: str | int | None = ...,
        cycle: str | int | None = ...,
        p_term: Literal["paper", "authors"] | None = ...,
        extensions: Sequence[Literal["damping", "learning", "exploration"]] | None = ...,
        threshold: str | int | None = ...,
        latency_factor: float | None = ...,
        stall_factor: float | None = ...,
        expiry: int | None = ...,
        damping_margin: float | None = ...,
        damping_hold: int | None = ...,
        learning_rate: float | None = ...,
        worst_latency: float | None = ...,
        worst_stalls: float | None = ...,
        always: Literal["decide", "ordered-urgent", "ordered-bulk", "unordered-urgent", "unordered-bulk"] | None = ...,
    ) -> Self: ...

