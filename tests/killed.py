"""Runs scenarios in processes that die before their n-th file operation.

Each line of standard input is a JSON list: n, scenario, folder, options. The answer is a line with
the exit code, 99 for a death, and the number of file operations. The package is loaded once: every
run is a fork.
"""

from __future__ import annotations

import json
import os
import sys

from odonata import cli

DEATH = 99
COUNTED = {
    "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.truncate", "shutil.copyfile", "shutil.rmtree",
}  # fmt: skip
"""Audit events that change files; opening counts if it is for writing."""


def run(deadly, scenario, out, options):
    """Carry out one run; return its exit code and how many operations it took."""
    seen = 0
    ours = (out, f"{os.path.dirname(out)}/.{os.path.basename(out)}.")  # noqa: PTH119, PTH120

    def before(event, arguments):
        nonlocal seen
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 0o103
        if (writes or event in COUNTED) and str(arguments[0]).startswith(ours):
            seen += 1
            if seen == deadly:
                os._exit(DEATH)

    sys.addaudithook(before)
    code = cli.main(["run", scenario, "--out", out, "--quiet", *options])
    return code, seen


def main():
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            code, seen = run(*json.loads(line))
            os.write(writing, str(seen).encode())
            os._exit(code)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            seen = pipe.read() or "0"
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(code, seen, flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
