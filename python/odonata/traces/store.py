"""Compact single-file form of a trace: an ``.npz`` archive of the columns."""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from odonata.core import memory, native
from odonata.core.errors import TraceError
from odonata.traces.operations import (
    EDGE_COLUMNS,
    OPERATION_COLUMNS,
    OTHER_COLUMNS,
    STREAM_COLUMNS,
    has_streams,
)
from odonata.traces.table import TraceData

FORMAT = "odonata-trace"
VERSION = 2
"""Version 1 has no streams and edges; what has none is still written as 1."""

_PART = 1 << 20
"""Values that are looked at at a time."""

_MOST_BYTES = 1 << 34
"""Most bytes of a converted trace when it is unpacked: 400 million operations."""


def save(trace: TraceData, path: Path) -> Path:
    """Write a trace; the file appears under its name only when it is whole.

    Parameters
    ----------
    trace : TraceData
        What to write.
    path : pathlib.Path
        Target; should end in ``.npz``.

    Raises
    ------
    odonata.errors.TraceError
        If the name does not end in ``.npz`` or the file cannot be written.
    """
    path = Path(path)
    if path.suffix != ".npz":
        message = f"trace {path}: the converted form is a file `*.npz`; choose such a name"
        raise TraceError(message)
    partial = path.with_name(f".{path.name}.partial")
    version = VERSION if has_streams(trace.columns) else 1
    header = json.dumps({"format": FORMAT, "version": version})
    try:
        # As `numpy.savez_compressed` does, but a column at a time.
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("header", "about", *trace.columns):
                text = {"header": header, "about": trace.to_json()}.get(name)
                values = trace.columns[name] if text is None else np.array(text)
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, values, allow_pickle=False)
        os.replace(partial, path)  # noqa: PTH105 - atomic, and overwrites on every system
    except OSError as error:
        partial.unlink(missing_ok=True)
        message = f"trace {path}: cannot be written ({error.strerror}); choose another place"
        raise TraceError(message) from error
    return path


def load(path: Path) -> TraceData:
    """Read a trace that :func:`save` wrote.

    Raises
    ------
    odonata.errors.TraceError
        If the file is missing, damaged, or of another kind or version.
    """
    path = Path(path)
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            _check_size(archive)
            header = json.loads(_text(archive, "header"))
            about = _About.parse(json.loads(_text(archive, "about")))
            builder = _columns(archive)
            known = (header.get("format"), header.get("version"))
    except FileNotFoundError as error:
        message = f"trace {path}: there is no such file; check the path"
        raise TraceError(message) from error
    except Exception as error:
        words = str(error).strip() or type(error).__name__
        message = (
            f"trace {path}: it is not a complete converted trace ({words[:200]}); convert the "
            "original again with `odonata trace convert`"
        )
        raise TraceError(message) from error
    if known not in {(FORMAT, 1), (FORMAT, VERSION)}:
        message = (
            f"trace {path}: it has format {known[0]!r:.40} version {known[1]!r:.40}, this program "
            f"reads {FORMAT!r} versions 1 to {VERSION}; convert the original again with "
            "`odonata trace convert`"
        )
        raise TraceError(message)
    if builder.fault() is not None:
        message = (
            f"trace {path}: its columns do not match; convert the original again with `odonata "
            "trace convert`"
        )
        raise TraceError(message)
    return TraceData(
        columns=native.Table(builder.finish()),
        unsupported=about.unsupported,
        notes=about.notes,
        places=about.places,
        origin=about.origin,
    )


@dataclass(frozen=True)
class _About:
    """What a converted trace says besides its columns."""

    unsupported: dict[str, int]
    notes: tuple[str, ...]
    places: dict[str, str]
    origin: dict[str, str]

    @classmethod
    def parse(cls, values: dict[str, Any]) -> Self:
        """Take it over if it has the right types; anything else is an exception."""
        unsupported, notes, origin = (values[key] for key in ("unsupported", "notes", "origin"))
        places = values.get("places", {})
        counts = all(isinstance(count, int) for count in unsupported.values())
        words = (*notes, *origin.values(), *places.values())
        texts = all(isinstance(text, str) for text in words)
        if not (counts and texts and isinstance(notes, list)):
            message = "its entry `about` has the wrong types"
            raise TypeError(message)
        return cls(unsupported, tuple(notes), places, origin)


