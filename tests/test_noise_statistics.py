"""Statistics of noise on numbers whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import multivariate_normal, norm

from odonata import noise
from odonata.analysis import correlation, impact, pairs, picture_points
from odonata.analysis.dependence import dependence
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import Interval, quantile_interval
from odonata.analysis.scores import indicator_correlation


def frame(values, **columns):
    wanted = {"source": "here", "world": "measured", "series": "ping", "quantity": "latency",
              "unit": "ns", "statistic": "sample", "iteration": range(len(values))}  # fmt: skip
    return noise.table(**{**wanted, **columns}, value=values)


def test_quartile_dispersion_by_hand():
    # Quartiles of 1 to 9 are 3 and 7.
    assert noise.quartile_dispersion(range(1, 10)) == 0.4
    assert noise.quartile_dispersion([5.0, 5.0, 5.0]) == 0.0


def test_a_dispersion_of_close_quartiles_beside_one_far_value_is_from_0_to_1():
    """Times of ranks of an incast: all but the target's are alike."""
    values = [0.0, *(1.0 + k / 10_000 for k in range(12))]
    found = noise.describe(values, ordered=False).quartile_dispersion
    assert found is not None
    assert 0.0 <= found.low < found.estimate < 0.001
    assert found.high == 1.0


@pytest.mark.parametrize("values", [[], [-1.0, 2.0], [math.nan], [0.0, 0.0]])
def test_quartile_dispersion_refuses(values):
    with pytest.raises(AnalysisError):
        noise.quartile_dispersion(values)


def test_order_statistic_interval_lies_between_the_ranks_of_the_textbook():
    """Ranks of the 95 % interval of a median: n = 10: 2 and 9; n = 20: 6, 15; n = 100: 40, 61.

    The next inner ranks have less than 95 %; the fractional ones are between both.
    """
    assert 1.0 < quantile_interval(range(1, 7)).low < 1.2
    for count, low, high in ((10, 2, 9), (20, 6, 15), (100, 40, 61)):
        found = quantile_interval(range(1, count + 1))
        assert low <= found.low < low + 1, count
        assert high - 1 < found.high <= high, count
        assert found.low + found.high == pytest.approx(count + 1)


def test_an_interval_on_ticks_of_a_clock_ends_on_ticks():
    values = np.repeat([1.0, 2.0, 4.0, 8.0], [3, 40, 40, 17])
    found = quantile_interval(values)
    assert {found.low, found.high} <= {2.0, 4.0}
    smooth = quantile_interval(np.arange(100.0) ** 2)
    assert math.sqrt(smooth.low) % 1 > 0


def test_percentiles_are_refused_where_the_sample_cannot_carry_them():
    # 1 - 0.99**n must reach 97.5 %: 368 values; at 367 there is no upper end.
    assert quantile_interval(range(367), 0.99) is None
    assert quantile_interval(range(368), 0.99).high == pytest.approx(367.0, abs=0.1)
    assert quantile_interval(range(5)) is None
    described = noise.describe(np.arange(1, 101.0), ordered=False)
    assert described.p95 is not None
    assert described.p99 is None
    with pytest.raises(AnalysisError):
        noise.needed(1.0)


def test_an_ordered_series_needs_a_margin_since_its_worth_is_estimated():
    rng = np.random.default_rng(5)
    assert quantile_interval(rng.exponential(size=29), ordered=True) is None
    assert quantile_interval(rng.exponential(size=60), ordered=True) is not None
    assert noise.describe(rng.exponential(size=70)).quartile_dispersion is None
    assert quantile_interval(rng.exponential(size=80), 0.95, ordered=True) is None
    assert quantile_interval(rng.exponential(size=120), 0.95, ordered=True) is not None


def test_one_value_has_no_dispersion():
    found = noise.describe([5.0])
    assert math.isnan(found.quartile_dispersion_value)
    assert noise.describe([5.0, 7.0]).quartile_dispersion_value > 0


def test_dependence_takes_percentiles_away():
    rng = np.random.default_rng(5)
    steps = np.repeat(rng.exponential(size=40), 50)  # 2,000 values that are 40
    assert quantile_interval(steps, 0.95) is not None
    assert quantile_interval(steps, 0.95, ordered=True) is None
    assert 10 < noise.effective_size(steps) < 60


