"""Several processes decide, stop and record as one does: policies, precision, every record."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from pathlib import Path

import pytest

from examples import jobs, open_loop
from lengths import longer
from odonata.core import native, packed
from odonata.scenario import Scenario
from test_together import of_many, of_one, without_threads

SHAPES = [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
"""Processes, and threads in each."""

FEW_SHAPES = [(1, 2), (2, 2), (3, 1)]
"""For what simulates milliseconds: more threads than cores wait for each other at every epoch."""

LONG = ("skip", "precision", "precision-unknown")
"""Cases that simulate milliseconds."""


def shapes(case):
    """Of processes and threads; in every run two are enough for what takes seconds each."""
    if case in {*LONG, "policies"}:
        return longer([(1, 2), (2, 1)], FEW_SHAPES if case in LONG else SHAPES)
    return SHAPES


PAGES = Path(__file__).parents[1] / "docs" / "model"


def example(page):
    """The scenario of a page."""
    text = (PAGES / page).read_text("utf-8")
    return tomllib.loads(text.partition("```toml")[2].partition("```")[0])


def policies():
    """Two jobs with policies on nodes of their own, one of them with routings in turns."""
    data = jobs(system={"preset": "theta"}, routing={"algorithm": "adaptive-0"})
    halo, noise = data["jobs"]
    halo["policy"] = {
        "kind": "application-aware", "extensions": ["exploration", "damping", "learning"],
    }  # fmt: skip
    halo["workload"] |= {"iterations": 6}
    noise |= {"routing": ["adaptive-0", "minimal"], "alternate": "iteration"}
    noise["policy"] = {"kind": "application-aware", "counter_read": "200 ns"}
    return data


def turns():
    """Routings that take turns without a policy."""
    data = jobs()
    data["jobs"][0] |= {"routing": ["par", "minimal"], "alternate": "iteration"}
    return data


def precision():
    data = example("precision.md")
    data["stop"]["precision"] = [
        {"quantity": "comm_time", "half_width": "3 %"},
        {"quantity": "iteration_time", "half_width": "3 %"},
    ]
    return data


def unknown():
    """A run that ends before it knows what is asked."""
    data = precision()
    data["jobs"][0]["workload"] |= {"iterations": 110}
    return data


def skipping():
    data = example("skipping.md")
    data["stop"]["skip"] = "4 %"
    for job in data["jobs"]:
        job["workload"] |= {"iterations": 1_200}
    return data


def beside(**telemetry):
    """Two jobs and open-loop traffic, of which `telemetry` keeps more than usual."""
    data = jobs(telemetry=telemetry)
    data["jobs"][1]["workload"] |= {"ranks": 18, "grid": [2, 3, 3]}
    background = {
        "name": "background",
        "role": "background",
        "workload": {"kind": "open-loop", "pattern": "uniform", "load": 0.2},
    }
    data["jobs"].append(background)
    return data


def crossbars(**telemetry):
    """Input buffers, answers to packets, and NICs as Cassini counts them."""
    data = beside(**telemetry)
    data["system"] |= {
        "router": {"architecture": "cioq"},
        "nic": {"response": "16 B", "counters": "cassini"},
    }
    return data


def everything():
    data = beside(blame=True, counters=True, counter_interval="20 us", link_series=True,
                  packet_sample=5, message_sample=3)  # fmt: skip
    data["stop"] = {"time": "150 us"}
    return data


def learning():
    return open_loop(routing={"algorithm": "q-adaptive", "save_table": True})


CASES = {
    "policies": (policies, "decisions"),
    "turns": (turns, "iterations"),
    "precision": (precision, "iterations"),
    "precision-unknown": (unknown, "iterations"),
    "skip": (skipping, "iterations"),
    "counters": (lambda: beside(counters=True), "counters"),
    "counters-over-time": (
        lambda: crossbars(counters=True, counter_interval="10 us"), "nic_counters",
    ),
    "link-series": (lambda: beside(link_series=True), "link_series"),
    "packets": (lambda: beside(packet_sample=3), "packets"),
    "messages": (lambda: beside(message_sample=2), "messages"),
    "messages-open": (lambda: open_loop(telemetry={"message_sample": 2}), "messages"),
    "learned": (learning, "q_table"),
    "blame": (lambda: beside(blame=True), "blame"),
    "blame-cioq": (lambda: crossbars(blame=True), "blame_ranks"),
    "everything": (everything, "packets"),
}  # fmt: skip
"""Scenarios, and a table that the case is about."""


@cache
def alone(case):
    """The run of a case, and what one process gives."""
    point = Scenario.from_mapping(CASES[case][0]()).points[0]
    return point, of_one(point)


@pytest.mark.parametrize("case", CASES)
def test_any_number_of_processes_gives_the_same_bytes(case):
    point, one = alone(case)
    for processes, threads in shapes(case):
        found = of_many(point, processes, threads)
        shape = f"{processes} x {threads}"
        assert without_threads(found.summary) == without_threads(one.summary), shape
        assert hashlib.sha256(found.packed).digest() == hashlib.sha256(one.packed).digest(), shape
        assert of_many.ends == [native.Outcome({}, {}, None)] * (processes - 1)
    assert packed.lengths(one.packed)[CASES[case][1]] > 50


def test_the_cases_decide_what_they_are_about():
    def summary(case):
        return alone(case)[1].summary

    for job in summary("policies")["jobs"]:
        policy = job["policy"]
        assert min(policy["decisions"], policy["readings"]) > 50
        assert policy["observations"] > 0
        assert policy["latency_factor_mean"] > 0
    assert summary("precision")["stop"] == "precision"
    assert summary("precision-unknown")["stop"] == "finished"
    assert all(job["cuts"] for job in summary("skip")["jobs"])
