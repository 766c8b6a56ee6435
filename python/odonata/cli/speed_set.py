"""The standard speed set: how fast this machine simulates.

Every case runs in a process of its own, so that its memory is its own. Repeats of all cases take
turns, so that a busy minute of the machine does not fall on one case alone. Scenarios of files are
run as commands, beside the first case as a command: what a study takes, and which share of the rate
of the case that the simulator was tuned for it has.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from odonata.cli import speed_command
from odonata.core import native
from odonata.core.errors import Error, InternalError, suggestion
from odonata.core.memory import Peak
from odonata.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the set.

    Parameters
    ----------
    name : str
        Such as ``uniform-1056-minimal-0.5-1t``.
    scenario : dict
        What is run.
    threads : int
        Threads of the simulator.
    nodes : int
        Nodes of the system.
    quick : bool
        Whether it belongs to the quick set.
    beside : str
        Case whose time per packet-hop it is compared with; empty if none.
    file : pathlib.Path or None
        Scenario that is run as a command, in place of ``scenario``.
    as_command : bool
        Whether it is run as a command.
    """

    name: str
    scenario: dict[str, Any]
    threads: int
    nodes: int
    quick: bool
    beside: str = ""
    file: Path | None = None
    as_command: bool = False


# Nodes, preset, measured time per load unit: about twenty million packet-hops each.
_SIZES = (
    (1056, "dragonfly(4, 8, 4, 33)", 100_000),
    (8320, "dragonfly(8, 16, 8, 65)", 12_500),
    (66048, "dragonfly(16, 32, 16, 129)", 3_000),
)
_LOADS = (0.3, 0.5, 0.8)
_SMALL, _LOAD, _PLAIN = 1056, 0.3, "uniform-1056-ugal-group-0.3-1t"
"""Nodes and load of the cases with a feature, and the plain case beside which they stand."""

LARGEST_RATIO = 1.6
"""Most that a feature may cost: time per packet-hop over that of the plain case."""

_ROUTINGS = ("minimal", "ugal-group")

TUNED = "uniform-1056-minimal-0.5-1t"
"""The case that scenarios of files stand beside."""


def cases() -> dict[str, Case]:
    """Every case by name, in the order of the table."""
    found = [
        _uniform(size, routing, load, threads)
        for size in _SIZES
        for routing in _ROUTINGS
        for load in _LOADS
        for threads in (1, 2)
    ]
    found += [_halo3d(architecture, threads) for architecture in ("voq", "cioq")
              for threads in (1, 2)]  # fmt: skip
    found += [_feature(name) for name in _FEATURES]
    return {case.name: case for case in found}


def _uniform(size: tuple[int, str, int], routing: str, load: float, threads: int) -> Case:
    nodes, preset, time_ns = size
    scenario = {
        "name": "bench",
        "seed": 1,
        "system": {"preset": preset},
        "routing": {"algorithm": routing},
        "jobs": [{"workload": {"kind": "open-loop", "pattern": "uniform", "load": load,
                               "message": "512 B", "arrival": "exponential"}}],
        "measure": {"warm_up": "1 us", "window": f"{round(time_ns / load / 2)} ns"},
    }  # fmt: skip
    quick = nodes == 1056 and load == 0.5 and threads == 1
    return Case(f"uniform-{nodes}-{routing}-{load}-{threads}t", scenario, threads, nodes, quick)


# Systems of 1,056 nodes with the links, routers and packets of the plain case.
_FEATURES: dict[str, dict[str, Any]] = {
    "aries": {
        "topology": {"kind": "aries", "groups": 11, "rows": 3, "columns": 8, "nodes_per_router": 4,
                     "column_links": 3, "global_ports_per_router": 5, "chassis_per_cabinet": 3},
    },
    "megafly": {
        "topology": {"kind": "megafly", "groups": 33, "leaf_routers_per_group": 4,
                     "spine_routers_per_group": 4, "nodes_per_leaf": 8, "links_per_group_pair": 1},
    },
    "q-adaptive": {},
    "cioq": {"router": {"architecture": "cioq"}},
    "two-classes": {"qos": {"classes": [{"name": "high", "cap": "30 %"},
                                        {"name": "low", "cap": "70 %"}]}},
}  # fmt: skip


def _feature(name: str) -> Case:
    """Uniform traffic with one feature more than the plain case has."""
    case = _uniform(_SIZES[0], "ugal-group", _LOAD, 1)
    tables = dict(_FEATURES[name])
    base = {} if "topology" in tables else case.scenario["system"]
    scenario = case.scenario | {"system": {**base, **tables}}
    if name == "q-adaptive":
        scenario["routing"] = {"algorithm": "q-adaptive"}
    if name == "two-classes":
        (job,) = scenario["jobs"]
        half = job["workload"] | {"ranks": _SMALL // 2}
        scenario["jobs"] = [
            {"name": kind, "class": kind, "placement": "random-node", "workload": half}
            for kind in ("high", "low")
        ]
    return Case(f"feature-{name}-1t", scenario, 1, _SMALL, quick=False, beside=_PLAIN)


def _halo3d(architecture: str, threads: int) -> Case:
    """Halo3D as in the interference study, on half of the nodes, fewer iterations."""
    scenario = {
        "name": "bench",
        "seed": 1,
        "system": {"preset": "kang2022-1056", "router": {"architecture": architecture}},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"placement": "random-node",
                  "workload": {"kind": "halo3d", "ranks": 528, "iterations": 5, "compute": 0,
                               "overlap": False}}],
    }  # fmt: skip
    name = f"halo3d-528-{architecture}-{threads}t"
    return Case(name, scenario, threads, 1056, threads == 1)


