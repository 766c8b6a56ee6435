"""The command line in processes of their own that need not import anything.

Importing everything takes a second of processor time, and hundreds of tests call the command line.
One process imports every command, and pictures, is asked for calls, and forks for each: a call has
its own memory, folder, output and exit code, as with ``python -m odonata``, which some tests do
start.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


class Commands:
    """The process that forks, and what it is asked for."""

    def __init__(self):
        self.server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            # A thread of another library would be missing behind a fork.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip

    def call(self, *arguments, cwd, timeout=120):
        """As `subprocess.run` with captured text."""
        words = [sys.executable, "-m", "odonata", *map(str, arguments)]
        with tempfile.TemporaryDirectory() as folder:
            seconds = timeout if timeout is None else max(int(timeout), 1)
            request = {"arguments": words[3:], "cwd": str(cwd), "out": folder, "seconds": seconds}
            self.server.stdin.write(json.dumps(request) + "\n")
            self.server.stdin.flush()
            code = int(self.server.stdout.readline())
            said = [(Path(folder) / name).read_bytes().decode() for name in ("stdout", "stderr")]
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(words, seconds, *said)
        said = [text.replace("\r\n", "\n").replace("\r", "\n") for text in said]
        return subprocess.CompletedProcess(words, code, *said)

    def close(self):
        self.server.communicate()


def asked():
    """Arguments of the command that this process, a fork, shall carry out; None at the end."""
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.alarm(request["seconds"] or 0)
            os.chdir(request["cwd"])
            for number, name in ((0, os.devnull), (1, "stdout"), (2, "stderr")):
                flags = os.O_WRONLY | os.O_CREAT if number else os.O_RDONLY
                os.dup2(os.open(Path(request["out"]) / name, flags), number)
            return request["arguments"]
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


if __name__ == "__main__":
    from odonata.cli import main
    from odonata.cli.arguments import parser
    from odonata.output import report  # noqa: F401 - pictures are loaded with it

    parser()  # of every command
    sys.path[0] = ""  # as with `python -m`
    words = asked()
    if words is not None:
        sys.argv = ["odonata", *words]
        sys.exit(main(words))
