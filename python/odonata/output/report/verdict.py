"""The first sentence of an explanation: how slow a job is, by whom or what, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from odonata.output.report import units
from odonata.output.report.canvas import listed
from odonata.output.report.conditions import CAP, PRIORITY, Condition
from odonata.output.report.lost_time import OWN, WAY, Grown

if TYPE_CHECKING:
    from odonata.output.report.related_runs import Around
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


def headline(
    job: JobResult,
    more: Grown | None,
    removals: Sequence[dict[str, Any]],
    found: Sequence[Condition],
    alone: Sequence[Condition] | None,
    known: Around,
) -> str:
    """Say in a few sentences how slow a job is, why, and what helps.

    Parameters
    ----------
    job : JobResult
        The job.
    more : Grown or None
        By what its packets take longer than alone.
    removals : sequence of dict
        What leaving out single jobs does, see :mod:`odonata.output.report.removals`.
    found : sequence of Condition
        What of the network costs time.
    alone : sequence of Condition or None
        The same of the job alone; ``None`` if it did not run alone.
    known : Around
        Other runs of the same sweep.

    Returns
    -------
    str
        Sentences.
    """
    said = [_how_slow(job)]
    is_alone, always = alone is not None, found if alone is None else alone
    slow = None if job.slowdown is None else job.slowdown - 1.0
    if slow is not None and slow >= ALIKE:
        if removals:
            said.append(_by_removals(removals))
        said += _by_shares(more, found, {one["without"][0] for one in removals})
    elif removals:
        said.append(_by_removals(removals))
    rest = [one for one in always if not one.is_difference and one.share >= _TOLD]
    if rest:
        text = "; ".join(one.clause for one in rest)
        said.append(f"Alone, too: {text}." if is_alone else f"{text[0].upper()}{text[1:]}.")
    said += _other_variant(job, known)
    return " ".join(said)


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


def _how_slow(job: JobResult) -> str:
    if job.slowdown is not None:
        return f"`{job.name}` {slower(job.slowdown)}."
    if job.comm_time_ns is not None:
        return f"`{job.name}` communicates for {units.time(job.comm_time_ns)}."
    mean = (job.summary.get("packet_latency_ns") or {}).get("mean")
    return f"Packets of `{job.name}` take {units.time(mean)} on average."


def _by_removals(removals: Sequence[dict[str, Any]]) -> str:
    """What leaving single jobs out does, the largest gain first."""
    known = [one for one in removals if one["gain"] is not None]
    ordered = sorted(known, key=lambda one: (-one["gain"], one["without"]))
    parts = []
    for one in ordered:
        gain, name = one["gain"], f"`{one['without'][0]}`"
        if abs(gain) < ALIKE:
            parts.append(f"without {name} it is as slow")
        else:
            parts.append(f"without {name} it needs {units.percent(abs(gain))} "
                         f"{'less' if gain > 0.0 else 'more'} time")  # fmt: skip
    if not parts:
        return "What leaving jobs out does cannot be said."
    text = listed(parts)
    return f"{text[0].upper()}{text[1:]}."


def _by_shares(more: Grown | None, found: Sequence[Condition], measured: set[str]) -> list[str]:
    """Whose fault it is by what is charged; jobs that were left out once are told by that."""
    if more is None:
        return []
    if more.whole_ns <= 0.0:
        return ["Its packets do not take longer on average: its ranks wait for single packets, or "
                "for each other."]  # fmt: skip
    shares = more.shares
    parts = [
        _charged(name, share, more)
        for name, share in sorted(shares.items(), key=lambda one: (-one[1], one[0]))
        if share >= _NAMED and name not in measured and not (measured and name in (OWN, WAY))
    ]
    said = []
    if parts:
        said.append(f"Of what makes its packets slower, {listed(parts)}.")
    return [
        *said,
        *(
            f"The reason is its traffic class: {one.clause}."
            for one in found
            if one.is_difference and one.name in (CAP, PRIORITY)
        ),
    ]


def _charged(name: str, share: float, more: Grown) -> str:
    much = "all" if share >= _ALL else units.percent(share)
    if name == OWN:
        return f"{much} is more waiting for its own packets"
    if name == WAY:
        before, after = more.before.hops, more.after.hops
        if before is None or after is None or after <= before:
            return f"{much} is a longer way"
        return f"{much} is a longer way ({after:.2f} routers, alone {before:.2f})"
    return f"{much} is due to `{name}`"


def _other_variant(job: JobResult, known: Around) -> list[str]:
    """The variant of the same sweep in which the job needs the least time, if it is better."""
    if job.slowdown is None or not job.comm_time_ns:
        return []
    column, time = f"{job.name}.slowdown", f"{job.name}.comm_time_ns_mean"
    better = [
        (row[time], told, row[column])
        for told, row in known.others()
        if row.get("stop") == "finished"
        and row.get(column) is not None
        and row.get(time) is not None
        and row[time] <= job.comm_time_ns * (1.0 - _HELPS)
    ]
    if not better:
        return []
    least, told, slowdown = min(better)
    saved = units.percent(1.0 - least / job.comm_time_ns)
    return [
        f"With {told} it {slower(slowdown)} and needs {saved} less time than here (a run of the "
        "same sweep)."
    ]
