"""Compares times replica by replica: a typical ratio, and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from odonata.analysis.pairs import FEWEST_PAIRS, slowdown_interval
from odonata.output.explain import units


@dataclass(frozen=True)
class Ratio:
    """One time over another, replica by replica.

    Attributes
    ----------
    each : tuple of float
        The ratio of each replica; at least one.
    typical : float
        Their geometric mean.
    low, high : float or None
        Ends of its 95 % interval; ``None`` of fewer than five replicas.
    """

    each: tuple[float, ...]
    typical: float
    low: float | None = None
    high: float | None = None

    @property
    def has_interval(self) -> bool:
        """Whether there are replicas enough for an interval."""
        return self.low is not None

    @property
    def is_sure(self) -> bool:
        """Whether the interval excludes 1: without one, nothing is sure."""
        return self.low is not None and self.high is not None and not self.low <= 1.0 <= self.high

    @property
    def may_differ(self) -> bool:
        """Whether no interval says that no difference is seen."""
        return self.is_sure or not self.has_interval

    @property
    def basis(self) -> str:
        """What the ratio rests on, to stand in parentheses."""
        count = len(self.each)
        if count == 1:
            return "one run, no interval"
        if self.low is None:
            return (
                f"{count} replicas, {units.times(min(self.each))} to "
                f"{units.times(max(self.each))}; an interval needs {FEWEST_PAIRS}"
            )
        return f"95 % interval {self.low:.3f} to {self.high:.3f}, {count} replicas"


def ratio(above: Sequence[float | None], below: Sequence[float | None]) -> Ratio | None:
    """Compare times replica by replica.

    Parameters
    ----------
    above, below : sequence of float or None
        Times of the same replicas in the same order; pairs that lack one are left out.

    Returns
    -------
    Ratio or None
        ``None`` where no pair has both.
    """
    both = [(a, b) for a, b in zip(above, below, strict=True) if a and b and a > 0.0 and b > 0.0]
    if not both:
        return None
    each = tuple(a / b for a, b in both)
    if len(each) >= FEWEST_PAIRS:
        found = slowdown_interval([a for a, _ in both], [b for _, b in both]).ratio
        return Ratio(each, found.estimate, found.low, found.high)
    if len(each) == 1:
        return Ratio(each, each[0])
    return Ratio(each, math.exp(sum(map(math.log, each)) / len(each)))
