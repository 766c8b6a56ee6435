"""One process at a time in a folder; signals wait while files are moved."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import signal
import socket
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import filelock

from odonata.core import files
from odonata.core.errors import RunError

LOCK = ".odonata-lock"
HOLDER = ".odonata-holder.json"


@contextlib.contextmanager
def locked(folder: Path, *, timeout_s: float = 0.0) -> Iterator[None]:
    """Have a folder for this process alone; a process that dies lets go of it.

    Parameters
    ----------
    folder : pathlib.Path
        It exists.
    timeout_s : float
        How long to wait for another process, s.

    Raises
    ------
    RunError
        Another process has it; says which.
    OSError
        The folder cannot be written.
    """
    lock = filelock.FileLock(folder / LOCK)
    try:
        with warnings.catch_warnings():
            # File systems without locks of their own get a lock file with a process in it.
            warnings.simplefilter("ignore")
            lock.acquire(timeout=timeout_s)
    except filelock.Timeout:
        raise RunError(
            f"{folder} is in use by {_holder(folder)}; wait until it has ended, or give --out "
            "another folder."
        ) from None
    try:
        who = {"pid": os.getpid(), "host": socket.gethostname(), "since": _now()}
        (folder / HOLDER).write_text(json.dumps(who), encoding="utf-8")
        yield
    finally:
        # Removed while it is held: who waits for it sees that its file has gone, and makes another.
        for name in (HOLDER, LOCK):
            with contextlib.suppress(OSError):
                (folder / name).unlink()
        with contextlib.suppress(OSError):
            lock.release()


def _now() -> str:
    return dt.datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def _holder(folder: Path) -> str:
    try:
        who = json.loads(files.read_bytes(folder / HOLDER, most=4096))
        return f"process {who['pid']} on {who['host']} since {who['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C and a request to end wait until files are in place; a second one does not wait."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)

    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # Where nobody asks for a signal, it ends the process as ever.
    asked = {number: handler for number, handler in found.items() if callable(handler)}
    try:
        for number in asked:
            signal.signal(number, remember)
        yield
    finally:
        for number, handler in asked.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
