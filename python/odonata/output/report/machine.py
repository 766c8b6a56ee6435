"""Pictures of the machine: which jobs are where, which links are busy, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata import analysis
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
    from odonata.results import Result

_MACHINES = 12
"""Variants whose machine is drawn."""

_SMALL = 400
"""Routers of a system that is drawn several times; of a larger one, groups are drawn."""


def placement(run: Result) -> pl.DataFrame:
    """Which nodes each job has, from its ranks, or from where its packets arrive.

    Parameters
    ----------
    run : Result
        With the tables `links` and `ranks` or `link_jobs`.

    Returns
    -------
    polars.DataFrame
        ``router``, ``group``, ``job``, ``nodes``; empty if that is not known.
    """
    links = gather.table(run, "links")
    if "target_node" not in links.columns:
        return pl.DataFrame()
    hosts = links.filter(pl.col("kind") == "host").select(
        "link", node=pl.col("target_node").cast(pl.Int64), router="source_router",
        group="source_group",
    )  # fmt: skip
    found = []
    ranks = gather.table(run, "ranks")
    if not ranks.is_empty():
        nodes = ranks.select(pl.col("node").cast(pl.Int64), "job").unique(maintain_order=True)
        found.append(hosts.join(nodes, on="node").select("router", "group", "job", "node"))
    received = gather.table(run, "link_jobs")
    if not received.is_empty():
        known = ranks["job"].unique().to_list() if not ranks.is_empty() else []
        others = received.filter(~pl.col("job").is_in(known) & (pl.col("bytes") > 0))
        found.append(hosts.join(others, on="link").select("router", "group", "job", "node"))
    if not found:
        return pl.DataFrame()
    return (
        pl.concat(found)
        .group_by("router", "group", "job", maintain_order=True)
        .agg(nodes=pl.col("node").n_unique())
        .sort("router", "job")
    )


def machine(study: Study) -> Drawing | None:
    """Draw placement and load on the machine, a panel per variant.

    Returns
    -------
    Drawing or None
        ``None`` where the tables do not say who is where.
    """
    parts, links = [], {}
    for variant in study.variants:
        placed = placement(variant.first)
        if not placed.is_empty():
            parts.append(placed.select(pl.lit(variant.label).alias("variant"), "*"))
            links[variant.label] = gather.table(variant.first, "links")
    if not parts:
        return None
    frame = pl.concat(parts)
    variants, note = shown(study, frame, _MACHINES)
    largest = max(_busiest(links[name]) for name in variants)
    size = 6.4 if len(variants) == 1 else 4.6 if len(variants) <= 4 else 3.2
    figure, panels = new_figure(len(variants), size, size)
    for name, axes in zip(variants, panels, strict=True):
        placed = frame.filter(pl.col("variant") == name)
        plots.machine(
            links[name], placed, axes, jobs=study.jobs, largest=largest,
            routers=plots.ROUTERS if len(variants) == 1 else _SMALL,
        )  # fmt: skip
        if len(variants) > 1:
            axes.set_title(name)
    colour_bar(
        figure, panels[0].collections[-2], panels, "busiest link: mean throughput / capacity"
    )
    colours = plots.job_colours(study.jobs)
    present = [job for job in study.jobs if job in frame["job"].to_list()]
    for job in present:
        panels[0].plot([], [], "o", color=colours[job], label=job)
    legend(figure, panels[:1])
    sketch = Sketch(
        name="machine",
        title="Jobs and load on the machine",
        caption=(
            "Groups are on a ring, their routers are discs: slices are the shares of the nodes of "
            "a router that each job has, white is free. Lines are links, those between "
            "groups bundled: the colour is that of the busiest link of a bundle."
            + gather.of_first(study)
        ),
        alternative=f"The system as a ring of groups, with the routers of {listed(present)} and "
        f"the load of links, under {variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _busiest(links: pl.DataFrame) -> float:
    between = links.filter(pl.col("kind") != "host")["congestion_index"].max()
    return float(between or 0.0)  # type: ignore[arg-type]


def link_use(study: Study) -> Drawing | None:
    """Draw what each job takes of the links of each kind.

    Returns
    -------
    Drawing or None
        ``None`` without the tables of links.
    """
    parts = []
    for variant in study.variants:
        links = gather.table(variant.first, "links")
        by_job = gather.table(variant.first, "link_jobs")
        if links.is_empty() or by_job.is_empty() or not links["congestion_index"].sum():
            continue
        shares = analysis.job_shares(links, by_job)
        parts.append(shares.select(pl.lit(variant.label).alias("variant"), "*"))
    if not parts:
        return None
    frame = pl.concat(parts)
    variants, note = shown(study, frame, PANELS)
    figure, panels = new_figure(len(variants), *panel_size(len(variants), 3.6, 2.9))
    top = _tallest(frame)
    for name, axes in zip(variants, panels, strict=True):
        rows = frame.filter(pl.col("variant") == name).rename({"job": "class"})
        plots.class_shares(rows, axes, classes=study.jobs)
        axes.set_ylim(0, top)
        if len(variants) > 1:
            axes.set_title(name)
    outer_labels(figure, panels)
    legend(figure, panels)
    sketch = Sketch(
        name="link_use",
        title="Use of links by kind and job",
        caption=(
            "Mean use of the links of each kind, as a fraction of their bandwidth over the whole "
            "run, by the job whose bytes they carried. Of each variant the first run is shown."
        ),
        alternative=f"Stacked bars of the use of links by {listed(study.jobs)}, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _tallest(frame: pl.DataFrame) -> float:
    sums = frame.group_by("variant", "kind").agg(pl.col("share").sum())
    return float(sums["share"].max()) * 1.05 or 1.0  # type: ignore[arg-type]