def test_a_tail_that_seems_independent_does_not_carry_a_percentile():
    """The indicator of the tail alone decided before: by luck it has no autocorrelation."""
    rng = np.random.default_rng(1)
    values = noise_of(rng, 1000, 0.9)
    for quantile in (0.95, 0.99):
        assert quantile_interval(values, quantile, ordered=True) is None
    assert quantile_interval(noise_of(rng, 20_000, 0.9), 0.99, ordered=True) is not None


def noise_of(rng, count, coefficient):
    values = [rng.standard_normal()]
    for step in rng.standard_normal(count - 1) * math.sqrt(1 - coefficient**2):
        values.append(coefficient * values[-1] + step)
    return np.exp(values)


def test_dependence_of_a_known_series():
    """Correlation time (1 + phi) / (1 - phi); of indicators of the median 2 / pi asin(phi^k)."""
    rng = np.random.default_rng(3)
    found = dependence(noise_of(rng, 20_000, 0.9))
    assert found.time == pytest.approx(19.0, rel=0.15)
    lags = 1 + 2 * sum(2 / math.pi * math.asin(0.9**k) for k in range(1, 200))
    assert 20_000 / found.at(0.5) == pytest.approx(lags, rel=0.15)
    assert found.at(0.99) > found.at(0.95) > found.at(0.5) > found.effective
    assert noise.correlation_time(np.log(found.values)) == pytest.approx(19.0, rel=0.15)
    independent = dependence(rng.exponential(size=5000))
    assert independent.effective > 4500
    assert independent.between(0.25, 0.75) == pytest.approx(1 / 3, abs=0.02)


def test_a_tail_that_clusters_more_than_its_ranks_is_seen():
    """Bursts of 20 slow values, one value in 20: everything else is independent."""
    rng = np.random.default_rng(4)
    values = rng.uniform(1, 2, 20_000)
    for start in rng.integers(0, 19_980, 50):
        values[start : start + 20] += 10
    found = dependence(values)
    assert found.at(0.95) < 20_000 / 8
    assert found.at(0.25) > 20_000 / 4


def test_correlation_of_indicators_against_the_bivariate_normal_distribution():
    for one, other, same in ((0.5, 0.5, 0.7), (0.95, 0.95, 0.9), (0.25, 0.75, -0.4)):
        first, second = norm.ppf([one, other])
        both = multivariate_normal([0, 0], [[1, same], [same, 1]]).cdf([first, second])
        wanted = (both - one * other) / math.sqrt(one * (1 - one) * other * (1 - other))
        assert indicator_correlation(same, one, other) == pytest.approx(wanted, abs=1e-4)


def test_autocorrelation_against_its_definition():
    values = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 4.5])
    centred = values - values.mean()
    expected = [float(centred[: 6 - k] @ centred[k:]) / float(centred @ centred) for k in range(6)]
    assert noise.autocorrelation(values) == pytest.approx(expected)
    assert noise.autocorrelation([2.0, 2.0, 2.0]).tolist() == [1.0, 0.0, 0.0]
    assert noise.correlation_time([2.0] * 10) == 1.0


def test_intervals_of_ratios_contain_the_parts():
    ratio = Interval(estimate=4.0, low=3.0, high=5.0).over(
        Interval(estimate=2.0, low=2.0, high=2.0)
    )
    assert (ratio.low, ratio.estimate, ratio.high) == pytest.approx((1.5, 2.0, 2.5))
    with pytest.raises(AnalysisError):
        ratio.over(Interval(estimate=1.0, low=0.0, high=2.0))


def test_summary_takes_the_slowest_rank_and_keeps_series_apart():
    values = frame([1.0, 5.0, 2.0, 3.0], rank=[0, 1, 0, 1], iteration=[0, 0, 1, 1])
    width = frame([7.0, 6.0], quantity="bandwidth", unit="B/s", rank=[0, 1], iteration=[0, 0])
    found = noise.summary(noise.joined([values, width, frame([9.0], series="other")]))
    assert found["series"].to_list() == ["ping", "ping", "other"]
    assert found["count"].to_list() == [2, 1, 1]
    assert found["median"].to_list() == [4.0, 6.0, 9.0]


