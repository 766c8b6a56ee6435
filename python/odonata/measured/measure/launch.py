"""From arguments to a measurement on every rank, and how a job ends when something is wrong.

Every rank finds the same fault in its arguments; one of them says it. A fault of one rank alone
ends the job, so that the others do not wait for ever.
"""

from __future__ import annotations

import argparse
import sys
import traceback

from odonata.core.errors import Error, in_shell
from odonata.measured.measure import mpi, options, session

BAD_INPUT = 2
"""Exit code of a measurement that was refused."""


def run(given: argparse.Namespace) -> int:
    """``odonata measure run``.

    Parameters
    ----------
    given : argparse.Namespace
        With the arguments of :func:`odonata.measured.measure.options.add_run`.

    Returns
    -------
    int
        0, or 2 on ranks that leave the sentence to the first one.

    Raises
    ------
    odonata.errors.Error
        On the first rank: it was refused.
    """
    try:
        request = options.request(given)
        comm = mpi.world()
    except Error:
        if mpi.rank_from_launcher() == 0:
            raise
        return BAD_INPUT
    try:
        session.run(comm, request, _say)
    except Error:
        if comm.Get_rank() == 0:
            raise
        return BAD_INPUT
    except BaseException:  # whatever it is, the other ranks wait for this one
        if comm.Get_size() == 1:
            raise
        sys.stderr.write(f"rank {comm.Get_rank()}: {traceback.format_exc()}")
        sys.stderr.flush()
        comm.Abort(1)
    if comm.Get_rank() == 0:
        _say(f"Written: {given.out}; `odonata noise {in_shell(given.out)}` says what it means.")
    return 0


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
