"""Tables that DragonView draws: counters of every directed link of an Aries machine, and jobs.

Counters: ``sg,sr,sc,dg,dr,dc,color,flits,stalls,...`` with flits and stalls of the eight virtual
channels; a link leads from router (group, row, column) to another, colours are green (row), black
(column) and blue (between groups). Jobs: ``g,r,c,n,jobid``, a row per node.
"""

from __future__ import annotations

import io

import polars as pl

from odonata.measured import form
from odonata.measured.content import MOST_NUMBERS, Content

_REMEDY = "give a table in the form of DragonView"
_LINKS = "sg,sr,sc,dg,dr,dc,color,"
_JOBS = "g,r,c,n,jobid"
_COLOURS = {"g": "green links", "k": "black links", "b": "blue links"}


def recognises(content: Content) -> bool:
    """Whether the first line is that of links or of jobs."""
    first = content.head.partition("\n")[0].strip()
    return first.startswith(_LINKS) or first == _JOBS


def read(content: Content) -> list[pl.DataFrame]:
    """Counters of links, or the jobs of nodes.

    Raises
    ------
    MeasurementError
        A line has too many or too few values, or one that is no number.
    """
    try:
        raw = pl.read_csv(io.StringIO(content.whole), infer_schema=False)
    except pl.exceptions.PolarsError as error:
        first = str(error).strip().splitlines()[0][:120]
        raise content.error(f"a line is damaged ({first})", _REMEDY) from None
    if raw.is_empty():
        raise content.error("the table has no rows", _REMEDY)
    return _jobs(content, raw) if raw.columns == _JOBS.split(",") else _links(content, raw)


def _whole(content: Content, raw: pl.DataFrame, name: str) -> pl.Series:
    found = raw[name].str.strip_chars().cast(pl.Int64, strict=False)
    if found.null_count():
        row = int(found.is_null().arg_max() or 0)
        raise content.error(
            f"`{str(raw[name][row])[:40]}` in column `{name}` is not a whole number",
            _REMEDY,
            row + 2,
        )
    return found


def _links(content: Content, raw: pl.DataFrame) -> list[pl.DataFrame]:
    wrong = raw.with_row_index().filter(~pl.col("color").is_in(list(_COLOURS)))
    if len(wrong):
        raise content.error(
            f"`{str(wrong['color'][0])[:20]}` is not a link colour (g, k, b)", _REMEDY,
            int(wrong["index"][0]) + 2,
        )  # fmt: skip
    counters = [
        name
        for name in raw.columns
        if name in {"flits", "stalls"} or name.startswith(("flits_vc_", "stalls_vc_"))
    ]
    if not counters or len(raw) * len(counters) > MOST_NUMBERS:
        raise content.error("it has no counters, or too many rows", _REMEDY)
    ends = {name: _whole(content, raw, name).cast(pl.String) for name in _LINKS.split(",")[:6]}
    place = pl.DataFrame(ends).select(
        pl.format("{}-{}-{} to {}-{}-{}", *ends)
    ).to_series()  # fmt: skip
    return [
        form.table(
            series=raw["color"].replace_strict(_COLOURS),
            quantity=name,
            unit="flits" if name.startswith("flits") else "cycles",
            statistic=form.DELTA,
            place=place,
            value=_whole(content, raw, name),
        )
        for name in counters
    ]


def _jobs(content: Content, raw: pl.DataFrame) -> list[pl.DataFrame]:
    ends = {name: _whole(content, raw, name).cast(pl.String) for name in "grcn"}
    place = pl.DataFrame(ends).select(pl.format("{}-{}-{} node {}", *ends)).to_series()
    return [
        form.table(
            series="placement",
            quantity="job",
            unit="id",
            statistic="given",
            place=place,
            value=_whole(content, raw, "jobid"),
        )
    ]
