"""Noise of hosts: detours of a recorded machine lengthen the computation of a trace.

A file of detours is what Netgauge's ``selfish`` benchmark writes: two numbers per line, when the
operating system took the CPU away and for how long, in nanoseconds. Every rank starts at a place of
the recording of its own and goes around it (Hoefler, Schneider, Lumsdaine 2010, section 4).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from odonata.core import files, native
from odonata.core.errors import TraceError
from odonata.traces.operations import Columns, Operation


@dataclass(frozen=True)
class Detours:
    """A recording of noise.

    Attributes
    ----------
    at_ps, sums_ps : numpy.ndarray
        Computation until each detour, ascending, and what the detours up to it have taken; shape
        (detours,).
    length_ps : int
        Computation of the whole recording; then it begins again.
    """

    at_ps: npt.NDArray[np.int64]
    sums_ps: npt.NDArray[np.int64]
    length_ps: int

    def until(self, time_ps: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What detours take in the first ``time_ps`` of computation."""
        rounds, rest = np.divmod(time_ps, self.length_ps)
        before = np.searchsorted(self.at_ps, rest, side="left")
        sums = np.concatenate([[0], self.sums_ps])
        found: npt.NDArray[np.int64] = rounds * self.sums_ps[-1] + sums[before]
        return found


def read(path: Path) -> Detours:
    """Read a file of detours.

    Raises
    ------
    odonata.errors.TraceError
        If it is missing or has anything else.
    """
    starts, lengths = _columns(path, _numbers(path))
    taken = np.rint(lengths * 1000).astype(np.int64)
    sums = np.cumsum(taken)
    # The clock of the recording runs on during a detour; the computation does not.
    at = np.rint((starts - starts[0]) * 1000).astype(np.int64) - (sums - taken)
    at = np.maximum.accumulate(np.maximum(at, 0))
    gap = int(np.median(np.diff(at)))
    return Detours(at, sums, int(at[-1]) + max(gap, 1))


def text(path: Path, values: npt.NDArray[np.float64] | None = None) -> str:
    """Detours as the simulator takes them for `[system.host]`.

    Parameters
    ----------
    path : pathlib.Path
        As for :func:`read`.
    values : numpy.ndarray, optional
        When each detour began and how long it took, ns, of a file that holds them in another form.

    Returns
    -------
    str
        Beginning and length of each detour, whole ps, a line each; then the length of the
        recording.

    Raises
    ------
    odonata.errors.TraceError
        If it is missing or has anything else.
    """
    starts, lengths = _columns(path, _numbers(path) if values is None else values)
    begins = np.rint((starts - starts[0]) * 1000).astype(np.int64)
    taken = np.rint(lengths * 1000).astype(np.int64)
    lines, free = [], 0
    for begin, length in zip(begins.tolist(), taken.tolist(), strict=True):
        at = max(begin, free)
        free = at + length
        lines.append(f"{at} {length}")
    gap = int(np.median(np.diff(begins)))
    return "\n".join([*lines, str(free + max(gap, 1))]) + "\n"


_Numbers: TypeAlias = "npt.NDArray[np.float64]"


def _numbers(path: Path) -> _Numbers:
    """Numbers of a file of lines with two of them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # of a file without numbers
            files.require_file(path)
            return np.loadtxt(path, ndmin=2)
    except (OSError, ValueError, UserWarning) as error:
        words = str(error).splitlines()[0][:200]
        raise TraceError(_message(path, words)) from error


def _columns(path: Path, values: _Numbers) -> tuple[_Numbers, _Numbers]:
    """When detours begin and how long they are, ns, if these can be detours."""
    if len(values) < 2 or values.shape[1] < 2 or not np.isfinite(values).all():
        raise TraceError(_message(path, "it does not have two columns of numbers"))
    starts, lengths = values[:, 0], values[:, 1]
    if (np.diff(starts) < 0).any() or (lengths < 0).any() or starts[-1] <= starts[0]:
        raise TraceError(_message(path, "its times do not increase"))
    if starts[-1] - starts[0] > 1e13 or lengths.sum() > 1e13:
        raise TraceError(_message(path, "it lasts for more than 10,000 s"))
    return starts, lengths


def _message(path: Path, words: str) -> str:
    return (
        f"noise {path}: it is not a file of detours ({words}); each line has the time and the "
        "length of a detour, both in ns, as Netgauge's `selfish` writes them"
    )


def lengthen(columns: Columns, detours: Detours, seed: int, scale: float) -> native.Table:
    """Let detours lengthen the computation of every rank.

    Parameters
    ----------
    columns : native.Table or dict of str to numpy.ndarray
        The table.
    detours : Detours
        The recording.
    seed : int
        Where each rank begins in the recording follows from it and the rank.
    scale : float
        Factor of the computation, which the detours do not take part in.

    Returns
    -------
    native.Table
        The table with scaled and lengthened computation.
    """
    table = native.Table.of(columns)
    made = native.Builder(like=table.core, without="duration_ps")
    offsets = table["rank_offsets"].astype(np.int64).tolist()
    for rank, (begin, end) in enumerate(pairwise(offsets)):
        draw = np.random.default_rng([seed, rank])
        now = int(draw.integers(detours.length_ps))
        for first in range(begin, end, _PART):
            part = (first, min(first + _PART, end))
            durations = table.core.part("duration_ps", *part).astype(np.int64)
            is_computation = table.core.part("op", *part) == Operation.COMPUTE
            durations = np.where(is_computation, np.rint(durations * scale), 0).astype(np.int64)
            ends = now + np.cumsum(durations)
            now = int(ends[-1])
            durations += detours.until(ends) - detours.until(ends - durations)
            made.extend("duration_ps", durations.astype("u8"))
    return native.Table(made.finish())


_PART = 1 << 18
"""Operations that are lengthened at a time."""
