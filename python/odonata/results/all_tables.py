"""Tables of many runs as one, whether each run has a folder, is packed, or is in memory."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from odonata.results.packed_parts import TASK
from odonata.results.packed_runs import PackedRuns
from odonata.results.run import Result

JOBS = "jobs"
"""The table of jobs, which no part holds: it is made of summaries."""


def tables(
    runs: Mapping[str, Result], packs: PackedRuns, about: pl.DataFrame, *, alone: bool = False,
    only: str | None = None,
) -> dict[str, list[pl.LazyFrame]]:  # fmt: skip
    """Tables of runs, or of their isolated runs with a column ``victim``.

    Parameters
    ----------
    runs : mapping
        The runs by name.
    packs : PackedRuns
        Those that are packed.
    about : polars.DataFrame
        A row per run, in order: ``run``, and what else is to stand in front.
    alone : bool
        Whether the isolated runs are wanted.
    only : str, optional
        The table that is wanted; by default all.

    Returns
    -------
    dict of str to list of polars.LazyFrame
        By the name of the table, a frame per run, and one of all that are packed.
    """
    found: dict[str, list[pl.LazyFrame]] = {}
    for row in about.iter_slices(1):
        name = row["run"][0]
        is_packed = name in packs
        if is_packed and only not in (None, JOBS):
            continue
        run = runs[name]
        isolated = [(row.with_columns(pl.lit(victim).alias("victim")), one)
                    for victim, one in run.baselines.items()]  # fmt: skip
        for front, one in isolated if alone else [(row, run)]:
            for table in (JOBS,) if is_packed else one.tables():
                if only in (None, table):
                    found.setdefault(table, []).append(_behind(front, one.scan(table)))
    for name, frame in _of_parts(packs, about, alone=alone, only=only).items():
        found.setdefault(name, []).append(frame)
    return found


def _behind(about: pl.DataFrame, table: pl.LazyFrame) -> pl.LazyFrame:
    """A table of one run behind what is known of the run, but for columns that it has itself."""
    there = table.collect_schema().names()
    new = [one for one in about.columns if one not in there]
    return table.select(*(pl.lit(about[one]).first().alias(one) for one in new), pl.all())


def _of_parts(
    packs: PackedRuns, about: pl.DataFrame, *, alone: bool, only: str | None
) -> dict[str, pl.LazyFrame]:
    """Tables of all packed runs at once."""
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
