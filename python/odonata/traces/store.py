"""Compact single-file form of a trace: an ``.npz`` archive of the columns."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from odonata.errors import TraceError
from odonata.traces.operations import OPERATION_COLUMNS, OTHER_COLUMNS, Columns
from odonata.traces.table import TraceData

FORMAT = "odonata-trace"
VERSION = 1


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
    header = json.dumps({"format": FORMAT, "version": VERSION})
    try:
        with partial.open("wb") as stream:
            about = np.array(trace.to_json())
            arrays: dict[str, Any] = {"header": np.array(header), "about": about, **trace.columns}
            np.savez_compressed(stream, **arrays)
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
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            header = json.loads(str(archive["header"]))
            about = json.loads(str(archive["about"]))
            wanted = {**OPERATION_COLUMNS, **OTHER_COLUMNS}
            columns: Columns = {
                name: archive[name].astype(kind, casting="safe") for name, kind in wanted.items()
            }
    except FileNotFoundError as error:
        message = f"trace {path}: there is no such file; check the path"
        raise TraceError(message) from error
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        message = (
            f"trace {path}: it is not a whole converted trace ({error}); convert the original "
            "again with `odonata trace convert`"
        )
        raise TraceError(message) from error
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        message = (
            f"trace {path}: it has format {header.get('format')!r} version "
            f"{header.get('version')!r}, this program reads {FORMAT!r} version {VERSION}; convert "
            "the original again with `odonata trace convert`"
        )
        raise TraceError(message)
    _check_shape(columns, path)
    return TraceData(
        columns=columns,
        unsupported=about["unsupported"],
        notes=tuple(about["notes"]),
        origin=about["origin"],
    )


def _check_shape(columns: Columns, path: Path) -> None:
    lengths = {len(columns[name]) for name in OPERATION_COLUMNS}
    whole = len(lengths) == 1
    for offsets, end in (("rank_offsets", len(columns["op"])), ("comm_offsets", None)):
        values = columns[offsets].astype(np.int64)
        target = len(columns["comm_members"]) if end is None else end
        whole = whole and len(values) > 0 and values[0] == 0 and values[-1] == target
        whole = whole and bool((np.diff(values) >= 0).all())
    ends = columns["aux_begin"].astype(np.int64) + columns["aux_count"].astype(np.int64)
    if not whole or ends.max(initial=0) > len(columns["aux"]):
        message = (
            f"trace {path}: its columns do not fit together; convert the original again with "
            "`odonata trace convert`"
        )
        raise TraceError(message)
