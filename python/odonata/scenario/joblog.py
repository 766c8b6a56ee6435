"""Scheduler logs in the Standard Workload Format (SWF) of the Parallel Workloads Archive.

A line per job with 18 numbers, comments and a header behind ``;``. Chapin et al., "Benchmarks and
standards for the evaluation of parallel job schedulers", 1999; version 2.2 of the format.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata.core import files
from odonata.core.errors import InternalError, TextError

FIELDS = (
    "job", "submit_s", "wait_s", "run_s", "processors", "cpu_s_mean", "memory_kb",
    "requested_processors", "requested_s", "requested_memory_kb", "status", "user", "group",
    "application", "queue", "partition", "preceding_job", "think_s",
)  # fmt: skip
"""The 18 numbers of a line in order; -1 stands for unknown."""

ENDINGS = (".swf", ".swf.gz", ".swf.xz", ".swf.zip")
"""How the names of logs end."""

_MOST = 2 << 30
"""Bytes that a log may have; the largest one of the archive has 150 MB."""
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError,
    LookupError, NotImplementedError, struct.error,
)  # fmt: skip
"""What the library answers to a damaged archive."""
_HEADER = re.compile(r";\s*(\w[\w ]*?)\s*:\s*(.+?)\s*$")


@dataclass(frozen=True)
class JobLog:
    """A scheduler log.

    Parameters
    ----------
    path : pathlib.Path
        Where it is from.
    header : dict
        What the comments in front say, such as ``MaxNodes``.
    jobs : polars.DataFrame
        A row per job in the order of the file, columns :data:`FIELDS`; unknown values are null.
    """

    path: Path
    header: dict[str, str]
    jobs: pl.DataFrame

    def info(self) -> dict[str, Any]:
        """What is in it: times in seconds from the start of the log.

        Returns
        -------
        dict
            ``busy_share`` is the share of processor time that jobs use between the first start and
            the last end, of the processors that the header names (or the most ever in use).
        """
        known = self.started()
        use = _in_use(known)
        peak = int(use["in_use"].max() or 0)  # type: ignore[arg-type]
        size = self.processors() or peak
        first, last = known["start_s"].min(), known["end_s"].max()
        span = float(last) - float(first) if len(known) else 0.0  # type: ignore[arg-type]
        busy = float((known["run_s"] * known["processors"]).sum())
        missing = self.jobs.null_count().row(0, named=True)
        return {
            "format": "swf",
            "computer": self.header.get("Computer", ""),
            "jobs": len(self.jobs),
            "jobs_without_size_or_time": len(self.jobs) - len(known),
            "users": self.jobs["user"].n_unique(),
            "processors": size,
            "processors_in_use_max": peak,
            "largest_job": int(known["processors"].max() or 0),  # type: ignore[arg-type]
            "median_run_s": float(known["run_s"].median() or 0),  # type: ignore[arg-type]
            "span_s": span,
            "busy_share": round(busy / (span * size), 4) if span and size else 0.0,
            "unknown": {name: count for name, count in missing.items() if count},
        }

    def processors(self) -> int | None:
        """Size of the machine, as the header has it."""
        for key in ("MaxProcs", "MaxNodes"):
            found = re.match(r"\d+", self.header.get(key, ""))
            if found:
                return int(found[0])
        return None

    def started(self) -> pl.DataFrame:
        """Jobs that ran, with ``start_s`` and ``end_s``, in the order of their starts."""
        wait = pl.col("wait_s").fill_null(0)
        jobs = self.jobs.filter(
            pl.col("run_s").is_not_null() & (pl.col("run_s") > 0) & (pl.col("processors") > 0)
        )
        return jobs.with_columns(
            (pl.col("submit_s") + wait).alias("start_s"),
            (pl.col("submit_s") + wait + pl.col("run_s")).alias("end_s"),
        ).sort("start_s", "job")

    def running(self, at_s: float) -> pl.DataFrame:
        """Jobs that run at an instant, in the order of their starts."""
        return self.started().filter((pl.col("start_s") <= at_s) & (pl.col("end_s") > at_s))


def is_log(path: Path) -> bool:
    """Whether a file is named as logs are."""
    return path.name.lower().endswith(ENDINGS)


def read(path: Path) -> JobLog:
    """Read a log.

    Parameters
    ----------
    path : pathlib.Path
        A file ``*.swf``, as it is or packed (``.gz``, ``.xz``, ``.zip`` with one file).

    Raises
    ------
    odonata.errors.TextError
        It cannot be read, or is not what its name says: with the line, and what it has there.
    """
    text = _text(path)
    header: dict[str, str] = {}
    for line in text.split("\n"):
        if not line.startswith(";"):
            break
        found = _HEADER.match(line)
        if found:
            header.setdefault(found[1], found[2])
    rows = _rows(path, text)
    columns = {name: rows[:, index] for index, name in enumerate(FIELDS)}
    jobs = pl.DataFrame(columns).with_columns(
        pl.when(pl.col(name) == -1).then(None).otherwise(pl.col(name)).alias(name)
        for name in FIELDS
    )
    return JobLog(path, header, jobs)


def _text(path: Path) -> str:
    try:
        data = files.read_bytes(path, most=_MOST)
        if data.startswith(b"PK\x03\x04"):
            data = _of_zip(data)
        text = files.unpacked(data, most=_MOST).decode("latin-1")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise TextError(f"job log {path}: {files.problem(error)}.") from None
    except files.UnreadableError as error:
        raise TextError(f"job log {path}: {error}.") from None


def _of_zip(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            content = b""
            if len(names) == 1:
                with archive.open(names[0]) as stream:
                    content = stream.read(_MOST + 1)
    except _DAMAGE:
        raise files.UnreadableError("it is a damaged archive") from None
    if len(names) != 1:
        raise files.UnreadableError(
            f"it holds {len(names)} files; unpack it and name the log itself"
        )
    if len(content) > _MOST:
        raise files.UnreadableError(f"it holds more than {_MOST >> 20} MiB when unpacked")
    return content


def _rows(path: Path, text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """All lines as numbers; slow and exact about the first wrong one."""
    if all(not line.partition(";")[0].strip() for line in text.split("\n")):
        raise TextError(f"job log {path}: it has no jobs.")
    try:
        rows = np.loadtxt(io.StringIO(text), comments=";", dtype=np.float64, ndmin=2)
        if rows.shape[1] == len(FIELDS) and np.isfinite(rows).all():
            return rows
    except (ValueError, IndexError):
        pass
    for number, line in enumerate(text.split("\n"), start=1):
        problem = _problem(line.partition(";")[0].split())
        if problem:
            raise TextError(
                f"job log {path}: line {number} {problem}. The Standard Workload Format has 18 "
                "numbers on each line, and comments behind `;`; convert the file, or give it the "
                "name of what it is."
            )
    raise InternalError(f"job log {path}: numpy refuses it and no line is wrong")


def _problem(fields: list[str]) -> str | None:
    if not fields:
        return None
    if len(fields) != len(FIELDS):
        shown = " ".join(fields)[:60]
        kind = (
            "names of columns" if all(re.match(r"[A-Za-z_]", one) for one in fields) else "fields"
        )
        printable = "".join(c if c.isprintable() else "?" for c in shown)
        return f"has {len(fields)} {kind} (`{printable}`)"
    for position, field in enumerate(fields, start=1):
        try:
            value = float(field)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            printable = "".join(c if c.isprintable() else "?" for c in field[:40])
            return f"has `{printable}` as its field {position} ({FIELDS[position - 1]})"
    return None


def _in_use(jobs: pl.DataFrame) -> pl.DataFrame:
    """Processors in use after each start and end: ``time_s``, ``in_use``."""
    starts = jobs.select(pl.col("start_s").alias("time_s"), pl.col("processors").alias("change"))
    ends = jobs.select(pl.col("end_s").alias("time_s"), -pl.col("processors").alias("change"))
    steps = pl.concat([starts, ends]).group_by("time_s").agg(pl.col("change").sum())
    return steps.sort("time_s").select("time_s", pl.col("change").cum_sum().alias("in_use"))
