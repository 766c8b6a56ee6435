"""The one table form of measured and simulated data: a row per number, described by its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from odonata.core.errors import MeasurementError


@dataclass(frozen=True, slots=True, kw_only=True)
class FormColumn:
    """One column of the form.

    Attributes
    ----------
    name : str
        Its name; the unit at its end where it has one.
    dtype : type
        Type of its values in polars.
    meaning : str
        What it holds.
    """

    name: str
    dtype: type[pl.DataType]
    meaning: str


FORM = (
    FormColumn(name="source", dtype=pl.String, meaning="file or run that the number comes from"),
    FormColumn(name="world", dtype=pl.String, meaning="`measured` or `simulated`"),
    FormColumn(
        name="series",
        dtype=pl.String,
        meaning="what was repeated or watched: a benchmark, a job, a set of counters",
    ),
    FormColumn(
        name="condition",
        dtype=pl.String,
        meaning="under what: `isolated`, `congested`, `alone`, `beside`, a routing mode; "
        "null if the source does not say",
    ),
    FormColumn(
        name="quantity",
        dtype=pl.String,
        meaning="what was measured: `latency`, `bandwidth`, `comm_time`, the name of a counter",
    ),
    FormColumn(name="unit", dtype=pl.String, meaning="unit of `value`; times are always `ns`"),
    FormColumn(
        name="statistic",
        dtype=pl.String,
        meaning="`sample`: one observation; `total`: reading of a counter that only grows; "
        "`delta`: counted in `interval_ns`; otherwise what the source computed: `mean`, "
        "`min`, `max`, `p50`, `p99`, ...",
    ),
    FormColumn(name="bytes", dtype=pl.Int64, meaning="size of the message; null without one"),
    FormColumn(name="rank", dtype=pl.Int64, meaning="process, from 0; null if it is of none"),
    FormColumn(
        name="iteration",
        dtype=pl.Int64,
        meaning="place in the order of measuring, from 0, within series, size and rank; "
        "null without order",
    ),
    FormColumn(
        name="place", dtype=pl.String, meaning="node, NIC, tile or link; null if it is of none"
    ),
    FormColumn(
        name="time_ns",
        dtype=pl.Float64,
        meaning="instant of the observation or reading, in the clock of the source; null without",
    ),
    FormColumn(
        name="interval_ns",
        dtype=pl.Float64,
        meaning="time over which a `delta` was counted; null if it is not known",
    ),
    FormColumn(name="value", dtype=pl.Float64, meaning="the number"),
)
"""Columns in order."""

SCHEMA: Mapping[str, type[pl.DataType]] = {column.name: column.dtype for column in FORM}
"""Type of each column."""

SAMPLE, TOTAL, DELTA = "sample", "total", "delta"
"""Values of ``statistic`` that analyses look for."""

NS_PER = {"s": 1e9, "ms": 1e6, "us": 1e3, "usec": 1e3, "ns": 1.0}
"""Nanoseconds of each unit of time that sources use."""


def table(**columns: Any) -> pl.DataFrame:  # noqa: ANN401 - a value, a sequence or a series
    """A frame in the form, of columns and of values that hold for all rows.

    Parameters
    ----------
    **columns
        By name: a sequence or array (a value per row), or one value for all rows. What is left
        out is null. At least one must be a sequence.

    Returns
    -------
    polars.DataFrame
        All columns of the form, in order.

    Raises
    ------
    TypeError
        There is no such column in the form.

    Examples
    --------
    >>> table(series="ping", value=[1.0, 2.0])["value"].to_list()
    [1.0, 2.0]
    """
    unknown = set(columns) - set(SCHEMA)
    if unknown:
        raise TypeError(f"these columns are not part of the form: {', '.join(sorted(unknown))}")
    fixed = {k: v for k, v in columns.items() if v is None or isinstance(v, str | int | float)}
    found = {
        name: pl.Series(name, values, strict=False)
        for name, values in columns.items()
        if name not in fixed
    }
    count = len(next(iter(found.values())))
    for name, dtype in SCHEMA.items():
        if name in found:
            found[name] = found[name].cast(dtype)
        else:
            found[name] = pl.Series(name, [fixed.get(name)], dtype=dtype).new_from_index(0, count)
    return pl.DataFrame([found[name] for name in SCHEMA])


def empty() -> pl.DataFrame:
    """A frame in the form without rows."""
    return pl.DataFrame(schema=dict(SCHEMA))


def joined(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Frames in the form, one below the other.

    Parameters
    ----------
    parts : list of polars.DataFrame
        Each in the form.

    Returns
    -------
    polars.DataFrame
        In the form; empty if there is no part.
    """
    return pl.concat(parts) if parts else empty()


def checked(frame: pl.DataFrame, what: str) -> pl.DataFrame:
    """A frame that someone else made, in the form.

    Parameters
    ----------
    frame : polars.DataFrame
        With some columns of the form, ``value`` and ``quantity`` among them.
    what : str
        Where it comes from, for the error message.

    Returns
    -------
    polars.DataFrame
        In the form; columns that it has not are null, ``statistic`` is `sample`.

    Raises
    ------
    MeasurementError
        A column is missing, unknown, or of another type.
    """
    for name in ("quantity", "value"):
        if name not in frame.columns:
            raise MeasurementError(
                f"{what}: there is no column `{name}`; a table in the form of Odonata has the "
                f"columns {', '.join(SCHEMA)}."
            )
    unknown = [name for name in frame.columns if name not in SCHEMA]
    if unknown:
        raise MeasurementError(
            f"{what}: column `{unknown[0][:60]}` is not part of the form; remove it. Columns: "
            f"{', '.join(SCHEMA)}."
        )
    try:
        filled = frame.with_columns(
            pl.lit(None).alias(name) for name in SCHEMA if name not in frame.columns
        ).select(pl.col(name).cast(SCHEMA[name]) for name in SCHEMA)
    except pl.exceptions.PolarsError as error:
        first = str(error).strip().splitlines()[0][:200]
        raise MeasurementError(
            f"{what}: a column has the wrong type ({first}); see the columns in docs/noise.md."
        ) from None
    return filled.with_columns(pl.col("statistic").fill_null(SAMPLE))
