"""Draws the pictures of a report and stores them as SVG, PNG and CSV."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import polars as pl

from odonata.output import plots
from odonata.output.canvas import (
    PAGE_WIDTH,
    PANELS,
    PLACES,
    ROWS,
    Drawing,
    Picture,
    Sketch,
    colour_bar,
    legend,
    listed,
    new_figure,
    outer_labels,
    panel_size,
    store,
    variant_names,
)
from odonata.output.report import gather
from odonata.output.report.counters import counters
from odonata.output.report.headline import shown
from odonata.output.report.iterations import noise, slowest
from odonata.output.report.machine import link_use, machine
from odonata.output.report.ranking import ranking
from odonata.output.report.special_pictures import blame, classes, learning
from odonata.output.report.victims import breakdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from odonata.output.report.gather import Study


def draw(study: Study, folder: Path) -> list[Picture]:
    """Draw every picture that the results allow.

    Parameters
    ----------
    folder : pathlib.Path
        Where ``<name>.svg``, ``<name>.png`` and ``<name>.csv`` are written.

    Returns
    -------
    list of Picture
        In the order of the page; pictures without data are left out.
    """
    made = []
    with styled():
        for maker in PICTURES.values():
            drawing = maker(study)
            if drawing is not None:
                made.append(store(drawing, folder))
    gather.overview(study).drop("spread", strict=False).write_csv(folder / "overview.csv")
    stalled = gather.stalled(study, count=stalled_count(study))
    if not stalled.is_empty():
        stalled.write_csv(folder / "stalled_links.csv")
    return made


@contextmanager
def styled() -> Iterator[None]:
    """The look of all pictures, for as long as they are drawn and stored."""
    with mpl.rc_context(dict(plots.RC)), warnings.catch_warnings():
        # Names may have letters that the font lacks: a box is shown in their place.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def stalled_count(study: Study) -> int:
    """Return how many stalled links of each variant the report lists."""
    return 10 if len(study.variants) == 1 else 5


def _per_job(
    study: Study,
    whole: pl.DataFrame,
    largest_ns: float,
    paint: Callable[[pl.DataFrame, Axes, float], None],
    paint_rows: Callable[[pl.DataFrame, Axes, list[str], plots.Unit], None],
) -> tuple[Figure, list[str], str]:
    """Make a panel for each job: a place for each variant, or, if there are many, a row for each.

    All panels have one unit, so that they can be compared.
    """
    variants, note = shown(study, whole, ROWS)
    frame = whole.filter(pl.col("variant").is_in(variants))
    jobs = frame["job"].unique(maintain_order=True).to_list()
    if len(variants) <= PLACES:
        width = min(plots.panel_width(len(variants)), PAGE_WIDTH)
        figure, panels = new_figure(len(jobs), width, 3.1)
        for job, axes in zip(jobs, panels, strict=True):
            paint(frame.filter(pl.col("job") == job), axes, largest_ns)
            axes.set_title(job)
    else:
        height = 0.8 + plots.ROW_HEIGHT * len(variants)
        figure, panels = new_figure(len(jobs), 3.3 if len(jobs) > 2 else 4.9, height)
        for job, axes in zip(jobs, panels, strict=True):
            rows = frame.filter(pl.col("job") == job)
            paint_rows(rows, axes, variants, plots.time_unit(largest_ns))
            axes.set_title(job)
            if axes.get_subplotspec().is_first_col() is False:  # type: ignore[union-attr]
                axes.tick_params(labelleft=False)
    legend(figure, panels)
    return figure, jobs, note


def _communication(study: Study) -> Drawing | None:
    frame = gather.communication(study)
    if frame.is_empty():
        return None
    top = float((frame["comm_time_ns_mean"] + frame["comm_time_ns_std"]).max())  # type: ignore[arg-type]
    figure, jobs, note = _per_job(
        study,
        frame,
        top,
        lambda rows, axes, largest: plots.communication_time(rows, axes, largest_ns=largest),
        lambda rows, axes, names, unit: plots.communication_rows(
            rows, axes, variants=names, unit=unit
        ),
    )
    has_alone = "alone" in frame["setting"].to_list()
    told = " alone and co-running with the other jobs" if has_alone else ""
    sketch = Sketch(
        name="communication_time",
        title="Communication time",
        caption=(
            f"Time that the ranks of each job spend on communication{told}: mean over ranks, "
            "lines one standard deviation of the ranks to each side. Only victims also run "
            "alone. Of a job that repeats, it is the mean over finished repetitions. Runs in which "
            "ranks of the job did not finish are left out."
        ),
        alternative=f"Bar chart of the communication time of {listed(jobs)}{told}, under "
        f"{variant_names(frame)}.",
        note=" ".join(filter(None, (note, _left_out(study)))),
    )
    return Drawing(sketch, figure, frame)


def _left_out(study: Study) -> str:
    """Name the jobs of which runs are left out."""
    cut = gather.overview(study).filter(pl.col("unfinished") > 0)
    if cut.is_empty():
        return ""
    by_job = cut.group_by("job", maintain_order=True).agg("variant", "unfinished", "runs")
    told = [_cut_words(row) for row in by_job.iter_rows(named=True)]
    return f"Left out: {', '.join(told)}."


def _cut_words(row: dict[str, Any]) -> str:
    """A job, and under which variants how many of its runs are left out."""
    many = len(row["variant"])
    where = row["variant"][0] if many == 1 else f"{many} variants"
    return f"{row['job']} under {where} ({sum(row['unfinished'])} of {sum(row['runs'])} runs)"


def _loads(study: Study) -> Drawing | None:
    frame = gather.loads(study)
    if not gather.has_load_curve(study):
        return None
    frame = frame.drop_nulls("accepted_load")
    patterns = frame["pattern"].unique(maintain_order=True).to_list()
    curves = frame["curve"].unique(maintain_order=True).to_list()
    figure, panels = new_figure(2 * len(patterns), 5.0, 3.4)
    for number, pattern in enumerate(patterns):
        rows = frame.filter(pl.col("pattern") == pattern)
        left, right = panels[2 * number : 2 * number + 2]
        delivered = rows.drop_nulls("latency_ns_mean")
        if not delivered.is_empty():
            plots.load_latency(delivered, left, curves=curves)
        plots.accepted_load(rows, right, curves=curves)
        left.set_title(pattern)
    legend(figure, panels)
    sketch = Sketch(
        name="load_latency",
        title="Latency over load",
        caption=(
            "A row for each traffic pattern. Left: packet latency of the measured window, mean "
            "(solid) and 99th percentile (dotted). Right: accepted load; grey is what a network "
            "that takes everything accepts. Bars: 95 % intervals over runs with other seeds, from "
            "three runs on. Dashed, with hollow marks: from the first load on at which the network "
            "is saturated: it accepts less than is offered, or measured packets did not arrive. "
            "Latencies beyond depend on the length of the window. "
            "Thin dotted lines are theory, where it is known: the latency of minimal paths without "
            "load, and the load that sources, targets, or the links between groups on the paths "
            "of the routing can carry."
        ),
        alternative="Line charts of packet latency and accepted load over offered load for "
        f"{listed(patterns)} traffic: {variant_names(frame)}.",
    )
    return Drawing(sketch, figure, frame)


def _latency(study: Study) -> Drawing | None:
    frame = gather.latency(study)
    if frame.is_empty() or (len(study.variants) > PLACES and gather.has_load_curve(study)):
        return None
    top = float(frame["latency_ns_p99"].max())  # type: ignore[arg-type]
    figure, jobs, note = _per_job(
        study,
        frame,
        top,
        lambda rows, axes, largest: plots.latency_distribution(rows, axes, largest_ns=largest),
        lambda rows, axes, names, unit: plots.latency_rows(rows, axes, variants=names, unit=unit),
    )
    sketch = Sketch(
        name="packet_latency",
        title="Packet latency",
        caption=(
            "From creation at the source NIC to delivery. Boxes hold the middle half of the "
            "packets, the white line is the median, thin lines run from the 5th to the 95th "
            "percentile; triangles mark the 95th, diamonds the 99th percentile. Logarithmic axis."
        ),
        alternative=f"Box plot of the packet latency of {listed(jobs)}, under "
        f"{variant_names(frame)}, with the 95th and 99th percentile.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _tails(study: Study) -> Drawing | None:
    frame = gather.tails(study)
    if frame.is_empty() or (len(study.variants) > PLACES and gather.has_load_curve(study)):
        return None
    variants, note = shown(study, frame, PANELS)
    wide = (7.0, 3.6) if len(variants) == 1 else panel_size(len(variants), 4.6, 3.0)
    figure, panels = new_figure(len(variants), *wide)
    for variant, axes in zip(variants, panels, strict=True):
        rows = frame.filter(pl.col("variant") == variant)
        plots.latency_tail(rows, axes, jobs=study.jobs, largest_ns=_longest(frame))
        if len(variants) > 1:
            axes.set_title(variant)
            axes.set_xlim(*_span(frame))
    outer_labels(figure, panels)
    legend(figure, panels)
    sketch = Sketch(
        name="latency_tail",
        title="Tail of the packet latency",
        caption=(
            "Fraction of packets that took longer than a given time (complementary cumulative "
            "distribution); both axes are logarithmic. Dotted lines mark the 95th and the 99th "
            "percentile. Dashed: the same job alone."
        ),
        alternative=f"Line chart: fraction of the packets of {listed(study.jobs)} above each "
        f"latency, under {variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _span(frame: pl.DataFrame) -> tuple[float, float]:
    """Ends of the axis of latencies, one for all panels."""
    longest = _longest(frame)
    scale, _ = plots.time_unit(longest)
    return float(frame["latency_ns"].min()) / scale * 0.9, longest / scale * 1.1  # type: ignore[arg-type]


def _longest(frame: pl.DataFrame) -> float:
    """Latency up to which tails are drawn."""
    drawn = frame.filter(pl.col("fraction_above") >= 1e-4)
    rows = frame if drawn.is_empty() else drawn
    return float(rows["latency_ns"].max())  # type: ignore[arg-type]


def _throughput(study: Study) -> Drawing | None:
    frame = gather.rates(study)
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, PANELS)
    wide = (7.0, 2.7) if len(variants) == 1 else panel_size(len(variants), 4.6, 2.7)
    figure, panels = new_figure(len(variants), *wide)
    top = float(frame["throughput_gb_per_s"].max()) * 1.06  # type: ignore[arg-type]
    end = float(frame["time_ns"].max())  # type: ignore[arg-type]
    scale, _ = plots.time_unit(end)
    for variant, axes in zip(variants, panels, strict=True):
        rows = frame.filter(pl.col("variant") == variant)
        plots.throughput(rows, axes, jobs=study.jobs, largest_ns=end)
        if len(variants) > 1:
            axes.set_title(variant)
            axes.set_ylim(0, top or 1)
            axes.set_xlim(0, end / scale)
    outer_labels(figure, panels)
    legend(figure, panels)
    seeds = " (first seed)" if any(len(v.runs) > 1 for v in study.variants) else ""
    sketch = Sketch(
        name="throughput",
        title="Throughput over time",
        caption=f"Payload and headers that reach the nodes of each job{seeds}; 1 GB = 1e9 bytes.",
        alternative=f"Line chart of the throughput of {listed(study.jobs)} over time, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _congestion(study: Study) -> Drawing | None:
    frame = gather.congestion(study)
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, PANELS)
    wide = panel_size(len(variants), 3.2, 3.1)
    figure, panels = new_figure(len(variants), 4.6 if len(variants) == 1 else wide[0], wide[1])
    largest = float(frame["congestion_index"].max())  # type: ignore[arg-type]
    for variant, axes in zip(variants, panels, strict=True):
        plots.congestion_map(frame.filter(pl.col("variant") == variant), axes, largest=largest)
        if len(variants) > 1:
            axes.set_title(variant)
    outer_labels(figure, panels)
    colour_bar(figure, panels[0].images[-1], panels, "mean throughput / capacity")
    sketch = Sketch(
        name="congestion",
        title="Congestion between groups",
        caption=(
            "Mean congestion index (throughput over capacity) of the links from one group to "
            "another; the diagonal shows the links inside of each group, rows and columns of a "
            "grid together. Grey: no link."
        ),
        alternative=f"Heat map of the congestion between groups, under {variant_names(frame)}; the "
        f"largest value is {largest:.3g}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


PICTURES: dict[str, Callable[[Study], Drawing | None]] = {
    "ranking": ranking,
    "communication_time": _communication,
    "blame": blame,
    "breakdown": breakdown,
    "iteration_noise": noise,
    "slowest_ranks": slowest,
    "load_latency": _loads,
    "packet_latency": _latency,
    "latency_tail": _tails,
    "throughput": _throughput,
    "learning": learning,
    "traffic_classes": classes,
    "counters": counters,
    "machine": machine,
    "link_use": link_use,
    "congestion": _congestion,
}
"""What draws each picture, in the order of the page."""
