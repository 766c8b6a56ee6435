"""Refuses to be one of many copies of a run that nobody asked for.

``mpiexec -n 4 odonata run`` starts four times the same run, each of which knows nothing of the
others: they would write to one folder, and be no faster than one.
"""

from __future__ import annotations

from collections.abc import Mapping

from odonata.core.errors import RunError

_COUNTS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PALS_NRANKS", "SLURM_STEP_NUM_TASKS")
"""What launchers tell a process of how many there are: Open MPI, MPICH and its kin, PALS, srun."""


def number(environment: Mapping[str, str]) -> int:
    """How often a launcher has started this command; 1 without any.

    Parameters
    ----------
    environment : mapping
        Of the process.
    """
    given = (environment.get(name, "") for name in _COUNTS)
    return max((int(count) for count in given if count.isdecimal()), default=1) or 1


def refuse(environment: Mapping[str, str]) -> None:
    """Refuse to be a copy.

    Parameters
    ----------
    environment : mapping
        Of the process.

    Raises
    ------
    RunError
        A launcher has started several.
    """
    count = number(environment)
    if count > 1:
        raise RunError(
            f"a launcher has started {count} copies of this command, and each would run all of it. "
            "Start one: on one node, `--processes` and `--threads` share one simulation among its "
            "cores, and `--workers` runs several simulations at once."
        )
