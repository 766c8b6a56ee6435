"""Tables in the form of Odonata itself: CSV or Parquet with columns of the form."""

from __future__ import annotations

import io

import polars as pl

from odonata.core import files
from odonata.measured import form
from odonata.measured.content import MOST_NUMBERS, Content

_REMEDY = "give a table with columns of the form, see docs/noise.md"


def recognises(content: Content) -> bool:
    """Whether it is Parquet, or its first line names `quantity` and `value`."""
    if content.data.startswith(b"PAR1"):
        return True
    first = content.head.partition("\n")[0].replace('"', "").split(",")
    return {"quantity", "value"} <= {name.strip() for name in first}


def read(content: Content) -> list[pl.DataFrame]:
    """The table, its missing columns null.

    Raises
    ------
    MeasurementError
        It is damaged, or has columns that are not of the form.
    """
    try:
        if content.data.startswith(b"PAR1"):
            frame = files.read_parquet(content.data, is_ours=False)
        else:
            frame = pl.read_csv(io.StringIO(content.whole), infer_schema=False)
    except files.UnreadableError as error:
        raise content.error(str(error), _REMEDY) from None
    except pl.exceptions.PolarsError as error:
        first = str(error).strip().splitlines()[0][:120]
        raise content.error(f"a line is damaged ({first})", _REMEDY) from None
    if len(frame) > MOST_NUMBERS:
        raise content.error(f"it has {len(frame)} rows, which is too many", "split it")
    found = form.checked(frame, content.label)
    if found.is_empty():
        raise content.error("the table has no rows", _REMEDY)
    if found["value"].null_count() or not found["value"].is_finite().all():
        raise content.error("column `value` has a row without a number", _REMEDY)
    return [found]