def choose(names: Sequence[str] | None, *, quick: bool) -> list[Case]:
    """Cases by name; without names all of them or the quick ones.

    Parameters
    ----------
    names : sequence of str, optional
        Cases, or the beginnings of their names.
    quick : bool
        Without names: the quick ones.

    Returns
    -------
    list of Case
        In the order of the table; with the cases that they are compared with.

    Raises
    ------
    Error
        No case has such a name.
    """
    known = cases()
    if not names:
        return [case for case in known.values() if case.quick or not quick]
    for name in names:
        if not any(case.startswith(name) for case in known):
            raise Error(f"there is no case `{name}`.{suggestion(name, known)}")
    chosen = {
        case.name for case in known.values() if any(case.name.startswith(name) for name in names)
    }
    chosen |= {known[name].beside for name in chosen if known[name].beside}
    return [case for case in known.values() if case.name in chosen]


def of_files(files: Sequence[Path]) -> list[Case]:
    """Scenarios as cases, behind the one that they are compared with.

    Parameters
    ----------
    files : sequence of pathlib.Path
        Scenarios of one run each.

    Returns
    -------
    list of Case
        Run as commands with one thread.

    Raises
    ------
    Error
        A scenario cannot be read or has several runs, or two have the same name.
    """
    tuned = replace(cases()[TUNED], as_command=True)
    found = {TUNED: tuned}
    for file in files:
        speed_command.check(file)
        if file.stem in found:
            raise Error(f"there are two cases `{file.stem}`; rename a file.")
        found[file.stem] = Case(
            file.stem, {}, threads=1, nodes=0, quick=False, beside=TUNED, file=file, as_command=True
        )
    return list(found.values())


def measure(
    chosen: Sequence[Case], *, repeats: int, told: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Run cases in processes of their own and take medians.

    Parameters
    ----------
    chosen : sequence of Case
        What to run.
    repeats : int
        Runs of each.
    told : callable
        Gets the name of each run that starts.

    Returns
    -------
    list of dict
        One row per case: ``packet_hops_per_s``, ``ns_per_hop``, ``events_per_hop``,
        ``memory_bytes``, ``memory_bytes_per_node``, ``ratio`` (time per packet-hop over that of
        the case it is compared with; null without one), and what else there is; of commands
        ``packet_hops_per_cpu_s`` and ``command_packet_hops_per_cpu_s``, and both over those of the
        case beside (``rate_of_tuned``, ``command_rate_of_tuned``).
    """
    samples: dict[str, list[dict[str, Any]]] = {case.name: [] for case in chosen}
    for number in range(repeats):
        for case in chosen:
            told(f"{case.name} ({number + 1} of {repeats})")
            samples[case.name].append(_in_own_process(case))
    rows = {case.name: _row(case, samples[case.name]) for case in chosen}
    for case in chosen:
        other = rows.get(case.beside)
        # CPU time: a busy machine does not make a feature dear.
        ratio = rows[case.name]["cpu_ns_per_hop"] / other["cpu_ns_per_hop"] if other else None
        rows[case.name]["ratio"] = ratio
        if other and case.as_command:
            for name in ("", "command_"):
                key = f"{name}packet_hops_per_cpu_s"
                rows[case.name][f"{name}rate_of_tuned"] = rows[case.name][key] / other[key]
    return list(rows.values())


def _in_own_process(case: Case) -> dict[str, Any]:
    if case.as_command:
        return speed_command.measured(case.file or case.scenario, case.threads)
    command = [sys.executable, "-m", "odonata.cli.speed_set", case.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode == -2:
        raise KeyboardInterrupt
    if done.returncode != 0:
        raise InternalError(f"benchmark {case.name} ended early", done.stderr)
    sample: dict[str, Any] = json.loads(done.stdout)
    return sample


def _row(case: Case, samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    speeds = [sample["packet_hops"] / sample["wall_s"] for sample in samples]
    speed = statistics.median(speeds)
    first = samples[0]
    memory = statistics.median(sample["memory_bytes"] for sample in samples)
    rates = {
        f"{name}packet_hops_per_cpu_s": statistics.median(
            sample["packet_hops"] / sample[f"{name}cpu_s"] for sample in samples
        )
        for name in (("", "command_") if case.as_command else ())
    }
    return {
        "case": case.name,
        "nodes": case.nodes,
        "threads": case.threads,
        "repeats": len(samples),
        "packet_hops": first["packet_hops"],
        "packet_hops_per_s": speed,
        "packet_hops_per_s_min": min(speeds),
        "packet_hops_per_s_max": max(speeds),
        "ns_per_hop": 1e9 / speed,
        "cpu_ns_per_hop": statistics.median(
            1e9 * sample["cpu_s"] / sample["packet_hops"] for sample in samples
        ),
        "events_per_hop": first["events_per_hop"],
        "memory_bytes": memory,
        "memory_bytes_per_node": memory / case.nodes if case.nodes else None,
        "simulated_ns": first["simulated_ns"],
        **rates,
    }


def run_case(case: Case) -> dict[str, Any]:
    """Run one case here and now.

    Returns
    -------
    dict
        ``packet_hops``, ``wall_s``, ``cpu_s``, ``events_per_hop``, ``memory_bytes`` (growth of the
        resident set), ``simulated_ns``.
    """
    point = Scenario.from_mapping(case.scenario).points[0]
    memory = Peak()
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = native.run(point.config, {}, threads=case.threads, progress=lambda *_: memory.watch())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    engine = outcome.summary["engine"]
    hops = engine["packet_hops"]
    return {
        "packet_hops": hops,
        "wall_s": wall,
        "cpu_s": cpu,
        "events_per_hop": engine["events"] / hops if engine.get("events") else None,
        "memory_bytes": memory.look() - memory.start_bytes,
        "simulated_ns": outcome.summary["simulated_ns"],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run_case(cases()[sys.argv[1]])))
