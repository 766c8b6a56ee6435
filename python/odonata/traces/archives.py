"""Traces in archives, or compressed: unpacked into a folder that is gone afterwards."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from odonata.core import memory
from odonata.core.errors import TraceError
from odonata.traces import formats

_MOST_BYTES = 16 << 30
"""Most bytes that an archive may have when it is unpacked, where there is so much room."""
_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".zip")
_COMPRESSED = (".gz", ".xz", ".bz2")
_OF_RANKS = (".et.gz", ".eg.gz")
"""Compressed files of one rank each, which their reader opens itself."""


def is_archive(path: Path) -> bool:
    """Say whether a file is an archive or compressed, by its name."""
    name = path.name.lower()
    is_packed = name.endswith((*_ENDINGS, *_COMPRESSED)) and not name.endswith(_OF_RANKS)
    return is_packed and path.is_file()


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Unpack an archive and give the folder.

    Raises
    ------
    odonata.errors.TraceError
        If it is damaged, too large, or would write elsewhere.
    """
    with tempfile.TemporaryDirectory(prefix="odonata-") as folder:
        try:
            if path.suffix.lower() == ".zip":
                _unpack_zip(path, Path(folder))
            elif path.name.lower().endswith(_ENDINGS):
                _unpack_tar(path, Path(folder))
            else:
                _unpack_one(path, Path(folder))
        except TraceError:
            raise
        except Exception as error:
            words = str(error).strip() or type(error).__name__
            message = (
                f"trace {path}: the archive cannot be unpacked ({words[:200]}); it is truncated "
                "or damaged: copy it again"
            )
            raise TraceError(message) from error
        yield Path(folder)


class _Room:
    """What an archive may have when it is unpacked: half of the folder, and what memory reads.

    Parameters
    ----------
    path : pathlib.Path
        The archive.
    folder : pathlib.Path
        Where it is unpacked.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        half = shutil.disk_usage(folder).free // 2
        self._most, self._why = min(
            (_MOST_BYTES, "the limit for archives"),
            (half, f"half of the free space in {folder.parent} (`TMPDIR` selects another folder)"),
            (memory.available_bytes(), "the free memory, which reading it may need"),
        )
        self._size = 0

    def take(self, size: int) -> None:
        """Take so many bytes more."""
        self._size += size
        if self._size > self._most:
            message = (
                f"trace {self._path}: unpacked, it is larger than {self._most / 2**30:.1f} GiB, "
                f"{self._why}; unpack it yourself and give the folder"
            )
            raise TraceError(message)


def _unpack_tar(path: Path, folder: Path) -> None:
    room = _Room(path, folder)
    with tarfile.open(path) as archive:
        for member in archive:
            room.take(member.size)
            archive.extract(member, folder, filter="data")


def _unpack_zip(path: Path, folder: Path) -> None:
    room = _Room(path, folder)
    with zipfile.ZipFile(path) as archive:
        room.take(sum(info.file_size for info in archive.infolist()))
        archive.extractall(folder)  # noqa: S202 - the standard library keeps it inside


def _opened(path: Path) -> IO[bytes]:
    match path.suffix.lower():
        case ".gz":
            return cast("IO[bytes]", gzip.open(path, "rb"))
        case ".xz":
            return lzma.open(path, "rb")
        case _:
            return bz2.open(path, "rb")


def _unpack_one(path: Path, folder: Path) -> None:
    room, file = _Room(path, folder), folder / path.stem
    with _opened(path) as source, file.open("wb") as target:
        while piece := source.read(1 << 20):
            is_first = not target.tell()
            room.take(len(piece))
            target.write(piece)
            target.flush()
            if is_first and formats.sniff(file) is None:
                raise TraceError(f"trace {path}: {formats.UNKNOWN}")
