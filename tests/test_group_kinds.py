"""Dragonflies with groups of several kinds: where jobs go, how they run, and what is refused."""

from __future__ import annotations

import pytest

import odonata
from odonata.errors import ScenarioError
from odonata.scenario import Scenario, registry

IO = {"name": "io", "groups": 2, "routers_per_group": 2, "nodes_per_router": 1,
      "global_ports_per_router": 4, "links_to_others": 2}  # fmt: skip
TOPOLOGY = {
    "kind": "dragonfly",
    "groups": 3,
    "routers_per_group": 4,
    "nodes_per_router": 2,
    "global_ports_per_router": 2,
    "links_per_group_pair": 2,
    "more_groups": [IO],
}
"""24 nodes in compute groups, then 4 in groups of I/O."""


def scenario(*placements, topology=TOPOLOGY, algorithm="minimal", ranks=None):
    """An open-loop job for each placement; by default on all nodes that it may have."""
    workload = {"kind": "open-loop", "load": 0.2} | ({"ranks": ranks} if ranks else {})
    return {
        "schema": 1,
        "name": "kinds",
        "system": {"topology": topology},
        "routing": {"algorithm": algorithm},
        "jobs": [
            {"name": f"job-{index}", "placement": placement, "workload": workload}
            for index, placement in enumerate(placements)
        ],
        "measure": {"warm_up": "200 ns", "window": "1 us"},
    }


def nodes(tmp_path, data, index=0):
    """The nodes of a job."""
    ranks = odonata.run(data, out=tmp_path / "out").table("ranks")
    return sorted(ranks.filter(ranks["job"] == f"job-{index}")["node"].to_list())


@pytest.mark.parametrize("kind", ["contiguous", "random-node", "random-group", "random-router"])
def test_jobs_get_nodes_of_compute_groups(tmp_path, kind):
    assert nodes(tmp_path, scenario(kind)) == list(range(24))


@pytest.mark.parametrize("kind", ["contiguous", "random-node", "random-group", "geometric"])
def test_a_placement_names_another_kind(tmp_path, kind):
    io = {"kind": kind, "groups": "io"}
    assert nodes(tmp_path, scenario("contiguous", io), 1) == [24, 25, 26, 27]


def test_a_list_names_any_node(tmp_path):
    listed = {"kind": "list", "nodes": [1, 27, 24]}
    assert nodes(tmp_path, scenario(listed, ranks=3)) == [1, 24, 27]


@pytest.mark.parametrize(
    ("placement", "words"),
    [
        ({"kind": "contiguous", "groups": "oi"}, 'is "oi", which is no kind of groups here'),
        ({"kind": "contiguous", "groups": 3}, "is not text in quotes"),
        ({"kind": "list", "groups": "compute", "nodes": [1, 24]}, "nodes go from 0 to 23"),
    ],
)
def test_a_kind_that_is_not_there_is_refused(tmp_path, placement, words):
    ranks = 2 if "nodes" in placement else None
    with pytest.raises(ScenarioError, match=words):
        odonata.run(scenario(placement, ranks=ranks), out=tmp_path / "out")


def test_a_system_of_one_kind_has_no_other(tmp_path):
    plain = {key: TOPOLOGY[key] for key in TOPOLOGY if key != "more_groups"}
    plain["links_per_group_pair"] = 4
    with pytest.raises(ScenarioError, match="all groups of the system are of one kind"):
        odonata.run(
            scenario({"kind": "contiguous", "groups": "io"}, topology=plain), out=tmp_path / "out"
        )


@pytest.mark.parametrize(
    "algorithm",
    [name for name, entry in registry.family("routings").items()
     if "dragonfly" in getattr(entry, "families", ("dragonfly",))],
)  # fmt: skip
def test_every_routing_delivers_between_the_kinds(tmp_path, algorithm):
    every = {"kind": "list", "nodes": list(range(28))}
    data = scenario(every, algorithm=algorithm, ranks=28)
    try:
        result = odonata.run(data, out=tmp_path / "out")
    except ScenarioError as error:
        assert "draws among the gateways of Aries" in str(error)  # noqa: PT017 - of other families
        return
    (job,) = result.summary["jobs"]
    assert job["packets"] > 0


@pytest.mark.parametrize(
    ("topology", "words"),
    [
        (TOPOLOGY | {"more_groups": [IO | {"global_ports_per_router": 3}]}, "at least 4"),
        (TOPOLOGY | {"more_groups": [IO | {"name": "compute"}]}, "two kinds of groups are called"),
        (TOPOLOGY | {"more_groups": [IO | {"nodes": 3}]}, "unknown key of a kind of groups"),
        (TOPOLOGY | {"more_groups": [{"name": "io"}]}, "a kind of groups needs `groups`"),
        (TOPOLOGY | {"more_groups": []}, "left out without `more_groups`"),
    ],
)
def test_wrong_kinds_are_refused(tmp_path, topology, words):
    with pytest.raises(ScenarioError, match=words):
        odonata.run(scenario("contiguous", topology=topology), out=tmp_path / "out")


def test_kinds_are_part_of_the_resolved_scenario():
    (point,) = Scenario.from_mapping(scenario("contiguous")).points
    (kind,) = point.config["system"]["topology"]["more_groups"]
    assert kind == IO | {"links_per_group_pair": 1}
    again = Scenario.from_mapping(point.resolved).points[0]
    assert again.config == point.config
