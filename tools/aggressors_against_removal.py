#!/usr/bin/env python3
"""How often blame names several aggressors in the order of what leaving each of them out gains.

Every case has a Halo3D victim and two or three open-loop aggressors of different intensity on
random nodes of a small system. It is run with all jobs, and once without each aggressor. Blame
predicts an order: by through blame of the requests of the victim. Measured is the order by how much
less the victim communicates without each. Also measured is how much more the other aggressors send
when one is left out: a source that the network holds back has packets waiting that take the place
of those that are gone. So a second order is made as well: of what is charged at a port, the parts
of the other jobs are weighted by how long their own packets waited there for each byte they sent.

    tools/aggressors_against_removal.py [--seeds 2] [--cases]
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import dataclass

import polars as pl

import odonata
from odonata.analysis import awaited, delays

HALO = {"kind": "halo3d", "ranks": 18, "grid": [2, 3, 3], "face": "8 KiB", "iterations": 1}
FACES = {"Aries": "8 KiB", "dragonfly": "128 KiB"}
NAMES = ("weak", "mid", "strong")


def aries(groups: int, rows: int, columns: int) -> dict[str, object]:
    """A small Aries system: four nodes at a router, two global ports."""
    shape = {"rows": rows, "columns": columns, "column_links": 2, "chassis_per_cabinet": rows}
    return {"preset": f"aries({groups}, 2)", "mpi": {"preset": "ideal"}, "topology": shape}


SYSTEMS = {
    "Aries, 96 nodes": (96, aries(3, 2, 4), ("minimal", "adaptive-0")),
    "Aries, 96 nodes, 4 groups": (96, aries(4, 2, 3), ("minimal", "adaptive-0")),
    "dragonfly, 72 nodes": (
        72,
        {"preset": "dragonfly(2, 4, 2, 9)"},
        ("minimal", "ugal-group", "par"),
    ),
}
# A node of Aries injects three times what a link takes, one of the dragonfly as much as a link.
LOADS = {
    "Aries": ((0.05, 0.1, 0.15), (0.1, 0.2, 0.4), (0.2, 0.4, 0.8), (0.2, 0.6)),
    "dragonfly": ((0.1, 0.2, 0.4), (0.3, 0.5, 0.9), (0.3, 0.9)),
}
# Gains that differ by less than this part of the victim's time are the same.
SAME = 0.005


@dataclass(frozen=True)
class Case:
    """One scenario, and what is said and found of it."""

    system: str
    name: str
    charged: dict[str, float]
    """Share of the victim's waits by aggressor."""
    pressed: dict[str, float]
    """The same, weighted by how long its packets waited where the victim's did."""
    gained: dict[str, float]
    """Share of its communication time that it saves without the aggressor."""
    in_nics: float
    """Share of their waits in their own NICs of the requests of the aggressor with the largest."""
    held_back: float
    """The most by which an aggressor sends faster when another one is left out, as a fraction."""

    @property
    def is_right(self) -> bool:
        """The order of what is charged is that of what is gained."""
        return self._is_order(ranked(self.charged))

    @property
    def is_first_right(self) -> bool:
        """The aggressor that is charged most is the one whose removal gains most."""
        return self.gained[ranked(self.charged)[0]] > max(self.gained.values()) - SAME

    @property
    def is_pressed_right(self) -> bool:
        """The weighted order is that of what is gained."""
        return self._is_order(ranked(self.pressed))

    def _is_order(self, names: list[str]) -> bool:
        gains = [self.gained[name] for name in names]
        return all(later < earlier + SAME for earlier, later in itertools.pairwise(gains))


def ranked(values: dict[str, float]) -> list[str]:
    """Names, the largest value first."""
    return sorted(values, key=lambda name: -values[name])


def scenario(system: str, routing: str, loads: tuple[float, ...], seed: int) -> dict[str, object]:
    """The victim and the aggressors, which share the nodes that it leaves."""
    nodes, table, _ = SYSTEMS[system]
    halo = HALO | {"face": FACES[system.split(",", maxsplit=1)[0]]}
    ranks = (nodes - HALO["ranks"]) // len(loads)  # type: ignore[operator]
    jobs: list[dict[str, object]] = [
        {"name": "victim", "placement": "random-node", "workload": halo}
    ]
    for name, load in zip(NAMES[-len(loads) :], loads, strict=True):
        traffic = {"kind": "open-loop", "ranks": ranks, "pattern": "uniform", "load": load}
        jobs.append({"name": name, "role": "aggressor", "placement": "random-node",
                     "workload": traffic})  # fmt: skip
    return {
        "name": "aggressors",
        "seed": seed,
        "system": {**table, "mpi": {"preset": "ideal"}},
        "routing": {"algorithm": routing},
        "jobs": jobs,
        "telemetry": {"blame": True},
        "stop": {"time": "5 ms"},
    }


