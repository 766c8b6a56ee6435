"""Quantiles with intervals from order statistics, and which of them a sample can carry."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import FEWEST_EFFECTIVE, Dependence, checked, dependence
from odonata.analysis.frames import AnalysisError
from odonata.analysis.scores import Values

LEVEL = 0.95
"""Confidence of intervals unless another is asked for."""

_MARGIN = 1.25
"""How many times the needed number an ordered series must be worth: the number is estimated, and a
series that has it by luck alone would have an interval that is too narrow."""


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
        """Whether a value lies in the interval, ends included.

        Parameters
        ----------
        value : float
            In the unit of the estimate.

        Returns
        -------
        bool
            False for NaN.
        """
        return self.low <= value <= self.high

    def over(self, other: Interval) -> Interval:
        """Ratio of two independent positive estimates.

        The interval combines those of the parts on the scale of logarithms.

        Parameters
        ----------
        other : Interval
            The divisor; of the same level.

        Returns
        -------
        Interval
            Of the ratio, without a unit.

        Raises
        ------
        AnalysisError
            An estimate or a lower end is not above 0.

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

    Raises
    ------
    AnalysisError
        The quantile is not between 0 and 1.

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


@dataclass(frozen=True, slots=True)
class Worth:
    """How many independent values a sample is worth.

    Attributes
    ----------
    at : float
        For the fraction below the quantile, which decides how wide its interval is.
    series : float or None
        For everything, which decides whether there is one at all; ``None`` for values that are
        independent by themselves.
    """

    at: float
    series: float | None = None

    @classmethod
    def of(cls, found: Dependence, quantile: float) -> Worth:
        """Of a series in the order of measuring."""
        return cls(found.at(quantile), found.effective)

    def lacks(self, quantile: float, level: float, *, least: float = FEWEST_EFFECTIVE) -> str:
        """Why no interval of the quantile can be given; empty if one can.

        The smaller of both numbers must reach :func:`needed`, that of an ordered series
        also `least`. ``19 of 30`` says: worth 19 independent values, and 30 are needed.
        """
        have, enough = self.at, float(needed(quantile, level))
        if self.series is not None:
            have, enough = min(have, self.series), max(_MARGIN * enough, least)
        return "" if have >= enough else f"{math.floor(have)} of {math.ceil(enough)}"

    def reduced(self, level: float) -> float:
        """Number whose plain interval is as wide as it must be for the number being estimated.

        Student's quantile instead of the normal one, with a third as many degrees of freedom as the
        series or the fraction is worth: of 1 / (1 - phi) squared, to which the variance is
        proportional, the variance of the logarithm is 4 over that worth, and a little more where it
        is small.
        """
        if self.series is None:
            return self.at
        from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - takes a while to load

        upper = (1.0 + level) / 2.0
        return self.at * float(ndtri(upper) / stdtrit(min(self.series, self.at) / 3.0, upper)) ** 2


def fraction(effective: float, quantile: float, probability: npt.ArrayLike) -> Values:
    """Fraction of the sample that lies below a quantile, at most with a probability.

    Parameters
    ----------
    effective : float
        Independent values that the sample is worth.
    quantile : float
        Between 0 and 1.
    probability : array_like
        Between 0 and 1.

    Returns
    -------
    numpy.ndarray
        The fractional order statistic over `effective` + 1 that exceeds the quantile with the
        probability.

    References
    ----------
    Hutson, Calculating Nonparametric Confidence Intervals for Quantiles Using Fractional Order
    Statistics, Journal of Applied Statistics 26(3), 1999.
    """
    from scipy.special import betainc  # noqa: PLC0415 - takes a while to load

    wanted = np.asarray(probability, dtype=np.float64)
    low, high = np.zeros_like(wanted), np.ones_like(wanted)
    for _ in range(26):
        middle = (low + high) / 2.0
        places = (effective + 1.0) * middle, (effective + 1.0) * (1.0 - middle)
        exceeds = 1.0 - betainc(*places, quantile) > wanted
        low, high = np.where(exceeds, low, middle), np.where(exceeds, middle, high)
    return np.asarray((low + high) / 2.0, dtype=np.float64)


def value_at(data: Values, share: float, *, down: bool) -> float:
    """Value of a sorted sample at a fraction of (n + 1): between two values, on the line.

    Where one of the two is there more than once, as a clock that ticks makes them, the distribution
    may have a step there: then the outer of both is taken.
    """
    size = len(data)
    place = min(max(share * (size + 1.0) - 1.0, 0.0), size - 1.0)
    first = math.floor(place)
    last = min(first + 1, size - 1)
    low, high = float(data[first]), float(data[last])
    if low < high and _repeats(data, first, last):
        return low if down else high
    return low + (place - first) * (high - low)


def _repeats(data: Values, first: int, last: int) -> bool:
    before = first > 0 and data[first - 1] == data[first]
    return bool(before or (last + 1 < len(data) and data[last + 1] == data[last]))


def quantile_interval(
    values: npt.ArrayLike, quantile: float = 0.5, *, level: float = LEVEL, ordered: bool = False
) -> Interval | None:
    """A quantile with an interval from order statistics.

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
        ``None`` if the sample cannot carry the quantile: see :meth:`Worth.lacks`.

    Raises
    ------
    AnalysisError
        There is no value, or one is not finite.

    References
    ----------
    David, Nagaraja, *Order Statistics*, section 7.1; Hutson 1999; Hoefler, Belli, Scientific
    Benchmarking of Parallel Computing Systems, SC'15, rule 5. With dependence: as
    :meth:`odonata.analysis.dependence.Dependence.at`.

    Examples
    --------
    >>> found = quantile_interval(range(1, 11))
    >>> found.estimate, round(found.low, 2), round(found.high, 2)
    (5.5, 2.47, 8.53)
    """
    data = checked(values, "quantile")
    worth = Worth.of(dependence(data), quantile) if ordered else Worth(float(len(data)))
    return of_sorted(np.sort(data), quantile, worth=worth, level=level)


def of_sorted(
    data: Values, quantile: float, *, worth: Worth, level: float = LEVEL
) -> Interval | None:
    """The same of values that are sorted and whose worth is known."""
    if worth.lacks(quantile, level):
        return None
    tail = (1.0 - level) / 2.0
    first, last = fraction(worth.reduced(level), quantile, [tail, 1.0 - tail])
    at = quantile * (len(data) - 1)
    below = math.floor(at)
    above = min(below + 1, len(data) - 1)
    estimate = float(data[below] + (at - below) * (data[above] - data[below]))
    return Interval(
        estimate=estimate,
        low=min(value_at(data, float(first), down=True), estimate),
        high=max(value_at(data, float(last), down=False), estimate),
        level=level,
    )
