"""``odonata cite``: how to cite the program, and where the models of a run come from."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.cli.words import printable
from odonata.core.native import VERSION
from odonata.output import citation

FORMATS = {"text": citation.text, "bibtex": citation.bibtex}


def add(commands: Commands) -> None:
    """Tell the parser what the command understands."""
    command = commands.add_parser(
        "cite",
        description="How to cite Odonata. With a scenario or a folder of results also the papers, "
        "programs and machines from which its system, routing, placements and workloads come, as "
        "`odonata show` names them.",
    )
    command.add_argument(
        "path", type=Path, metavar="PATH", nargs="?",
        help="scenario (TOML), or results of `odonata run`",
    )  # fmt: skip
    command.add_argument("--format", choices=tuple(FORMATS), default="text",
                         help="default: text")  # fmt: skip
    add_json(command)
    command.set_defaults(command=cite)


def cite(options: argparse.Namespace) -> int:
    """``odonata cite``."""
    found = [] if options.path is None else citation.uses(options.path)
    if options.json:
        uses = [dataclasses.asdict(one) for one in found]
        about = {"authors": citation.AUTHORS, "title": citation.TITLE, "version": VERSION}
        print(json.dumps({"exit_code": 0, **about, "uses": uses}))
        return 0
    said = FORMATS[options.format](found, str(options.path))
    print("\n".join(map(printable, said.splitlines())))
    return 0
