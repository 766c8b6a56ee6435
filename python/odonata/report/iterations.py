"""Pictures of iterations: how noisy they are, and which rank ends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata import plots
from odonata.analysis import drawn
from odonata.analysis.slowest import slowest_ranks
from odonata.measured import form
from odonata.report.canvas import PANELS, PLACES, Picture, Sketch, legend, listed, new_figure, store
from odonata.simulated import form_of

if TYPE_CHECKING:
    from pathlib import Path

    from odonata.report.gather import Study

_FEWEST = 6
"""Iterations that a series needs: fewer carry no interval of the median."""

_QUANTITY = "communication time of an iteration"


def _times(study: Study) -> pl.DataFrame:
    """Iterations of the first run of every variant in the form; the variant is the source."""
    parts = [
        form_of(variant.first, source=variant.label or "run").filter(
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


def _notes(study: Study, frame: pl.DataFrame, most: int) -> str:
    """What is not shown."""
    said = []
    count = frame["source"].n_unique()
    if count > most:
        said.append(f"Shown are the first {most} of {count} variants; the CSV file has all.")
    if any(len(variant.runs) > 1 for variant in study.variants):
        said.append("Of a variant with several seeds it is the first run: runs are not pooled.")
    return " ".join(said)


def noise(study: Study, folder: Path) -> Picture | None:
    """Draw the times of iterations as notched boxes, and as cumulative distributions below them.

    Parameters
    ----------
    study : Study
        The runs.
    folder : pathlib.Path
        Where the picture is stored.

    Returns
    -------
    Picture or None
        ``None`` if no job has enough iterations.
    """
    frame = _times(study)
    if frame.is_empty():
        return None
    boxes, curves = (_labelled(make(frame), study) for make in (drawn.boxes, drawn.cumulative))
    jobs = frame["series"].unique(maintain_order=True).to_list()[: PANELS // 2]
    shown = frame["source"].unique(maintain_order=True).to_list()[:PLACES]
    rows = 2 * len(shown)
    figure, panels = new_figure(2 * len(jobs), 5.0, max(2.6, 0.9 + 0.28 * rows))
    for number, job in enumerate(jobs):
        here = (pl.col("series") == job) & pl.col("source").is_in(shown)
        plots.notched_boxes(boxes.filter(here), panels[2 * number], quantity=_QUANTITY)
        plots.cumulative(curves.filter(here), panels[2 * number + 1], quantity=_QUANTITY)
        for axes in panels[2 * number : 2 * number + 2]:
            axes.set_title(job)
    legend(figure, panels)
    sketch = Sketch(
        name="iteration_noise",
        title="Noise of iterations",
        caption=(
            "Communication time of the slowest rank of every iteration. Left: boxes hold the "
            "middle half, the notch is the 95 % interval of the median (iterations may depend on "
            "each other), whiskers reach the outermost values within 1.5 distances of the "
            "quartiles. Right: fraction of iterations that take at most so long; 95th and 99th "
            "percentile are marked where the iterations suffice for them. `odonata noise` has the "
            "numbers."
        ),
        alternative=f"Box plots and cumulative distributions of the iterations of {listed(jobs)}.",
        note=_notes(study, frame, PLACES),
    )
    return store(sketch, figure, boxes, folder)


def slowest(study: Study, folder: Path) -> Picture | None:
    """Draw fastest, middle and slowest rank of every iteration of the jobs.

    Parameters
    ----------
    study : Study
        The runs.
    folder : pathlib.Path
        Where the picture is stored.

    Returns
    -------
    Picture or None
        ``None`` if no job of several ranks has enough iterations.
    """
    frame = _times(study)
    if frame.is_empty():
        return None
    found = _labelled(slowest_ranks(frame), study).filter(pl.col("ranks") > 1)
    keys = ["series", "source", "condition"]
    series = found.select(keys).unique(maintain_order=True).head(PANELS)
    if series.is_empty():
        return None
    figure, panels = new_figure(len(series), 5.0, 2.6)
    for (job, source, condition), axes in zip(series.iter_rows(), panels, strict=True):
        rows = found.filter(
            (pl.col("series") == job)
            & (pl.col("source") == source)
            & (pl.col("condition") == condition)
        )
        plots.slowest_ranks(rows, axes, quantity="communication time")
        label = rows["label"][0]
        axes.set_title(job if label == job else f"{job}, {label}")
    legend(figure, panels)
    sketch = Sketch(
        name="slowest_ranks",
        title="Slowest rank of every iteration",
        caption=(
            "Communication time of the fastest, the median and the slowest rank of each "
            "iteration. A job that synchronises goes on when its slowest rank has ended."
        ),
        alternative="Scatter plots over iterations of the fastest, median and slowest rank of "
        f"{listed(series['series'].unique(maintain_order=True).to_list())}.",
        note=_notes(study, frame, PANELS),
    )
    return store(sketch, figure, found, folder)
