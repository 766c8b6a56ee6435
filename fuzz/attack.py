"""Random valid scenarios over the whole registry, without end: ``python fuzz/attack.py``.

Every number is one scenario, the same on every machine: ``--first 17 --count 1`` repeats number 17.
Each is refused with a sentence, or it runs, and then

* it does not stall, and does not simulate beyond its time limit by more than an epoch;
* what was sent has arrived or is on its way, in bytes and in packets, also over time;
* no figure is out of its bounds (loads, shares, latencies in order, times within the run);
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
import json
import math
import random
import sys
import traceback
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from odonata.core import native
from odonata.core.native import ConfigurationError, Outcome
from odonata.errors import Error, ScenarioError
from odonata.scenario import Scenario, registry, sections
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.text import to_toml

LIMITS = {"minimal_candidates": 8, "nonminimal_candidates": 8, "global_candidates": 8,
          "scale": 1_000}  # fmt: skip
"""Largest values of what the simulator bounds by itself; mostly kept to."""

WITH_CABINETS = ("aries",)
"""Families of systems that have chassis and cabinets."""

SYSTEMS = ("dragonfly", "aries", "megafly")
"""Families of systems that need no file."""


class BrokenPromiseError(Exception):
    """A promise of the simulator that does not hold; the message says which."""


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
            return number * self.pick((-1, 1))
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
    system = _system(draw, draw.pick(families), scale)
    classes = [entry["name"] for entry in system.get("qos", {}).get("classes", ())]
    scenario: dict[str, Any] = {
        "name": f"attack-{number}",
        "seed": draw.whole(0, 2**63 - 1),
        "system": system,
        "routing": _member(draw, routing, "algorithm", 10_000, chosen=0.15),
        "jobs": _jobs(draw, system["topology"], scale, classes),
        "stop": {"time": f"{_stop(draw, scale, system)} ps"},
        "telemetry": _telemetry(draw),
    }
    ends = any(
        job["role"] == "victim" and job["workload"]["kind"] != "open-loop"
        for job in scenario["jobs"]
    )
    if not ends or draw.chance(0.1):
        scenario["measure"] = {
            "warm_up": f"{draw.whole(0, scale * 300)} ps",
            "window": f"{draw.whole(1, scale * 700)} ps",
            "drain": f"{draw.whole(0, scale * 1_000)} ps",
        }
    if draw.chance(0.2):
        _let_links_change(draw, scenario, scale)
    return scenario


def _let_links_change(draw: Draw, scenario: dict[str, Any], scale: int) -> None:
    """Links go down, come back and lose lanes while the network runs."""
    failures = scenario["system"].setdefault("failures", {})
    failures["known_after"] = f"{draw.pick((0, 0, scale * 10, scale * 300))} ps"
    failures["events"] = events = []
    for _ in range(draw.pick((1, 1, 1, 2, 4))):
        link = _pair(draw, scenario["system"]["topology"])
        if link[0] == link[1]:
            continue
        at = draw.whole(0, scale * 500)
        for _ in range(draw.whole(1, 4)):
            what = draw.pick(("down", "down", "up", "lanes"))
            lanes = {"lanes": f"{draw.whole(1, 10**6)} ppm"}
            change = lanes if what == "lanes" else {"state": what}
            events.append({"at": f"{at} ps", "link": link, **change})
            at += draw.whole(1, scale * 300)
    if draw.chance(0.9):  # what is refused beside them
        for key in ("blame", "counters", "counter_interval", "counter_view"):
            scenario["telemetry"].pop(key, None)


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


def _telemetry(draw: Draw) -> dict[str, Any]:
    """What is recorded, of everything that can be."""
    table: dict[str, Any] = {
        "packet_sample": draw.pick((0, 0, 1, 5)),
        "series_bin": f"{draw.whole(1, 2**63 - 1)} ps",
    }
    for field in sections.TELEMETRY:
        if field.name not in table and draw.chance(0.2):
            table[field.name] = draw.value(field, 2**62)
    if {"counter_interval", "counter_view"} & set(table) and draw.chance(0.95):
        table["counters"] = True
    return table


def _stop(draw: Draw, scale: int, system: Mapping[str, Any]) -> int:
    """A time limit, ps, of ten thousand windows at most: that keeps a run short."""
    router = system["router"]
    behind = min(_ps(router["latency"]), _ps(router["credit_delay"]))
    window = min(_ps(link["latency"]) for link in system["links"].values()) + behind
    limit = scale * 5_000 if draw.chance(0.6) else draw.whole(1, scale * 2_000)
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
    return table


def _needs_file(entry: registry.Entry) -> bool:
    return any(field.kind == "path" and field.default is REQUIRED for field in entry.parameters)


def _delay(draw: Draw, scale: int) -> str:
    if draw.chance(0.1):
        return f"{draw.whole(0, scale * 5_000)} ps"
    return f"{draw.whole(scale, scale * 100)} ps"


def _link(draw: Draw, scale: int) -> dict[str, str]:
    usual = (10**9, 10**12) if draw.chance(0.85) else (1, 2 * 10**15)
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
    if draw.chance(0.25):
        system["nic"] |= {"response": f"{draw.whole(1, size)} B", "outstanding": draw.whole(0, 20)}
    if draw.chance(0.4):
        system["nic"] |= _pacing(draw, size) if draw.chance(0.6) else _windows(draw)
    if draw.chance(0.25):
        system["qos"] = _classes(draw)
    if draw.chance(0.1):
        system["failures"] = {"fraction": draw.pick((0.01, 0.1, 0.3))}
    return system


def _pacing(draw: Draw, size: int) -> dict[str, Any]:
    """Congestion control at end points, of which some numbers are given."""
    numbers = {
        "pace_sources": draw.whole(1, 12),
        "pace_queue": draw.pick((0.0, 0.1, 0.5, 2.0, 8.0)),
        "pace_pause": draw.whole(0, 16),
        "pace_spread": draw.pick((0.0, 0.25, 1.0, 4.0)),
        "pace_expiry": draw.pick((0.0, 0.4, 1.5, 6.0)),
        "pace_expiry_on": draw.pick((0.0, 1.25, 5.0, 20.0)),
        "pace_smallest": f"{draw.pick((0, 128, size))} B",
    }
    given = {name: value for name, value in numbers.items() if draw.chance(0.5)}
    return {"congestion": draw.pick(("pace",) * 9 + ("place",)), **given}


def _windows(draw: Draw) -> dict[str, Any]:
    """Windows of NICs by target, of which some numbers are given."""
    first = draw.pick((0.0, 0.05, 0.2, 0.8))
    numbers = {
        "nscc_round_trip": f"{draw.whole(1, 10_000)} ns",
        "nscc_target": draw.pick((0.0, 0.25, 1.0, 4.0)),
        "nscc_free_delay": f"{draw.pick((0, 250, 1_000))} ns",
        "nscc_adjust": f"{draw.whole(1, 100_000)} B",
        "nscc_average": draw.whole(1, 320),
        "nscc_window": draw.pick((0.0, 0.4, 1.5, 6.0)),
        "nscc_mark_from": first,
        "nscc_mark_to": first + draw.pick((0.0, 0.2, 0.6)),
        "nscc_forget": draw.pick((0.0, 4.0, 16.0, 64.0)),
    }
    given = {name: value for name, value in numbers.items() if draw.chance(0.5)}
    return {"congestion": "nscc", **given}


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


def _shared(draw: Draw, links: int, routers: int) -> int:
    """Ports of a router for its share of the links, sometimes too few or some more."""
    return max(-(-links // routers) + draw.pick((0, 0, 0, 1, 2, -1 if draw.chance(0.1) else 0)), 0)


def _mpi(draw: Draw) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for field in registry.mpi_parameters():
        if field.name == "preset" or draw.chance(0.12):
            most = draw.pick((1_000, 1_000_000, 2**40, 2**63 - 1))
            table[field.name] = draw.value(field, most)
    return table


def _jobs(
    draw: Draw, topology: Mapping[str, Any], scale: int, classes: Sequence[str]
) -> list[dict[str, Any]]:
    """Jobs that mostly fit on the system together."""
    match topology["kind"]:
        case "aries":
            keys: tuple[str, ...] = ("groups", "rows", "columns", "nodes_per_router")
        case "megafly":
            keys = ("groups", "leaf_routers_per_group", "nodes_per_leaf")
        case _:
            keys = ("groups", "routers_per_group", "nodes_per_router")
    count = draw.pick((1, 1, 2, 3))
    most = math.prod(topology[key] for key in keys) // count
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
    kind = draw.pick([name for name in sorted(workloads) if not _needs_file(workloads[name])])
    most = draw.pick((100, 10_000, 2**40, 2**62))
    workload = _member(draw, workloads[kind], "kind", most, chosen=0.4)
    least = 2 if kind == "open-loop" else 1
    workload["ranks"] = draw.whole(least, max(most_ranks, least))
    _steps(draw, workload, workloads[kind].parameters, scale)
    if "process_rows" in workload:
        workload["process_rows"] = draw.whole(1, workload["ranks"])
    if kind == "open-loop":
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
    if workload["ranks"] == 1 and kind != "open-loop":
        # It waits for nobody: it would start again every few picoseconds, to the end of the run.
        job["repeat"] = False
    if draw.chance(0.1):
        routings = registry.family("routings")
        job["routing"] = {"algorithm": draw.pick(sorted(routings))}
    return job


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
) -> str:
    """Run one scenario and look at all that was promised.

    Parameters
    ----------
    scenario : mapping
        As in a scenario file.
    threads : sequence of int
        Runs to compare.
    muted : collection of str
        Names of jobs that send nothing.

    Returns
    -------
    str
        ``refused``, or why the run ended.

    Raises
    ------
    BrokenPromiseError
        A promise was broken.
    """
    try:
        point = Scenario.from_mapping(scenario).points[0]
    except ScenarioError as error:
        _expect(len(str(error)) < 3_000, "a refusal is a sentence")
        return "refused"
    again = Scenario.from_text(to_toml(point.resolved)).points[0]
    _expect(again.config == point.config, "the resolved scenario means the same")
    jobs = [{**job, "muted": job["name"] in muted} for job in point.config["jobs"]]
    config = {**point.config, "jobs": jobs} if muted else point.config
    checked = _refusal(lambda: native.check(config, {}))
    first: Outcome | None = None
    for count in threads:
        try:
            outcome = native.run(config, {}, threads=count)
        except ConfigurationError as error:
            said = str(error)
            _expect(checked == said, f"`check` says {checked!r} and `run` says {said!r}")
            return "refused"
        if first is None:
            first = outcome
            _expect(checked is None, f"`check` says {checked!r} and `run` runs")
            _books(config, outcome)
            _bounds(config, outcome)
        else:
            _expect(_bytes(first) == _bytes(outcome), f"{count} threads show")
    return "" if first is None else str(first.summary["stop"])


def _refusal(call: Any) -> str | None:  # noqa: ANN401 - a call
    try:
        call()
    except Error as error:
        return str(error)
    return None


def _expect(holds: bool, promise: str) -> None:  # noqa: FBT001 - an assertion that stays on
    if not holds:
        raise BrokenPromiseError(promise)


def _bytes(outcome: Outcome) -> dict[str, Any]:
    """Everything but the number of threads."""
    summary = json.loads(json.dumps(outcome.summary))
    summary["engine"].pop("threads")
    seen: dict[str, Any] = {"summary": json.dumps(summary), "stall": outcome.stall}
    for name, columns in outcome.tables.items():
        for column, values in columns.items():
            whole = values.tobytes() if isinstance(values, np.ndarray) else tuple(values)
            seen[f"{name}.{column}"] = whole
    return seen


def _books(config: Mapping[str, Any], outcome: Outcome) -> None:
    """What was sent has arrived or is on its way."""
    tables, engine = outcome.tables, outcome.summary["engine"]

    def total(table: str, column: str) -> int:
        return int(np.sum(np.asarray(tables[table][column]), dtype=np.uint64))

    sent, arrived = total("ranks", "bytes_sent"), total("series", "bytes_delivered")
    flying, packets = engine["packets_in_flight"], engine["packets"]
    _expect(sent == total("series", "bytes_injected"), "bytes of nodes and of the series")
    _expect(arrived <= sent, f"{arrived} bytes arrived of {sent}")
    _expect(packets == total("ranks", "packets_received"), "packets of nodes and of the run")
    _expect(packets == total("series", "packets_delivered"), "packets of series and of the run")
    _expect(flying >= 0 and (flying > 0 or arrived == sent), "bytes are lost")
    if not config["system"]["nic"].get("response_bytes"):
        _expect(flying == 0 or arrived < sent, "packets without bytes are on their way")
    if flying == 0:
        _expect(total("links", "packets") == engine["packet_hops"], "packets of links")
    ways = zip(tables["links"]["kind"], tables["links"]["packets"], strict=True)
    _expect(sum(int(n) for kind, n in ways if kind == "host") >= packets, "packets of host links")
    for table in {"link_series", "link_job_series"} & set(tables):
        _expect(total("links", "bytes") == total(table, "bytes"), f"bytes of links in {table}")


def _bounds(config: Mapping[str, Any], outcome: Outcome) -> None:
    """No figure is where it cannot be."""
    summary, tables = outcome.summary, outcome.tables
    _expect(summary["stop"] in ("finished", "time-limit"), f"it is {summary['stop']}")
    _expect(outcome.stall is None, "a diagnosis of a run that did not stall")
    simulated = summary["simulated_ns"]
    limit = config["stop"]["time_ps"] / 1e3
    # NICs are simulated up to the limit, and routers the way into one of them further.
    system = config["system"]
    way = (system["links"]["host"]["latency_ps"] + system["router"]["latency_ps"]) / 1e3
    most = (limit + way) * (1 + 1e-12)
    _expect(0 <= simulated <= most, f"simulated {simulated} ns of {limit} ns")
    if summary["stop"] == "time-limit":
        _expect(simulated >= limit, f"the limit is {limit} ns and {simulated} ns were simulated")
    for part in (summary["network"], *summary["jobs"]):
        latency = part.get("packet_latency_ns") or {}
        ordered = [latency.get(key) for key in ("p50", "p95", "p99", "max")]
        if None not in ordered:
            _expect(ordered == sorted(ordered), f"percentiles {ordered}")
            _expect(0 <= latency["mean"] <= latency["max"] * (1 + 1e-9), f"latency {latency}")
            # Counted is what starts on its last channel in the window of the end: at most 2^37 ps.
            most_ns = simulated * (1 + 1e-5) + 2**37 / 1e3 + way
            _expect(latency["max"] <= most_ns, f"latency {latency} after {simulated} ns")
        for key in ("nonminimal_fraction",):
            _expect(0 <= (part.get(key) or 0) <= 1, f"{key} {part.get(key)}")
        if (accepted := part.get("accepted_load")) is not None:
            _expect(accepted >= 0, f"accepted load {accepted}")
    busy = np.asarray(tables["links"]["busy_ns"], dtype=float)
    most = max(simulated, limit) + 2**37 / 1e3 + _longest_packet_ns(config)
    _expect(bool(np.all(busy >= 0) and np.all(busy <= most)), "links busy for longer than the run")
    for column in ("stall_ns", "saturated_ns", "congestion_index"):
        values = np.asarray(tables["links"][column], dtype=float)
        _expect(bool(np.all(values >= 0) and np.all(np.isfinite(values))), column)
    for column in ("comm_time_ns", "mpi_time_ns"):
        times = np.asarray(tables["ranks"][column], dtype=float)
        times = times[~np.isnan(times)]
        _expect(bool(np.all(times >= 0) and np.all(times <= most)), f"{column} beyond the run")


def _longest_packet_ns(config: Mapping[str, Any]) -> float:
    slowest = min(link["bandwidth_bytes_per_s"] for link in config["system"]["links"].values())
    return 2e9 * 65_536 / slowest


def main() -> int:
    """Attack until told to stop, or ``--count`` times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first", type=int, help="number of the first scenario (default: random)")
    parser.add_argument("--count", type=int, help="scenarios (default: without end)")
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
            end = attack(scenario, muted=draw_muted(number, scenario))
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
    print(f"{number - first} scenarios: {ends}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
