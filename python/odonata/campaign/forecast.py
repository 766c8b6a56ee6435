"""What a run will cost, before it is made: packets, packet-hops, time and memory.

Packets follow from what is known: loads and times of open-loop traffic, and the messages of MPI
jobs, each counted alone. What a packet costs on this machine, in this network, under this routing
is measured: the run itself is begun and stopped after half a second, or when it is over.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from odonata import native
from odonata.inputs import Prepared
from odonata.memory import Peak

TRIAL_S = 0.5
"""How long a run is tried."""

_ACCEPTED = 0.93
"""Share of the offered packets that a network takes in that is not saturated."""

_TELLING = 0.04
"""Share of a job's packets from which on its speed in the trial is that of the whole run."""

_MOST_SLOWER = 2.0
"""How much slower than alone a job may be taken to be where less has been seen."""

_CONTROL_PACKETS = 3
"""Of a message by rendezvous: request, answer, and the end."""

_EAGER_BYTES = 8192
"""Messages above it go by rendezvous, where a scenario does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a run will cost.

    Parameters
    ----------
    packets, packet_hops : int or None
        Delivered packets and the routers they traverse; ``None`` if nobody can know.
    cpu_s : float or None
        Seconds of one core, building the network and the tables included.
    memory_bytes : int
        What the run adds to the memory of its process.
    is_whole : bool
        Whether the trial came to the end of the run, so that nothing is estimated.
    """

    packets: int | None
    packet_hops: int | None
    cpu_s: float | None
    memory_bytes: int
    is_whole: bool = False


def forecast(ready: Prepared, *, trial_s: float = TRIAL_S) -> Forecast:
    """Forecast one run.

    Parameters
    ----------
    ready : Prepared
        What is run.
    trial_s : float
        Longest time of the trial, s.

    Returns
    -------
    Forecast
        Within 30 % where runs go on as they begin; see docs/campaigns.md for what was measured.

    Raises
    ------
    ConfigurationError
        It cannot be run.
    """
    trial = _Trial(trial_s)
    start = time.process_time()
    outcome = native.run(
        ready.config, ready.traces, ready.texts, progress=trial.progress, interrupt=trial.is_enough
    )
    end = time.process_time()
    engine = outcome.summary["engine"]
    whole = Forecast(packets=engine["packets"], packet_hops=engine["packet_hops"],
                     cpu_s=end - start, memory_bytes=trial.memory_bytes, is_whole=True)  # fmt: skip
    if outcome.summary["stop"] != "interrupted":
        return whole
    measure = ready.config.get("measure")
    if measure is None:
        packets = _of_jobs(ready, outcome.summary)
    else:
        packets = trial.of_measure(measure, engine["packets"], _offered_per_ps(ready, measure))
    if packets is None or not engine["packets"]:
        return replace(whole, packets=None, packet_hops=None, cpu_s=None, is_whole=False)
    times = max(1.0, packets / engine["packets"])
    return Forecast(
        packets=round(engine["packets"] * times),
        packet_hops=round(engine["packet_hops"] * times),
        cpu_s=trial.first_s - start + (end - trial.first_s) * times,
        memory_bytes=trial.memory_bytes,
    )


class _Trial:
    """The beginning of a run, watched.

    Parameters
    ----------
    longest_s : float
        CPU seconds after its first packet; on a busy machine half a second of the clock is little.
    """

    def __init__(self, longest_s: float) -> None:
        self._longest = longest_s
        self._peak = Peak()
        self._seen: list[tuple[int, int]] = []
        self.first_s = math.inf

    @property
    def memory_bytes(self) -> int:
        """Memory that the run has added."""
        return max(self._peak.look() - self._peak.start_bytes, 0)

    def progress(self, simulated_ps: int, packets: int, _fraction: float) -> None:
        """The run has come so far."""
        self._peak.look()
        if packets and math.isinf(self.first_s):
            self.first_s = time.process_time()
        self._seen.append((simulated_ps, packets))

    def is_enough(self) -> bool:
        """Whether enough has been seen."""
        return time.process_time() - self.first_s > self._longest

    def of_measure(
        self, measure: Mapping[str, Any], delivered: int, offered_per_ps: float
    ) -> float | None:
        """Packets up to the end of a measurement, at the rate of the second half of the trial."""
        now, packets = self._seen[-1]
        middle = next((one for one in self._seen if 2 * one[0] >= now), self._seen[-1])
        if now <= middle[0]:
            return None
        share = delivered / max(packets, 1)  # responses are counted on the way, not in the end
        rate = share * (packets - middle[1]) / (now - middle[0])
        until = measure["warm_up_ps"] + measure["window_ps"]
        # Saturated, once the network has filled: measured packets do not drain in time.
        if now > measure["warm_up_ps"] and rate < _ACCEPTED * offered_per_ps:
            until += measure["drain_ps"]
        return float(delivered + rate * max(until - now, 0))


def _offered_per_ps(ready: Prepared, measure: Mapping[str, Any]) -> float:
    report = native.check(ready.config, ready.traces, ready.texts)
    packets = (report.get("forecast") or {}).get("packets") or 0
    return float(packets / (measure["warm_up_ps"] + measure["window_ps"]))


def _of_jobs(ready: Prepared, summary: Mapping[str, Any]) -> float | None:
    """Packets of a run that its MPI jobs end: theirs are counted, of the others their rate goes on.

    How long it takes follows from the times of the jobs alone, and from how much slower they have
    been in the trial.
    """
    jobs = {job["name"]: job for job in ready.config["jobs"] if not job.get("muted")}
    found = native.demand(ready.config, ready.traces, ready.texts)
    ending = [one for one in found if one and one["name"] in jobs and _ends(jobs[one["name"]])]
    if not ending or not all(one["whole"] for one in ending):
        return None
    size = ready.config["system"]["packet"]
    payload = size["size_bytes"] - size.get("header_bytes", 0)
    eager = ready.config["system"]["mpi"].get("eager_limit_bytes", _EAGER_BYTES)
    ours = sum(packets_of(one, payload, eager) for one in ending)
    names = {one["name"] for one in ending}
    tried = {job["name"]: job["packets"] for job in summary["jobs"]}
    tried_ours = sum(count for name, count in tried.items() if name in names)
    others = sum(tried.values()) - tried_ours
    alone = max(one["time_ns"] for one in ending)
    now = summary["simulated_ns"]
    if not (alone and now and ours):
        return None
    done = tried_ours / ours
    slower = (now / alone) / done if tried_ours else 1.0
    most = math.inf if done > _TELLING else _MOST_SLOWER
    span = alone * min(max(slower, 1.0), most)
    return float(ours + others / now * max(span, now))


def _ends(job: Mapping[str, Any]) -> bool:
    return not job.get("repeat") and job["role"] != "background"


def packets_of(demand: Mapping[str, Any], payload: int, eager: int = _EAGER_BYTES) -> float:
    """Packets of the messages of a job, from their number and their mean size.

    Examples
    --------
    >>> packets_of({"messages_sent": 10, "bytes_sent": 10_000}, 512)
    20.0
    """
    messages = demand["messages_sent"]
    if not messages:
        return 0.0
    mean = demand["bytes_sent"] / messages
    control = _CONTROL_PACKETS if mean > eager else 0
    return float(messages * (max(1, math.ceil(mean / payload)) + control))
