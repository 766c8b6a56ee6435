"""Several ranks on a node, from the scenario to the tables."""

from __future__ import annotations

import pytest

import odonata
from odonata.errors import ScenarioError


def scenario(*, ranks_per_node=None, mapping="linear", kind="halo3d"):
    workload = {"kind": kind, "ranks": 24}
    if kind == "halo3d":
        workload |= {"grid": [2, 3, 4], "face": "20000 B", "iterations": 2}
    if kind == "open-loop":
        workload |= {"load": 0.1}
    job = {
        "name": "job",
        "workload": workload,
        "placement": {"kind": "contiguous", "mapping": mapping},
    }
    if ranks_per_node is not None:
        job["ranks_per_node"] = ranks_per_node
    return {
        "schema": 1,
        "name": "shared",
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [job],
    }


def test_ranks_share_nodes_and_local_messages_are_counted_apart(tmp_path):
    results = {
        name: odonata.run(scenario(**options), out=tmp_path / name)
        for name, options in {
            "alone": {},
            "block": {"ranks_per_node": 4},
            "cyclic": {"ranks_per_node": 4, "mapping": "cyclic"},
            "one": {"ranks_per_node": 1},
        }.items()
    }
    tables = {name: result.table("ranks") for name, result in results.items()}
    assert tables["alone"].equals(tables["one"])
    assert results["alone"].summary["jobs"][0].get("local_messages_sent") is None
    messages = tables["alone"]["messages_sent"].sum()
    assert tables["alone"]["local_messages_sent"].sum() == 0
    nodes = {name: table["node"].to_list() for name, table in tables.items()}
    assert nodes["block"] == [rank // 4 for rank in range(24)]
    assert nodes["cyclic"] == [rank % 6 for rank in range(24)]
    for name in ("block", "cyclic"):
        table, job = tables[name], results[name].summary["jobs"][0]
        local = table["local_messages_sent"].sum()
        assert table["messages_sent"].sum() + local == messages
        assert local > 0
        assert job["local_messages_sent"] == local
        assert job["local_bytes_sent"] == table["local_bytes_sent"].sum()
        assert job["ranks"] == job["ranks_finished"] == 24
        assert job["messages_sent"] == messages - local
    # Consecutive ranks are neighbours in the grid: blocks keep more in the nodes.
    sent = {name: result.summary["jobs"][0]["bytes_sent"] for name, result in results.items()}
    assert sent["block"] < sent["cyclic"] < sent["alone"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ranks_per_node": 0}, "ranks_per_node"),
        ({"ranks_per_node": 257}, "ranks_per_node"),
        ({"ranks_per_node": 2, "kind": "open-loop"}, "only ranks of MPI jobs share a node"),
        ({"ranks_per_node": 2, "mapping": "cyclc"}, "cyclic"),
    ],
)
def test_what_cannot_share_a_node_is_refused(options, words, tmp_path):
    with pytest.raises(ScenarioError, match=words):
        odonata.run(scenario(**options), out=tmp_path / "out")
