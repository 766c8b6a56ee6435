"""Comparisons pair by pair: the same seeds beside and alone, modes that alternate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import Values, checked, correlation_time
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL, Interval

FEWEST_PAIRS = 5
"""Pairs below which no interval is given."""

FEWEST_BLOCKS = 5
"""Blocks of dependent pairs below which no interval is given."""

RESAMPLES = 4000
"""Resamples of a bootstrap."""

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
    block : float
        Length of the blocks that were drawn; 1 for independent pairs.
    """

    ratio: Interval
    pairs: int
    block: float = 1.0

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


def _widened(level: float, count: float) -> float:
    """Level at which a bootstrap of so many values covers as it should."""
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415 - as above

    quantile = stdtrit(count - 1.0, (1.0 + level) / 2.0) * math.sqrt(count / (count - 1.0))
    return float(min(2.0 * ndtr(quantile) - 1.0, 0.9999))


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
    rng: np.random.Generator,
    statistic: Literal["median", "mean"] = "median",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare two modes that were alternated on successive iterations.

    Neighbours make a pair, so what changes slowly acts on both and cancels. The pairs still depend
    on each other: whole blocks of neighbouring pairs are drawn, of the length that the data ask
    for, around the ends (circular block bootstrap). The interval is widened for the number of
    blocks, as few values.

    Parameters
    ----------
    first, second : array_like
        Values of the modes in the order of measuring, above 0; number k of both are neighbours.
        At least :data:`FEWEST_PAIRS`, in at least :data:`FEWEST_BLOCKS` blocks.
    rng : numpy.random.Generator
        Where blocks come from.
    statistic : {"median", "mean"}
        What of the logarithms of the ratios is compared.
    level : float
        Confidence.
    resamples : int
        Resamples of the bootstrap.

    Returns
    -------
    Comparison
        ``first / second`` of the typical pair.

    Raises
    ------
    AnalysisError
        The numbers differ, there are too few pairs or blocks, or a value is not above 0.

    References
    ----------
    De Sensi et al. 2019, sections 4.1 and 6 (alternation); Politis, Romano, A circular
    block-resampling procedure for stationary data, 1992; Patton, Politis, White, Econometric
    Reviews 28(4), 2009 (length of blocks), both from the package `arch`.
    """
    logs = _log_ratios(first, second, "alternated modes")
    of = np.median if statistic == "median" else np.mean
    centre = float(of(logs))
    if np.ptp(logs) <= 1e-12 * max(1.0, abs(centre)):
        same = math.exp(centre)
        return Comparison(ratio=Interval(estimate=same, low=same, high=same, level=level),
                          pairs=len(logs))  # fmt: skip
    block = block_length(logs)
    if len(logs) < FEWEST_BLOCKS * block:
        raise AnalysisError(
            f"alternated modes: {len(logs)} pairs that depend on each other over {block:.0f} are "
            f"too few for an interval; measure at least {math.ceil(FEWEST_BLOCKS * block)}"
        )
    draws = _block_statistics(logs, block, statistic, (rng, resamples))
    tail = (1.0 - _widened(level, len(logs) / block)) / 2.0
    low, high = (float(q) for q in np.quantile(draws, [tail, 1.0 - tail]))
    ratio = Interval(estimate=math.exp(centre), low=math.exp(min(low, centre)),
                     high=math.exp(max(high, centre)), level=level)  # fmt: skip
    return Comparison(ratio=ratio, pairs=len(logs), block=block)


def block_length(values: Values) -> int:
    """Length of blocks for a circular bootstrap, at least the correlation time of the values.

    References
    ----------
    Patton, Politis, White 2009 (`arch.bootstrap.optimal_block_length`).
    """
    from arch.bootstrap import optimal_block_length  # noqa: PLC0415 - takes a second to load

    asked = float(optimal_block_length(values)["circular"].iloc[0])
    asked = asked if math.isfinite(asked) else 1.0
    return max(1, math.ceil(max(asked, correlation_time(values) if len(values) > 8 else 1.0)))


def _block_statistics(
    values: Values, block: int, statistic: str, draws: tuple[np.random.Generator, int]
) -> Values:
    from arch.bootstrap import CircularBlockBootstrap  # noqa: PLC0415 - takes a second to load

    of = np.median if statistic == "median" else np.mean
    rng, resamples = draws
    bootstrap = CircularBlockBootstrap(block, values, seed=rng)
    return np.asarray(bootstrap.apply(lambda drawn: np.array([of(drawn)]), resamples)[:, 0])
