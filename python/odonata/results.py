"""Results of runs: in memory and as files.

A run is a folder with ``summary.json``, ``scenario.resolved.toml`` and one Parquet file per table;
a sweep is a folder with ``index.parquet`` and ``runs/<name>/``. A folder or file appears under its
final name only when it is whole.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata.errors import RunError, suggestion
from odonata.native import Column
from odonata.scenario.text import to_toml

SUMMARY = "summary.json"
RESOLVED = "scenario.resolved.toml"
DIAGNOSIS = "diagnosis.txt"
INDEX = "index.parquet"
RUNS = "runs"
BASELINE = "baseline-"
_OWN = (SUMMARY, RESOLVED, DIAGNOSIS, INDEX, RUNS, "report.html", "figures")


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a run says about one job.

    Parameters
    ----------
    summary : dict
        Its entry in ``summary.json``.
    """

    summary: dict[str, Any]

    @property
    def name(self) -> str:
        """Name of the job."""
        return str(self.summary["name"])

    @property
    def comm_time_ns(self) -> float | None:
        """Mean communication time of its ranks, ns; ``None`` for open-loop traffic."""
        return _mean(self.summary.get("comm_time_ns"))

    @property
    def baseline_comm_time_ns(self) -> float | None:
        """The same when it runs alone; ``None`` without a baseline."""
        return _mean(self.summary.get("baseline_comm_time_ns"))

    @property
    def slowdown(self) -> float | None:
        """Communication time beside others over that alone; ``None`` without a baseline."""
        value = self.summary.get("slowdown")
        return None if value is None else float(value)

    @property
    def has_ended(self) -> bool:
        """Whether all of its ranks ended, at least once; traffic never ends."""
        return self.summary.get("ranks_finished") == self.summary.get("ranks")

    @property
    def overlap(self) -> float | None:
        """The lowest of :attr:`overlaps`; ``None`` if there is none."""
        return min(self.overlaps.values(), default=None)

    @property
    def overlaps(self) -> dict[str, float]:
        """Share of its span in which each other job communicated; empty if not a victim."""
        return dict(self.summary.get("overlap") or {})


def _mean(statistics: Mapping[str, Any] | None) -> float | None:
    value = statistics.get("mean") if statistics else None
    return None if value is None else float(value)


@dataclass(slots=True, repr=False)
class Result:
    """One run.

    Parameters
    ----------
    summary : dict
        Content of ``summary.json``.
    scenario : dict
        The resolved scenario.
    frames : dict
        Tables in memory by name.
    baselines : dict
        Isolated run of each victim, by job.
    stall : str or None
        Diagnosis of a stalled run.
    directory : pathlib.Path or None
        Where its files are.
    """

    summary: dict[str, Any]
    scenario: dict[str, Any] = field(default_factory=dict)
    frames: dict[str, pl.DataFrame] = field(default_factory=dict)
    baselines: dict[str, Result] = field(default_factory=dict)
    stall: str | None = None
    directory: Path | None = None

    def __repr__(self) -> str:
        """Name, end, jobs; the tables would fill the screen."""
        return f"Result({self.summary.get('name')!r}, stop={self.stop!r}, jobs={list(self.jobs)})"

    @property
    def stop(self) -> str:
        """Why it ended: ``finished``, ``time-limit``, ``interrupted`` or ``stalled``."""
        return str(self.summary["stop"])

    @property
    def jobs(self) -> dict[str, JobResult]:
        """What it says about each job, by name."""
        return {job["name"]: JobResult(job) for job in self.summary.get("jobs", [])}

    def tables(self) -> list[str]:
        """Names of its tables."""
        if self.directory is None:
            return sorted(self.frames)
        return sorted(path.stem for path in self.directory.glob("*.parquet"))

    def table(self, name: str) -> pl.DataFrame:
        """One table as a frame.

        Parameters
        ----------
        name : str
            Such as ``links``.

        Returns
        -------
        polars.DataFrame
            Columns with their units in their names.

        Raises
        ------
        RunError
            No such table.
        """
        if name in self.frames:
            return self.frames[name]
        if self.directory is None or name not in self.tables():
            raise RunError(f"there is no table `{name}`.{suggestion(name, self.tables())}")
        return pl.read_parquet(self.directory / f"{name}.parquet")


