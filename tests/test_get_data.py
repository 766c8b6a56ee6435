"""Data of gets and of rendezvous on the virtual channels of responses."""

from __future__ import annotations

import polars as pl
import pytest

import odonata
from odonata.errors import ScenarioError
from odonata.scenario import Scenario

RANKS = 8


def scenario(get_data, *, workload=None, response="16 B"):
    """Alltoall of rendezvous messages on a system whose packets are answered."""
    nic = {"response": response, "outstanding": 64, "counters": "aries"}
    return {
        "name": "gets",
        "system": {
            "preset": "dragonfly(2, 2, 1, 3)",
            "nic": {**nic, **({"get_data": get_data} if get_data else {})},
            "mpi": {"preset": "cray-mpich-aries"},
        },
        "routing": {"algorithm": "ugal-group"},
        "jobs": [
            {
                "name": "job",
                "workload": workload
                or {"kind": "alltoall", "ranks": RANKS, "message": "40 kB", "iterations": 2},
            }
        ],
        "telemetry": {"counters": True},
    }


def count(result, event):
    """A counter of Aries at the end, summed over all NICs."""
    name = f"AR_NIC_NETMON_ORB_EVENT_CNTR_{event}"
    table = result.table("nic_counters")
    return int(table.filter(pl.col("counter") == name)["value"].sum())


def test_data_go_with_the_responses_and_nobody_answers_them():
    requests, responses = (
        odonata.run(scenario(way), baseline=False) for way in ("requests", "responses")
    )
    for result in (requests, responses):
        assert result.table("ranks")["finished"].all()
    sent = [result.table("ranks")["bytes_sent"].sum() for result in (requests, responses)]
    assert sent[0] == sent[1]
    # What was a request before is now a response that answers no single packet.
    moved = count(requests, "REQ_PKTS") - count(responses, "REQ_PKTS")
    assert moved > 2 * RANKS * (RANKS - 1) * 40_000 // 1024
    assert count(responses, "RSP_PKTS") - count(responses, "RSP_NET_TRACK") == moved
    assert count(requests, "RSP_PKTS") == count(requests, "RSP_NET_TRACK")


def test_the_default_is_as_before():
    default, named = (odonata.run(scenario(way), baseline=False) for way in (None, "requests"))
    for name in ("ranks", "links"):
        assert default.table(name).equals(named.table(name))


def test_without_responses_there_is_nowhere_to_go():
    given = scenario("responses", response="0 B")
    del given["system"]["nic"]["outstanding"]
    with pytest.raises(ScenarioError, match=r"nic.get_data.*no virtual channels of responses"):
        odonata.run(Scenario.from_mapping(given))
