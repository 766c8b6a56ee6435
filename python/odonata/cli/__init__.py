"""The command line; ``odonata --help`` lists its commands.

Exit codes: 0 done, 1 internal error, 2 bad input, 3 stopped early with partial results kept,
4 simulation stalled. With ``--json`` one JSON object goes to standard output and everything else
to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from odonata.cli.arguments import parser
from odonata.cli.words import printable
from odonata.core.errors import Error, InternalError
from odonata.core.files import problem

DONE, INTERNAL, BAD_INPUT, STOPPED, STALLED = range(5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the name of the program; default: those of the process.
    """
    has_output = _ready_streams()
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parser(words).parse_args(words)
    except SystemExit as end:  # --help, --version, or a word that is not understood
        return _unshown() or int(end.code or DONE)
    except OSError as error:  # they could not be shown
        return _unshown() or _failed(error, as_json=False)
    if not has_output and not getattr(options, "quiet", False):
        return _ended(BAD_INPUT, "standard output is closed, so that nothing was done; open it, or "
                      "send it to /dev/null.", as_json=False)  # fmt: skip
    as_json = bool(getattr(options, "json", False))
    try:
        with _ends_like_ctrl_c():  # inside: a signal may come when the command has just ended
            code = int(options.command(options))
    except BrokenPipeError:
        code = DONE  # whoever read the output has gone, and wants no more
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - told apart in one place
        code = _unshown() or _failed(error, as_json=as_json)
    return _unshown() or code


def _ready_streams() -> bool:
    """Whether there is a standard output; nothing else may take the place of one that is closed."""
    had = sys.stdout is not None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if not had:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    return had


@contextlib.contextmanager
def _ends_like_ctrl_c() -> Iterator[None]:
    """Let the signal with which batch systems end a job do what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _unshown() -> int:
    """Exit code if standard output does not take what was printed; 0 if it does."""
    try:
        sys.stdout.flush()
    except OSError as error:
        with contextlib.suppress(OSError):  # Python must not complain when it flushes at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return DONE
        return _ended(BAD_INPUT, f"standard output cannot be written: {problem(error)}; results, "
                      "if there are any, are in their folder.", as_json=False)  # fmt: skip
    return DONE


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
        case OSError():
            where = error.filename or "standard output"
            sentence = f"{where}: {problem(error)}; choose another file or free some space."
            return _ended(BAD_INPUT, sentence, as_json=as_json)
        case _:
            return _fault(error, "", as_json=as_json)


def _ended(code: int, sentence: str, *, as_json: bool) -> int:
    with contextlib.suppress(OSError):  # nobody listens
        print(f"odonata: {printable(sentence)}", file=sys.stderr, flush=True)
    if as_json:
        with contextlib.suppress(OSError):  # whoever calls looks for it, and for what to return
            print(json.dumps({"exit_code": code, "error": sentence}))
    return code


def _fault(error: BaseException, details: str, *, as_json: bool) -> int:
    """Say that the fault is ours, and keep what helps to mend it in a file."""
    text = "".join(traceback.format_exception(error)) + details
    try:
        handle, name = tempfile.mkstemp(prefix="odonata-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{' '.join(sys.argv)}\n{text}\n")
        kept = f"the file {Path(name)}"
    except OSError:
        kept = f"this: {text}"
    sentence = (
        f"internal error: {type(error).__name__}: {error}. This is a fault of Odonata, not of your "
        f"input; please report it with the scenario and {kept}."
    )
    return _ended(INTERNAL, sentence, as_json=as_json)
