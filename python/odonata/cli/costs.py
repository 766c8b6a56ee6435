"""What runs will cost, in lines."""

from __future__ import annotations

from odonata.campaign.forecast.expected import Expected
from odonata.campaign.forecast.forecast import Forecast
from odonata.campaign.work import cores
from odonata.cli.words import duration


def lines(cost: Expected, *, added: int = 0) -> list[str]:
    """A line per task that was tried, and one for the campaign."""
    each = [f"forecast of {label}: {_one(found)}" for label, found in cost.tried.items()]
    return [*each, total(cost, added=added)]


def total(cost: Expected, *, added: int = 0) -> str:
    """One line for the campaign, and one for what a search for saturation adds."""
    if added:
        return f"{total(cost)}\nthe search for saturation adds at most {added} runs to these"
    tasks = f"{cost.tasks} runs, baselines included" if cost.tasks > 1 else "1 run"
    if cost.packets is None or cost.packet_hops is None or cost.wall_s is None:
        return f"forecast: {tasks}; their time is not known before they have run"
    many = f" on {min(cores(), cost.tasks)} cores" if min(cores(), cost.tasks) > 1 else ""
    return (
        f"forecast: {tasks}: {_count(cost.packets)} packets, {_count(cost.packet_hops)} "
        f"packet-hops, about {duration(cost.wall_s * 1e9)} of wall time{many}, "
        f"{cost.memory_bytes / 2**20:.0f} MiB per run"
    )


def _one(found: Forecast) -> str:
    if found.packets is None or found.packet_hops is None or found.cpu_s is None:
        return "its packets cannot be counted before it has run"
    simulated = f"{duration(found.simulated_ns)} of simulated time"
    if not found.is_whole:
        simulated = f"about {simulated} if it continues as it begins"
    return (
        f"{simulated}; {_count(found.packets)} packets, {_count(found.packet_hops)} packet-hops, "
        f"{duration(found.cpu_s * 1e9)} of processor time, {found.memory_bytes / 2**20:.0f} MiB"
    )


def _count(value: int) -> str:
    """Three digits with thousands.

    Examples
    --------
    >>> _count(1_234_567), _count(950), _count(1_220 * 10**9)
    ('1.23 M', '950', '1.22 T')
    """
    for unit, size in (("P", 10**15), ("T", 10**12), ("G", 10**9), ("M", 10**6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:,}"
