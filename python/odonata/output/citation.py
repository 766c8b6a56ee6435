"""How to cite Odonata, and the sources of what a scenario or a folder of results uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata import results
from odonata.core.native import VERSION
from odonata.scenario import Scenario, registry
from odonata.scenario.presets import presets

TITLE = "Odonata: a packet-level simulator of dragonfly networks"
AUTHORS = "Odonata contributors"
LICENCES = ("MIT", "Apache-2.0")


@dataclass(frozen=True, slots=True)
class Use:
    """A model that runs used, and where it comes from.

    Parameters
    ----------
    kind : str
        Such as ``routing``.
    name : str
        As a scenario names it.
    source : str
        Paper, program or machine, in the words of the registry.
    """

    kind: str
    name: str
    source: str


def uses(path: Path) -> list[Use]:
    """Models of a scenario file, or of the runs in a folder.

    Parameters
    ----------
    path : pathlib.Path
        Scenario (TOML), or a folder that `odonata run` has written.

    Returns
    -------
    list of Use
        Each once: the system, then routings, placements, workloads, policies, collectives. What
        is Odonata's own, or a user's, has no source and is left out.

    Raises
    ------
    RunError, ScenarioError
        It cannot be read.
    """
    if not path.is_dir():
        return _each_once(point.resolved for point in Scenario.read(path).points)
    found = results.load(path)
    runs = [found] if isinstance(found, results.Result) else found
    return _each_once(run.scenario for run in runs)


def _each_once(scenarios: Iterable[Mapping[str, Any]]) -> list[Use]:
    found: dict[Use, None] = {}
    for scenario in scenarios:
        found |= dict.fromkeys(_of(scenario))
    order = ("system", *_FAMILY)
    cited = (one for one in found if one.source and not one.source.startswith(_OWN))
    return sorted(cited, key=lambda one: order.index(one.kind))


_OWN = ("docs/", "the list")
"""Sources that are Odonata's own pages, or the user's file."""

_FAMILY = {
    "routing": "routings", "placement": "placements", "workload": "workloads",
    "pattern": "patterns", "arrivals": "arrivals", "policy": "policies", "collectives": "profiles",
    "controller": "controllers",
}  # fmt: skip
"""Families of the registry, by what their members are called here."""


def _of(scenario: Mapping[str, Any]) -> Iterator[Use]:
    system = scenario.get("system", {})
    yield _of_system(system)
    yield from _entry("collectives", system.get("mpi", {}).get("collectives"))
    yield from _entry("controller", _name(system.get("nic", {}).get("congestion"), "kind"))
    yield from _entry("routing", _name(scenario.get("routing"), "algorithm"))
    for job in scenario.get("jobs", ()):
        workload = job.get("workload", {})
        yield from _entry("routing", _name(job.get("routing"), "algorithm"))
        yield from _entry("placement", _name(job.get("placement"), "kind"))
        yield from _entry("policy", _name(job.get("policy"), "kind"))
        yield from _entry("workload", workload.get("kind"))
        yield from _entry("pattern", workload.get("pattern"))
        yield from _entry("arrivals", workload.get("arrival"))


def _of_system(system: Mapping[str, Any]) -> Use:
    """A preset by the name that its results carry, another network by its family."""
    called = str(system.get("name", ""))
    preset = presets().get(called.partition(" with ")[0].partition("(")[0].strip())
    if preset is not None:
        return Use("system", called, preset.source)
    kind = str(system.get("topology", {}).get("kind", ""))
    entry = registry.family("topologies").get(kind)
    return Use("system", kind, entry.source if entry else "")


def _name(table: Any, key: str) -> Any:  # noqa: ANN401 - a table of a scenario, or a name
    return table.get(key) if isinstance(table, Mapping) else table


def _entry(kind: str, name: Any) -> Iterator[Use]:  # noqa: ANN401 - as above
    entry = registry.family(_FAMILY[kind]).get(name) if isinstance(name, str) else None
    if entry is not None:
        yield Use(kind, entry.name, entry.source)


def text(found: Iterable[Use] = (), where: str = "") -> str:
    """A citation in words.

    Parameters
    ----------
    found : iterable of Use
        What is to be cited beside the program.
    where : str
        What uses it.
    """
    lines = [f"{AUTHORS}: {TITLE}. Version {VERSION}. Licence: {' or '.join(LICENCES)}."]
    found = list(found)
    if found:
        lines += ["", f"What {where} uses, and where it comes from:"]
        lines += [f"  {one.kind} {one.name}: {one.source}." for one in found]
    return "\n".join(lines)


def bibtex(found: Iterable[Use] = (), where: str = "") -> str:
    """An entry for BibTeX; sources, which are not complete references, as remarks.

    Parameters
    ----------
    found : iterable of Use
        What is to be cited beside the program.
    where : str
        What uses it.
    """
    lines = [
        "@misc{odonata,",
        f"  author = {{{{{AUTHORS}}}}},",
        f"  title = {{{{{TITLE}}}}},",
        f"  note = {{Version {VERSION}, computer program, licence {' or '.join(LICENCES)}}},",
        "}",
    ]
    found = list(found)
    if found:
        lines += [f"% What {where} uses, and where it comes from:"]
        lines += [f"% {one.kind} {one.name}: {one.source}." for one in found]
    return "\n".join(lines)
