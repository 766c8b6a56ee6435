"""Why a job was slow: from its slowest rank to the links and jobs that delayed it, in sentences.

Every number comes from a table of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import polars as pl

from odonata import analysis, plots
from odonata.errors import RunError, suggestion
from odonata.report import words
from odonata.report.canvas import legend, new_figure
from odonata.report.extra import extra

if TYPE_CHECKING:
    from pathlib import Path

    from odonata.results import JobResult, Result

_LINKS = 5
_SMALL = 0.01
"""A share that is not worth a sentence."""


@dataclass
class Explanation:
    """Why a job was slow.

    Attributes
    ----------
    job : str
        Whose time it is about.
    steps : list of tuple of str and str
        Heading and sentences, from the job down to links.
    facts : dict
        The numbers in them, by name.
    """

    job: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    _jobs: list[str] = field(default_factory=list)
    _delays: pl.DataFrame = field(default_factory=pl.DataFrame)
    _links: pl.DataFrame = field(default_factory=pl.DataFrame)

    def draw(self, path: Path) -> Path | None:
        """Store the picture of it: who delayed the job, and where; None without blame."""
        if self._delays.is_empty() or self._links.is_empty():
            return None
        with mpl.rc_context(dict(plots.RC)):
            figure, (left, right) = new_figure(2, 5.0, 3.2)
            plots.delays(self._delays, left, jobs=self._jobs)
            left.set_title(f"Who delayed {self.job}")
            plots.delaying_links(self._links, right, jobs=self._jobs)
            right.set_title("Where the waits end")
            legend(figure, [left, right])
            figure.savefig(path)
        return path


def explain(
    result: Result, job: str | None = None, *, without: Result | None = None
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

    Returns
    -------
    Explanation
        Sentences, and their numbers.

    Raises
    ------
    RunError
        No such job, or none that communicates.
    """
    chosen = _chosen(result, job)
    found = Explanation(chosen.name, _jobs=list(result.jobs))
    _time(found, chosen, result)
    _slowest(found, result)
    blame = _table(result, "blame")
    if blame.is_empty():
        _stalls(found, result)
    else:
        _extra(found, result, without)
        _waits(found, result, blame)
        _slowest_rank_waits(found, result)
    if without is not None:
        _gain(found, chosen, without)
    return found


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


def _table(result: Result, name: str) -> pl.DataFrame:
    return result.table(name) if name in result.tables() else pl.DataFrame()


def _time(found: Explanation, job: JobResult, result: Result) -> None:
    said = []
    if job.comm_time_ns is None:
        packets = job.summary["packet_latency_ns"]
        said.append(
            f"`{job.name}` sends without end; its packets take {words.time(packets['mean'])} on "
            f"average, one of a hundred more than {words.time(packets['p99'])}."
        )
    else:
        said.append(
            f"The ranks of `{job.name}` spend {words.time(job.comm_time_ns)} on communication on "
            "average."
        )
        found.facts["comm_time_ns"] = job.comm_time_ns
    if job.slowdown is not None:
        said.append(
            f"Alone on the same nodes they spend {words.time(job.baseline_comm_time_ns)}: beside "
            f"the others it takes {words.times(job.slowdown)} as long."
        )
        found.facts["slowdown"] = job.slowdown
    if result.stop != "finished":
        said.append(f"The run did not come to its end ({result.stop}).")
    found.steps.append(("The job", " ".join(said)))


def _slowest(found: Explanation, result: Result) -> None:
    ranks = _table(result, "ranks")
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
        f"{words.time(worst['comm_time_ns'])}; half of the {len(mine)} ranks need less than "
        f"{words.time(median)}."
    ]
    found.facts |= {"slowest_rank": worst["rank"], "slowest_rank_ns": worst["comm_time_ns"],
                    "median_rank_ns": median}  # fmt: skip
    iterations = _table(result, "iterations")
    steps = pl.DataFrame()
    if not iterations.is_empty():
        steps = iterations.filter((pl.col("job") == found.job) & (pl.col("rank") == worst["rank"]))
    if len(steps) > 1:
        longest = steps.sort("comm_time_ns", "iteration", descending=[True, False]).row(
            0, named=True
        )
        usual = float(steps["comm_time_ns"].median())  # type: ignore[arg-type]
        said.append(
            f"Of its {len(steps)} iterations number {longest['iteration']} took longest: "
            f"{words.time(longest['comm_time_ns'])}, from {words.time(longest['start_ns'])} to "
            f"{words.time(longest['end_ns'])} of the run, where half take less than "
            f"{words.time(usual)}."
        )
        found.facts |= {"slowest_iteration": longest["iteration"],
                        "slowest_iteration_ns": longest["comm_time_ns"]}  # fmt: skip
    _slowest_packet(said, found, result, worst["node"])
    found.steps.append(("The slowest rank", " ".join(said)))


