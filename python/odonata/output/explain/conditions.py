"""What of the network itself makes a job slow: classes, failures, detours, its own traffic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.output.explain import charged_waits, units
from odonata.output.explain.lost_time import Grown, Parts
from odonata.output.explain.paths import Ways

if TYPE_CHECKING:
    from odonata.results import Result

CAP, PRIORITY, FAILED, DETOURS, INCAST, INJECTION, OWN_LINKS = (
    "class-cap", "class-priority", "failed-links", "detours", "incast", "injection", "own-traffic",
)  # fmt: skip
"""Names of conditions in facts."""

_CARRIES = 0.5
"""Share of what has become longer from which on a condition carries a difference."""

_SEEN = 0.1
"""Share of the time of a packet from which on a condition is told."""

_LEFT = 0.05
"""Share of packets off the minimal path from which on ways are worth a look."""

_ALWAYS = 0.8
"""Share of packets off the minimal path that no congestion asks for."""


@dataclass(frozen=True)
class Condition:
    """Something of the network or of the job itself that costs time.

    Attributes
    ----------
    name : str
        One of the names above.
    share : float
        Of the time of a packet; an estimate for detours and failures.
    clause : str
        What it is, as a clause with its subject and verb.
    text : str
        Sentences, with what is measured and what is inferred.
    remedy : str
        What may help, as an order; empty if there is nothing to say.
    is_difference : bool
        Whether it carries the difference to the run without others.
    facts : dict
        Numbers in it.
    """

    name: str
    share: float
    clause: str
    text: str
    remedy: str = ""
    is_difference: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


def conditions(
    result: Result,
    job: str,
    now: Parts | None,
    more: Grown | None,
    look: Callable[[], Ways | None],
) -> list[Condition]:
    """Look for what of the network makes a job slow, the largest first.

    Parameters
    ----------
    result : Result
        The run.
    job : str
        The job.
    now : Parts or None
        The time of its packets, taken apart.
    more : Grown or None
        By what it is longer than without others.
    look : callable
        Looks for the shortest paths of the job, if they are wanted; it takes seconds.

    Returns
    -------
    list of Condition
        What takes a share of the time that is worth a sentence.
    """
    if now is None or not now.latency_ns:
        return []
    made = [_classes(result, job, now, more), *_paths(result, job, (now, more), look)]
    made.append(_own(result, job, now))
    kept = [one for one in made if one is not None and (one.share >= _SEEN or one.is_difference)]
    return sorted(kept, key=lambda one: (not one.is_difference, -one.share))


def _classes(result: Result, job: str, now: Parts, more: Grown | None) -> Condition | None:
    """Waits for packets of classes that should go behind, or that go before."""
    qos = result.scenario.get("system", {}).get("qos") or {}
    classes = {str(one["name"]): one for one in qos.get("classes", [])}
    order = sorted(classes, key=lambda name: -int(classes[name].get("priority", 0)))
    mine = [order.index(name) for name in _classes_of(result.scenario, job) if name in order]
    rows = charged_waits.requests(result)
    if not mine or rows.is_empty():
        return None
    rows = rows.filter((pl.col("delayed") == job) & (pl.col("delaying") != job))
    by_class = dict(rows.group_by("class").agg(pl.col("through_ns").sum()).iter_rows())
    packets = result.jobs[job].summary["packets"]
    each = {name: ns / packets for name, ns in by_class.items() if name in order}
    behind = {name: ns for name, ns in each.items() if order.index(name) > max(mine)}
    before = {name: ns for name, ns in each.items() if order.index(name) < min(mine)}
    longer = _longer(now, more)
    for name, found in ((CAP, behind), (PRIORITY, before)):
        ns = sum(found.values())
        if not found or ns < _CARRIES * longer or ns / now.latency_ns < _LEFT:
            continue
        other = max(found, key=lambda one: found[one])
        own = order[mine[0]]
        cap = str(classes[own].get("cap", classes[own].get("assured", "100 %")))
        if name == CAP and _fraction(cap) >= 1.0:
            continue
        facts = {"class": own, "cap": cap, "other_class": other, "waits_ns": ns}
        maker = _over_cap if name == CAP else _behind
        return maker(result, facts, min(ns / now.latency_ns, 1.0), more)
    return None


def _longer(now: Parts, more: Grown | None) -> float:
    """What has become longer; without a comparison, all waits for others."""
    if more is None:
        return sum(now.others_ns.values())
    return sum(ns for ns in more.parts_ns.values() if ns > 0.0)


def _over_cap(
    result: Result, facts: dict[str, Any], share: float, more: Grown | None
) -> Condition:  # fmt: skip
    own, other, cap = facts["class"], facts["other_class"], facts["cap"]
    largest = _largest_share(result, own)
    facts["largest_share"] = largest
    said = (
        f"Its packets are of class `{own}` (cap {cap}), which has priority over `{other}`. Even "
        f"so, each waits {units.time(facts['waits_ns'])} for packets of lower classes (measured). "
        f"This happens only while `{own}` exceeds its cap, or behind a packet that is being sent."
    )
    if largest is not None and largest > _fraction(cap):
        said += (
            f" Over the whole run it took up to {units.share(largest)} of a link (measured), which "
            f"is more than {cap}: it exceeded its cap for a part of the run (inferred)."
        )
    else:
        said += " How long it exceeded its cap is not recorded."
    is_sure = "" if largest is not None and largest > _fraction(cap) else "presumably "
    clause = f"{is_sure}`{other}` is served first while its class `{own}` exceeds its cap of {cap}"
    return Condition(CAP, share, clause, said, f"raise the cap of class `{own}`",
                     is_difference=more is not None, facts=facts)  # fmt: skip


def _behind(
    _result: Result, facts: dict[str, Any], share: float, more: Grown | None
) -> Condition:  # fmt: skip
    own, other = facts["class"], facts["other_class"]
    said = (
        f"Its packets are of class `{own}`, over which `{other}` has priority: each waits "
        f"{units.time(facts['waits_ns'])} for packets of higher classes (measured)."
    )
    clause = f"class `{other}` has priority over its class `{own}`"
    return Condition(PRIORITY, share, clause, said,
                     f"give the job a class with the priority of `{other}`, or a guaranteed share",
                     is_difference=more is not None, facts=facts)  # fmt: skip


def _classes_of(scenario: Mapping[str, Any], job: str) -> list[str]:
    for one in scenario.get("jobs", []):
        if one["name"] == job:
            small = one.get("small_class") or {}
            names = (one.get("class"), one.get("collective_class"), small.get("name"))
            return [str(name) for name in names if name is not None]
    return []


def _fraction(text: str) -> float:
    number, percent, _ = text.partition("%")
    try:
        return float(number) / (100.0 if percent else 1.0)
    except ValueError:
        return 1.0


def _largest_share(result: Result, name: str) -> float | None:
    """Most that a class took of a link over the whole run."""
    links, classes = (
        charged_waits.table(result, "links"),
        charged_waits.table(result, "link_classes"),
    )
    if links.is_empty() or classes.is_empty():
        return None
    used = classes.filter(pl.col("class") == name).join(
        links.select("link", "congestion_index", whole="bytes"), on="link"
    )
    used = used.filter(pl.col("whole") > 0)
    if used.is_empty():
        return None
    shares = used["bytes"] / used["whole"] * used["congestion_index"]
    return float(shares.max())  # type: ignore[arg-type]


def _paths(
    result: Result, job: str, known: tuple[Parts, Grown | None], look: Callable[[], Ways | None]
) -> list[Condition]:
    """Paths that are longer than they could be: by failed links, by the routing."""
    now, more = known
    left = now.nonminimal or 0.0
    has_failures = "failures" in result.scenario.get("system", {})
    if now.hops is None or (left < _LEFT and not has_failures):
        return []
    found = look()
    if found is None or now.hops <= found.intact:
        return []
    hop_ns = now.moving_ns / now.hops
    made = []
    detour = now.hops - found.intact
    if found.longer:
        is_theirs = left >= _LEFT and (
            _is_minimal(result, job) or left <= found.longer / found.pairs
        )
        broken = detour if is_theirs else min(found.shortest - found.intact, detour)
        detour -= broken
        made.append(_failed(now, found, broken * hop_ns / now.latency_ns))
    if detour > 0.0 and left >= _LEFT:
        share = detour * hop_ns / now.latency_ns
        made.append(_detours(result, job, (now, more, found), share))
    return made


def _failed(now: Parts, found: Ways, share: float) -> Condition:
    is_one = found.failed == 1
    links = f"{found.failed} failed {'link lengthens' if is_one else 'links lengthen'}"
    said = (
        f"{links} the shortest paths between {found.longer:,} of {found.pairs:,} pairs of its "
        f"nodes (computed): the mean over pairs grows from {found.intact:.2f} to "
        f"{found.shortest:.2f} routers. {_begun(_measured(now))} The failures cost about "
        f"{units.share(share)} of the time of a packet (inferred from the number of routers and "
        "the time that it moves)."
    )
    left = now.nonminimal or 0.0
    told = f"{units.percent(left)} of its packets leave the minimal path, and " if left else ""
    clause = (
        f"{links} its paths: {told}a packet enters {now.hops:.1f} routers, {found.intact:.1f} on "
        "shortest paths without failures"
    )
    facts = {
        "failed": found.failed,
        "longer_pairs": found.longer,
        "pairs": found.pairs,
        "shortest": found.shortest,
        "intact": found.intact,
    }
    advice = "repair the failed links, or place the job where its paths avoid them"
    return Condition(FAILED, share, clause, said, advice, facts=facts)


def _measured(now: Parts) -> str:
    left = f"{units.share(now.nonminimal)} of its packets left the minimal path, and "
    return f"{left if now.nonminimal else ''}a packet entered {now.hops:.2f} routers (measured)."


def _begun(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _detours(
    result: Result, job: str, known: tuple[Parts, Grown | None, Ways], share: float
) -> Condition:
    now, more, found = known
    left = now.nonminimal or 0.0
    before = None if more is None else more.before.nonminimal
    is_always = min(left, left if before is None else before) >= _ALWAYS
    names = " and ".join(f"`{name}`" for name in _routings(result, job)) or "the routing"
    said = (
        f"{_begun(_measured(now))} Shortest paths between its nodes have {found.shortest:.2f} on "
        f"average over pairs (computed). Detours cost about {units.share(share)} of the time of a "
        "packet (inferred from the number of routers and the time that it moves)."
    )
    clause = (
        f"{names} sends {units.percent(left)} of its packets on detours: a packet enters "
        f"{now.hops:.1f} routers, {found.shortest:.1f} on shortest paths"
    )
    facts = {
        "hops": now.hops,
        "shortest": found.shortest,
        "nonminimal": now.nonminimal,
        "is_always": is_always,
    }
    advice = "a routing with fewer detours, such as `minimal` or a larger bias"
    return Condition(DETOURS, share, clause, said, advice, facts=facts)


def _routings(result: Result, job: str) -> list[str]:
    given = next(
        (one.get("routing") for one in result.scenario.get("jobs", []) if one["name"] == job), None
    ) or result.scenario.get("routing", {})  # fmt: skip
    tables = given if isinstance(given, list) else [given]
    return [str(one.get("algorithm")) for one in tables if isinstance(one, dict)]


_MINIMAL = ("minimal", "min-hash", "in-order")
"""Routings that leave the minimal path only where it is broken."""


def _is_minimal(result: Result, job: str) -> bool:
    return all(name in _MINIMAL for name in _routings(result, job))


_AT_ONCE = 0.5
"""Share of its own waits at one place from which on that is where they are."""


def _own(result: Result, job: str, now: Parts) -> Condition | None:
    """Waits of the packets of a job for each other, and at which links."""
    rows = charged_waits.requests(result)
    rows = rows.filter((pl.col("delayed") == job) & (pl.col("delaying") == job))
    total = float(rows["through_ns"].sum()) if not rows.is_empty() else 0.0
    share = now.own_ns / now.latency_ns
    if not total:
        return None
    head = (
        f"A packet waits for other packets of `{job}` for {units.share(share)} of its time "
        "(measured)"
    )
    facts: dict[str, Any] = {"own_ns": now.own_ns}
    in_nic = float(rows.filter(pl.col("cause").str.starts_with("nic-"))["through_ns"].sum()) / total
    node, part = _target(result, rows, total)
    if part >= _AT_ONCE and node is not None:
        rank = _rank_of(result, job, node)
        who = f"node {node}{'' if rank is None else f' (rank {rank})'}"
        facts |= {"node": node, "rank": rank, "share_at_node": part}
        most = units.share(part)
        said = f"{head}, {most} of that for the link to {who}: the job is an incast itself."
        clause = (
            f"its packets wait for each other for {units.percent(share)} of their time, "
            f"{units.percent(part)} of that for the link to {who}: the job is an incast itself"
        )
        advice = f"send less to {who} at a time, for instance through a tree"
        return Condition(INCAST, share, clause, said, advice, facts=facts)
    facts["share_in_nics"] = in_nic
    is_in_nics = in_nic >= _AT_ONCE
    rest = "" if is_in_nics else ", the rest in the network"
    said = f"{head}, {units.share(in_nic)} of that in its own NICs{rest}."
    place = "in their own NICs" if is_in_nics else "in the network"
    clause = (
        f"its packets wait for each other for {units.percent(share)} of their time, mostly {place}"
    )
    name, advice = (
        (INJECTION, _of_injection(result, job)) if is_in_nics
        else (OWN_LINKS, "another placement of its own ranks")
    )  # fmt: skip
    return Condition(name, share, clause, said, advice, facts=facts)


def _of_injection(result: Result, job: str) -> str:
    """What makes packets wait less in the NIC of their own node."""
    ranks = charged_waits.table(result, "ranks")
    if not ranks.is_empty():
        nodes = ranks.filter(pl.col("job") == job)["node"]
        if nodes.n_unique() == len(nodes):
            return "fewer messages of a rank at a time"
    return "fewer ranks per NIC"


def _target(result: Result, rows: pl.DataFrame, total: float) -> tuple[int | None, float]:
    """The node whose link from the router most waits are charged to, and their share of all."""
    links = charged_waits.table(result, "links")
    if links.is_empty():
        return None, 0.0
    hosts = links.filter(pl.col("kind") == "host").select("link", "target_node")
    ended = rows.filter(~pl.col("cause").str.starts_with("nic-")).join(hosts, on="link")
    if ended.is_empty():
        return None, 0.0
    by_node = ended.group_by("target_node").agg(pl.col("through_ns").sum())
    top = by_node.sort("through_ns", "target_node", descending=[True, False]).row(0)
    return int(top[0]), float(top[1]) / total


def _rank_of(result: Result, job: str, node: int) -> int | None:
    ranks = charged_waits.table(result, "ranks")
    if ranks.is_empty():
        return None
    found = ranks.filter((pl.col("job") == job) & (pl.col("node") == node))["rank"]
    return int(found[0]) if len(found) == 1 else None
