"""Pictures of what only some runs have: traffic classes, a routing that learns, blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output import plots
from odonata.output.canvas import (
    PANELS,
    Drawing,
    Sketch,
    colour_bar,
    legend,
    listed,
    new_figure,
    outer_labels,
    panel_size,
    variant_names,
)
from odonata.output.report import gather
from odonata.output.report.headline import shown

if TYPE_CHECKING:
    from odonata.output.report.gather import Study

_LEARNING = PANELS // 3
"""Variants whose learning is shown: three panels each."""


def learning(study: Study) -> Drawing | None:
    """Draw how latency, choice of paths and estimates change while a routing learns.

    Returns
    -------
    Drawing or None
        ``None`` if no routing learns.
    """
    frame = gather.learning(study)
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, _LEARNING)
    columns = list(plots.LEARNING)
    figure, panels = new_figure(len(variants) * len(columns), 3.3, 2.7)
    for number, axes in enumerate(panels):
        variant, column = variants[number // len(columns)], columns[number % len(columns)]
        rows = frame.filter(pl.col("variant") == variant)
        plots.learning_curve(rows, axes, column=column, jobs=study.jobs)
        if len(variants) > 1:
            axes.set_title(variant)
    legend(figure, panels)
    sketch = Sketch(
        name="learning",
        title="Learning over time",
        caption=(
            "Mean packet latency, fraction of packets on non-minimal paths, and mean amount by "
            "which an estimate of the routers was wrong when it was corrected."
            + gather.of_first(study)
        ),
        alternative=f"Line charts over time of latency, non-minimal fraction and error of the "
        f"estimates, for {listed(study.jobs)}, under {variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def classes(study: Study) -> Drawing | None:
    """Draw what each traffic class takes of the links.

    Returns
    -------
    Drawing or None
        ``None`` if the system has no traffic classes.
    """
    frame = gather.classes(study)
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, PANELS)
    figure, panels = new_figure(len(variants), *panel_size(len(variants), 3.6, 2.9))
    names = frame["class"].unique(maintain_order=True).to_list()
    for variant, axes in zip(variants, panels, strict=True):
        plots.class_shares(frame.filter(pl.col("variant") == variant), axes, classes=names)
        if len(variants) > 1:
            axes.set_title(variant)
    legend(figure, panels)
    sketch = Sketch(
        name="traffic_classes",
        title="Traffic classes",
        caption="Mean use of the links of each kind, as a fraction of their bandwidth, by class."
        + gather.of_first(study),
        alternative=f"Stacked bars of the use of links by the classes {listed(names)}, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def blame(study: Study) -> Drawing | None:
    """Draw who delayed whom.

    Returns
    -------
    Drawing or None
        ``None`` if no run has recorded it.
    """
    frame = gather.blame(study)
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, PANELS)
    jobs = [job for job in study.jobs if job in {*frame["delayed"], *frame["delaying"]}]
    side = 2.2 + 0.45 * len(jobs)
    figure, panels = new_figure(len(variants), *panel_size(len(variants), side + 0.6, side))
    for variant, axes in zip(variants, panels, strict=True):
        plots.blame_matrix(frame.filter(pl.col("variant") == variant), axes, jobs=jobs)
        if len(variants) > 1:
            axes.set_title(variant)
    outer_labels(figure, panels)
    colour_bar(figure, panels[0].images[-1], panels, "share of the waits of the job")
    sketch = Sketch(
        name="blame",
        title="Who delayed whom",
        caption=(
            "Of all the time that packets of a job (row) waited, the share that is charged to each "
            "job (column), attributed through backpressure to the port that was sending. "
            "Acknowledgements, for which no rank waits, are left out. `odonata explain` names the "
            "links." + gather.of_first(study)
        ),
        alternative=f"Matrix of the shares of waits of {listed(jobs)} charged to each other, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)
