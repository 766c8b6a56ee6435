"""Pictures: what they show, and that their labels carry units."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from odonata.output import plots

ROUTINGS = [
    "minimal",
    "valiant-group",
    "valiant-node",
    "ugal-group",
    "ugal-node",
    "par",
    "booksim-ugal",
]


@pytest.fixture
def axes():
    with mpl.rc_context(dict(plots.RC)):
        figure = Figure(figsize=(5, 3), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure.subplots()


def communication(variants):
    pairs = itertools.product(variants, ["alone", "beside"])
    return pl.DataFrame(
        [
            {
                "variant": variant,
                "setting": setting,
                "comm_time_ns_mean": 4e6 if setting == "alone" else 6e6,
                "comm_time_ns_std": 1e5,
            }
            for variant, setting in pairs
        ]
    )


def latency(variants):
    names = ("p5", "p25", "p50", "p75", "p95", "p99")
    values = (300, 400, 500, 800, 2000, 9000)
    row = {f"latency_ns_{n}": float(v) for n, v in zip(names, values, strict=True)}
    return pl.DataFrame([{"variant": v, "setting": "beside", **row} for v in variants])


def overlapping(axes):
    """Say whether any two labels of the x axis touch."""
    axes.figure.canvas.draw()
    labels = [label for label in axes.get_xticklabels() if label.get_text()]
    if labels and labels[0].get_rotation():
        return False  # slanted labels are anchored at their tick
    boxes = [label.get_window_extent() for label in labels]
    return any(a.overlaps(b) for a, b in itertools.pairwise(boxes))


def test_communication_time_draws_means_and_deviations_in_a_fitting_unit(axes):
    plots.communication_time(communication(["minimal", "par"]), axes)
    assert axes.get_ylabel() == "communication time (ms)"
    heights = sorted(round(patch.get_height(), 6) for patch in axes.patches)
    assert heights == [4, 4, 6, 6]
    assert axes.get_legend_handles_labels()[1] == ["alone", "co-running"]
    assert axes.get_ylim()[0] == 0


@pytest.mark.parametrize("count", range(1, 8))
def test_labels_do_not_overlap(count):
    with mpl.rc_context(dict(plots.RC)):
        figure = Figure(figsize=(plots.panel_width(count), 3), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        plots.communication_time(communication(ROUTINGS[:count]), axes)
        assert not overlapping(axes)
        assert [t.get_text() for t in axes.get_xticklabels()] == ROUTINGS[:count]


def test_latency_distribution_marks_both_percentiles(axes):
    plots.latency_distribution(latency(["par"]), axes)
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == "packet latency (µs)"
    marks = {
        line.get_label(): line.get_ydata()[0]
        for line in axes.lines
        if line.get_marker() in {"^", "D"}
    }
    assert marks == {"p95 beside": 2.0, "p99 beside": 9.0}


def test_log_axis_has_plain_numbers(axes):
    plots.latency_distribution(latency(["par"]), axes)
    axes.figure.canvas.draw()
    texts = [label.get_text() for label in axes.get_yticklabels()]
    assert "1" in texts
    assert not any("^" in text for text in texts)


def test_throughput_gives_each_job_its_colour_by_position(axes):
    frame = pl.DataFrame(
        {"time_ns": [0.0, 5e5, 0.0, 5e5], "job": ["b", "b", "a", "a"]}
    ).with_columns(throughput_gb_per_s=pl.Series([1.0, 2.0, 3.0, 4.0]))
    plots.throughput(frame, axes, jobs=["a", "b"])
    assert axes.get_xlabel() == "time (µs)"
    assert axes.get_ylabel() == "throughput (GB/s)"
    colours = {line.get_label(): line.get_color() for line in axes.lines}
    assert colours == {"a": plots.PALETTE[0], "b": plots.PALETTE[1]}


def test_tail_draws_alone_dashed(axes):
    frame = pl.DataFrame(
        {
            "job": ["a", "a", "a", "a"],
            "setting": ["alone", "alone", "beside", "beside"],
            "latency_ns": [100.0, 200.0, 150.0, 400.0],
            "fraction_above": [0.5, 0.01, 0.5, 0.01],
        }
    )
    plots.latency_tail(frame, axes)
    curves = {line.get_label(): line.get_linestyle() for line in axes.lines[:2]}
    assert curves == {"a, alone": "--", "a": "-"}
    assert {text.get_text() for text in axes.texts} == {"p95", "p99"}


def test_load_latency_has_a_curve_per_variant_and_statistic(axes):
    frame = pl.DataFrame(
        {
            "curve": ["minimal", "minimal", "par", "par"],
            "offered_load": [0.1, 0.5, 0.1, 0.5],
            "latency_ns_mean": [500.0, 600.0, 520.0, 640.0],
            "latency_ns_p99": [700.0, 900.0, 720.0, 990.0],
        }
    )
    plots.load_latency(frame, axes)
    assert axes.get_legend_handles_labels()[1] == ["minimal", "par"]
    assert [line.get_linestyle() for line in axes.lines] == ["-", ":", "-", ":"]


def test_many_curves_differ_in_colour_or_mark(axes):
    rows = [{"curve": str(number), "offered_load": load, "accepted_load": load / (1 + number)}
            for number in range(30) for load in (0.1, 0.5)]  # fmt: skip
    plots.accepted_load(pl.DataFrame(rows), axes)
    looks = {(line.get_color(), line.get_marker()) for line in axes.lines[1:]}
    assert len(looks) == 30


def test_theory_is_drawn_where_it_is_known(axes):
    frame = pl.DataFrame(
        {
            "curve": ["minimal", "valiant-node", "par"],
            "offered_load": [0.1, 0.5, 0.9],
            "accepted_load": [0.1, 0.5, 0.6],
            "zero_load_ns": [450.0, 450.0, None],
            "limit": [0.125, 0.5, None],
            "limit_of": ["minimal paths", "non-minimal paths", None],
            "latency_ns_mean": [500.0, 900.0, 950.0],
            "latency_ns_p99": [700.0, 1000.0, 1300.0],
        }
    )
    plots.load_latency(frame, axes)
    assert [text.get_text() for text in axes.texts] == [
        "zero load",
        "limit of minimal paths, 0.125",
        "limit of non-minimal paths, 0.5",
    ]
    axes.clear()
    plots.load_latency(frame.drop("zero_load_ns", "limit", "limit_of"), axes)
    assert not axes.texts


def test_curves_turn_dashed_where_the_network_is_saturated(axes):
    """The mean goes on, dashed and hollow; the percentile ends; a variant may begin saturated."""
    frame = pl.DataFrame(
        {
            "curve": ["minimal"] * 4 + ["par"] * 2,
            "offered_load": [0.1, 0.3, 0.5, 0.7, 0.1, 0.3],
            "accepted_load": [0.1, 0.3, 0.4, 0.4, 0.05, 0.05],
            "latency_ns_mean": [500.0, 600.0, 9e3, 8e3, 5e3, 6e3],
            "latency_ns_p99": [700.0, 900.0, 2e4, 1e4, 9e3, 9e3],
            "saturated": [False, False, True, False, True, True],
        }
    )
    plots.load_latency(frame, axes)
    mean, p99, dashed, hollow, *par = axes.lines
    assert list(mean.get_xdata()) == list(p99.get_xdata()) == [0.1, 0.3]
    assert list(dashed.get_xdata()) == [0.3, 0.5, 0.7]
    assert dashed.get_linestyle() == "--"
    assert list(hollow.get_xdata()) == [0.5, 0.7]
    assert hollow.get_markerfacecolor() == "white"
    assert [list(line.get_xdata()) for line in par] == [[], [], [0.1, 0.3], [0.1, 0.3]]

    axes.clear()
    plots.accepted_load(frame, axes)
    all_of_it, steady, dashed, hollow, *_ = axes.lines
    assert list(all_of_it.get_ydata()) == [0, 0.7]
    assert list(steady.get_ydata()) == [0.1, 0.3]
    assert list(dashed.get_ydata()) == [0.3, 0.4, 0.4]
    assert hollow.get_markerfacecolor() == "white"


def test_congestion_map_leaves_pairs_without_a_link_empty(axes):
    frame = pl.DataFrame(
        {"source_group": [0, 0, 1], "target_group": [0, 1, 1], "congestion_index": [0.1, 0.9, 0.2]}
    )
    plots.congestion_map(frame, axes, largest=1.0)
    picture = axes.images[-1]
    shown = np.ma.filled(picture.get_array(), np.nan)
    assert shown[0, 1] == 0.9
    assert np.isnan(shown[1, 0])
    assert picture.get_clim() == (0, 1.0)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("target group", "source group")


def test_congestion_map_of_an_idle_network(axes):
    frame = pl.DataFrame({"source_group": [0], "target_group": [0], "congestion_index": [0.0]})
    plots.congestion_map(frame, axes)
    assert axes.images[-1].get_clim() == (0, 1)


def test_colours_of_neighbours_differ_in_lightness_or_hue():
    """Weighs channels as the eye does; colours that only differ in hue differ in blue or red."""
    for one, two in itertools.pairwise(plots.PALETTE[:6]):
        assert np.abs(np.array(to_rgb(one)) - np.array(to_rgb(two))).max() > 0.3
    light = [
        sum(w * c for w, c in zip((0.21, 0.72, 0.07), to_rgb(x), strict=True))
        for x in (plots.ALONE, plots.BESIDE)
    ]
    assert abs(light[0] - light[1]) > 0.25


@pytest.mark.parametrize(
    ("value", "unit"), [(0.5, "ns"), (999, "ns"), (1000, "µs"), (2e6, "ms"), (3e9, "s")]
)
def test_time_unit(value, unit):
    assert plots.time_unit(value)[1] == unit