def _slowest_packet(said: list[str], found: Explanation, result: Result, node: int) -> None:
    packets = _table(result, "packets")
    if packets.is_empty():
        return
    mine = packets.filter((pl.col("job") == found.job) & (pl.col("source_node") == node))
    if mine.is_empty():
        return
    mine = mine.with_columns(latency_ns=pl.col("delivered_ns") - pl.col("created_ns"))
    one = mine.sort("latency_ns", "sequence", descending=[True, False]).row(0, named=True)
    said.append(
        f"Its slowest sampled packet, to node {one['target_node']}, took "
        f"{words.time(one['latency_ns'])} over the routers {one['path']}."
    )
    found.facts["slowest_packet"] = {key: one[key] for key in ("target_node", "latency_ns", "path")}


def _extra(found: Explanation, result: Result, without: Result | None) -> None:
    told = extra(result, found.job, result.baselines.get(found.job) or without)
    if told is not None:
        found.steps.append(("What its packets lose", told[0]))
        found.facts |= told[1]


def _waits(found: Explanation, result: Result, blame: pl.DataFrame) -> None:
    mine = blame.filter(pl.col("delayed") == found.job)
    if mine.is_empty() or not mine["ns"].sum():
        found.steps.append(("Waits", "None of its packets waited for anything."))
        return
    delays = analysis.delays(mine)
    total = float(mine["ns"].sum())
    packets = result.jobs[found.job].summary["packets"]
    parts = [
        f"{words.share(row['through_fraction'])} because of "
        f"{'itself' if row['delaying'] == found.job else '`' + row['delaying'] + '`'}"
        for row in delays.iter_rows(named=True)
        if row["through_fraction"] >= _SMALL
    ]
    each = f" ({words.time(total / packets)} each)" if packets else ""
    said = [
        f"Its {words.count(packets)} packets waited {words.time(total)} in all{each}: "
        f"{', '.join(parts)}."
    ]
    why = analysis.causes(mine, found.job)
    shares = (
        why.group_by("cause").agg(pl.col("ns").sum()).sort("ns", "cause", descending=[True, False])
    )
    told = [
        f"{words.share(row['ns'] / total)} {_CAUSES[row['cause']]}"
        for row in shares.iter_rows(named=True)
        if row["ns"] >= _SMALL * total
    ]
    said.append(f"They waited {', '.join(told)}.")
    found.steps.append(("Waits", " ".join(said)))
    found.facts |= {
        "waiting_ns": total,
        "direct": dict(zip(delays["delaying"], delays["fraction"], strict=True)),
        "through": dict(zip(delays["delaying"], delays["through_fraction"], strict=True)),
        "causes": dict(zip(shares["cause"], shares["ns"] / total, strict=True)),
    }
    found._delays = delays  # noqa: SLF001 - its own maker
    _where(found, result, mine)


_CAUSES = {
    "port": "for ports that were sending other packets",
    "credits": "for room in buffers further down",
    "stage": "for the next decision of a router",
    "crossbar": "for a crossbar",
    "input-queue": "behind other packets in input buffers",
    "nic-queue": "behind other packets in their own NIC",
    "nic-credits": "in their NIC for room in the first router",
    "nic-outstanding": "in their NIC for answers",
    "nic-stage": "for the next decision of their NIC",
}


def _where(found: Explanation, result: Result, mine: pl.DataFrame) -> None:
    links = _table(result, "links")
    others = mine.filter(pl.col("delaying") != found.job)
    is_others = float(others["through_ns"].sum()) >= _SMALL * float(mine["ns"].sum())
    rows = others if is_others else mine
    if links.is_empty() or not rows["through_ns"].sum():
        return
    top = analysis.delaying_links(rows, links, found.job, count=_LINKS)
    total = float(rows["through_ns"].sum())
    users = _table(result, "link_jobs")
    whose = "What others cost it" if is_others else "What it costs itself"
    said = [
        f"{whose} ends on {rows.filter(pl.col('through_ns') > 0)['link'].n_unique()} links; the "
        f"first {len(top)} of them carry {words.share(float(top['through_ns'].sum()) / total)}."
    ]
    for row in top.iter_rows(named=True):
        used = _users(users, row["link"])
        where = (
            f"from router {row['source_router']} to its node"
            if row["kind"] == "host"
            else f"from router {row['source_router']} to {row['target_router']}"
        )
        said.append(
            f"Link {row['link']} ({row['kind']}, {where}): {words.time(row['through_ns'])}, mostly "
            f"because of `{row['main']}`{used}."
        )
    found.steps.append(("Links", " ".join(said)))
    found.facts["links"] = top.to_dicts()
    found._links = top  # noqa: SLF001 - its own maker


