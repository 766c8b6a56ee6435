"""Many short runs in few files: parts of a sweep, each with the tables of hundreds of tasks.

A part is a folder with ``tasks.parquet`` (a row per task: its key, how it ended, its summary and
scenario, how many rows of each table are its) and a Parquet file per table, whose first column is
the key of the task. Rows of a task follow each other, tasks are in the same order in every file.

What this room does not know: which run of a sweep a task belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata.core import files, packed

TASKS = "tasks.parquet"
TASK = "task"
"""Column with the key of a task."""

_ROWS = "rows."
_IN_GROUP = 256
"""Tasks whose rows are a row group: what is read to get those of one."""

IN_PIECE = 1 << 18
"""Rows of a large table that are made at a time, and those of a row group of its file."""

_FORM: dict[str, Any] = {"compression_level": 1, "statistics": False}
"""Of zstd the quickest; nobody looks for values in a part, only for rows."""


@dataclass(frozen=True, slots=True)
class Item:
    """A task that is to be packed.

    Parameters
    ----------
    key : str
        What it is known by.
    stop : str
        How it ended.
    summary, scenario : str
        As JSON.
    stall : str or None
        Diagnosis, if it stalled.
    tables : bytes
        As :func:`odonata.core.packed.joined` takes them.
    """

    key: str
    stop: str
    summary: str
    scenario: str
    stall: str | None
    tables: bytes


def write(items: Sequence[Item], directory: Path) -> None:
    """Write a part into an empty folder.

    Parameters
    ----------
    items : sequence of Item
        At least one.
    directory : pathlib.Path
        Where to.

    Raises
    ------
    OSError
        It cannot be written.
    """
    tasks = pl.DataFrame({
        TASK: [item.key for item in items],
        "stop": [item.stop for item in items],
        "summary": [item.summary for item in items],
        "scenario": [item.scenario for item in items],
        "stall": pl.Series([item.stall for item in items], dtype=pl.String),
    })  # fmt: skip
    keys = pl.Series(tasks[TASK], dtype=pl.Enum(tasks[TASK]))
    parts: dict[str, list[pl.DataFrame]] = {}
    counts: dict[str, np.ndarray[Any, Any]] = {}
    for name, runs, rows, columns in packed.joined([item.tables for item in items]):
        owner = np.repeat(runs.astype(np.uint32), rows.astype(np.int64))
        parts.setdefault(name, []).append(_frame(columns, {TASK: keys.gather(owner)}))
        counts.setdefault(name, np.full(len(items), np.nan))[runs.astype(np.int64)] = rows
    for name, found in parts.items():
        frame = found[0] if len(found) == 1 else _in_order(found)
        files.write_parquet(frame, directory / f"{name}.parquet",
                            row_group_size=max(1, _IN_GROUP * len(frame) // len(items)),
                            **_FORM)  # fmt: skip
    rows_of = pl.DataFrame({f"{_ROWS}{name}": rows for name, rows in counts.items()})
    tasks = tasks.hstack(rows_of.with_columns(pl.all().fill_nan(None).cast(pl.UInt32)))
    files.write_parquet(tasks, directory / TASKS, **_FORM)


def _in_order(found: list[pl.DataFrame]) -> pl.DataFrame:
    """One table of those that differ in their columns; rows of a task follow each other."""
    joined = pl.concat(found, how="diagonal_relaxed")
    return joined.sort(pl.col(TASK).to_physical(), maintain_order=True)


def _frame(columns: Mapping[str, Any], first: Mapping[str, pl.Series]) -> pl.DataFrame:
    """Columns of the simulator; where it has no number, a table has no value."""
    return pl.DataFrame({**first, **{name: _series(values) for name, values in columns.items()}})


def _series(values: Any) -> pl.Series:  # noqa: ANN401 - an array, or numbers and their words
    if isinstance(values, tuple):
        codes, words = values
        return pl.Series(words, dtype=pl.Enum(words)).gather(codes)
    return pl.Series(values=values, nan_to_null=values.dtype.kind == "f")


def frame(tables: bytes, name: str) -> pl.DataFrame:
    """Make a table of one run that is not in a part yet.

    Parameters
    ----------
    tables : bytes
        As the simulator packs them.
    name : str
        One of :func:`odonata.core.packed.names`.
    """
    return pl.concat(pieces(tables, name))


def pieces(tables: bytes, name: str) -> Iterator[pl.DataFrame]:
    """Make a table as :func:`frame` does, some rows after the others.

    Parameters
    ----------
    tables : bytes
        As the simulator packs them.
    name : str
        One of :func:`odonata.core.packed.names`.

    Yields
    ------
    polars.DataFrame
        At most :data:`IN_PIECE` rows; at least one frame.
    """
    rows = packed.lengths(tables)[name]
    for first in range(0, max(rows, 1), IN_PIECE):
        [(*_, columns)] = packed.joined([tables], name, (first, first + IN_PIECE))
        yield _plain(_frame(columns, {}))


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    texts = [name for name, kind in frame.schema.items() if kind in (pl.Enum, pl.Categorical)]
    return frame.with_columns(pl.col(texts).cast(pl.String)) if texts else frame


@lru_cache(maxsize=4)
def _tasks(part: Path) -> pl.DataFrame:
    """A row per task of a part, which nobody changes once it is there."""
    return files.read_parquet(part / TASKS)


class Stored:
    """One task in a part."""

    __slots__ = ("_part", "_row")

    def __init__(self, part: Path, row: int) -> None:
        self._part = part
        self._row = row

    @property
    def summary(self) -> dict[str, Any]:
        """Its summary, without what is said beside isolated runs."""
        found: dict[str, Any] = json.loads(_tasks(self._part)["summary"][self._row])
        return found

    @property
    def scenario(self) -> dict[str, Any]:
        """Its resolved scenario."""
        found: dict[str, Any] = json.loads(_tasks(self._part)["scenario"][self._row])
        return found

    @property
    def stall(self) -> str | None:
        """Diagnosis, if it stalled."""
        found = _tasks(self._part)["stall"][self._row]
        return None if found is None else str(found)

    def tables(self) -> list[str]:
        """Names of its tables."""
        tasks = _tasks(self._part)
        return [
            name.removeprefix(_ROWS)
            for name in tasks.columns
            if name.startswith(_ROWS) and tasks[name][self._row] is not None
        ]

    def table(self, name: str) -> pl.DataFrame:
        """One of its tables."""
        rows = _tasks(self._part)[f"{_ROWS}{name}"]
        start, count = int(rows[: self._row].sum()), int(rows[self._row])
        found = files.scan_parquet(self._part / f"{name}.parquet")
        return _plain(found.slice(start, count).drop(TASK).collect())


class Packed:
    """The parts of a sweep."""

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self._parts: list[Path] = []
        self._places: dict[str, tuple[Path, int]] = {}
        for path in paths:
            self.add(path)

    def __contains__(self, key: str) -> bool:
        """Whether a task is there."""
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        """Keys of the tasks."""
        return iter(self._places)

    def __len__(self) -> int:
        """Number of tasks."""
        return len(self._places)

    def add(self, path: Path) -> None:
        """One more part."""
        self._parts.append(path)
        keys = files.scan_parquet(path / TASKS).select(TASK).collect()[TASK]
        for row, key in enumerate(keys):
            self._places.setdefault(key, (path, row))

    def find(self, key: str) -> Stored:
        """A task.

        Raises
        ------
        KeyError
            It is not there.
        """
        return Stored(*self._places[key])

    def scans(self, only: str | None = None) -> dict[str, pl.LazyFrame]:
        """Each table of all tasks, or one of them, the key in the column ``task``."""
        found: dict[str, list[pl.LazyFrame]] = {}
        for part in self._parts:
            for path in sorted(part.glob("*.parquet")):
                if path.name != TASKS and only in (None, path.stem):
                    scan = files.scan_parquet(path)
                    texts = [name for name, kind in scan.collect_schema().items()
                             if kind in (pl.Enum, pl.Categorical)]  # fmt: skip
                    found.setdefault(path.stem, []).append(
                        scan.with_columns(pl.col(texts).cast(pl.String))
                    )
        return {name: pl.concat(scans, how="diagonal_relaxed") for name, scans in found.items()}