def test_summary_needs_samples():
    with pytest.raises(AnalysisError, match="no single observation"):
        noise.summary(frame([1.0], statistic="mean"))


def test_unordered_samples_have_no_dependence():
    found = noise.summary(frame(np.arange(1, 51.0), iteration=None, rank=range(50)))
    assert found["lag_one"].is_nan().item()
    assert found["effective"].item() == 50


def test_rates_divide_by_the_interval_and_leave_resets_out():
    totals = frame([10.0, 30.0, 5.0, 25.0], quantity="flits", unit="count", statistic="total",
                   place="n", iteration=None, time_ns=[0.0, 1e9, 2e9, 4e9])  # fmt: skip
    deltas = frame([8.0, 8.0], quantity="stalls", unit="count", statistic="delta", place="n",
                   interval_ns=[2e9, None])  # fmt: skip
    found = noise.rates(noise.joined([totals, deltas]))
    assert (found.resets, found.without_interval) == (1, 1)
    assert found.frame["rate_per_s"].to_list() == [20.0, 10.0, 4.0]
    with pytest.raises(AnalysisError, match="no counter"):
        noise.rates(frame([1.0]))


def test_an_idle_machine_does_not_look_busy_for_having_waited():
    """Table 1 of De Sensi et al. 2019: twice the time, about twice the flits."""
    windows = frame([110e6, 255e6], quantity="flits", unit="count", statistic="delta",
                    interval_ns=[1e9, 2e9])  # fmt: skip
    one, two = noise.rates(windows).frame["rate_per_s"]
    assert two / one == pytest.approx(255 / 220)


def test_counters_in_spans_are_interpolated():
    readings = frame([0.0, 100.0, 100.0], quantity="flits", statistic="total", place="n",
                     iteration=None, time_ns=[0.0, 10.0, 20.0])  # fmt: skip
    spans = pl.DataFrame({"iteration": [0, 1, 2], "start_ns": [2.0, 8.0, 15.0],
                          "end_ns": [4.0, 12.0, 25.0]})  # fmt: skip
    found = noise.during(readings, spans)
    assert found.select("iteration", "delta").rows() == [(0, 20.0), (1, 20.0)]


def planted(count, counters, explained, seed):
    """Counters of which the first explains a share of the time."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(count, counters))
    noise_part = rng.normal(size=count) * math.sqrt(1.0 - explained)
    return values[:, 0] * math.sqrt(explained) + noise_part, values


def test_counters_against_time_finds_what_was_planted_and_nothing_else():
    target, values = planted(400, 25, 0.5, 8)
    names = [f"c{k}" for k in range(25)]
    found = noise.counters_against_time(
        target, names, values, rng=np.random.default_rng(1), permutations=200
    )
    everything = found.filter(pl.col("above") == 0.0)
    first = everything.filter(pl.col("counter") == "c0").row(0, named=True)
    assert first["r_squared"] == pytest.approx(0.5, abs=0.1)
    assert first["r_squared_ahead"] == pytest.approx(0.5, abs=0.1)
    assert first["p_adjusted"] <= 0.01
    others = everything.filter(~pl.col("counter").is_in(["c0", correlation.BEST]))
    assert others["p_adjusted"].min() > 0.05
    assert others["p_value"].min() < 0.2  # some of 24 look good by themselves
    assert found.filter(pl.col("above") == 0.95)["iterations"].unique().item() == 20


def test_the_best_of_many_counters_explains_nothing_ahead():
    """What Groves' table cannot show: with 15 iterations the best of 25 fits well by chance."""
    rng = np.random.default_rng(3)
    target, values = rng.exponential(size=15), rng.exponential(size=(15, 25))
    found = noise.counters_against_time(
        target, [f"c{k}" for k in range(25)], values, rng=rng, thresholds=(0.0,), permutations=200
    )
    best = found.filter(pl.col("counter") == correlation.BEST).row(0, named=True)
    assert best["r_squared"] > 0.3
    assert best["r_squared_ahead"] < 0.1
    assert best["p_adjusted"] > 0.05
    assert best["r_squared_chance"] > 0.3


