"""Random valid scenarios over the whole registry, without end: ``python fuzz/attack.py``.

Every number is one scenario, the same on every machine: ``--first 17 --count 1`` repeats number 17.
Each is refused with a sentence, or it runs, and then

* it does not stall, and does not simulate beyond its time limit by more than an epoch;
* what was sent has arrived or is on its way, in bytes and in packets, also over time;
* no figure is out of its bounds (loads, shares, latencies in order, times within the run), and no
  job gets more through than it offers;
* no job that repeats falls silent while others run;
* it does not look stalled wherever ``stop.time`` cuts it (with ``--cuts N``);
* one, two and three threads give the same bytes;
* the resolved scenario means the same as the scenario.

The numbers drawn are those of ``draw_scenario``: every member of the registry with parameters of
every order of magnitude, their limits more often than others.

This is the one generator of random scenarios. ``tests/test_attack.py`` tries some on the module
that ``make test`` builds, in which every overflow and every debug assertion is checked; the module
of ``make setup`` checks the promises alone.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import traceback
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import promises
from network_changes import let_change

from odonata.core import native
from odonata.core.native import ConfigurationError, Outcome
from odonata.errors import Error, ScenarioError
from odonata.scenario import Scenario, jobs, presets, registry, sections
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.text import to_toml

LIMITS = {"minimal_candidates": 8, "nonminimal_candidates": 8, "global_candidates": 8,
          "scale": 1_000}  # fmt: skip
"""Largest values of what the simulator bounds by itself; mostly kept to."""

_SIZES = {
    "aries": ("groups", "rows", "columns", "nodes_per_router"),
    "megafly": ("groups", "leaf_routers_per_group", "nodes_per_leaf"),
    "dragonfly": ("groups", "routers_per_group", "nodes_per_router"),
}
"""Keys whose product is the number of nodes of the first kind of group, the last one per router."""

WITH_CABINETS = ("aries",)
"""Families of systems that have chassis and cabinets."""

SYSTEMS = ("dragonfly", "aries", "megafly")
"""Families of systems that need no file."""


class Draw:
    """Draws of one scenario."""

    def __init__(self, number: int) -> None:
        self._random = random.Random(f"odonata {number}")  # noqa: S311 - not a secret

    def chance(self, share: float) -> bool:
        """Whether something with this probability happens."""
        return self._random.random() < share

    def pick(self, values: Sequence[Any]) -> Any:  # noqa: ANN401 - whatever is in there
        """One of the values."""
        return self._random.choice(values)

    def whole(self, least: int, most: int) -> int:
        """Every order of magnitude as likely as any other, and the ends more often."""
        if self.chance(0.1):
            return self.pick((least, most))
        low, high = math.log(max(least, 1)), math.log(max(most, 1))
        return min(max(int(math.exp(self._random.uniform(low, high))), least), most)

    def value(self, field: Field, most: int) -> Any:  # noqa: ANN401 - as kinds are
        """A value that fits the field; numbers up to about ``most``."""
        least = int(field.minimum or 0)
        limit = LIMITS.get(field.name) or (2**32 - 1 if field.kind == "count" else most)
        top = max(int(min(most, limit, field.maximum or most)), least)
        if field.name.endswith("candidates"):
            least = 1
        if field.kind == "choice":
            return self.pick(field.choices)
        if field.kind == "boolean":
            return self.pick((True, False))
        if field.kind == "number":
            return max(self.pick((0.0, 0.01, 0.5, 1.0)), field.minimum or 0.0)
        number = self.whole(least, top)
        if field.kind == "integer":
            sign = 1 if field.minimum == 0 else self.pick((-1, 1))
            return max(number * sign, int(field.minimum or -number))
        return self._written(field, number)

    def near(self, field: Field) -> Any:  # noqa: ANN401 - as kinds are
        """A value of the order of the default of a field."""
        if field.kind == "choice":
            return self.pick(field.choices)
        usual = 10**6 if field.default is None else field.default
        number = usual * self.pick((0, 0.25, 1, 1, 4))
        number = min(max(number, field.minimum or 0), field.maximum or number)
        return number if field.kind == "number" else self._written(field, int(number))

    @staticmethod
    def _written(field: Field, number: int) -> int | str:
        unit = {"bytes": "B", "time": "ps"}.get(field.kind)
        return number if unit is None else f"{number} {unit}"


def draw_scenario(number: int) -> dict[str, Any]:
    """Scenario ``number``: small, quickly run, and often at an edge.

    Parameters
    ----------
    number : int
        Any; the same number is the same scenario.

    Returns
    -------
    dict
        As in a scenario file.
    """
    draw = Draw(number)
    routings = registry.family("routings")
    routing = routings[draw.pick(sorted(routings))]
    families = [name for name in routing.families if name in SYSTEMS] or list(SYSTEMS)
    # Delays of the system lie around this, ps, and the run is a few thousand times as long.
    scale = draw.pick((20, 1_000, 10_000, 10_000, 10_000, 1_000_000, 1_000_000_000))
    family = draw.pick(families)
    preset = _named(draw, family)
    if preset is not None:
        scale = 40_000
    system = _system(draw, family, scale) if preset is None else _small(draw, preset)
    if preset is None:
        # Other draws: the other scenarios stay what they were before there were any kinds.
        _let_differ(Draw(-1_000_000_000 - number), system)
    classes = [entry["name"] for entry in system.get("qos", {}).get("classes", ())]
    stop = _stop(draw, scale, system)
    scenario: dict[str, Any] = {
        "name": f"attack-{number}",
        "seed": draw.whole(0, 2**63 - 1),
        "system": system,
        "routing": _member(draw, routing, "algorithm", 10_000, chosen=0.15),
        "jobs": _jobs(draw, system, scale, classes),
        "stop": {"time": f"{stop} ps"},
        "telemetry": _telemetry(draw, stop),
    }
    ends = any(
        job["role"] == "victim" and job["workload"]["kind"] != jobs.OPEN_LOOP
        for job in scenario["jobs"]
    )
    if not ends or draw.chance(0.1):
        scenario["measure"] = {
            "warm_up": f"{draw.whole(0, scale * 300)} ps",
            "window": f"{draw.whole(1, scale * 700)} ps",
            "drain": f"{draw.whole(0, scale * 1_000)} ps",
        }
    if draw.chance(0.15):
        _let_all_repeat(draw, scenario, stop)
    # The second draws: scenarios without failures stay what they were before there were any.
    let_change((draw, Draw(-1 - number)), scenario, scale, _pair)
    if preset is not None and preset.routing and draw.chance(0.7):
        del scenario["routing"]  # it has one
    if draw.chance(0.04):
        scenario["stop"] |= draw.pick(({"skip": "5 %"}, {"precision": {"half_width": "5 %"}}))
    if draw.chance(0.04):
        third = "routing.algorithm" if len(scenario.get("routing", ())) == 1 else "seed"
        swept = draw.pick(("seed", "jobs.0.workload.ranks", third))
        values = {"seed": [1, 2**63 - 1], "jobs.0.workload.ranks": [2, 4]}
        scenario["sweep"] = {swept: values.get(swept) or ["minimal", "valiant-node"]}
    return scenario


def _let_all_repeat(draw: Draw, scenario: dict[str, Any], stop: int) -> None:
    """Every job starts again for as long as the run takes, and nothing holds it back."""
    scenario["measure"] = {"warm_up": "0 ps", "window": f"{stop} ps"}
    scenario["telemetry"]["series_bin"] = f"{stop // 50 + 1} ps"
    scenario["system"]["mpi"] = {"preset": draw.pick(("ideal", "codes"))}
    scenario["system"].get("nic", {}).pop("congestion", None)
    for job in scenario["jobs"]:
        job["role"] = "aggressor"
        for key in ("compute", "wait_before", "iterations"):
            job["workload"].pop(key, None)


def _pair(draw: Draw, topology: Mapping[str, Any]) -> list[int]:
    """Two routers, mostly joined by a link inside a group."""
    match topology["kind"]:
        case "aries":
            width, step = topology["columns"], topology["rows"] * topology["columns"]
        case "megafly":
            width = topology["leaf_routers_per_group"]
            step = width + topology["spine_routers_per_group"]
        case _:
            width = step = topology["routers_per_group"]
    first = step * draw.pick(range(topology["groups"]))
    if topology["kind"] == "megafly":
        return [first + draw.pick(range(width)), first + width + draw.pick(range(step - width))]
    if width == 1 or draw.chance(0.15):  # perhaps a link between groups
        return [first, step * draw.pick(range(topology["groups"])) + draw.pick(range(step))]
    one, other = draw.pick(range(width)), draw.pick(range(width - 1))
    return [first + one, first + (other + 1 if other >= one else other)]


def draw_muted(number: int, scenario: Mapping[str, Any]) -> list[str]:
    """Jobs of scenario ``number`` that keep their nodes and send nothing, as in a run alone.

    Parameters
    ----------
    number : int
        Any; the same number mutes the same jobs.
    scenario : mapping
        As ``draw_scenario`` draws it.

    Returns
    -------
    list of str
        Their names; mostly none.
    """
    draw = Draw(~number)
    return [job["name"] for job in scenario["jobs"] if draw.chance(0.08)]


def _telemetry(draw: Draw, stop: int) -> dict[str, Any]:
    """What is recorded, of everything that can be."""
    table: dict[str, Any] = {
        "packet_sample": draw.pick((0, 0, 1, 5)),
        "series_bin": f"{draw.whole(1, 2**63 - 1) if draw.chance(0.5) else stop // 50 + 1} ps",
    }
    for field in sections.TELEMETRY:
        if field.name not in table and draw.chance(0.2):
            table[field.name] = draw.value(field, 2**62)
    if {"counter_interval", "counter_view"} & set(table) and draw.chance(0.95):
        table["counters"] = True
    return table


def _stop(draw: Draw, scale: int, system: Mapping[str, Any]) -> int:
    """A time limit, ps, of ten thousand windows at most: that keeps a run short."""
    limit = scale * 5_000 if draw.chance(0.6) else draw.whole(1, scale * 2_000)
    if "preset" in system:
        return max(limit, 1)
    router = system["router"]
    behind = min(_ps(router["latency"]), _ps(router["credit_delay"]))
    window = min(_ps(link["latency"]) for link in system["links"].values()) + behind
    return max(min(limit, window * 10_000), 1)


def _ps(text: str) -> int:
    return int(text.partition(" ")[0])


def _member(
    draw: Draw, entry: registry.Entry, key: str, most: int, *, chosen: float
) -> dict[str, Any]:
    """A member of a family with some of its parameters."""
    table: dict[str, Any] = {key: entry.name}
    for field in entry.parameters:
        if field.kind in ("path", "list", "counts", "text", "table"):
            continue
        if field.default is REQUIRED or draw.chance(chosen):
            table[field.name] = draw.value(field, most)
    if table.get("ordered", "none") == "none" and draw.chance(0.9):
        table.pop("flow_gap_ns", None)  # it is of flows
    return table


def _needs_file(entry: registry.Entry) -> bool:
    return any(field.kind == "path" and field.default is REQUIRED for field in entry.parameters)


def _delay(draw: Draw, scale: int) -> str:
    if draw.chance(0.1):
        return f"{draw.whole(0, scale * 5_000)} ps"
    return f"{draw.whole(scale, scale * 100)} ps"


def _link(draw: Draw, scale: int) -> dict[str, str]:
    usual = (10**9, 10**11) if draw.chance(0.9) else (1, 2 * 10**15)
    return {"bandwidth": f"{draw.whole(*usual)} B/s", "latency": _delay(draw, scale)}


def _router(draw: Draw, scale: int, size: int, flit: int) -> dict[str, Any]:
    router: dict[str, Any] = {
        field.name: draw.value(field, 100)
        for field in sections.TABLES["router"]
        if field.kind in ("choice", "count") and field.name != "virtual_channels"
    }
    router |= {"latency": _delay(draw, scale), "credit_delay": _delay(draw, scale)}
    for name in ("input_buffer", "host_buffer", "global_buffer", "output_buffer"):
        router[name] = f"{size * draw.whole(1, 300) + draw.whole(0, flit)} B"
    if router["architecture"] == "cioq":
        router["credit_return"] = "departure"
    return router


def _system(draw: Draw, family: str, scale: int) -> dict[str, Any]:
    flit = draw.pick((1, 8, 16, 128, 128, 512))
    size = min(flit * draw.whole(1, 64), 65_535)
    if draw.chance(0.1):
        size = draw.whole(1, 65_535)  # not in whole flits
    system: dict[str, Any] = {
        "topology": _topology(draw, family),
        "links": {kind: _link(draw, scale) for kind in ("host", "local", "global")},
        "router": _router(draw, scale, size, flit),
        "packet": {
            "size": f"{size} B",
            "flit": f"{flit} B",
            "header": f"{draw.whole(0, size - 1) if draw.chance(0.3) else 0} B",
            "delivery": draw.pick(("tail", "head")),
        },
        "nic": {"buffer_packets": 0 if draw.chance(0.01) else draw.whole(1, 100)},
        "mpi": _mpi(draw),
    }
    system["nic"] |= _nic(draw, size)
    if draw.chance(0.25):
        system["qos"] = _classes(draw)
    if draw.chance(0.1):
        system["failures"] = {"fraction": draw.pick((0.01, 0.1, 0.3))}
    if draw.chance(0.1):
        system["node"] = {"nics": draw.pick((1, 1, 2)), "wiring": draw.pick(("spread", "together"))}
        if draw.chance(0.5):
            system["node"]["stripe"] = f"{draw.whole(1, 100_000)} B"
    return system


def _let_differ(draw: Draw, system: dict[str, Any]) -> None:
    """Kinds of groups of a megafly, and types of nodes, for some systems."""
    if system["topology"]["kind"] == "megafly" and draw.chance(0.25):
        system["topology"]["more_groups"] = _more_megafly_groups(draw)
    if draw.chance(0.03) and system["topology"]["groups"] > 2:
        system.setdefault("node", {})["types"] = _types(draw, system["topology"])


def _types(draw: Draw, topology: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Two types of nodes; the first one has some whole groups, or now and then some routers."""
    keys = _SIZES[topology["kind"]]
    step = math.prod(topology[key] for key in (keys[1:] if draw.chance(0.8) else keys[-1:]))
    most = max(math.prod(topology[key] for key in keys) // step - 1, 1)
    steps = draw.whole(most // 2 + 1, most)
    nics = draw.pick((1, 1, 2))
    return [
        {"name": "first", "nodes": max(steps * step // nics, 1), "nics": nics},
        {"name": "rest", "nics": draw.pick((1, 1, 2))},
    ]


def _named(draw: Draw, family: str) -> presets.Preset | None:
    """A preset of systems of this family, for some scenarios."""
    kinds = [one for one in presets.presets().values() if one.system["topology"]["kind"] == family]
    return draw.pick(kinds) if draw.chance(0.15) else None


def _small(draw: Draw, preset: presets.Preset) -> dict[str, Any]:
    """A named system, with routers, NICs and MPI of its preset, on a topology that runs quickly."""
    base = preset.system
    topology = _topology(draw, base["topology"]["kind"])
    system: dict[str, Any] = {"preset": preset.name, "topology": topology}
    if "more_groups" in base["topology"]:
        system["topology"] = {"more_groups": [], "links_per_group_pair": 1, **topology}
    if "node" in base and draw.chance(0.9):
        system["node"] = {"nics": draw.pick((1, 1, 2)), "out_of_service": []}
        if "types" in base["node"]:
            system["node"]["types"] = []
    return system


def _nic(draw: Draw, size: int) -> dict[str, Any]:
    """A NIC of which some numbers are given, those of its congestion control near the defaults."""
    fields = {field.name: field for field in sections.TABLES["nic"]}
    table: dict[str, Any] = {}
    answered = draw.chance(0.25)
    if answered:
        table |= {"response": f"{draw.whole(1, size)} B", "outstanding": draw.whole(0, 20)}
    for name in ("queues", "counters", *(("get_data", "get_behind") if answered else ())):
        if draw.chance(0.1):
            table[name] = draw.value(fields[name], 64)
    if draw.chance(0.4):
        controllers = registry.family("controllers")
        kind = draw.pick((*[*controllers] * 4, "place"))
        rows = controllers[kind].parameters if kind in controllers else ()
        given = {row.name: draw.near(row) for row in rows if draw.chance(0.5)}
        table["congestion"] = {"kind": kind, **given} if given or draw.chance(0.5) else kind
    return table


def _classes(draw: Draw) -> dict[str, Any]:
    count = draw.whole(1, 4)
    cap = f"{1_000_000 // count} ppm"
    return {
        "window": f"{draw.whole(1, 10**12)} ps",
        "monitor": draw.pick(("static", "sliding", "token-bucket")),
        "classes": [{"name": f"c{index}", "cap": cap} for index in range(count)],
    }


def _topology(draw: Draw, family: str) -> dict[str, Any]:
    match family:
        case "aries":
            names = {"groups": 5, "rows": 4, "columns": 5, "nodes_per_router": 4,
                     "column_links": 3, "global_ports_per_router": 4}  # fmt: skip
            fixed: dict[str, Any] = {"chassis_per_cabinet": 1}
        case "megafly":
            names = {"groups": 6, "leaf_routers_per_group": 4, "spine_routers_per_group": 4,
                     "nodes_per_leaf": 4, "links_per_group_pair": 4}  # fmt: skip
            fixed = {}
        case _:
            routers, ports = draw.pick(range(1, 7)), draw.pick(range(1, 4))
            names = {"groups": routers * ports + 1, "nodes_per_router": 4}
            fixed = {
                "routers_per_group": routers,
                "global_ports_per_router": ports,
                "arrangement": draw.pick(("absolute", "relative", "circulant")),
            }
    drawn = {key: draw.pick(range(1, most + 1)) for key, most in names.items()}
    if family == "dragonfly" and draw.chance(0.25):
        return {"kind": family, **drawn, **fixed, **_more_groups(draw, drawn, fixed)}
    if draw.chance(0.02):
        drawn["groups"] += names["groups"]  # often more than there are global ports for
    return {"kind": family, **drawn, **fixed}


def _more_groups(draw: Draw, drawn: Mapping[str, int], fixed: Mapping[str, Any]) -> dict[str, Any]:
    """One or two more kinds of groups, mostly with ports for all links."""
    own = draw.whole(1, 2)
    kinds = [
        {"name": name, "groups": draw.whole(1, 3), "routers_per_group": draw.whole(1, 4),
         "nodes_per_router": draw.whole(0, 3), "links_per_group_pair": draw.whole(1, 2),
         "links_to_others": draw.whole(1, 2)}
        for name in ("io", "service")[: draw.whole(1, 2)]
    ]  # fmt: skip
    before = (drawn["groups"] - 1) * own
    compute = before + sum(kind["groups"] * kind["links_to_others"] for kind in kinds)
    for index, kind in enumerate(kinds):
        earlier = drawn["groups"] + sum(one["groups"] for one in kinds[:index])
        later = sum(one["groups"] * one["links_to_others"] for one in kinds[index + 1 :])
        links = (kind["groups"] - 1) * kind["links_per_group_pair"] + later
        links += earlier * kind["links_to_others"]
        kind["global_ports_per_router"] = _shared(draw, links, kind["routers_per_group"])
    return {
        "links_per_group_pair": own,
        "global_ports_per_router": _shared(draw, compute, fixed["routers_per_group"]),
        "more_groups": kinds,
    }


def _more_megafly_groups(draw: Draw) -> list[dict[str, Any]]:
    """One or two more kinds of groups of a megafly, whose spines have the ports that they need."""
    return [
        {"name": name, "groups": draw.whole(1, 3), "leaf_routers_per_group": draw.whole(1, 4),
         "spine_routers_per_group": draw.whole(1, 4), "nodes_per_leaf": draw.whole(1, 3),
         "links_per_group_pair": draw.whole(1, 2), "links_to_others": draw.whole(1, 2)}
        for name in ("io", "service")[: draw.whole(1, 2)]
    ]  # fmt: skip


def _shared(draw: Draw, links: int, routers: int) -> int:
    """Ports of a router for its share of the links, sometimes too few or some more."""
    return max(-(-links // routers) + draw.pick((0, 0, 0, 1, 2, -1 if draw.chance(0.1) else 0)), 0)


def _mpi(draw: Draw) -> dict[str, Any]:
    table: dict[str, Any] = {}
    chosen = draw.pick((0.0, 0.12))
    for field in registry.mpi_parameters():
        if field.name == "preset" or draw.chance(chosen):
            most = draw.pick((1_000, 1_000_000, 2**40, 2**63 - 1))
            table[field.name] = draw.value(field, most)
    return table


def _jobs(
    draw: Draw, system: Mapping[str, Any], scale: int, classes: Sequence[str]
) -> list[dict[str, Any]]:
    """Jobs that mostly fit on the system together."""
    count = draw.pick((1, 1, 2, 3))
    topology = system["topology"]
    most = math.prod(topology[key] for key in _SIZES[topology["kind"]])
    if types := system.get("node", {}).get("types"):
        most = min(most, types[0]["nodes"])
    most = max(most // count, 1)
    if draw.chance(0.03):
        most += 2
    jobs = [_job(draw, index, min(most, 16), scale) for index in range(count)]
    cabinets = topology["kind"] in WITH_CABINETS
    for job in jobs:
        placement = job["placement"]
        wanted = " ".join(str(value) for value in placement.values())
        if not cabinets and ("chassis" in wanted or "cabinet" in wanted) and draw.chance(0.97):
            job["placement"] = {"kind": "random-node"}
        if classes and draw.chance(0.6):
            job["class"] = draw.pick(classes)
    return jobs


def _job(draw: Draw, index: int, most_ranks: int, scale: int) -> dict[str, Any]:
    workloads = registry.family("workloads")
    kinds = [name for name in sorted(workloads) if not _needs_file(workloads[name])]
    kind = jobs.OPEN_LOOP if draw.chance(0.1) else draw.pick(kinds)
    most = draw.pick((100, 10_000, 2**40, 2**62))
    workload = _member(draw, workloads[kind], "kind", most, chosen=0.4)
    least = 2 if kind == jobs.OPEN_LOOP or draw.chance(0.8) else 1
    workload["ranks"] = draw.whole(least, max(most_ranks, least))
    _steps(draw, workload, workloads[kind].parameters, scale)
    if "process_rows" in workload:
        workload["process_rows"] = draw.whole(1, workload["ranks"])
    if kind == jobs.OPEN_LOOP:
        workload["hot_nodes"] = draw.whole(1, workload["ranks"])
        if "interval" not in workload or draw.chance(0.1):  # otherwise it says the load
            workload["load"] = draw.pick((1e-9, 0.01, 0.3, 1.0, 3.0, 1e6))
    placements = registry.family("placements")
    placement = placements[draw.pick([name for name in sorted(placements) if name != "list"])]
    job: dict[str, Any] = {
        "name": f"job {index}",
        "role": draw.pick(("victim", "victim", "aggressor", "background")),
        "placement": _member(draw, placement, "kind", 4, chosen=0.3),
        "workload": workload,
    }
    if workload["ranks"] == 1 and kind != jobs.OPEN_LOOP:
        # It waits for nobody: it would start again every few picoseconds, to the end of the run.
        job["repeat"] = False
    if draw.chance(0.3):
        _more_of_a_job(draw, job, scale)
    return job


def _more_of_a_job(draw: Draw, job: dict[str, Any], scale: int) -> None:
    """Keys that few jobs have: how it is routed, seated, when it comes and goes."""
    names = sorted(registry.family("routings"))
    if draw.chance(0.4):
        job["routing"] = {"algorithm": draw.pick(names)}
    elif draw.chance(0.2):
        job |= {"routing": [draw.pick(names), draw.pick(names)], "alternate": "iteration"}
    elif draw.chance(0.2):
        policies = registry.family("policies")
        job["policy"] = _member(
            draw, policies[draw.pick(sorted(policies))], "kind", 100, chosen=0.1
        )
    if draw.chance(0.2):
        job["alltoall_routing"] = draw.pick(names)
    if draw.chance(0.2):
        job["placement"]["mapping"] = draw.pick(jobs.MAPPINGS)
    rows = {row.name: row for row in sections.JOB}
    for name in ("ranks_per_node", "share_nodes", "packet_multiple", "start", "end",
                 "message_sample", "repeat"):  # fmt: skip
        if draw.chance(0.15):
            field = rows[name]
            job[name] = draw.value(field, scale * 1_000 if field.kind == "time" else 4)


def _steps(draw: Draw, workload: dict[str, Any], fields: Sequence[Field], scale: int) -> None:
    """How long, how large and how many the steps of a job are."""
    for field in fields:
        if field.kind == "time" and field.name in workload:
            # Tiny steps of ranks that never wait would make a long run, and a large one.
            most = draw.pick((scale, scale * 1_000, 2**62))
            least = f"{int(field.minimum or 0)} ps"
            workload[field.name] = draw.pick((least, f"{draw.whole(scale, most)} ps"))
        elif field.name in ("nx", "ny", "nz"):
            workload[field.name] = draw.whole(1, 64)
        elif field.name == "iterations":
            # A rank alone waits for nobody: `crates/sim/tests/endless.rs` has those without end.
            most = 2**32 - 1 if workload["ranks"] > 1 else 100
            workload[field.name] = draw.pick((1, 1, 2, 5, most))


def attack(
    scenario: Mapping[str, Any],
    threads: Sequence[int] = (1, 2, 3),
    *,
    muted: Collection[str] = (),
    cuts: int = 0,
) -> str:
    """Run every point of one scenario and look at all that was promised.

    Parameters
    ----------
    scenario : mapping
        As in a scenario file.
    threads : sequence of int
        Runs to compare.
    muted : collection of str
        Names of jobs that send nothing.
    cuts : int
        How many more runs end at random times before the end of each.

    Returns
    -------
    str
        ``refused``, or why the last run ended.

    Raises
    ------
    BrokenPromiseError
        A promise was broken.
    """
    try:
        points = Scenario.from_mapping(scenario).points
    except ScenarioError as error:
        promises.expect(len(str(error)) < 3_000, "a refusal is a sentence")
        return "refused"
    for point in points:
        again = Scenario.from_text(to_toml(point.resolved)).points[0]
        promises.expect(again.config == point.config, "the resolved scenario means the same")
        jobs = [{**job, "muted": job["name"] in muted} for job in point.config["jobs"]]
        config = {**point.config, "jobs": jobs} if muted else point.config
        end = _run(config, threads)
        if end != "refused":
            _cut(config, cuts)
    return end


def _run(config: Mapping[str, Any], threads: Sequence[int]) -> str:
    """Run one configuration with different numbers of threads."""
    checked = _refusal(lambda: native.check(config, {}))
    first: Outcome | None = None
    for count in threads:
        try:
            outcome = native.run(config, {}, threads=count)
        except ConfigurationError as error:
            said = str(error)
            promises.expect(checked == said, f"`check` says {checked!r} and `run` says {said!r}")
            return "refused"
        if first is None:
            first = outcome
            promises.expect(checked is None, f"`check` says {checked!r} and `run` runs")
            promises.keep_all(config, outcome)
        else:
            same = promises.seen(first) == promises.seen(outcome)
            promises.expect(same, f"{count} threads show")
    return "" if first is None else str(first.summary["stop"])


def _cut(config: Mapping[str, Any], count: int) -> None:
    """End runs of one configuration at random times: none of them may look like a stall."""
    if count == 0:
        return
    draw = random.Random(config["seed"])  # noqa: S311 - not a secret
    whole = native.run(config, {}, threads=1).summary["simulated_ns"] * 1e3
    for _ in range(count):
        stop = {**config["stop"], "time_ps": draw.randint(1, max(int(whole), 1))}
        cut = {**config, "stop": stop}
        try:
            outcome = native.run(cut, {}, threads=draw.choice((1, 1, 2)))
            promises.keep_all(cut, outcome)
        except (ConfigurationError, promises.BrokenPromiseError) as error:
            raise promises.BrokenPromiseError(f"cut at {stop['time_ps']} ps: {error}") from None


def _refusal(call: Any) -> str | None:  # noqa: ANN401 - a call
    try:
        call()
    except Error as error:
        return str(error)
    return None


def main() -> int:
    """Attack until told to stop, or ``--count`` times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first", type=int, help="number of the first scenario (default: random)")
    parser.add_argument("--count", type=int, help="scenarios (default: without end)")
    parser.add_argument("--cuts", type=int, default=0, help="runs cut at random times, of each")
    parser.add_argument("--show", action="store_true", help="print the scenarios, run none")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(10**9) if options.first is None else options.first
    print(f"from --first {first} on", flush=True)
    number, ends, faults = first, {}, 0
    while options.count is None or number < first + options.count:
        scenario = draw_scenario(number)
        if options.show:
            print(to_toml(scenario))
            number += 1
            continue
        try:
            end = attack(scenario, muted=draw_muted(number, scenario), cuts=options.cuts)
        except KeyboardInterrupt:
            break
        except Exception:  # noqa: BLE001 - what is looked for
            faults += 1
            end = "FAULT"
            print(f"--first {number} --count 1:\n{traceback.format_exc()}", flush=True)
        ends[end] = ends.get(end, 0) + 1
        number += 1
        if (number - first) % 100 == 0:
            print(f"{number - first} scenarios: {ends}", flush=True)
    print(f"{number - first} scenarios: {ends}; judged: {dict(promises.judged)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
