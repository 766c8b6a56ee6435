"""Files that others wrote, read with limits; files of ours, written so that they last.

What this room does not know: what any file means. Paths are never patterns: a folder may be called
``res[1]``.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import lzma
import os
import re
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_CHUNK = 1 << 20
_LARGEST_TABLE = 1 << 28
"""Most values of a table that is read, rows times columns."""


class UnreadableError(ValueError):
    """Content that cannot be taken; the text says what is wrong with it."""


def problem(error: OSError) -> str:
    """What is wrong, as part of a sentence."""
    return (error.strerror or str(error) or "it cannot be used").lower()


def read_bytes(path: Path, *, most: int) -> bytes:
    """Content of a file or pipe, which may be endless.

    Parameters
    ----------
    path : pathlib.Path
        The file; a device is refused.
    most : int
        Bytes that it may have.

    Raises
    ------
    OSError
        It is not there or cannot be read.
    UnreadableError
        It is a device or too large.
    """
    with path.open("rb") as stream:
        kind = os.fstat(stream.fileno()).st_mode
        if stat.S_ISBLK(kind) or (stat.S_ISCHR(kind) and not stream.isatty()):
            raise UnreadableError("it is a device, not a file")
        data = stream.read(most + 1)
    if len(data) > most:
        raise UnreadableError(f"it has more than {most // 2**20} MiB")
    return data


def require_file(path: Path) -> None:
    """Refuse what is no file: whoever opens a pipe that nobody writes to waits for ever.

    Raises
    ------
    OSError
        It is not there.
    UnreadableError
        It is something else.
    """
    kind = path.stat().st_mode
    if stat.S_ISDIR(kind):
        raise UnreadableError("it is a folder, not a file")
    if not stat.S_ISREG(kind):
        raise UnreadableError("it is a pipe or a device, not a file")


def read_text(path: Path, *, most: int) -> str:
    """Text of a UTF-8 file; a byte order mark is left out.

    Raises
    ------
    OSError, UnreadableError, UnicodeDecodeError
        As :func:`read_bytes`; it is not UTF-8.
    """
    return read_bytes(path, most=most).decode("utf-8-sig").replace("\r\n", "\n")


def unpacked(data: bytes, *, most: int) -> bytes:
    """What ``.xz`` or ``.gz`` data hold; other data as they are.

    Raises
    ------
    UnreadableError
        They are damaged, or hold more than `most` bytes.
    """
    if data.startswith(b"\xfd7zXZ\x00"):
        stream: Any = lzma.open(io.BytesIO(data))  # noqa: SIM115 - closed below
    elif data.startswith(b"\x1f\x8b"):
        stream = gzip.GzipFile(fileobj=io.BytesIO(data))
    else:
        return data
    try:
        with stream:
            content: bytes = stream.read(most + 1)
    except (lzma.LZMAError, EOFError, zlib.error, OSError) as error:
        raise UnreadableError(f"it is damaged ({error})") from None
    if len(content) > most:
        raise UnreadableError(f"it holds more than {most // 2**20} MiB when unpacked")
    return content


def read_parquet(
    source: Path | bytes,
    *,
    is_ours: bool = True,
    chosen: Callable[[list[str]], list[str]] | None = None,
) -> pl.DataFrame:
    """A Parquet file as a frame; nothing in its path is a pattern.

    Parameters
    ----------
    source : pathlib.Path or bytes
        The file or its content.
    is_ours : bool
        Whether this package wrote it. What others wrote is read by another process first: the
        library ends the process when a size in a damaged page asks for more memory than there is.
    chosen : callable, optional
        Which of the columns that there are to read; by default all.

    Raises
    ------
    OSError
        It is not there or cannot be read.
    UnreadableError
        It is damaged or too large.
    """
    import polars as pl  # noqa: PLC0415 - processes that only simulate do without

    data = io.BytesIO(source) if isinstance(source, bytes) else source
    if isinstance(data, Path):
        require_file(data)
        with data.open("rb"):  # the reader's own words for a missing file are longer
            pass
    try:
        with _without_panic_text():
            wanted = chosen(_shape(data)[1]) if chosen else None
            if not is_ours:
                _try(source, wanted or [])
            rows, names = _shape(data)
            columns = len(wanted or names)
            if rows * columns > _LARGEST_TABLE:
                raise UnreadableError(f"it has {rows} rows of {columns} columns, which is too much")
            return pl.read_parquet(data, columns=wanted, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError) as error:
        if isinstance(error, UnreadableError):
            raise
        first = (str(error).strip().splitlines() or ["no table"])[0]
        raise UnreadableError(f"it is damaged ({first[:200]})") from None


def scan_parquet(path: Path) -> pl.LazyFrame:
    """A Parquet file of ours as a frame whose rows are read when they are asked for.

    Raises
    ------
    OSError
        It is not there.
    UnreadableError
        It is no file.
    """
    import polars as pl  # noqa: PLC0415 - as above

    require_file(path)
    return pl.scan_parquet(path, glob=False)


_TRIAL = """
import io, sys
try:
    import resource
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
import polars
try:
    source = sys.argv[2] if len(sys.argv) > 2 else io.BytesIO(sys.stdin.buffer.read())
    polars.read_parquet(source, columns=sys.argv[3:] or None, glob=False)
