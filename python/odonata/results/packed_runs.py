"""Runs of a sweep whose tasks are packed: which tasks each is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from odonata.core import files
from odonata.results import summaries
from odonata.results.packed_parts import TASKS, Packed, Stored
from odonata.results.run import Result, understood
from odonata.results.store import PARTS
from odonata.results.store.manifest import subfolders

PLACES = "runs.parquet"
"""Which packed tasks the runs of a sweep are made of."""


class PackedRuns:
    """Runs of a sweep whose tasks are packed.

    Parameters
    ----------
    packed : Packed, optional
        The tasks; by default none.
    runs : mapping
        Per run the key of its own task, and of the isolated run of each victim.
    """

    def __init__(
        self, packed: Packed | None = None,
        runs: Mapping[str, tuple[str, Mapping[str, str]]] | None = None,
    ) -> None:  # fmt: skip
        self.packed = packed or Packed()
        self.runs = dict(runs or {})

    def is_whole(self, name: str) -> bool:
        """Whether all tasks of a run are there."""
        key, alone = self.runs[name]
        return all(one in self.packed for one in (key, *alone.values()))

    def __contains__(self, name: str) -> bool:
        """Whether a run is packed."""
        return name in self.runs

    def load(self, name: str) -> Result:
        """A run with its isolated runs."""
        key, alone = self.runs[name]
        result = of_task(self.packed.find(key), key)
        for victim, one in alone.items():
            result.baselines[victim] = of_task(self.packed.find(one), one)
            summaries.compare(result.summary, victim, result.baselines[victim].summary)
        result.summary = summaries.in_order(result.summary)
        return result

    def frame(self) -> pl.DataFrame:
        """Content of ``runs.parquet``."""
        rows = [(name, key, list(alone), list(alone.values()))
                for name, (key, alone) in self.runs.items()]  # fmt: skip
        texts = pl.List(pl.String)
        schema: dict[str, Any] = dict.fromkeys(("run", "task"), pl.String)
        schema |= dict.fromkeys(("victims", "alone"), texts)
        return pl.DataFrame(rows, schema=schema, orient="row")


def of_task(stored: Stored, key: str) -> Result:
    """A packed task as a result, without isolated runs."""
    with understood(Path()):
        summary = stored.summary
        summaries.check(summary)
        scenario = {**stored.scenario, "seed": summary["seed"]}
        return Result(
            summary=summaries.in_order(summary),
            scenario=scenario,
            stall=stored.stall,
            source=stored,
            run_hash=key,
        )


def packed_runs(directory: Path) -> PackedRuns:
    """Packed runs of a sweep.

    Raises
    ------
    ValueError
        The tables of a run are missing.
    """
    is_there = (directory / PLACES).is_file()
    places = files.read_parquet(directory / PLACES).rows() if is_there else []
    paths = [path for path in subfolders(directory / PARTS) if (path / TASKS).is_file()]
    runs = {name: (key, dict(zip(victims, alone, strict=True)))
            for name, key, victims, alone in places}  # fmt: skip
    found = PackedRuns(Packed(paths), runs)
    for name in runs:
        if not found.is_whole(name):
            raise ValueError(f"the tables of the run {name} are missing")
    return found
