"""Converted traces, kept so that the next run need not read the originals again.

A trace is known by the content of its files and by the programs that read it: another byte, another
version, another entry. An entry is a Parquet file with one row, whose lists are the columns of the
table. Whatever is wrong with an entry, the original is read instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from functools import lru_cache
from pathlib import Path

import polars as pl

from odonata import files, native, traces
from odonata.errors import TraceError
from odonata.traces import archives, formats
from odonata.traces.table import TraceData

FOLDER = ".odonata-traces"
"""Name of the folder of entries, beside the results."""

LEAST_BYTES = 1 << 18
"""Smaller originals are read as quickly as their entries."""

_KEPT = frozenset({"otf2", "dumpi", "liballprof", "goal", "goal-binary", "chakra", "chakra-json",
                   "simgrid"})  # fmt: skip
"""Formats whose reading takes longer than that of their columns."""

_ABOUT = "about"
_CHUNK = 1 << 22


def read(path: Path, folder: Path | None) -> TraceData:
    """Read a trace, from its entry if there is one; otherwise make it.

    Parameters
    ----------
    path : pathlib.Path
        As for :func:`odonata.traces.read`.
    folder : pathlib.Path, optional
        Where entries are; without it, nothing is kept. It is made when it is needed; where that
        cannot be, nothing is kept either.

    Returns
    -------
    TraceData
        The trace.

    Raises
    ------
    odonata.errors.TraceError
        If there is nothing there, or nothing that can be read.
    """
    originals = [] if folder is None else _originals(Path(path))
    if folder is None or not originals or _size(originals) < LEAST_BYTES:
        return traces.read(path)
    entry = folder / f"{_key(Path(path), originals)}.parquet"
    found = _load(entry)
    if found is None:
        found = traces.read(path)
        _save(found, entry)
    return found


def _originals(path: Path) -> list[Path]:
    """Files that decide what the trace is; empty if it is none that is kept."""
    try:
        if archives.is_archive(path):
            return [path]
        found = formats.find(path) if path.exists() else None
        if found is None or found.kind not in _KEPT:
            return []
        whole = [path.parent if path.is_file() and found.kind == "otf2" else one
                 for one in found.files]  # fmt: skip
        return sorted({file for one in whole for file in _files(one)} | set(_files(path)))
    except (TraceError, OSError):
        return []  # reading says what is wrong


def _size(originals: list[Path]) -> int:
    return sum(one.stat().st_size for one in originals)


def _files(path: Path) -> list[Path]:
    return [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]


def _key(path: Path, originals: list[Path]) -> str:
    digest = hashlib.sha256(f"{native.ENGINE} {_readers()} {path.name}".encode())
    for file in originals:
        digest.update(f"\0{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while part := stream.read(_CHUNK):
                digest.update(part)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _readers() -> str:
    """Fingerprint of the readers that are written in Python."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()


def _load(entry: Path) -> TraceData | None:
    if not entry.is_file():
        return None
    try:
        row = files.read_parquet(entry)
        about = json.loads(row[_ABOUT][0])
        columns = {name: row[name][0].to_numpy() for name in row.columns if name != _ABOUT}
        return TraceData(
            columns=columns,
            unsupported=about["unsupported"],
            notes=tuple(about["notes"]),
            places=about["places"],
            origin=about["origin"],
        )
    except (pl.exceptions.PolarsError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _save(trace: TraceData, entry: Path) -> None:
    """Write an entry; it appears under its name only when it is whole."""
    partial = entry.with_name(f".{entry.name}.{secrets.token_hex(4)}")
    values = {name: pl.Series([pl.Series(column)]) for name, column in trace.columns.items()}
    row = pl.DataFrame({_ABOUT: [trace.to_json()], **values})
    try:
        entry.parent.mkdir(exist_ok=True)
        row.write_parquet(partial, compression="zstd")
        partial.replace(entry)
    except (OSError, pl.exceptions.PolarsError):
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
