"""From paths to contents: files, folders, archives, and what is packed."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from odonata.core import files
from odonata.core.errors import MeasurementError
from odonata.measured.content import Content

_LARGEST = 1 << 29
"""Bytes of a file, and of what it holds when it is unpacked."""

_MOST_FILES = 100_000
"""Files of a folder or an archive."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file of a folder or an archive that cannot be opened or unpacked.

    Attributes
    ----------
    label : str
        What to call it in messages.
    error : MeasurementError
        Why.
    """

    label: str
    error: MeasurementError


def contents(path: Path) -> Iterator[Content | Unreadable]:
    """Every file of a path, in the order of names.

    Parameters
    ----------
    path : pathlib.Path
        A file; a folder, with all that is under it (hidden files are left out); or an archive
        (tar, also packed with xz, gz or bz2).

    Yields
    ------
    Content or Unreadable
        One file, unpacked if it is packed with xz or gz; of a folder or an archive also those that
        cannot be had.

    Raises
    ------
    MeasurementError
        The path is not there, or it is a file that cannot be read, is damaged or too large.
    """
    if not path.is_dir():
        yield from _file(path, str(path))
        return
    found = sorted(
        one
        for one in path.rglob("*")
        if one.is_file() and not any(p.startswith(".") for p in one.relative_to(path).parts)
    )
    if len(found) > _MOST_FILES:
        raise _refusal(str(path), f"it has {len(found)} files, which is too many",
                       "give the files that hold measurements")  # fmt: skip
    for one in found:
        try:
            yield from _file(one, str(one))
        except MeasurementError as error:
            yield Unreadable(str(one), error)


def _file(path: Path, label: str) -> Iterator[Content | Unreadable]:
    data = _bytes(path, label)
    if _is_archive(path, data):
        yield from _members(data, label)
        return
    yield Content(_unpacked_name(label, data), _unpacked(data, label), _beside(path),
                  path if not _is_packed(data) else None)  # fmt: skip


def _bytes(path: Path, label: str) -> bytes:
    try:
        return files.read_bytes(path, most=_LARGEST)
    except OSError as error:
        raise _refusal(label, files.problem(error), "give a file that can be read") from None
    except files.UnreadableError as error:
        raise _refusal(label, str(error), "give a file of measurements") from None


def _refusal(label: str, problem: str, remedy: str) -> MeasurementError:
    return MeasurementError(f"{label}: {problem}; {remedy}.")


def _is_packed(data: bytes) -> bool:
    return data.startswith((b"\xfd7zXZ\x00", b"\x1f\x8b"))


def _unpacked_name(label: str, data: bytes) -> str:
    return (
        label.rpartition(".")[0] if _is_packed(data) and label.endswith((".xz", ".gz")) else label
    )


def _unpacked(data: bytes, label: str) -> bytes:
    try:
        return files.unpacked(data, most=_LARGEST)
    except files.UnreadableError as error:
        raise _refusal(label, str(error), "copy it again from where it was measured") from None


def _beside(path: Path) -> Callable[[str], bytes | None]:
    """What reads files beside a file."""

    def read(name: str) -> bytes | None:
        other = path.with_name(name)
        return _bytes(other, str(other)) if other.is_file() else None

    return read


def _is_archive(path: Path, data: bytes) -> bool:
    suffixes = "".join(path.suffixes[-2:])
    return suffixes.endswith((".tar", ".tgz", ".txz")) or ".tar." in f"{suffixes}." or (
        data[257:262] == b"ustar"
    )  # fmt: skip


def _members(data: bytes, label: str) -> Iterator[Content | Unreadable]:
    """Every file of an archive; its folder comes first in the label."""
    try:
        found = _all_members(data, label)
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        first = (str(error).strip().splitlines() or ["it is truncated"])[0][:120]
        raise _refusal(label, f"it is damaged ({first})",
                       "copy it again from where it was measured") from None  # fmt: skip
    for name in sorted(found):
        folder = PurePosixPath(name).parent

        def beside(other: str, folder: PurePosixPath = folder) -> bytes | None:
            return found.get(str(folder / other))

        place = f"{label}/{name}"
        try:
            unpacked = _unpacked(found[name], place)
        except MeasurementError as error:
            yield Unreadable(place, error)
        else:
            yield Content(_unpacked_name(place, found[name]), unpacked, beside)


def _all_members(data: bytes, label: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    unpacked = _unpacked(data, label)
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        for member in archive:
            if not member.isfile() or PurePosixPath(member.name).name.startswith("."):
                continue
            size += member.size
            if size > _LARGEST or len(found) >= _MOST_FILES:
                raise _refusal(
                    label, "it is too large when unpacked", "unpack it and give some of its files"
                )
            stream = archive.extractfile(member)
            found[member.name] = stream.read() if stream else b""
    return found
