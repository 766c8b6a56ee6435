"""``odonata doctor``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from odonata.cli.diagnosis import examine
from odonata.cli.screen import printable, screen

_MARKS = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN "}


def doctor(options: argparse.Namespace) -> int:
    """``odonata doctor``: 0, or 1 if something that is needed is broken."""
    found = examine()
    code = 1 if any(one.state == "broken" for one in found) else 0
    if options.json:
        print(json.dumps({"exit_code": code, "findings": [asdict(one) for one in found]}))
        return code
    console = screen()
    for one in found:
        line = f"{_MARKS[one.state]}  {one.what}: {one.says}"
        console.print(printable(line), markup=False, soft_wrap=True, highlight=False)
    return code
