"""What all parts of a measurement share on one rank: who is where, what is asked, what is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from odonata.measured.measure import allocation, files
from odonata.measured.measure.files import Row
from odonata.measured.measure.repeat import (
    Series,
    Table,
    Times,
    Tools,
    rows_of_counters,
    rows_of_times,
)
from odonata.measured.measure.request import SLOWEST, Request

if TYPE_CHECKING:
    from mpi4py import MPI

_MOST_ROWS = 5_000_000
"""Times of one series beyond which only that of the slowest rank is kept."""


@dataclass(slots=True, kw_only=True)
class Context:
    """A measurement, seen from one rank.

    Attributes
    ----------
    comm : mpi4py.MPI.Intracomm
        All ranks of the allocation.
    request : Request
        What is asked.
    say : callable
        Where sentences about the progress go.
    seats : list of Seat
        Where every rank is.
    nodes : list of int
        Number of the node of every rank, from 0 without gaps.
    tools : Tools
        What to measure with.
    iteration : int
        Number of the next iteration of the session.
    record : dict
        What becomes the record of the allocation.
    """

    comm: MPI.Intracomm
    request: Request
    say: Callable[[str], None]
    seats: list[allocation.Seat]
    nodes: list[int]
    tools: Tools
    iteration: int = 0
    record: dict[str, Any] = field(default_factory=dict)

    @property
    def seat(self) -> allocation.Seat:
        """Where this rank is."""
        return self.seats[self.comm.Get_rank()]

    @property
    def rounds(self) -> tuple[int, int]:
        """Rounds that are not kept, and rounds that are."""
        return self.request.warm_up, self.request.iterations

    def rows_of_ranks(
        self,
        comm: MPI.Comm,
        values: npt.NDArray[np.float64],
        series: Series,
        times: Times,
        whole: npt.NDArray[np.bool_],
    ) -> Iterable[Row]:
        """On the first rank of a communicator rows of the values of its ranks, else nothing.

        Modes are the condition, unless the series has one.
        """
        gathered = comm.gather(values, root=0)
        numbers = comm.gather(self.seat.rank, root=0)
        if gathered is None or numbers is None:
            return ()
        table, ranks = np.stack(gathered), list[int | None](numbers)
        places = [self.seats[rank].host for rank in numbers]
        if self.request.keep == SLOWEST or table.size > _MOST_ROWS:
            worst = table.min if series.quantity == "bandwidth" else table.max
            table, ranks = worst(axis=0, keepdims=True), [None]
            places = [f"slowest of {len(numbers)} ranks"]
        return rows_of_times(Table(table, ranks, places, times.begins_ns, whole), series,
                             self.conditions(series))  # fmt: skip

    def counted(self, times: Times, series: Series) -> list[Row]:
        """Rows of the counters of this node, if this rank reads them."""
        return rows_of_counters(times, self.tools.counters, self.seat.host, series,
                                self.conditions(series))  # fmt: skip

    def conditions(self, series: Series) -> Sequence[str | None]:
        """Condition of each iteration of a round."""
        return self.tools.modes.names if series.condition is None else (series.condition,)

    def write(self, name: str, rows: Iterable[Row]) -> None:
        """Write the rows of a benchmark; on rank 0."""
        files.write_rows(self.request.out / f"{name}.csv.gz", rows)

    def write_record(self) -> None:
        """Write what is known of the allocation by now; on rank 0."""
        files.write_record(self.request.out / allocation.FILE, self.record)
