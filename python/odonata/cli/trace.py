"""``odonata trace``: what is in a trace, what cannot be replayed, conversion."""

from __future__ import annotations

import argparse
import json

from odonata import traces
from odonata.cli.screen import printable, screen
from odonata.errors import TraceError


def info(options: argparse.Namespace) -> int:
    """``odonata trace info``."""
    data = traces.read(options.trace)
    if options.json:
        print(json.dumps({"exit_code": 0, **data.info()}))
        return 0
    console = screen()
    for key, value in data.info().items():
        text = json.dumps(value) if isinstance(value, dict | list) else value
        console.print(f"{key}: {text}", markup=False, soft_wrap=True)
    return 0


def check(options: argparse.Namespace) -> int:
    """``odonata trace check``: 2 if the trace cannot be replayed."""
    data = traces.read(options.trace)
    problems = data.check()
    code = 2 if problems else 0
    if options.json:
        print(json.dumps({
            "exit_code": code,
            "problems": problems,
            "unsupported": data.unsupported,
            "notes": list(data.notes),
        }))  # fmt: skip
        return code
    console = screen()
    for name, count in data.unsupported.items():
        console.print(f"not replayed: {name}, {count} times", markup=False, soft_wrap=True)
    for note in data.notes:
        console.print(f"note: {note}", markup=False, soft_wrap=True)
    for problem in problems:
        console.print(f"problem: {problem}", markup=False, soft_wrap=True)
    console.print("cannot be replayed" if problems else "can be replayed")
    return code


def convert(options: argparse.Namespace) -> int:
    """``odonata trace convert``."""
    from odonata.traces import store  # noqa: PLC0415 - only the writer that is needed

    if options.target.suffix != ".npz":
        raise TraceError(f"{options.target}: the compact form is a file *.npz; name it so.")
    path = store.save(traces.read(options.trace), options.target)
    shown = json.dumps({"exit_code": 0, "trace": str(path)}) if options.json else str(path)
    print(printable(shown))
    return 0