def _users(link_jobs: pl.DataFrame, link: int) -> str:
    if link_jobs.is_empty():
        return ""
    rows = link_jobs.filter(pl.col("link") == link).sort("bytes", "job", descending=[True, False])
    total = rows["bytes"].sum()
    if not total:
        return ""
    shares = [
        f"{words.share(row['bytes'] / total)} `{row['job']}`" for row in rows.iter_rows(named=True)
    ]
    return f" (its bytes: {', '.join(shares[:3])})"


def _slowest_rank_waits(found: Explanation, result: Result) -> None:
    ranks = _table(result, "blame_ranks")
    rank = found.facts.get("slowest_rank")
    if ranks.is_empty() or rank is None:
        return
    mine = ranks.filter(pl.col("job") == found.job)
    per_rank = mine.group_by("rank").agg(pl.col("ns").sum())
    rows = mine.filter(pl.col("rank") == rank).sort("ns", "delaying", descending=[True, False])
    total = float(rows["ns"].sum())
    if not total:
        return
    shares = [
        f"{words.share(row['ns'] / total)} `{row['delaying']}`"
        for row in rows.iter_rows(named=True)
    ]
    median = float(per_rank["ns"].median())  # type: ignore[arg-type]
    found.steps.append((
        "Waits of the slowest rank",
        f"The packets that rank {rank} sent waited {words.time(total)} in all (half of the ranks: "
        f"less than {words.time(median)}), charged directly to {', '.join(shares[:4])}.",
    ))  # fmt: skip
    found.facts["slowest_rank_waits"] = dict(zip(rows["delaying"], rows["ns"], strict=True))


def _stalls(found: Explanation, result: Result) -> None:
    links, users = _table(result, "links"), _table(result, "link_jobs")
    said: list[str] = []
    if not links.is_empty() and not users.is_empty():
        mine = users.filter(pl.col("job") == found.job)["link"].to_list()
        used = links.filter(pl.col("link").is_in(mine))
        if not used.is_empty():
            top = analysis.stalled_links(used, users, count=_LINKS)
            said.extend(
                f"Link {row['link']} ({row['kind']}, router {row['source_router']} to "
                f"{row['target_router']}) lacked credits for {words.time(row['stall_ns'])}"
                f"{_users(users, row['link'])}."
                for row in top.iter_rows(named=True)
            )
            found.facts["stalled_links"] = top.to_dicts()
            if top.is_empty():
                said.append("On none of the links that it used packets lacked credits.")
    said.append(
        "Who made its packets wait is not recorded: run the scenario with "
        "`--set telemetry.blame=true`."
    )
    found.steps.append(("Links", " ".join(said)))


def _gain(found: Explanation, job: JobResult, without: Result) -> None:
    left = without.jobs.get(found.job)
    gone = sorted(
        name for name in found.facts.get("direct", {}) if name not in without.jobs
    )  # fmt: skip
    if left is None:
        raise RunError(f'the results to compare with have no job "{found.job}".')
    named = ", ".join(f"`{name}`" for name in gone) or "the jobs that are left out"
    if job.comm_time_ns is None or left.comm_time_ns is None:
        before = job.summary["packet_latency_ns"]["mean"]
        after = left.summary["packet_latency_ns"]["mean"]
        what = "its packets take"
    else:
        before, after, what = job.comm_time_ns, left.comm_time_ns, "it communicates for"
    said = (
        f"Without {named} {what} {words.time(after)} in place of {words.time(before)}: "
        f"{words.share((before - after) / before)} less."
    )
    blamed = sum(found.facts.get("through", {}).get(name, 0.0) for name in gone)
    if gone:
        said += f" Blame charges {words.share(blamed)} of the waits to {named}."
    found.steps.append(("Confirmed by leaving jobs out", said))
    found.facts["gain"] = (before - after) / before