@dataclass(slots=True, repr=False)
class Sweep:
    """The runs of a scenario with a sweep.

    Parameters
    ----------
    index : polars.DataFrame
        One row per run: ``run``, the swept keys, headline results.
    runs : dict
        Runs by name, in order.
    directory : pathlib.Path or None
        Where its files are.
    """

    index: pl.DataFrame
    runs: dict[str, Result]
    directory: Path | None = None

    def __repr__(self) -> str:
        """Names of the runs."""
        return f"Sweep({list(self.runs)})"


def frames(
    tables: Mapping[str, Mapping[str, Column]], summary: Mapping[str, Any]
) -> dict[str, pl.DataFrame]:
    """Tables of a run as frames, with the table of jobs that its summary holds."""
    made = {
        name: pl.DataFrame({column: _series(values) for column, values in columns.items()})
        for name, columns in tables.items()
    }
    made["jobs"] = jobs_frame(summary)
    return made


def _series(values: Column) -> pl.Series:
    if isinstance(values, list):
        return pl.Series(values=values, dtype=pl.String)
    # Where the simulator has no number, a table has no value.
    series = pl.Series(values=np.ascontiguousarray(values))
    return series.fill_nan(None) if series.dtype.is_float() else series


_SUMMARY_ORDER = (
    "schema", "name", "odonata_version", "scenario_hash", "seed", "simulated_ns", "stop", "engine",
    "network", "jobs",
)  # fmt: skip
_JOB_ORDER = (
    "name", "role", "ranks", "bytes_sent", "messages_sent", "packets", "comm_time_ns",
    "packet_latency_ns", "hops_mean", "nonminimal_fraction", "baseline_comm_time_ns",
    "baseline_packet_latency_ns", "slowdown", "overlap",
)  # fmt: skip
_STATISTICS = ("mean", "std", "p50", "p95", "p99", "max")


