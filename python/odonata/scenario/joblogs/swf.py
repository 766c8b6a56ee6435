"""Scheduler logs in the Standard Workload Format (SWF) of the Parallel Workloads Archive.

A line per job with 18 numbers, comments and a header behind ``;``. Chapin et al., "Benchmarks and
standards for the evaluation of parallel job schedulers", 1999; version 2.2 of the format. The logs
of Frontier (2024, 2025) have three more fields, the last of which has the nodes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata.core.errors import InternalError
from odonata.scenario.joblogs.log import SCHEMA, JobLog
from odonata.scenario.joblogs.source import lines, refusal

FIELDS = (
    "job", "submit_s", "wait_s", "run_s", "processors", "cpu_s_mean", "memory_kb",
    "requested_processors", "requested_s", "requested_memory_kb", "status", "user", "group",
    "application", "queue", "partition", "preceding_job", "think_s",
)  # fmt: skip
"""The 18 numbers of a line in order; -1 stands for unknown."""

LONGER = (*FIELDS, "gpus", "soft_requested_s", "nodes")
"""Fields of a line of Frontier's logs; the last one is text such as ``frontier:excl:2500x112``."""

_HEADER = re.compile(r";\s*(\w[\w ]*?)\s*:\s*(.+?)\s*$")
_NODES = re.compile(r"[^:\s]+:[^:\s]+:(\d{1,9})x\d+")
_GIVE = (
    "The Standard Workload Format has 18 numbers on each line (Frontier's logs 21 fields), and "
    "comments behind `;`; convert the file, or give it the name of what it is. "
    "`odonata jobs --help` lists the other forms that are read."
)


def read(path: Path) -> JobLog:
    """Read a log.

    Parameters
    ----------
    path : pathlib.Path
        As it is or packed (``.gz``, ``.xz``, ``.zip`` with one file).

    Raises
    ------
    TextError
        It cannot be read, or is something else: with the line, and what it has there.
    """
    header: dict[str, str] = {}
    text, is_front = [], True
    for number, line in lines(path):
        content = line.partition(";")[0]
        is_front &= line.startswith(";")
        found = _HEADER.match(line) if is_front else None
        if found:
            header.setdefault(found[1], found[2])
        if content.strip():
            text.append((number, content))
    if not text:
        raise refusal(path, "it has no jobs.")
    is_longer = len(text[0][1].split()) == len(LONGER)
    rows = _numbers(path, text, LONGER if is_longer else FIELDS)
    return _log(path, header, rows, [line for _, line in text] if is_longer else None)


def _log(
    path: Path, header: dict[str, str], rows: np.ndarray[Any, Any], longer: list[str] | None
) -> JobLog:
    known = pl.DataFrame({name: rows[:, index] for index, name in enumerate(FIELDS)})
    known = known.with_columns(
        pl.when(pl.col(name) == -1).then(None).otherwise(pl.col(name)).alias(name)
        for name in FIELDS
    )
    missing = known.null_count().row(0, named=True)
    size, notes = known["processors"], []
    if longer is not None:
        nodes = [_NODES.fullmatch(line.split()[-1]) for line in longer]
        size = pl.Series([float(one[1]) if one else None for one in nodes], dtype=pl.Float64)
        if size.null_count():
            notes.append(
                f"{size.null_count()} lines have no nodes in their field 20: field 4 is taken, "
                "which counts nodes or cores"
            )
            size = size.fill_null(known["processors"])
    start = pl.col("submit_s") + pl.col("wait_s").fill_null(0)
    jobs = known.with_columns(
        size=size.ceil().cast(pl.Int64, strict=False), start_s=start,
        end_s=start + pl.col("run_s"), node_list=pl.lit(None, pl.List(pl.String)),
        name=pl.lit(None, pl.String), sent_bytes=pl.lit(None, pl.Float64),
    )  # fmt: skip
    jobs = jobs.filter((pl.col("run_s") > 0) & (pl.col("size") > 0) & (pl.col("end_s") > start))
    whole = (pl.col(one).cast(pl.Int64, strict=False).cast(pl.String) for one in ("job", "user"))
    jobs = jobs.sort("start_s", "job", maintain_order=True).with_columns(*whole).select(*SCHEMA)
    jobs = jobs.with_columns(pl.col("job").fill_null("unnumbered"))
    left = len(known) - len(jobs)
    limits = [re.match(r"\d+", header.get(key, "")) for key in ("MaxProcs", "MaxNodes")]
    zero = re.match(r"\d{1,12}", header.get("UnixStartTime", ""))
    return JobLog(
        path,
        "frontier" if longer is not None else "swf",
        jobs,
        unit="nodes" if longer is not None else "processors",
        left_out={"without a size or a time": left} if left else {},
        zero_s=float(zero[0]) if zero else None,
        capacity=next((int(one[0]) for one in limits if one), None),
        header=header,
        notes=tuple(notes),
        unknown={name: count for name, count in missing.items() if count},
    )


def _numbers(
    path: Path, text: list[tuple[int, str]], names: tuple[str, ...]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """All lines as numbers; slow and exact about the first wrong one."""
    content = [line for _, line in text]
    count = len(names) - (names is LONGER)
    try:
        rows = np.loadtxt(content, comments=None, dtype=np.float64, ndmin=2,
                          usecols=range(count) if names is LONGER else None)  # fmt: skip
        is_even = names is FIELDS or all(len(line.split()) == len(names) for line in content)
        if is_even and rows.shape[1] == count and np.isfinite(rows).all():
            return rows
    except (ValueError, IndexError):
        pass
    for number, line in text:
        problem = _problem(line.split(), names)
        if problem:
            raise refusal(path, f"{problem}. {_GIVE}", place=f"line {number}")
    raise InternalError(f"job log {path}: numpy refuses it and no line is wrong")


def _problem(fields: list[str], names: tuple[str, ...]) -> str | None:
    if len(fields) != len(names):
        shown = " ".join(fields)[:60]
        is_heading = all(re.match(r"[A-Za-z_]", one) for one in fields)
        return f"has {len(fields)} {'names of columns' if is_heading else 'fields'} (`{shown}`)"
    for position, field in enumerate(fields[: len(names) - (names is LONGER)], start=1):
        try:
            value = float(field)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            return f"has `{field[:40]}` as its field {position} ({names[position - 1]})"
    return None
