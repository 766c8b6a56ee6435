"""``odonata export``: counters of a run as files of other tools."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.core.errors import RunError, in_shell
from odonata.results import Sweep, load


def add(commands: Commands) -> None:
    """Put ``export`` among the commands."""
    command = commands.add_parser(
        "export",
        description="Counters of a run (`telemetry.counters = true`) as the files of tools that "
        "read real ones: what the ranks of a job see on a machine.",
    )  # fmt: skip
    command.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    command.add_argument(
        "--format", required=True, metavar="NAME",
        help="aries-ncl, aries-ncl-text, ldms or cassini",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the files, new or empty"
    )
    command.add_argument(
        "--job", metavar="JOB", help="whose routers and NICs (default: the first victim)"
    )
    command.add_argument(
        "--all", action="store_true", help="all routers and NICs that the run has counters of"
    )
    add_json(command)
    command.set_defaults(command=export)


def export(options: argparse.Namespace) -> int:
    """``odonata export``."""
    from odonata.output import exports  # noqa: PLC0415 - other commands do without

    result = load(options.directory)
    if isinstance(result, Sweep):
        names = ", ".join(list(result.runs)[:3])
        raise RunError(f"{options.directory} is a sweep; name one of its runs, such as {names}.")
    written = exports.export(result, options.format, options.out, job=options.job,
                             everything=options.all)  # fmt: skip
    if options.json:
        print(json.dumps({"exit_code": 0, "files": [str(path) for path in written]}))
        return 0
    size = sum(path.stat().st_size for path in written)
    hint = f"odonata noise {in_shell(options.out)}"
    print(f"{len(written)} files, {size} B, in {options.out}. `{hint}` reads them.")
    return 0
