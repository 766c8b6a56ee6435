"""Output of the OSU Micro-Benchmarks, versions 3 to 7, also inside the log of a job.

A test begins with ``# OSU MPI Allreduce Latency Test v7.4``; the line of names before its first
number says what the columns are. Tests that stand in one log several times are repetitions.
"""

from __future__ import annotations

import re
from collections import Counter

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content

_TITLE = re.compile(r"#\s*OSU (.+? Test)(?:\s+v?([0-9.]+))?\s*$")
_REMEDY = "give the output as the benchmark printed it"

_COLUMNS: tuple[tuple[re.Pattern[str], str, str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), quantity, unit, statistic)
    for pattern, quantity, unit, statistic in (
        (r"P(\d+) Tail Lat\((\w+)\)", "latency", "ns", "p"),
        (r"P(\d+) Tail BW\(MB/s\)", "bandwidth", "B/s", "p"),
        (r"(?:Avg |Overall)?Lat(?:ency)?\s?\((\w+)\)", "latency", "ns", "mean"),
        (r"Min Lat(?:ency)?\s?\((\w+)\)", "latency", "ns", "min"),
        (r"Max Lat(?:ency)?\s?\((\w+)\)", "latency", "ns", "max"),
        (r"Bandwidth \(MB/s\)", "bandwidth", "B/s", "mean"),
        (r"MB/s", "bandwidth", "B/s", "mean"),
        (r"Messages/s", "message_rate", "1/s", "mean"),
        (r"Iterations", "iterations", "count", "given"),
    )
)
"""Names of columns, and what they hold."""


def recognises(content: Content) -> bool:
    """Whether a title of OSU stands in the text."""
    return "OSU MPI" in (content.text or "") and any(
        _TITLE.match(line) for line in (content.text or "").splitlines() if "OSU" in line
    )


def read(content: Content) -> list[pl.DataFrame]:
    """Every test of the log, a row per size and statistic.

    Raises
    ------
    MeasurementError
        There is no complete line of results, or one is damaged.
    """
    rows: list[dict[str, object]] = []
    repeats: Counter[str] = Counter()
    title, columns = "", list[str]()
    for number, line in content.lines():
        started = _TITLE.match(line.strip())
        if started:
            title, columns = started.group(1), []
            repeats[title] += 1
        elif line.lstrip().startswith("#"):
            names = re.split(r"\s{2,}|\t+", line.strip().lstrip("#").strip())
            if any(_meaning(name) for name in names):
                columns = names
        elif title and columns and re.match(r"\s*\d+(\.\d+)?(\s|$)", line):
            rows += _row(content, (number, line), columns, (title, repeats[title] - 1))
    if not rows:
        raise content.error("no test of OSU has a line of results", _REMEDY)
    return [form.table(**pl.DataFrame(rows, infer_schema_length=None).to_dict(as_series=True))]


def _meaning(name: str) -> tuple[str, str, str, float] | None:
    """Quantity, unit, statistic and factor to the unit, of a column."""
    for pattern, quantity, unit, statistic in _COLUMNS:
        match = pattern.fullmatch(name)
        if match is None:
            continue
        groups = match.groups()
        name = f"p{groups[0]}" if statistic == "p" else statistic
        if unit == "ns":
            return quantity, unit, name, form.NS_PER.get(groups[-1], 1e3)
        return quantity, unit, name, 1e6 if unit == "B/s" else 1.0
    return None


def _row(
    content: Content, where: tuple[int, str], columns: list[str], test: tuple[str, int]
) -> list[dict[str, object]]:
    number, line = where
    words = line.split()
    if len(words) != len(columns):
        raise content.error(
            f"there are {len(words)} values under {len(columns)} names", _REMEDY, number
        )
    size = None
    if columns[0].lower().startswith("size"):
        size = content.integer(words[0], number, _REMEDY)
    found = list[dict[str, object]]()
    for name, word in zip(columns, words, strict=True):
        meaning = _meaning(name)
        if meaning:
            quantity, unit, statistic, scale = meaning
            value = content.number(word, number, _REMEDY) * scale
            found.append({"series": test[0], "quantity": quantity, "unit": unit,
                          "statistic": statistic, "bytes": size, "iteration": test[1],
                          "value": value})  # fmt: skip
    return found
