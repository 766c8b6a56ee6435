"""Who carries tasks out: what every executor asks and tells; one task after the other, here.

Executors are given keys in order. Of each they ask whether it is still wanted, then for its task;
what comes of it they hand back. They stop early when the user interrupts: tasks that were running
come back with what they have.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from odonata.campaign.task import Done, Failure, Listener, Task, run_task
from odonata.results.store.log import Log, Place
from odonata.scenario.inputs import Inputs

INTERRUPTED = "interrupted"


class Work(Protocol):
    """What there is to do, and who is told of it."""

    @property
    def inputs(self) -> Inputs:
        """Files that were read already."""

    @property
    def log(self) -> Log | None:
        """Where finished tasks are kept; ``None``: in memory."""

    def wanted(self) -> Iterator[str]:
        """Keys of the tasks that are left, looked at when the next one is asked for."""

    def task(self, key: str, *, is_here: bool) -> Task:
        """A task; for this process, or for one in another folder."""

    def started(self, key: str) -> None:
        """A task runs."""

    def progress(self, key: str, simulated_ps: int, packets: int, fraction: float) -> None:
        """It has come so far."""

    def note(self, text: str) -> None:
        """Something to look at before trusting results."""

    def returned(
        self, key: str, found: Done | Failure | Place, seconds: float | None = None
    ) -> None:
        """It has ended; a place is that in the log. `seconds` passed where it was carried out."""

    def interrupted(self) -> None:
        """The user wishes to stop."""


class Executor(Protocol):
    """Carries tasks out."""

    def run(self, work: Work) -> None:
        """Carry out all that is wanted.

        Raises
        ------
        RunError
            Nothing can be carried out any more.
        """


class Serial:
    """One task after the other, in this process.

    Parameters
    ----------
    threads : int
        Of the simulator.
    timed : bool
        Whether summaries are to say where the time of runs goes.
    """

    def __init__(self, threads: int = 1, *, timed: bool = False) -> None:
        self._threads = threads
        self._timed = timed

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        for key in work.wanted():
            if not self.one(work, key):
                work.interrupted()
                return

    def one(self, work: Work, key: str) -> bool:
        """Carry out one task; whether it was not interrupted."""
        work.started(key)
        task = work.task(key, is_here=True)
        found = run_task(task, work.inputs, threads=self._threads, listener=told(work, key),
                         timed=self._timed)  # fmt: skip
        work.returned(key, found)
        return not (isinstance(found, Done) and found.stop == INTERRUPTED)


def told(work: Work, key: str) -> Listener:
    """Who passes on what a task says."""
    return _Told(work, key)


class _Told:
    """Passes on what a task says."""

    def __init__(self, work: Work, key: str) -> None:
        self._work = work
        self._key = key

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        self._work.progress(self._key, simulated_ps, packets, fraction)

    def note(self, text: str) -> None:
        self._work.note(text)


def cores() -> int:
    """Cores that this process may use: of the machine, of its affinity, of its container."""
    found = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        found = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()
        if quota != "max":
            found = min(found, round(int(quota) / int(period)))
    return max(1, found)
