"""Host noise: a loop of a fixed quantum of work that should take equally long each time.

As the benchmark `selfish detour` (Beckman et al., The Influence of Operating Systems on the
Performance of Collective Operations at Extreme Scale, Cluster 2006), in Netgauge, too: the quantum
is one look at the clock. What takes longer than a multiple of the shortest quantum is a detour.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_FACTOR = 9
"""A quantum that takes so many times the shortest is a detour (Netgauge)."""

_MOST = 20_000
"""Detours of a rank that are kept; the watch ends with the last of them."""

_TRIALS = 20_000


@dataclass(frozen=True, slots=True)
class Detours:
    """What one rank saw.

    Attributes
    ----------
    begins_ns, lengths_ns : array of int64
        Of every detour: when, from the beginning of the watch on, and how long.
    watched_ns : int
        Length of the watch.
    quantum_ns : int
        The shortest quantum.
    """

    begins_ns: npt.NDArray[np.int64]
    lengths_ns: npt.NDArray[np.int64]
    watched_ns: int
    quantum_ns: int


def watch(seconds: float) -> Detours:
    """Look for detours.

    Returns
    -------
    Detours
        What was found. Without garbage collection, so that the interpreter makes none.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        quantum = _quantum()
        begins, lengths, watched = _loop(int(seconds * 1e9), _FACTOR * quantum)
    finally:
        if collects:
            gc.enable()
    return Detours(np.array(begins, dtype=np.int64), np.array(lengths, dtype=np.int64),
                   watched, quantum)  # fmt: skip


def _quantum() -> int:
    """Shortest time between two looks at the clock, ns."""
    clock = time.perf_counter_ns
    least, last = 1 << 62, clock()
    for _ in range(_TRIALS):
        at = clock()
        least = min(least, at - last)
        last = at
    return max(least, 1)


def _loop(span: int, limit: int) -> tuple[list[int], list[int], int]:
    clock = time.perf_counter_ns
    begins, lengths = list[int](), list[int]()
    begin = last = clock()
    end = begin + span
    while last < end:
        at = clock()
        if at - last > limit:
            begins.append(last - begin)
            lengths.append(at - last)
            if len(lengths) == _MOST:
                last = at
                break
        last = at
    return begins, lengths, last - begin
