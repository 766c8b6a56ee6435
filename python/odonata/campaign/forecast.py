"""What a run will cost, before it is made: packets, packet-hops, time and memory.

Packets are counted: those that open-loop traffic creates, and those of the messages of MPI jobs,
each run alone without a network. How long their paths are, by how much jobs hinder each other, and
what a packet costs on this machine is measured: the run itself is begun and stopped when enough has
been seen, or when it is over.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from odonata import native
from odonata.campaign.trial import Trial
from odonata.inputs import Prepared

TRIAL_S = 0.5
"""How long a run is tried at least."""

MOST_S = 3.0
"""How long it is tried at most."""

_TAKEN = 0.93
"""Share of the offered packets that enters the network where it is not saturated."""

_TELLING = 0.02
"""Share of a job from which on its speed in the trial is that of the rest of it."""

_MOST_SLOWER = 2.0
"""How much slower than alone a job may be taken to be where less has been seen."""


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
        Of a process that makes the run, the interpreter included.
    is_whole : bool
        Whether the trial came to the end of the run, so that nothing is estimated.
    """

    packets: int | None
    packet_hops: int | None
    cpu_s: float | None
    memory_bytes: int
    is_whole: bool = False


def forecast(ready: Prepared, *, trial_s: float = TRIAL_S, most_s: float | None = None) -> Forecast:
    """Forecast one run.

    Parameters
    ----------
    ready : Prepared
        What is run.
    trial_s, most_s : float
        CPU seconds of the trial: at least, and at most if a tenth of the run is longer than that;
        by default six times the first.

    Returns
    -------
    Forecast
        Within 30 % for what docs/campaigns.md says was measured.

    Raises
    ------
    ConfigurationError
        It cannot be run.
    """
    work = _Work(ready)
    trial = Trial(ready, trial_s, MOST_S / TRIAL_S * trial_s if most_s is None else most_s,
                  work.share)  # fmt: skip
    engine = trial.engine
    whole = Forecast(packets=engine["packets"], packet_hops=engine["packet_hops"],
                     cpu_s=trial.end_s - trial.start_s, memory_bytes=trial.memory_bytes(0.0),
                     is_whole=True)  # fmt: skip
    if trial.is_whole:
        return whole
    unknown = replace(whole, packets=None, packet_hops=None, cpu_s=None, is_whole=False)
    if not engine["packets"]:
        return unknown
    end_ps = work.end_ps(trial)
    if end_ps is None:
        return unknown
    packets = work.packets(trial, end_ps)
    total = max(sum(packets.values()), float(engine["packets"]))
    hops = max(_hops(trial, packets), float(engine["packet_hops"]))
    return Forecast(
        packets=round(total), packet_hops=round(hops), cpu_s=_cpu_s(trial, hops),
        memory_bytes=trial.memory_bytes(end_ps),
    )  # fmt: skip


def _hops(trial: Trial, packets: Mapping[str, float]) -> float:
    """Packet-hops of so many packets of each job, at the paths of the second half of the trial."""
    engine = trial.engine
    mean = engine["packet_hops"] / engine["packets"]
    sampled = trial.hops(None)
    if sampled is None:
        return float(sum(packets.values()) * mean)
    # Responses are not sampled, and go as far as the requests do.
    times = mean / sampled
    found = {job: trial.hops(job, trial.now_ps / 2) for job in packets}
    each = {job: sampled if hops is None else hops for job, hops in found.items()}
    return times * sum(count * each[job] for job, count in packets.items())


def _cpu_s(trial: Trial, hops: float) -> float:
    """CPU time of so many packet-hops, at the speed of the second half of the trial."""
    spent = trial.end_s - trial.start_s
    middle, last = trial.half()
    done = float(trial.engine["packet_hops"])
    late = done * (last.packets - middle.packets) / max(last.packets, 1)
    mean = (last.cpu_s - trial.first_s) / done
    each = (last.cpu_s - middle.cpu_s) / late if late > 0 else mean
    return spent + each * max(hops - done, 0.0)


