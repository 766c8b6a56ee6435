"""What every form of log becomes: a table of jobs, and what was left out of it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from odonata.scenario.joblogs.source import refusal

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "job": pl.String, "start_s": pl.Float64, "end_s": pl.Float64, "size": pl.Int64,
    "node_list": pl.List(pl.String), "user": pl.String, "name": pl.String,
    "sent_bytes": pl.Float64,
}  # fmt: skip
"""Columns of every log; what is unknown is null."""

NOTHING = {"", "Unknown", "None", "None assigned", "N/A", "NULL", "NaT", "nan"}
"""Texts that stand for no value."""

_TIMES = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M")
"""Times beside those of ISO 8601: of PBS, and of tables that a spreadsheet has written."""


_LATEST = 1e11
"""Seconds of Unix time, in the year 5138: whatever is later is none."""


@dataclass(frozen=True)
class JobLog:
    """A job log.

    Parameters
    ----------
    path : pathlib.Path
        Where it is from.
    form : str
        Name of its form, such as ``swf``.
    jobs : polars.DataFrame
        A row per job that ran, columns :data:`SCHEMA`, in the order of their starts.
    unit : str
        What ``size`` counts: ``nodes`` or ``processors``.
    left_out : dict
        Reasons for which entries are no rows, and how many have each.
    zero_s : float or None
        Unix time of instant 0; None where the log does not say it.
    capacity : int or None
        Size of the machine, if the log says it.
    header : dict
        What the comments in front say.
    notes : tuple of str
        What a reader of the numbers must know.
    unknown : dict
        Fields of SWF, and how many lines do not know them.
    """

    path: Path
    form: str
    jobs: pl.DataFrame
    unit: str = "nodes"
    left_out: dict[str, int] = field(default_factory=dict)
    zero_s: float | None = 0.0
    capacity: int | None = None
    header: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unknown: dict[str, int] = field(default_factory=dict)

    @property
    def entries(self) -> int:
        """Entries of the log, those that are left out too."""
        return len(self.jobs) + sum(self.left_out.values())

    @property
    def span(self) -> tuple[float, float]:
        """First start and last end, in seconds; zeros without jobs."""
        if not len(self.jobs):
            return 0.0, 0.0
        return float(self.jobs["start_s"].min()), float(self.jobs["end_s"].max())  # type: ignore[arg-type]

    def running(self, at_s: float) -> pl.DataFrame:
        """Jobs that run at an instant, in the order of their starts."""
        return self.jobs.filter((pl.col("start_s") <= at_s) & (pl.col("end_s") > at_s))

    def clock(self, at_s: float) -> str:
        """An instant in words."""
        since = f"{at_s - self.span[0]:.0f} s after the first start"
        if self.zero_s is None or not abs(self.zero_s + at_s) < _LATEST:
            return since
        return f"{datetime.fromtimestamp(self.zero_s + at_s, UTC):%Y-%m-%d %H:%M:%S} ({since})"

    def info(self) -> dict[str, Any]:
        """What is in it: times in seconds.

        Returns
        -------
        dict
            ``busy_share`` is the share of the machine that jobs use between the first start and the
            last end, of the size that the log names (or the most ever in use).
        """
        use = in_use(self.jobs)
        peak = int(use["in_use"].max() or 0)  # type: ignore[arg-type]
        size = self.capacity or peak
        first, last = self.span
        busy = float(((self.jobs["end_s"] - self.jobs["start_s"]) * self.jobs["size"]).sum())
        return {
            "format": self.form,
            "computer": self.header.get("Computer", ""),
            "jobs": self.entries,
            "jobs_without_size_or_time": self.entries - len(self.jobs),
            "left_out": self.left_out,
            "users": self.jobs["user"].drop_nulls().n_unique(),
            "unit": self.unit,
            self.unit: size,
            f"{self.unit}_in_use_max": peak,
            "largest_job": int(self.jobs["size"].max() or 0),  # type: ignore[arg-type]
            "median_run_s": float((self.jobs["end_s"] - self.jobs["start_s"]).median() or 0),  # type: ignore[arg-type]
            "first_start": self.clock(first) if self.zero_s is not None else "",
            "span_s": last - first,
            "busy_share": round(busy / ((last - first) * size), 4)
            if size and last > first
            else 0.0,
            "jobs_with_node_lists": len(self.jobs) - self.jobs["node_list"].null_count(),
            "notes": list(self.notes),
            "unknown": self.unknown,
        }


class Rows:
    """Jobs of a log as its reader finds them.

    Parameters
    ----------
    path : pathlib.Path
        Of the log.
    columns : mapping
        What the form calls ``job``, ``start``, ``end``, ``size``, ``nodes``, for messages.
    listed : callable
        Makes names of nodes of their text.
    place : str
        What entries are: lines, rows.
    open_end : bool
        Whether a job without an end still runs; otherwise it is left out.
    """

    def __init__(
        self,
        path: Path,
        columns: Mapping[str, str],
        listed: Callable[[str], list[str]],
        *,
        place: str = "line",
        open_end: bool = False,
    ) -> None:
        self._path, self._columns, self._listed = path, columns, listed
        self._place, self._open_end = place, open_end
        self._rows: list[tuple[Any, ...]] = []
        self._other_count = 0
        self.left_out: Counter[str] = Counter()

    def add(self, number: int, values: Mapping[str, Any]) -> None:
        """One more entry.

        Parameters
        ----------
        number : int
            Of the line.
        values : mapping
            Its values as they are, by ``job``, ``start``, ``end``, ``size``, ``nodes``, ``user``,
            ``name``, ``sent``.

        Raises
        ------
        TextError
            A value cannot be what it should be.
        """
        found = {name: None if _is_nothing(value) else value for name, value in values.items()}
        if found.get("job") is None:
            raise self.refusal(number, f"has no {self._columns['job']}.")
        start, end = (self._read(number, found, name, instant) for name in ("start", "end"))
        names = self._read(number, found, "nodes", self._names)
        size = self._read(number, found, "size", _whole)
        if names:
            self._other_count += size not in (None, len(names))
            size = len(names)
        reason = _missing(start, end, size, open_end=self._open_end)
        if reason:
            self.left_out[reason] += 1
            return
        texts = (None if found.get(one) is None else str(found[one]) for one in ("user", "name"))
        sent = self._read(number, found, "sent", float)
        self._rows.append((str(found["job"]), start, end, size, names or None, *texts, sent))

    def refusal(self, number: int, what: str) -> Exception:
        """An error about an entry."""
        return refusal(self._path, what, place=f"{self._place} {number}")

    def _read(
        self, number: int, found: Mapping[str, Any], name: str, read: Callable[[Any], Any]
    ) -> Any:  # noqa: ANN401 - whatever is read
        value = found.get(name)
        if value is None:
            return None
        try:
            return read(value)
        except (ValueError, TypeError, OverflowError) as error:
            why = f": {error}" if name == "nodes" else ""
            shown = f"has `{str(value)[:40]}` as its {self._columns.get(name, name)}{why}."
            raise self.refusal(number, shown) from None

    def _names(self, value: object) -> list[str]:
        if isinstance(value, str):
            return self._listed(value)
        if not isinstance(value, list):
            raise TypeError("no list of nodes")
        return list(dict.fromkeys(str(one) for one in value))

    def log(self, form: str, *, notes: Sequence[str] = ()) -> JobLog:
        """All of them.

        Raises
        ------
        TextError
            There is none.
        """
        jobs = pl.DataFrame(self._rows, schema=SCHEMA, orient="row")
        left = dict(sorted(self.left_out.items()))
        if not len(jobs):
            why = "; ".join(f"{count} {reason}" for reason, count in left.items())
            raise refusal(self._path, f"it has no jobs that ran{f' ({why})' if why else ''}.")
        said = list(notes)
        running = jobs["end_s"].null_count()
        if running:
            last = max(jobs["start_s"].max(), jobs["end_s"].max() or 0)  # type: ignore[type-var]
            jobs = jobs.with_columns(pl.col("end_s").fill_null(last + 1))  # type: ignore[operator]
            said.append(f"{running} jobs have no end: they run until the log ends")
        if self._other_count:
            said.append(
                f"{self._other_count} jobs list another number of nodes than they count: the list "
                "holds"
            )
        jobs = jobs.sort("start_s", maintain_order=True)
        return JobLog(self._path, form, jobs, left_out=left, notes=tuple(said))


def _is_nothing(value: object) -> bool:
    return value is None or value != value or (isinstance(value, str) and value.strip() in NOTHING)  # noqa: PLR0124 - not a number


def _missing(start: float | None, end: float | None, size: int | None, *, open_end: bool) -> str:
    """Why a job cannot be a neighbour; empty if it can."""
    if start is None:
        return "without a start"
    if end is None and not open_end:
        return "without an end"
    if end is not None and end <= start:
        return "that end when they start, or before"
    return "" if size else "without a size"


def in_use(jobs: pl.DataFrame) -> pl.DataFrame:
    """Nodes or processors in use after each start and end: ``time_s``, ``in_use``."""
    starts = jobs.select(pl.col("start_s").alias("time_s"), pl.col("size").alias("change"))
    ends = jobs.select(pl.col("end_s").alias("time_s"), -pl.col("size").alias("change"))
    steps = pl.concat([starts, ends]).group_by("time_s").agg(pl.col("change").sum())
    return steps.sort("time_s").select("time_s", pl.col("change").cum_sum().alias("in_use"))


def instant(value: object) -> float:
    """Seconds of Unix time; without a zone a time is taken as UTC.

    Raises
    ------
    ValueError
        It is no time.

    Examples
    --------
    >>> instant("1970-01-02T00:00:01"), instant("01/02/1970 00:01"), instant(7)
    (86401.0, 86460.0, 7.0)
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    found = value if isinstance(value, datetime) else _moment(str(value).strip())
    if isinstance(found, float):
        return found
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _moment(text: str) -> datetime | float:
    with contextlib.suppress(ValueError):  # before dates: 13 digits pass for a date and a time
        seconds = float(text)
        if not abs(seconds) < _LATEST:
            raise TypeError("no time")
        return seconds
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text)
    for form in _TIMES:
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, form)  # noqa: DTZ007 - the caller looks at its zone
    raise ValueError("no time")


def _whole(value: object) -> int:
    number = float(str(value))
    if number != int(number) or number < 0:
        raise ValueError("no count")
    return int(number)
