"""What to know before reading the numbers of a scenario that is valid all the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from odonata.scenario import presets, registry
from odonata.scenario.jobs import OPEN_LOOP

_STAND_IN = (
    "Slingshot's congestion control at end points is not public. A stand-in acts here, "
    '`nic.congestion = "pace"`, whose thresholds are not the vendor\'s.'
)


def notes(scenarios: Iterable[Mapping[str, Any]]) -> list[str]:
    """Notes on runs, each once.

    Parameters
    ----------
    scenarios : iterable of mapping
        Resolved scenarios, as :attr:`odonata.scenario.Point.resolved` and
        :attr:`odonata.results.Result.scenario` have them; empty ones have no notes.

    Returns
    -------
    list of str
        Sentences: what the model leaves out or puts in place of something, victims without a
        communication time.
    """
    found: dict[str, None] = {}
    for scenario in scenarios:
        system = scenario.get("system", {})
        if system.get("note"):
            found[system["note"]] = None
        controller = system.get("nic", {}).get("congestion")
        if isinstance(controller, Mapping) and controller["kind"] == "pace":
            found[_STAND_IN] = None
        for job in scenario.get("jobs", ()):
            found |= dict.fromkeys(_of_job(job))
    return list(found)


_ROUTINGS = ("routing", "alltoall_routing")
"""Keys under which texts are names of routings."""


def of_former_names(data: Mapping[str, Any]) -> list[str]:
    """Notes on routings that a scenario as written calls by names of earlier versions."""
    former = {
        entry.former_name: entry.name
        for entry in registry.family("routings").values()
        if entry.former_name
    }
    return [
        f"`{name}` is called `{former[name]}` now, since UGAL-G of Kim et al. 2008 is an algorithm "
        "with global knowledge. The old name is read until 0.4.0."
        for name in dict.fromkeys(_texts(data, of_routing=False))
        if name in former
    ]


def of_production(data: Mapping[str, Any]) -> list[str]:
    """Notes on a routing of the machine in production that a scenario names without its parameters.

    The scenario is the one that was written; there is a note, or none.
    """
    system, given = data.get("system"), data.get("routing", {})
    preset = presets.find(system.get("preset")) if isinstance(system, Mapping) else None
    way = dict(preset.routing) if preset is not None else {}
    name = way.pop("algorithm", None)
    way.pop("alltoall_routing", None)
    given = given if isinstance(given, Mapping) else {"algorithm": given}
    is_named = name in _texts(data, of_routing=False)
    if preset is None or not is_named or all(given.get(key) == way[key] for key in way):
        return []
    parameters = ", ".join(f"`{key} = {json.dumps(value)}`" for key, value in way.items())
    return [
        f"`{name}` has the defaults of this algorithm here. `{preset.name}` runs it with "
        f"{parameters}: leave `[routing]` out to have that, or state these."
    ]


def _texts(value: object, *, of_routing: bool) -> Iterator[str]:
    """Every text in a scenario that names a routing."""
    if isinstance(value, str) and of_routing:
        yield value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            is_inside = of_routing or any(part in _ROUTINGS for part in key.split("."))
            yield from _texts(entry, of_routing=is_inside)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry, of_routing=of_routing)


def _of_job(job: Mapping[str, Any]) -> Iterable[str]:
    if job["workload"]["kind"] == OPEN_LOOP and job["role"] == "victim":
        yield (
            f"Job `{job['name']}` is a victim of open-loop traffic: it never ends, so it has no "
            "communication time and no slowdown. Compare its latency beside the others with that "
            "alone, or leave `role` out."
        )
