"""What else is known of a run: its replicas, its runs without other jobs, other variants."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from odonata.analysis.replicas import SEED
from odonata.core.errors import RunError
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
    """

    sweep: Sweep | None = None
    row: dict[str, Any] = field(default_factory=dict)
    is_chosen: bool = False

    @property
    def keys(self) -> list[str]:
        """Swept keys that tell variants apart."""
        if self.sweep is None:
            return []
        return [key for key in self.sweep.keys if key not in (SEED, WITHOUT)]

    @property
    def removals(self) -> dict[str, Result]:
        """The run once more without a job, by the name of the job; of the same seed."""
        if self.sweep is None or self.row.get(WITHOUT, "") != NOBODY:
            return {}
        rows = self._like(SEED, *self.keys).filter(pl.col(WITHOUT) != NOBODY)
        return {row[WITHOUT]: self.sweep.runs[row["run"]] for row in rows.iter_rows(named=True)}

    @property
    def replicas(self) -> pl.DataFrame:
        """Rows of the index of the runs that differ in nothing but their seed, itself included."""
        if self.sweep is None or SEED not in self.sweep.keys:
            return pl.DataFrame()
        return self._like(WITHOUT, *self.keys)

    def others(self) -> list[tuple[str, dict[str, Any]]]:
        """Variants of the same seed and jobs that do the same: in what they differ; their rows."""
        if self.sweep is None or not self.keys:
            return []
        return [
            (told, row)
            for row in self._like(SEED, WITHOUT).iter_rows(named=True)
            if (told := self._differing(row))
        ]

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


def _short(key: str) -> str:
    """The end of a swept key: `placement` of `jobs.0.placement`, `bias` of `routing.bias`."""
    parts = key.split(".")
    last = parts[-1]
    return parts[-2] if last in ("kind", "algorithm") and len(parts) > 1 else last


def around(sweep: Sweep, run: str, *, is_chosen: bool = False) -> Around:
    """What else there is in a sweep beside one of its runs."""
    row = sweep.index.filter(pl.col("run") == run).row(0, named=True)
    return Around(sweep, row, is_chosen)


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
    known = rows.filter(pl.col(column).is_not_null() & (pl.col("stop") == "finished"))
    if known.is_empty():
        return str(names[0])
    ordered = known.sort(column, maintain_order=True)
    return str(ordered["run"][(len(ordered) - 1) // 2])


def opened(directory: Path, job: str | None = None) -> tuple[Result, Around]:
    """The run that a folder is about, and what else is known of it.

    Parameters
    ----------
    directory : pathlib.Path
        A run, a run of a sweep, or a sweep of one variant: replicas, runs without other jobs.
    job : str, optional
        Whose replicas are put in order.

    Returns
    -------
    tuple of Result and Around
        Of replicas, the one that stands for them.

    Raises
    ------
    RunError
        There are no results, or those of several variants.
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
    """The run of a sweep of one variant that stands for it.

    Raises
    ------
    RunError
        It holds no run, or several variants.
    """
    if not len(sweep):
        raise RunError(f"{directory}: the sweep holds no run yet; wait for the first one.")
    rows = sweep.index
    if WITHOUT in sweep.keys:
        rows = rows.filter(pl.col(WITHOUT) == NOBODY)
    keys = [key for key in sweep.keys if key not in (SEED, WITHOUT)]
    is_one = not rows.is_empty() and (not keys or rows.select(keys).n_unique() == 1)
    if not is_one:
        raise RunError(
            f"{directory} holds a sweep of {len(sweep)} runs; name one of them, such as "
            f"{directory / RUNS / next(iter(sweep.runs))}."
        )
    name = standing(sweep, rows, job)
    return sweep.runs[name], around(sweep, name, is_chosen=len(rows) > 1)