def test_counters_are_the_largest_over_places():
    rows = pl.DataFrame({"quantity": ["a"] * 4 + ["b"] * 4, "iteration": [0, 0, 1, 1] * 2,
                         "rate_per_s": [1.0, 4.0, 2.0, 3.0, 5.0, 5.0, 5.0, 5.0]})  # fmt: skip
    iterations, names, values = noise.counters_by_iteration(rows)
    assert (iterations, names, values.tolist()) == ([0, 1], ["a"], [[4.0], [3.0]])


def test_message_time_by_hand():
    # 16 MiB: 262,144 packets of 5 flits.
    assert noise.packets(2**24).item() == 262144
    assert noise.flits(2**24).item() == 5 * 262144
    one = noise.cycles(2000.0, 0.5, 128, limited=False)
    assert one.item() == 1000 + 10 * 1.5
    two = noise.cycles(2000.0, 0.5, 2**24)
    assert two.item() == (262144 + 512) / 1024 * 2000 + 5 * 262144 * 1.5
    assert noise.cycles(1024.0, 0.0, 64, call="get").item() == 513 / 1024 * 1024 + 1


def test_the_model_is_fitted_with_its_correlation():
    rng = np.random.default_rng(4)
    model = rng.uniform(1000, 9000, 300)
    exact = noise.fit(model, 500.0 + 1.0 * model)
    assert (exact.host_ns, exact.scale) == pytest.approx((500.0, 1.0))
    assert exact.correlation.estimate == pytest.approx(1.0)
    rough = noise.fit(model, 500.0 + model + rng.normal(0, 1800, 300))
    assert rough.correlation.low < rough.correlation.estimate < rough.correlation.high
    assert rough.r_squared == pytest.approx(rough.correlation.estimate**2)
    with pytest.raises(AnalysisError):
        noise.fit([1.0] * 5, range(5))


def test_hosts_explain_what_their_detours_can_hit():
    rng = np.random.default_rng(6)
    detours = np.full(500, 20_000.0)  # 500 a second, 20 us each
    quiet = 2_000.0 + rng.normal(0, 10, 20_000)
    hit = rng.random(20_000) < 2 * 500e-9 * (2_000 + 20_000)
    of_hosts = np.where(hit, quiet + 20_000, quiet)
    found = noise.slow_samples(of_hosts, detours, 1e9)
    assert found.hit == pytest.approx(0.022, rel=0.01)
    assert found.host_share > 0.9
    busy = np.where(rng.random(20_000) < 0.3, of_hosts + 30_000, of_hosts)
    assert noise.slow_samples(busy, detours, 1e9).host_share < 0.1
    with pytest.raises(AnalysisError, match="cannot be"):
        noise.host_noise([10.0], 5.0)


def test_variance_is_divided_among_network_and_host():
    network = np.array([1.0, 2.0, 3.0, 4.0])
    found = noise.parts(network + 5.0, network)
    assert (found.network, found.host, found.shared) == pytest.approx((1.0, 0.0, 0.0))
    rng = np.random.default_rng(2)
    network, host = rng.normal(0, 3, 9000), rng.normal(0, 4, 9000)
    found = noise.parts(network + host, network)
    assert found.network == pytest.approx(9 / 25, abs=0.03)
    assert found.network + found.host + found.shared == pytest.approx(1.0)


def test_slowest_ranks_and_who_is_it_too_often():
    rng = np.random.default_rng(9)
    times = rng.exponential(size=(200, 8))
    times[:, 5] += 1.5
    values = frame(times.ravel(), rank=np.tile(np.arange(8), 200),
                   iteration=np.repeat(np.arange(200), 8))  # fmt: skip
    found = noise.slowest_ranks(values)
    assert found["slowest"].to_list() == times.max(axis=1).tolist()
    assert found["slowest_rank"].to_list() == times.argmax(axis=1).tolist()
    often = noise.recurring(found)
    assert often["rank"][0] == 5
    assert often["p_adjusted"][0] < 0.01
    assert often["p_adjusted"][1:].min() > 0.05
    assert noise.spread_of_extremes(found) > 1.0


