"""Quantiles of Student's t distribution.

SciPy has them, too, but takes a third of a second to load: as long as a sweep of a few runs, and
every campaign with replicas asks for some in the end.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_MOST_TERMS = 100_000
_CLOSE = 1e-14


@lru_cache(maxsize=1024)
def quantile(freedom: float, probability: float) -> float:
    """The value that a t variable stays below with a probability.

    Parameters
    ----------
    freedom : float
        Degrees of freedom, more than 0; need not be whole.
    probability : float
        Between 0 and 1.

    Returns
    -------
    float
        Nine digits of it are right.

    Examples
    --------
    >>> round(quantile(19.0, 0.975), 6)
    2.093024
    >>> quantile(5.0, 0.5)
    0.0
    """
    if not (freedom > 0.0 and 0.0 < probability < 1.0):
        raise ValueError(f"no quantile {probability} of {freedom} degrees of freedom")
    if probability < 0.5:
        return -quantile(freedom, 1.0 - probability)
    tail = 1.0 - probability
    if tail == 0.5:
        return 0.0
    low, high = 0.0, 1.0
    while _above(freedom, high) > tail:
        low, high = high, 2.0 * high
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if _above(freedom, middle) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _above(freedom: float, value: float) -> float:
    """Probability of more than a positive value: half an incomplete beta function."""
    share = freedom / (freedom + value * value)
    return (
        _incomplete_beta(freedom / 2.0, 0.5, share, value * value / (freedom + value * value)) / 2.0
    )


def _incomplete_beta(one: float, other: float, share: float, rest: float) -> float:
    """Regularised incomplete beta function up to `share`, 1 less `rest`."""
    if share >= 1.0 or rest <= 0.0:
        return 1.0
    if share <= 0.0:
        return 0.0
    front = math.exp(
        math.lgamma(one + other) - math.lgamma(one) - math.lgamma(other)
        + one * math.log(share) + other * math.log(rest)
    )  # fmt: skip
    if share < (one + 1.0) / (one + other + 2.0):
        return front * _fraction(one, other, share) / one
    return 1.0 - front * _fraction(other, one, rest) / other


def _fraction(one: float, other: float, share: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    below, above = 1.0, 1.0 - (one + other) * share / (one + 1.0)
    above = 1.0 / (above if abs(above) > _TINY else _TINY)
    found = above
    for term in range(1, _MOST_TERMS):
        twice = one + 2.0 * term
        even = term * (other - term) * share / ((twice - 1.0) * twice)
        odd = -(one + term) * (one + other + term) * share / (twice * (twice + 1.0))
        step = 1.0
        for part in (even, odd):
            above = 1.0 + part * above
            above = 1.0 / (above if abs(above) > _TINY else _TINY)
            below = 1.0 + part / below
            below = below if abs(below) > _TINY else _TINY
            step = above * below
            found *= step
        if abs(step - 1.0) < _CLOSE:
            break
    return found
