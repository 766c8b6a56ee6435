"""Groups of several kinds, nodes of several types: where jobs go, how they run, what is refused."""

from __future__ import annotations

import pytest

import odonata
from odonata.cli import main
from odonata.errors import ScenarioError
from odonata.scenario import Scenario, registry
from odonata.scenario.text import to_toml

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


LEVELS = {"name": "io", "groups": 2, "leaf_routers_per_group": 2, "spine_routers_per_group": 1,
          "nodes_per_leaf": 3, "links_to_others": 2}  # fmt: skip
MEGAFLY = {
    "kind": "megafly",
    "groups": 2,
    "leaf_routers_per_group": 4,
    "spine_routers_per_group": 2,
    "nodes_per_leaf": 2,
    "links_per_group_pair": 4,
    "more_groups": [LEVELS],
}
"""16 network ends in compute groups, then 12."""

NODE = {
    "nics": 4,
    "types": [
        {"name": "gpu", "nodes": 2},
        {"name": "big", "nodes": 4, "nics": 2, "wiring": "together"},
        {"name": "cpu", "nics": 1},
    ],
}
"""On `MEGAFLY`: 2 nodes in the first group, 4 in the second, 12 of one NIC in the others."""


def on_nodes(*placements, node=NODE, workload=None, **keys):
    data = scenario(*placements, topology=MEGAFLY, **keys)
    data["system"]["node"] = node
    for job in data["jobs"]:
        job["workload"] = workload or job["workload"]
    return data


@pytest.mark.parametrize(
    "algorithm",
    [name for name, entry in registry.family("routings").items() if "megafly" in entry.families],
)
def test_every_routing_delivers_between_the_kinds_of_a_megafly(tmp_path, algorithm):
    every = {"kind": "list", "nodes": list(range(28))}
    data = scenario(every, topology=MEGAFLY, algorithm=algorithm, ranks=28)
    (job,) = odonata.run(data, out=tmp_path / "out").summary["jobs"]
    assert job["packets"] > 0


def test_a_job_gets_nodes_of_the_first_type_or_of_the_one_that_it_names(tmp_path):
    data = on_nodes("contiguous", {"kind": "random-node", "nodes": "big"},
                    {"kind": "contiguous", "nodes": "cpu", "groups": "io"})  # fmt: skip
    ranks = odonata.run(data, out=tmp_path / "out").table("ranks")
    found = [
        sorted(ranks.filter(ranks["job"] == f"job-{index}")["node"].to_list()) for index in range(3)
    ]
    assert found == [list(range(8)), list(range(8, 16)), list(range(16, 28))]


def test_ranks_use_the_nics_that_their_node_has(tmp_path):
    """A job on nodes of all types; messages between unlike nodes go in fewer parts."""
    spread = {"kind": "list", "nodes": [0, 1, 2, 6, 7]}
    work = {"kind": "alltoall", "message": "64 KiB"}
    for stripe in ({}, {"stripe": "8 KiB"}):
        data = on_nodes(spread, node=NODE | stripe, workload=work)
        del data["measure"]
        data["jobs"][0] |= {"ranks_per_node": 2}
        data["jobs"][0]["workload"] = work | {"ranks": 10}
        result = odonata.run(data, out=tmp_path / f"out-{len(stripe)}")
        assert result.summary["exit"] == "finished" if "exit" in result.summary else True
        ends = sorted(set(result.table("ranks")["node"].to_list()))
        # Nodes 0 and 1: the first two of their NICs, on two routers; node 2: both on one router.
        assert ends == [0, 1, 2, 3, 8, 9, 16, 17]


