"""What the jobs of a run do, as far as it can be counted, and when they will have done it.

Messages of MPI jobs and packets of open-loop traffic are counted without a network; how much slower
jobs are beside each other than alone, and whether the network takes what it is offered, is seen in
the beginning of the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from odonata.campaign.forecast.pace import Pace
from odonata.campaign.forecast.trial import Trial
from odonata.core import native
from odonata.scenario.inputs import Prepared

# What each of these five numbers is worth is measured on the page of the decision,
# docs/decisions/2026-11-22-forecasts-by-trial.md: errors with it, without it and beside it.

_TAKEN = 0.93
"""Share of the offered packets that enters the network where it is not saturated."""

_FULL = 0.85
"""Share of the offered packets below which those that arrive say that a network is saturated, even
if its buffers still take all of them."""

_UNFAIR = 0.8
"""Share that is taken below which some nodes wait so long that a run drains to its limit."""

_TELLING = 0.02
"""Share of a job from which on its speed in the trial is that of the rest of it."""

_MOST_SLOWER = 2.0
"""How much slower than alone a job may be taken to be where less has been seen."""


class Work:
    """What the jobs of a run do, as far as it can be counted."""

    def __init__(self, ready: Prepared) -> None:
        self._ready = ready
        self._measure: Mapping[str, Any] | None = ready.config.get("measure")
        self._limit_ps = float(ready.config["stop"]["time_ps"])
        self._jobs = {job["name"]: job for job in ready.config["jobs"] if not job.get("muted")}
        self._paces: dict[str, Pace | None] = {}
        self._traffic: dict[str, Traffic] = {}
        self._slower: dict[str, tuple[float, float]] = {}
        if any(job["workload"]["kind"] != "open-loop" for job in self._jobs.values()):
            for one in native.demand(ready.config, ready.traces, ready.texts):
                if one and one["name"] in self._jobs:
                    self._paces[one["name"]] = Pace.of(one)
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
        self._traffic = {name: Traffic(self._ready, trial, name)
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
            if (
                there
                and name not in self._ending
                and self._slower[name][0] < _TELLING * pace.time_ps
            ):
                # Too little of it to know how slow it is, but its rate is known.
                late = there - trial.delivered(name, trial.now_ps / 2)
                found[name] = there + 2.0 * late * (end_ps / trial.now_ps - 1.0)
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
            # What has been created by then leaves its nodes at the rate that is taken.
            last = max(until * slowest, until + trial.longest_ps())
            ends.append(min(last, until + float(self._measure["drain_ps"])))
        return max(ends, default=float(trial.now_ps))


class Traffic:
    """Open-loop traffic of one job."""

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
        if ready.config.get("measure") is not None:
            self._look_at_arrivals(trial, name)

    def _look_at_arrivals(self, trial: Trial, name: str) -> None:
        """A measured run is short: buffers may fill for most of it, and what arrives tells."""
        since = 0.75 * self._now
        arrived = self._there - trial.delivered(name, since)
        created = self._created - self._offered([since])[0]
        if created and arrived < _FULL * created:
            self._taken = min(self._taken, arrived / created)
            self._late = arrived / (self._now - since)

    @property
    def backlog(self) -> float:
        """Packets that are created over those that are taken, at least 1."""
        if self._taken < _UNFAIR:
            return math.inf
        return 1.0 if self._taken >= _TAKEN else 1.0 / self._taken

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


def _ends(job: Mapping[str, Any]) -> bool:
    return not job.get("repeat") and job["role"] != "background"
