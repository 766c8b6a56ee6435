"""What the replicas of a run say together, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata.analysis.replicas import SEED
from odonata.output.report import units
from odonata.output.report.lost_time import grown, parts
from odonata.output.report.verdict import slower

if TYPE_CHECKING:
    from odonata.output.report.explanation import Explanation
    from odonata.output.report.related_runs import Around

_READ = 20
"""Replicas whose tables of blame are read; of more, the first ones."""


def replicated(found: Explanation, known: Around) -> None:
    """Say what replicas say of a job, with their spread, and which of them is told in detail.

    Parameters
    ----------
    found : Explanation
        Gets a step and facts.
    known : Around
        Of a run with replicas; otherwise nothing is said.
    """
    rows = known.replicas
    if len(rows) < 2 or known.sweep is None:
        return
    told = [f"There are {len(rows)} replicas."]
    column = f"{found.job}.slowdown"
    if column in rows.columns and rows[column].drop_nulls().len() > 1:
        told.append(_slowdowns(found, rows, column))
        told += _shares(found, known, rows)
    chosen = f"seed {known.row.get(SEED)}, run `{known.row['run']}`"
    how = ", the one of the median slowdown" if known.is_chosen else ""
    told.append(f"Told in detail is {chosen}{how}.")
    found.facts["replica"] = known.row["run"]
    found.steps.append(("Replicas", " ".join(told)))


def _slowdowns(found: Explanation, rows: pl.DataFrame, column: str) -> str:
    values = rows[column].drop_nulls().to_list()
    low, high = min(values), max(values)
    middle = float(pl.Series(values).median())  # type: ignore[arg-type]
    found.facts["replicas"] = {"slowdowns": values, "median": middle, "low": low, "high": high}
    missing = len(rows) - len(values)
    cut = f"; {missing} have no slowdown" if missing else ""
    return (
        f"In the median `{found.job}` {slower(middle)}; over them its slowdown is from "
        f"{units.times(low)} to {units.times(high)}{cut}."
    )


def _shares(found: Explanation, known: Around, rows: pl.DataFrame) -> list[str]:
    """What is charged to other jobs of what packets lose, replica by replica."""
    assert known.sweep is not None  # noqa: S101 - the caller has asked
    shares: dict[str, list[float]] = {}
    read = 0
    for name in rows["run"].to_list()[:_READ]:
        run = known.sweep.runs[name]
        more = grown(parts(run.baselines.get(found.job), found.job), parts(run, found.job))
        if more is None or more.whole_ns <= 0.0:
            continue
        read += 1
        for other in more.after.others_ns:
            shares.setdefault(other, []).append(more.shares.get(other, 0.0))
    if not read:
        return []
    whole = {other: [*values, *[0.0] * (read - len(values))] for other, values in shares.items()}
    found.facts["replica_shares"] = whole
    parts_told = [
        f"{units.share(sum(values) / read)} on average ({units.share(min(values))} to "
        f"{units.share(max(values))}) is charged to `{other}`"
        for other, values in sorted(whole.items(), key=lambda one: -sum(one[1]))
        if max(values) > 0.0
    ]
    if not parts_told:
        return []
    fewer = f", in the {read} replicas whose packets take longer" if read < len(rows) else ""
    return [f"Of what has become longer, {', '.join(parts_told)}{fewer}."]
