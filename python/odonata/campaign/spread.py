"""Runs of a campaign on processes that a launcher has started, each with a run at a time.

As on processes of this machine, but these are there already, and none takes the place of one that
has died.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from multiprocessing.connection import Connection
from typing import Any

from odonata.campaign.executors import Work
from odonata.campaign.processes import Processes, Running
from odonata.campaign.ranks import Gathered
from odonata.campaign.worker import Worker
from odonata.core.errors import RunError
from odonata.core.meeting import Meeting

_PATIENCE_S = 60.0
_WORDS_S = 10.0


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
    found: list[Connection] = []
    with socket.create_server(("", 0)) as server:
        told = {"tasks": server.getsockname()[1], "secret": secret.hex()}
        gathered.tell_all(told)
        server.settimeout(_PATIENCE_S)
        while len(found) < gathered.processes - 1:
            try:
                stream, _ = server.accept()
            except TimeoutError:
                raise RunError(
                    f"only {len(found)} of {gathered.processes - 1} processes have connected."
                ) from None
            stream.settimeout(_WORDS_S)
            if hmac.compare_digest(_read(stream, len(secret)), secret):
                stream.settimeout(None)
                found.append(Connection(stream.detach()))
            else:  # a stranger
                stream.close()
    return found


def _read(stream: socket.socket, count: int) -> bytes:
    """So many bytes; fewer if no more come."""
    words = b""
    try:
        while len(words) < count and (more := stream.recv(count - len(words))):
            words += more
    except OSError:
        return b""
    return words


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
            raise RunError("the connection to process 0 is lost.") from None
