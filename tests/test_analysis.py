"""Statistics of results: percentiles, congestion, spread, slowdown, throughput."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odonata import analysis
from odonata.analysis.frames import AnalysisError


def histogram(values, edges):
    counts, _ = np.histogram(values, bins=edges)
    return pl.DataFrame(
        {"latency_ns_low": edges[:-1], "latency_ns_high": edges[1:], "packets": counts}
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(100, 1e6), min_size=1, max_size=200),
    st.lists(st.floats(0.001, 1), min_size=1, max_size=5),
)
def test_percentiles_are_within_a_bucket_of_the_packets_themselves(values, fractions):
    edges = np.geomspace(99, 1.02e6, 1000)
    found = analysis.percentiles(histogram(values, edges), fractions)
    exact = np.quantile(values, fractions, method="inverted_cdf")
    assert np.abs(np.array(found) / exact - 1).max() <= 0.011


def test_percentiles_of_pooled_histograms_do_not_depend_on_row_order():
    one = pl.DataFrame({"latency_ns_low": [10, 20], "latency_ns_high": [20, 30], "packets": [3, 1]})
    two = pl.DataFrame({"latency_ns_low": [20, 10], "latency_ns_high": [30, 20], "packets": [3, 1]})
    pooled = analysis.percentiles(pl.concat([one, two]), [0.5, 1])
    assert pooled == analysis.percentiles(pl.concat([two, one]), [0.5, 1]) == [20.0, 30.0]


def test_percentiles_refuse_what_has_no_answer():
    empty = pl.DataFrame({"latency_ns_low": [1.0], "latency_ns_high": [2.0], "packets": [0]})
    with pytest.raises(AnalysisError, match="holds no packet"):
        analysis.percentile(empty, 0.5)
    with pytest.raises(AnalysisError, match="between 0 and 1"):
        analysis.percentile(empty, 99)
    with pytest.raises(AnalysisError, match="`packets`"):
        analysis.percentile(empty.drop("packets"), 0.5)
    with pytest.raises(AnalysisError, match="no row"):
        analysis.percentile(empty.clear(), 0.5)


def test_exceedance_falls_from_below_one_to_zero():
    frame = histogram([1.5, 1.5, 2.5, 3.5], np.array([1.0, 2.0, 3.0, 4.0]))
    curve = analysis.exceedance(frame)
    assert curve["fraction_above"].to_list() == [0.5, 0.25, 0.0]
    assert curve["latency_ns"].to_list() == [2.0, 3.0, 4.0]


LINKS = pl.DataFrame(
    [
        ("local", 0, 0, 0.2, 5.0),
        ("local", 0, 0, 0.4, 0.0),
        ("global", 0, 1, 0.8, 9.0),
        ("global", 1, 0, 0.6, 9.0),
        ("local", 1, 1, 0.0, 0.0),
        ("host", 0, 0, 1.0, 1.0),
    ],
    schema=["kind", "source_group", "target_group", "congestion_index", "stall_ns"],
    orient="row",
).with_row_index("link")


def test_group_matrix_has_local_links_on_the_diagonal_and_no_host_links():
    rows = analysis.group_matrix(LINKS).rows()
    assert rows == [
        (0, 0, pytest.approx(0.3), 2),
        (0, 1, 0.8, 1),
        (1, 0, 0.6, 1),
        (1, 1, 0.0, 1),
    ]


def test_group_matrix_of_a_grid_has_its_rows_and_columns_on_the_diagonal():
    rows = [(0, 0, "row", 0.1), (0, 0, "column", 0.3), (0, 1, "global", 0.5), (0, 0, "host", 0.9)]
    links = pl.DataFrame(
        rows, schema=["source_group", "target_group", "kind", "congestion_index"], orient="row"
    )
    found = analysis.group_matrix(links).rows()
    assert found == [(0, 0, pytest.approx(0.2), 2), (0, 1, 0.5, 1)]


def test_stalled_links_are_sorted_and_name_the_main_job():
    jobs = pl.DataFrame(
        {"link": [2, 2, 3, 0], "job": ["a", "b", "a", "b"], "bytes": [30, 10, 5, 1]},
        schema_overrides={"link": pl.UInt32},
    )
    top = analysis.stalled_links(LINKS, jobs, count=3)
    assert top["link"].to_list() == [2, 3, 0]
    assert top["main_job"].to_list() == ["a", "a", "b"]
    assert top["main_job_fraction"].to_list() == [0.75, 1.0, 1.0]


def test_no_link_that_did_not_stall_is_listed():
    assert analysis.stalled_links(LINKS, count=100)["link"].to_list() == [2, 3, 0, 5]
    assert analysis.stalled_links(LINKS.with_columns(stall_ns=0.0)).is_empty()


def test_spread():
    found = analysis.spread(pl.Series([1.0, 2.0, 3.0, 4.0]))
    assert (found.count, found.mean, found.minimum, found.maximum) == (4, 2.5, 1, 4)
    assert (found.q1, found.median, found.q3) == (1.75, 2.5, 3.25)
    assert found.std == pytest.approx(np.sqrt(1.25))
    assert found.variation == pytest.approx(np.sqrt(1.25) / 2.5)
    assert analysis.spread(pl.Series([0.0, 0.0])).variation == 0


@pytest.mark.parametrize("values", [[], [1.0, None], [1.0, float("nan")]])
def test_spread_refuses_missing_values(values):
    with pytest.raises(AnalysisError, match="spread over ranks"):
        analysis.spread(pl.Series(values, dtype=pl.Float64))


def test_spread_by_job_keeps_the_order_of_the_table():
    ranks = pl.DataFrame({"job": ["b", "a", "b"], "comm_time_ns": [1.0, 5.0, 3.0]})
    found = analysis.spread_by_job(ranks)
    assert list(found) == ["b", "a"]
    assert found["b"].mean == 2


def test_slowdown_compares_each_rank_with_itself():
    alone = pl.DataFrame({"rank": [0, 1, 2], "comm_time_ns": [10.0, 20.0, 30.0]})
    beside = pl.DataFrame({"rank": [2, 0, 1], "comm_time_ns": [90.0, 10.0, 40.0]})
    found = analysis.slowdown(beside, alone)
    assert found.ratio == pytest.approx(140 / 60)
    assert (found.rank_q1, found.rank_median, found.rank_q3) == (1.5, 2.0, 2.5)


def test_slowdown_refuses_other_ranks_and_silence():
    alone = pl.DataFrame({"rank": [0, 1], "comm_time_ns": [0.0, 0.0]})
    with pytest.raises(AnalysisError, match="1 in common"):
        analysis.slowdown(alone.head(1), alone)
    with pytest.raises(AnalysisError, match="no time in communication"):
        analysis.slowdown(alone, alone)


def test_throughput_fills_bins_without_traffic():
    series = pl.DataFrame(
        {
            "time_ns": [0, 100, 300, 0],
            "job": ["a", "a", "a", "b"],
            "bytes_delivered": [200, 100, 400, 50],
        }
    )
    rates = analysis.throughput(series)
    by_job = {job[0]: part["throughput_gb_per_s"].to_list() for job, part in rates.group_by("job")}
    assert by_job == {"a": [2.0, 1.0, 0.0, 4.0], "b": [0.5, 0.0, 0.0, 0.0]}
    assert rates.filter(pl.col("job") == "a")["time_ns"].to_list() == [0, 100, 200, 300]


def test_coarser_bins_keep_the_mean():
    series = pl.DataFrame(
        {"time_ns": range(0, 6000, 10), "job": "a", "bytes_delivered": range(600)}
    )
    rates = analysis.throughput(series)
    coarse = analysis.coarsen(rates, bins=100)
    assert len(coarse) == 100
    assert coarse["throughput_gb_per_s"].mean() == pytest.approx(
        rates["throughput_gb_per_s"].mean()
    )


def test_throughput_of_one_bin_has_no_rate():
    series = pl.DataFrame({"time_ns": [0], "job": ["a"], "bytes_delivered": [1]})
    with pytest.raises(AnalysisError, match="single bin"):
        analysis.throughput(series)


def test_throughput_believes_the_width_in_the_table():
    series = pl.DataFrame({"time_ns": [0], "job": ["a"], "bytes_delivered": [30], "bin_ns": [10.0]})
    assert analysis.throughput(series)["throughput_gb_per_s"].to_list() == [3.0]
