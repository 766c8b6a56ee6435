"""Counters of routers and NICs over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.analysis.readings import rates
from odonata.output import plots
from odonata.output.canvas import Drawing, Sketch, new_figure, variant_names
from odonata.output.report import gather
from odonata.output.report.headline import shown

if TYPE_CHECKING:
    from odonata.output.report.gather import Study

_OWNERS = {"counters": "routers", "nic_counters": "NICs"}
_VARIANTS = 6


def counters(study: Study) -> Drawing | None:
    """Draw how fast counters count, a panel per variant, owner and unit.

    Returns
    -------
    Drawing or None
        ``None`` where counters were not read at intervals.
    """
    parts = []
    for variant in study.variants:
        for name, owner in _OWNERS.items():
            table = gather.table(variant.first, name)
            if "time_ns" not in table.columns or table["time_ns"].n_unique() < 3:
                continue
            about = [pl.lit(variant.label).alias("variant"), pl.lit(owner).alias("owner")]
            parts.append(rates(table).select(*about, "*"))
    if not parts:
        return None
    frame = pl.concat(parts)
    variants, note = shown(study, frame, _VARIANTS)
    panes = frame.filter(pl.col("variant").is_in(variants)).partition_by(
        "variant", "owner", "unit", maintain_order=True
    )
    figure, panels = new_figure(len(panes), 5.0, 3.2)
    for rows, axes in zip(panes, panels, strict=True):
        plots.counter_rates(rows, axes)
        named = [str(rows["variant"][0])] if len(variants) > 1 else []
        axes.set_title(", ".join([*named, str(rows["owner"][0])]))
    sketch = Sketch(
        name="counters",
        title="Counters over time",
        caption=(
            "Rates of counters between two readings, summed over all routers or NICs; of each unit "
            "the six largest. docs/model/counters.md says what each counts. Of each variant the "
            "first run is shown."
        ),
        alternative=f"Line charts of the rates of counters of routers and NICs over time, under "
        f"{variant_names(frame)}.",
        note=note,
    )
    return Drawing(sketch, figure, frame)
