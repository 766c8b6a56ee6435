"""Looks after a run: its memory, and how much of it the sample of packets takes."""

from __future__ import annotations

from typing import Any, Protocol

from odonata.core.memory import Peak, available_bytes
from odonata.scenario import Point

_RECORD_BYTES = 300
_HOP_BYTES = 50
"""Memory of a sampled packet and of each router on its way, tables included; 390 B were measured
for packets of 3.3 hops."""

_LONGEST = 8
"""Routers on the way of a packet where nobody has counted them: Valiant on a dragonfly."""


class Listener(Protocol):
    """Is told how a run goes."""

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far."""

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""


def refuse_large_sample(point: Point, report: dict[str, Any]) -> None:
    """Refuse a sample of packets that does not fit into the memory.

    Parameters
    ----------
    point : Point
        What is to be run.
    report : dict
        What :func:`odonata.core.native.check` says of it; without a forecast nothing is refused.

    Raises
    ------
    ScenarioError
        With numbers.
    """
    every = point.config["telemetry"]["packet_sample"]
    forecast = report.get("forecast") or {}
    packets = forecast.get("packets")
    if not every or not packets:
        return
    each = _RECORD_BYTES + _HOP_BYTES * (forecast.get("packet_hops") or 0) / packets
    needed, there = each * packets / every, available_bytes()
    if needed > there:
        enough = int(each * packets / there) + 1
        raise point.error(
            "telemetry.packet_sample",
            f"about {packets // every:,} packets would be recorded, which takes "
            f"{needed / 2**30:.1f} GiB of memory; {there / 2**30:.1f} GiB are free. Record every "
            f"{enough:,}th packet or fewer, or measure a shorter time.",
        )


class Watch:
    """Follows one run.

    Parameters
    ----------
    packet_sample : int
        Every how many packets one is recorded; 0: none.
    listener : Listener
        Is told.
    """

    def __init__(self, packet_sample: int, listener: Listener) -> None:
        self._every = packet_sample
        self._listener = listener
        self._most = available_bytes() if self._every else 0
        self._is_full = False
        self.memory = Peak()

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far."""
        self.memory.look()
        if self._every and not self._is_full:
            recorded = packets // self._every
            if recorded * (_RECORD_BYTES + _HOP_BYTES * _LONGEST) > self._most:
                self._is_full = True
                self._listener.note(
                    f"{recorded:,} packets are recorded, which is all that "
                    f"{self._most / 2**30:.1f} GiB of free memory can hold; the run is stopped "
                    f"here. Give a telemetry.packet_sample above {self._every}, or 0."
                )
        self._listener.progress(simulated_ps, packets, fraction)

    def must_stop(self) -> bool:
        """Whether the run must end now, with what there is."""
        return self._is_full
