"""Results of runs: in memory and as files.

A run is a folder with ``summary.json``, ``scenario.resolved.toml`` and one Parquet file per table;
a sweep is a folder with ``index.parquet`` and ``runs/<name>/``. How they come to be whole is the
business of :mod:`odonata.store`.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np
import polars as pl

from odonata import files, given, store
from odonata.analysis import replicas
from odonata.asked import Asked
from odonata.errors import RunError, suggestion
from odonata.native import Column
from odonata.scenario.text import to_toml
from odonata.store import RUNS

SUMMARY = "summary.json"
RESOLVED = "scenario.resolved.toml"
DIAGNOSIS = "diagnosis.txt"
INDEX = "index.parquet"
BASELINE = "baseline-"
_LARGEST_TEXT = 1 << 28
_REMEMBERED = 1000
"""Runs of a sweep that stay in memory, tables not counted."""


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
class Result(Asked):
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
    run_hash : str
        Fingerprint of what decides its outcome, the engine included; empty when read from disk.
    """

    summary: dict[str, Any]
    scenario: dict[str, Any] = field(default_factory=dict)
    frames: dict[str, pl.DataFrame] = field(default_factory=dict)
    baselines: dict[str, Result] = field(default_factory=dict)
    stall: str | None = None
    directory: Path | None = None
    run_hash: str = ""

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
        on_disk = () if self.directory is None else self.directory.glob("*.parquet")
        return sorted({*self.frames, *(path.stem for path in on_disk)})

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
        with _understood(self.directory / f"{name}.parquet"):
            return files.read_parquet(self.directory / f"{name}.parquet")


class Runs(Mapping[str, Result]):
    """Runs of a sweep by name; those on disk are read when they are asked for.

    Parameters
    ----------
    places : mapping, optional
        Folder of each run.
    """

    def __init__(self, places: Mapping[str, Path] | None = None) -> None:
        self._places: dict[str, Path | None] = dict(places or {})
        self._read: dict[str, Result] = {}

    def __getitem__(self, name: str) -> Result:
        """A run; the same object as long as it is remembered."""
        place = self._places[name]
        if name not in self._read and place is not None:
            self._remember(name, load_run(place))
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        """Names, in order."""
        return iter(self._places)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self._places)

    def add(self, name: str, result: Result) -> None:
        """One more run; what is on disk need not stay in memory."""
        self._places[name] = result.directory
        self._remember(name, result)

    def moved(self, source: Path, target: Path) -> None:
        """The folder of the sweep has another place."""
        for name, place in self._places.items():
            if place is not None:
                self._places[name] = target / place.relative_to(source)
        self._read = {name: run for name, run in self._read.items() if run.directory is None}

    def _remember(self, name: str, result: Result) -> None:
        self._read[name] = result
        if len(self._read) > _REMEMBERED:
            oldest = next(iter(self._read))
            if self._places[oldest] is not None:
                del self._read[oldest]


class NoRunError(RunError, IndexError, KeyError):
    """A sweep has no run of that place or name."""

    __str__ = Exception.__str__  # not that of KeyError, which puts it into quotes


