"""Compact single-file form of a trace: an ``.npz`` archive of the columns."""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from odonata.core import native
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

    Returns
    -------
    pathlib.Path
        The file.

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

    Parameters
    ----------
    path : pathlib.Path
        The file.

    Returns
    -------
    TraceData
        The trace.

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
            wanted = {**OPERATION_COLUMNS, **OTHER_COLUMNS}
            has_streams = "stream.npy" in archive.namelist()
            if has_streams:
                wanted |= {**STREAM_COLUMNS, **EDGE_COLUMNS}
            builder = native.Builder(has_streams=has_streams)
            for name, kind in wanted.items():
                values = _array(archive, name)
                values[:0].astype(kind, casting="safe")  # also of a column without values
                for at in range(0, len(values), _PART):
                    part = values[at : at + _PART].astype(kind, casting="safe")
                    builder.extend(name, part)
            known = (header.get("format"), header.get("version"))
    except FileNotFoundError as error:
        message = f"trace {path}: there is no such file; check the path"
        raise TraceError(message) from error
    except Exception as error:
        words = str(error).strip() or type(error).__name__
        message = (
            f"trace {path}: it is not a whole converted trace ({words[:200]}); convert the "
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
            f"trace {path}: its columns do not fit together; convert the original again with "
            "`odonata trace convert`"
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
            message = "its entry `about` has other types"
            raise TypeError(message)
        return cls(unsupported, tuple(notes), places, origin)


def _check_size(archive: zipfile.ZipFile) -> None:
    size = sum(info.file_size for info in archive.infolist())
    if size > _MOST_BYTES:
        message = f"it holds {size} bytes when unpacked, more than {_MOST_BYTES}"
        raise ValueError(message)


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    """Return an array with the bytes that there are, whatever its shape claims."""
    data = archive.read(f"{name}.npy")
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    read_header = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, _, kind = read_header(stream)
    array = np.frombuffer(data, dtype=kind, offset=stream.tell())
    if len(shape) > 1 or len(array) != math.prod(shape):
        message = f"its entry `{name}` has the shape {shape} and {len(array)} values"
        raise ValueError(message)
    return array


def _text(archive: zipfile.ZipFile, name: str) -> str:
    return str(_array(archive, name)[0])
