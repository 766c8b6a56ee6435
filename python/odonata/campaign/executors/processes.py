"""Many processes on this machine, each with one task at a time.

A process that dies (killed for memory, say) costs the task that it was at, which is tried once more
by another one; everything that it had finished is in the log.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import Counter, deque
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Protocol

from odonata.campaign.task import Done, Failure, Task
from odonata.campaign.work import INTERRUPTED, Work
from odonata.core.errors import RunError

_QUEUED_S = 0.5
"""Work that a process has in its queue, so that it never waits for more."""

_MOST_QUEUED = 64
_TRIES = 2
_PATIENCE_S = 20.0
"""How long processes may take to stop."""


class Process(Protocol):
    """A process that works."""

    @property
    def pid(self) -> int:
        """Its number."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit code."""

    def kill(self) -> None:
        """End it."""


@dataclass(eq=False)
class Running:
    """A process, and what it has been given and not returned, in order."""

    process: Process
    pipe: Connection
    given: deque[str] = field(default_factory=deque)
    outbox: list[Task] = field(default_factory=list)


class Processes:
    """As many processes as there are cores, or as memory allows.

    Parameters
    ----------
    workers : int
        Processes.
    threads : int
        Of the simulator, in each.
    memory_bytes : int
        What all tasks that run at a time may need together.
    """

    def __init__(self, workers: int, threads: int = 1, *, memory_bytes: int = 1 << 62) -> None:
        self._most = workers
        self._threads = threads
        self._memory = memory_bytes
        self._workers: list[Running] = []
        self._tasks: dict[str, Task] = {}
        self._again: deque[str] = deque()
        self._deaths: Counter[str] = Counter()
        self._seconds = 0.0
        self._returned = 0
        self._is_careful = False
        """A process has died: nothing is queued any more, so that it is known what one was at."""

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        source = work.wanted()
        try:
            self._loop(work, source)
        except KeyboardInterrupt:
            work.interrupted()
            self._stop(work)
        finally:
            for worker in self._workers:
                worker.pipe.close()
            for worker in self._workers:
                self._end(worker)

    def _loop(self, work: Work, source: Any) -> None:  # noqa: ANN401 - an iterator of keys
        following = next(source, None)
        while True:
            while following is not None or self._again:
                key = self._again[0] if self._again else following
                assert key is not None  # noqa: S101 - one of the two
                if not self._give(work, key):
                    break
                if self._again:
                    self._again.popleft()
                else:
                    following = next(source, None)
            self._deliver()
            if not any(worker.given for worker in self._workers):
                break
            self._listen(work)
        for worker in self._workers:
            self._send(worker, None)

    def _give(self, work: Work, key: str) -> bool:
        """Give a task to the process with the least to do; whether one may have it."""
        worker = min(self._workers, key=lambda one: len(one.given), default=None)
        if (worker is None or worker.given) and len(self._workers) < self._most:
            worker = None
        if worker is not None and len(worker.given) >= self._depth():
            return False
        task = self._tasks.get(key) or work.task(key, is_here=False)
        running = {one.given[0] for one in self._workers if one.given}
        needed = task.memory_bytes + sum(self._tasks[one].memory_bytes for one in running)
        if running and needed > self._memory:
            return False
        if worker is None:
            worker = self._start(work)
        self._tasks[key] = task
        worker.given.append(key)
        worker.outbox.append(task)
        return True

    def _depth(self) -> int:
        if self._is_careful or not self._returned:
            return 1
        mean = max(self._seconds / self._returned, 1e-4)
        return max(1, min(_MOST_QUEUED, int(_QUEUED_S / mean)))

    def _start(self, work: Work) -> Running:
        ours, theirs = Pipe()
        path = os.pathsep.join([str(Path(__file__).parents[3]), *filter(None, sys.path)])
        # A session of its own: Ctrl-C is for this process, which then stops the others in order.
        process = subprocess.Popen(  # noqa: S603 - this interpreter, our own module
            [sys.executable, "-P", "-m", "odonata.campaign.executors.worker", str(theirs.fileno()),
             str(os.getpid())],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "1"},
            start_new_session=True,
        )  # fmt: skip
        theirs.close()
        return self._begin(work, process, ours)

    def _begin(self, work: Work, process: Process, pipe: Connection) -> Running:
        worker = Running(process, pipe)
        self._workers.append(worker)
        self._send(worker, (self._threads, None if work.log is None else work.log.folder))
        return worker

    def _deliver(self) -> None:
        """Send what was given since the last time."""
        for worker in self._workers:
            if worker.outbox:
                self._send(worker, worker.outbox)
                worker.outbox = []

    @staticmethod
    def _send(worker: Running, message: object) -> None:
        with contextlib.suppress(OSError):  # it has died, which is seen when it is listened to
            worker.pipe.send(message)

    def _listen(self, work: Work) -> None:
        by_pipe: dict[object, Running] = {worker.pipe: worker for worker in self._workers}
        for pipe in wait([worker.pipe for worker in self._workers], timeout=1.0):
            worker = by_pipe[pipe]
            try:
                messages = worker.pipe.recv()
            except (EOFError, OSError):
                self._died(work, worker)
                continue
            for message in messages:
                self._hear(work, worker, message)

    def _hear(self, work: Work, worker: Running, message: tuple[Any, ...]) -> None:
        match message:
            case ("returned", key, found, seconds):
                worker.given.remove(key)
                self._tasks.pop(key, None)
                self._seconds += seconds
                self._returned += 1
                done = Done.decoded(found) if isinstance(found, bytes) else found
                work.returned(key, done, seconds)
            case ("started", key):
                work.started(key)
            case ("progress", key, simulated_ps, packets, fraction):
                work.progress(key, simulated_ps, packets, fraction)
            case ("note", text):
                work.note(text)
            case _:
                raise RunError(str(message[1]))

    def _died(self, work: Work, worker: Running) -> None:
        """What a process that has died was at is tried again; what it had queued, too.

        Of several nobody knows which one it was at.
        """
        self._workers.remove(worker)
        worker.pipe.close()
        code = worker.process.wait()
        given = []
        for key in worker.given:  # what it has finished and not told of is in the log
            place = None if work.log is None else work.log.appended(worker.process.pid, key)
            if place is None:
                given.append(key)
            else:
                self._tasks.pop(key, None)
                work.returned(key, place)
        if not given:
            return
        self._is_careful = True
        if len(given) > 1:
            self._again.extend(given)
            return
        (running,) = given
        self._deaths[running] += 1
        if self._deaths[running] < _TRIES:
            self._again.append(running)
        else:
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            task = self._tasks.pop(running)
            work.returned(running, Failure(
                f"{task.label}: its process died {_TRIES} times ({how}), as it does when memory "
                "runs out; use fewer --workers or a larger machine.", is_fault=True))  # fmt: skip

    def _stop(self, work: Work) -> None:
        """Let every process return what it has; a second interruption does not wait."""
        for worker in self._workers:
            self._send(worker, None)
        for worker in self._workers:
            try:
                while worker.given and worker.pipe.poll(_PATIENCE_S):
                    for message in worker.pipe.recv():
                        self._hear(work, worker, message)
                        if message[0] == "returned" and _is_partial(message[2]):
                            worker.given.clear()  # what was queued has not begun
            except (EOFError, OSError):
                continue

    @staticmethod
    def _end(worker: Running) -> None:
        try:
            worker.process.wait(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()


def _is_partial(found: object) -> bool:
    return isinstance(found, bytes) and Done.decoded(found).stop == INTERRUPTED