def test_slowdown_by_seeds_and_how_many_more_are_needed():
    rng = np.random.default_rng(1)
    alone = rng.uniform(10, 20, 10)
    exact = noise.slowdown_interval(2 * alone, alone)
    assert (exact.ratio.low, exact.ratio.high) == pytest.approx((2.0, 2.0))
    noisy = noise.slowdown_interval(2 * alone * rng.lognormal(0, 0.1, 10), alone)
    assert noisy.verdict == "higher"
    same = noise.slowdown_interval(alone * rng.lognormal(0, 0.1, 10), alone)
    assert same.verdict == "no difference seen"
    width = (noisy.ratio.high - noisy.ratio.low) / noisy.ratio.estimate
    assert noise.replicas_for(noisy, width / 2) == 40
    with pytest.raises(AnalysisError, match="at least 5"):
        noise.slowdown_interval([1.0] * 4, [1.0] * 4)
    with pytest.raises(AnalysisError, match="same pairs"):
        noise.slowdown_interval([1.0] * 6, [1.0] * 5)


def alternating(ratio, drift, seed):
    rng = np.random.default_rng(seed)
    slow = np.cumsum(rng.normal(0, drift, 200))
    values = 1e4 * np.exp(slow + rng.lognormal(-3, 0.5, 200))
    values[1::2] *= ratio
    return frame(values, condition=["first", "second"] * 100)


def test_alternation_sees_through_a_drift_that_hides_the_difference():
    found = noise.alternated_modes(alternating(0.95, 0.05, 3))
    row = found.row(0, named=True)
    assert (row["condition"], row["against"], row["verdict"]) == ("second", "first", "lower")
    assert row["ratio_low"] < 0.95 < row["ratio_high"]
    both = alternating(0.95, 0.05, 3)
    for name, median in noise.summary(both).select("condition", "median_low").rows():
        assert median is None, name  # it drifts: unpaired, no interval can be given


def test_conditions_that_do_not_take_turns_are_not_paired():
    values = frame([1.0] * 20, condition=["isolated"] * 10 + ["congested"] * 10,
                   iteration=[*range(10), *range(10)])  # fmt: skip
    assert noise.alternated_modes(values).is_empty()


def test_dependent_pairs_must_be_worth_enough():
    slow = np.repeat([1.0, 2.0, 3.0], 20)
    with pytest.raises(AnalysisError, match="independent ones, and an interval needs 30"):
        pairs.alternated(slow, np.ones(60))


def test_comparison_of_frames_and_refusal_to_pool():
    rng = np.random.default_rng(2)
    fast, slow = (frame(scale * rng.lognormal(0, s, 2000)) for scale, s in ((1.0, 0.1), (2.0, 0.3)))
    row = noise.compare(slow, fast).row(0, named=True)
    assert row["median_ratio_low"] < 2.0 < row["median_ratio_high"]
    assert row["verdict"] == "higher"
    assert row["quartile_dispersion_ratio_low"] > 2.0
    assert row["p99_ratio"] > 2.0
    with pytest.raises(AnalysisError, match="not pooled"):
        noise.compare(noise.joined([fast, fast.with_columns(source=pl.lit("there"))]), fast)
    with pytest.raises(AnalysisError, match="no series is on both sides"):
        noise.compare(fast, frame([1.0], series="pong"))


def congested(values, **columns):
    return frame(values, condition="congested", **columns)


def test_gpcnet_impact_of_samples_and_of_printed_numbers():
    rng = np.random.default_rng(5)
    base = rng.lognormal(8, 0.1, 3000)
    both = noise.joined([frame(base, condition="isolated"), congested(3 * base)])
    row = noise.congestion_impact(both).row(0, named=True)
    assert row["unit"] == "usec"
    assert row["impact_mean"] == pytest.approx(3.0, abs=0.06)
    assert row["impact_mean_low"] < 3.0 < row["impact_mean_high"]
    assert row["impact_p99_low"] < 3.0 < row["impact_p99_high"]
    # 4.04 and 12.06 are printed as 4.0 and 12.1, whose quotient is 3.025.
    one, two = (frame([v], condition=c, statistic="mean")
                for v, c in ((4040.0, "isolated"), (12060.0, "congested")))  # fmt: skip
    printed = noise.congestion_impact(noise.joined([one, two])).row(0, named=True)
    assert printed["impact_mean"] == pytest.approx(12.1 / 4.0)
    assert printed["impact_p99"] is None


