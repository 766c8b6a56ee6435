"""One run: what it says about each job, and its tables, wherever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from odonata.core import files, packed
from odonata.core.errors import RunError, suggestion
from odonata.results import packed_parts, summaries
from odonata.results.presentation import Presentable

_LARGE_BYTES = 1 << 26
"""Tables that are made again rather than kept."""


@contextmanager
def understood(directory: Path) -> Iterator[None]:
    """Sentences for what is damaged.

    Raises
    ------
    RunError
        Something is.
    """
    try:
        yield
    except OSError as error:
        raise RunError(f"{directory}: {files.problem(error)}; make the folder readable.") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(f"{directory}: the results are damaged ({error}); run it again.") from None
    except pl.exceptions.PolarsError as error:
        raise RunError(f"{directory}: the results are damaged ({error}); run it again.") from None


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
        """Whether all of its ranks ended, at least once, after all they had to do.

        Traffic never ends; ``stop.skip`` leaves something out.
        """
        is_over = self.summary.get("ranks_finished") == self.summary.get("ranks")
        return is_over and "cuts" not in self.summary

    @property
    def overlap(self) -> float | None:
        """The lowest of :attr:`overlaps`; ``None`` if there is none."""
        return min(self.overlaps.values(), default=None)

    @property
    def overlaps(self) -> dict[str, float]:
        """Share of its span in which each other job communicated; empty if not a victim."""
        return dict(self.summary.get("overlap") or {})


class NoJobError(RunError, KeyError):
    """A run has no job of that name."""

    __str__ = Exception.__str__  # not that of KeyError, which puts it into quotes


class Jobs(dict[str, JobResult]):
    """What a run says about each job, by name; a name that it has not is answered with the nearest.

    Examples
    --------
    >>> Jobs(halo=JobResult({"name": "halo"}))["hallo"]
    Traceback (most recent call last):
    odonata.results.run.NoJobError: there is no job `hallo`. Did you mean `halo`? Valid: halo.
    """

    def __missing__(self, name: str) -> JobResult:
        raise NoJobError(f"there is no job `{name}`.{suggestion(str(name), self)}")


def _mean(statistics: Mapping[str, Any] | None) -> float | None:
    value = statistics.get("mean") if statistics else None
    return None if value is None else float(value)


class Source(Protocol):
    """Tables of a run that are made or read when they are asked for."""

    def tables(self) -> list[str]:
        """Names of the tables, that of jobs left out."""

    def table(self, name: str) -> pl.DataFrame:
        """One of them."""


class Unpacked:
    """Tables of a run as bytes, see :func:`odonata.results.packed_parts.frame`.

    Large tables are made again when they are asked for again, so that only one of them is there
    while all are written.

    Parameters
    ----------
    tables : bytes
        As the simulator packs them.
    """

    def __init__(self, tables: bytes) -> None:
        self._bytes = tables
        self._frames: dict[str, pl.DataFrame] = {}

    def tables(self) -> list[str]:
        """Names of the tables."""
        return packed.names(self._bytes)

    def pieces(self, name: str) -> Iterator[pl.DataFrame] | None:
        """Rows of one of them after the others; ``None`` if it is better made as a whole."""
        if packed.lengths(self._bytes)[name] <= packed_parts.IN_PIECE:
            return None
        return packed_parts.pieces(self._bytes, name)

    def table(self, name: str) -> pl.DataFrame:
        """One of them."""
        if name in self._frames:
            return self._frames[name]
        frame = packed_parts.frame(self._bytes, name)
        if frame.estimated_size() < _LARGE_BYTES:
            self._frames[name] = frame
        return frame


@dataclass(slots=True, repr=False)
class Result(Presentable):
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
        Fingerprint of what decides its outcome, the engine included; empty when read from a folder.
    source : Source or None
        Where its tables are if they are neither frames nor files of its own.
    """

    summary: dict[str, Any]
    scenario: dict[str, Any] = field(default_factory=dict)
    frames: dict[str, pl.DataFrame] = field(default_factory=dict)
    baselines: dict[str, Result] = field(default_factory=dict)
    stall: str | None = None
    directory: Path | None = None
    run_hash: str = ""
    source: Source | None = None

    def __repr__(self) -> str:
        """Name, end, jobs; the tables would fill the screen."""
        return f"Result({self.summary.get('name')!r}, stop={self.stop!r}, jobs={list(self.jobs)})"

    @property
    def stop(self) -> str:
        """``finished``, ``precision``, ``time-limit``, ``interrupted`` or ``stalled``."""
        return str(self.summary["stop"])

    @property
    def jobs(self) -> Jobs:
        """What it says about each job, by name."""
        return Jobs((job["name"], JobResult(job)) for job in self.summary.get("jobs", []))

    def tables(self) -> list[str]:
        """Names of its tables.

        Returns
        -------
        list of str
            Sorted; each is a name that :meth:`table` takes.
        """
        on_disk = () if self.directory is None else self.directory.glob("*.parquet")
        elsewhere = () if self.source is None else ("jobs", *self.source.tables())
        return sorted({*self.frames, *elsewhere, *(path.stem for path in on_disk)})

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
        if name not in self.tables():
            raise RunError(f"there is no table `{name}`.{suggestion(name, self.tables())}")
        if self.directory is None:
            return self._elsewhere(name)
        with understood(self.directory / f"{name}.parquet"):
            return files.read_parquet(self.directory / f"{name}.parquet")

    def scan(self, name: str) -> pl.LazyFrame:
        """One table of which only those columns and rows are read that are asked for.

        Parameters
        ----------
        name : str
            Such as ``links``.

        Returns
        -------
        polars.LazyFrame
            The columns of :meth:`table`.

        Raises
        ------
        RunError
            No such table.
        """
        if self.directory is None or name in self.frames or name not in self.tables():
            return self.table(name).lazy()
        with understood(self.directory / f"{name}.parquet"):
            return files.scan_parquet(self.directory / f"{name}.parquet")

    def pieces(self, name: str) -> Iterator[pl.DataFrame] | None:
        """Rows of a large table after the others, for who need not have all of them at once.

        Parameters
        ----------
        name : str
            One of :meth:`tables`.

        Returns
        -------
        iterator or None
            ``None``: :meth:`table` has it.
        """
        is_packed = self.directory is None and name not in self.frames and name != "jobs"
        return self.source.pieces(name) if is_packed and isinstance(self.source, Unpacked) else None

    def _elsewhere(self, name: str) -> pl.DataFrame:
        if name == "jobs" or self.source is None:
            return summaries.jobs_frame(self.summary)
        with understood(Path()):
            return self.source.table(name)
