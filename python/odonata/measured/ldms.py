"""Tables of LDMS (`store_csv`): readings of many counters at regular instants, a row per node.

The first line names the columns, ``#Time,Time_usec,ProducerName,component_id,job_id,...``; with
`altheader` it stands in a file ``NAME.HEADER`` beside the data. Metrics of the Aries samplers
(`aries_rtr_mmr`, `aries_nic_mmr`) are split into tile and counter. What ends in
``.rate`` is a rate.
"""

from __future__ import annotations

import io

import numpy as np
import polars as pl

from odonata.measured import aries, form
from odonata.measured.content import MOST_NUMBERS, Content

_REMEDY = "give a table that the store `store_csv` of LDMS wrote"
_KEYS = ("Time", "Time_usec", "DT", "DT_usec", "ProducerName", "component_id", "CompId", "job_id",
         "app_id", "UserData", "Flag")  # fmt: skip
"""Columns that are no metrics."""


def _header(content: Content) -> list[str] | None:
    first = content.head.partition("\n")[0].strip()
    if not first.lstrip("#").startswith("Time,"):
        other = content.beside(f"{content.name}.HEADER")
        first = other.decode("utf-8", "replace").partition("\n")[0].strip() if other else ""
    names = [name.strip() for name in first.lstrip("#").split(",")]
    return names if names[0] == "Time" and "ProducerName" in names else None


def recognises(content: Content) -> bool:
    """Whether the first line, or the file of headers beside it, is one of LDMS."""
    return not content.name.endswith(".HEADER") and _header(content) is not None


def read(content: Content) -> list[pl.DataFrame]:
    """Readings of every metric that is a number.

    Raises
    ------
    MeasurementError
        A line has too many or too few values, or one that is no number.
    """
    names = _header(content) or []
    if len(set(names)) < len(names):
        raise content.error("a column is there twice", _REMEDY, 1)
    raw = _raw(content, names)
    times = _numbers(content, raw["Time"], 1)
    metrics = [name for name in names if name not in _KEYS]
    if len(raw) * len(metrics) > MOST_NUMBERS:
        raise content.error(f"it has {len(raw)} rows of {len(metrics)} metrics, which is too much",
                            "split it")  # fmt: skip
    parts = []
    for name in metrics:
        if raw[name].str.strip_chars().cast(pl.Float64, strict=False).is_null().all():
            continue  # a text such as a coordinate
        series, place, bare = aries.split(name)
        is_rate = bare.partition("#")[0].endswith(".rate")
        parts.append(
            form.table(
                series=series or "LDMS",
                quantity=bare,
                unit="1/s" if is_rate else "count",
                statistic="mean" if is_rate else form.TOTAL,
                place=raw["ProducerName"] if place is None else raw["ProducerName"] + " " + place,
                time_ns=times * form.NS_PER["s"],
                value=_numbers(content, raw[name], names.index(name) + 1),
            )
        )
    if not parts:
        raise content.error("it has no metric", _REMEDY)
    return parts


def _raw(content: Content, names: list[str]) -> pl.DataFrame:
    """The table as text."""
    lines = [line for line in (content.text or "").splitlines() if line.strip()]
    body = [line for line in lines if not line.startswith("#") and not line.startswith("Time,")]
    if not body:
        raise content.error("the table has no row", _REMEDY)
    for number, line in content.lines():
        if line in body[:1] and line.count(",") + 1 != len(names):
            count = line.count(",") + 1
            raise content.error(f"there are {count} values under {len(names)} names", _REMEDY,
                                number)  # fmt: skip
    try:
        return pl.read_csv(io.StringIO("\n".join(body)), has_header=False, new_columns=names,
                           infer_schema=False, quote_char=None)  # fmt: skip
    except pl.exceptions.PolarsError as error:
        first = str(error).strip().splitlines()[0][:120]
        raise content.error(f"a line is damaged ({first})", _REMEDY) from None


def _numbers(content: Content, values: pl.Series, column: int) -> pl.Series:
    found = values.str.strip_chars().cast(pl.Float64, strict=False)
    right = found.is_not_null() & found.is_finite()
    if not right.all():
        row = int(np.argmin(right.to_numpy()))
        raise content.error(
            f"`{str(values[row])[:40]}` in column {column} of row {row + 1} is no number", _REMEDY
        )
    return found