@pytest.mark.parametrize(
    ("node", "placement", "words"),
    [
        (NODE, {"kind": "contiguous", "nodes": "gpus"}, "did you mean `gpu`"),
        (NODE, {"kind": "list", "nodes": [0, 7]}, "name their type, such as `nodes = \"gpu\"`"),
        ({"nics": 1}, {"kind": "contiguous", "nodes": "gpu"}, "the system are of one type"),
        (NODE | {"types": [{"name": "gpu", "nodes": 1}, {"name": "cpu", "nics": 1}]}, "contiguous",
         "give 0 or 2 nodes"),
        (NODE | {"types": [{"name": "gpu", "nodes": 2}]}, "contiguous", "belong to no node"),
        (NODE | {"types": [{"name": "a", "wiring": "apart"}]}, "contiguous", "spread, together"),
        (NODE | {"types": [{"nodes": 4}]}, "contiguous", "a type of nodes needs `name`"),
        (NODE | {"types": [{"name": "a", "nic": 4}]}, "contiguous", "unknown key of a type"),
    ],
)  # fmt: skip
def test_wrong_types_of_nodes_are_refused(tmp_path, node, placement, words):
    ranks = 2 if isinstance(placement, dict) and placement["kind"] == "list" else None
    with pytest.raises(ScenarioError, match=words):
        odonata.run(on_nodes(placement, node=node, ranks=ranks), out=tmp_path / "out")


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        (LEVELS | {"nodes_per_leaf": 0}, "nodes_per_leaf of the groups of kind `io` is 0"),
        (LEVELS | {"routers_per_group": 3}, "unknown key of a kind of groups"),
        (LEVELS | {"links_to": [1, 2]}, "links to 1 kinds before theirs, but links_to names 2"),
    ],
)
def test_wrong_kinds_of_a_megafly_are_refused(tmp_path, levels, words):
    with pytest.raises(ScenarioError, match=words):
        odonata.run(scenario("contiguous", topology=MEGAFLY | {"more_groups": [levels]}),
                    out=tmp_path / "out")  # fmt: skip


def test_links_to_each_kind_before_may_differ(tmp_path):
    service = {"name": "service", "groups": 1, "routers_per_group": 2, "nodes_per_router": 1,
               "global_ports_per_router": 10, "links_to": [1, 3]}  # fmt: skip
    topology = TOPOLOGY | {"more_groups": [IO | {"global_ports_per_router": 6}, service],
                           "global_ports_per_router": 3}  # fmt: skip
    links = odonata.run(scenario("contiguous", topology=topology), out=tmp_path / "out").table(
        "links"
    )
    of_service = links.filter((links["kind"] == "global") & (links["source_group"] == 5))
    counts = dict(of_service.group_by("target_group").len().iter_rows())
    assert counts == {0: 1, 1: 1, 2: 1, 3: 3, 4: 3}


def test_types_of_nodes_are_part_of_the_resolved_scenario():
    (point,) = Scenario.from_mapping(on_nodes("contiguous")).points
    assert point.config["system"]["node"]["types"] == NODE["types"]
    again = Scenario.from_mapping(point.resolved).points[0]
    assert again.config == point.config


def test_a_list_of_channels_gives_the_same(tmp_path):
    """The kinds of groups are in the list, the types of nodes in the scenario."""
    data = on_nodes({"kind": "contiguous", "nodes": "big"}, ranks=8)
    (tmp_path / "kinds.toml").write_text(to_toml(Scenario.from_mapping(data).points[0].resolved))
    assert main(["topo", str(tmp_path / "kinds.toml"), "--edges", str(tmp_path / "net.csv")]) == 0
    listed = data | {"system": data["system"] | {
        "topology": {"kind": "file", "channels": str(tmp_path / "net.csv")}}}  # fmt: skip
    kinds, file = (
        odonata.run(one, out=tmp_path / name) for name, one in (("a", data), ("b", listed))
    )
    columns = ["job", "rank", "node", "packets"]
    of = [result.table("ranks").select(set(columns) & set(result.table("ranks").columns))
          for result in (kinds, file)]  # fmt: skip
    assert of[0].sort("rank").equals(of[1].sort("rank"))
