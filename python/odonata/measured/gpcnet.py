"""Tables of GPCNeT: ``network_test`` and ``network_load_test``, plain and verbose.

Titles, columns and units are those of version 1.3 (`utils.c`): `Isolated Network Tests`, `Isolated
Congestion Tests`, `Network Tests running with Congestion Tests`, and the congestion impact factors
under `Key Results`. Every row is followed by a line, so that a table that is cut short is seen;
``network_load_test`` prints every isolated test again under congestion, and its impact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content
from odonata.measured.printed import repeated

_REMEDY = "give the output as GPCNeT printed it"
_WHOLE = "give the whole output of GPCNeT"
_LOAD = re.compile(r"\s*NetworkLoad Tests v")
_TITLES = (
    ("Network Tests running with Congestion Tests - Key Results", "impact"),
    ("Network Tests running with Congestion Tests", "congested"),
    ("Isolated Congestion Tests", "isolated"),
    ("Isolated Network Tests", "isolated"),
)
"""Titles of tables, the longer first, and the condition of their rows."""

_TESTS = "Isolated Network Tests"
"""The first table of a run: what is measured again under congestion."""

_FIRST = re.compile(rf"{_LOAD.pattern}|\s*\|\s*(?:{'|'.join(title for title, _ in _TITLES)})")

STATISTICS = {"Min": "min", "Max": "max", "Avg": "mean", "Avg(Worst)": "mean_worst",
              "99%": "p99", "99.9%": "p99.9"}  # fmt: skip
"""Columns of numbers."""

UNITS = {"usec": ("latency", "ns", 1e3), "MiB/s/rank": ("bandwidth", "B/s", 2.0**20)}
"""Units of GPCNeT: quantity, unit of the form, how many of it."""

IMPACT = "congestion_impact"
"""Quantity of the congestion impact factors."""


@dataclass(slots=True)
class _Table:
    """A table and the tests in it."""

    title: str
    condition: str
    line: int
    names: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    is_closed: bool = True


@dataclass(slots=True)
class _Run:
    """The tables of one run of a program of GPCNeT."""

    is_load: bool
    tables: list[_Table] = field(default_factory=list)

    def tests(self, title: str) -> set[str]:
        """Tests in tables under a title."""
        return {test for one in self.tables if one.title == title for test in one.tests}


def recognises(content: Content) -> bool:
    """Whether a table of GPCNeT stands in the text."""
    return _TESTS in (content.text or "") and content.has(_FIRST)


def read(content: Content) -> list[pl.DataFrame]:
    """Every table of the log.

    Raises
    ------
    MeasurementError
        A table has no row, one is damaged, or the output is cut short.
    """
    runs, is_load = list[_Run](), False
    rows: list[dict[str, object]] = []
    for number, line in content.lines(_FIRST):
        cells = _cells(line)
        title = next((text for text, _ in _TITLES if cells and text in cells[0]), None)
        is_load = is_load or bool(_LOAD.match(line))
        if title and len(cells) == 1:
            if title == _TESTS or not runs:
                runs.append(_Run(is_load))
                is_load = False
            runs[-1].tables.append(_Table(title, dict(_TITLES)[title], number))
        elif runs:
            rows += _line(content, (number, line), runs[-1].tables[-1])
    for run in runs:
        _check_whole(content, run)
    if not rows:
        raise content.error("no GPCNeT table has rows", _REMEDY)
    return [form.table(**repeated(rows).to_dict(as_series=True))]


def _line(content: Content, where: tuple[int, str], table: _Table) -> list[dict[str, object]]:
    """Numbers of a line below a title, if it is a row; names and ends are noted in the table."""
    number, line = where
    cells = _cells(line)
    if cells and cells[0] == "Name":
        table.names = cells
    elif table.condition == "impact" and cells[:1] == [""] and len(cells) == 3:
        table.names = ["Name", *cells[1:]]
    elif table.names and len(cells) > 1:
        found = _row(content, (number, cells), table.names, table.condition)
        table.tests.append(cells[0])
        table.is_closed = False
        return found
    elif re.fullmatch(r"\s*\+[-+]+\+\s*", line):
        table.is_closed = True
    return []


def _check_whole(content: Content, run: _Run) -> None:
    """Refuse a run that ends before all of its results are there."""
    for table in run.tables:
        if not (table.tests and table.is_closed):
            raise content.error(f"the table `{table.title}` is truncated", _WHOLE, table.line)
    if not run.is_load and len(run.tables) == 1:
        return
    for title, condition in _TITLES:
        missing = run.tests(_TESTS) - run.tests(title)
        if condition != "isolated" and missing:
            raise content.error(f"it is truncated: `{title}` lacks `{min(missing)}`", _WHOLE)


def _cells(line: str) -> list[str]:
    line = line.strip()
    if not (line.startswith("|") and line.endswith("|") and len(line) > 1):
        return []
    return [cell.strip() for cell in line[1:-1].split("|")]


def _row(
    content: Content, where: tuple[int, list[str]], names: list[str], condition: str
) -> list[dict[str, object]]:
    number, cells = where
    if len(cells) != len(names):
        raise content.error(
            f"there are {len(cells)} cells for {len(names)} column names", _REMEDY, number
        )
    row = dict(zip(names, cells, strict=True))
    test = row["Name"]
    size = re.search(r"\((\d+) B\)", test)
    if condition == "impact":
        quantity, unit, scale = IMPACT, "ratio", 1.0
    elif row.get("Units") in UNITS:
        quantity, unit, scale = UNITS[row["Units"]]
    else:
        raise content.error(f"unit `{row.get('Units', '')[:20]}` is not known", _REMEDY, number)
    found = list[dict[str, object]]()
    for name, statistic in STATISTICS.items():
        if name in row:
            value = content.number(row[name].removesuffix("X"), number, _REMEDY) * scale
            found.append({"series": test, "condition": None if condition == "impact" else condition,
                          "quantity": quantity, "unit": unit, "statistic": statistic,
                          "bytes": int(size.group(1)) if size else None,
                          "value": value})  # fmt: skip
    return found
