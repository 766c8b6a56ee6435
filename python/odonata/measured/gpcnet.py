"""Tables of GPCNeT: ``network_test`` and ``network_load_test``, plain and verbose.

Titles, columns and units are those of version 1.3 (`utils.c`): `Isolated Network Tests`, `Isolated
Congestion Tests`, `Network Tests running with Congestion Tests`, and the congestion impact factors
under `Key Results`.
"""

from __future__ import annotations

import re
from collections import Counter

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content

_REMEDY = "give the output as GPCNeT printed it"
_TITLES = (
    ("Network Tests running with Congestion Tests - Key Results", "impact"),
    ("Network Tests running with Congestion Tests", "congested"),
    ("Isolated Congestion Tests", "isolated"),
    ("Isolated Network Tests", "isolated"),
)
"""Titles of tables, the longer first, and the condition of their rows."""

STATISTICS = {"Min": "min", "Max": "max", "Avg": "mean", "Avg(Worst)": "mean_worst",
              "99%": "p99", "99.9%": "p99.9"}  # fmt: skip
"""Columns of numbers."""

UNITS = {"usec": ("latency", "ns", 1e3), "MiB/s/rank": ("bandwidth", "B/s", 2.0**20)}
"""Units of GPCNeT: quantity, unit of the form, how many of it."""

IMPACT = "congestion_impact"
"""Quantity of the congestion impact factors."""


def recognises(content: Content) -> bool:
    """Whether a table of GPCNeT stands in the text."""
    text = content.text or ""
    return "Isolated Network Tests" in text and "| " in text


def read(content: Content) -> list[pl.DataFrame]:
    """Every table of the log.

    Raises
    ------
    MeasurementError
        A table has no row, or one is damaged.
    """
    rows: list[dict[str, object]] = []
    condition, names, repeats = "", list[str](), Counter[str]()
    for number, line in content.lines():
        cells = _cells(line)
        title = next((kind for text, kind in _TITLES if cells and text in cells[0]), None)
        if title and len(cells) == 1:
            condition, names = title, []
            repeats[cells[0].partition("(")[0].strip()] += 1
        elif condition and cells and cells[0] == "Name":
            names = cells
        elif condition == "impact" and cells[:1] == [""] and len(cells) == 3:
            names = ["Name", *cells[1:]]
        elif condition and names and len(cells) > 1:
            rows += _row(content, (number, cells), names, condition)
    if not rows:
        raise content.error("no table of GPCNeT has a row", _REMEDY)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    keys = ["series", "condition", "quantity", "statistic"]
    frame = frame.with_columns(iteration=pl.int_range(pl.len()).over(keys))
    return [form.table(**frame.to_dict(as_series=True))]


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
            f"there are {len(cells)} cells under {len(names)} names", _REMEDY, number
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
