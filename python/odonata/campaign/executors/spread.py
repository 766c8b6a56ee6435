"""Runs of a campaign on processes that a launcher has started, each with a run at a time.

As on processes of this machine, but these are there already, and none takes the place of one that
has died.
"""

from __future__ import annotations

import contextlib
import hmac
import itertools
import secrets
import socket
import time
from collections.abc import Generator
from multiprocessing.connection import Connection, wait
from typing import Any

from odonata.campaign.executors.processes import Processes, Running
from odonata.campaign.executors.worker import Worker
from odonata.campaign.together.ranks import Gathered
from odonata.campaign.work import Work
from odonata.core.errors import RunError
from odonata.core.meeting import Meeting

_PATIENCE_S = 60.0
_MOST_STRANGERS = 256
"""Connections that are heard at a time, beside those of the others."""


class Spread(Processes):
    """All other processes of a launcher; this one tells them what to do.

    Parameters
    ----------
    gathered : Gathered
        They, and this one.
    threads : int
        Of the simulator, in each.
    """

    def __init__(self, gathered: Gathered, threads: int = 1) -> None:
        super().__init__(gathered.processes - 1, threads)
        self._gathered = gathered
        self._pipes: list[Connection] = []

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        self._pipes = _pipes(self._gathered)
        try:
            super().run(work)
        finally:
            for pipe in self._pipes:
                pipe.close()

    def _start(self, work: Work) -> Running:
        if not self._pipes:
            raise RunError("all processes of the launcher have ended; what was finished is kept. "
                           "Run it again.")  # fmt: skip
        return self._begin(work, _Elsewhere(), self._pipes.pop(0))

    def _died(self, work: Work, worker: Running) -> None:
        self._most = max(1, self._most - 1)
        super()._died(work, worker)


class _Elsewhere:
    """A process that somebody else has started and looks after."""

    pid = -1

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as that of subprocess
        """Its exit code, which nobody tells here."""
        return 1

    def kill(self) -> None:
        """Leave it alone: it ends by itself."""


def _pipes(gathered: Gathered) -> list[Connection]:
    """A connection to each of the others."""
    secret = secrets.token_bytes(16)
    wanted = gathered.processes - 1
    with socket.create_server(("", 0)) as server:
        gathered.tell_all({"tasks": server.getsockname()[1], "secret": secret.hex()})
        known = _known(server, secret, wanted + _MOST_STRANGERS)
        found = list(itertools.islice(known, wanted))
        known.close()
    if len(found) < wanted:
        raise RunError(f"only {len(found)} of {wanted} processes have connected.")
    return found


def _known(server: socket.socket, secret: bytes, most: int) -> Generator[Connection]:
    """Connections on which the secret is said in time; at most so many are heard at a time."""
    newcomers: dict[socket.socket, bytes] = {}
    server.settimeout(0)
    deadline = time.monotonic() + _PATIENCE_S
    try:
        while (left := deadline - time.monotonic()) > 0:
            for ready in wait([server, *newcomers], left):
                if ready is server:
                    _let_in(server, newcomers, most)
                elif isinstance(ready, socket.socket) and ready in newcomers:
                    said = _heard(ready, newcomers.pop(ready), len(secret))
                    if hmac.compare_digest(said, secret):
                        yield Connection(ready.detach())
                    elif 0 < len(said) < len(secret):
                        newcomers[ready] = said
                    else:  # a stranger
                        ready.close()
    finally:
        for stream in newcomers:
            stream.close()


def _let_in(server: socket.socket, newcomers: dict[socket.socket, bytes], most: int) -> None:
    """Take one that has connected; whoever has been silent for longest goes for it."""
    with contextlib.suppress(OSError):  # it has gone again
        newcomers[server.accept()[0]] = b""
    if len(newcomers) > most:
        silent = next(iter(newcomers))
        del newcomers[silent]
        silent.close()


def _heard(stream: socket.socket, words: bytes, count: int) -> bytes:
    """What is there of so many bytes, behind what was said before; nothing if no more comes."""
    try:
        more = stream.recv(count - len(words))
    except OSError:
        return b""
    return words + more if more else b""


def work_for(told: dict[str, Any], meeting: Meeting) -> None:
    """Carry out the tasks that process 0 sends.

    Parameters
    ----------
    told : dict
        Port and secret of process 0, and the ``address`` of its machine.
    meeting : Meeting
        With process 0.

    Raises
    ------
    RunError
        Process 0 is not there.
    """
    try:
        stream = socket.create_connection((told["address"], told["tasks"]), _PATIENCE_S)
        stream.settimeout(None)
        stream.sendall(bytes.fromhex(told["secret"]))
        Worker(Connection(stream.detach())).run()
    except (EOFError, OSError):
        if not meeting.is_broken:  # otherwise its end is noticed there
            raise RunError("the connection to process 0 was lost.") from None
