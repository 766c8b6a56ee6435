"""A process that carries out tasks: ``python -m odonata.campaign.executors.worker`` and a pipe.

It appends what it finishes to a log of its own and says where; without a log it hands the bytes
over. When its parent has gone it ends at once. Signals are the parent's business.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from odonata.campaign.task import Done, Task, run_task
from odonata.campaign.work import INTERRUPTED
from odonata.core.errors import RunError
from odonata.results.store.log import Writer
from odonata.scenario.inputs import Inputs

_TELL_EVERY_S = 0.25
_FLUSH_EVERY_S = 0.25
_PR_SET_PDEATHSIG = 1  # of sys/prctl.h


class Worker:
    """Carries out what comes through a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._queue: deque[Task] = deque()
        self._answers: list[tuple[Any, ...]] = []
        self._is_stopped = False
        self._key = ""
        self._told = self._flushed = 0.0
        self._poll = select.poll()
        self._poll.register(pipe.fileno(), select.POLLIN)
        threads, folder = pipe.recv()
        self._threads: int = threads
        self._folder: Path | None = folder
        self._writer: Writer | None = None

    def run(self) -> None:
        """Work until there is nothing more to come."""
        inputs = Inputs(self.note)
        while not self._is_stopped:
            if not self._queue:
                self._flush()
                self._receive()
                continue
            task = self._queue.popleft()
            # What came through the pipe may be older than the death of who sent it: somebody else
            # has gone on with it then.
            self._look()
            self._key = task.key
            if time.monotonic() > self._flushed + _FLUSH_EVERY_S:
                self._answers.append(("started", task.key))
                self._flush()
            began = time.monotonic()
            found = run_task(task, inputs, threads=self._threads, listener=self,
                             interrupt=self._must_stop)  # fmt: skip
            self._answer(task.key, found, time.monotonic() - began)
            self._look()
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """Tell the parent, not too often."""
        now = time.monotonic()
        if now > self._told + _TELL_EVERY_S:
            self._told = now
            self._answers.append(("progress", self._key, simulated_ps, packets, fraction))
            self._flush()

    def note(self, text: str) -> None:
        """Tell the parent."""
        self._answers.append(("note", text))

    def _answer(self, key: str, found: Any, seconds: float) -> None:  # noqa: ANN401 - as run_task
        if isinstance(found, Done):
            if self._folder is None or found.stop == INTERRUPTED:
                found = b"".join(found.encoded())
            else:
                if self._writer is None:
                    self._writer = Writer(self._folder)
                self._look()  # as above
                found = self._writer.append(key, found.encoded(), found.stop)
        self._answers.append(("returned", key, found, seconds))
        if time.monotonic() > self._flushed + _FLUSH_EVERY_S:
            self._flush()

    def _flush(self) -> None:
        if self._answers:
            self._pipe.send(self._answers)
            self._answers = []
        self._flushed = time.monotonic()

    def _look(self) -> None:
        while self._poll.poll(0):  # the pipe's own way makes a selector each time
            self._receive()

    def _receive(self) -> None:
        message = self._pipe.recv()
        if message is None:
            self._is_stopped = True
        else:
            self._queue.extend(message)

    def _must_stop(self) -> bool:
        self._look()
        return self._is_stopped


def _end_with_parent(parent: int) -> None:
    """Let Linux end this process as soon as its parent is dead, whatever it is at.

    Otherwise it could finish a task that whoever goes on with the campaign has begun meanwhile.
    Other systems know nothing like it; there the pipe tells, between two steps.
    """
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control is not None:
        control(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it was dead before that


def main() -> None:
    """Work for the parent: the arguments are the number of a pipe to it, and its own."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _end_with_parent(int(sys.argv[2]))
    pipe = Connection(int(sys.argv[1]))
    try:
        Worker(pipe).run()
    except (EOFError, ConnectionError):
        os._exit(1)  # the parent has gone: there is nobody to tell, and nothing more to do
    except RunError as error:
        pipe.send([("broken", str(error))])


if __name__ == "__main__":
    main()
