"""Logs of Darshan with the module AutoPerf MPI: what every rank did in each MPI call.

The C library of the package ``darshan`` reads them, in a process of its own: a damaged log may take
that library down, or keep it busy for ever.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import polars as pl

from odonata.core.errors import MeasurementError
from odonata.measured import form
from odonata.measured.content import Content

_REMEDY = "give a Darshan log (.darshan) of a run with the module AutoPerf MPI"
_CHILD = Path(__file__).with_name("apmpi_child.py")
_PATIENCE_S = 120.0
"""Longest time in which the library must read a log."""

_TIMES = {"MPI_TOTAL_COMM_TIME": "mpi_time", "MPI_TOTAL_COMM_SYNC_TIME": "sync_time"}
"""Times of a rank over all calls, s."""


def recognises(content: Content) -> bool:
    """Whether it is a log of Darshan, by its name."""
    return content.name.endswith(".darshan")


def read(content: Content) -> list[pl.DataFrame]:
    """Time in MPI of every rank, and of each call: number, bytes, time.

    Raises
    ------
    MeasurementError
        The log is damaged or without the module, or the package is not installed.
    """
    found = _records(content)
    records, job = found["records"], found["job"]
    if not records:
        raise content.error("the AutoPerf MPI module has no records", _REMEDY)
    rows: list[dict[str, object]] = []
    for record in records:
        rows += _of_rank(record)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    program = str(job.get("exe", "")).partition(" ")[0].rpartition("/")[2] or "Darshan"
    return [
        form.table(
            **frame.to_dict(as_series=True),
            series=program,
            interval_ns=float(job.get("run_time", 0.0)) * form.NS_PER["s"] or None,
        )
    ]


def _of_rank(record: dict[str, Any]) -> list[dict[str, object]]:
    """Numbers of one rank that are not 0; its time in MPI in any case."""
    common = {"rank": record["rank"], "place": record["node"]}
    rows: list[dict[str, object]] = []
    for name, value in record["counters"].items():
        if name in _TIMES:
            if value or name == "MPI_TOTAL_COMM_TIME":
                rows.append({**common, "quantity": _TIMES[name], "unit": "ns", "bytes": None,
                             "statistic": form.SAMPLE, "value": value * 1e9})  # fmt: skip
        elif value:
            is_time = name.endswith("_TIME")
            unit = "ns" if is_time else "B" if name.endswith("_BYTES") else "count"
            statistic = form.DELTA
            if name.endswith(("_MIN_TIME", "_MAX_TIME")):
                statistic = name.rsplit("_", 2)[1].lower()
            rows.append({**common, "quantity": name, "unit": unit, "bytes": None,
                         "statistic": statistic,
                         "value": value * 1e9 if is_time else float(value)})  # fmt: skip
    return rows


def _records(content: Content) -> dict[str, Any]:
    """What the library finds, through a process of its own."""
    with tempfile.TemporaryDirectory(prefix="odonata-") as folder:
        path = content.path
        if path is None:
            path = Path(folder) / "log.darshan"
            path.write_bytes(content.data)
        command = [sys.executable, "-P", str(_CHILD), str(path)]
        try:
            done = subprocess.run(  # noqa: S603 - our own file
                command, capture_output=True, timeout=_PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise content.error(
                f"it is damaged (the library does not return within {_PATIENCE_S:g} s)", _REMEDY
            ) from None
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        raise content.error("it is damaged (the library crashes on it)", _REMEDY) from None
    if not isinstance(found, dict) or "records" not in found:
        raise _refused(content, found)
    return found


def _refused(content: Content, found: Any) -> MeasurementError:  # noqa: ANN401 - a value of JSON
    words = str(found.get("error", "")) if isinstance(found, dict) else ""
    if words == "missing":
        return content.error(
            "reading it needs the package `darshan`, which cannot be loaded",
            "install it with `pip install 'darshan>=3.4.4'`",
        )
    return content.error(words or "it is damaged", _REMEDY)
