"""Alltoalls of a job routed in another mode than the rest, as a user sees it."""

from __future__ import annotations

import copy

import pytest

from odonata import ScenarioError, run
from odonata.scenario import Scenario

_ALLTOALL = {"kind": "alltoall", "ranks": 16, "message": "2 KiB", "iterations": 4}
_HALO = {"kind": "halo3d", "ranks": 16, "face": "8 KiB", "iterations": 4, "compute": "1 us"}


def scenario(workload, **keys):
    """A job on a small Aries system, with these keys."""
    return {
        "seed": 3,
        "system": {
            "preset": "piz-daint",
            "topology": {"groups": 3, "rows": 2, "columns": 2},
            "mpi": {"preset": "ideal"},
        },
        "routing": "minimal",
        "jobs": [{"name": "all", "placement": "random-node", "workload": workload, **keys}],
    }


def ends(workload, **keys):
    """When iterations of every rank end."""
    found = run(scenario(workload, **keys), baseline=False)
    return found.table("iterations").select("rank", "iteration", "end_ns").rows()


def test_what_belongs_to_an_alltoall_takes_its_mode():
    apart = ends(_ALLTOALL, routing="minimal", alltoall_routing="nmin-hash")
    assert apart == ends(_ALLTOALL, routing="nmin-hash")
    assert apart != ends(_ALLTOALL, routing="minimal")


def test_other_messages_do_not():
    assert ends(_HALO, routing="minimal", alltoall_routing="nmin-hash") == ends(
        _HALO, routing="minimal"
    )


def test_rendezvous_goes_with_its_alltoall():
    large = {**_ALLTOALL, "message": "64 KiB", "iterations": 1}
    apart = ends(large, routing="minimal", alltoall_routing="nmin-hash")
    assert apart == ends(large, routing="nmin-hash")


def test_in_turns_each_has_its_own():
    turns = {"routing": ["adaptive-0", "adaptive-3"], "alternate": "iteration"}
    apart = ends(_ALLTOALL, **turns, alltoall_routing=["minimal", "nmin-hash"])
    assert apart == ends(_ALLTOALL, routing=["minimal", "nmin-hash"], alternate="iteration")
    one = ends(_ALLTOALL, **turns, alltoall_routing="nmin-hash")
    assert one == ends(_ALLTOALL, routing="nmin-hash")


def test_a_resolved_scenario_reads_as_it_was_meant():
    given = scenario(_ALLTOALL, alltoall_routing="adaptive-1")
    (job,) = Scenario.from_mapping(given).points[0].config["jobs"]
    assert [one["algorithm"] for one in job["alltoall_routings"]] == ["adaptive-1"]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"alltoall_routing": "adaptive-11"}, "adaptive-1"),
        ({"alltoall_routing": ["adaptive-1", "minimal"]}, "2 routings of alltoalls for 1 in turn"),
        ({"alltoall_routing": "q-adaptive"}, "learns"),
        ({"alltoall_routing": "minimal", "policy": "application-aware"}, "the policy"),
    ],
)
def test_what_cannot_be_is_refused(keys, said):
    given = scenario(copy.deepcopy(_ALLTOALL), **keys)
    with pytest.raises(ScenarioError, match=said):
        run(given, baseline=False)


def test_open_loop_traffic_has_no_alltoalls():
    workload = {"kind": "open-loop", "ranks": 16, "pattern": "uniform", "load": 0.1,
                "message": "1 KiB"}  # fmt: skip
    given = scenario(workload, alltoall_routing="minimal") | {"stop": {"time": "10 us"}}
    with pytest.raises(ScenarioError, match="alltoall_routing"):
        run(given, baseline=False)
