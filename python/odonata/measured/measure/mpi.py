"""MPI through mpi4py: which library, and what to say where there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from odonata.core.errors import MeasurementError

if TYPE_CHECKING:
    from mpi4py import MPI

_ABI = "MPI4PY_MPIABI"
"""Which of its two builds the wheel of mpi4py takes; it cannot tell launchers apart by itself."""


def started_by_hydra() -> bool:
    """Whether the launcher speaks PMI, as those of MPICH and its kin do, and is not Open MPI's."""
    names = os.environ
    return "OMPI_COMM_WORLD_SIZE" not in names and ("PMI_SIZE" in names or "PMI_RANK" in names)


def rank_from_launcher() -> int:
    """Rank of this process, before MPI is up, if its launcher tells; else 0."""
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", "PALS_RANKID"):
        text = os.environ.get(name, "")
        if text.isdecimal():
            return int(text)
    return 0


def world() -> MPI.Intracomm:
    """All ranks of the job; MPI is started by this.

    Raises
    ------
    MeasurementError
        mpi4py or a library of MPI is missing.
    """
    if started_by_hydra():
        os.environ.setdefault(_ABI, "mpich")
    try:
        from mpi4py import MPI  # noqa: PLC0415 - starts MPI
    except ModuleNotFoundError:
        raise MeasurementError(
            "mpi4py is missing; `pip install mpi4py`, on a Cray `MPICC=cc pip install "
            "--no-binary=mpi4py mpi4py`, so that it uses the machine's own MPI."
        ) from None
    except (ImportError, RuntimeError, OSError) as error:
        first = (str(error).strip().splitlines() or ["it cannot be loaded"])[0][:200]
        raise MeasurementError(
            f"mpi4py finds no MPI library ({first}); load the MPI module of the machine or "
            "install an MPI (on Debian: openmpi-bin). Wheels of mpi4py look for libmpi.so.12 or "
            "libmpi.so.40; where it has another name, build mpi4py: docs/measure.md."
        ) from None
    return MPI.COMM_WORLD


def implementation() -> str:
    """First line of what the library of MPI says of itself."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    return MPI.Get_library_version().strip("\0 \n").splitlines()[0]
