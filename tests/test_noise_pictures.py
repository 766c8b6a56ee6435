"""Pictures of noise: what they show, and that they stand in the report of a run."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import odonata as package
from odonata import noise
from odonata.analysis import picture_points
from odonata.output import plots, report
from odonata.output.noise.labels import labelled
from odonata.output.report import gather, iterations


@pytest.fixture
def axes():
    with mpl.rc_context(dict(plots.RC)):
        figure = Figure(figsize=(5, 3), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure.subplots()


def samples(series, values, **columns):
    wanted = {"source": "a/b", "world": "measured", "quantity": "latency", "unit": "ns",
              "statistic": "sample", "iteration": range(len(values))}  # fmt: skip
    return noise.table(series=series, value=values, **{**wanted, **columns})


@pytest.fixture
def two():
    rng = np.random.default_rng(1)
    return noise.joined([
        samples("many", 5e3 * rng.lognormal(0, 0.3, 500)), samples("few", [5e3, 6e3, 7e3])
    ])  # fmt: skip


def test_boxes_have_notches_where_the_sample_carries_them(two, axes):
    frame = labelled(picture_points.boxes(two))
    plots.notched_boxes(frame, axes, quantity="latency")
    assert axes.get_xlabel() == "latency (µs)"
    assert [text.get_text() for text in axes.get_yticklabels()] == ["many", "few"]
    corners = [len(patch.get_path().vertices) for patch in axes.patches]
    assert corners[0] > corners[1]  # a notch has more corners than a plain box
    beyond = frame["outliers"][0]
    assert [text.get_text() for text in axes.texts] == [f"{beyond} beyond"]


def test_an_interval_wider_than_its_box_does_not_fold_it(axes):
    values = [8e3, 9e4, 8.1e3, 1e3, 8.2e3, 9.5e4, 1.1e3, 8.3e3, 9.9e4, 8.4e3, 8.5e3]
    frame = labelled(picture_points.boxes(samples("short", values, iteration=None)))
    low, high = (frame[name][0] for name in ("notch_low", "notch_high"))
    assert low < frame["q1"][0]
    assert high > frame["q3"][0]
    plots.notched_boxes(frame, axes, quantity="latency")
    (box,) = axes.patches
    left, right = box.get_path().vertices[:, 0].min(), box.get_path().vertices[:, 0].max()
    assert [left, right] == pytest.approx([frame["q1"][0] / 1e3, frame["q3"][0] / 1e3])
    lines = [list(line.get_xdata()) for line in axes.lines]
    assert [pytest.approx(low / 1e3), pytest.approx(high / 1e3)] in lines


def test_cumulative_distributions_mark_percentiles_that_can_be_known(two, axes):
    frame = labelled(picture_points.cumulative(two))
    plots.cumulative(frame, axes, quantity="latency")
    marks = [line for line in axes.lines if line.get_marker() in {"^", "D"}]
    shown = [line for line in marks if len(line.get_xdata()) == 1]
    truth = noise.summary(two)
    assert sorted(line.get_xdata()[0] for line in shown) == pytest.approx(
        [truth["p95"][0] / 1e3, truth["p99"][0] / 1e3]
    )
    assert axes.get_legend_handles_labels()[1] == ["many", "few", "p95", "p99"]


def test_slowest_ranks_are_drawn_by_iteration(axes):
    frame = noise.slowest_ranks(samples("ring", [1.0, 9.0, 2.0, 300.0], rank=[0, 1, 0, 1],
                                        iteration=[0, 0, 1, 1]))  # fmt: skip
    plots.slowest_ranks(frame, axes, quantity="time")
    assert axes.get_yscale() == "log"  # from 1 to 300
    assert axes.get_xlabel() == "iteration"
    assert axes.collections[0].get_offsets().tolist() == [[0.0, 9.0], [1.0, 300.0]]


def test_labels_say_no_more_than_tells_series_apart():
    one = samples("lat", [1.0], source="x/daint/lat.out")
    assert labelled(one)["label"].to_list() == ["lat"]
    other = samples("lat", [1.0], source="x/alps/lat.out")
    assert labelled(noise.joined([one, other]))["label"].to_list() == ["lat daint", "lat alps"]
    sizes = noise.joined([samples("lat", [1.0], bytes=8), samples("lat", [1.0], bytes=64)])
    assert labelled(sizes)["label"].to_list() == ["lat 8 B", "lat 64 B"]


def test_the_report_of_a_run_shows_its_iterations(tmp_path, scenarios):
    scenario = package.Scenario.read(
        scenarios / "small.toml", overrides=["jobs.0.workload.iterations=8"]
    )
    result = package.run(scenario, out=tmp_path / "run")
    page = report.write(result.directory).read_text("utf-8")
    assert "Noise of iterations" in page
    assert "Slowest rank of every iteration" in page
    boxes = pl.read_csv(result.directory / "figures" / "iteration_noise.csv")
    halo = boxes.filter(pl.col("series") == "halo")
    assert set(halo["condition"]) == {"alone", "beside"}
    truth = result.table("iterations").filter(pl.col("job") == "halo")
    slowest = truth.group_by("iteration").agg(pl.col("comm_time_ns").max())["comm_time_ns"]
    beside = halo.filter(pl.col("condition") == "beside")
    assert beside["median"].item() == pytest.approx(slowest.median())


def test_slowest_ranks_stand_in_the_order_of_the_variants(scenarios):
    text = (scenarios / "small.toml").read_text("utf-8")
    text += '\n[sweep]\n"routing.algorithm" = ["ugal-node", "minimal", "par"]\n'
    scenario = package.Scenario.from_text(text, overrides=["jobs.0.workload.iterations=8"])
    drawing = iterations.slowest(gather.study_of(package.run(scenario)))
    titles = [axes.get_title() for axes in drawing.figure.axes]
    of_halo = [title.split()[1] for title in titles if title.startswith("halo, ")]
    assert list(dict.fromkeys(of_halo)) == ["ugal-node", "minimal", "par"]
