"""The command line: ``odonata run | check | list | show | topo | trace | report | bench``.

Exit codes: 0 done, 1 internal error, 2 bad input, 3 stopped early with partial results kept,
4 simulation stalled. With ``--json`` one JSON object goes to standard output and everything else
to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from odonata.cli.arguments import parser
from odonata.errors import Error, InternalError

DONE, INTERNAL, BAD_INPUT, STOPPED, STALLED = range(5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the name of the program; default: those of the process.

    Returns
    -------
    int
        Exit code.
    """
    options = parser().parse_args(arguments)
    as_json = bool(getattr(options, "json", False))
    try:
        code = int(options.command(options))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; Python must not complain when it flushes at exit.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - told apart in one place
        return _failed(error, as_json=as_json)
    return code


def _failed(error: BaseException, *, as_json: bool) -> int:
    """Exit code of an exception; the user reads a sentence, never a call stack."""
    match error:
        case KeyboardInterrupt():
            return _ended(STOPPED, "stopped; what was complete by then is kept.", as_json=as_json)
        case InternalError():
            return _fault(error, error.details, as_json=as_json)
        case Error():
            return _ended(BAD_INPUT, str(error), as_json=as_json)
        case MemoryError():
            sentence = "there is not enough memory; run a smaller system or sample fewer packets."
            return _ended(BAD_INPUT, sentence, as_json=as_json)
        case _:
            return _fault(error, "", as_json=as_json)


def _ended(code: int, sentence: str, *, as_json: bool) -> int:
    print(f"odonata: {sentence}", file=sys.stderr)
    if as_json:
        print(json.dumps({"exit_code": code, "error": sentence}))
    return code


def _fault(error: BaseException, details: str, *, as_json: bool) -> int:
    """Say that the fault is ours, and keep what helps to mend it in a file."""
    text = "".join(traceback.format_exception(error)) + details
    handle, name = tempfile.mkstemp(prefix="odonata-fault-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{' '.join(sys.argv)}\n{text}\n")
    sentence = (
        f"internal error: {type(error).__name__}: {error}. This is a fault of Odonata, not of your "
        f"input; please report it with the scenario and the file {Path(name)}."
    )
    return _ended(INTERNAL, sentence, as_json=as_json)