except BaseException:
    pass
"""
"""What reads a file and may end; of a file that is damaged in another way, the reader says more."""

_TRIAL_BYTES, _TRIAL_TIMES = 8 << 30, 64
"""Memory of a trial: so much, and so many times the file."""


def _try(source: Path | bytes, wanted: list[str]) -> None:
    """Let another process read a Parquet file.

    Raises
    ------
    UnreadableError
        It did not live to the end.
    """
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    most = str(_TRIAL_BYTES + _TRIAL_TIMES * size)
    place = [] if isinstance(source, bytes) else [os.fspath(source)]
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _TRIAL, most, *place, *wanted],
        input=source if isinstance(source, bytes) else b"",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "POLARS_MAX_THREADS": "1", "RUST_BACKTRACE": "0"},
        check=False,
    )
    if done.returncode:
        raise UnreadableError("it is damaged: a page asks for more memory than there is")


def _shape(source: Path | io.BytesIO) -> tuple[int, list[str]]:
    """Number of rows, and names of columns, that the end of a Parquet file announces."""
    import polars as pl  # noqa: PLC0415 - as above

    lazy = pl.scan_parquet(source, glob=False)
    rows = int(lazy.select(pl.len()).collect().item())
    return rows, lazy.collect_schema().names()


@contextlib.contextmanager
def _without_panic_text() -> Iterator[None]:
    """Keep what the table reader prints about a damaged file, beside raising, off the screen."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def write_parquet(frame: pl.DataFrame, path: Path, **options: Any) -> None:  # noqa: ANN401 - of polars
    """Write a table, compressed.

    Raises
    ------
    OSError
        It cannot be written.
    """
    with _explained(path):
        frame.write_parquet(path, compression="zstd", **options)


def write_pieces(pieces: Iterator[pl.DataFrame], path: Path, **options: Any) -> None:  # noqa: ANN401 - as above
    """Write a table as :func:`write_parquet` does, of which only some rows are there at a time.

    Each piece is a row group. What is written depends on nothing but the pieces.

    Raises
    ------
    OSError
        It cannot be written.
    """
    from polars.io.plugins import register_io_source  # noqa: PLC0415 - as above

    first = next(pieces)

    def source(*_asked: Any) -> Iterator[pl.DataFrame]:  # noqa: ANN401 - all columns and rows are wanted
        yield first
        yield from pieces

    lazy = register_io_source(source, schema=first.schema)
    with _explained(path):
        lazy.sink_parquet(path, compression="zstd", row_group_size=len(first), **options)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Errors of the table library that are those of the system, as these."""
    import polars as pl  # noqa: PLC0415 - as above

    try:
        yield
    except pl.exceptions.PolarsError as error:
        # Its own errors carry the number of the one of the system.
        number = re.search(r"os error (\d+)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path)) from None


def fingerprint(path: Path) -> dict[str, Any]:
    """Length and SHA-256 of a file.

    Raises
    ------
    OSError
        It cannot be read.
    """
    digest, length = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            length += len(chunk)
    return {"bytes": length, "sha256": digest.hexdigest()}


def fingerprint_of(data: bytes) -> dict[str, Any]:
    """The same of bytes."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def sync(path: Path) -> None:
    """Have a file or folder on the disk before going on.

    Raises
    ------
    OSError
        The disk is full or broken.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes, *, partial: Path) -> None:
    """Write a file that appears under its name only when it is whole and on the disk.

    Parameters
    ----------
    path : pathlib.Path
        The file; replaced if it is there.
    data : bytes
        Its content.
    partial : pathlib.Path
        Its name until then, in the same folder.

    Raises
    ------
    OSError
        It cannot be written; what was there is still there.
    """
    try:
        with partial.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
    sync(path.parent)


def is_source_tree() -> bool:
    """Whether the package lies in its sources, where `make` builds it, and not in a wheel."""
    sources = Path(__file__).resolve().parents[3]
    return all((sources / name).is_file() for name in ("Cargo.toml", "Makefile"))


def build_hint() -> str:
    """What to do about a part of the package that is missing or wrong, where it is."""
    return "run `make setup`" if is_source_tree() else "install Odonata again with pip"
