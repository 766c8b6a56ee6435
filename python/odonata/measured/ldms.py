"""Tables of LDMS (`store_csv`): readings of many counters at regular instants, a row per node.

A line of names stands first, ``#Time,Time_usec,ProducerName,component_id,job_id,...``; a decomposed
table has ``#timestamp,producer,instance,...`` and may have several rows per node and instant. With
`altheader` the names stand in a file ``NAME.HEADER`` beside the data. A daemon that starts again
writes names again, which hold from there on. Metrics of the Aries samplers (`aries_rtr_mmr`,
`aries_nic_mmr`) are split into tile and counter. What ends in ``.rate`` is a rate.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from odonata.measured import aries, form
from odonata.measured.content import MOST_NUMBERS, Content

_REMEDY = "give a table that the store `store_csv` of LDMS wrote"
_TIMES = ("Time", "timestamp", "ts")
_NODES = ("ProducerName", "producer")
_INSTANCE = "instance"
_KEYS = (*_TIMES, *_NODES, _INSTANCE, "Time_usec", "DT", "DT_usec", "component_id", "CompId",
         "job_id", "app_id", "UserData", "Flag")  # fmt: skip
"""Columns that are no metrics."""


@dataclass(slots=True)
class _Section:
    """Rows under one line of names, with the numbers of their lines."""

    names: list[str]
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    @property
    def metrics(self) -> list[str]:
        """Names of what was read."""
        return [name for name in self.names if name not in _KEYS]

    def one_of(self, wanted: tuple[str, ...]) -> str:
        """The name that is there of some."""
        return next(name for name in self.names if name in wanted)


def _names(line: str) -> list[str] | None:
    """Names of columns, if a line has them."""
    if not any(name in line for name in _NODES):
        return None
    names = [name.strip() for name in line.strip().lstrip("#").split(",")]
    return names if set(names) & set(_TIMES) and set(names) & set(_NODES) else None


def _header(content: Content) -> list[str] | None:
    found = _names(content.head.partition("\n")[0])
    other = None if found else content.beside(f"{content.name}.HEADER")
    return _names(other.decode("utf-8", "replace").partition("\n")[0]) if other else found


def recognises(content: Content) -> bool:
    """Whether the first line, or the file of headers beside it, is one of LDMS."""
    return not content.name.endswith(".HEADER") and _header(content) is not None


def read(content: Content) -> list[pl.DataFrame]:
    """Readings of every metric that is a number.

    Raises
    ------
    MeasurementError
        A line has too many or too few values, or one that is no number; or rows of one node and
        instant cannot be told apart.
    """
    sections = [section for section in _sections(content) if section.rows]
    if not sections:
        raise content.error("the table has no rows", _REMEDY)
    size = sum(len(one.rows) * len(one.metrics) for one in sections)
    if size > MOST_NUMBERS:
        raise content.error(f"it has {size} readings, which is too many", "split it")
    parts = [part for section in sections for part in _readings(content, section)]
    if not parts:
        raise content.error("it has no metrics", _REMEDY)
    return parts


def _sections(content: Content) -> list[_Section]:
    """The table, divided where other names begin to hold."""
    found = [_Section(_header(content) or [])]
    for number, line in content.lines():
        names = _names(line)
        if names is not None and names != found[-1].names:
            found.append(_Section(names))
        if not found[-1].rows and len(set(found[-1].names)) < len(found[-1].names):
            raise content.error("a column name appears twice", _REMEDY, number)
        if names is not None or line.startswith("#") or not line.strip():
            continue
        count, wanted = line.count(",") + 1, len(found[-1].names)
        if count != wanted:
            raise content.error(
                f"there are {count} values for {wanted} column names", _REMEDY, number
            )
        found[-1].rows.append(line)
        found[-1].lines.append(number)
    return found


def _readings(content: Content, section: _Section) -> list[pl.DataFrame]:
    """Every metric of a section."""
    try:
        raw = pl.read_csv(io.StringIO("\n".join(section.rows)), has_header=False,
                          new_columns=section.names, infer_schema=False,
                          quote_char=None)  # fmt: skip
    except pl.exceptions.PolarsError as error:
        first = str(error).strip().splitlines()[0][:120]
        raise content.error(f"a line is damaged ({first})", _REMEDY) from None
    times = _numbers(content, section, raw[section.one_of(_TIMES)])
    texts = [name for name in section.metrics if _floats(raw[name]).is_null().all()]
    nodes = _places(content, section, raw, texts)
    parts = []
    for name in section.metrics:
        if name in texts:
            continue  # such as a coordinate
        series, place, bare = aries.split(name)
        is_rate = bare.partition("#")[0].endswith(".rate")
        parts.append(
            form.table(
                series=series or "LDMS",
                quantity=bare,
                unit="1/s" if is_rate else "count",
                statistic="mean" if is_rate else form.TOTAL,
                place=nodes if place is None else nodes + " " + place,
                time_ns=times * form.NS_PER["s"],
                value=_numbers(content, section, raw[name]),
            )
        )
    return parts


def _places(content: Content, section: _Section, raw: pl.DataFrame, texts: list[str]) -> pl.Series:
    """Where each row was read: the node, and what else tells the rows of an instant apart."""
    time, node = section.one_of(_TIMES), section.one_of(_NODES)
    parts = [node]
    if _INSTANCE in raw.columns:
        # Instances are called NODE/NAME.
        name = pl.col(_INSTANCE).str.strip_prefix(pl.col(node) + "/")
        raw = raw.with_columns(name.alias(_INSTANCE))
        if raw.select(node, _INSTANCE).n_unique() > raw[node].n_unique():
            parts.append(_INSTANCE)
    if raw.select(time, *parts).is_duplicated().any():
        parts += [name for name in texts if raw[name].n_unique() > 1]
    double = raw.select(time, *parts).is_duplicated() & ~raw.is_duplicated()
    if double.any():
        row = int(double.arg_max() or 0)
        raise content.error(
            (f"`{raw[node][row]}` has several rows at this instant, and no text column "
            "distinguishes them"),
            "give a table with one row per node and instant", section.lines[row],
        )  # fmt: skip
    return raw.select(pl.concat_str(parts, separator=" ", ignore_nulls=True)).to_series()


def _floats(values: pl.Series) -> pl.Series:
    return values.str.strip_chars().cast(pl.Float64, strict=False)


def _numbers(content: Content, section: _Section, values: pl.Series) -> pl.Series:
    found = _floats(values)
    right = found.is_not_null() & found.is_finite()
    if not right.all():
        row = int(np.argmin(right.to_numpy()))
        column = section.names.index(values.name) + 1
        raise content.error(
            f"`{str(values[row])[:40]}` in column {column} is not a number", _REMEDY,
            section.lines[row],
        )  # fmt: skip
    return found
