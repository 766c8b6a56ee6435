"""Output of the Intel MPI Benchmarks (IMB), versions 3 to 2021, also inside the log of a job.

A benchmark begins with ``# Benchmarking Allreduce`` and ``# #processes = 4``; the line that begins
with ``#bytes`` or ``#repetitions`` names the columns. Times are averages over the repetitions:
``t_avg`` over the processes, ``t_min`` and ``t_max`` of the fastest and the slowest; ``t`` of a
PingPong is half a round trip. Rows of samples that failed (`out-of-mem.`, `time-out.`) hold no
number and are left out; with `-check` a column `defects` counts wrong data. Both are warned of.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content
from odonata.measured.printed import Column, Columns, repeated, warn_of_rows

_TITLE = re.compile(r"\s*#\s*Benchmarking:?\s+(\S+)")
_PROCESSES = re.compile(r"#\s*#processes\s*=\s*(\d+)")
_GROUPS = re.compile(r"#\s*\(\s*(\d+) groups? of (\d+) processes each")
_MODE = re.compile(r"#\s*MODE:\s*(\S+)")
_FAILED = re.compile(r"\s*(\d+\s+)+(out-of-mem|int-overflow|time-out)\.")
_REMEDY = "give the output as the benchmark printed it"
_WRONG = "with defects (wrong data arrived): do not use the numbers"

_US = 1e3
"""Nanoseconds of the unit of all times of IMB."""

_MEGA, _MEBI = 1e6, 2.0**20
"""Bytes of `Mbytes`: by version one or the other, under one name."""

_NEAR = 0.01
"""Share by which a printed bandwidth may be off the one computed from size and time."""

_COLUMNS = Columns((
    Column(r"t\[usec\]", "latency", "ns", "mean", _US),
    Column(r"t_avg\[usec\]", "latency", "ns", "mean", _US),
    Column(r"t_min\[usec\]", "latency", "ns", "min", _US),
    Column(r"t_max\[usec\]", "latency", "ns", "max", _US),
    Column(r"t_pure\[usec\]", "latency", "ns", "mean", _US),
    Column(r"t_ovrl\[usec\]", "overall_time", "ns", "mean", _US),
    Column(r"t_CPU\[usec\]", "compute_time", "ns", "mean", _US),
    Column(r"overlap\[%\]", "overlap", "ratio", "mean", 0.01),
    Column(r"Mbytes/sec", "bandwidth", "B/s", "mean", _MEGA),
    Column(r"Msg/sec", "message_rate", "1/s", "mean"),
    Column(r"#?repetitions", "iterations", "count", "given"),
), other=r"\S+")  # fmt: skip
"""Names of columns, and what they hold."""


@dataclass(slots=True)
class _Benchmark:
    """The benchmark whose lines are being read."""

    name: str = ""
    about: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)

    @property
    def series(self) -> str:
        """Name, and what tells benchmarks of one name apart."""
        return ", ".join([self.name, *self.about])


def recognises(content: Content) -> bool:
    """Whether a benchmark of IMB and its names of columns stand in the text."""
    return "#repetitions" in (content.text or "") and content.has(_TITLE)


def read(content: Content) -> list[pl.DataFrame]:
    """Every benchmark of the log, a row per size and statistic.

    Raises
    ------
    MeasurementError
        There is no complete line of results, or one is damaged.
    """
    rows: list[dict[str, object]] = []
    wrong = defaultdict[tuple[str, str], list[int]](list)
    benchmark = _Benchmark()
    for number, line in content.lines(_TITLE):
        started = _TITLE.match(line)
        if started:
            benchmark = _Benchmark(name=started.group(1))
        elif benchmark.columns and (failed := _FAILED.match(line)):
            wrong[benchmark.series, f"without a number ({failed.group(2)})"].append(number)
        elif benchmark.columns and _COLUMNS.is_row(line, benchmark.columns):
            rows += _row(content, (number, line.split()), benchmark)
            if _has_defects(line.split(), benchmark):
                wrong[benchmark.series, _WRONG].append(number)
        elif benchmark.name:
            _head(line.strip(), benchmark)
    if not rows:
        raise content.error("no IMB benchmark has results", _REMEDY)
    warn_of_rows(content, wrong)
    return [form.table(**_in_bytes(repeated(rows)).to_dict(as_series=True))]


def _head(line: str, benchmark: _Benchmark) -> None:
    """What a line between the title and the numbers says about the benchmark."""
    processes, groups, mode = _PROCESSES.match(line), _GROUPS.match(line), _MODE.match(line)
    if groups:
        benchmark.about.append(f"{groups.group(1)} groups of {groups.group(2)} processes")
    elif processes:
        benchmark.about.append(f"{processes.group(1)} processes")
    elif mode:
        benchmark.about.append(mode.group(1).lower())
    elif "#repetitions" in line:
        benchmark.columns = _COLUMNS.names(line.replace("#bytes", "bytes"))


def _row(
    content: Content, where: tuple[int, list[str]], benchmark: _Benchmark
) -> list[dict[str, object]]:
    number, words = where
    cells = list(_COLUMNS.cells(content, where, benchmark.columns, _REMEDY))
    named = dict(zip(benchmark.columns, words, strict=True))
    size = content.integer(named["bytes"], number, _REMEDY) if "bytes" in named else None
    series = benchmark.series + (f", group {named['Group']}" if "Group" in named else "")
    return [{"series": series, "bytes": size, **cell} for cell in cells]


def _has_defects(words: list[str], benchmark: _Benchmark) -> bool:
    """Whether IMB has counted wrong data in a row, which :func:`_row` has checked."""
    return float(dict(zip(benchmark.columns, words, strict=True)).get("defects", 0)) > 0


def _in_bytes(frame: pl.DataFrame) -> pl.DataFrame:
    """Bandwidths in bytes: the times beside them tell whether `Mbytes` are 10^6 or 2^20 of them."""
    times = frame.filter(
        (pl.col("quantity") == "latency") & (pl.col("bytes") > 0) & (pl.col("value") > 0)
    )
    keys = ["series", "bytes", "iteration"]
    slowest = times.group_by(keys).agg(time=pl.col("value").max())
    widths = frame.filter(pl.col("quantity") == "bandwidth").join(slowest, on=keys)
    votes = Counter(
        _unit(size / time * 1e9 / (width / _MEGA))
        for size, time, width in widths.select("bytes", "time", "value").iter_rows()
        if width >= 100 * _MEGA  # printed with enough digits
    )
    if votes[_MEBI] <= votes[_MEGA]:
        return frame
    bandwidth = pl.col("quantity") == "bandwidth"
    scaled = pl.when(bandwidth).then(pl.col("value") * (_MEBI / _MEGA)).otherwise("value")
    return frame.with_columns(scaled.alias("value"))


def _unit(ratio: float) -> float | None:
    """Bytes of `Mbytes` of a row, from bytes per second over `Mbytes/sec`; ``None`` if unclear.

    A row counts a message once, or two or four times (Sendrecv, Exchange).
    """
    for unit in (_MEGA, _MEBI):
        power = math.log2(ratio / unit) if ratio > 0 else math.inf
        if math.isfinite(power) and abs(power - round(power)) < _NEAR:
            return unit
    return None
