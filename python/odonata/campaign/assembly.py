"""The runs of a scenario, each made of its tasks: as results, in the folder, and in the index."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import polars as pl

from odonata.campaign import regret, rows
from odonata.campaign.plan import Plan, Planned
from odonata.campaign.tasks import Tasks
from odonata.results import Result, Runs, Sweep, replica_summary, summaries
from odonata.results.archive import Archive

_SHOWN_EVERY_S = 5.0
_TIMES_COST = 400.0
"""How long the index of a sweep may lag behind, at least, and in processor time of making it, and
the parts of packed runs with it; the runs themselves are stored at once."""


class Assembly:
    """The runs of a scenario that are made.

    Parameters
    ----------
    plan : Plan
        Which tasks each is made of.
    tasks : Tasks
        Where these are.
    archive : Archive
        Where runs go.
    kept : callable
        Is told the label of each run that is there from earlier.
    """

    def __init__(
        self, plan: Plan, tasks: Tasks, archive: Archive, kept: Callable[[str], None]
    ) -> None:
        self._plan = plan
        self._tasks = tasks
        self._archive = archive
        self._kept = kept
        self._next_time = time.monotonic() + _SHOWN_EVERY_S
        self.rows: dict[int, dict[str, Any]] = {}
        self.results: dict[int, Result | None] = {}
        self.is_interrupted = False

    def __contains__(self, planned: Planned) -> bool:
        """Whether a run is made."""
        return planned.index in self.results

    def make(self, planned: Planned) -> None:
        """Make a run of its tasks, as far as they are there, and store it.

        Raises
        ------
        RunError
            It cannot be written, or a task is damaged.
        """
        result = self._archive.kept(planned.name, planned.key, planned.alone)
        is_packed = False
        if result is None:
            result = self._joined(planned)
            if result is None:
                return
            alone = {job: one.run_hash for job, one in result.baselines.items()}
            has_folder = self._archive.has_folder(planned.name)
            is_packed = not has_folder and self._tasks.are_packed((planned.key, *alone.values()))
            if is_packed:
                self._archive.packs.runs[planned.name] = (planned.key, alone)
            else:
                for one in (result, *result.baselines.values()):
                    one.summary = summaries.in_order(one.summary)
                result.frames["jobs"] = summaries.jobs_frame(result.summary)
                self._archive.put(planned.name, result)
        self.results[planned.index] = None if is_packed else result
        point = self._plan.scenario.points[planned.index]
        if planned.key not in self._tasks.made:
            self._kept(point.name or self._plan.scenario.name)
        self.is_interrupted |= rows.interrupted(result)
        if self._plan.scenario.sweep:
            self.rows[planned.index] = rows.index_row(point, result)
            if time.monotonic() > self._next_time:
                self._show()

    def _joined(self, planned: Planned) -> Result | None:
        """Result of a run with its isolated runs, as far as they are there."""
        result = self._tasks.get(planned.key)
        if result is None:
            return None
        for job, key in planned.alone.items():
            if rows.interrupted(result) or result.stop == "stalled":
                break
            isolated = self._tasks.get(key)
            if isolated is not None:
                result.baselines[job] = isolated
                summaries.compare(result.summary, job, isolated.summary)
        return result

    def _show(self) -> None:
        """Let others see which runs there are."""
        begun = time.process_time()
        self._compact()
        self._archive.put_index(self._index())
        cost = _TIMES_COST * (time.process_time() - begun)
        self._next_time = time.monotonic() + max(_SHOWN_EVERY_S, cost)

    def _compact(self) -> None:
        """Let all tasks of packed runs be in parts."""
        self._tasks.compact()
        packs = self._archive.packs
        for index, result in list(self.results.items()):
            name = self._plan.points[index].name
            if result is None and not packs.is_whole(name):  # it was damaged in the log
                del self.results[index], self.rows[index], packs.runs[name]

    def _index(self) -> pl.DataFrame:
        """A row per run, in order."""
        scenario = self._plan.scenario
        ordered = [self.rows[index] for index in sorted(self.rows, key=scenario.points.rank)]
        names = [job["name"] for job in scenario.points[0].config["jobs"]]
        regret.add(ordered, scenario.sweep, names)
        return pl.DataFrame(ordered, infer_schema_length=None)

    def sweep(self) -> Sweep:
        """All runs that there are; the folder shows them from then on.

        Raises
        ------
        RunError
            They cannot be written.
        """
        self._compact()
        runs = Runs(packs=self._archive.packs)
        for index in sorted(self.rows, key=self._plan.scenario.points.rank):
            runs.add(self._plan.points[index].name, self.results[index])
        sweep = Sweep(self._index(), runs, self._archive.directory)
        if self.rows:
            self._archive.put_index(sweep.index, replica_summary.summary_bytes(sweep))
        return sweep
