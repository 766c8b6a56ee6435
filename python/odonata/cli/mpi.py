"""``odonata mpi build``: what lets processes exchange over the MPI of this machine."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.cli.words import printable
from odonata.core.errors import RunError
from odonata.core.meeting import MPI_SHIM

_LINES = 12
"""Of what a compiler has said."""


def add(commands: Commands) -> None:
    """Let the command line understand it."""
    command = commands.add_parser("mpi")
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    action = actions.add_parser(
        "build", help="compile the library that calls MPI",
        description="Compile the library that calls MPI, with the compiler of the MPI whose "
        "mpiexec or srun will start the processes.",
    )  # fmt: skip
    action.add_argument(
        "--mpicc", default="mpicc", metavar="COMMAND",
        help="the compiler, such as mpicc, cc (Cray) or 'mpicc -O3' (default: mpicc)",
    )  # fmt: skip
    action.add_argument(
        "--out", type=Path, metavar="FILE",
        help="the library (default: where `odonata run --mpi` looks for it)",
    )  # fmt: skip
    add_json(action)
    action.set_defaults(command=build)


def library(environment: Mapping[str, str]) -> Path:
    """Where the library of this version is unless something else is said."""
    home = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "odonata" / f"mpi-{hashlib.sha256(MPI_SHIM.encode()).hexdigest()[:12]}.so"


def found(given: Path | None, environment: Mapping[str, str]) -> Path:
    """The library that is to be used.

    Parameters
    ----------
    given : pathlib.Path or None
        What the user has named; the current folder if it is only to be used.
    environment : mapping
        Of the process.

    Raises
    ------
    RunError
        There is none.
    """
    path = library(environment) if given in (None, Path()) else given
    assert path is not None  # noqa: S101 - one of the two
    if not path.is_file():
        raise RunError(
            f"{path}, the library that calls MPI, is missing; build it with `odonata mpi build`."
        )
    return path.resolve()


def build(options: argparse.Namespace) -> int:
    """``odonata mpi build``."""
    try:
        compiler = shlex.split(options.mpicc)
    except ValueError as error:
        raise RunError(f"--mpicc: {options.mpicc!r:.80} is not a command ({error}).") from None
    if not compiler or shutil.which(compiler[0]) is None:
        raise RunError(
            f"{options.mpicc or 'the compiler'!s:.80}, the compiler of an MPI, was not found; "
            "load the module of the MPI, name the compiler with `--mpicc`, or on Debian: "
            "apt-get install libopenmpi-dev or libmpich-dev."
        )
    path = (options.out or library(os.environ)).absolute()
    _compile(compiler, path)
    if options.json:
        print(printable(json.dumps({"exit_code": 0, "path": str(path)})))
    else:
        print(printable(f"{path}\nUse it: mpiexec -n 4 odonata run FILE --distribute simulation "
                        f"--mpi{'' if options.out is None else f' {path}'}"))  # fmt: skip
    return 0


def _compile(compiler: list[str], path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            source, made = Path(folder) / "shim.c", Path(folder) / "shim.so"
            source.write_text(MPI_SHIM, "utf-8")
            done = subprocess.run(  # noqa: S603 - what the user has named
                [*compiler, "-shared", "-fPIC", "-O2", "-o", str(made), str(source)],
                capture_output=True, text=True, errors="replace", check=False,
            )  # fmt: skip
            if done.returncode or not made.is_file():
                said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:_LINES])
                raise RunError(f"`{shlex.join(compiler)}` cannot compile it; is it the compiler "
                               f"of an MPI? Its output:\n{said}")  # fmt: skip
            made.replace(path)  # at once: another process may have the earlier one open
    except OSError as error:
        raise RunError(
            f"{path} cannot be written ({error.strerror}); give another `--out`."
        ) from None
