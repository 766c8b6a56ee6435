"""The first picture of a sweep: all variants in the order of what they do to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.output import plots
from odonata.output.canvas import ROWS, Drawing, Sketch, legend, listed, new_figure
from odonata.output.report.headline import Ranking, rankings

if TYPE_CHECKING:
    from odonata.output.report.gather import Study

_PANELS = 6


def ranking(study: Study) -> Drawing | None:
    """Draw every variant with its interval, the best on top, a panel per job.

    Returns
    -------
    Drawing or None
        ``None`` for a single variant, and where nothing can be ranked.
    """
    found = rankings(study)[:_PANELS]
    if not found:
        return None
    kept = [_ends(one.rows) for one in found]
    most = max(map(len, kept))
    figure, panels = new_figure(len(found), 4.9, 0.8 + plots.ROW_HEIGHT * most)
    for one, rows, axes in zip(found, kept, panels, strict=True):
        plots.intervals(rows, axes, quantity=one.quantity, unit=_unit(one, found))
        axes.set_title(one.job)
    legend(figure, panels)
    table = pl.concat(
        one.rows.select(
            pl.lit(one.job).alias("job"),
            pl.lit(one.quantity).alias("quantity"),
            pl.exclude("each"),
            each=_listed(one.rows["each"]),
        )
        for one in found
    )
    left_out = max(len(one.rows) for one in found) - most
    sketch = Sketch(
        name="ranking",
        title="Variants, the best first",
        caption=(
            f"{found[0].quantity.capitalize()} of {listed([one.job for one in found])} under every "
            "variant. Large dots are means over replicas (of slowdowns geometric ones), small ones "
            "the replicas, lines 95 % intervals, where there are enough replicas. The intervals "
            "are those of each variant alone: variants are compared replica by replica, so that a "
            "difference may be sure although intervals overlap."
        ),
        alternative=f"Dot plot of {len(found[0].rows)} variants ranked by the "
        f"{found[0].quantity} of {listed([one.job for one in found])}.",
        note=f"{left_out} variants in the middle are left out; the CSV file has all."
        if left_out
        else "",
    )
    return Drawing(sketch, figure, table)


def _listed(each: pl.Series) -> pl.Series:
    """Values of the replicas as a cell of a CSV file."""
    return pl.Series([" ".join(f"{value:.6g}" for value in values) for values in each.to_list()],
                     dtype=pl.String)  # fmt: skip


def _ends(rows: pl.DataFrame) -> pl.DataFrame:
    """All rows, or the first and the last."""
    half = ROWS // 2
    return rows if len(rows) <= ROWS else pl.concat([rows.head(half), rows.tail(half)])


def _unit(one: Ranking, found: tuple[Ranking, ...]) -> plots.Unit:
    """One unit for all panels that share a quantity."""
    if one.unit == "ratio":
        return 1.0, ""
    same = [each.rows["value"].max() for each in found if each.quantity == one.quantity]
    return plots.time_unit(max(float(value) for value in same))  # type: ignore[arg-type]
