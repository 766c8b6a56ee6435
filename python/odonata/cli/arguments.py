"""What the command line understands."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, NoReturn

from odonata.cli import (
    advise,
    bench,
    cite,
    command_tree,
    completion,
    copies,
    demo,
    describe,
    doctor,
    explain,
    export,
    manual,
    measure,
    mpi,
    new,
    noise,
    preload,
    query,
    run,
    study,
    topo,
    trace,
    view,
)
from odonata.cli.screen import printable
from odonata.core.errors import suggestion
from odonata.core.native import VERSION


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
        copies.leave_it_to_the_first(os.environ)
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    """Parser of every command; ``options.command`` carries it out."""
    top: argparse.ArgumentParser = _Parser(
        prog="odonata",
        description="Packet-level simulator of dragonfly networks.",
        epilog="Exit codes: 0 done, 1 internal error, 2 bad input, 3 stopped early with partial "
        "results, 4 simulation stalled.",
    )
    top.add_argument("--version", action="version", version=f"odonata {VERSION}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    new.add(commands)
    demo.add(commands)
    run.add(commands)
    describe.add(commands)
    topo.add(commands)
    trace.add(commands)
    view.add(commands)
    explain.add(commands)
    export.add(commands)
    noise.add(commands)
    advise.add(commands)
    study.add(commands)
    measure.add(commands)
    mpi.add(commands)
    query.add(commands)
    preload.add(commands)
    bench.add(commands)
    doctor.add(commands)
    cite.add(commands)
    _shell(commands, top)
    return top


def _shell(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], top: argparse.ArgumentParser
) -> None:
    command = commands.add_parser(
        "completion", help="what the tab key offers: a script for bash, zsh or fish",
        description="Print a completion script. For bash: eval \"$(odonata completion bash)\".",
    )  # fmt: skip
    command.add_argument("shell", choices=completion.SHELLS, help="bash, zsh or fish")
    command.set_defaults(
        command=lambda options: completion.completion(options.shell, command_tree.read(top))
    )
    page = commands.add_parser(
        "man", help="the manual page; odonata man | man -l -",
        description="Print the manual page in the language of man: odonata man | man -l -",
    )  # fmt: skip
    page.set_defaults(command=lambda _: manual.man(command_tree.read(top)))
