"""Lines of a log, packed or not, as they are read: logs have gigabytes."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from odonata.core import files
from odonata.core.errors import TextError

_LONGEST = 1 << 26
"""Letters of a line."""
_MOST = 64 << 30
"""Bytes of a log when it is unpacked."""
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError,
    LookupError, NotImplementedError, struct.error, gzip.BadGzipFile,
)  # fmt: skip
"""What the library answers to a damaged archive."""


def refusal(path: Path, what: str, *, place: str = "") -> TextError:
    """An error about a log.

    Parameters
    ----------
    what : str
        What is wrong, as the end of a sentence.
    place : str
        Such as ``line 7``.
    """
    shown = "".join(letter if letter.isprintable() else "?" for letter in what)
    return TextError(f"job log {path}: {place}{' ' if place else ''}{shown}")


def start(path: Path) -> bytes:
    """The first bytes, unpacked.

    Raises
    ------
    TextError
        It cannot be read.
    """
    with contextlib.ExitStack() as stack, _explained(path):
        return _stream(path, stack).read(1 << 16)


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without their ends.

    Raises
    ------
    TextError
        It cannot be read, is damaged, or is no text of lines.
    """
    with contextlib.ExitStack() as stack:
        with _explained(path):
            stream = io.TextIOWrapper(_stream(path, stack), "utf-8-sig", "replace")
        stack.callback(stream.close)
        number = letters = 0
        while True:
            with _explained(path):
                line = stream.readline(_LONGEST)
            if not line:
                return
            number += 1
            letters += len(line)
            if len(line) >= _LONGEST or letters > _MOST:
                raise refusal(path, "is larger than any log.", place=f"line {number}")
            yield number, line.removesuffix("\n")


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except files.UnreadableError as error:
        raise refusal(path, f"{error}.") from None
    except _DAMAGE:
        raise refusal(path, "it is a damaged archive.") from None
    except OSError as error:
        raise refusal(path, f"{files.problem(error)}.") from None


def _stream(path: Path, stack: contextlib.ExitStack) -> IO[bytes]:
    files.require_file(path)
    raw = stack.enter_context(path.open("rb"))
    magic = raw.read(6)
    raw.seek(0)
    if magic.startswith(b"PK\x03\x04"):
        archive = stack.enter_context(zipfile.ZipFile(raw))
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        if len(names) != 1:
            raise files.UnreadableError(
                f"it holds {len(names)} files; unpack it and name the log itself"
            )
        return stack.enter_context(archive.open(names[0]))
    if magic.startswith(b"\xfd7zXZ\x00"):
        return stack.enter_context(lzma.open(raw))
    if magic.startswith(b"\x1f\x8b"):
        opened: IO[bytes] = gzip.open(raw)  # type: ignore[assignment]  # noqa: SIM115 - closed by the stack
        stack.callback(opened.close)
        return opened
    return raw