def _check_size(archive: zipfile.ZipFile) -> None:
    size = sum(info.file_size for info in archive.infolist())
    free = memory.available_bytes()
    if size > min(_MOST_BYTES, free):
        message = (
            f"it holds {size / 2**30:.1f} GiB when unpacked; {free / 2**30:.1f} GiB of memory are "
            f"free, and a trace has at most {_MOST_BYTES / 2**30:.0f} GiB"
        )
        raise ValueError(message)


_SPARE = 1 << 20
"""Values that a column may have although nothing names them."""


def _columns(archive: zipfile.ZipFile) -> native.Builder:
    """Read the columns, each no further than those before it say that it goes."""
    has_streams = "stream.npy" in archive.namelist()
    wanted = {**OPERATION_COLUMNS, **OTHER_COLUMNS}
    if has_streams:
        wanted |= {**STREAM_COLUMNS, **EDGE_COLUMNS}
    builder = native.Builder(has_streams=has_streams)
    operations = _count(archive, "op")
    named = {"rank_offsets": 1 << 26, "comm_offsets": 1 << 22}
    for name in (one for one in (*OPERATION_COLUMNS, *STREAM_COLUMNS) if one in wanted):
        named[name] = operations
        if (count := _count(archive, name)) != operations:
            message = f"its entry `op` has {operations} values, but `{name}` has {count}"
            raise ValueError(message)
    for name, kind in wanted.items():
        count = _count(archive, name)
        if count > _SPARE + 4 * (named[name] + operations):
            message = f"its entry `{name}` has {count} values, of which {named[name]} are used"
            raise ValueError(message)
        total = 0
        for part in _parts(archive, name):
            values = part.astype(kind, casting="safe")
            builder.extend(name, values)
            total = int(values[-1:].sum()) if name == "comm_offsets" else total + int(values.sum())
        for list_name in _LISTS.get(name, ()):
            named[list_name] = total
    return builder


_LISTS = {
    "aux_count": ("aux",),
    "comm_offsets": ("comm_members",),
    "after_count": ("after", "after_start"),
}
"""Columns of lists, by the column that says how long they are."""


def _count(archive: zipfile.ZipFile, name: str) -> int:
    with archive.open(f"{name}.npy") as entry:
        return _header(entry, name)[0]


def _header(entry: IO[bytes], name: str) -> tuple[int, np.dtype[Any]]:
    """Number and type of the values of an array."""
    version = np.lib.format.read_magic(entry)
    read_header = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, _, kind = read_header(entry)
    if len(shape) > 1 or not kind.itemsize:
        message = f"its entry `{name}` has the shape {shape} and the type {kind}"
        raise ValueError(message)
    return math.prod(shape), kind


def _parts(archive: zipfile.ZipFile, name: str) -> Iterator[npt.NDArray[Any]]:
    """Give the values of an array part by part; at least one, if it has none."""
    with archive.open(f"{name}.npy") as entry:
        count, kind = _header(entry, name)
        left = count
        while True:
            wanted = min(left, _PART)
            # One byte more at the end: there is none.
            data = entry.read(wanted * kind.itemsize + (wanted == left))
            left -= wanted
            if len(data) != wanted * kind.itemsize:
                message = f"its entry `{name}` does not have the {count} values that it announces"
                raise ValueError(message)
            yield np.frombuffer(data, dtype=kind)
            if not left:
                return


_MOST_TEXT_BYTES = 1 << 26


def _text(archive: zipfile.ZipFile, name: str) -> str:
    if archive.getinfo(f"{name}.npy").file_size > _MOST_TEXT_BYTES:
        message = f"its entry `{name}` is too large"
        raise ValueError(message)
    return str(next(_parts(archive, name))[0])
