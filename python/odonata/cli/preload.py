"""``odonata preload``: where the libraries are, and what they did."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen
from odonata.cli.words import printable
from odonata.measured import preload


def add(commands: Commands) -> None:
    """Put ``preload`` among the commands."""
    command = commands.add_parser("preload")
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    where = actions.add_parser("path", help="file of a library, for LD_PRELOAD")
    where.add_argument(
        "name",
        metavar="LIBRARY",
        nargs="?",
        help="aries (Aries) or fi (libfabric, Slingshot); without it, all of them",
    )
    where.set_defaults(command=path)
    told = actions.add_parser("report", help="what the processes of a job did, added up")
    told.add_argument(
        "directory",
        type=Path,
        metavar="DIR",
        help="folder that ODONATA_ARIES_REPORT or ODONATA_FI_REPORT named",
    )
    told.set_defaults(command=report)
    for action in (where, told):
        add_json(action)


def path(options: argparse.Namespace) -> int:
    """``odonata preload path``."""
    if options.name is None:
        files = {name: str(file) for name, file in preload.paths().items()}
        shown = json.dumps({"exit_code": 0, "paths": files}) if options.json else None
        print(printable(shown or "\n".join(files.values())))
        return 0
    file = str(preload.path(options.name))
    shown = json.dumps({"exit_code": 0, "path": file}) if options.json else file
    print(printable(shown))
    return 0


_WORDS = {
    "decisions": "decided",
    "small": "below the threshold",
    "changes": "changes of mode",
    "counter_reads": "readings of counters",
    "failed_reads": "readings that failed",
    "resets": "readings after a reset by others",
    "contended": "decided by another thread's mode",
    "held_by_order": "sent on another lane than decided, to keep the order",
    "retried": "tried again with the same decision",
    "fence_waits": "waits of a fence for messages of an alias",
    "endpoints": "endpoints that were steered",
    "endpoints_left_alone": "endpoints that were left alone",
    "aliases": "aliases",
    "aliases_refused": "aliases that the provider refused",
    "sent_unordered": "messages sent without an order",
}


def report(options: argparse.Namespace) -> int:
    """``odonata preload report``."""
    total = preload.gather(options.directory)
    if options.json:
        print(json.dumps({"exit_code": 0, **total.as_json()}))
        return 0
    lines = [f"{total.processes} processes, {total.steered} with steered messages"]
    lines += [f"  {count} with plan {plan}" for plan, count in sorted(total.plans.items())]
    for mode in preload.MODES:
        messages, size = total.messages[mode], total.bytes[mode]
        lines.append(f"{mode}: {messages} messages, {size} B")
    if total.default_share is not None:
        lines.append(f"{100 * total.default_share:.1f} % of the steered bytes without a bias")
    lines += [f"{_WORDS[key]}: {count}" for key, count in total.counts.items()]
    for key, count in total.left_alone.items():
        lines.append(f"left alone, {key.replace('_', ' ')}: {count}")
    for lane, verdicts in total.classes.items():
        shown = ", ".join(f"{verdict} in {count} processes" for verdict, count in verdicts.items())
        lines.append(f"class of {lane}: {shown}")
    for why, count in sorted(total.problems.items()):
        lines.append(f"{count} processes steered nothing, or stopped: {why}")
    console = screen()
    for line in lines:
        console.print(printable(line), markup=False, soft_wrap=True, highlight=False)
    return 0
