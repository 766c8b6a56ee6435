"""Tables of many runs as one, whether each run has a folder, is packed, or is in memory."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from odonata.results.packed_parts import TASK, Stored
from odonata.results.packed_runs import PackedRuns
from odonata.results.run import Result

JOBS = "jobs"
"""The table of jobs, which no part holds: it is made of summaries."""


def front(table: pl.LazyFrame, about: pl.DataFrame) -> pl.LazyFrame:
    """A table with what is known of its run in front.

    Parameters
    ----------
    table : polars.LazyFrame
        Of one run.
    about : polars.DataFrame
        One row; columns that the table has itself are left out.

    Returns
    -------
    polars.LazyFrame
        The columns of the row, then those of the table.
    """
    there = table.collect_schema().names()
    new = [one for one in about.columns if one not in there]
    return table.select(*(pl.lit(about[one]).first().alias(one) for one in new), pl.all())


def of_runs(
    rows: Iterable[tuple[pl.DataFrame, Result]], *, only: str | None = None,
    beside_parts: bool = False,
) -> dict[str, list[pl.LazyFrame]]:  # fmt: skip
    """Tables of runs, run by run.

    Parameters
    ----------
    rows : iterable of (polars.DataFrame, Result)
        What stands in front of the tables of each run, in one row, and the run.
    only : str, optional
        The table that is wanted; by default all.
    beside_parts : bool
        Whether tables are left out that :func:`of_parts` gives of all runs at once.

    Returns
    -------
    dict of str to list of polars.LazyFrame
        By the name of the table, a frame per run.
    """
    found: dict[str, list[pl.LazyFrame]] = {}
    for about, run in rows:
        is_in_parts = beside_parts and isinstance(run.source, Stored)
        for name in (JOBS,) if is_in_parts else run.tables():
            if only in (None, name):
                found.setdefault(name, []).append(front(run.scan(name), about))
    return found


def of_parts(
    packs: PackedRuns, about: pl.DataFrame, *, alone: bool = False, only: str | None = None
) -> dict[str, pl.LazyFrame]:
    """Tables of all packed runs, or of their isolated runs with a column ``victim``.

    Parameters
    ----------
    packs : PackedRuns
        The runs.
    about : polars.DataFrame
        A row per run, in order: ``run``, and what else is to stand in front.
    alone : bool
        Whether the isolated runs are wanted.
    only : str, optional
        The table that is wanted; by default all.

    Returns
    -------
    dict of str to polars.LazyFrame
        By the name of the table.
    """
    tasks = [(name, one, victim) for name, (key, keys) in packs.runs.items()
             for victim, one in (keys.items() if alone else [(None, key)])]  # fmt: skip
    schema = {"run": pl.String, TASK: pl.String, "victim": pl.String}
    frame = pl.LazyFrame(tasks, schema=schema, orient="row")
    own = frame if alone else frame.drop("victim")
    return {name: _beside(scan, about.lazy(), own)
            for name, scan in packs.packed.scans(only).items()} if tasks else {}  # fmt: skip


def _beside(table: pl.LazyFrame, about: pl.LazyFrame, tasks: pl.LazyFrame) -> pl.LazyFrame:
    """Rows of packed tasks with what is known of their runs in front, in the order of the runs."""
    columns = table.collect_schema().names()
    known = about.with_row_index("_place").join(tasks, on="run")
    new = [one for one in known.collect_schema().names() if one not in (*columns, "_place")]
    known = known.select("_place", TASK, *new)
    rows = known.join(table.with_row_index("_row"), on=TASK).sort("_place", "_row")
    return rows.select(*new, *(one for one in columns if one != TASK))
