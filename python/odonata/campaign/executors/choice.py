"""Which executor a campaign gets: how many processes, and how many threads in each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from odonata.campaign.executors.dask import Cluster
from odonata.campaign.executors.processes import Processes
from odonata.campaign.executors.spread import Spread
from odonata.campaign.together.ranks import Gathered
from odonata.campaign.together.together import Company, Together
from odonata.campaign.work import Executor, Serial, Work, cores
from odonata.core.memory import available_bytes

ExecutorName = Literal["serial", "processes", "dask"]

LayoutName = Literal["folders", "packed"]

LAYOUTS: tuple[LayoutName, ...] = ("folders", "packed")

EXECUTORS: tuple[ExecutorName, ...] = ("serial", "processes", "dask")

_PACKS_FROM = 200
"""Runs of a sweep from which on they are packed: of more nobody looks at single folders."""

_MEMORY_SHARE = 0.8
"""Of the memory that is free, what runs may take together."""

_WORTH_S = 1.0
"""Seconds of work that starting processes is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a campaign is carried out; its results do not depend on it.

    Parameters
    ----------
    executor : str, optional
        By default this process for what is short, processes for what is not.
    workers : int, optional
        Processes; by default as many as cores allow.
    threads : int, optional
        Of the simulator in each run, in each of its processes.
    company : Company, optional
        Processes that simulate each run together with this one; by default none.
    scheduler : str, optional
        Address of a Dask scheduler.
    store : pathlib.Path, optional
        Where finished tasks are kept for others.
    timed : bool
        Whether summaries are to say where the time of runs goes, which are then carried out one
        after the other.
    layout : str, optional
        Whether runs get a folder each or are packed together; by default it depends on how many
        there are.
    """

    executor: ExecutorName | None = None
    workers: int | None = None
    threads: int | None = None
    company: Company | None = None
    scheduler: str | None = None
    store: Path | None = None
    layout: LayoutName | None = None
    timed: bool = False

    def packs(self, runs: int) -> bool:
        """Whether so many runs of a sweep are packed."""
        return self.layout == "packed" or (self.layout is None and runs >= _PACKS_FROM)

    def choose(self, keys: Sequence[str], *, is_long: bool = False) -> Executor:
        """Who carries out these tasks.

        Parameters
        ----------
        keys : sequence of str
            The tasks.
        is_long : bool
            Whether they are known to take longer than processes take to start. If not, the first of
            them begin in this process, and a long one among these keeps the other cores waiting.
        """
        if self.company is not None:
            return self._accompanied(self.company)
        most = max(1, min(self.workers or max(1, cores() // (self.threads or 1)), len(keys)))
        threads = self.threads or 1
        named = "serial" if self.timed else self.executor
        if named is None and most == 1:
            named = "serial"
        elif named is None and is_long:
            named = "processes"
        match named:
            case "serial":
                return Serial(threads, timed=self.timed)
            case "dask":
                return Cluster(self.scheduler, most, threads)
            case "processes":
                return self._processes(most, threads)
            case None:
                return _Adaptive(Serial(threads), self._processes(most, threads))

    def _accompanied(self, company: Company) -> Executor:
        threads = self.threads or 1
        if isinstance(company, Gathered) and company.has_tasks:
            return Spread(company, threads)
        return Together(company, threads, timed=self.timed)

    @staticmethod
    def _processes(workers: int, threads: int) -> Processes:
        return Processes(workers, threads, memory_bytes=int(_MEMORY_SHARE * available_bytes()))


class _Adaptive:
    """One process for a second, then many: what is short is not worth starting any.

    Parameters
    ----------
    first, then : Executor
        For the first second, and for the rest.
    """

    def __init__(self, first: Serial, then: Processes) -> None:
        self._first = first
        self._then = then

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        end = time.monotonic() + _WORTH_S
        for key in work.wanted():
            if not self._first.one(work, key):
                work.interrupted()
                return
            if time.monotonic() > end:
                break
        else:
            return
        self._then.run(work)