def in_order(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A summary with its keys in the documented order, others behind."""
    ordered = _ordered(summary, _SUMMARY_ORDER)
    ordered["jobs"] = [_ordered(job, _JOB_ORDER) for job in ordered.get("jobs", [])]
    return ordered


def _ordered(table: Mapping[str, Any], first: tuple[str, ...]) -> dict[str, Any]:
    keys = [*(key for key in first if key in table), *(key for key in table if key not in first)]
    return {
        key: _ordered(value, _STATISTICS) if isinstance(value, Mapping) else value
        for key, value in ((key, table[key]) for key in keys)
    }


def jobs_frame(summary: Mapping[str, Any]) -> pl.DataFrame:
    """One row per job; statistics become columns such as ``comm_time_ns_mean``."""
    rows = []
    for job in summary.get("jobs", []):
        row: dict[str, Any] = {}
        for key, value in job.items():
            if key == "overlap":
                row[key] = JobResult(job).overlap
            if isinstance(value, Mapping):
                row |= {f"{key}_{name}": entry for name, entry in value.items()}
            elif not isinstance(value, list):
                row[key] = value
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def write(result: Result, directory: Path) -> None:
    """Write a run and its baselines as files, whole or not at all.

    Parameters
    ----------
    result : Result
        In memory; its tables are released once they are on disk.
    directory : pathlib.Path
        Created; an earlier run in it is replaced.

    Raises
    ------
    RunError
        The folder cannot be written.
    """
    with _incoming(directory) as incoming:
        write_files(result, incoming)
        for job, baseline in result.baselines.items():
            target = incoming / f"{BASELINE}{job}"
            if baseline.directory is not None:
                shutil.copytree(baseline.directory, target, copy_function=_link)
            else:
                write_files(baseline, target)
    release(result, directory)
    for job, baseline in result.baselines.items():
        if baseline.directory is None:
            release(baseline, directory / f"{BASELINE}{job}")


def release(result: Result, directory: Path) -> None:
    """Let go of the tables of a result that is on disk."""
    result.directory = directory
    result.frames = {}


def write_files(result: Result, directory: Path) -> None:
    """Files of one run, without baselines, into a folder that nobody reads yet."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / RESOLVED).write_text(to_toml(result.scenario), encoding="utf-8")
    metadata = {
        "scenario_hash": result.summary["scenario_hash"],
        "seed": str(result.summary["seed"]),
        "odonata_version": result.summary["odonata_version"],
    }
    for name, frame in result.frames.items():
        frame.write_parquet(directory / f"{name}.parquet", compression="zstd", metadata=metadata)
    if result.stall is not None:
        (directory / DIAGNOSIS).write_text(result.stall + "\n", encoding="utf-8")
    text = json.dumps(result.summary, indent=2, ensure_ascii=False)
    (directory / SUMMARY).write_text(text + "\n", encoding="utf-8")


def _link(source: str, target: str) -> None:
    """The same file under another name; a copy where links do not work."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def write_index(index: pl.DataFrame, directory: Path) -> None:
    """Write the index of a sweep.

    Raises
    ------
    RunError
        The folder cannot be written.
    """
    with _explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
        partial = directory / f".{INDEX}.{os.getpid()}"
        index.write_parquet(partial, compression="zstd")
        partial.replace(directory / INDEX)


def refuse_foreign(directory: Path) -> None:
    """Refuse a folder that holds something other than results.

    Raises
    ------
    RunError
        It is a file, or has files that no run has written.
    """
    if not directory.exists():
        return
    if not directory.is_dir():
        raise RunError(f"{directory} is a file; give --out the name of a folder.")
    names = [entry.name for entry in directory.iterdir()]
    if names and SUMMARY not in names and INDEX not in names:
        raise RunError(
            f"{directory} is not empty and holds no results; give --out another folder, so that "
            "nothing of yours is mixed with them."
        )


def clear(directory: Path) -> None:
    """Remove the results in a folder, and nothing else."""
    if not directory.is_dir():
        return
    for entry in list(directory.iterdir()):
        own = entry.name in _OWN or entry.name.startswith(BASELINE) or entry.suffix == ".parquet"
        if own and entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif own:
            entry.unlink()


@contextmanager
def _incoming(directory: Path) -> Iterator[Path]:
    """A folder beside ``directory`` whose content moves there at the end."""
    with _explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
        incoming = Path(tempfile.mkdtemp(prefix=".incoming-", dir=directory))
        try:
            yield incoming
            clear(directory)
            # The summary comes last: a folder with a summary is whole.
            names = sorted(
                incoming.iterdir(), key=lambda entry: (entry.name == SUMMARY, entry.name)
            )
            for entry in names:
                entry.replace(directory / entry.name)
        finally:
            shutil.rmtree(incoming, ignore_errors=True)


@contextmanager
def _explained(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        raise RunError(
            f"{directory}: results cannot be written: {problem}; choose another folder with --out."
        ) from None


def load(directory: str | Path) -> Result | Sweep:
    """Results from disk.

    Parameters
    ----------
    directory : str or pathlib.Path
        A run or a sweep.

    Returns
    -------
    Result or Sweep
        Tables are read when they are asked for.

    Raises
    ------
    RunError
        The folder holds no results.
    """
    directory = Path(directory)
    try:
        if (directory / INDEX).is_file():
            index = pl.read_parquet(directory / INDEX)
            runs = {name: _load_run(directory / RUNS / name) for name in index["run"]}
            return Sweep(index, runs, directory)
        if (directory / SUMMARY).is_file():
            return _load_run(directory)
    except (OSError, ValueError, KeyError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{directory}: the results are damaged ({error}); run it again.") from None
    raise RunError(
        f"{directory} holds no results ({SUMMARY} or {INDEX}); give a folder that "
        "`odonata run --out` has written."
    )


def _load_run(directory: Path) -> Result:
    summary = json.loads((directory / SUMMARY).read_text(encoding="utf-8"))
    diagnosis = directory / DIAGNOSIS
    resolved = directory / RESOLVED
    return Result(
        summary=summary,
        scenario=tomllib.loads(resolved.read_text("utf-8")) if resolved.is_file() else {},
        baselines={
            folder.name.removeprefix(BASELINE): _load_run(folder)
            for folder in sorted(directory.glob(f"{BASELINE}*"))
        },
        stall=diagnosis.read_text(encoding="utf-8") if diagnosis.is_file() else None,
        directory=directory,
    )
