"""One simulation in several processes of this machine: this one is process 0, and starts the rest.

Every simulation starts processes of its own, which join this one over TCP and end with it. What
the others find they hand over, so that what comes of it is what one process would return.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from odonata.campaign.executors import INTERRUPTED, Work, told
from odonata.campaign.task import Done, Task, run_task
from odonata.core import native
from odonata.core.errors import RunError

_HERE = "127.0.0.1"
_END_S = 10.0
"""How long a process may take to end when its work is done."""


class Together:
    """One task after the other, each in several processes.

    Parameters
    ----------
    processes : int
        For each simulation, this one included.
    threads : int
        Of the simulator in each of them.
    """

    def __init__(self, processes: int, threads: int = 1) -> None:
        self._processes = processes
        self._threads = threads

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        for key in work.wanted():
            work.started(key)
            task = work.task(key, is_here=True)
            found = run_task(task, work.inputs, threads=self._threads, listener=told(work, key),
                             simulate=self._simulate(task))  # fmt: skip
            work.returned(key, found)
            if isinstance(found, Done) and found.stop == INTERRUPTED:
                work.interrupted()
                return

    def _simulate(self, task: Task) -> Callable[..., native.Outcome]:
        """What takes the place of :func:`odonata.core.native.run`."""

        def simulate(  # noqa: PLR0913 - as native.run
            config: Mapping[str, Any] | str,
            traces: Mapping[str, native.Trace],
            texts: Mapping[str, str] | None = None,
            *,
            threads: int = 1,
            progress: native.Progress | None = None,
            interrupt: Callable[[], bool] | None = None,
            packed: bool = True,
        ) -> native.Outcome:
            assert packed  # noqa: S101 - tasks return bytes
            secret = secrets.token_hex(16)
            team = native.Team.lead(_HERE, self._processes, secret=secret, task=fingerprint(task))
            with _started(team.address, self._processes, secret, threads, task) as others:

                def asks() -> bool:
                    _look_after(others)
                    return interrupt is not None and interrupt()

                outcome = team.run(config, traces, texts, threads=threads, progress=progress,
                                   interrupt=asks)  # fmt: skip
            assert outcome is not None  # noqa: S101 - this is process 0
            return outcome

        return simulate


def fingerprint(task: Task) -> str:
    """What all processes have to agree on."""
    text = json.dumps([task.config, task.digests])
    return hashlib.sha256(text.encode()).hexdigest()


@contextlib.contextmanager
def _started(
    address: str, processes: int, secret: str, threads: int, task: Task
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The other processes, which are gone at the end in any case."""
    others: list[subprocess.Popen[bytes]] = []
    try:
        for rank in range(1, processes):
            others.append(
                subprocess.Popen(
                    [sys.executable, "-m", "odonata.campaign.part"], stdin=subprocess.PIPE
                )
            )
            told = {
                "address": address, "rank": rank, "processes": processes, "secret": secret,
                "threads": threads, "task": asdict(task),
            }  # fmt: skip
            pipe = others[-1].stdin
            assert pipe is not None  # noqa: S101 - it was asked for
            with contextlib.suppress(BrokenPipeError), pipe:  # it has died: that is noticed below
                pipe.write(json.dumps(told).encode())
        yield others
        for other in others:
            with contextlib.suppress(subprocess.TimeoutExpired):
                other.wait(_END_S)
    finally:
        for other in others:
            if other.poll() is None:
                other.kill()
            other.wait()


def _look_after(others: list[subprocess.Popen[bytes]]) -> None:
    """Refuse to wait for a process that has died; one that ends by itself has said why."""
    for rank, other in enumerate(others, start=1):
        code = other.poll()
        if code:
            how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise RunError(
                f"process {rank} of the {len(others) + 1} that simulate together {how}; what was "
                "finished before is kept. Run it again."
            )
