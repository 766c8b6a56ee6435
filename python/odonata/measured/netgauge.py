"""Logs of Netgauge and of the programs that measure beside it in the cloud_noise suite.

Netgauge 2.4.6 (Hoefler et al.) writes a line per sample, ``#size rtt`` in us: `one_one` prints half
of the round trip. Its pattern `noise` (selfish) writes the detours of a busy loop, `loggp` the
parameters of LogGP by size. The suite (De Sensi et al., POMACS 6(3), 2022) adds the time of every
rank of a collective, of a matrix product (`gemm`) and of a loop with pauses (`hoverboard`).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import numpy as np
import polars as pl

from odonata.measured import form
from odonata.measured.columns import numbers, order_within
from odonata.measured.content import Content

_REMEDY = "give the file as Netgauge wrote it"
_HEADS = {
    "samples": r"#size\s+rtt\s*$",
    "ranks": r"#MessageSize\s+Rank0Time\((?P<unit>s|ms|us)\)",
    "detours": r"# Time \[ns\]\s+selfish duration \[ns\]",
    "loggp": r"# size n PRTT\(1,0,s\)",
    "gemm": r"#N\s+TIME\(s\)\s+GFLOPs/s",
    "pauses": r"# time\(ns\),sleep_time\(ns\),repetitions",
}
"""The line that tells what a file holds."""

_FIRST = re.compile("|".join(f"(?P<{kind}>{head})" for kind, head in _HEADS.items()))

_HEAD_LINES = 40
"""Lines within which it stands."""


def _head(content: Content) -> re.Match[str] | None:
    lines = content.lines(_FIRST, _HEAD_LINES)
    return next((head for _, line in lines if (head := _FIRST.match(line))), None)


def recognises(content: Content) -> bool:
    """Whether the head is one of Netgauge's."""
    return _head(content) is not None


def read(content: Content) -> list[pl.DataFrame]:
    """Samples of one file.

    Raises
    ------
    MeasurementError
        A line is damaged, or there is no sample.
    """
    readers = {"samples": _samples, "ranks": _ranks, "detours": _detours, "loggp": _loggp,
               "gemm": _gemm, "pauses": _pauses}  # fmt: skip
    head = _head(content)
    kind = next((kind for kind in readers if head and head[kind]), "samples")
    return readers[kind](content)


def _series(content: Content) -> str:
    return PurePosixPath(content.name).stem


def _samples(content: Content) -> list[pl.DataFrame]:
    """Latency by size, in the order of measuring."""
    found = numbers(content, 2, _REMEDY, _FIRST)
    sizes = _sizes(content, found[:, 0])
    return [
        form.table(
            series=_series(content),
            quantity="latency",
            unit="ns",
            statistic=form.SAMPLE,
            bytes=sizes,
            iteration=order_within(found[:, 0]),
            value=_times(content, found[:, 1]) * form.NS_PER["us"],
        )
    ]


def _sizes(content: Content, values: np.ndarray) -> np.ndarray:
    if (values != np.floor(values)).any() or values.min() < 0 or values.max() >= 2**62:
        raise content.error("a size is not a whole number of bytes", _REMEDY)
    return values.astype(np.int64)


def _times(content: Content, values: np.ndarray) -> np.ndarray:
    if values.min() < 0:
        raise content.error("a time is negative", _REMEDY)
    return values


def _ranks(content: Content) -> list[pl.DataFrame]:
    """Time of a collective on every rank; a row is one call."""
    match = _head(content)
    names = match.string.lstrip("#").split() if match else []
    unit = match["unit"] if match else "us"
    found = numbers(content, len(names), _REMEDY, _FIRST)
    sizes, calls = _sizes(content, found[:, 0]), order_within(found[:, 0])
    ranks = len(names) - 1
    return [
        form.table(
            series=_series(content),
            quantity="comm_time",
            unit="ns",
            statistic=form.SAMPLE,
            bytes=np.repeat(sizes, ranks),
            rank=np.tile(np.arange(ranks), len(found)),
            iteration=np.repeat(calls, ranks),
            value=_times(content, found[:, 1:].ravel()) * form.NS_PER[unit],
        )
    ]


