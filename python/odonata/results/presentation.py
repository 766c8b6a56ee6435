"""What a user may ask of results in Python: pictures, a report, a copy on disk, tables of pandas.

Packages above carry it out. They are not imported here: ``odonata`` tells this module who does the
work, and that is loaded when something is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure


class Presenter(Protocol):
    """Carries out what is asked of results: a module with these functions."""

    def draw(self, results: Any, picture: str) -> Figure:  # noqa: ANN401 - a Result or a Sweep
        """A picture of the report by its name."""

    def write(
        self,
        results: Any,  # noqa: ANN401 - a Result or a Sweep
        directory: str | Path | None,
        *,
        interactive: bool,
    ) -> Path:
        """Write the report."""

    def save(self, results: Any, directory: str | Path, *, overwrite: bool) -> Path:  # noqa: ANN401
        """Write the results into a folder."""

    def html(self, results: Any) -> str:  # noqa: ANN401
        """The results as a piece of a page."""


_LOADERS: list[Callable[[], Presenter]] = []


def provided_by(load: Callable[[], Presenter]) -> None:
    """Say who does the work.

    Parameters
    ----------
    load : callable
        Imports and returns it; called whenever something is asked for.
    """
    _LOADERS[:] = [load]


def _presenter() -> Presenter:
    return _LOADERS[0]()


class Plots:
    """Pictures of results, those of the report; each returns a figure of matplotlib.

    Parameters
    ----------
    results : Result or Sweep
        What they show.
    """

    __slots__ = ("_results",)

    def __init__(self, results: Any) -> None:  # noqa: ANN401 - a Result or a Sweep
        self._results = results

    def _draw(self, picture: str) -> Figure:
        return _presenter().draw(self._results, picture)

    def ranking(self) -> Figure:
        """Variants with intervals, the best first."""
        return self._draw("ranking")

    def communication(self) -> Figure:
        """Communication time of every job, alone and beside the others."""
        return self._draw("communication_time")

    def latency(self) -> Figure:
        """Packet latency of every job: quartiles, 95th and 99th percentile."""
        return self._draw("packet_latency")

    def tail(self) -> Figure:
        """Fraction of packets above each latency."""
        return self._draw("latency_tail")

    def loads(self) -> Figure:
        """Latency and accepted load over offered load."""
        return self._draw("load_latency")

    def throughput(self) -> Figure:
        """What each job gets through the network, over time."""
        return self._draw("throughput")

    def congestion(self) -> Figure:
        """Use of the links between each two groups."""
        return self._draw("congestion")

    def machine(self) -> Figure:
        """Which job is where, and how busy links are, on the topology."""
        return self._draw("machine")

    def link_use(self) -> Figure:
        """Use of links by kind and job."""
        return self._draw("link_use")

    def blame(self) -> Figure:
        """Who delayed whom."""
        return self._draw("blame")

    def breakdown(self) -> Figure:
        """What the time of a victim's packets consists of."""
        return self._draw("breakdown")

    def counters(self) -> Figure:
        """How fast counters of routers and NICs count, over time."""
        return self._draw("counters")

    def noise(self) -> Figure:
        """Times of iterations as notched boxes and cumulative distributions."""
        return self._draw("iteration_noise")

    def slowest_ranks(self) -> Figure:
        """Fastest, middle and slowest rank of every iteration."""
        return self._draw("slowest_ranks")

    def classes(self) -> Figure:
        """What each traffic class takes of the links."""
        return self._draw("traffic_classes")

    def learning(self) -> Figure:
        """How a routing that learns gets better."""
        return self._draw("learning")


class Presentable(ABC):
    """What both a run and a sweep can be asked for."""

    __slots__ = ()

    @property
    def plot(self) -> Plots:
        """Pictures: ``result.plot.latency()``."""
        return Plots(self)

    def report(self, directory: str | Path | None = None, *, interactive: bool = False) -> Path:
        """Write the report: one page with all pictures.

        Parameters
        ----------
        directory : str or pathlib.Path, optional
            Where to save results that are in memory only; by default the report goes where the
            results are.
        interactive : bool
            Whether there are plots to zoom into; the page gets 5 MB larger.

        Returns
        -------
        pathlib.Path
            The page.

        Raises
        ------
        RunError
            It cannot be written, or the results are in memory and no folder is given.
        """
        return _presenter().write(self, directory, interactive=interactive)

    def save(self, directory: str | Path, *, overwrite: bool = False) -> Path:
        """Write the results into a folder, as ``odonata run --out`` does.

        Parameters
        ----------
        directory : str or pathlib.Path
            The folder; other results in it are refused.
        overwrite : bool
            Whether they may be replaced.

        Returns
        -------
        pathlib.Path
            The folder; ``odonata.load`` reads it.

        Raises
        ------
        RunError
            It cannot be written, or holds something else.
        """
        return _presenter().save(self, directory, overwrite=overwrite)

    @abstractmethod
    def table(self, name: str) -> pl.DataFrame:
        """One table as a frame of polars."""

    def pandas(self, name: str) -> pd.DataFrame:
        """One table as a frame of pandas.

        Parameters
        ----------
        name : str
            Such as ``links``.

        Raises
        ------
        RunError
            No such table.
        """
        import pandas as pd  # noqa: PLC0415 - takes longer to load than most commands last

        frame = self.table(name)
        return pd.DataFrame({column: frame[column].to_numpy() for column in frame.columns})

    def _repr_html_(self) -> str:
        return _presenter().html(self)
