"""What the time of a victim's packets consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata import analysis
from odonata.analysis.blame import MOVING
from odonata.output import plots
from odonata.output.canvas import (
    ROWS,
    Drawing,
    Sketch,
    legend,
    listed,
    new_figure,
    variant_names,
)
from odonata.output.explain.charged_waits import requests
from odonata.output.report.headline import shown

if TYPE_CHECKING:
    from odonata.output.report.gather import Study
    from odonata.results import Result

_PANELS = 6


def parts(study: Study) -> pl.DataFrame:
    """Take the mean time of a packet apart, for every job of each variant's first run.

    Returns
    -------
    polars.DataFrame
        ``variant``, ``job``, ``setting`` (`alone` or `beside`), ``part``, ``ns``; empty where
        blame was not recorded, and with a measured window: waits are those of all packets.
    """
    rows = []
    for variant in study.variants:
        run = variant.first
        if "measure" in study.scenario:
            continue
        for job in study.jobs:
            settings = {"alone": run.baselines.get(job), "beside": run}
            for setting, one in settings.items():
                found = _of_run(one, job)
                if found is not None:
                    about = {"variant": variant.label, "job": job, "setting": setting}
                    named = [pl.lit(value).alias(name) for name, value in about.items()]
                    rows.append(found.select(*named, "*"))
    return pl.concat(rows) if rows else pl.DataFrame()


def _of_run(run: Result | None, job: str) -> pl.DataFrame | None:
    if run is None or job not in run.jobs:
        return None
    charged = requests(run)
    summary = run.jobs[job].summary
    latency = (summary.get("packet_latency_ns") or {}).get("mean")
    if charged.is_empty() or not summary.get("packets") or latency is None:
        return None
    return analysis.breakdown(charged, job, packets=summary["packets"], latency_ns=latency)


def breakdown(study: Study) -> Drawing | None:
    """Draw what the time of a victim's packets consists of, alone and beside the others.

    Returns
    -------
    Drawing or None
        ``None`` where blame was not recorded.
    """
    frame = parts(study)
    if frame.is_empty():
        return None
    victims = [job for job in study.jobs if _is_victim(study, job)] or study.jobs
    frame = frame.filter(pl.col("job").is_in(victims[:_PANELS]))
    if frame.is_empty():
        return None
    variants, note = shown(study, frame, ROWS // 2)
    drawn = _labelled(frame.filter(pl.col("variant").is_in(variants)), study)
    jobs = drawn["job"].unique(maintain_order=True).to_list()
    most = max(drawn.filter(pl.col("job") == job)["label"].n_unique() for job in jobs)
    figure, panels = new_figure(len(jobs), 7.0 if len(jobs) == 1 else 4.9, 0.9 + 0.22 * most)
    sums = drawn.group_by("job", "label").agg(pl.col("ns").sum())
    unit = plots.time_unit(float(sums["ns"].max()))  # type: ignore[arg-type]
    for job, axes in zip(jobs, panels, strict=True):
        rows = drawn.filter(pl.col("job") == job)
        plots.parts(rows, axes, whole=MOVING, jobs=study.jobs, unit=unit)
        axes.set_title(job)
    legend(figure, panels)
    sketch = Sketch(
        name="breakdown",
        title="What the time of a packet consists of",
        caption=(
            "Mean latency of the packets of a job by its parts. Moving: in links and routers, and "
            "its own serialisation. The rest are waits, each charged to the job that caused it, as "
            "in the picture of who delayed whom. Acknowledgements, for which no rank waits, are "
            "left out. Of each variant the first run is shown."
        ),
        alternative=f"Stacked bars: moving and waits of the packets of {listed(jobs)}, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)


def _is_victim(study: Study, job: str) -> bool:
    first = study.variants[0].first.jobs.get(job)
    return first is not None and first.summary.get("role") == "victim"


def _labelled(frame: pl.DataFrame, study: Study) -> pl.DataFrame:
    several = len(study.variants) > 1
    variant = pl.col("variant") + ", " if several else pl.lit("")
    setting = pl.col("setting").replace(plots.SETTINGS)
    return frame.select("job", "part", "ns", label=variant + setting)
