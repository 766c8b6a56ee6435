"""What else is known of a run: its replicas, its runs without other jobs, other variants."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from odonata.analysis.replicas import SEED
from odonata.core.errors import RunError
from odonata.output.explain.ratios import Ratio, ratio
from odonata.results import INDEX, Result, Sweep, load
from odonata.results.store import RUNS
from odonata.scenario.removal import NOBODY, WITHOUT


@dataclass(frozen=True)
class Around:
    """The other runs of the sweep of a run; none if it stands by itself.

    Attributes
    ----------
    sweep : Sweep or None
        All of them.
    row : dict
        Row of the run in the index.
    is_chosen : bool
        Whether the run was chosen to stand for its replicas.
    choice : str
        How its variant was chosen among several, in a sentence; empty if there was no choice.
    """

    sweep: Sweep | None = None
    row: dict[str, Any] = field(default_factory=dict)
    is_chosen: bool = False
    choice: str = ""

    @property
    def keys(self) -> list[str]:
        """Swept keys that tell variants apart."""
        if self.sweep is None:
            return []
        return [key for key in self.sweep.keys if key not in (SEED, WITHOUT)]

    @property
    def removals(self) -> dict[str, list[tuple[Result, Result]]]:
        """With and without a job, by the name of the job: pairs of runs of the same seed.

        The pair of the run itself comes first.
        """
        if self.sweep is None or self.row.get(WITHOUT, "") != NOBODY:
            return {}
        found: dict[str, list[tuple[Result, Result]]] = {}
        rows = list(self._like(*self.keys).iter_rows(named=True))
        whole = {row.get(SEED): row["run"] for row in rows if row[WITHOUT] == NOBODY}
        rows.sort(key=lambda row: row.get(SEED) != self.row.get(SEED))
        for row in rows:
            if row[WITHOUT] != NOBODY and row.get(SEED) in whole:
                pair = (self.sweep.runs[whole[row.get(SEED)]], self.sweep.runs[row["run"]])
                found.setdefault(row[WITHOUT], []).append(pair)
        return found

    @property
    def replicas(self) -> pl.DataFrame:
        """Rows of the index of the runs that differ in nothing but their seed, itself included."""
        if self.sweep is None or SEED not in self.sweep.keys:
            return pl.DataFrame()
        return self._like(WITHOUT, *self.keys)

    def others(self) -> list[tuple[str, pl.DataFrame]]:
        """Variants with the same jobs and work: in what they differ; rows of their replicas."""
        if self.sweep is None or not self.keys:
            return []
        same = self._like(WITHOUT)
        return [
            (told, rows)
            for rows in same.partition_by(self.keys, maintain_order=True)
            if (told := self._differing(rows.row(0, named=True)))
        ]

    def ratio(self, rows: pl.DataFrame, column: str) -> Ratio | None:
        """A figure of another variant over that of this one, seed by seed."""
        if self.sweep is None or column not in self.sweep.index.columns:
            return None
        by = [SEED] if SEED in self.sweep.keys else []
        here = _finished(self._like(WITHOUT, *self.keys)).select(*by, pl.col(column).alias("here"))
        there = _finished(rows).select(*by, column)
        both = there.join(here, on=by) if by else there.join(here, how="cross")
        return ratio(both[column].to_list(), both["here"].to_list())

    def _differing(self, row: dict[str, Any]) -> str:
        keys = [key for key in self.keys if row[key] != self.row[key]]
        if any("workload" in key or key.endswith("ranks_per_node") for key in keys):
            return ""  # other work: its time is not to be compared
        return ", ".join(f"{_short(key)} `{row[key]}`" for key in keys)

    def _like(self, *keys: str) -> pl.DataFrame:
        assert self.sweep is not None  # noqa: S101 - the callers have asked
        same = [
            pl.col(key).eq_missing(pl.lit(self.row[key])) for key in keys if key in self.sweep.keys
        ]
        return self.sweep.index.filter(*same)


def _finished(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("stop") == "finished")


def _short(key: str) -> str:
    """The end of a swept key: `placement` of `jobs.0.placement`, `bias` of `routing.bias`."""
    parts = key.split(".")
    last = parts[-1]
    return parts[-2] if last in ("kind", "algorithm") and len(parts) > 1 else last


def around(sweep: Sweep, run: str, *, is_chosen: bool = False, choice: str = "") -> Around:
    """What else there is in a sweep than one of its runs."""
    row = sweep.index.filter(pl.col("run") == run).row(0, named=True)
    return Around(sweep, row, is_chosen, choice)


def standing(sweep: Sweep, rows: pl.DataFrame, job: str | None) -> str:
    """Name of the run that stands for its replicas: that of the median slowdown.

    Parameters
    ----------
    sweep : Sweep
        All runs.
    rows : polars.DataFrame
        Rows of its index, of the replicas; at least one.
    job : str or None
        Whose slowdown; by default of the job that is slowed down most in the first of them.

    Returns
    -------
    str
        The first one where nothing has a slowdown.
    """
    names = rows["run"].to_list()
    if job is None:
        slowed = {
            one.name: one.slowdown for one in sweep.runs[names[0]].jobs.values() if one.slowdown
        }
        job = max(slowed, key=lambda name: slowed[name] or 0.0, default=None)
    column = f"{job}.slowdown"
    if job is None or column not in rows.columns:
        return str(names[0])
    known = _finished(rows.filter(pl.col(column).is_not_null()))
    if known.is_empty():
        return str(names[0])
    ordered = known.sort(column, maintain_order=True)
    return str(ordered["run"][(len(ordered) - 1) // 2])


def opened(directory: Path, job: str | None = None) -> tuple[Result, Around]:
    """The run that a folder is about, and what else is known of it.

    Parameters
    ----------
    directory : pathlib.Path
        A run, a run of a sweep, or a sweep.
    job : str, optional
        Whose variants and replicas are put in order.

    Returns
    -------
    tuple of Result and Around
        Of replicas, the one that stands for them; of variants, the one that slows the job most.

    Raises
    ------
    RunError
        There are no results, or several variants without a time to choose by.
    """
    found = load(directory)
    if isinstance(found, Sweep):
        return of_sweep(found, directory, job)
    place = Path(directory).resolve()
    sweep_folder = place.parent.parent
    if place.parent.name == RUNS and (sweep_folder / INDEX).is_file():
        sweep = load(sweep_folder)
        if isinstance(sweep, Sweep) and place.name in sweep.runs:
            return sweep.runs[place.name], around(sweep, place.name)
    return found, Around()


def of_sweep(sweep: Sweep, directory: Path, job: str | None = None) -> tuple[Result, Around]:
    """The run of a sweep that stands for it: of several variants, that of the slowest job.

    Raises
    ------
    RunError
        It holds no run, or several variants without a time to choose by.
    """
    if not len(sweep):
        raise RunError(f"{directory}: the sweep holds no run yet; wait for the first one.")
    rows = sweep.index
    if WITHOUT in sweep.keys:
        whole = rows.filter(pl.col(WITHOUT) == NOBODY)
        rows = rows if whole.is_empty() else whole
    keys = [key for key in sweep.keys if key not in (SEED, WITHOUT)]
    variants = rows.partition_by(keys, maintain_order=True) if keys else [rows]
    choice = ""
    if len(variants) > 1:
        rows, choice = _slowest(variants, keys, directory, job)
    name = standing(sweep, rows, job)
    return sweep.runs[name], around(sweep, name, is_chosen=len(rows) > 1, choice=choice)


_SLOWEST = {"slowdown": "is slowed down most", "comm_time_ns_mean": "communicates longest"}
"""Figures by which a variant is chosen, the first that any job has."""

_NAMED = 8
"""Runs that are named where there is nothing to choose by."""


def _slowest(
    variants: list[pl.DataFrame], keys: list[str], directory: Path, job: str | None
) -> tuple[pl.DataFrame, str]:
    """The variant in which a job is slowest, and a sentence about the choice."""
    for figure, words in _SLOWEST.items():
        columns = [name for name in variants[0].columns if name.endswith(f".{figure}")]
        if job is not None:
            columns = [name for name in columns if name == f"{job}.{figure}"]
        found = [
            (mean, -place, column.removesuffix(f".{figure}"))
            for place, rows in enumerate(variants)
            for column in columns
            if (mean := _finished(rows)[column].cast(pl.Float64).mean()) is not None
        ]
        if not found:
            continue
        _, place, name = max(found)
        rows = variants[-place]
        told = ", ".join(f"{_short(key)} `{rows[key][0]}`" for key in keys)
        return rows, (
            f"Of the {len(variants)} variants of this sweep, this is the one in which `{name}` "
            f"{words}: {told}. For another one give its run, such as "
            f"{directory / RUNS / variants[0 if place else 1]['run'][0]}."
        )
    names = [str(rows["run"][0]) for rows in variants]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    none = "no job has" if job is None else f"job `{job}`, which never ends, does not have"
    raise RunError(
        f"{directory} holds {len(variants)} variants, and {none} a time to choose one by; "
        f"give one of them: {', '.join(str(directory / RUNS / name) for name in names[:_NAMED])}"
        f"{more}."
    )
