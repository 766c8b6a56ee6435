"""First and last sentences of an explanation: how slow a job is and why, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from odonata.output.canvas import listed
from odonata.output.explain import units
from odonata.output.explain.conditions import CAP, PRIORITY, Condition
from odonata.output.explain.lost_time import OWN, WAY, Grown

if TYPE_CHECKING:
    from odonata.output.explain.ratios import Ratio
    from odonata.output.explain.related_runs import Around
    from odonata.results import JobResult

ALIKE = 0.005
"""Share of a time below which it is the same."""

_NAMED = 0.1
"""Share of what has become longer from which on it is named."""

_ALL = 0.995
_TOLD = 0.25
"""Share of the time of a packet from which on a condition is told at once."""

_HELPS = 0.01
"""Share of its time that a job must need less under another variant for that to be named."""


@dataclass(frozen=True)
class Evidence:
    """What is known of a job that is slow.

    Attributes
    ----------
    job : JobResult
        The job, in the run that is told.
    slowed : Ratio or None
        Its time over that alone, of all replicas.
    more : Grown or None
        By what its packets take longer than alone.
    shares : mapping
        Of all replicas: see :func:`odonata.output.explain.spread.shares`.
    removals : sequence of dict
        What leaving out single jobs does, see :mod:`odonata.output.explain.removals`.
    causes : sequence of Condition
        What of the network costs time.
    alone : sequence of Condition or None
        The same of the job alone; ``None`` if it did not run alone.
    known : Around
        Other runs of the same sweep.
    """

    job: JobResult
    slowed: Ratio | None
    more: Grown | None
    shares: Mapping[str, Sequence[float]]
    removals: Sequence[dict[str, Any]]
    causes: Sequence[Condition]
    alone: Sequence[Condition] | None
    known: Around

    @property
    def is_slow(self) -> bool:
        """Whether it takes longer than alone, by what is worth a sentence."""
        slowed = self.slowed
        return slowed is not None and slowed.typical - 1.0 >= ALIKE and slowed.may_differ


def headline(found: Evidence) -> str:
    """Say in a few sentences how slow a job is, and why."""
    said = [_how_slow(found)]
    if found.removals:
        said.append(_by_removals(found.removals))
    if found.is_slow:
        said += _by_shares(found)
    always = found.causes if found.alone is None else found.alone
    rest = [one for one in always if not one.is_difference and one.share >= _TOLD]
    if rest:
        text = "; ".join(one.clause for one in rest)
        is_alone = found.alone is not None
        said.append(f"Also when it runs alone, {text}." if is_alone else f"{_begun(text)}.")
    return " ".join(said)


def remedy(found: Evidence) -> str:
    """Say what to do about it: what was tried and helps, what is worth a try, or that nothing does.

    Returns
    -------
    str
        At least one sentence.
    """
    job = found.job.name
    said = [*_other_variant(found), *_apart(found)]
    tried = _tried(found)
    if not said and tried:
        said.append(f"Nothing that was tried helps `{job}`: {listed(tried)}.")
    elif not said and found.slowed is not None and not found.is_slow:
        said.append(f"The other jobs call for nothing: `{job}` {slower(found.slowed.typical)}.")
    ideas = list(dict.fromkeys(one.remedy for one in found.causes if one.remedy))
    if ideas:
        said.append(f"Worth a try, but not simulated: {'; '.join(ideas)}.")
    if not tried and found.is_slow:
        said.append(
            "Nothing was tried yet. `odonata run FILE --without-each` measures what each job "
            f"costs, a [sweep] over `routing.algorithm` or `jobs.{job}.placement` compares "
            "remedies, and `odonata advise` finds the best of them."
        )
    if not said:
        said.append("There is nothing to do as far as these results show.")
    return " ".join(said)


def _tried(found: Evidence) -> list[str]:
    tried = [f"leaving out `{one['without'][0]}`" for one in found.removals]
    variants = len(found.known.others())
    many = "another variant" if variants == 1 else f"{variants} other variants"
    return [*tried, *([f"{many} of this sweep"] if variants else [])]


def _apart(found: Evidence) -> list[str]:
    """Jobs without which it is faster: keep them away from it."""
    harmful = [
        one for one in found.removals
        if one["gain"] is not None and one["gain"] >= _HELPS and one["ratio"].may_differ
    ]  # fmt: skip
    if not harmful:
        return []
    names = [f"`{one['without'][0]}`" for one in sorted(harmful, key=lambda one: -one["gain"])]
    return [
        f"Keep `{found.job.name}` apart from {listed(names)}: by placement, a traffic class, or at "
        "another time."
    ]


def _begun(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def slower(slowdown: float) -> str:
    """Say a slowdown: so much slower than alone, or as fast.

    Examples
    --------
    >>> slower(1.19), slower(2.5), slower(1.001), slower(0.9), slower(1.0)
    ('is 19 % slower than alone', 'takes 2.50 times as long as alone', 'is as fast as alone \
(+0.1 %)', 'is 10 % faster than alone', 'is exactly as fast as alone')
    """
    more = slowdown - 1.0
    if more >= 1.0:
        return f"takes {slowdown:.2f} times as long as alone"
    if more == 0.0:
        return "is exactly as fast as alone"
    if abs(more) < ALIKE:
        return f"is as fast as alone ({100 * more:+.1f} %)"
    return f"is {units.percent(abs(more))} {'slower' if more > 0.0 else 'faster'} than alone"


def _how_slow(found: Evidence) -> str:
    job = found.job
    if found.slowed is not None:
        seen = "" if found.slowed.may_differ else ": no difference is seen"
        return f"`{job.name}` {slower(found.slowed.typical)} ({found.slowed.basis}{seen})."
    if job.comm_time_ns is not None:
        return f"`{job.name}` communicates for {units.time(job.comm_time_ns)}."
    mean = (job.summary.get("packet_latency_ns") or {}).get("mean")
    return f"Packets of `{job.name}` take {units.time(mean)} on average."


def _by_removals(removals: Sequence[dict[str, Any]]) -> str:
    """What leaving single jobs out does, the largest gain first."""
    known = [one for one in removals if one["gain"] is not None]
    ordered = sorted(known, key=lambda one: (-one["gain"], one["without"]))
    if not ordered:
        return "Leaving jobs out gave no time to compare."
    bases = [one["ratio"].basis for one in ordered]
    is_same = len(set(bases)) == 1 and len(bases) > 1  # said once
    parts = [
        _removed(one, "" if is_same else f" ({basis})")
        for one, basis in zip(ordered, bases, strict=True)
    ]
    text = listed(parts) + (f" ({bases[0]})" if is_same else "")
    return f"{_begun(text)}."


def _removed(one: Mapping[str, Any], basis: str) -> str:
    gain, name = one["gain"], f"`{one['without'][0]}`"
    much = f"{units.percent(abs(gain))} {'less' if gain > 0.0 else 'more'}"
    if not one["ratio"].may_differ:
        return f"without {name} no difference is seen ({much} time, {one['ratio'].basis})"
    if abs(gain) < ALIKE:
        return f"without {name} it takes as long{basis}"
    return f"without {name} it needs {much} time{basis}"


def _by_shares(found: Evidence) -> list[str]:
    """Whose fault it is by what is charged; jobs that were left out once are told by that."""
    more = found.more
    measured = {one["without"][0] for one in found.removals}
    if more is None:
        return []
    if more.whole_ns <= 0.0:
        return ["Its packets do not take longer on average: its ranks wait for single packets, or "
                "for each other."]  # fmt: skip
    means = {name: sum(values) / len(values) for name, values in found.shares.items()}
    parts = [
        _charged(name, share, found)
        for name, share in sorted((more.shares | means).items(), key=lambda one: (-one[1], one[0]))
        if share >= _NAMED and name not in measured and not (measured and name in (OWN, WAY))
    ]
    said = []
    if parts:
        said.append(f"Of what makes its packets slower, {listed(parts)}.")
    return [
        *said,
        *(
            f"The reason is its traffic class: {one.clause}."
            for one in found.causes
            if one.is_difference and one.name in (CAP, PRIORITY)
        ),
    ]


def _charged(name: str, share: float, found: Evidence) -> str:
    assert found.more is not None  # noqa: S101 - the caller has asked
    much = "all" if share >= _ALL else units.percent(share)
    if name == OWN:
        return f"{much} is more waiting for its own packets"
    if name == WAY:
        before, after = found.more.before.hops, found.more.after.hops
        if before is None or after is None or after <= before:
            return f"{much} is due to longer paths"
        return f"{much} is due to longer paths ({after:.2f} routers, alone {before:.2f})"
    values = found.shares.get(name, ())
    spread = (
        f" ({units.percent(min(values))} to {units.percent(max(values))} over {len(values)} "
        "replicas)" if len(values) > 1 else ""
    )  # fmt: skip
    return f"{much} is due to `{name}`{spread}"


def _other_variant(found: Evidence) -> list[str]:
    """The variant of the same sweep in which the job needs the least time, if it is better."""
    if found.job.slowdown is None or not found.job.comm_time_ns:
        return []
    column, time = f"{found.job.name}.slowdown", f"{found.job.name}.comm_time_ns_mean"
    better: list[tuple[float, str, Ratio, list[float]]] = []
    for told, rows in found.known.others():
        over = found.known.ratio(rows, time)
        if over is None or over.typical > 1.0 - _HELPS or not over.may_differ:
            continue
        slowdowns = [value for value in rows[column].to_list() if value]
        if slowdowns:
            better.append((over.typical, told, over, slowdowns))
    if not better:
        return []
    least, told, over, slowdowns = min(better, key=lambda one: one[:2])
    slowdown = math.exp(sum(map(math.log, slowdowns)) / len(slowdowns))
    return [
        f"Use {told}: there it {slower(slowdown)} and needs {units.percent(1.0 - least)} less time "
        f"than here ({over.basis}; of the same sweep)."
    ]
