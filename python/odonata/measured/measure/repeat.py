"""Repetitions of one benchmark and size: modes by turns, counters around each, times of all ranks.

Iterations are numbered through the whole session, so that counters and times of one iteration find
each other. A round has one iteration of every mode.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from odonata.measured.measure.clock import now
from odonata.measured.measure.counters import Counters
from odonata.measured.measure.files import Row
from odonata.measured.measure.modes import Modes

if TYPE_CHECKING:
    from mpi4py import MPI


class Starting(Protocol):
    """A way to begin; see :mod:`odonata.measured.measure.clock`."""

    def start(self) -> tuple[int, bool]:
        """Instant of the beginning, and whether this rank was late for it."""


class AtOnce:
    """Begins without waiting for others, as GPCNeT does."""

    def start(self) -> tuple[int, bool]:
        """Now, never late."""
        return now(), False


@dataclass(frozen=True, slots=True)
class Tools:
    """What a rank measures with.

    Attributes
    ----------
    modes : Modes
        Modes that take turns.
    start : Starting
        How iterations begin.
    counters : Counters
        Of its node; nothing on ranks that do not read them.
    """

    modes: Modes
    start: Starting
    counters: Counters


@dataclass(frozen=True, slots=True)
class Times:
    """What one rank saw of one benchmark and size.

    Attributes
    ----------
    nanoseconds : array of int64
        Of every iteration.
    begins_ns : array of int64
        Wall clock at each begin.
    late : array of bool
        Whether this rank missed the instant of the start.
    counts : array of int64
        By iteration and counter; -1 for what could not be read.
    spans_ns : array of int64
        Time over which the counters of each iteration were counted.
    """

    nanoseconds: npt.NDArray[np.int64]
    begins_ns: npt.NDArray[np.int64]
    late: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.int64]
    spans_ns: npt.NDArray[np.int64]


def repeated(
    step: Callable[[int], object], tools: Tools, rounds: tuple[int, int], *, pause_s: float = 0.0
) -> Times:
    """Repeat a step.

    Parameters
    ----------
    step : callable
        One iteration, given its number.
    tools : Tools
        What to measure with.
    rounds : tuple of int
        Rounds that are not kept, and rounds that are.
    pause_s : float
        Before each iteration that is kept.

    Returns
    -------
    Times
        Of the iterations that are kept.
    """
    turns = len(tools.modes.names)
    for iteration in range(rounds[0] * turns):
        tools.modes.enter(iteration)
        tools.start.start()
        step(iteration)
    count = rounds[1] * turns
    ends, begins = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    walls, late = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    read = tools.counters.read
    counts = np.zeros((count, len(tools.counters.names)), dtype=np.int64)
    spans = np.zeros(count, dtype=np.int64)
    for iteration in range(count):
        if pause_s:
            time.sleep(pause_s)
        tools.modes.enter(iteration)
        before, opened = read(), now()
        walls[iteration] = time.time_ns()
        begins[iteration], late[iteration] = tools.start.start()
        step(iteration)
        ends[iteration] = now()
        after = read()
        spans[iteration] = now() - opened
        counts[iteration] = _counted(before, after)
    return Times(ends - begins, walls, late, counts, spans)


def _counted(before: list[int], after: list[int]) -> list[int]:
    """Differences; -1 where a reading failed or someone has set the counter back."""
    return [
        late - early if early >= 0 and late >= early else -1
        for early, late in zip(before, after, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What the rows of one benchmark and size have in common.

    Attributes
    ----------
    name : str
        The series.
    quantity, unit : str
        Of the times.
    bytes : int or None
        Size of a message.
    first : int
        Number of the first iteration.
    condition : str or None
        Under what, unless modes take turns.
    """

    name: str
    quantity: str
    unit: str
    bytes: int | None
    first: int
    condition: str | None = None


def kept(comm: MPI.Comm, times: Times, turns: int) -> npt.NDArray[np.bool_]:
    """Iterations of the rounds in which no rank was late; the same on all ranks."""
    from mpi4py import MPI  # noqa: PLC0415 - it is up by now

    late = np.zeros_like(times.late)
    comm.Allreduce(times.late, late, op=MPI.LOR)
    rounds = late.reshape(-1, turns).any(axis=1)
    return np.repeat(~rounds, turns)


@dataclass(frozen=True, slots=True)
class Table:
    """Values by row and iteration.

    Attributes
    ----------
    values : array of float
        In the unit of their series.
    ranks : list of int or None
        Rank of each row; ``None`` if it is of none.
    places : list of str
        Host of each row.
    begins_ns : array of int64
        Wall clock of each iteration.
    whole : array of bool
        Iterations that count.
    """

    values: npt.NDArray[np.float64]
    ranks: list[int | None]
    places: list[str]
    begins_ns: npt.NDArray[np.int64]
    whole: npt.NDArray[np.bool_]


def rows_of_times(table: Table, series: Series, names: Sequence[str | None]) -> Iterator[Row]:
    """Rows of a table; the names are those of the modes that took turns."""
    for iteration in np.flatnonzero(table.whole).tolist():
        condition = names[iteration % len(names)] or series.condition
        for at, rank in enumerate(table.ranks):
            yield Row(series=series.name, condition=condition, quantity=series.quantity,
                      unit=series.unit, bytes=series.bytes, rank=rank,
                      iteration=series.first + iteration, place=table.places[at],
                      time_ns=float(table.begins_ns[iteration]),
                      value=float(table.values[at, iteration]))  # fmt: skip


def rows_of_counters(
    times: Times, counters: Counters, host: str, series: Series, names: Sequence[str | None]
) -> list[Row]:
    """Rows of the counters of one node; those that never changed are left out."""
    found = []
    for column, (name, nic) in enumerate(counters.names):
        counts = times.counts[:, column]
        if not (counts > 0).any():
            continue
        found += [
            Row(series=counters.series, condition=names[iteration % len(names)],
                quantity=name, unit="count", statistic="delta",
                iteration=series.first + iteration, place=f"{host} {nic}" if nic else host,
                time_ns=float(times.begins_ns[iteration] + times.spans_ns[iteration]),
                interval_ns=float(times.spans_ns[iteration]), value=float(counts[iteration]))
            for iteration in np.flatnonzero(counts >= 0).tolist()
        ]  # fmt: skip
    return found