@dataclass(slots=True, repr=False)
class Sweep(Asked):
    """The runs of a scenario with a sweep.

    Parameters
    ----------
    index : polars.DataFrame
        One row per run: ``run``, the swept keys, headline results.
    runs : Runs
        Runs by name, in order.
    directory : pathlib.Path or None
        Where its files are.
    failures : dict
        Why runs failed that were to be made now, by their name.
    has_faults : bool
        Whether one of them is no fault of the input.
    """

    index: pl.DataFrame
    runs: Runs
    directory: Path | None = None
    failures: dict[str, str] = field(default_factory=dict)
    has_faults: bool = False

    def __repr__(self) -> str:
        """How many runs, and over what; their names would fill the screen."""
        over = ", ".join(self.keys)
        return f"Sweep({len(self)} runs{f' over {over}' if over else ''})"

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.runs)

    def __iter__(self) -> Iterator[Result]:
        """The runs, in order."""
        return iter(self.runs.values())

    def __getitem__(self, run: int | str) -> Result:
        """A run by its place (negative from the end) or its name.

        Raises
        ------
        RunError
            There is no such run.
        """
        names = list(self.runs)
        if isinstance(run, str) and run in self.runs:
            return self.runs[run]
        if isinstance(run, int):
            if -len(names) <= run < len(names):
                return self.runs[names[run]]
            # IndexError too, by which Python ends loops over places.
            raise NoRunError(f"there is no run {run}; the sweep has {len(names)}, from 0 on.")
        raise NoRunError(f"there is no run `{run}`.{suggestion(str(run), names)}")

    @property
    def keys(self) -> list[str]:
        """Swept keys, as they are called in `index`."""
        columns = self.index.columns
        return columns[1 : columns.index("scenario_hash")] if "scenario_hash" in columns else []

    @property
    def replicas(self) -> int:
        """Most seeds of a variant; 1 if there are none but the scenario's."""
        if not replicas.is_replicated(self.index, self.keys):
            return 1
        return int(self.index[replicas.SEED].n_unique())

    def intervals(self) -> pl.DataFrame:
        """What the replicas of each variant say, with 95 % intervals.

        Returns
        -------
        polars.DataFrame
            As :func:`odonata.analysis.replicas.intervals` says; empty without replicas.
        """
        return replicas.intervals(self._replicated(), self.keys)

    def differences(self) -> pl.DataFrame:
        """Variants against each other, replica by replica, with 95 % intervals.

        Returns
        -------
        polars.DataFrame
            As :func:`odonata.analysis.replicas.differences` says; empty without replicas.
        """
        return replicas.differences(self._replicated(), self.keys)

    def replicas_for(self, width: float) -> int | None:
        """How many replicas make every headline's interval so narrow.

        Parameters
        ----------
        width : float
            Of the whole interval over its estimate, such as 0.02.

        Returns
        -------
        int or None
            As far as these replicas tell; ``None`` if they carry no interval yet.
        """
        return replicas.wanted(self.intervals(), width)

    def _replicated(self) -> pl.DataFrame:
        is_replicated = replicas.is_replicated(self.index, self.keys)
        return self.index if is_replicated else self.index.clear()

    def table(self, name: str) -> pl.DataFrame:
        """A table of all runs as one frame.

        Parameters
        ----------
        name : str
            Such as ``ranks``. Runs without it have no rows.

        Returns
        -------
        polars.DataFrame
            ``run`` and the swept keys first, then the columns of the table; what a run has not is
            null.

        Raises
        ------
        RunError
            No run has such a table.
        """
        about = self.index.select("run", *self.keys)
        parts, known = [], set[str]()
        for row, run in zip(about.iter_slices(1), self, strict=True):
            known.update(run.tables())
            if name in run.tables():
                found = run.table(name)
                new = [one for one in row.columns if one not in found.columns]
                parts.append(found.select(*(pl.lit(row[one]).first().alias(one) for one in new),
                                          pl.all()))  # fmt: skip
        if not parts:
            raise RunError(f"no run has a table `{name}`.{suggestion(name, sorted(known))}")
        return pl.concat(parts, how="diagonal_relaxed")


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


def write_files(result: Result, directory: Path) -> None:
    """Files of a run and of its isolated runs, into an empty folder that nobody reads yet.

    Parameters
    ----------
    result : Result
        Tables that are on disk already are linked, not copied.
    directory : pathlib.Path
        Where to.

    Raises
    ------
    OSError
        They cannot be written.
    """
    _write_run(result, directory)
    for job, baseline in result.baselines.items():
        _write_run(baseline, directory / f"{BASELINE}{job}")


