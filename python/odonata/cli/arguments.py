"""What the command line understands."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from odonata.cli.options import Commands
from odonata.cli.words import printable
from odonata.core.errors import suggestion
from odonata.core.native import VERSION

_COMMANDS = {
    "new": "write a commented scenario from five questions",
    "demo": "the first picture: a job alone and with a co-running one, three routings",
    "run": "run a scenario or its sweep",
    "check": "validate a scenario and forecast its cost, without running it",
    "report": "one self-contained HTML file of results",
    "list": "list the entries of a kind",
    "show": "show one entry with its parameters",
    "topo": "sizes and wiring of a system",
    "jobs": "read a machine's job log; write a scenario of the neighbours at an instant",
    "scale": "the same mix of jobs on another machine, beside what it was",
    "trace": "look into, check or convert a trace",
    "view": "one HTML file that shows a run in a browser: links, jobs, blame, over time",
    "explain": "why a job was slow: rank, iteration, links, and the jobs to blame",
    "export": "counters of a run as files of AriesNCL, LDMS or a Cassini NIC",
    "noise": "how noisy times are, measured or simulated, and what explains it",
    "diagnose": "from measured slow days to the neighbours that explain them, and what to change",
    "advise": "find the best placement, routing and class for a mix of jobs, and what it gains",
    "study": "compare what papers, or your measurements, state with simulations",
    "measure": "benchmarks under MPI on a real machine, for `odonata noise`",
    "mpi": "let processes communicate over the MPI of this machine (odonata run --mpi)",
    "query": "one SQL query over all tables of all runs of a folder",
    "preload": "application-aware routing on real machines: libraries and their reports",
    "bench": "the standard speed set on this machine",
    "doctor": "what is installed, what is missing, and what for",
    "cite": "how to cite Odonata, and the sources of what a run uses",
    "completion": "what the tab key offers: a script for bash, zsh or fish",
    "man": "the manual page; odonata man | man -l -",
}
"""Each command, and one line about it."""

_MODULES = {"list": "describe", "show": "describe", "completion": "shells", "man": "shells"}
"""The module that knows the arguments of a command, unless it has the same name."""


class _Parser(argparse.ArgumentParser):
    """What is not understood is repeated without letters that a terminal would obey."""

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - as above it
        if message:
            print(message, end="", file=file or sys.stderr)

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401 - as above it
        if action.choices is not None and value not in action.choices:
            remedy = suggestion(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"`{value}` is not known.{remedy}")

    def error(self, message: str) -> NoReturn:
        from odonata.cli import copies  # noqa: PLC0415 - most command lines have no mistake

        copies.leave_it_to_the_first(os.environ)
        super().error(printable(message))


def parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Parser of the command line; ``options.command`` carries out what it says.

    Parameters
    ----------
    words : sequence of str, optional
        What it is to read. It knows the arguments of the command among them only, and all else of
        the other ones, whose modules need not be imported. Default: those of every command.
    """
    top: argparse.ArgumentParser = _Parser(
        prog="odonata",
        description="Packet-level simulator of dragonfly networks.",
        epilog="Exit codes: 0 done, 1 internal error, 2 bad input, 3 stopped early with partial "
        "results, 4 simulation stalled.",
    )
    top.add_argument("--version", action="version", version=f"odonata {VERSION}")
    commands = Commands(
        top.add_subparsers(title="commands", required=True, metavar="COMMAND"), _COMMANDS
    )
    called = "" if words is None else next((one for one in words if one[:1] != "-"), "")
    for name in _COMMANDS:
        if name in commands.inner.choices:
            continue  # its module has added it with another one
        module = _MODULES.get(name, name)
        if words is None or module == _MODULES.get(called, called):
            importlib.import_module(f"odonata.cli.{module}").add(commands)
        else:
            commands.add_parser(name)
    return top
