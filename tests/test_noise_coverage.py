"""95 % intervals contain a known truth as often as their pages say, on samples of fixed seeds.

Each test counts how many of its intervals contain the truth. The bounds are such that a method
whose coverage is what docs/noise.md states leaves them with a probability below 1 in 10,000
(binomial); the seeds are fixed, so that a test passes always or never.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from conftest import tool
from lengths import IS_LONG
from odonata import noise
from odonata.analysis import correlation, host
from odonata.analysis.frames import AnalysisError

ERROR = 1e-4
"""Probability with which a right method would fail a test."""


@pytest.fixture(scope="module")
def coverage():
    """The tool that makes the table of docs/noise.md."""
    return tool("coverage")


def assert_covers(hits, samples, least, most):
    """Whether so many hits agree with a coverage between two values."""
    low = binom.ppf(ERROR / 2, samples, least)
    high = binom.ppf(1 - ERROR / 2, samples, most)
    assert low <= hits <= high, f"{hits} of {samples}: {hits / samples:.3f}"


@pytest.mark.parametrize(
    ("quantile", "count"), [(0.5, 6), (0.5, 30), (0.25, 100), (0.95, 400), (0.99, 1000)]
)
def test_quantiles_of_independent_values(quantile, count):
    rng = np.random.default_rng(11)
    truth = np.exp(norm.ppf(quantile))
    hits = sum(
        noise.quantile_interval(rng.lognormal(size=count), quantile).contains(truth)
        for _ in range(1000)
    )
    assert_covers(hits, 1000, 0.94, 0.97)


SHOWN = [
    (300, 0.0, {"median", "p95", "QCD", "mean"}),
    (300, 0.5, {"median", "p95", "QCD", "mean"}),
    (300, 0.9, set()),
    (300, 0.95, set()),
    (1000, 0.0, {"median", "p95", "p99", "QCD", "mean"}),
    (1000, 0.5, {"median", "p95", "QCD", "mean"}),
    (1000, 0.9, {"median"}),
    (1000, 0.95, {"median"}),
    (5000, 0.9, {"median", "p95", "QCD", "mean"}),
    (5000, 0.95, {"median", "p95", "QCD", "mean"}),
    (20_000, 0.9, {"median", "p95", "p99", "QCD", "mean"}),
    (20_000, 0.95, {"median", "p95", "p99", "QCD", "mean"}),
]
"""What a series of so many values and such a lag-1 correlation shows in more than 1 of 20 cases."""


@pytest.mark.parametrize(("count", "coefficient", "quantities"), SHOWN)
def test_what_is_shown_of_a_dependent_series_covers(coverage, count, coefficient, quantities):
    """Coverage of the shown intervals, and that none is shown because a tail seemed independent.

    The quick form has 50 data sets of up to 1,000 values, less of long series; `make test-long`
    has 1,000. Of cells that are not named, no more than 1 of 20 may be shown; of the others
    coverage is judged. A method that covers 93 to 98 % fails a row of 5 quantities with a
    probability below 5 in 10,000.
    """
    sets = 1000 if IS_LONG else min(50, 50_000 // count)
    found = coverage.row(count, coefficient, sets)
    for name, counted in found.each():
        if name in quantities:
            assert counted.shown > 0.05 * sets, name
            assert_covers(counted.hits, counted.shown, 0.93, 0.98)
        else:
            assert counted.shown <= binom.ppf(1 - ERROR, sets, 0.05), name


@pytest.mark.parametrize(("count", "coefficient"), [(300, 0.0), (300, 0.5), (1000, 0.5)])
def test_ticks_of_a_clock_do_not_take_coverage(coverage, count, coefficient):
    """Values in multiples of a fifth of the median: 86 % of the QCDs were right before.

    Intervals of what jumps from tick to tick cover up to 100 %, as docs/noise.md says.
    """
    sets = 1000 if IS_LONG else 40
    found = coverage.row(count, coefficient, sets, 2.0)
    for counted in (found.median, found.dispersion):
        assert counted.shown > 0.5 * sets
        assert_covers(counted.hits, counted.shown, 0.95, 1.0)


def test_plain_intervals_would_be_too_narrow(coverage):
    """The same draws without their order: what dependence costs."""
    rng = np.random.default_rng(12)
    hits = sum(
        noise.quantile_interval(coverage.correlated(1000, 0.9, rng)).contains(0.0)
        for _ in range(200)
    )
    assert hits < 0.6 * 200


@pytest.mark.parametrize(("count", "most"), [(30, 0.985), (100, 0.98), (400, 0.97)])
def test_quartile_dispersion_of_independent_values(count, most):
    rng = np.random.default_rng(13)
    truth = np.tanh(norm.ppf(0.75))
    hits = sum(
        noise.describe(rng.lognormal(size=count), ordered=False).quartile_dispersion.contains(truth)
        for _ in range(300)
    )
    assert_covers(hits, 300, 0.94, most)


def test_slow_samples_of_a_dependent_series(coverage):
    """The fraction above a limit, which is 1 in 10 of the distribution."""
    rng = np.random.default_rng(24)
    limit = norm.ppf(0.9)
    found = [
        host._fraction(drawn, float((drawn >= limit).mean()), level=0.95)
        for drawn in (coverage.correlated(2000, 0.9, rng) for _ in range(100))
    ]
    assert_covers(sum(one.contains(0.1) for one in found), 100, 0.93, 0.98)


def test_ratios_of_medians():
    rng = np.random.default_rng(14)
    hits = 0
    for _ in range(600):
        one, other = (noise.quantile_interval(rng.lognormal(mean, 0.8, 120)) for mean in (0.3, 0.0))
        hits += one.over(other).contains(np.exp(0.3))
    assert_covers(hits, 600, 0.93, 0.98)


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


@pytest.mark.parametrize(("count", "coefficient"), [(200, 0.0), (400, 0.5), (2000, 0.9)])
@pytest.mark.parametrize("statistic", ["median", "mean"])
def test_alternated_modes(coverage, count, coefficient, statistic):
    rng = np.random.default_rng(16)
    hits = asked = 0
    for _ in range(60):
        drift = np.cumsum(rng.normal(0, 0.02, count))  # acts on both modes
        first = np.exp(0.1 + 0.1 * coverage.correlated(count, coefficient, rng) + drift)
        try:
            found = noise.alternated(first, np.exp(drift), statistic=statistic)
        except AnalysisError:
            continue
        asked += 1
        hits += found.ratio.contains(np.exp(0.1))
    assert asked > 45
    assert_covers(hits, asked, 0.93, 0.98)


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


@pytest.mark.parametrize("draw", [
    lambda rng: rng.lognormal(size=200),
    lambda rng: 1.0 + rng.pareto(1.2, 200),
    lambda rng: np.round(10.0 * rng.lognormal(0.0, 0.02, 200)),
], ids=["lognormal", "heavy", "ticks"])  # fmt: skip
def test_the_rule_for_too_few_lets_independent_iterations_through(draw):
    """Of 200 in order nearly all have a median and a QCD; a p99 needs 460, and the row says so."""
    rng = np.random.default_rng(25)
    found = [noise.describe(draw(rng)) for _ in range(60)]
    for name in ("median", "quartile_dispersion"):
        assert sum(getattr(one, name) is not None for one in found) >= 55, name
    assert all(one.p99 is None and one.lacks["p99"].endswith(" of 460") for one in found)


def test_what_lacks_is_said_where_values_follow_each_other(coverage):
    """Also where one extreme value hides it from the correlation of neighbours."""
    series = np.exp(coverage.correlated(200, 0.95, np.random.default_rng(26)))
    series[100] = 1e6
    found = noise.describe(series)
    assert abs(found.lag_one) < 0.05
    assert found.median is None
    have, enough = map(int, found.lacks["median"].split(" of "))
    assert have < enough == 30
