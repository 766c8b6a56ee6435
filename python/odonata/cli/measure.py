"""``odonata measure``: the harness for real machines, its job script, the harness as one file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.cli.words import printable
from odonata.core.errors import MeasurementError, in_shell
from odonata.core.files import problem


def add(commands: Commands) -> None:
    """Put ``measure`` among the commands."""
    from odonata.measured.measure import options  # noqa: PLC0415 - numpy, for this command only

    command = commands.add_parser(
        "measure",
        description="Measure noise in one allocation of a real machine: modes take turns, counters "
        "are read, hosts are watched. docs/measure.md says how.",
    )
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    measured = actions.add_parser("run", help="measure; the launcher of MPI starts it on each rank")
    options.add_run(measured)
    measured.set_defaults(command=run)
    planned = actions.add_parser("plan", help="print a job script for Slurm or PBS")
    options.add_plan(planned)
    planned.set_defaults(command=plan)
    bundled = actions.add_parser(
        "bundle", help="write the harness as one file that needs mpi4py and numpy only"
    )
    bundled.add_argument("file", type=Path, metavar="FILE", help="such as odonata-measure.pyz")
    add_json(bundled)
    bundled.set_defaults(command=bundle)


def run(options: argparse.Namespace) -> int:
    """``odonata measure run``."""
    from odonata.measured.measure import launch  # noqa: PLC0415 - as above

    return launch.run(options)


def plan(options: argparse.Namespace) -> int:
    """``odonata measure plan``."""
    from odonata.measured.measure import options as room  # noqa: PLC0415 - as above
    from odonata.measured.measure import script  # noqa: PLC0415 - as above

    print(script(room.plan(options)), end="")
    return 0


def bundle(options: argparse.Namespace) -> int:
    """``odonata measure bundle``."""
    from odonata.measured.measure import bundle as room  # noqa: PLC0415 - as above

    try:
        size = room.write(options.file)
    except OSError as error:
        raise MeasurementError(f"{options.file}: {problem(error)}; choose another file.") from None
    if options.json:
        print(json.dumps({"exit_code": 0, "path": str(options.file), "bytes": size}))
    else:
        hint = f"python3 {in_shell(options.file)} measure run ..."
        print(printable(f"{options.file}: {size} bytes; `{hint}` measures where mpi4py is."))
    return 0
