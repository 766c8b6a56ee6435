"""Simulates a part of a system beside others: ``python -m odonata.campaign.together.part``.

What to simulate, and where process 0 is, comes as JSON through standard input, so that the secret
of the run stands in no list of processes. Signals are the
business of process 0. When another process is gone it ends at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from odonata.campaign.task import Task, found_of
from odonata.campaign.together.together import fingerprint
from odonata.core import native
from odonata.core.errors import Error
from odonata.core.meeting import Meeting
from odonata.scenario.inputs import Inputs


def take_part(told: dict[str, Any], meeting: Meeting | None = None) -> None:
    """Simulate the part that process 0 asks for.

    Parameters
    ----------
    told : dict
        ``address`` and ``secret`` of process 0, ``rank`` and ``processes``, of which so many are
        ``beside`` each other on this machine, ``threads``, ``task``, whether the run is ``timed``;
        a ``port`` at which it listens, if it may not be any; the ``channel`` if it is over MPI.
    meeting : Meeting, optional
        With the other processes.

    Raises
    ------
    Error
        It cannot be simulated, or another process is gone.
    """
    task = Task(**{**told["task"], "digests": tuple(told["task"]["digests"])})
    inputs = Inputs(lambda _: None)
    given: tuple[Any, ...] = (task.config, {})
    if task.digests:
        ready = inputs.of(task.point)
        given = (ready.config, ready.traces, ready.texts)
        if found_of(task.point, inputs.digests) != task.digests:
            raise Error(f"{task.label}: an input file has changed since the start; run it again.")
    if meeting is not None and told.get("channel"):
        team = meeting.team(told["channel"], told["beside"])
    else:
        team = native.Team.join(
            told["address"], told["rank"], told["processes"], beside=told["beside"],
            secret=told["secret"], task=fingerprint(task), port=told.get("port", 0),
        )  # fmt: skip
    try:
        team.gather()
    except native.RefusedError:
        return  # process 0 says why
    except native.LostError as error:
        raise Error(str(error)) from None
    native.run(*given, threads=told["threads"], packed=True, timed=told["timed"], team=team)


def serve(
    meeting: Meeting, rank: int, otherwise: Callable[[dict[str, Any], Meeting], None]
) -> None:
    """Take part in whatever process 0 asks for, until it says that it is over.

    Parameters
    ----------
    meeting : Meeting
        With process 0.
    rank : int
        Number of this process.
    otherwise : callable
        Is called with what process 0 says if that is no simulation.

    Raises
    ------
    LostError
        Process 0 is gone.
    """
    deaf_to_signals()
    while message := meeting.receive(0):
        told = json.loads(message)
        if "task" in told:
            _take_part_or_say_why({**told, "rank": rank}, meeting)
        else:
            otherwise(told, meeting)
    meeting.finish()


def deaf_to_signals() -> None:
    """Leave signals to process 0, with which this one ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def main() -> None:
    """Take part once."""
    deaf_to_signals()
    try:
        told = json.load(sys.stdin.buffer)
    except (OSError, ValueError):
        _give_up("odonata: a process was started to take part in a simulation, but did not "
                 "receive its description: its standard input ended too early.")  # fmt: skip
    _take_part_or_say_why(told)


def _take_part_or_say_why(told: dict[str, Any], meeting: Meeting | None = None) -> None:
    """Process 0 is told what goes wrong in the simulation."""
    try:
        take_part(told, meeting)
    except (native.ConfigurationError, native.LostError):
        pass  # process 0 knows
    except Error as error:
        _give_up(f"odonata: process {told['rank']}: {error}")


def _give_up(sentence: str) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"{sentence}\n".encode(errors="backslashreplace"))
    os._exit(1)


if __name__ == "__main__":
    main()
