"""95 % intervals contain a known truth as often as their pages say, on samples of fixed seeds.

Each test counts how many of its intervals contain the truth. The bounds are such that a method
whose coverage is what docs/noise.md states leaves them with a probability below 1 in 10,000
(binomial); the seeds are fixed, so that a test passes always or never.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from odonata import noise
from odonata.analysis import correlation
from odonata.analysis.frames import AnalysisError

ERROR = 1e-4
"""Probability with which a right method would fail a test."""


def assert_covers(hits, samples, least, most):
    """Whether so many hits agree with a coverage between two values."""
    low = binom.ppf(ERROR / 2, samples, least)
    high = binom.ppf(1 - ERROR / 2, samples, most)
    assert low <= hits <= high, f"{hits} of {samples}: {hits / samples:.3f}"


def correlated(count, coefficient, rng):
    """A stationary autoregressive series, normal with variance 1."""
    from scipy.signal import lfilter  # noqa: PLC0415 - here only

    steps = rng.standard_normal(count + 300) * np.sqrt(1 - coefficient**2)
    return lfilter([1.0], [1.0, -coefficient], steps)[300:]


@pytest.mark.parametrize(("quantile", "count"), [(0.5, 30), (0.25, 100), (0.95, 400), (0.99, 1000)])
def test_quantiles_of_independent_values(quantile, count):
    rng = np.random.default_rng(11)
    truth = np.exp(norm.ppf(quantile))
    hits = sum(
        noise.quantile_interval(rng.lognormal(size=count), quantile).contains(truth)
        for _ in range(1000)
    )
    assert_covers(hits, 1000, 0.95, 0.985)


@pytest.mark.parametrize(("quantile", "coefficient"), [(0.5, 0.5), (0.5, 0.9), (0.95, 0.5)])
def test_quantiles_of_dependent_values(quantile, coefficient):
    rng = np.random.default_rng(12)
    truth = np.exp(norm.ppf(quantile))
    dependent = plain = 0
    for _ in range(400):
        values = np.exp(correlated(1000, coefficient, rng))
        dependent += noise.quantile_interval(values, quantile, ordered=True).contains(truth)
        plain += noise.quantile_interval(values, quantile).contains(truth)
    assert_covers(dependent, 400, 0.93, 0.98)
    assert plain < 0.9 * 400  # independent intervals would be too narrow


@pytest.mark.parametrize(("count", "coefficient"), [(50, 0.0), (400, 0.0), (400, 0.5)])
def test_quartile_dispersion(count, coefficient):
    rng = np.random.default_rng(13)
    truth = np.tanh(norm.ppf(0.75))
    found = [
        noise.describe(np.exp(correlated(count, coefficient, rng))).quartile_dispersion
        for _ in range(200)
    ]
    given = [one.contains(truth) for one in found if one is not None]
    assert len(given) > 190
    # Wider than need be: quartiles of dependent values rise and fall together more than 1/3.
    assert_covers(sum(given), len(given), 0.96, 1.0)


def test_ratios_of_medians():
    rng = np.random.default_rng(14)
    hits = 0
    for _ in range(600):
        one, other = (noise.quantile_interval(rng.lognormal(mean, 0.8, 120)) for mean in (0.3, 0.0))
        hits += one.over(other).contains(np.exp(0.3))
    assert_covers(hits, 600, 0.95, 0.98)


@pytest.mark.parametrize(
    ("seeds", "skewed", "least"),
    [(5, False, 0.94), (10, False, 0.94), (20, False, 0.94), (20, True, 0.90)],
)
def test_slowdown_by_seeds(seeds, skewed, least):
    rng = np.random.default_rng(15)
    hits = 0
    for _ in range(300):
        spread = rng.exponential(size=seeds) - 1 if skewed else rng.standard_normal(seeds)
        alone = rng.uniform(1, 2, seeds)
        found = noise.slowdown_interval(alone * np.exp(0.3 + 0.1 * spread), alone)
        hits += found.ratio.contains(np.exp(0.3))
    assert_covers(hits, 300, least, 0.97)


@pytest.mark.parametrize("coefficient", [0.0, 0.5])
def test_alternated_modes(coefficient):
    rng = np.random.default_rng(16)
    hits = asked = 0
    for _ in range(60):
        drift = np.cumsum(rng.normal(0, 0.02, 200))  # acts on both modes
        first = np.exp(0.1 + 0.1 * correlated(200, coefficient, rng) + drift)
        try:
            found = noise.alternated(first, np.exp(drift), rng=rng, resamples=200)
        except AnalysisError:
            continue
        asked += 1
        hits += found.ratio.contains(np.exp(0.1))
    assert asked > 50
    assert_covers(hits, asked, 0.90, 0.97)


def test_means_of_dependent_values():
    rng = np.random.default_rng(17)
    hits = sum(noise.mean_interval(correlated(300, 0.5, rng) + 5).contains(5.0) for _ in range(600))
    assert_covers(hits, 600, 0.92, 0.97)


def test_correlation_with_the_model():
    rng = np.random.default_rng(18)
    hits = 0
    for _ in range(600):
        model = rng.standard_normal(60)
        time = 0.8 * model + 0.6 * rng.standard_normal(60)
        hits += noise.fit(model, time).correlation.contains(0.8)
    assert_covers(hits, 600, 0.93, 0.97)


def test_adjusted_p_values_err_once_in_twenty_tables():
    """25 counters that have nothing to do with the time: how often is one below 5 %."""
    rng = np.random.default_rng(19)
    wrong = 0
    for _ in range(150):
        target, counters = rng.exponential(size=30), rng.exponential(size=(30, 25))
        fits = correlation._fits(target, counters)
        _, adjusted, _ = correlation._permuted(target, counters, fits, (rng, 99))
        wrong += adjusted.min() <= 0.05
    assert_covers(wrong, 150, 0.02, 0.06)


def test_recurring_slowest_ranks_err_once_in_twenty_jobs():
    rng = np.random.default_rng(20)
    wrong = 0
    for _ in range(80):
        times = rng.exponential(size=(100, 16))
        frame = noise.table(series="a", statistic="sample", value=times.ravel(),
                            rank=np.tile(np.arange(16), 100),
                            iteration=np.repeat(np.arange(100), 16))  # fmt: skip
        wrong += noise.recurring(noise.slowest_ranks(frame))["p_adjusted"].min() < 0.05
    assert_covers(wrong, 80, 0.01, 0.05)
