"""What a command is to be of which a launcher has started several copies.

``mpiexec -n 4 odonata run`` starts four times the same run, each of which knows nothing of the
others: they would write to one folder, and be no faster than one. Such a command is refused unless
``--distribute`` says what is meant.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from odonata.campaign.executors import spread
from odonata.campaign.together import part, ranks
from odonata.campaign.together.ranks import Copy
from odonata.campaign.together.together import Company
from odonata.cli import mpi
from odonata.core.errors import RunError
from odonata.core.native import LostError

WAYS = ("simulation", "tasks")
"""What several copies can do: simulate each run together, or share out the runs."""

_LAUNCHERS = (
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("PALS_NRANKS", "PALS_RANKID"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
)
"""What launchers tell a process of how many there are, and which one it is: Open MPI, MPICH and its
kin, PALS, srun."""

_FIRST_SAYS_S = 3.0
"""What a copy that cannot join waits before it says why: mostly the first says the same, and then
launchers end all copies."""

_JOBS = ("PMIX_NAMESPACE", "PALS_APID", "SLURM_JOB_ID", "SLURM_STEP_ID")
"""What they call all of them together."""


def found(environment: Mapping[str, str]) -> Copy:
    """Which copy of how many a launcher has started; the first of one without any."""
    job = "-".join(re.sub(r"[^\w.]", "_", environment[name]) for name in _JOBS
                   if environment.get(name))  # fmt: skip
    for of_count, of_rank in _LAUNCHERS:
        count, rank = environment.get(of_count, ""), environment.get(of_rank, "")
        if count.isdecimal() and int(count) > 1:
            return Copy(int(rank) if rank.isdecimal() else -1, int(count), job)
    return Copy(0, 1)


def leave_it_to_the_first(environment: Mapping[str, str]) -> None:
    """End a copy that is not the first, in silence: what is wrong is wrong for all of them.

    Its exit code is 0, for launchers end all copies when one fails, maybe before the first has said
    what is wrong.

    Raises
    ------
    SystemExit
        It is not the first.
    """
    if found(environment).rank > 0:
        sys.exit(0)


def refuse(copy: Copy) -> None:
    """Refuse to be a copy of which nobody has said what it is for.

    Parameters
    ----------
    copy : Copy
        What a launcher has started.

    Raises
    ------
    RunError
        It has started several.
    """
    if copy.count > 1:
        leave_it_to_the_first(os.environ)
        raise RunError(
            f"a launcher has started {copy.count} copies of this command, and each would run all "
            "of it. Give `--distribute simulation` if they are to simulate each run together, "
            "`--distribute tasks` if each is to carry out some runs of a sweep; or start one: on "
            "one node, `--processes` and `--threads` share one simulation among its cores, and "
            "`--workers` runs several simulations at once."
        )


@contextlib.contextmanager
def company(options: argparse.Namespace, copy: Copy) -> Iterator[Company | None]:
    """The other copies, for the first; ``None`` if there are none.

    Raises
    ------
    RunError, LostError
        They do not find each other, or the options say something else, too.
    """
    if copy.count == 1:
        yield None
        return
    _refuse_other_ways(options)
    task = _task(options)
    if options.mpi is None:
        led = ranks.led(copy, _place(options, copy), task)
    else:
        led = ranks.led_over_mpi(copy, mpi.found(options.mpi, os.environ), task)
    with led as gathered:
        gathered.has_tasks = options.distribute == "tasks"
        yield gathered


def serve(options: argparse.Namespace, copy: Copy) -> int:
    """Do what the first copy asks for, and return the exit code.

    Raises
    ------
    RunError, LostError
        The first one is not found, or the launcher does not say which one this is.
    """
    if copy.rank < 0:
        raise RunError(
            "the launcher sets the number of copies of this command, but not the rank of this "
            "one; start one copy, with `--processes` and `--hosts`."
        )
    _refuse_other_ways(options)
    part.deaf_to_signals()
    try:
        if options.mpi is None:
            meeting = ranks.joined(copy, _place(options, copy), _task(options))
        else:
            shim = mpi.found(options.mpi, os.environ)
            meeting = ranks.joined_over_mpi(copy, shim, _task(options))
    except (RunError, LostError):
        time.sleep(_FIRST_SAYS_S)
        raise
    try:
        part.serve(meeting, copy.rank, spread.work_for)
    except LostError:
        return 1  # the first one has been killed, which the launcher tells
    return 0


def _place(options: argparse.Namespace, copy: Copy) -> Path:
    return options.meet_at or ranks.meeting_place(copy, Path.cwd())


def _task(options: argparse.Namespace) -> str:
    """What all copies have to agree on: the words of the command."""
    words = {name: str(value) for name, value in vars(options).items() if name != "command"}
    return hashlib.sha256(repr(sorted(words.items())).encode()).hexdigest()


def _refuse_other_ways(options: argparse.Namespace) -> None:
    for name in ("processes", "hosts", "executor", "workers"):
        if getattr(options, name):
            leave_it_to_the_first(os.environ)
            raise RunError(
                f"--{name} starts processes, and the launcher has started them already; leave it "
                "out, or leave out `--distribute` and start one copy."
            )
    if options.distribute == "tasks" and (options.mpi is not None or options.timing):
        leave_it_to_the_first(os.environ)
        raise RunError("--mpi and --timing are for `--distribute simulation`; leave them out.")
