"""The beginning of a run, made to learn what the whole of it will cost.

The run is the same but for what is noted of one with a measured window: a finer time series, and a
few packets with their routers. None of that changes what happens in it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from odonata.core import native, packed
from odonata.core.memory import Peak
from odonata.scenario.inputs import Prepared

_BINS = 64
"""Of a measured run, at least."""

_SAMPLE = 32
"""One packet of so many of each node is looked at."""

_GROWING = {"time_ns", "start_ns", "created_ns"}
"""Columns of tables that grow with the simulated time."""

_MOST_DOUBLINGS = 2.0
"""Of the simulated time that let memory grow: then the network is as full as it will be."""

_MOST_ROWS = 10_000_000
"""Of the counters over time: if they became more, the simulator reads them half as often."""

_FEWEST = 20
"""Packets of a job from which on those of the second half alone say how long its paths are."""

_SHARE = 0.12
"""Of the run that a trial takes, if that is more than it takes at least."""

_MEASURED_SHARE = 0.7
"""The same of a run with a measured window, which is short beside the time that a network takes to
fill: paths grow longer meanwhile."""


@dataclass(frozen=True, slots=True)
class Look:
    """How far a run was at an instant.

    Parameters
    ----------
    cpu_s : float
        Processor time of this process.
    now_ps : int
        Simulated.
    packets : int
        Delivered, responses included.
    memory_bytes : int
        Of the process, the most so far.
    """

    cpu_s: float
    now_ps: int
    packets: int
    memory_bytes: int


class Trial:
    """A run that is begun, and stopped when enough has been seen or it is over.

    Parameters
    ----------
    ready : Prepared
        What is run.
    least_s, most_s : float
        CPU seconds after its first packet, at least and at most.
    share : callable
        Of a simulated time, the share of the run that it is, as far as is known.
    """

    def __init__(
        self, ready: Prepared, least_s: float, most_s: float, share: Callable[[int], float]
    ) -> None:
        self._least = least_s
        self._most = most_s
        self._share = share
        self._wanted = _SHARE if ready.config.get("measure") is None else _MEASURED_SHARE
        self._peak = Peak()
        self._looks: list[Look] = []
        self._fraction = 0.0
        self.start_s, self.end_s = time.process_time(), math.inf
        self.outcome = native.run(
            {**ready.config, "telemetry": _noted(ready.config)}, ready.traces, ready.texts,
            progress=self._progress, interrupt=self._is_enough, packed=True,
        )  # fmt: skip
        self.end_s = time.process_time()
        self.summary: Mapping[str, Any] = self.outcome.summary
        self.engine: Mapping[str, Any] = self.summary["engine"]
        self.is_whole = self.summary["stop"] != "interrupted"
        last = self._looks[-1].now_ps if self._looks else 0
        self.now_ps = max(last, round(1e3 * self.summary["simulated_ns"]))
        self._peak.look()

    @cached_property
    def _tables(self) -> dict[str, dict[str, npt.NDArray[Any]]]:
        """What was recorded; a run that was over has said all that is asked in its summary."""
        return {
            name: {
                key: np.array(column[1])[column[0]] if isinstance(column, tuple) else column
                for key, column in columns.items()
            }
            for name, _, _, columns in packed.joined([self.outcome.packed])
        }

    def memory_bytes(self, end_ps: float) -> int:
        """Memory of the process if the run goes on to an instant."""
        most = self._peak.most_bytes
        times = end_ps / self.now_ps if self.now_ps else 1.0
        if not self._looks or times <= 1.0:
            return most
        middle, last = self.half()
        # The most of what comes and goes grows ever more slowly, by as much each time the time
        # doubles; tables grow with the time.
        doublings = min(math.log2(times), _MOST_DOUBLINGS)
        growing, cells = 0.0, 0
        for table in self._tables.values():
            rows = len(next(iter(table.values()), ()))
            cells += rows * len(table)
            if not _GROWING.isdisjoint(table):
                growing += (_thinned(rows * times) - rows) * len(table)
        tables = (most - last.memory_bytes) * growing / max(cells, 1)
        return round(most + (last.memory_bytes - middle.memory_bytes) * doublings + tables)

    @property
    def first_s(self) -> float:
        """When the first packet was there."""
        return next((look.cpu_s for look in self._looks if look.packets), self.end_s)

    def _progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        look = Look(time.process_time(), simulated_ps, packets, self._peak.look())
        self._looks.append(look)
        self._fraction = fraction if fraction == fraction else 0.0  # noqa: PLR0124 - not a number

    def _is_enough(self) -> bool:
        if not self._looks:
            return False
        look = self._looks[-1]
        spent = look.cpu_s - self.first_s
        if spent < self._least:
            return False
        done = max(self._share(look.now_ps), self._fraction, 1e-9)
        return spent >= min(self._wanted * spent / done, self._most)

    def half(self) -> tuple[Look, Look]:
        """The look nearest to the middle of the simulated time, and the last one.

        Later ones, while tables are made, are not of the run.
        """
        last = next(look for look in self._looks if look.now_ps == self._looks[-1].now_ps)
        middle = min(self._looks, key=lambda look: abs(2 * look.now_ps - last.now_ps))
        return middle, last

    def delivered(self, job: str, until_ps: float) -> float:
        """Packets of a job that had arrived by an instant."""
        return self._summed("packets_delivered", job, until_ps)

    def injected_bytes(self, job: str, until_ps: float) -> float:
        """Bytes of a job that had entered the network by an instant."""
        return self._summed("bytes_injected", job, until_ps)

    def _summed(self, column: str, job: str, until_ps: float) -> float:
        series = self._tables.get("series")
        if series is None:
            return 0.0
        rows = np.asarray(series["job"]) == job
        start = 1e3 * np.asarray(series["time_ns"], float)[rows]
        width = np.maximum(1e3 * np.asarray(series["bin_ns"], float)[rows], 1.0)
        counts = np.asarray(series[column], float)[rows]
        ends = np.minimum(start + width, max(float(self.now_ps), 1.0))
        shares = np.clip((until_ps - start) / np.maximum(ends - start, 1.0), 0.0, 1.0)
        return float((counts * shares).sum())

    def hops(self, job: str | None, from_ps: float = 0.0) -> float | None:
        """Mean routers on the way of packets of a job, or of all, that arrived after an instant."""
        packets = self._tables.get("packets")
        if packets is None:
            of = self.summary["network"] if job is None else self._job(job)
            mean = of.get("hops_mean")
            return None if mean is None else float(mean)
        hops = np.asarray(packets["hops"], float)
        chosen: npt.NDArray[np.bool_] = np.ones(len(hops), bool)
        if job is not None:
            chosen &= np.asarray(packets["job"]) == job
        late = chosen & (1e3 * np.asarray(packets["delivered_ns"], float) >= from_ps)
        if late.sum() >= _FEWEST:
            chosen = late
        return float(hops[chosen].mean()) if chosen.any() else None

    def _job(self, name: str) -> Mapping[str, Any]:
        return next((job for job in self.summary["jobs"] if job["name"] == name), {})

    def longest_ps(self) -> float:
        """Longest time of a packet from its creation to its arrival."""
        packets = self._tables.get("packets")
        if packets is None or not len(packets["hops"]):
            return 0.0
        created = np.asarray(packets["created_ns"], float)
        return 1e3 * float((np.asarray(packets["delivered_ns"], float) - created).max())

    def local_share(self, job: str) -> float:
        """Share of the messages of a job that stay in their node."""
        ranks = self._tables.get("ranks")
        if ranks is None or "local_messages_sent" not in ranks:
            return 0.0
        rows = np.asarray(ranks["job"]) == job
        sent = np.asarray(ranks["messages_sent"], float)[rows].sum()
        local = np.asarray(ranks["local_messages_sent"], float)[rows].sum()
        return float(local / (sent + local)) if sent + local else 0.0


def _thinned(rows: float) -> float:
    """Rows of a table of so many, every other one left out until they are not too many."""
    return rows if rows <= _MOST_ROWS else 0.75 * _MOST_ROWS  # half as many to all of them


def _noted(config: Mapping[str, Any]) -> dict[str, Any]:
    """What is noted of a trial: of a measured run more than was asked for."""
    given: dict[str, Any] = config["telemetry"]
    measure = config.get("measure")
    if measure is None:
        return given
    fine = max((measure["warm_up_ps"] + measure["window_ps"]) // _BINS, 1)
    return {
        **given,
        "packet_sample": given.get("packet_sample") or _SAMPLE,
        "series_bin_ps": min(given.get("series_bin_ps") or fine, fine),
    }