class _Work:
    """What the jobs of a run do, as far as it can be counted.

    Parameters
    ----------
    ready : Prepared
        The run.
    """

    def __init__(self, ready: Prepared) -> None:
        self._ready = ready
        self._measure: Mapping[str, Any] | None = ready.config.get("measure")
        self._limit_ps = float(ready.config["stop"]["time_ps"])
        self._jobs = {job["name"]: job for job in ready.config["jobs"] if not job.get("muted")}
        self._paces: dict[str, _Pace | None] = {}
        self._traffic: dict[str, _Traffic] = {}
        self._slower: dict[str, tuple[float, float]] = {}
        if any(job["workload"]["kind"] != "open-loop" for job in self._jobs.values()):
            for one in native.demand(ready.config, ready.traces, ready.texts):
                if one and one["name"] in self._jobs:
                    self._paces[one["name"]] = _Pace.of(one)
        self._ending = [name for name in self._paces if _ends(self._jobs[name])]

    def share(self, now_ps: int) -> float:
        """Share of the run that a simulated time is, as far as is known; 0: nobody knows."""
        spans = [pace.time_ps for name in self._ending if (pace := self._paces[name])]
        if self._measure is not None:
            spans.append(float(self._measure["warm_up_ps"] + self._measure["window_ps"]))
        return now_ps / max(spans) if spans and max(spans) > 0 else 0.0

    def end_ps(self, trial: Trial) -> float | None:
        """When the run will end; ``None`` if nobody can know."""
        if any(self._paces[name] is None for name in self._ending):
            return None
        self._traffic = {name: _Traffic(self._ready, trial, name)
                         for name in self._jobs if name not in self._paces}  # fmt: skip
        self._slower = {name: self._slowed(name, trial) for name in self._paces}
        return max(min(self._end_ps(trial), self._limit_ps), float(trial.now_ps))

    def packets(self, trial: Trial, end_ps: float) -> dict[str, float]:
        """Packets of each job up to the end of the run."""
        found = {name: one.packets(end_ps) for name, one in self._traffic.items()}
        for name, pace in self._paces.items():
            there = trial.delivered(name, trial.now_ps)
            if pace is None:
                found[name] = there * end_ps / trial.now_ps
                continue
            repeats = bool(self._jobs[name].get("repeat"))
            alone = self._slower[name][0] + (end_ps - trial.now_ps) / self._slower[name][1]
            ends_it = name in self._ending and end_ps < self._limit_ps
            expected = pace.packets if ends_it else pace.by(alone, repeats=repeats)
            found[name] = max(there, (1.0 - trial.local_share(name)) * expected)
        return found

    def _slowed(self, name: str, trial: Trial) -> tuple[float, float]:
        """Where in its time alone a job is, ps, and how much slower than alone it goes on."""
        pace = self._paces[name]
        now = float(trial.now_ps)
        if pace is None:
            return now, 1.0
        network = max(1.0 - trial.local_share(name), 1e-9)
        repeats = bool(self._jobs[name].get("repeat"))
        middle = pace.at(trial.delivered(name, now / 2) / network, now / 2, repeats=repeats)
        there = pace.at(trial.delivered(name, now) / network, middle + now / 2, repeats=repeats)
        if there - middle > _TELLING * pace.time_ps:
            return there, max(now / 2 / (there - middle), 1.0)
        if there > _TELLING * pace.time_ps:
            return there, max(now / there, 1.0)
        return there, min(max(now / there, 1.0), _MOST_SLOWER) if there else 1.0

    def _end_ps(self, trial: Trial) -> float:
        ends = []
        for name in self._ending:
            pace = self._paces[name]
            there, times = self._slower[name]
            left = max(pace.time_ps - there, 0.0) if pace is not None else 0.0
            ends.append(trial.now_ps + times * left)
        if self._measure is not None:
            until = float(self._measure["warm_up_ps"] + self._measure["window_ps"])
            slowest = max((one.backlog for one in self._traffic.values()), default=1.0)
            # What has entered the queues of the nodes by then leaves them at the rate that is taken.
            last = max(until * slowest, until + trial.longest_ps())
            ends.append(min(last, until + float(self._measure["drain_ps"])))
        return max(ends, default=float(trial.now_ps))


