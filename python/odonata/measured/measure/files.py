"""Files of a measurement: rows of the form (docs/noise.md) as packed CSV, whole or not at all."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLUMNS = ("series", "condition", "quantity", "unit", "statistic", "bytes", "rank", "iteration",
           "place", "time_ns", "interval_ns", "value")  # fmt: skip
"""Columns of the form, in its order; what is left out of the form is the reader's to say."""


@dataclass(slots=True, kw_only=True)
class Row:
    """One number, described; ``None`` where a column has nothing."""

    series: str
    quantity: str
    unit: str
    value: float
    condition: str | None = None
    statistic: str = "sample"
    bytes: int | None = None
    rank: int | None = None
    iteration: int | None = None
    place: str | None = None
    time_ns: float | None = None
    interval_ns: float | None = None


def write_rows(path: Path, rows: Iterable[Row]) -> int:
    """Write rows as they come; how many there were. Without any, no file appears."""
    part, count = _part(path), 0
    # Neither name nor instant in the head of the file: the same rows give the same bytes.
    with (
        part.open("wb") as file,
        gzip.GzipFile("", "wb", 6, file, 0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="") as text,
    ):
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([_cell(getattr(row, name)) for name in COLUMNS])
            count += 1
    if count:
        part.replace(path)
    else:
        part.unlink()
    return count


def _cell(value: object) -> object:
    return f"{value:.16g}" if isinstance(value, float) else value


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write the record of the allocation."""
    part = _part(path)
    part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _part(path: Path) -> Path:
    """Where a file is until it is whole; readers of folders pass over hidden files."""
    return path.with_name(f".{path.name}.part")
