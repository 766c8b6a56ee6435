"""``odonata export``: counters of a run as files of other tools."""

from __future__ import annotations

import argparse
import json

from odonata.core.errors import RunError, in_shell
from odonata.results import Sweep, load


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