class _Traffic:
    """Open-loop traffic of one job.

    Parameters
    ----------
    ready : Prepared
        The run.
    trial : Trial
        Its beginning.
    name : str
        Of the job.
    """

    def __init__(self, ready: Prepared, trial: Trial, name: str) -> None:
        self._ready = ready
        self._index = [job["name"] for job in ready.config["jobs"]].index(name)
        self._now = float(trial.now_ps)
        self._there = trial.delivered(name, self._now)
        half = self._now / 2
        self._late = (self._there - trial.delivered(name, half)) / half
        entered = trial.injected_bytes(name, self._now)
        late = (entered - trial.injected_bytes(name, half)) / max(entered, 1.0)
        offered = self._offered([half, self._now])
        # Packets that enter the network in the second half, over those that are created then.
        packets = late * entered / ready.config["system"]["packet"]["size_bytes"]
        created = offered[1] - offered[0]
        self._taken = packets / created if created else 1.0
        self._created = offered[1]

    @property
    def backlog(self) -> float:
        """Packets that are created over those that are taken, at least 1."""
        return 1.0 if self._taken >= _TAKEN else 1.0 / max(self._taken, 1e-3)

    def packets(self, end_ps: float) -> float:
        """Packets that have arrived by an instant."""
        if self._taken < _TAKEN:
            return self._there + self._late * (end_ps - self._now)
        (created,) = self._offered([end_ps])
        return self._there + created - self._created

    def _offered(self, instants: list[float]) -> list[int]:
        ready = self._ready
        found = native.offered(ready.config, ready.traces, ready.texts,
                               instants_ps=[round(one) for one in instants])  # fmt: skip
        counts = found[self._index]
        assert counts is not None  # noqa: S101 - it is open-loop traffic
        return counts


class _Pace:
    """When the packets of an MPI job arrive that runs alone, without contention.

    Parameters
    ----------
    packets : float
        All of them.
    time_ps : float
        How long the job takes.
    points : list of tuple
        Instants (ps) with the packets that have arrived by then.
    """

    def __init__(self, packets: float, time_ps: float, points: list[tuple[float, float]]) -> None:
        self.packets = packets
        self.time_ps = time_ps
        self._times = [0.0, *(at for at, _ in points)]
        self._counts = [0.0, *(count for _, count in points)]

    @classmethod
    def of(cls, demand: Mapping[str, Any]) -> _Pace | None:
        """That of a job; ``None`` if it was not run to an end and does not say how far it was."""
        share = 1.0 if demand["whole"] else demand["share"]
        if not share or not demand["time_ns"]:
            return None
        points = [(1e3 * at, float(count)) for at, count in demand["pace"]]
        return cls(demand["packets"] / share, 1e3 * demand["time_ns"] / share, points)

    def at(self, packets: float, near_ps: float, *, repeats: bool) -> float:
        """The instant alone at which so many packets have arrived; of several the nearest."""
        rounds, left = divmod(packets, self.packets) if repeats and self.packets else (0.0, packets)
        before = rounds * self.time_ps
        first = self._instant(left, bisect.bisect_left)
        last = self._instant(left + 1.0, bisect.bisect_left)
        return before + min(max(near_ps - before, first), max(first, last))

    def _instant(self, packets: float, find: Any) -> float:  # noqa: ANN401 - of bisect
        number = find(self._counts, packets)
        if number >= len(self._counts):
            behind = self.packets - self._counts[-1]
            share = (packets - self._counts[-1]) / behind if behind > 0 else 1.0
            return self._times[-1] + min(max(share, 0.0), 1.0) * (self.time_ps - self._times[-1])
        if number == 0:
            return 0.0
        left, right = self._counts[number - 1], self._counts[number]
        share = (packets - left) / (right - left)
        return self._times[number - 1] + share * (self._times[number] - self._times[number - 1])

    def by(self, time_ps: float, *, repeats: bool) -> float:
        """Packets that have arrived by an instant alone."""
        rounds, left = divmod(time_ps, self.time_ps) if repeats else (0.0, time_ps)
        number = bisect.bisect_right(self._times, left)
        if number >= len(self._times):
            span = self.time_ps - self._times[-1]
            share = min((left - self._times[-1]) / span, 1.0) if span > 0 else 1.0
            count = self._counts[-1] + share * (self.packets - self._counts[-1])
        else:
            (one, other) = itertools.islice(self._times, number - 1, number + 1)
            share = (left - one) / (other - one) if other > one else 1.0
            count = self._counts[number - 1] + share * (
                self._counts[number] - self._counts[number - 1]
            )
        return rounds * self.packets + count


def _ends(job: Mapping[str, Any]) -> bool:
    return not job.get("repeat") and job["role"] != "background"
