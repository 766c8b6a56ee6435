"""Converted traces, kept so that the next run need not read the originals again.

A trace is known by the content of its files and by the programs that read it: another byte, another
version, another entry. An entry is a Parquet file whose rows are pieces of the packed columns, in
front of them one with what is not a column; of a large trace most pieces are in further files.
Whatever is wrong with an entry, the original is read instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata import traces
from odonata.core import files, native
from odonata.core.errors import TraceError
from odonata.traces import archives, formats
from odonata.traces.table import TraceData

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = ".odonata-traces"
"""Name of the folder of entries, beside the results."""

LEAST_BYTES = 1 << 18
"""Smaller originals are read as quickly as their entries."""

_KEPT = frozenset({"otf2", "dumpi", "liballprof", "goal", "goal-binary", "chakra", "chakra-json",
                   "simgrid"})  # fmt: skip
"""Formats whose reading takes longer than that of their columns."""

_BYTES = 1 << 21
"""Of the columns in a file: what of an entry is in memory at a time, several times over."""
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
        about: dict[str, Any] = {}

        def pieces() -> Iterator[tuple[str, int, bytes]]:
            first = files.read_parquet(entry).iter_rows()
            _, parts, text = next(first)
            about.update(json.loads(text))
            for part in range(parts):
                yield from files.read_parquet(_part(entry, part)).iter_rows()
            yield from first

        table = native.Table.unpacked(pieces())
        if table is None:
            return None
        return TraceData(
            columns=table,
            unsupported=about["unsupported"],
            notes=tuple(about["notes"]),
            places=about["places"],
            origin=about["origin"],
        )
    except (pl.exceptions.PolarsError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _save(trace: TraceData, entry: Path) -> None:
    """Write an entry; its first file, which is the last one, appears only when it is whole."""
    group: list[tuple[str, int, bytes]] = []
    parts = held = 0
    try:
        entry.parent.mkdir(exist_ok=True)
        for piece in native.Table.of(trace.columns).packed():
            if held >= _BYTES:
                _write(group, _part(entry, parts))
                group, parts, held = [], parts + 1, 0
            group.append(piece)
            held += len(piece[2])
        _write([("", parts, trace.to_json().encode()), *group], entry)
    except (OSError, pl.exceptions.PolarsError):
        pass  # the next run reads the original again


def _part(entry: Path, part: int) -> Path:
    return entry.with_suffix(f".{part}.parquet")


def _write(pieces: list[tuple[str, int, bytes]], file: Path) -> None:
    partial = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    names, lengths, packed = zip(*pieces, strict=True)
    frame = pl.DataFrame(
        {
            "column": pl.Series(names, dtype=pl.String),
            "length": pl.Series(lengths, dtype=pl.UInt64),
            "packed": pl.Series(packed, dtype=pl.Binary),
        }
    )
    try:
        frame.write_parquet(partial, compression="zstd", statistics=False, row_group_size=1)
        partial.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
