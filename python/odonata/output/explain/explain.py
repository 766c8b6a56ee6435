"""Why a job was slow: from its slowest rank to the links and jobs that delayed it, in sentences.

Every number comes from a table of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.core.errors import RunError, suggestion
from odonata.output.explain import charged_waits, units, waits
from odonata.output.explain.conditions import Condition, conditions
from odonata.output.explain.explanation import Explanation
from odonata.output.explain.lost_time import Grown, Parts, grown, parts, told
from odonata.output.explain.paths import ways
from odonata.output.explain.ratios import Ratio, ratio
from odonata.output.explain.related_runs import Around
from odonata.output.explain.removals import left_out, removals, sentence, without
from odonata.output.explain.spread import replicated, shares
from odonata.output.explain.verdict import Evidence, headline, remedy

if TYPE_CHECKING:
    from odonata.results import JobResult, Result


def explain(
    result: Result,
    job: str | None = None,
    *,
    without: Result | None = None,
    known: Around | None = None,
) -> Explanation:
    """Follow the time of a job from its slowest rank to links and other jobs.

    Parameters
    ----------
    result : Result
        One run. With the table `blame` (``telemetry.blame = true``) it says who is to blame;
        without it, on which links of the job packets lacked credits.
    job : str, optional
        By default the one that is slowed down most.
    without : Result, optional
        The same run with jobs left out (``odonata run --without``): what that gained.
    known : Around, optional
        Other runs of its sweep: replicas, runs without other jobs, other variants.

    Returns
    -------
    Explanation
        Sentences, and their numbers; the first step is the headline, the last one what to do.

    Raises
    ------
    RunError
        No such job, or none that communicates; or the run without jobs is of another scenario.
    """
    chosen = _chosen(result, job)
    known = known or Around()
    found = Explanation(chosen.name, jobs=list(result.jobs))
    left = _left_out(result, chosen.name, without, known)
    removed = [removals(pairs, chosen.name, gone) for pairs, gone in left]
    now = parts(result, chosen.name)
    alone = result.baselines.get(chosen.name)
    before = parts(alone, chosen.name)
    more = grown(before, now)
    look = cache(lambda: ways(result, chosen.name))
    evidence = Evidence(
        job=chosen,
        slowed=_slowed(chosen, known),
        more=more,
        shares=shares(chosen.name, known),
        removals=[one for one in removed if len(one["without"]) == 1],
        causes=conditions(result, chosen.name, now, more, look),
        alone=None if alone is None else conditions(alone, chosen.name, before, None, look),
        known=known,
    )
    text = headline(evidence)
    found.facts["headline"] = text
    found.steps.append(("In short", text))
    if known.choice:
        found.steps.append(("Which run", known.choice))
    replicated(found, known, evidence.slowed, evidence.shares)
    _time(found, chosen, result)
    _slowest(found, result)
    blame = charged_waits.table(result, "blame")
    if blame.is_empty():
        waits.stalls(found, result)
    else:
        _packets(found, now, more, left)
        _network(found, evidence.causes)
        waits.waits(found, result, is_measured=bool(evidence.removals))
        waits.slowest_rank(found, result)
    _removed(found, left, removed)
    found.steps.append(("What to do", remedy(evidence)))
    return found


Pairs = Sequence[tuple["Result", "Result"]]
"""Of each replica the run, and the same run without some jobs; the run that is told comes first."""


def _left_out(
    result: Result, job: str, other: Result | None, known: Around
) -> list[tuple[Pairs, list[str]]]:
    """Runs without other jobs, and whom they leave out."""
    found: list[Pairs] = [] if other is None else [[(result, other)]]
    found += [pairs for name, pairs in known.removals.items() if name != job]
    return [(pairs, left_out(*pairs[0])) for pairs in found]


def _slowed(job: JobResult, known: Around) -> Ratio | None:
    """The slowdown of a job: of all its replicas, if there are several."""
    column = f"{job.name}.slowdown"
    rows = known.replicas
    if len(rows) > 1 and column in rows.columns:
        values = rows.filter(pl.col("stop") == "finished")[column].to_list()
        return ratio(values, [1.0] * len(values))
    return None if job.slowdown is None else ratio([job.slowdown], [1.0])


def _chosen(result: Result, job: str | None) -> JobResult:
    jobs = result.jobs
    if job is not None:
        if job not in jobs:
            raise RunError(f'the results have no job "{job}".{suggestion(job, list(jobs))}')
        return jobs[job]
    timed = [one for one in jobs.values() if one.comm_time_ns is not None]
    if not timed:
        if jobs:
            return next(iter(jobs.values()))
        raise RunError("the results have no job; run a scenario with jobs.")
    return max(timed, key=lambda one: (one.slowdown or 0.0, one.comm_time_ns or 0.0))


def _time(found: Explanation, job: JobResult, result: Result) -> None:
    said = []
    if job.comm_time_ns is None:
        packets = job.summary["packet_latency_ns"]
        said.append(
            f"`{job.name}` sends for the whole run; its packets take {units.time(packets['mean'])} "
            f"on average, 1 % of them more than {units.time(packets['p99'])}."
        )
    else:
        said.append(
            f"The ranks of `{job.name}` spend {units.time(job.comm_time_ns)} on communication on "
            "average."
        )
        found.facts["comm_time_ns"] = job.comm_time_ns
    if job.slowdown is not None:
        said.append(
            f"Alone on the same nodes they spend {units.time(job.baseline_comm_time_ns)}: the "
            f"slowdown of this run is {units.times(job.slowdown)}."
        )
        found.facts["slowdown"] = job.slowdown
    if result.stop != "finished":
        said.append(f"The run was cut before its end ({result.stop}).")
    found.steps.append(("The job", " ".join(said)))


def _slowest(found: Explanation, result: Result) -> None:
    ranks = charged_waits.table(result, "ranks")
    if ranks.is_empty():
        return
    mine = ranks.filter((pl.col("job") == found.job) & pl.col("comm_time_ns").is_not_null())
    mine = mine.filter(pl.col("comm_time_ns") > 0)
    if mine.is_empty():
        return
    worst = mine.sort("comm_time_ns", "rank", descending=[True, False]).row(0, named=True)
    median = float(mine["comm_time_ns"].median())  # type: ignore[arg-type]
    said = [
        f"Rank {worst['rank']} on node {worst['node']} is the slowest with "
        f"{units.time(worst['comm_time_ns'])}; the median of the {len(mine)} ranks is "
        f"{units.time(median)}."
    ]
    found.facts |= {"slowest_rank": worst["rank"], "slowest_rank_ns": worst["comm_time_ns"],
                    "median_rank_ns": median}  # fmt: skip
    iterations = charged_waits.table(result, "iterations")
    steps = pl.DataFrame()
    if not iterations.is_empty():
        steps = iterations.filter((pl.col("job") == found.job) & (pl.col("rank") == worst["rank"]))
    if len(steps) > 1:
        longest = steps.sort("comm_time_ns", "iteration", descending=[True, False]).row(
            0, named=True
        )
        usual = float(steps["comm_time_ns"].median())  # type: ignore[arg-type]
        said.append(
            f"The longest of its {len(steps)} iterations is number {longest['iteration']}, from "
            f"{units.time(longest['start_ns'])} to {units.time(longest['end_ns'])} of the run: it "
            f"communicates for {units.time(longest['comm_time_ns'])}, the median iteration for "
            f"{units.time(usual)}."
        )
        found.facts |= {"slowest_iteration": longest["iteration"],
                        "slowest_iteration_ns": longest["comm_time_ns"]}  # fmt: skip
    _slowest_packet(said, found, result, worst["node"])
    found.steps.append(("The slowest rank", " ".join(said)))


def _slowest_packet(said: list[str], found: Explanation, result: Result, node: int) -> None:
    packets = charged_waits.table(result, "packets")
    if packets.is_empty():
        return
    mine = packets.filter((pl.col("job") == found.job) & (pl.col("source_node") == node))
    if mine.is_empty():
        return
    mine = mine.with_columns(latency_ns=pl.col("delivered_ns") - pl.col("created_ns"))
    one = mine.sort("latency_ns", "sequence", descending=[True, False]).row(0, named=True)
    said.append(
        f"Its slowest sampled packet, to node {one['target_node']}, took "
        f"{units.time(one['latency_ns'])} over the routers {one['path']}."
    )
    found.facts["slowest_packet"] = {key: one[key] for key in ("target_node", "latency_ns", "path")}


def _packets(
    found: Explanation,
    now: Parts | None,
    more: Grown | None,
    left: Sequence[tuple[Pairs, list[str]]],
) -> None:
    """What packets lose with others: against the job alone, otherwise against fewer jobs."""
    setting = "alone"
    if more is None and left:
        pairs, gone = left[0]
        run = pairs[0][1]
        is_alone = list(run.jobs) == [found.job]
        setting = "alone" if is_alone else without({"without": gone})
        more = grown(parts(run, found.job), now)
    if more is None:
        return
    text, facts = told(found.job, more, setting)
    found.steps.append(("What its packets lose", text))
    found.facts |= facts


def _network(found: Explanation, causes: Sequence[Condition]) -> None:
    found.facts["causes_named"] = [one.name for one in causes]
    found.facts["conditions"] = {one.name: {"share": one.share} | one.facts for one in causes}
    if causes:
        found.steps.append(("Network and job", " ".join(one.text for one in causes)))


def _removed(
    found: Explanation,
    left: Sequence[tuple[Pairs, list[str]]],
    removed: Sequence[dict[str, Any]],
) -> None:
    """What runs without other jobs say, each of them."""
    if not removed:
        return
    through = found.facts.get("through", {})
    said = [
        sentence(found.job, one, through, is_alone=list(pairs[0][1].jobs) == [found.job])
        for (pairs, _), one in zip(left, removed, strict=True)
    ]
    found.steps.append(("Leaving jobs out", " ".join(said)))
    found.facts["gain"] = removed[0]["gain"]
    found.facts["removals"] = [
        {key: value for key, value in one.items() if not isinstance(value, Ratio)}
        for one in removed
    ]