def _detours(content: Content) -> list[pl.DataFrame]:
    """Detours of a busy loop, and how long it was watched."""
    found = numbers(content, 2, _REMEDY, _FIRST)
    head = "\n".join(line for _, line in content.lines(_FIRST) if line.startswith("#"))
    node = re.search(r"Nodename: (\S+)", head)
    period = re.search(r"Measurement period: ([0-9.]+) s", head)
    least = re.search(r"Minimal cycle length \[ns\]: ([0-9.]+)", head)
    watched = float(period.group(1)) * form.NS_PER["s"] if period else float(found[-1].sum())
    common = {"series": _series(content), "place": node.group(1) if node else None, "unit": "ns"}
    parts = [
        form.table(**common, quantity="detour", statistic=form.SAMPLE,
                   iteration=np.arange(len(found)), time_ns=_times(content, found[:, 0]),
                   value=_times(content, found[:, 1])),
        form.table(**common, quantity="watched", statistic="given", value=[watched]),
    ]  # fmt: skip
    if least:
        parts.append(form.table(**common, quantity="loop", statistic="min",
                                value=[float(least.group(1))]))  # fmt: skip
    return parts


_LOGGP = {"L": (5, "ns", 1e3), "o_s": (6, "ns", 1e3), "o_r": (7, "ns", 1e3),
          "g": (8, "ns", 1e3), "G": (9, "ns/B", 1e3)}  # fmt: skip
"""Parameters of LogGP: column, unit, units per one of the file (us, us per byte)."""


def _loggp(content: Content) -> list[pl.DataFrame]:
    """Parameters of LogGP by size; those that Netgauge could not find are left out."""
    rows = []
    for number, line in content.lines(_FIRST):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 11:
            raise content.error(
                f"there are {len(words)} values, but 11 are expected", _REMEDY, number
            )
        size = content.integer(words[0], number, _REMEDY)
        for name, (column, unit, scale) in _LOGGP.items():
            if words[column].lstrip("+-").lower() not in {"nan", "inf"}:
                value = content.number(words[column], number, _REMEDY) * scale
                rows.append((size, name, unit, value))
    if not rows:
        raise content.error("the table has no rows", _REMEDY)
    sizes, names, units, values = zip(*rows, strict=True)
    return [form.table(series=_series(content), statistic="given", bytes=sizes, quantity=names,
                       unit=units, value=values)]  # fmt: skip


def _gemm(content: Content) -> list[pl.DataFrame]:
    """Times of matrix products: the noise of a host that does not communicate."""
    found = numbers(content, 4, _REMEDY, _FIRST)
    return [
        form.table(
            series=f"{_series(content)}",
            quantity="compute_time",
            unit="ns",
            statistic=form.SAMPLE,
            iteration=np.arange(len(found)),
            value=_times(content, found[:, 1]) * form.NS_PER["s"],
        )
    ]


def _pauses(content: Content) -> list[pl.DataFrame]:
    """Times of a transfer after a pause; a series for every length of the pause."""
    rows, size = [], None
    for number, line in content.lines(_FIRST):
        test = re.match(r"# Hoverboard test \((\d+) ", line)
        if test:
            size = int(test.group(1))
        words = line.partition("#")[0].split(",")
        if words == [""]:
            continue
        if len(words) != 3:
            raise content.error(
                f"there are {len(words)} values, but 3 are expected", _REMEDY, number
            )
        values = [content.integer(word, number, _REMEDY) for word in words]
        rows.append((size, values[1], values[0]))
    if not rows:
        raise content.error("the table has no rows", _REMEDY)
    frame = pl.DataFrame(rows, schema=["bytes", "pause", "value"], orient="row")
    frame = frame.with_columns(iteration=pl.int_range(pl.len()).over("pause"))
    return [
        form.table(
            series=[f"{_series(content)} after {pause} ns" for pause in frame["pause"]],
            quantity="latency",
            unit="ns",
            statistic=form.SAMPLE,
            bytes=frame["bytes"],
            iteration=frame["iteration"],
            value=frame["value"],
        )
    ]
