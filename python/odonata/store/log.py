"""A log of finished pieces of work: each appended whole, found again by its key.

Every writer has a file of its own, which is only ever appended to: writers of one folder need no
lock, and a process that dies leaves at most an end that is not whole, which is not read. What
stands in the file of a killed process is kept by the operating system.

What this room does not know: what a piece of work is.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata import files
from odonata.errors import RunError

LOG = ".odonata-tasks"
"""Folder of the log inside of a folder of results."""

_ENDING = ".tasks"
_HEAD = struct.Struct("<4s32sQI")
"""Mark, key, bytes, check sum of key and bytes."""

_MARK = b"ODT1"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of work is.

    Parameters
    ----------
    file : str
        Name in the folder of the log.
    start, length : int
        Of its bytes.
    check : int
        Their check sum.
    """

    file: str
    start: int
    length: int
    check: int


class Log:
    """The pieces of work in a folder, and a file for those of this process.

    Parameters
    ----------
    folder : pathlib.Path
        Made at the first piece, in a folder that is there or can be made in one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._places: dict[str, Place] = {}
        self._writer: Writer | None = None
        for name, places in _scanned(folder):
            for key, place in places:
                self._places.setdefault(key, place)
            if not (folder / name).stat().st_size:
                (folder / name).unlink(missing_ok=True)

    def __contains__(self, key: str) -> bool:
        """Whether a piece of work is there."""
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        """Keys of the pieces of work."""
        return iter(list(self._places))

    def __len__(self) -> int:
        """Pieces of work."""
        return len(self._places)

    def add(self, key: str, place: Place) -> None:
        """Another process has appended a piece."""
        self._places[key] = place

    def append(self, key: str, parts: Sequence[bytes | memoryview]) -> None:
        """Append a piece of this process.

        Raises
        ------
        RunError
            It cannot be written.
        """
        if self._writer is None:
            self._writer = Writer(self.folder)
        self._places[key] = self._writer.append(key, parts)

    def check(self, keys: Iterable[str]) -> None:
        """Look at pieces with these keys; those that are damaged are not there any more."""
        for key in keys:
            self.read(key)

    def read(self, key: str) -> bytes | None:
        """Bytes of a piece; ``None`` if it is not there or damaged."""
        place = self._places.get(key)
        if place is None:
            return None
        try:
            with (self.folder / place.file).open("rb") as stream:
                stream.seek(place.start)
                data = stream.read(place.length)
        except OSError:
            data = b""
        if len(data) != place.length or zlib.crc32(data, zlib.crc32(_raw(key))) != place.check:
            del self._places[key]
            return None
        return data

    def close(self) -> None:
        """Bring what this process has appended to the disk."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def remove(self) -> None:
        """Remove the log: its work is somewhere else now."""
        self.close()
        remove(self.folder)
        self._places = {}


class Writer:
    """A file of a log, for one process.

    Parameters
    ----------
    folder : pathlib.Path
        Of the log; made if it is not there.

    Raises
    ------
    RunError
        It cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with self._explained():
            folder.parent.mkdir(exist_ok=True)
            folder.mkdir(exist_ok=True)
            self.name = f"{os.getpid()}-{secrets.token_hex(6)}{_ENDING}"
            self._stream = (folder / self.name).open("xb", buffering=0)
        self._end = 0

    def append(self, key: str, parts: Sequence[bytes | memoryview]) -> Place:
        """Append a piece; once this returns, the death of the process does not lose it."""
        check = zlib.crc32(_raw(key))
        length = 0
        for part in parts:
            check = zlib.crc32(part, check)
            length += len(part)
        data = b"".join([_HEAD.pack(_MARK, _raw(key), length, check), *parts])
        with self._explained():
            written = 0
            view = memoryview(data)
            while written < len(data):
                written += self._stream.write(view[written:])
        place = Place(self.name, self._end + _HEAD.size, length, check)
        self._end += len(data)
        return place

    def close(self) -> None:
        """Bring everything to the disk."""
        with self._explained():
            os.fsync(self._stream.fileno())
            self._stream.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunError(
                f"{self._folder}: finished runs cannot be written: {files.problem(error)}; free "
                "some space or choose another folder with --store."
            ) from None


def remove(folder: Path) -> None:
    """Remove a log, and its folder if nothing else is in it."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"*{_ENDING}"):
            path.unlink(missing_ok=True)
        folder.rmdir()


def _raw(key: str) -> bytes:
    return bytes.fromhex(key)


def _scanned(folder: Path) -> Iterator[tuple[str, list[tuple[str, Place]]]]:
    """Every file of a log with what is whole in it."""
    try:
        found = sorted(path for path in folder.iterdir() if path.name.endswith(_ENDING))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise RunError(f"{folder}: {files.problem(error)}; make it readable.") from None
    for path in found:
        with contextlib.suppress(OSError):
            yield path.name, list(_pieces(path))


def _pieces(path: Path) -> Iterator[tuple[str, Place]]:
    """Pieces of one file, up to an end that is not whole; the check sum is looked at by readers."""
    size = path.stat().st_size
    at = 0
    with path.open("rb") as stream:
        while at + _HEAD.size <= size:
            stream.seek(at)
            mark, key, length, check = _HEAD.unpack(stream.read(_HEAD.size))
            start = at + _HEAD.size
            if mark != _MARK or start + length > size:
                return
            yield key.hex(), Place(path.name, start, length, check)
            at = start + length
