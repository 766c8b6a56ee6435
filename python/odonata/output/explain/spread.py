"""What the replicas of a run say together, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from odonata.analysis.replicas import SEED
from odonata.output.explain import units
from odonata.output.explain.lost_time import grown, parts

if TYPE_CHECKING:
    from odonata.output.explain.explanation import Explanation
    from odonata.output.explain.ratios import Ratio
    from odonata.output.explain.related_runs import Around

_READ = 20
"""Replicas whose tables of blame are read; of more, the first ones."""


def shares(job: str, known: Around) -> dict[str, list[float]]:
    """What is charged to other jobs of what makes packets of a job slower, replica by replica.

    Parameters
    ----------
    job : str
        Whose packets.
    known : Around
        Of a run with replicas.

    Returns
    -------
    dict
        Shares by the name of each other job, one of each replica whose packets take longer; empty
        without replicas or blame.
    """
    rows = known.replicas
    if len(rows) < 2 or known.sweep is None:
        return {}
    found: dict[str, list[float]] = {}
    read = 0
    for name in rows["run"].to_list()[:_READ]:
        run = known.sweep.runs[name]
        more = grown(parts(run.baselines.get(job), job), parts(run, job))
        if more is None or more.whole_ns <= 0.0:
            continue
        for other in more.after.others_ns:
            found.setdefault(other, [0.0] * read)
        read += 1
        for other, values in found.items():
            values.append(more.shares.get(other, 0.0))
    return found


def replicated(
    found: Explanation, known: Around, slowed: Ratio | None, each: Mapping[str, Sequence[float]]
) -> None:
    """Say what replicas say of a job, with their spread, and which of them is told in detail.

    Parameters
    ----------
    found : Explanation
        Gets a step and facts.
    known : Around
        Of a run with replicas; otherwise nothing is said.
    slowed : Ratio or None
        Slowdown of the job.
    each : mapping
        See :func:`shares`.
    """
    rows = known.replicas
    if len(rows) < 2:
        return
    told = [f"There are {len(rows)} replicas."]
    if slowed is not None:
        values = slowed.each
        found.facts["replicas"] = {"slowdowns": list(values), "typical": slowed.typical,
                                   "low": slowed.low, "high": slowed.high}  # fmt: skip
        missing = len(rows) - len(values)
        cut = f"; {missing} have no slowdown" if missing else ""
        told.append(f"Their slowdowns are {units.times(min(values))} to "
                    f"{units.times(max(values))}{cut}.")  # fmt: skip
        told += _shares(each, len(rows))
    found.facts["replica_shares"] = dict(each)
    how = ", the one of the median slowdown" if known.is_chosen else ""
    told.append(
        f"The steps below describe seed {known.row.get(SEED)}, run `{known.row['run']}`{how}."
    )
    found.facts["replica"] = known.row["run"]
    found.steps.append(("Replicas", " ".join(told)))


def _shares(each: Mapping[str, Sequence[float]], replicas: int) -> list[str]:
    ordered = sorted(each.items(), key=lambda one: -sum(one[1]))
    told = [
        f"{units.share(sum(values) / len(values))} on average ({units.share(min(values))} to "
        f"{units.share(max(values))}) is charged to `{other}`"
        for other, values in ordered
        if max(values) > 0.0
    ]
    if not told:
        return []
    read = len(ordered[0][1])
    fewer = f", in the {read} replicas whose packets take longer" if read < replicas else ""
    return [f"Of what makes packets slower, {', '.join(told)}{fewer}."]