def _write_run(result: Result, directory: Path) -> None:
    directory.mkdir(exist_ok=True)
    (directory / RESOLVED).write_text(to_toml(result.scenario), encoding="utf-8")
    metadata = {
        "scenario_hash": result.summary["scenario_hash"],
        "seed": str(result.summary["seed"]),
        "odonata_version": result.summary["odonata_version"],
    }
    for name in result.tables():
        if name not in result.frames and result.directory is not None:
            _link(result.directory / f"{name}.parquet", directory / f"{name}.parquet")
    for name, frame in result.frames.items():
        _write_table(frame, directory / f"{name}.parquet", metadata)
    if result.stall is not None:
        (directory / DIAGNOSIS).write_text(result.stall + "\n", encoding="utf-8")
    text = json.dumps(result.summary, indent=2, ensure_ascii=False)
    (directory / SUMMARY).write_text(text + "\n", encoding="utf-8")


def _write_table(frame: pl.DataFrame, path: Path, metadata: dict[str, str]) -> None:
    try:
        frame.write_parquet(path, compression="zstd", metadata=metadata)
    except pl.exceptions.PolarsError as error:
        # Its own errors carry the number of the one of the system.
        number = re.search(r"os error (\d+)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path)) from None


def release(result: Result, directory: Path) -> None:
    """Let go of the tables of a run and its isolated runs, which are on disk."""
    result.directory = directory
    result.frames = {}
    for job, baseline in result.baselines.items():
        release(baseline, directory / f"{BASELINE}{job}")


def _link(source: Path, target: Path) -> None:
    """The same file under another name; a copy where links do not work."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def index_bytes(index: pl.DataFrame) -> bytes:
    """The index of a sweep as a Parquet file."""
    buffer = io.BytesIO()
    index.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def load(directory: str | Path) -> Result | Sweep:
    """Results from disk.

    Parameters
    ----------
    directory : str or pathlib.Path
        A run or a sweep.

    Returns
    -------
    Result or Sweep
        Tables are read when they are asked for; so are the runs of a sweep.

    Raises
    ------
    RunError
        The folder holds no results, or they are damaged.
    """
    directory = given.path(directory, "directory")
    with _understood(directory):
        store.settled(directory)
        if (directory / INDEX).is_file():
            index = files.read_parquet(directory / INDEX)
            runs = Runs({_folder_name(name): directory / RUNS / name for name in index["run"]})
            for name in runs:
                if not (directory / RUNS / name / SUMMARY).is_file():
                    raise ValueError(f"the run {name} is missing")
            return Sweep(index, runs, directory)
        if (directory / SUMMARY).is_file():
            return load_run(directory)
    raise RunError(
        f"{directory} holds no results ({SUMMARY} or {INDEX}); give a folder that "
        "`odonata run --out` has written."
    )


def _folder_name(name: object) -> str:
    if not isinstance(name, str) or Path(name).name != name:
        raise ValueError(f"`{name}` is no name of a run")
    return name


@contextmanager
def _understood(directory: Path) -> Iterator[None]:
    """Sentences for what is damaged."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{directory}: {files.problem(error)}; make the folder readable.") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(f"{directory}: the results are damaged ({error}); run it again.") from None
    except pl.exceptions.PolarsError as error:
        raise RunError(f"{directory}: the results are damaged ({error}); run it again.") from None


def load_run(directory: Path) -> Result:
    """One run, with the isolated runs of its victims, from disk.

    Parameters
    ----------
    directory : pathlib.Path
        Its folder.

    Returns
    -------
    Result
        Tables are read when they are asked for.

    Raises
    ------
    RunError
        It is not there or damaged.
    """
    with _understood(directory):
        summary = json.loads(files.read_text(directory / SUMMARY, most=_LARGEST_TEXT))
        _check_summary(summary)
        return Result(
            summary=summary,
            scenario=tomllib.loads(_text(directory / RESOLVED) or ""),
            baselines={
                folder.name.removeprefix(BASELINE): load_run(folder)
                for folder in sorted(directory.glob(f"{BASELINE}*"))
                if (folder / SUMMARY).is_file()
            },
            stall=_text(directory / DIAGNOSIS),
            directory=directory,
        )


