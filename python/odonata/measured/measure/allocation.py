"""Where the ranks are: hosts, coordinates as far as the machine tells them, the job."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odonata.core.errors import MeasurementError
from odonata.measured.measure import mpi

if TYPE_CHECKING:
    from mpi4py import MPI

    from odonata.measured.measure.request import Request

FILE = "allocation.json"
"""Record of an allocation; what marks a folder as one of ours."""

_JOB_NAMES = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID", "FLUX_JOB_ID", "JOB_ID")
_SETTINGS = ("MPICH_", "FI_", "OMPI_MCA_", "ODONATA_", "SLURM_NETWORK", "LD_PRELOAD")
"""Beginnings of the variables that change how messages travel."""

_COORDINATES = {
    "cname": ("/proc/cray_xt/cname", "/etc/cray/xname"),
    "nid": ("/proc/cray_xt/nid", "/etc/cray/nid"),
}
"""Files of Cray XC and EX that tell where a node is: cabinet, chassis, blade, node."""

_CXI_PROPERTIES = "/sys/class/cxi/{}/device/properties/nid"
"""Fabric address of a Cassini NIC: its upper bits are group and switch."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where one rank is.

    Attributes
    ----------
    rank : int
        Its rank.
    host : str
        Name of its host.
    cpus : list of int
        Processors that it may use.
    coordinates : dict
        What the machine tells: ``cname``, ``nid``, ``topology`` (of Slurm), fabric address of
        each ``cxiN``. Empty where it tells nothing.
    """

    rank: int
    host: str
    cpus: list[int]
    coordinates: dict[str, str]


def seat(rank: int) -> Seat:
    """Where this process is."""
    cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return Seat(rank, platform.node(), cpus, coordinates())


def coordinates(root: Path = Path("/")) -> dict[str, str]:
    """Coordinates of this node, as far as files and environment tell them."""
    found = {}
    for name, paths in _COORDINATES.items():
        texts = [_first_line(root / path.lstrip("/")) for path in paths]
        if any(texts):
            found[name] = next(text for text in texts if text)
    for nic in sorted((root / "sys/class/cxi").glob("cxi*")):
        address = _first_line(root / _CXI_PROPERTIES.format(nic.name).lstrip("/"))
        if address:
            found[nic.name] = address
    topology = os.environ.get("SLURM_TOPOLOGY_ADDR")
    if topology:
        found["topology"] = topology
    return found


def _first_line(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(200).strip()
    except OSError:
        return ""


def job() -> str:
    """Number of the job at its scheduler; empty outside of one."""
    return next((f"{name} {os.environ[name]}" for name in _JOB_NAMES if name in os.environ), "")


def claim(comm: MPI.Intracomm, out: Path) -> None:
    """Make the folder of this allocation; all ranks call it.

    Raises
    ------
    MeasurementError
        The folder holds what another measurement wrote, or cannot be written.
    """
    problem = comm.bcast(_problem(out) if comm.Get_rank() == 0 else None, root=0)
    if problem:
        raise MeasurementError(problem)


def _problem(out: Path) -> str | None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        there = sorted(path.name for path in out.iterdir())
        if FILE in there:
            before = _earlier(out / FILE)
            return (
                f"{out} holds the measurement of {before}; measurements of different allocations "
                "are not pooled: give this one its own folder (--out)."
            )
        if there:
            return f"{out} is not empty ({there[0]}); give a new folder (--out)."
        (out / FILE).write_text("{}\n", encoding="utf-8")
    except OSError as error:
        return f"{out}: {error.strerror or error}; give a folder that all ranks can reach (--out)."
    return None


def _earlier(path: Path) -> str:
    try:
        found = json.loads(path.read_text("utf-8"))
        return f"{found['job'] or 'an allocation'} on {found['hosts']} hosts, {found['begun']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another allocation"


def record(seats: Sequence[Seat], request: Request) -> dict[str, Any]:
    """What is known before the first benchmark; findings are added to it."""
    hosts = list(dict.fromkeys(one.host for one in seats))
    return {
        "odonata_measure": 1,
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "job": job(),
        "ranks": len(seats),
        "hosts": len(hosts),
        "mpi": mpi.implementation(),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "settings": {k: v for k, v in sorted(os.environ.items()) if k.startswith(_SETTINGS)},
        "request": {k: _plain(v) for k, v in asdict(request).items()},
        "placement": [asdict(one) for one in seats],
    }


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value
