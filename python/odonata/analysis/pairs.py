"""Comparisons pair by pair: the same seeds beside and alone, modes that alternate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import FEWEST_EFFECTIVE, FEWEST_FOR_SPREAD, checked, dependence
from odonata.analysis.frames import AnalysisError
from odonata.analysis.impact import mean_interval
from odonata.analysis.quantiles import LEVEL, Interval, quantile_interval
from odonata.analysis.scores import Values

FEWEST_PAIRS = 5
"""Pairs below which no interval is given."""

Verdict = Literal["lower", "higher", "no difference seen"]
"""What an interval of a ratio says: it lies below 1, above 1, or on both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How much larger one thing is than another, pair by pair.

    Attributes
    ----------
    ratio : Interval
        Of the typical pair.
    pairs : int
        Pairs.
    effective : float or None
        Independent pairs that pairs in the order of measuring are worth; ``None`` for pairs that
        are independent by themselves.
    """

    ratio: Interval
    pairs: int
    effective: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the first is lower, higher, or neither is seen."""
        if self.ratio.high < 1.0:
            return "lower"
        return "higher" if self.ratio.low > 1.0 else "no difference seen"


def slowdown_interval(
    beside: npt.ArrayLike, alone: npt.ArrayLike, *, level: float = LEVEL
) -> Comparison:
    """Slowdown of replicas, each beside others and alone with the same seed.

    The mean logarithm of the ratios with Student's interval: a ratio is bounded by 0 and spreads in
    proportion to itself, so that its logarithm is closer to normal than the ratio. Of 5 to 20
    values it covers as it says, which a bootstrap does not (docs/campaigns.md has the numbers).

    Parameters
    ----------
    beside, alone : array_like
        Times by seed, above 0, in the same order of seeds; at least :data:`FEWEST_PAIRS`.
    level : float
        Confidence.

    Returns
    -------
    Comparison
        Geometric mean of ``beside / alone`` with its interval.

    Raises
    ------
    AnalysisError
        The seeds differ in number, there are too few, or a time is not above 0.

    References
    ----------
    Law, Simulation Modeling and Analysis, 5th edition, sections 4.5 and 9.4.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load; all of stats, a second

    logs = _log_ratios(beside, alone, "slowdown by seeds")
    centre = float(logs.mean())
    half = float(stdtrit(len(logs) - 1, (1.0 + level) / 2.0) * logs.std(ddof=1))
    half /= math.sqrt(len(logs))
    ratio = Interval(estimate=math.exp(centre), low=math.exp(centre - half),
                     high=math.exp(centre + half), level=level)  # fmt: skip
    return Comparison(ratio=ratio, pairs=len(logs))


def _log_ratios(first: npt.ArrayLike, second: npt.ArrayLike, purpose: str) -> Values:
    one, other = checked(first, purpose), checked(second, purpose)
    if len(one) != len(other):
        raise AnalysisError(
            f"{purpose}: {len(one)} and {len(other)} values; give both for the same pairs"
        )
    if len(one) < FEWEST_PAIRS:
        raise AnalysisError(
            f"{purpose}: {len(one)} pairs carry no interval; give at least {FEWEST_PAIRS}"
        )
    if min(one.min(), other.min()) <= 0.0:
        raise AnalysisError(f"{purpose}: a value is not above 0; a ratio needs positive values")
    return np.log(one / other)


def replicas_for(comparison: Comparison, width: float) -> int:
    """How many pairs an interval of a wished width needs, as far as these pairs tell.

    Parameters
    ----------
    comparison : Comparison
        Of the pairs there are.
    width : float
        Wished width of the interval over its estimate, such as 0.02.

    Returns
    -------
    int
        At least :data:`FEWEST_PAIRS`; the width falls with the root of the number of pairs.

    Raises
    ------
    AnalysisError
        The width is not above 0.
    """
    if not width > 0.0:
        raise AnalysisError(f"a width of {width} cannot be reached; give one above 0")
    have = (comparison.ratio.high - comparison.ratio.low) / comparison.ratio.estimate
    return max(FEWEST_PAIRS, math.ceil(comparison.pairs * (have / width) ** 2))


def alternated(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    statistic: Literal["median", "mean"] = "median",
    level: float = LEVEL,
) -> Comparison:
    """Compare two modes that were alternated on successive iterations.

    Neighbours make a pair, so what changes slowly acts on both and cancels. The pairs may still
    depend on each other; the interval of the logarithms of their ratios is that of an ordered
    series.

    Parameters
    ----------
    first, second : array_like
        Values of the modes in the order of measuring, above 0; number k of both are neighbours.
        At least :data:`FEWEST_PAIRS`, worth at least
        :data:`odonata.analysis.dependence.FEWEST_EFFECTIVE` independent ones (of a mean
        :data:`odonata.analysis.dependence.FEWEST_FOR_SPREAD`).
    statistic : {"median", "mean"}
        What of the logarithms of the ratios is compared.
    level : float
        Confidence.

    Returns
    -------
    Comparison
        ``first / second`` of the typical pair.

    Raises
    ------
    AnalysisError
        The numbers differ, there are too few pairs, or a value is not above 0.

    References
    ----------
    De Sensi et al. 2019, sections 4.1 and 6 (alternation);
    :func:`odonata.analysis.quantiles.quantile_interval`,
    :func:`odonata.analysis.impact.mean_interval`.
    """
    logs = _log_ratios(first, second, "alternated modes")
    centre = float(np.median(logs))
    if np.ptp(logs) <= 1e-12 * max(1.0, abs(centre)):
        same = math.exp(centre)
        return Comparison(ratio=Interval(estimate=same, low=same, high=same, level=level),
                          pairs=len(logs))  # fmt: skip
    found = (quantile_interval(logs, 0.5, level=level, ordered=True) if statistic == "median"
             else mean_interval(logs, level=level))  # fmt: skip
    worth = dependence(logs).effective
    if found is None:
        fewest = FEWEST_EFFECTIVE if statistic == "median" else FEWEST_FOR_SPREAD
        more = math.ceil(len(logs) * fewest / worth)
        raise AnalysisError(
            f"alternated modes: {len(logs)} pairs that depend on each other are worth {worth:.0f} "
            f"independent ones, and an interval needs {fewest:.0f}; measure about "
            f"{max(more, len(logs) + 1)}"
        )
    low, ratio, high = (math.exp(end) for end in (found.low, found.estimate, found.high))
    return Comparison(ratio=Interval(estimate=ratio, low=low, high=high, level=level),
                      pairs=len(logs), effective=worth)  # fmt: skip