def _text(path: Path) -> str | None:
    return files.read_text(path, most=_LARGEST_TEXT) if path.is_file() else None


_NUMBER = (int, float, NoneType)
_SUMMARY_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str, NoneType), "odonata_version": (str,), "scenario_hash": (str,), "seed": (int,),
    "simulated_ns": _NUMBER, "stop": (str,), "engine": (dict, NoneType),
    "network": (dict, NoneType), "jobs": (list,),
}  # fmt: skip
_JOB_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,), "role": (str, NoneType), "ranks": _NUMBER, "slowdown": _NUMBER,
    "hops_mean": _NUMBER, "nonminimal_fraction": _NUMBER,
}  # fmt: skip


def _check_summary(summary: Any) -> None:  # noqa: ANN401 - any JSON value
    """Refuse a summary whose entries are not what they should be."""
    if not isinstance(summary, dict):
        raise TypeError(f"{SUMMARY} is no table")
    _check_types(summary, _SUMMARY_TYPES, SUMMARY)
    for missing in ("odonata_version", "scenario_hash", "seed", "stop", "jobs"):
        if missing not in summary:
            raise ValueError(f"{SUMMARY} lacks `{missing}`")
    for job in summary["jobs"]:
        if not isinstance(job, dict) or "name" not in job:
            raise TypeError(f"a job in {SUMMARY} has no name")
        _check_types(job, _JOB_TYPES, f"job `{job['name']}`")
    for owner in (summary.get("engine") or {}, summary.get("network") or {}, *summary["jobs"]):
        _check_times(owner)


def _check_times(owner: Mapping[str, Any]) -> None:
    for key, value in owner.items():
        statistics = value.values() if isinstance(value, dict) else (value,)
        if key.endswith("_ns") and not all(isinstance(one, _NUMBER) for one in statistics):
            raise TypeError(f"`{key}` in {SUMMARY} holds something else than numbers")


def _check_types(table: Mapping[str, Any], types: dict[str, tuple[type, ...]], owner: str) -> None:
    for key, expected in types.items():
        if not isinstance(table.get(key, expected[0]()), expected):
            raise TypeError(f"`{key}` of {owner} is {type(table[key]).__name__}")


_OF_DAMAGE = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
    pl.exceptions.PolarsError,
)  # fmt: skip
"""What comes of tables and summaries that are not what they should be."""


@contextmanager
def damage_told(directory: Path | None) -> Iterator[None]:
    """What goes wrong with damaged results, or with those of others, is said so.

    Parameters
    ----------
    directory : pathlib.Path or None
        Where the results are. If they are there as Odonata wrote them, the fault is ours and the
        error remains as it is.

    Raises
    ------
    RunError
        The results are damaged.
    """
    try:
        yield
    except _OF_DAMAGE as error:
        if directory is not None and store.read(directory) is not None and not damaged(directory):
            raise
        raise RunError(
            f"{directory or 'these results'}: the results are damaged, or not by this program "
            f"({type(error).__name__}: {error}); run the scenario again."
        ) from None


def damaged(directory: Path) -> list[str]:
    """Files of a run or sweep that are missing or not as they were written.

    Parameters
    ----------
    directory : pathlib.Path
        Its folder.

    Returns
    -------
    list of str
        Paths in the folder; empty for folders without a manifest.

    Raises
    ------
    RunError
        A manifest is damaged.
    """
    found = []
    with _understood(directory):
        for place in (directory, *sorted((directory / RUNS).glob("[!.]*/"))):
            manifest = store.read(place)
            if manifest is not None:
                prefix = "" if place == directory else f"{RUNS}/{place.name}/"
                found += [prefix + name for name in store.changed(place, manifest)]
    return found
