"""Normal scores: dependence in a form that no distribution of the values distorts."""

from __future__ import annotations

import math
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = "npt.NDArray[np.float64]"

_STEPS = 4001
"""Points of the integral below: its error is under 1e-4 of a correlation."""


def normal_scores(values: Values) -> Values:
    """Values of a standard normal distribution with the ranks of the given ones.

    Parameters
    ----------
    values : numpy.ndarray
        At least one.

    Returns
    -------
    numpy.ndarray
        The normal quantile of (rank - 1/2) / n; equal values share the mean of their ranks.
    """
    from scipy.special import ndtri  # noqa: PLC0415 - takes a while to load

    order = np.argsort(values, kind="stable")
    kept = values[order]
    ranks = np.empty(len(values))
    ranks[order] = np.searchsorted(kept, kept, "left") + np.searchsorted(kept, kept, "right")
    return np.asarray(ndtri(ranks / (2.0 * len(values))), dtype=np.float64)


def indicator_correlation(correlations: npt.ArrayLike, first: float, second: float) -> Values:
    """Correlation of being below a quantile, of two values whose normal scores are correlated.

    Parameters
    ----------
    correlations : array_like
        Of the normal scores, from -1 to 1.
    first, second : float
        Quantile of either value, between 0 and 1.

    Returns
    -------
    numpy.ndarray
        Correlations of the indicators, for a pair that is normal after the transformation.

    References
    ----------
    The derivative of the bivariate normal distribution function by the correlation is its density
    (Plackett, Biometrika 41, 1954), which is integrated over the arc sine of the correlation.

    Examples
    --------
    >>> round(float(indicator_correlation(0.5, 0.5, 0.5)), 4)  # 2 / pi * asin(1 / 2)
    0.3333
    """
    angles, found = _integral(first, second)
    given = np.clip(np.asarray(correlations, dtype=np.float64), -1.0, 1.0)
    return np.asarray(np.interp(np.arcsin(given), angles, found), dtype=np.float64)


@cache
def _integral(first: float, second: float) -> tuple[Values, Values]:
    from scipy.special import ndtri  # noqa: PLC0415 - as above

    one, other = float(ndtri(first)), float(ndtri(second))
    angles = np.linspace(-math.pi / 2.0, math.pi / 2.0, _STEPS)
    span = np.maximum(2.0 * np.cos(angles) ** 2, 1e-300)
    exponent = -(one**2 + other**2 - 2.0 * one * other * np.sin(angles)) / span
    density = np.exp(np.maximum(exponent, -700.0)) / (2.0 * math.pi)
    found = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2.0)])
    found *= angles[1] - angles[0]
    found -= found[_STEPS // 2]
    scale = math.sqrt(first * (1.0 - first) * second * (1.0 - second))
    return angles, np.asarray(found / scale, dtype=np.float64)
