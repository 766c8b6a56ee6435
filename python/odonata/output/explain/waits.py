"""Where the packets of a job waited, and because of which job, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from odonata import analysis
from odonata.output.canvas import listed
from odonata.output.explain import charged_waits, units

if TYPE_CHECKING:
    from odonata.output.explain.explanation import Explanation
    from odonata.results import Result

_LINKS = 5
_SMALL = 0.01
"""A share that is not worth a sentence."""

_HELD_BACK = 0.5
"""Share of its waits in its own NICs from which a job is held back (docs/model/blame.md)."""

_CAUSES = {
    "port": "for output ports that were sending other packets",
    "credits": "for credits of the next buffer",
    "stage": "for the next decision of a router",
    "crossbar": "for the crossbar",
    "input-queue": "behind other packets in input buffers",
    "nic-queue": "behind other packets in their own NIC",
    "nic-credits": "in their NIC for credits of the first router",
    "nic-outstanding": "in their NIC for acknowledgements",
    "nic-pacing": "in their NIC, which was paced by congestion control",
    "nic-stage": "for the next decision of their NIC",
}


def waits(found: Explanation, result: Result, *, is_measured: bool = False) -> None:
    """Say how long the packets of a job waited, because of whom, for what, and where.

    Parameters
    ----------
    found : Explanation
        Gets steps, facts and the frames of its picture.
    result : Result
        A run with the table `blame`.
    is_measured : bool
        Whether runs without other jobs are there, which say what each of them costs.
    """
    if charged_waits.is_mixed(result):
        found.steps.append((
            "Waits",
            "The table `blame` is of an earlier version, which does not separate acknowledgements "
            "(no rank waits for them) from other packets. Run the scenario again.",
        ))  # fmt: skip
        return
    blame = charged_waits.requests(result)
    mine = blame.filter(pl.col("delayed") == found.job)
    if mine.is_empty() or not mine["ns"].sum():
        found.steps.append(("Waits", "None of its packets waited for anything."))
        return
    delays = analysis.delays(mine)
    total = float(mine["ns"].sum())
    packets = result.jobs[found.job].summary["packets"]
    parts = [
        f"{units.share(row['through_fraction'])} because of "
        f"{'itself' if row['delaying'] == found.job else '`' + row['delaying'] + '`'}"
        for row in delays.iter_rows(named=True)
        if row["through_fraction"] >= _SMALL
    ]
    each = f" ({units.time(total / packets)} each)" if packets else ""
    said = [
        f"Its {units.count(packets)} packets waited {units.time(total)} in all{each}: "
        f"{', '.join(parts)}, attributed through backpressure to the port that was sending."
    ]
    why = analysis.causes(mine, found.job)
    shares = (
        why.group_by("cause").agg(pl.col("ns").sum()).sort("ns", "cause", descending=[True, False])
    )
    told = [
        f"{units.share(row['ns'] / total)} {_CAUSES[row['cause']]}"
        for row in shares.iter_rows(named=True)
        if row["ns"] >= _SMALL * total
    ]
    said.append(f"They waited {', '.join(told)}.")
    found.facts |= {
        "waiting_ns": total,
        "direct": dict(zip(delays["delaying"], delays["fraction"], strict=True)),
        "through": dict(zip(delays["delaying"], delays["through_fraction"], strict=True)),
        "causes": dict(zip(shares["cause"], shares["ns"] / total, strict=True)),
    }
    back = charged_waits.answers(result).filter(pl.col("delayed") == found.job)
    answers = float(back["ns"].sum()) if not back.is_empty() else 0.0
    if answers:
        found.facts["answers_waiting_ns"] = answers
        said.append(
            f"Acknowledgements, for which no rank waits, waited another {units.time(answers)}; "
            "they are in none of these shares."
        )
    held = _held_back(blame, delays, found.job)
    found.facts["held_back"] = held
    if held and not is_measured:
        names = listed([f"`{name}`" for name in held])
        said.append(
            f"The network throttles {names}: without another job it would send more. The order of "
            "these shares may therefore differ from the order of what leaving each job out gains; "
            "`odonata run --without-each` measures it."
        )
    found.steps.append(("Waits", " ".join(said)))
    found.delays = delays
    _where(found, result, mine)


def _held_back(blame: pl.DataFrame, delays: pl.DataFrame, job: str) -> list[str]:
    """Those of several other jobs whose packets wait mostly in their own NICs."""
    is_other = (pl.col("delaying") != job) & (pl.col("through_fraction") >= _SMALL)
    others = delays.filter(is_other)["delaying"].to_list()
    in_nic = pl.col("ns").filter(pl.col("cause").str.starts_with("nic-")).sum()
    waited = blame.group_by("delayed").agg(in_nic=in_nic, ns=pl.col("ns").sum())
    held = waited.filter((pl.col("ns") > 0) & (pl.col("in_nic") >= _HELD_BACK * pl.col("ns")))
    names = set(held["delayed"])
    return [name for name in others if name in names] if len(others) > 1 else []


def _where(found: Explanation, result: Result, mine: pl.DataFrame) -> None:
    links = charged_waits.table(result, "links")
    others = mine.filter(pl.col("delaying") != found.job)
    is_others = float(others["through_ns"].sum()) >= _SMALL * float(mine["ns"].sum())
    rows = others if is_others else mine.filter(pl.col("delaying") == found.job)
    if links.is_empty() or not rows["through_ns"].sum():
        return
    top = analysis.delaying_links(rows, links, found.job, count=_LINKS)
    total = float(rows["through_ns"].sum())
    users = charged_waits.table(result, "link_jobs")
    whose = "other jobs" if is_others else "its own packets"
    many = rows.filter(pl.col("through_ns") > 0)["link"].n_unique()
    head = f"Its waits for {whose} are charged to {many} {'links' if many > 1 else 'link'}"
    if many > len(top):
        head += f", {units.share(float(top['through_ns'].sum()) / total)} of them to the first "
        head += f"{len(top)}"
    said = [f"{head}."]
    for row in top.iter_rows(named=True):
        used = _users(users, row["link"])
        where = (
            f"from router {row['source_router']} to its node"
            if row["kind"] == "host"
            else f"from router {row['source_router']} to {row['target_router']}"
        )
        because = "itself" if row["main"] == found.job else f"`{row['main']}`"
        mostly = "" if row["main_fraction"] >= 1 - _SMALL else "mostly "
        said.append(
            f"Link {row['link']} ({row['kind']}, {where}): {units.time(row['through_ns'])}, "
            f"{mostly}because of {because}{used}."
        )
    found.steps.append(("Links", " ".join(said)))
    found.facts["links"] = top.to_dicts()
    found.links = top


def _users(link_jobs: pl.DataFrame, link: int) -> str:
    if link_jobs.is_empty():
        return ""
    rows = link_jobs.filter(pl.col("link") == link).sort("bytes", "job", descending=[True, False])
    total = rows["bytes"].sum()
    if not total:
        return ""
    shares = [
        f"{units.share(row['bytes'] / total)} `{row['job']}`" for row in rows.iter_rows(named=True)
    ]
    return f" (bytes on it: {', '.join(shares[:3])})"


def slowest_rank(found: Explanation, result: Result) -> None:
    """Say what the packets of the slowest rank waited for, charged as those of all ranks are."""
    ranks = charged_waits.rank_requests(result)
    rank = found.facts.get("slowest_rank")
    if ranks.is_empty() or rank is None:
        return
    column = "through_ns" if "through_ns" in ranks.columns else "ns"
    mine = ranks.filter(pl.col("job") == found.job)
    per_rank = mine.group_by("rank").agg(pl.col("ns").sum())
    rows = (
        mine.filter(pl.col("rank") == rank)
        .group_by("delaying")
        .agg(pl.col("ns", column).sum() if column != "ns" else pl.col("ns").sum())
        .sort(column, "delaying", descending=[True, False])
    )
    total = float(rows["ns"].sum())
    if not total:
        return
    shares = [
        f"{units.share(row[column] / total)} because of "
        f"{'itself' if row['delaying'] == found.job else '`' + row['delaying'] + '`'}"
        for row in rows.iter_rows(named=True)
        if row[column] >= _SMALL * total
    ]
    median = float(per_rank["ns"].median())  # type: ignore[arg-type]
    direct = ", without backpressure (results of an earlier version)" if column == "ns" else ""
    found.steps.append((
        "Waits of the slowest rank",
        f"The packets that rank {rank} sent waited {units.time(total)} in all (median of the "
        f"ranks: {units.time(median)}): {', '.join(shares)}{direct}.",
    ))  # fmt: skip
    found.facts["slowest_rank_waits"] = dict(zip(rows["delaying"], rows[column], strict=True))


def stalls(found: Explanation, result: Result) -> None:
    """Say on which links of a job packets lacked credits, where blame was not recorded."""
    links, users = charged_waits.table(result, "links"), charged_waits.table(result, "link_jobs")
    said: list[str] = []
    if not links.is_empty() and not users.is_empty():
        mine = users.filter(pl.col("job") == found.job)["link"].to_list()
        used = links.filter(pl.col("link").is_in(mine))
        if not used.is_empty():
            top = analysis.stalled_links(used, users, count=_LINKS)
            said.extend(
                f"Link {row['link']} ({row['kind']}, router {row['source_router']} to "
                f"{row['target_router']}) lacked credits for {units.time(row['stall_ns'])}"
                f"{_users(users, row['link'])}."
                for row in top.iter_rows(named=True)
            )
            found.facts["stalled_links"] = top.to_dicts()
            if top.is_empty():
                said.append("Packets lacked credits on none of the links that it used.")
    said.append(
        "Which job made its packets wait is not recorded: run the scenario with "
        "`--set telemetry.blame=true`."
    )
    found.steps.append(("Links", " ".join(said)))
