"""What a whole campaign will cost: the forecasts of a few of its tasks, added up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from odonata.campaign.forecast.forecast import TRIAL_S, Forecast, forecast
from odonata.campaign.plan import Plan
from odonata.campaign.work import cores
from odonata.core.native import ConfigurationError
from odonata.scenario import Scenario
from odonata.scenario.inputs import Inputs

_MOST_TRIED = 8
_ALL_TRIALS_S = 4.0
"""CPU seconds that all trials of a campaign may take; six times as much if its runs are long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a campaign will cost.

    Parameters
    ----------
    tasks : int
        Simulations, baselines included.
    tried : dict
        Forecast of those tasks that were tried, by label; those that differ from one of them in
        their seed only count as it.
    packets, packet_hops : int or None
        Of all tasks; ``None`` if one is not known.
    cpu_s : float or None
        Seconds of one core.
    wall_s : float or None
        On the cores of this machine, if nothing else runs on them.
    memory_bytes : int
        Of the largest task.
    """

    tasks: int
    tried: dict[str, Forecast]
    packets: int | None
    packet_hops: int | None
    cpu_s: float | None
    wall_s: float | None
    memory_bytes: int


def expected(plan: Plan, inputs: Inputs, keys: Iterable[str] | None = None) -> Expected:
    """Forecast a campaign from trials of at most eight of its tasks.

    Parameters
    ----------
    plan : Plan
        Its tasks.
    inputs : Inputs
        Files that were read already.
    keys : iterable of str, optional
        The tasks that are left; by default all.

    Returns
    -------
    Expected
        Tasks that were not tried count as the mean of those that were.

    Raises
    ------
    ScenarioError
        One cannot be run.
    """
    groups: dict[str, list[str]] = {}
    for key in plan if keys is None else keys:
        groups.setdefault(_kind(plan, key), []).append(key)
    chosen = list(groups.values())
    step = max(1, -(-len(chosen) // _MOST_TRIED))
    tried = {group[0]: group for group in chosen[::step]}
    trial_s = min(TRIAL_S, _ALL_TRIALS_S / max(len(tried), 1))
    found = {key: _tried(plan, inputs, key, trial_s) for key in tried}
    tasks = sum(map(len, chosen))
    known = sum(len(tried[key]) for key in found)
    totals: list[float | None] = []
    for name in ("packets", "packet_hops", "cpu_s"):
        parts = [(getattr(one, name), len(tried[key])) for key, one in found.items()]
        is_known = all(value is not None for value, _ in parts)
        total = sum(value * count for value, count in parts) if is_known else None
        totals.append(None if total is None or not known else total * tasks / known)
    packets, hops, cpu = totals
    return Expected(
        tasks=tasks,
        tried={plan.label(key): one for key, one in found.items()},
        packets=None if packets is None else round(packets),
        packet_hops=None if hops is None else round(hops),
        cpu_s=cpu,
        wall_s=None if cpu is None else cpu / max(1, min(cores(), tasks)),
        memory_bytes=max((one.memory_bytes for one in found.values()), default=0),
    )


def _kind(plan: Plan, key: str) -> str:
    """What tasks have in common that differ in their seed only."""
    point = plan.point(key)
    muted = [bool(job.get("muted")) for job in point.config["jobs"]]
    return json.dumps([{**point.swept, "seed": None}, muted], sort_keys=True)


def _tried(plan: Plan, inputs: Inputs, key: str, trial_s: float) -> Forecast:
    point = plan.point(key)
    try:
        return forecast(inputs.of(point), trial_s=trial_s)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


def expect(scenario: Scenario, *, baseline: bool = True) -> Expected:
    """What a scenario with all its runs will cost: packets, hops, time, memory.

    Parameters
    ----------
    scenario : Scenario
        What is asked for.
    baseline : bool
        Whether each victim also runs alone.

    Returns
    -------
    Expected
        From trials of at most eight of its tasks.

    Raises
    ------
    ScenarioError
        It cannot be run.
    """
    inputs = Inputs()
    return expected(Plan(scenario, inputs, baseline=baseline), inputs)
