"""Runs of a sweep whose tasks are packed: which tasks each is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from odonata.core import files
from odonata.results import summaries
from odonata.results.packed_parts import Packed, Stored
from odonata.results.run import Result, understood

PLACES = "runs.parquet"
"""Which packed tasks the runs of a sweep are made of."""


class PackedRuns:
    """Runs of a sweep whose tasks are packed.

    Parameters
    ----------
    found : Packed
        The tasks.
    runs : mapping
        Per run the key of its own task, and of the isolated run of each victim.
    """

    def __init__(self, found: Packed, runs: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
        self.packed = found
        self.runs = runs

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


def packed_runs(directory: Path, parts: Iterable[Path] | None = None) -> PackedRuns | None:
    """Packed runs of a sweep.

    Parameters
    ----------
    directory : pathlib.Path
        Its folder.
    parts : iterable of pathlib.Path, optional
        Those that count; by default all.

    Returns
    -------
    PackedRuns or None
        ``None`` if there are no parts.

    Raises
    ------
    ValueError
        The tables of a run are missing.
    """
    found = Packed(directory, parts)
    if not (directory / PLACES).is_file():
        return PackedRuns(found, {}) if len(found) else None
    runs = {}
    for name, key, victims, alone in files.read_parquet(directory / PLACES).iter_rows():
        keys = dict(zip(victims, alone, strict=True))
        if any(one not in found for one in (key, *keys.values())):
            raise ValueError(f"the tables of the run {name} are missing")
        runs[name] = (key, keys)
    return PackedRuns(found, runs)
