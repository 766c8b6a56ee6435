"""Runs a scenario in a process that dies before its n-th file operation.

``python killed.py N SCENARIO OUT [option...]``: without a death, prints how many operations there were.
"""

from __future__ import annotations

import os
import sys

from odonata import cli

COUNTED = {
    "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.truncate", "shutil.rmtree", "shutil.copyfile",
}  # fmt: skip
"""Audit events that change files; opening counts if it is for writing."""


def main():
    deadly, out = int(sys.argv[1]), os.path.realpath(sys.argv[3])
    seen = 0

    def before(event, arguments):
        nonlocal seen
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 0o103
        if not writes and event not in COUNTED:
            return
        if not str(arguments[0]).startswith(out):
            return
        seen += 1
        if seen == deadly:
            os._exit(99)

    sys.addaudithook(before)
    code = cli.main(["run", sys.argv[2], "--out", out, "--quiet", *sys.argv[4:]])
    print(seen)
    return code


if __name__ == "__main__":
    sys.exit(main())
