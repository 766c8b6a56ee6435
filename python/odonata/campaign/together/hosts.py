"""Machines that simulate together: their names, and how a process is started there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from odonata.core.errors import RunError

SSH = "ssh -o BatchMode=yes {host}"
"""What starts a process on another machine; the process itself is added."""

_NAME = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z][0-9A-Za-z_.-]*)(?::(\d{1,5}))?")
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Host:
    """A machine.

    Parameters
    ----------
    name : str
        As the others call it.
    port : int
        At which its first process listens, the next one at the next port; 0: at any.
    """

    name: str
    port: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a process is.

    Parameters
    ----------
    host : Host
        Its machine.
    port : int
        At which it listens; 0: at any.
    beside : int
        Processes on its machine, itself included.
    is_first : bool
        Whether it is on the machine of process 0.
    """

    host: Host
    port: int
    beside: int
    is_first: bool


def parse(hosts: str | Sequence[str]) -> tuple[Host, ...]:
    """Machines by name, the one of process 0 first.

    Parameters
    ----------
    hosts : str or sequence of str
        Names with or without a port, such as ``"node1,node2:7000"``.

    Raises
    ------
    RunError
        One of them is no name.
    """
    words = hosts.split(",") if isinstance(hosts, str) else list(hosts)
    found = [_host(str(word).strip()) for word in words]
    names = [host.name for host in found]
    for host in found:
        if names.count(host.name) > 1:
            raise RunError(
                f"hosts: {host.name} is named twice; name every machine once, and give the number "
                "of processes with `--processes`."
            )
    return tuple(found)


def _host(word: str) -> Host:
    match = _NAME.fullmatch(word)
    if match is None or int(match[2] or 0) > _LAST_PORT:
        raise RunError(
            f"hosts: {word!r:.80} is not the name of a machine; give names, with or without a "
            "port, separated by commas, such as node1,node2 or node1:7000,node2:7000."
        )
    return Host(match[1].strip("[]"), int(match[2] or 0))


def places(hosts: Sequence[Host], processes: int) -> list[Place]:
    """Where each of so many processes is: about as many on each machine, in order.

    Raises
    ------
    RunError
        There are fewer processes than machines.
    """
    if processes < len(hosts):
        raise RunError(
            f"{processes} processes cannot be on {len(hosts)} machines; give at least "
            f"`--processes {len(hosts)}`, or fewer hosts."
        )
    where = [rank * len(hosts) // processes for rank in range(processes)]
    found = []
    for rank, number in enumerate(where):
        host = hosts[number]
        port = host.port + rank - where.index(number) if host.port else 0
        if port > _LAST_PORT:
            raise RunError(f"hosts: the processes on {host.name} need ports above {_LAST_PORT}; "
                           "give a lower one.")  # fmt: skip
        found.append(Place(host, port, where.count(number), number == 0))
    return found


def command(start_with: str, host: Host, process: Sequence[str]) -> list[str]:
    """What starts a process on another machine.

    Parameters
    ----------
    start_with : str
        Its first words; ``{host}`` is the name of the machine, and is added if it is not there.
    host : Host
        The machine.
    process : sequence of str
        What is to run there.

    Raises
    ------
    RunError
        The words cannot be told apart.
    """
    try:
        words = shlex.split(start_with)
    except ValueError as error:
        raise RunError(f"start_with: {start_with!r:.80} is not a command ({error}).") from None
    if not words:
        raise RunError(f"start_with: an empty command starts nothing; the default is `{SSH}`.")
    if not any("{host}" in word for word in words):
        words.append("{host}")
    # A shell reads them there, as ssh has it.
    return [word.replace("{host}", host.name) for word in words] + list(map(shlex.quote, process))
