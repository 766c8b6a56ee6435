"""Results of runs: in memory and as files.

A run is a folder with ``summary.json``, ``scenario.resolved.toml`` and one Parquet file per table;
a sweep is a folder with ``index.parquet`` and ``runs/<name>/``, or, of many runs, with
``runs.parquet`` and ``packed/`` (:mod:`odonata.results.packed_parts`). How they come to be whole is
the business of :mod:`odonata.results.store`.
"""

from __future__ import annotations

import io
import json
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from odonata.analysis import replicas
from odonata.analysis.saturation import saturation
from odonata.core import arguments, files
from odonata.core.errors import RunError, suggestion
from odonata.results import all_tables, store, summaries
from odonata.results.packed_runs import PLACES, PackedRuns, packed_runs
from odonata.results.presentation import Presentable
from odonata.results.run import Result, understood
from odonata.results.store import RUNS
from odonata.results.summaries import SUMMARY
from odonata.scenario.text import to_toml

RESOLVED = "scenario.resolved.toml"
DIAGNOSIS = "diagnosis.txt"

INDEX = "index.parquet"
BASELINE = "baseline-"
_LARGEST_TEXT = 1 << 28
_REMEMBERED = 1000
"""Runs of a sweep that stay in memory, tables not counted."""


class NoRunError(RunError, IndexError, KeyError):
    """A sweep has no run of that place or name."""

    __str__ = Exception.__str__  # not that of KeyError, which puts it into quotes


class Runs(Mapping[str, Result]):
    """Runs of a sweep by name; those on disk are read when they are asked for.

    Parameters
    ----------
    runs : mapping, optional
        Each run, or its folder; ``None``: it is packed.
    packs : PackedRuns, optional
        Runs that are packed.
    """

    def __init__(
        self, runs: Mapping[str, Result | Path | None] | None = None,
        packs: PackedRuns | None = None,
    ) -> None:  # fmt: skip
        self._places: dict[str, Path | None] = {}
        self._read: dict[str, Result] = {}
        self.packs = packs or PackedRuns()
        for name, run in (runs or {}).items():
            self.add(name, run)

    def __getitem__(self, name: str) -> Result:
        """A run; the same object as long as it is remembered.

        Raises
        ------
        RunError
            There is no such run.
        """
        if name not in self._places:
            raise NoRunError(f"there is no run `{name}`.{suggestion(str(name), self)}")
        place = self._places[name]
        if name not in self._read:
            self._remember(name, self.packs.load(name) if place is None else load_run(place))
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        """Names, in order."""
        return iter(self._places)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self._places)

    def add(self, name: str, run: Result | Path | None) -> None:
        """One more run; what is on disk need not stay in memory, what is packed is not there."""
        self._places[name] = run.directory if isinstance(run, Result) else run
        if isinstance(run, Result):
            self._remember(name, run)

    def _remember(self, name: str, result: Result) -> None:
        self._read[name] = result
        if len(self._read) > _REMEMBERED:
            oldest = next(iter(self._read))
            if self._places[oldest] is not None or oldest in self.packs:
                del self._read[oldest]


@dataclass(slots=True, repr=False)
class Sweep(Presentable):
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
            raise NoRunError(
                f"there is no run {run}; the sweep has {len(names)} runs, numbered from 0."
            )
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

    def saturation(self) -> pl.DataFrame:
        """At which load each curve of a sweep over a load saturates.

        Returns
        -------
        polars.DataFrame
            As :func:`odonata.analysis.saturation.saturation` says; empty where no load is swept.
        """
        return saturation(self.index, self.keys)

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
        with understood(self.directory or Path()):
            found = all_tables.tables(self.runs, self.runs.packs, about, only=name)
            frames = pl.collect_all(found.get(name, []))
        if not frames:
            known = sorted({table for run in self for table in run.tables()})
            raise RunError(f"no run has a table `{name}`.{suggestion(name, known)}")
        joined = pl.concat(frames, how="diagonal_relaxed")
        if not self.runs.packs.runs or len(frames) == 1:
            return joined
        places = about.select("run", pl.int_range(pl.len()).alias("_place"))
        order = joined.join(places, on="run", how="left", maintain_order="left")
        return order.sort("_place", maintain_order=True).drop("_place")


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
            continue
        path = directory / f"{name}.parquet"
        pieces = result.pieces(name)
        if pieces is None:
            files.write_parquet(result.table(name), path, metadata=metadata)
        else:
            files.write_pieces(pieces, path, metadata=metadata)
    if result.stall is not None:
        (directory / DIAGNOSIS).write_text(result.stall + "\n", encoding="utf-8")
    text = json.dumps(result.summary, indent=2, ensure_ascii=False)
    (directory / SUMMARY).write_text(text + "\n", encoding="utf-8")


