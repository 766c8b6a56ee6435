"""Packets of noise that stand for several packets of the system, as a user sees them."""

from __future__ import annotations

import copy

import polars as pl
import pytest

from odonata import ScenarioError, run

_SCENARIO = {
    "seed": 5,
    "system": {"preset": "piz-daint", "topology": {"groups": 3, "rows": 2, "columns": 2}},
    "routing": "adaptive-0",
    "jobs": [
        {
            "name": "victim",
            "placement": "random-node",
            "workload": {"kind": "alltoall", "ranks": 12, "message": "1 KiB", "iterations": 3},
        },
        {
            "name": "noise",
            "role": "background",
            "placement": "random-node",
            "workload": {"kind": "halo3d", "ranks": 27, "face": "32 KiB", "compute": "1 us"},
        },
    ],
}


def scenario(multiple=None, **noise):
    """The scenario with packets of noise that stand for so many, and other keys of its job."""
    given = copy.deepcopy(_SCENARIO)
    given["jobs"][1] |= noise
    if multiple is not None:
        given["jobs"][1]["packet_multiple"] = multiple
    return given


def test_bytes_on_links_stay_and_packets_become_few():
    once = {"role": "aggressor", "repeat": False}
    plain = run(scenario(**once), baseline=False)
    large = run(scenario(16, **once), baseline=False)
    sent = [
        one.table("links").filter(pl.col("kind") == "host")["bytes"].sum() for one in (plain, large)
    ]
    assert sent[1] == pytest.approx(sent[0], rel=1e-3)  # but for responses under way at the end
    packets = [one.summary["engine"]["packets"] for one in (plain, large)]
    assert packets[1] < packets[0] / 4


def test_a_multiple_of_one_changes_nothing():
    tables = [run(scenario(one), baseline=False).table("ranks") for one in (None, 1)]
    assert tables[0].equals(tables[1])


def test_alone_the_victim_does_not_see_it():
    alone = [run(scenario(one)).baselines["victim"].table("ranks") for one in (None, 16)]
    assert alone[0].equals(alone[1])


@pytest.mark.parametrize("threads", [1, 2])
def test_same_bytes_for_any_number_of_threads(threads):
    first = run(scenario(8), baseline=False)
    again = run(scenario(8), baseline=False, threads=threads)
    assert first.table("links").equals(again.table("links"))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"multiple": 0}, "packet_multiple"),
        ({"multiple": 4, "role": "victim"}, "a victim is measured"),
        ({"multiple": 4, "share_nodes": True}, "large packets are those of a node"),
        ({"multiple": 4, "policy": "application-aware"}, "a policy decides"),
        ({"multiple": 60_000}, "packet"),
    ],
)
def test_what_cannot_be_is_refused(keys, said):
    with pytest.raises(ScenarioError, match=said):
        run(scenario(**keys), baseline=False)


def test_controllers_do_not_know_them():
    given = scenario(4)
    given["system"] |= {"nic": {"congestion": "pace"}}
    with pytest.raises(ScenarioError, match="congestion controllers"):
        run(given, baseline=False)
