"""What is installed, what is missing, and what for."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from odonata.campaign import experiment
from odonata.core import files, memory, native
from odonata.core.errors import Error
from odonata.measured import preload
from odonata.results import Result

_TRIAL = {
    "name": "doctor",
    "seed": 1,
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "minimal"},
    "jobs": [
        {
            "name": "trial",
            "workload": {
                "kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "4 KiB", "iterations": 1,
            },
        }
    ],
}  # fmt: skip

_TRIAL_BYTES = 99_384
"""What its ranks send: three faces of 4 KiB each, and what the MPI library adds to them."""

_PROGRAMS = {
    "mpicc": "records applications (docs/recording.md); on Debian: libopenmpi-dev",
    "eztrace": "records applications as OTF2 (docs/recording.md); on Debian: eztrace",
}

_OF_SOURCES = {
    "valgrind": "counts instructions in `make bench`; on Debian: valgrind",
}
"""What only those need who build Odonata."""

_EXTRAS = {
    "otf2": "reads OTF2 traces; pip install 'odonata[otf2]'",
    "mpi4py": "measures on real machines (`odonata measure`); pip install 'odonata[measure]'",
    "darshan": "reads Darshan logs; pip install 'odonata[darshan]'",
}

_LITTLE_BYTES = 1 << 30


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    what : str
        Its name.
    state : str
        ``ok``, ``missing`` (something cannot be done) or ``broken`` (nothing can be trusted).
    says : str
        Version or size; for what is not there, what it is for and how to get it.
    """

    what: str
    state: str
    says: str


def examine() -> list[Finding]:
    """Look at everything that Odonata needs or can use, and run a small simulation."""
    return [*_itself(), *_packages(), *_others(), *_machine()]


def _itself() -> Iterator[Finding]:
    yield Finding("odonata", "ok", f"{native.VERSION}, engine {native.ENGINE}")
    python = f"{platform.python_version()} ({sys.executable})"
    yield Finding("python", "ok" if sys.version_info >= (3, 11) else "broken", python)
    if native.DEBUG_BUILD:
        yield Finding("build", "missing", f"a debug build: many times slower; {files.build_hint()}")
    try:
        result = experiment.run(_TRIAL)
    except Error as error:
        yield Finding("trial run", "broken", f"{error} Install Odonata again.")
        return
    assert isinstance(result, Result), "a trial has no sweep"  # noqa: S101
    sent = result.jobs["trial"].summary["bytes_sent"]
    if sent == _TRIAL_BYTES and result.stop == "finished":
        hops = result.summary["engine"]["packet_hops"]
        yield Finding("trial run", "ok", f"{hops} packet-hops, {sent} bytes as expected")
    else:
        says = f"{sent} bytes sent, {_TRIAL_BYTES} expected ({result.stop}); install Odonata again"
        yield Finding("trial run", "broken", says)


def _packages() -> Iterator[Finding]:
    try:
        all_needed = importlib.metadata.requires("odonata") or ()
    except importlib.metadata.PackageNotFoundError:
        says = "is used without having been installed; its dependencies were not checked"
        yield Finding("package odonata", "missing", f"{says}: {files.build_hint()}")
        return
    for needed in all_needed:
        name = re.split(r"[^\w.-]", needed, maxsplit=1)[0]
        if "extra ==" in needed and name not in _EXTRAS:
            continue
        version = _version(name)
        if version is not None:
            yield Finding(f"package {name}", "ok", version)
        elif name in _EXTRAS:
            yield Finding(f"package {name}", "missing", _EXTRAS[name])
        else:
            yield Finding(f"package {name}", "broken", f"is needed; pip install '{name}'")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _others() -> Iterator[Finding]:
    programs = _PROGRAMS | _OF_SOURCES if files.is_source_tree() else _PROGRAMS
    for program, why in programs.items():
        found = shutil.which(program)
        yield Finding(f"program {program}", "ok" if found else "missing", found or why)
    for name in preload.LIBRARIES:
        try:
            yield Finding(f"preload library {name}", "ok", str(preload.path(name)))
        except Error as error:
            yield Finding(f"preload library {name}", "missing", str(error))


def _machine() -> Iterator[Finding]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("cores", "ok", f"{cores}; `odonata run --threads N` uses them")
    free = memory.available_bytes()
    enough = free >= _LITTLE_BYTES
    size = f"{free / 2**30:.1f} GiB free"
    yield Finding("memory", "ok" if enough else "missing", size if enough else f"only {size}")
    here = Path.cwd()
    if os.access(here, os.W_OK):
        yield Finding("folder", "ok", f"{here} can be written")
    else:
        yield Finding("folder", "missing", f"{here} cannot be written; give --out another one")