def release(result: Result, directory: Path) -> None:
    """Let go of the tables of a run and its isolated runs, which are on disk."""
    result.directory = directory
    result.frames, result.source = {}, None
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
    directory = arguments.path(directory, "directory")
    with understood(directory):
        store.settled(directory)
        if (directory / INDEX).is_file():
            index = files.read_parquet(directory / INDEX)
            return Sweep(index, runs_in(directory, index), directory)
        if (directory / SUMMARY).is_file():
            return load_run(directory)
        packed_run = _packed_run(directory)
        if packed_run is not None:
            return packed_run
    raise RunError(
        f"{directory} holds no results ({SUMMARY} or {INDEX}); give a folder that "
        "`odonata run --out` has written."
    )


def runs_in(directory: Path, index: pl.DataFrame) -> Runs:
    """Runs of a sweep: those with a folder of their own, and those that are packed.

    Raises
    ------
    ValueError
        One of them is missing.
    """
    found = Runs(packs=packed_runs(directory))
    for given_name in index["run"]:
        name = _folder_name(given_name)
        is_here = (directory / RUNS / name / SUMMARY).is_file()
        if not is_here and name not in found.packs:
            raise ValueError(f"the run {name} is missing")
        found.add(name, directory / RUNS / name if is_here else None)
    return found


def _packed_run(directory: Path) -> Result | None:
    """The run that would be in a folder of its own there, if it were not packed."""
    sweep = directory.parent.parent
    if directory.parent.name != RUNS or not (sweep / PLACES).is_file():
        return None
    packs = packed_runs(sweep)
    return packs.load(directory.name) if directory.name in packs else None


def _folder_name(name: object) -> str:
    if not isinstance(name, str) or Path(name).name != name:
        raise ValueError(f"`{name}` is not the name of a run")
    return name


def load_run(directory: Path) -> Result:
    """One run, with the isolated runs of its victims, from disk.

    Returns
    -------
    Result
        Tables are read when they are asked for.

    Raises
    ------
    RunError
        It is not there or damaged.
    """
    with understood(directory):
        summary = json.loads(files.read_text(directory / SUMMARY, most=_LARGEST_TEXT))
        summaries.check(summary)
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


_OF_DAMAGE = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What comes, with errors of polars, of tables and summaries that are not what they should be."""


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
    except (*_OF_DAMAGE, pl.exceptions.PolarsError) as error:
        if directory is not None and store.read(directory) is not None and not damaged(directory):
            raise
        raise RunError(
            f"{directory or 'these results'}: the results are damaged, or were not written by "
            f"this program ({type(error).__name__}: {error}); run the scenario again."
        ) from None


def damaged(directory: Path) -> list[str]:
    """Files of a run or sweep that are missing or not as they were written.

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
    with understood(directory):
        leaves = [leaf for leaf in store.leaves(directory) if not leaf.name.startswith(".")]
        for place in (directory, *leaves):
            manifest = store.read(place)
            if manifest is not None:
                prefix = "" if place == directory else f"{place.parent.name}/{place.name}/"
                found += [prefix + name for name in store.changed(place, manifest)]
    return found
