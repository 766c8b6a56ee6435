"""Output of the OSU Micro-Benchmarks, versions 2 to 7, also inside the log of a job.

A test begins with ``# OSU MPI Allreduce Latency Test v7.4``; the line of names before its first
number says what the columns are. Non-blocking collectives print the time of all (`Overall`), of the
computation beside it, of the communication alone (`Pure Comm.`), and how much overlaps. Tests that
stand in one log several times are repetitions. With `-c` a column `Validation` says `Pass` or
`Fail`; rows that failed are kept, and warned of.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content
from odonata.measured.printed import Column, Columns, repeated, warn_of_rows

_TITLE = re.compile(r"\s*#\s*OSU (.+? Test)\b(?!.*\bTest\b)")
_DATATYPE = re.compile(r"#\s*Datatype:\s*(\w+)")
_PAIRS = re.compile(r"#\s*\[ pairs: (\d+) \] \[ window size: (\d+) \]")
_REMEDY = "give the output as the benchmark printed it"
_WRONG = "failed the validation of OSU (wrong data arrived): do not use the numbers"

_US = 1e3
"""Nanoseconds of the unit of all times of OSU."""

_COLUMNS = Columns((
    Column(r"P\d+ Tail Lat\(us\)", "latency", "ns", "p", _US),
    Column(r"P\d+ Tail BW\(MB/s\)", "bandwidth", "B/s", "p", 1e6),
    Column(r"(?:Avg )?Lat(?:ency)? ?\(us\)", "latency", "ns", "mean", _US),
    Column(r"Min Lat(?:ency)? ?\(us\)", "latency", "ns", "min", _US),
    Column(r"Max Lat(?:ency)? ?\(us\)", "latency", "ns", "max", _US),
    Column(r"Pure Comm\. ?\(us\)", "latency", "ns", "mean", _US),
    Column(r"Min Comm\. ?\(us\)", "latency", "ns", "min", _US),
    Column(r"Max Comm\. ?\(us\)", "latency", "ns", "max", _US),
    Column(r"Overall ?\(us\)", "overall_time", "ns", "mean", _US),
    Column(r"Compute ?\(us\)", "compute_time", "ns", "mean", _US),
    Column(r"(?:Coll\. Init|Init avg) ?\(us\)", "init_time", "ns", "mean", _US),
    Column(r"MPI_Test ?\(us\)", "test_time", "ns", "mean", _US),
    Column(r"(?:MPI_Wait|Wait avg) ?\(us\)", "wait_time", "ns", "mean", _US),
    Column(r"Overlap ?\(%\)", "overlap", "ratio", "mean", 0.01),
    Column(r"(?:Bandwidth \()?MB/s\)?", "bandwidth", "B/s", "mean", 1e6),
    Column(r"Messages/s", "message_rate", "1/s", "mean"),
    Column(r"Iterations", "iterations", "count", "given"),
))  # fmt: skip
"""Names of columns, and what they hold."""


@dataclass(slots=True)
class _Test:
    """The test whose lines are being read."""

    title: str = ""
    about: str = ""
    datatypes: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)

    @property
    def series(self) -> str:
        """Title, and what of the options tells tests of one title apart."""
        datatype = self.datatypes[-1] if len(self.datatypes) > 1 else ""
        return ", ".join(part for part in (self.title, self.about, datatype) if part)


def recognises(content: Content) -> bool:
    """Whether a title of OSU stands in the text."""
    return "OSU " in (content.text or "") and content.has(_TITLE)


def read(content: Content) -> list[pl.DataFrame]:
    """Every test of the log, a row per size and statistic.

    Raises
    ------
    MeasurementError
        There is no complete line of results, or one is damaged.
    """
    rows: list[dict[str, object]] = []
    wrong = defaultdict[tuple[str, str], list[int]](list)
    test = _Test()
    for number, line in content.lines(_TITLE):
        started = _TITLE.match(line)
        if started:
            test = _Test(title=started.group(1))
        elif test.title and test.columns and _COLUMNS.is_row(line, test.columns):
            rows += _row(content, (number, line.split()), test)
            if "Fail" in line.split():
                wrong[test.series, _WRONG].append(number)
        elif test.title:
            _head(line, test)
    if not rows:
        raise content.error("no OSU test has results", _REMEDY)
    warn_of_rows(content, wrong)
    return [form.table(**repeated(rows).to_dict(as_series=True))]


def _head(line: str, test: _Test) -> None:
    """What a line between the title and the numbers says about the test."""
    datatype, pairs = _DATATYPE.match(line.strip()), _PAIRS.match(line.strip())
    if datatype:
        test.datatypes.append(datatype.group(1))
    elif pairs:
        test.about = f"pairs {pairs.group(1)}, window {pairs.group(2)}"
    else:
        test.columns = _COLUMNS.names(line) or test.columns


def _row(content: Content, where: tuple[int, list[str]], test: _Test) -> list[dict[str, object]]:
    cells = list(_COLUMNS.cells(content, where, test.columns, _REMEDY))
    size = None
    if test.columns[0].lower().startswith("size"):
        size = content.integer(where[1][0], where[0], _REMEDY)
    return [{"series": test.series, "bytes": size, **cell} for cell in cells]