def rates(run: odonata.Result, names: tuple[str, ...]) -> dict[str, float]:
    """Packets that each job delivers in a ns."""
    return {name: run.jobs[name].summary["packets"] / run.summary["simulated_ns"] for name in names}


def pressed(run: odonata.Result, names: tuple[str, ...]) -> dict[str, float]:
    """Share of the victim's waits by aggressor, weighted at each port by its waits per byte."""
    blame = awaited(run.table("blame"))
    waits = blame.filter(pl.col("cause") == "port")
    own = waits.group_by("link", delaying="delayed").agg(own=pl.col("through_ns").sum())
    sent = run.table("link_jobs").select("link", "bytes", delaying="job")
    theirs = waits.filter((pl.col("delayed") == "victim") & (pl.col("delaying") != "victim"))
    weighted = theirs.join(own, on=["link", "delaying"]).join(sent, on=["link", "delaying"])
    weight = pl.col("through_ns") * pl.col("own") / pl.col("bytes")
    whole = pl.col("through_ns").sum().over("link")
    shares = weighted.with_columns(ns=whole * weight / weight.sum().over("link"))
    total = blame.filter(pl.col("delayed") == "victim")["ns"].sum()
    return {name: shares.filter(delaying=name)["ns"].sum() / total for name in names}


def share_in_nics(run: odonata.Result, job: str) -> float:
    """Share of the waits of a job's requests that are waits in its own NICs."""
    waits = awaited(run.table("blame")).filter(pl.col("delayed") == job)
    in_nics = waits.filter(pl.col("cause").str.starts_with("nic"))
    return float(in_nics["ns"].sum() / waits["ns"].sum())


def case(system: str, routing: str, loads: tuple[float, ...], seed: int) -> Case:
    """Run a case with all jobs, and without each aggressor."""
    table = scenario(system, routing, loads, seed)
    names = NAMES[-len(loads) :]
    both = odonata.run_one(table, baseline=False)
    rows = delays(both.table("blame")).filter(pl.col("delayed") == "victim")
    charged = dict(zip(rows["delaying"], rows["through_fraction"], strict=True))
    whole, before = both.jobs["victim"].comm_time_ns, rates(both, names)
    gained, held_back = {}, 0.0
    for name in names:
        without = odonata.run_one(table, overrides=[f"jobs.{name}.muted=true"], baseline=False)
        gained[name] = 1 - without.jobs["victim"].comm_time_ns / whole
        others = tuple(other for other in names if other != name)
        for other, rate in rates(without, others).items():
            held_back = max(held_back, rate / before[other] - 1)
    told = f"{routing}, {' '.join(f'{load:.0%}' for load in loads)}, seed {seed}"
    found = {name: charged.get(name, 0.0) for name in names}
    in_nics = max(share_in_nics(both, name) for name in names)
    return Case(system, told, found, pressed(both, names), gained, in_nics, held_back)


def print_cases(cases: list[Case]) -> None:
    """Every case, in a line."""
    for one in cases:
        shares = (
            f"{name} {one.charged[name]:.1%} ({one.pressed[name]:.1%}) {one.gained[name]:.1%}"
            for name in one.charged
        )
        right = "right" if one.is_right else "wrong"
        told = f"in NICs {one.in_nics:.0%}; others send up to {one.held_back:+.0%}; {right}"
        print(f"{one.system}, {one.name}: {'; '.join(shares)}; {told}", flush=True)


def print_rates(cases: list[Case]) -> None:
    """How many are right, by system and by where the packets of the aggressors wait."""
    print("| set-up | waits in NICs | cases | right order | right first | right order, weighted |")
    print("|---|---|---|---|---|---|")
    for system, is_half in itertools.product(SYSTEMS, (False, True)):
        group = [one for one in cases if one.system == system and (one.in_nics >= 0.5) == is_half]
        if group:
            right = sum(one.is_right for one in group)
            first = sum(one.is_first_right for one in group)
            weighted = sum(one.is_pressed_right for one in group)
            kind = "half and more" if is_half else "less than half"
            print(f"| {system} | {kind} | {len(group)} | {right} | {first} | {weighted} |")


def main() -> None:
    """Run all cases, print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2, help="seeds per set-up")
    parser.add_argument("--cases", action="store_true", help="print every case as well")
    arguments = parser.parse_args()
    cases = []
    for system, (_, _, routings) in SYSTEMS.items():
        loads = LOADS[system.split(",", maxsplit=1)[0]]
        for routing, load, seed in itertools.product(
            routings, loads, range(1, arguments.seeds + 1)
        ):
            cases.append(case(system, routing, load, seed))
            if arguments.cases:
                print_cases(cases[-1:])
    print_rates(cases)


if __name__ == "__main__":
    main()
