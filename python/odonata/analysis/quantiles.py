"""Quantiles with intervals from order statistics, and which of them a sample can carry."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import Values, checked, effective_size
from odonata.analysis.frames import AnalysisError

LEVEL = 0.95
"""Confidence of intervals unless another is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate and what it may be.

    Attributes
    ----------
    estimate : float
        The estimate.
    low, high : float
        Ends of the interval.
    level : float
        Probability with which such intervals contain the truth.
    """

    estimate: float
    low: float
    high: float
    level: float = LEVEL

    def contains(self, value: float) -> bool:
        """Whether a value lies in the interval, ends included."""
        return self.low <= value <= self.high

    def over(self, other: Interval) -> Interval:
        """Ratio of two independent positive estimates.

        The interval combines those of the parts on the scale of logarithms.

        References
        ----------
        MOVER: Donner, Zou, Statistical Methods in Medical Research 21(4), 2012.
        """
        if min(self.low, self.estimate, other.low, other.estimate) <= 0.0:
            raise AnalysisError("ratio: an estimate is not above 0; compare positive quantities")
        centre = math.log(self.estimate / other.estimate)
        down = math.hypot(math.log(self.estimate / self.low), math.log(other.high / other.estimate))
        up = math.hypot(math.log(self.high / self.estimate), math.log(other.estimate / other.low))
        return Interval(
            estimate=math.exp(centre),
            low=math.exp(centre - down),
            high=math.exp(centre + up),
            level=self.level,
        )


def needed(quantile: float, level: float = LEVEL) -> int:
    """How many independent values carry a quantile.

    Parameters
    ----------
    quantile : float
        Between 0 and 1.
    level : float
        Confidence of its interval.

    Returns
    -------
    int
        Fewest values of which the smallest and the largest enclose the quantile with that
        confidence, half of the error on each side: fewer cannot give a two-sided interval.

    Examples
    --------
    >>> needed(0.5), needed(0.95), needed(0.99)
    (6, 72, 368)
    """
    if not 0.0 < quantile < 1.0:
        raise AnalysisError(f"quantile {quantile} is not between 0 and 1; give a fraction")
    tail = (1.0 - level) / 2.0
    extreme = max(quantile, 1.0 - quantile)
    return math.ceil(math.log(tail) / math.log(extreme))


def ranks(size: int, effective: float, quantile: float, level: float) -> tuple[int, int] | None:
    """Places, from 0, of the order statistics that enclose a quantile; ``None`` without any.

    Of `effective` independent values, binomial ranks; on to `size` values in proportion, outwards.
    """
    from scipy.stats import binom  # noqa: PLC0415 - takes longer to load than most commands last

    count = max(int(effective), 1)
    if count < needed(quantile, level):
        return None
    tail = (1.0 - level) / 2.0
    # P(X_(low) > q) <= tail with low = the largest r such that P(B < r) <= tail, B binomial.
    low = int(binom.ppf(tail, count, quantile))
    if binom.cdf(low - 1, count, quantile) > tail:
        low -= 1
    high = int(binom.ppf(1.0 - tail, count, quantile)) + 1
    if count == size:
        return max(low - 1, 0), min(high - 1, size - 1)
    centre = quantile * size
    down = (quantile * count - (low - 0.5)) * size / count
    up = ((high - 0.5) - quantile * count) * size / count
    first, last = math.floor(centre - down), math.ceil(centre + up) - 1
    return max(first, 0), min(last, size - 1)


def quantile_interval(
    values: npt.ArrayLike, quantile: float = 0.5, *, level: float = LEVEL, ordered: bool = False
) -> Interval | None:
    """A quantile with an interval whose ends are values of the sample.

    Assumes no distribution. A notch of a box plot is this interval of the median.

    Parameters
    ----------
    values : array_like
        The sample.
    quantile : float
        Between 0 and 1.
    level : float
        Confidence.
    ordered : bool
        Whether the values are in the order of measuring and may depend on each other: then their
        effective number decides, which widens the interval.

    Returns
    -------
    Interval or None
        ``None`` if the sample cannot carry the quantile: see :func:`needed`.

    Raises
    ------
    AnalysisError
        There is no value, or one is not finite.

    References
    ----------
    David, Nagaraja, *Order Statistics*, section 7.1; Hoefler, Belli, Scientific Benchmarking of
    Parallel Computing Systems, SC'15, rule 5. With dependence: as :func:`effective_size`.

    Examples
    --------
    >>> quantile_interval(range(1, 11))
    Interval(estimate=5.5, low=2.0, high=9.0, level=0.95)
    """
    data = checked(values, "quantile")
    effective = effective_size(data, quantile) if ordered else float(len(data))
    return of_sorted(np.sort(data), quantile, effective=effective, level=level)


def of_sorted(
    data: Values, quantile: float, *, effective: float, level: float = LEVEL
) -> Interval | None:
    """The same of values that are sorted and whose effective number is known."""
    places = ranks(len(data), effective, quantile, level)
    if places is None:
        return None
    low, high = places
    at = quantile * (len(data) - 1)
    below = math.floor(at)
    above = min(below + 1, len(data) - 1)
    estimate = float(data[below] + (at - below) * (data[above] - data[below]))
    return Interval(
        estimate=estimate,
        low=min(float(data[low]), estimate),
        high=max(float(data[high]), estimate),
        level=level,
    )
