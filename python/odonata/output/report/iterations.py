"""Pictures of iterations: how noisy they are, and which rank ends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.analysis import picture_points
from odonata.analysis.slowest import slowest_ranks
from odonata.measured import form
from odonata.output import plots
from odonata.output.canvas import (
    PANELS,
    Drawing,
    Sketch,
    legend,
    listed,
    new_figure,
    panel_size,
)
from odonata.output.report.headline import shown
from odonata.results.measurements import form_of

if TYPE_CHECKING:
    from odonata.output.report.gather import Study

_FEWEST = 6
"""Iterations that a series needs: fewer carry no interval of the median."""

_BOXES = 40
"""Variants whose iterations get a box each."""

_CURVES = 6
"""Variants whose distributions can be told apart in one panel."""

_JOBS = 4
"""Jobs whose iterations are shown: two panels each."""

_QUANTITY = "communication time of an iteration"


def _times(study: Study) -> pl.DataFrame:
    """Iterations of the first run of every variant in the form; the variant is the source."""
    parts = [
        form_of(variant.first, source=variant.label or "run", as_benchmarks=False).filter(
            pl.col("quantity") == "comm_time"
        )
        for variant in study.variants
        if "iterations" in variant.first.tables()
    ]
    frame = form.joined(parts)
    enough = pl.col("iteration").n_unique().over("source", "series", "condition") >= _FEWEST
    return frame.filter(enough)


def _labelled(frame: pl.DataFrame, study: Study) -> pl.DataFrame:
    """Names of series within one job: variant and condition, as far as they differ."""
    has_alone = (frame["condition"] == "alone").any() and (frame["condition"] == "beside").any()
    condition = pl.col("condition") if has_alone else pl.lit("")
    variant = pl.col("source") if len(study.variants) > 1 else pl.lit("")
    both = pl.concat_str([variant, condition], separator=" ").str.strip_chars()
    label = pl.when(both == "").then(pl.col("series")).otherwise(both)
    return frame.select(label.alias("label"), pl.all())


def _notes(study: Study, *left_out: str) -> str:
    """What is not shown."""
    said = list(left_out)
    if any(len(variant.runs) > 1 for variant in study.variants):
        said.append("Of a variant with several seeds the first run is shown; runs are not pooled.")
    return " ".join(filter(None, said))


def noise(study: Study) -> Drawing | None:
    """Draw the times of iterations as notched boxes, and as cumulative distributions below them.

    Returns
    -------
    Drawing or None
        ``None`` if no job has enough iterations.
    """
    frame = _times(study)
    if frame.is_empty():
        return None
    boxes, curves = (
        _labelled(make(frame), study) for make in (picture_points.boxes, picture_points.cumulative)
    )
    jobs = frame["series"].unique(maintain_order=True).to_list()[:_JOBS]
    by_source = frame.with_columns(variant=pl.col("source"))
    boxed, note = shown(study, by_source, _BOXES)
    traced, _ = shown(study, by_source, _CURVES)
    figure, panels = new_figure(2 * len(jobs), 5.0, max(2.6, 0.9 + 0.28 * 2 * len(boxed)))
    largest = float(boxes["whisker_high"].max())  # type: ignore[arg-type]
    for number, job in enumerate(jobs):
        here = pl.col("series") == job
        left, right = panels[2 * number : 2 * number + 2]
        in_boxes = boxes.filter(here & pl.col("source").is_in(boxed))
        in_curves = curves.filter(here & pl.col("source").is_in(traced))
        plots.notched_boxes(in_boxes, left, quantity=_QUANTITY, largest=largest)
        plots.cumulative(in_curves, right, quantity=_QUANTITY, largest=largest)
        left.set_title(job)
        right.set_title(job)
    legend(figure, panels)
    sketch = Sketch(
        name="iteration_noise",
        title="Noise of iterations",
        caption=(
            "Communication time of the slowest rank of every iteration. Left: boxes hold the "
            "middle half, the notch, or the line below a box that is narrower, is the 95 % "
            "interval of the median (iterations may depend on each other), whiskers reach the "
            "outermost values within 1.5 distances of the quartiles. Right: fraction of iterations "
            "that take at most so long; 95th and 99th percentile are marked where the iterations "
            "suffice for them. `odonata noise` has the numbers."
        ),
        alternative=f"Box plots and cumulative distributions of the iterations of {listed(jobs)}.",
        note=_notes(study, note, _of_curves(traced, boxed)),
    )
    return Drawing(sketch, figure, boxes)


def _of_curves(traced: list[str], boxed: list[str]) -> str:
    """Which variants have a curve, if not all of those that have a box."""
    if len(traced) == len(boxed):
        return ""
    return f"Curves are those of {listed(traced)}."


def slowest(study: Study) -> Drawing | None:
    """Draw fastest, middle and slowest rank of every iteration of the jobs.

    Returns
    -------
    Drawing or None
        ``None`` if no job of several ranks has enough iterations.
    """
    frame = _times(study)
    if frame.is_empty():
        return None
    found = _labelled(slowest_ranks(frame), study).filter(pl.col("ranks") > 1)
    keys = ["series", "source", "condition"]
    in_order = {variant.label or "run": place for place, variant in enumerate(study.variants)}
    place = pl.col("source").replace_strict(in_order, return_dtype=pl.UInt32)
    each = found.select(keys).unique(maintain_order=True).sort("series", place, maintain_order=True)
    if each.is_empty():
        return None
    of_variant = max(1, len(each) // each["source"].n_unique())
    variants, note = shown(study, each.with_columns(variant="source"), PANELS // of_variant)
    series = each.filter(pl.col("source").is_in(variants))
    figure, panels = new_figure(len(series), *panel_size(len(series), 5.0, 2.6))
    largest = float(found["slowest"].max())  # type: ignore[arg-type]
    for (job, source, condition), axes in zip(series.iter_rows(), panels, strict=True):
        rows = found.filter(
            (pl.col("series") == job)
            & (pl.col("source") == source)
            & (pl.col("condition") == condition)
        )
        plots.slowest_ranks(rows, axes, quantity="communication time", largest=largest)
        label = rows["label"][0]
        axes.set_title(job if label == job else f"{job}, {label}")
    legend(figure, panels)
    sketch = Sketch(
        name="slowest_ranks",
        title="Slowest rank of every iteration",
        caption=(
            "Communication time of the fastest, the median and the slowest rank of each "
            "iteration. A job that synchronises continues when its slowest rank has finished."
        ),
        alternative="Scatter plots over iterations of the fastest, median and slowest rank of "
        f"{listed(series['series'].unique(maintain_order=True).to_list())}.",
        note=_notes(study, note),
    )
    return Drawing(sketch, figure, found)