def test_the_tail_of_a_bandwidth_is_its_low_end():
    values = np.arange(1.0, 1001.0) * 2**20
    both = [frame(values / (1 + k), quantity="bandwidth", unit="B/s", condition=c, iteration=None)
            for k, c in enumerate(("isolated", "congested"))]  # fmt: skip
    row = noise.congestion_impact(noise.joined(both)).row(0, named=True)
    assert row["isolated_p99"] == pytest.approx(10.99)
    assert row["impact_mean"] == pytest.approx(2.0, abs=0.01)


def test_gpcnet_tables_have_its_columns():
    numbers = {
        f"{condition}_{name}{end}": value
        for condition, value in (("isolated", 2.9), ("congested", 5.8), ("impact", 2.0))
        for name in ("mean", "p99")
        for end in ("", "_low", "_high")
    }
    rows = pl.DataFrame([{"series": "RR Two-sided Lat (8 B)", "unit": "usec", **numbers}])
    lines = noise.gpcnet_tables(rows).splitlines()
    plain = [line[:80] for line in lines if line]
    assert {len(line) for line in plain} == {80}
    assert (
        "|          RR Two-sided Lat (8 B) |          2.9 |          2.9 |         usec |" in plain
    )
    assert (
        "|          RR Two-sided Lat (8 B) |                 2.0X |                2.0X |" in plain
    )


def test_impact_needs_both_conditions():
    with pytest.raises(AnalysisError, match="both isolated and congested"):
        impact.congestion_impact(frame([1.0], condition="isolated"))


def test_what_pictures_show_is_computed_here():
    values = frame([*range(1, 101), 1000.0])
    box = picture_points.boxes(values).row(0, named=True)
    assert (box["q1"], box["median"], box["q3"], box["outliers"]) == (26.0, 51.0, 76.0, 1)
    assert (box["whisker_low"], box["whisker_high"]) == (1.0, 100.0)
    curve = picture_points.cumulative(frame(np.arange(1.0, 2001.0), iteration=None))
    marks = curve.filter(pl.col("mark").is_not_null())
    assert marks["mark"].to_list() == ["p95", "p99"]
    assert marks["value"].to_list() == pytest.approx([1900.05, 1980.01])
    assert len(curve) <= 402


def test_findings_are_reproducible_and_say_what_they_leave_out(repository):
    measured = noise.read(repository / "tests" / "data" / "noise" / "ariesncl")
    one, two = (noise.findings(measured.frame) for _ in "ab")
    assert one.counters.equals(two.counters)
    best = one.counters.filter(pl.col("counter") == "INQ_PRF_ROWBUS_STALL_CNT")
    assert best["r_squared"][0] > 0.9
    resets = noise.findings(noise.read(repository / "tests" / "data" / "noise" / "ldms").frame)
    assert any("it was reset" in note for note in resets.notes)


EXTREME = {
    "huge": [1e308] * 8,
    "wide": [1e100, 1e-300] * 10,
    "nothing": [0.0] * 20,
    "half": [0.0, 1.0] * 10,
    "denormal": [1e-320] * 8,
    "one": [5.0],
    "far apart": list(np.geomspace(1e-300, 1e100, 60)),
}


@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.parametrize(("quantity", "unit"), [("latency", "ns"), ("bandwidth", "B/s")])
def test_extreme_values_are_described_or_refused_in_words(name, quantity, unit):
    values = EXTREME[name]
    alone = frame(values, quantity=quantity, unit=unit, condition="alone")
    ranked = frame(values * 2, rank=[0] * len(values) + [1] * len(values), condition="alone",
                   quantity=quantity, unit=unit, iteration=[*range(len(values))] * 2)  # fmt: skip
    for one in (alone, ranked):
        both = noise.joined([one, one.with_columns(condition=pl.lit("beside"))])
        for compute in (noise.findings, lambda given: noise.compare(given, given)):
            try:
                compute(both)
            except AnalysisError as error:
                sentence = str(error)
            else:
                sentence = "; ."
            assert ";" in sentence
            assert "\n" not in sentence
