"""Processes that a launcher such as mpiexec or srun has started, and how they find each other.

Process 0 writes where it is into a file that the others see, too: they were started in the same
folder. They then wait for what it tells them until it ends. The file holds a secret that only
whoever may read it knows.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata.campaign.together.together import LookAfter, Told
from odonata.core.errors import RunError
from odonata.core.meeting import Meeting
from odonata.core.native import LostError, RefusedError, Team

_PATIENCE_S = 600.0
"""How long process 0 may take to begin."""
_LOOK_S = 0.05
_ANSWER_S = 5.0
"""How long a machine may take to answer."""
_TRIES = 20
"""How often somebody who does not know this run may answer where process 0 was to be: the file may
be that of an earlier run, and is about to be replaced."""
_HERE = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Copy:
    """One of several processes that a launcher has started.

    Parameters
    ----------
    rank : int
        Its number.
    count : int
        How many there are.
    job : str
        What the launcher calls all of them together; may be empty.
    """

    rank: int
    count: int
    job: str = ""


class Gathered:
    """The other processes of a launcher, for process 0; they wait to be told something.

    Parameters
    ----------
    meeting : Meeting
        With all of them.
    copy : Copy
        This one.
    has_mpi : bool
        Whether they exchange over MPI.
    """

    has_tasks = False
    """Whether each of them carries out runs of its own."""

    def __init__(self, meeting: Meeting, copy: Copy, *, has_mpi: bool = False) -> None:
        self._meeting = meeting
        self.processes = copy.count
        self._channel = 0 if has_mpi else None
        greetings = [json.loads(meeting.receive(rank)) for rank in range(1, copy.count)]
        self._reached = [one["address"] for one in greetings]
        self._machines = [socket.gethostname(), *(one["machine"] for one in greetings)]
        used = {one["address"] for one in greetings} - {_HERE}
        self._name = min(used, default=_HERE)
        self._is_spread = bool(used)

    def lead(self, secret: str, task: str) -> Team:
        """Take the place of process 0."""
        beside = self._machines.count(self._machines[0])
        if self._channel is not None:
            self._channel += 1
            return self._meeting.team(self._channel, beside)
        return Team.lead(self._name, self.processes, beside=beside, secret=secret, task=task,
                         port=0 if self._is_spread else None)  # fmt: skip

    @contextlib.contextmanager
    def at_work(self, tell: Callable[[int], Told]) -> Iterator[LookAfter]:
        """Let them take part."""
        for rank in range(1, self.processes):
            beside = self._machines.count(self._machines[rank])
            told = {**tell(rank), "beside": beside, "channel": self._channel}
            self._meeting.send(rank, json.dumps(told).encode())
        yield self._look_after

    def tell_all(self, told: Told) -> None:
        """Tell each of them something, with the address by which it has reached this machine."""
        for rank, address in enumerate(self._reached, start=1):
            self._meeting.send(rank, json.dumps({**told, "address": address}).encode())

    def _look_after(self, _: bool) -> None:  # noqa: FBT001 - as Company says
        if self._meeting.is_broken:
            raise RunError(
                f"one of the {self.processes} processes that simulate together has ended; what was "
                "finished before is kept. Run it again."
            )

    def end(self) -> None:
        """Let them go."""
        for rank in range(1, self.processes):
            with contextlib.suppress(LostError):
                self._meeting.send(rank, b"")
        self._meeting.finish()


@contextlib.contextmanager
def led(copy: Copy, place: Path, task: str) -> Iterator[Gathered]:
    """All other processes, for process 0; they are let go at the end.

    Parameters
    ----------
    copy : Copy
        Process 0.
    place : pathlib.Path
        File by which they find each other, see :func:`meeting_place`.
    task : str
        What all have to agree on.

    Raises
    ------
    RunError, LostError
        They do not find each other.
    """
    secret = secrets.token_hex(16)
    meeting, names = _opened(copy, secret, task)
    told = {"addresses": [f"{name}:{meeting.address.rsplit(':', 1)[1]}" for name in names],
            "machine": socket.gethostname(), "secret": secret}  # fmt: skip
    _put(place, json.dumps(told))
    try:
        meeting.gather()
    finally:
        with contextlib.suppress(OSError):
            place.unlink()
    gathered = Gathered(meeting, copy)
    try:
        yield gathered
    finally:
        gathered.end()


@contextlib.contextmanager
def led_over_mpi(copy: Copy, shim: Path, task: str) -> Iterator[Gathered]:
    """All other processes of the launcher of an MPI, for process 0.

    Parameters
    ----------
    copy, task
        As for :func:`led`.
    shim : pathlib.Path
        What calls MPI.

    Raises
    ------
    LostError
        MPI fails, or one of them has another build or another task.
    """
    meeting = Meeting.over_mpi(shim, copy.count, task=task)
    if meeting.rank != 0:
        raise RunError(f"the launcher says that this is process {copy.rank}, MPI that it is "
                       f"process {meeting.rank}; use TCP, without `--mpi`.")  # fmt: skip
    gathered = Gathered(meeting, copy, has_mpi=True)
    try:
        yield gathered
    finally:
        gathered.end()


def joined_over_mpi(copy: Copy, shim: Path, task: str) -> Meeting:
    """Process 0, for another process of the launcher of an MPI.

    Parameters
    ----------
    copy, shim, task
        As for :func:`led_over_mpi`.

    Raises
    ------
    LostError
        MPI fails, or process 0 refuses this one.
    """
    meeting = Meeting.over_mpi(shim, copy.count, task=task)
    meeting.send(0, json.dumps({"machine": socket.gethostname(), "address": _HERE}).encode())
    return meeting


def _opened(copy: Copy, secret: str, task: str) -> tuple[Meeting, list[str]]:
    """A meeting, and what others may call this machine."""
    names = _names()
    try:
        return Meeting.lead(names[0], copy.count, secret=secret, task=task), names
    except LostError:  # the machine does not know its own name
        names = names[1:] or [_HERE]
        return Meeting.lead(names[0], copy.count, secret=secret, task=task), names


def _names() -> list[str]:
    """What other machines may call this one, the most general first."""
    names = [socket.gethostname()]
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(names[0], None, type=socket.SOCK_STREAM):
            if not str(address[0]).startswith("127.") and ":" not in str(address[0]):
                names.append(str(address[0]))
    return list(dict.fromkeys(names))


def _put(place: Path, text: str) -> None:
    """Write a file that nobody else may read, all at once."""
    draft = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        draft.replace(place)
    except OSError as error:
        raise RunError(
            f"{place}, the file through which the processes find each other, cannot be written "
            f"({error.strerror}); give another one that all of them see with `--meet-at`."
        ) from None


def joined(copy: Copy, place: Path, task: str) -> Meeting:
    """Process 0, for another process.

    Parameters
    ----------
    copy : Copy
        This process.
    place, task
        As for :func:`led`.

    Raises
    ------
    RunError, LostError
        It is not found, or refuses this process.
    """
    end = time.monotonic() + _PATIENCE_S
    failed: dict[str, int] = {}
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            text = place.read_text("utf-8")
            found = _reached(copy, json.loads(text), task)
            if isinstance(found, Meeting):
                return found
            failed[text] = failed.get(text, 0) + 1
            if failed[text] >= _TRIES and found is not None:
                raise found
        time.sleep(_LOOK_S)
    raise RunError(
        f"process 0 was not found through {place} within {_PATIENCE_S / 60:.0f} minutes; give a "
        "file that all processes see with `--meet-at`."
    )


def _reached(copy: Copy, told: dict[str, str | list[str]], task: str) -> Meeting | LostError | None:
    """The meeting; or what somebody else has said there; or nothing if nobody answers."""
    addresses: Sequence[str] = told["addresses"]
    if told["machine"] == socket.gethostname():
        port = addresses[0].rsplit(":", 1)[1]
        addresses = [f"{_HERE}:{port}", *addresses]
    said = None
    for address in addresses:
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=_ANSWER_S).close()
            meeting = Meeting.join(address, copy.rank, copy.count, secret=str(told["secret"]),
                                   task=task)  # fmt: skip
        except RefusedError:
            raise
        except OSError:
            continue
        except LostError as error:
            said = error
            continue
        greeting = {"machine": socket.gethostname(), "address": host}
        meeting.send(0, json.dumps(greeting).encode())
        return meeting
    return said


def meeting_place(copy: Copy, folder: Path) -> Path:
    """The file by which the processes of a launcher find each other.

    Parameters
    ----------
    copy : Copy
        One of them.
    folder : pathlib.Path
        In which all were started.
    """
    return folder / f".odonata-meeting{'-' if copy.job else ''}{copy.job}"
