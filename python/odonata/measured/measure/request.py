"""What is asked of a measurement, checked before MPI is started."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from odonata.core.errors import MeasurementError, suggestion
from odonata.measured.measure import gpcnet, modes
from odonata.measured.measure.benchmarks import BENCHMARKS
from odonata.measured.measure.clock import STARTS

MOST_BYTES = 1 << 30
"""Largest message."""

ALL_RANKS, SLOWEST = "all", "slowest"
"""What is kept of an iteration: the time of every rank, or of the slowest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A measurement in one allocation.

    Attributes
    ----------
    out : pathlib.Path
        Folder for the files, new or empty; every allocation has its own.
    benchmarks : tuple of str
        Names out of :data:`odonata.measure.BENCHMARKS`, `gpcnet` and `gpcnet-isolated`.
    sizes : tuple of int
        Bytes of the messages; empty for those of each benchmark.
    iterations : int
        Per size and mode, without the warm-up.
    warm_up : int
        Iterations per size and mode that are not kept.
    modes : tuple of str
        Modes that take turns; empty for what the machine does by itself.
    force : str or None
        Function of a preload library that forces modes, if it is not one of Odonata.
    start : str
        Name out of :data:`odonata.measured.measure.clock.STARTS`.
    pause_s : float
        Between iterations, s.
    host_s : float
        Watching the hosts, s, before and once more after the benchmarks; 0 for not at all.
    keep : str
        :data:`ALL_RANKS` or :data:`SLOWEST`.
    counters : tuple of str
        Counters of Cassini; empty for those that tell of congestion.
    cxi : pathlib.Path or None
        Folder of Cassini NICs, if not that of the driver.
    ranks_per_node : int or None
        Take so many ranks in a row as a node, whatever their hosts: to try GPCNeT on one machine.
    congestors : tuple of str
        Classes of GPCNeT's congestors.
    seed : int
        Of the shuffles of GPCNeT.
    """

    out: Path
    benchmarks: tuple[str, ...]
    sizes: tuple[int, ...] = ()
    iterations: int = 200
    warm_up: int = 10
    modes: tuple[str, ...] = ()
    force: str | None = None
    start: str = "barrier"
    pause_s: float = 0.0
    host_s: float = 2.0
    keep: str = ALL_RANKS
    counters: tuple[str, ...] = ()
    cxi: Path | None = None
    ranks_per_node: int | None = None
    congestors: tuple[str, ...] = gpcnet.CLASSES
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        if not self.benchmarks:
            raise MeasurementError(f"name a benchmark: {', '.join(names())}.")
        _known("benchmark", self.benchmarks, names())
        _known("way to start", (self.start,), tuple(STARTS))
        _known("class of congestors", self.congestors, gpcnet.CLASSES)
        _known("way to keep times", (self.keep,), (ALL_RANKS, SLOWEST))
        _within("iterations", self.iterations, (1, 10_000_000))
        _within("warm-up", self.warm_up, (0, 1_000_000))
        _within("ranks per node", self.ranks_per_node, (1, 1_000_000))
        for size in self.sizes:
            _within("size", size, (1, MOST_BYTES))
        _within("pause in s", self.pause_s, (0.0, 86_400.0))
        _within("host noise in s", self.host_s, (0.0, 86_400.0))
        if self.force is not None and not self.modes:
            raise MeasurementError(
                "--force needs --modes NAME=NUMBER,..., which says what to force."
            )
        if self.modes:
            modes.chosen(self.modes, self.force)


def names() -> tuple[str, ...]:
    """Benchmarks that can be asked for."""
    return (*BENCHMARKS, *gpcnet.SUITES)


def _known(what: str, given: tuple[str, ...], valid: tuple[str, ...]) -> None:
    for name in given:
        if name not in valid:
            raise MeasurementError(f"there is no {what} `{name}`.{suggestion(name, valid)}")
    if len(set(given)) < len(given):
        raise MeasurementError(f"a {what} is named twice; name each once.")


def _within(what: str, value: float | None, limits: tuple[float, float]) -> None:
    if value is not None and not limits[0] <= value <= limits[1]:
        raise MeasurementError(f"{what}: {value} is out of range; give {limits[0]} to {limits[1]}.")
