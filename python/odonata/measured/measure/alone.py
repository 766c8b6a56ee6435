"""Command line of the harness as one file: ``python odonata-measure.pyz measure run ...``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from odonata.core.errors import Error
from odonata.measured.measure import launch, options
from odonata.measured.measure.plan import script


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="odonata-measure.pyz", description="Measure noise; `odonata noise` reads the files."
    )
    top = parser.add_subparsers(required=True, metavar="COMMAND")
    actions = top.add_parser("measure", help="as in `odonata measure`").add_subparsers(
        dest="action", required=True, metavar="ACTION"
    )
    options.add_run(actions.add_parser("run", help="measure; every rank runs this"))
    options.add_plan(actions.add_parser("plan", help="print a job script"))
    given = parser.parse_args(arguments)
    try:
        if given.action == "run":
            return launch.run(given)
        sys.stdout.write(script(options.plan(given)))
    except Error as error:
        sys.stderr.write(f"odonata: {error}\n")
        return launch.BAD_INPUT
    return 0
