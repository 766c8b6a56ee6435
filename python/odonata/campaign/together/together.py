"""One simulation in several processes: this one is process 0.

Others are started for every simulation, on this machine or on others, or are there already because
a launcher has started them. They join this one over TCP. What they find they hand over, so that
what comes of it is what one process would return.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any, Protocol

from odonata.campaign.task import Done, Task, run_task
from odonata.campaign.together import hosts
from odonata.campaign.work import INTERRUPTED, Work, told
from odonata.core import native
from odonata.core.errors import RunError

_HERE = "127.0.0.1"
_END_S = 10.0
"""How long a process may take to end when its work is done."""
_NOT_STARTED = 255
"""Exit code of ssh where it cannot start anything."""

Told = dict[str, Any]
"""What a process is told of a simulation, for :func:`odonata.campaign.together.part.take_part`."""

LookAfter = Callable[[bool], None]
"""Raises a :class:`RunError` when another process has died; it is told whether all have joined."""


class Company(Protocol):
    """The processes of a simulation besides this one."""

    @property
    def processes(self) -> int:
        """How many there are, this one included."""

    def lead(self, secret: str, task: str) -> native.Team:
        """Take the place of process 0, with what all of them know."""

    def at_work(self, tell: Callable[[int], Told]) -> AbstractContextManager[LookAfter]:
        """Let every other process take part in what it is told."""


class Together:
    """One task after the other, each in several processes.

    Parameters
    ----------
    company : Company
        The other processes.
    threads : int
        Of the simulator in each of them.
    timed : bool
        Whether summaries are to say where the time of runs goes.
    """

    def __init__(self, company: Company, threads: int = 1, *, timed: bool = False) -> None:
        self._company = company
        self._threads = threads
        self._timed = timed

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        for key in work.wanted():
            work.started(key)
            task = work.task(key, is_here=True)
            found = run_task(task, work.inputs, threads=self._threads, listener=told(work, key),
                             simulate=self._simulate(task), timed=self._timed)  # fmt: skip
            work.returned(key, found)
            if isinstance(found, Done) and found.stop == INTERRUPTED:
                work.interrupted()
                return

    def _simulate(self, task: Task) -> Callable[..., native.Outcome]:
        """What takes the place of :func:`odonata.core.native.run`."""

        def simulate(
            *given: Any,  # noqa: ANN401 - as native.run
            threads: int,
            timed: bool,
            interrupt: Callable[[], bool] | None = None,
            **others: Any,  # noqa: ANN401 - as native.run
        ) -> native.Outcome:
            secret = secrets.token_hex(16)
            company = self._company
            team = company.lead(secret, fingerprint(task))

            def tell(rank: int) -> Told:
                return {
                    "address": team.address, "rank": rank, "processes": company.processes,
                    "secret": secret, "threads": threads, "task": asdict(task),
                    "timed": timed,
                }  # fmt: skip

            with company.at_work(tell) as look_after:
                have_joined = False

                def asks() -> bool:
                    look_after(have_joined)
                    return interrupt is not None and interrupt()

                team.gather(asks)
                have_joined = True
                return native.run(*given, threads=threads, interrupt=asks, timed=timed,
                                  team=team, **others)  # fmt: skip

        return simulate


def fingerprint(task: Task) -> str:
    """What all processes have to agree on."""
    text = json.dumps([task.config, task.digests])
    return hashlib.sha256(text.encode()).hexdigest()


class Started:
    """Processes that are started for every simulation, and are gone at its end in any case.

    Parameters
    ----------
    processes : int
        For each simulation, this one included.
    machines : sequence of Host
        Where they are, this machine first; none: all are on this one.
    start_with : str
        What starts a process on another machine, see
        :func:`odonata.campaign.together.hosts.command`.

    Raises
    ------
    RunError
        They cannot be there.
    """

    def __init__(
        self, processes: int, machines: Sequence[hosts.Host] = (), start_with: str = hosts.SSH
    ) -> None:
        self.processes = processes
        self._start_with = start_with
        alone = hosts.Place(hosts.Host(_HERE), 0, processes, is_first=True)
        self._places = hosts.places(machines, processes) if machines else [alone] * processes
        self._has_others = len(machines) > 1

    def lead(self, secret: str, task: str) -> native.Team:
        """Take the place of process 0."""
        first = self._places[0]
        return native.Team.lead(
            first.host.name, self.processes, beside=first.beside, secret=secret, task=task,
            port=first.port if self._has_others else None,
        )  # fmt: skip

    @contextlib.contextmanager
    def at_work(self, tell: Callable[[int], Told]) -> Iterator[LookAfter]:
        """Start them, and end them."""
        others: list[subprocess.Popen[bytes]] = []
        try:
            for rank in range(1, self.processes):
                place = self._places[rank]
                others.append(self._start(place))
                pipe = others[-1].stdin
                assert pipe is not None  # noqa: S101 - it was asked for
                text = json.dumps({**tell(rank), "port": place.port, "beside": place.beside})
                # It may have died: that is noticed below.
                with contextlib.suppress(BrokenPipeError), pipe:
                    pipe.write(text.encode())
            yield lambda have_joined: self._look_after(others, have_joined=have_joined)
            for other in others:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    other.wait(_END_S)
        finally:
            for other in others:
                if other.poll() is None:
                    other.kill()
                other.wait()

    def _start(self, place: hosts.Place) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "odonata.campaign.together.part"]
        if not place.is_first:
            words = hosts.command(self._start_with, place.host, words)
        try:
            return subprocess.Popen(words, stdin=subprocess.PIPE)  # noqa: S603 - as asked for
        except OSError as error:
            raise RunError(
                f"start_with: `{words[0]}` cannot be started: {error.strerror}. Give a command "
                "that starts a process on another machine."
            ) from None

    def _look_after(self, others: list[subprocess.Popen[bytes]], *, have_joined: bool) -> None:
        """Refuse to wait for a process that has died; one that ends by itself has said why."""
        for rank, other in enumerate(others, start=1):
            code = other.poll()
            if code is None or (code == 0 and have_joined):
                continue
            place = self._places[rank]
            where = f" on {place.host.name}" if self._has_others else ""
            if code == 0 and not place.is_first:
                how = (
                    f"has not joined, and `{self._start_with}` has ended, although it must run "
                    "as long as the process that it starts"
                )
            elif code < 0:
                how = f"was killed by signal {-code}"
            elif code == _NOT_STARTED and not place.is_first:
                how = f"could not be started, or was lost (`{self._start_with}` ended with {code})"
            else:
                how = f"ended with exit code {code}"
            raise RunError(
                f"process {rank} of the {self.processes} that simulate together{where} {how}; what "
                "was finished before is kept. Run it again."
            )
