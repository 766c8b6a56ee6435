"""What the time that a job loses to others consists of, by its packets, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata import analysis
from odonata.analysis.blame import MOVING
from odonata.output.explain import charged_waits, units

if TYPE_CHECKING:
    from odonata.results import Result

_WHOLE = 1e-6
"""Share of the latency by which parts may miss it: rounded numbers, and no more."""


@dataclass(frozen=True)
class Parts:
    """Mean time of a packet that ranks wait for, taken apart.

    Attributes
    ----------
    latency_ns : float
        The whole, as the summary has it.
    moving_ns : float
        Wires, routers, its own length.
    own_ns : float
        Waits for packets of its own job.
    others_ns : dict of str to float
        Waits charged to each other job, attributed through backpressure.
    hops : float or None
        Routers that it enters, on average.
    nonminimal : float or None
        Share of packets on non-minimal paths.
    """

    latency_ns: float
    moving_ns: float
    own_ns: float
    others_ns: dict[str, float]
    hops: float | None
    nonminimal: float | None

    @property
    def waiting_ns(self) -> float:
        """All waits."""
        return self.own_ns + sum(self.others_ns.values())


@dataclass(frozen=True)
class Grown:
    """How much longer a packet takes with co-running jobs, and by what.

    Attributes
    ----------
    before, after : Parts
        Without the others, and with them.
    whole_ns : float
        By how much it takes longer; below 0: shorter.
    parts_ns : dict of str to float
        By how much each part has grown: of each other job by its name, `own`, `moving`.
    """

    before: Parts
    after: Parts
    whole_ns: float
    parts_ns: dict[str, float]

    @property
    def shares(self) -> dict[str, float]:
        """Of all that has become longer, the share of each part that has; they sum to 1."""
        longer = {name: ns for name, ns in self.parts_ns.items() if ns > 0.0}
        total = sum(longer.values())
        return {name: ns / total for name, ns in longer.items()} if total else {}


OWN, WAY = "\0own", "\0way"
"""Names of parts that are of no other job."""


def parts(run: Result | None, job: str) -> Parts | None:
    """Take the mean time of a packet of a job apart.

    Parameters
    ----------
    run : Result or None
        A run with the table `blame`, all of whose packets were measured.
    job : str
        Whose packets.

    Returns
    -------
    Parts or None
        ``None`` where the run lacks what it takes, or the parts are not those of the packets that
        arrived (some of a job that goes on were under way at the end).
    """
    if run is None or job not in run.jobs or "measure" in run.scenario:
        return None
    if "blame" not in run.tables() or charged_waits.is_mixed(run):
        return None
    if not run.jobs[job].has_ended or _repeats(run, job):
        return None  # waits of packets under way at the end would be among those that arrived
    summary = run.jobs[job].summary
    latency = (summary.get("packet_latency_ns") or {}).get("mean")
    if not summary.get("packets") or latency is None:
        return None
    rows = charged_waits.requests(run)
    found = {MOVING: latency}
    if not rows.filter(pl.col("delayed") == job).is_empty():
        split = analysis.breakdown(rows, job, packets=summary["packets"], latency_ns=latency)
        found = dict(zip(split["part"], split["ns"], strict=True))
    if abs(sum(found.values()) - latency) > _WHOLE * latency or min(found.values()) < 0.0:
        return None
    moving, own = found.pop(MOVING), found.pop(job, 0.0)
    return Parts(
        latency, moving, own, found, summary.get("hops_mean"), summary.get("nonminimal_fraction")
    )


def _repeats(run: Result, job: str) -> bool:
    jobs = {one["name"]: one for one in run.scenario.get("jobs", [])}
    is_alone = list(run.jobs) == [job]  # an isolated run is made once
    return bool(jobs.get(job, {}).get("repeat")) and not is_alone


def grown(before: Parts | None, after: Parts | None) -> Grown | None:
    """Compare the time of a packet with that without the others, or with fewer."""
    if before is None or after is None:
        return None
    scale = max(before.latency_ns, after.latency_ns)
    names = [*after.others_ns, *(name for name in before.others_ns if name not in after.others_ns)]
    gains = {
        name: after.others_ns.get(name, 0.0) - before.others_ns.get(name, 0.0) for name in names
    }
    gains |= {OWN: after.own_ns - before.own_ns, WAY: after.moving_ns - before.moving_ns}
    gains = {name: charged_waits.dusted(ns, scale) for name, ns in gains.items()}
    whole = charged_waits.dusted(after.latency_ns - before.latency_ns, scale)
    return Grown(before, after, whole, gains)


def told(job: str, found: Grown, setting: str) -> tuple[str, dict[str, Any]]:
    """Say what the packets of a job lose to others.

    Parameters
    ----------
    job : str
        Whose packets.
    found : Grown
        Their time with and without the others.
    setting : str
        What it is compared with: `alone`, or `without X`.

    Returns
    -------
    tuple of str and dict
        Sentences, and their numbers: ``extra_ns`` of a packet, ``others_ns`` that are charged to
        each other job, ``own_ns`` and ``moving_ns`` by which waits for its own packets and the
        time in links and routers have grown (negative: shrunk), ``shares`` of what has grown.
    """
    gains = dict(found.parts_ns)
    own, way = gains.pop(OWN), gains.pop(WAY)
    shares = found.shares
    facts = {
        "latency_ns": found.after.latency_ns,
        "latency_before_ns": found.before.latency_ns,
        "extra_ns": found.whole_ns,
        "others_ns": gains,
        "own_ns": own,
        "moving_ns": way,
        "shares": {name: share for name, share in shares.items() if name not in (OWN, WAY)},
    }
    head = (
        f"A packet of `{job}` takes {units.time(found.after.latency_ns)}, {setting} "
        f"{units.time(found.before.latency_ns)}: {_difference(found.whole_ns)}."
    )
    said = [head]
    if shares:
        longer = [
            f"{units.share(share)} ({units.time(found.parts_ns[name])}) {_cause(name, job)}"
            for name, share in sorted(shares.items(), key=lambda part: (-part[1], part[0]))
        ]
        said.append(f"Of what makes it slower, {'; '.join(longer)}.")
    said += [_less(name, job, -ns) for name, ns in found.parts_ns.items() if ns < 0.0]
    said += _ways(found, setting)
    return " ".join(said), facts


def _difference(whole_ns: float) -> str:
    if whole_ns == 0.0:
        return "no difference"
    return f"{units.time(abs(whole_ns))} {'more' if whole_ns > 0.0 else 'less'}"


def _cause(name: str, job: str) -> str:
    if name == OWN:
        return f"is waiting for other packets of `{job}`"
    return "is time in links and routers" if name == WAY else f"is charged to `{name}`"


def _less(name: str, job: str, ns: float) -> str:
    """A sentence about what has become shorter."""
    if name == WAY:
        return f"Its paths became shorter: {units.time(ns)} less in links and routers."
    other = f"other packets of `{job}`" if name == OWN else f"`{name}`"
    return f"It waits {units.time(ns)} less for {other}."


_HOPS = 0.05
"""Routers on the path of a packet that are worth a sentence."""


def _ways(found: Grown, setting: str) -> list[str]:
    """How the paths of packets differ, if they do."""
    before, after = found.before, found.after
    if before.hops is None or after.hops is None or abs(after.hops - before.hops) < _HOPS:
        return []
    said = f"It enters {after.hops:.2f} routers on average, {setting} {before.hops:.2f}"
    if before.nonminimal is not None and after.nonminimal is not None:
        said += (
            f"; {units.share(after.nonminimal)} of the packets leave the minimal path, {setting} "
            f"{units.share(before.nonminimal)}"
        )
    return [f"{said}."]
