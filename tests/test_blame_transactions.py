"""Blame tells requests, which some rank waits for, from responses, which none waits for."""

from __future__ import annotations

import polars as pl
import pytest

import odonata
from examples import jobs
from odonata.analysis import awaited, breakdown, causes, delaying_links, delays
from odonata.analysis.blame import MOVING
from odonata.analysis.frames import AnalysisError

NICS = {
    "answered": {"response": "64 B"},
    "few at a time": {"response": "64 B", "outstanding": 8},
    "gets": {"response": "64 B", "outstanding": 64, "get_data": "responses"},
}
GET = {"preset": "cray-mpich-aries"}


def scenario(nic, architecture="voq"):
    """Two halos under minimal routing, where every packet has one way."""
    table = jobs(routing={"algorithm": "minimal"}, telemetry={"blame": True})
    # Buffers that fill: waits for credits are what is passed on.
    buffers = dict.fromkeys(("host_buffer", "input_buffer", "global_buffer"), "2 KiB")
    table["system"] |= {"nic": nic, "router": {"architecture": architecture} | buffers}
    if "get_data" in nic:
        table["system"]["mpi"] = GET
    return table


@pytest.fixture(scope="module", params=[*NICS, "answered, cioq"])
def run(request):
    name, _, architecture = request.param.partition(", ")
    return odonata.run(scenario(NICS[name], architecture or "voq"))


def test_every_wait_is_charged_once(run):
    blame, ranks = run.table("blame"), run.table("blame_ranks")
    assert set(blame["transaction"]) == set(ranks["transaction"]) == {"request", "response"}
    assert blame["ns"].sum() == pytest.approx(run.summary["network"]["waiting_ns"], rel=1e-12)
    sums = pl.col("ns", "through_ns").sum()
    for row in blame.group_by("delayed", "transaction").agg(sums).iter_rows(named=True):
        assert row["through_ns"] == pytest.approx(row["ns"], rel=1e-12)
    keys = ["delayed", "delaying", "transaction"]
    of_links = blame.group_by(keys).agg(sums).sort(keys)
    of_ranks = ranks.rename({"job": "delayed"}).group_by(keys).agg(sums).sort(keys)
    assert of_links[keys].equals(of_ranks[keys])
    for column in ("ns", "through_ns"):
        assert of_links[column].to_list() == pytest.approx(of_ranks[column].to_list(), rel=1e-12)


def test_a_rank_passes_on_what_it_waited(run):
    of_ranks = run.table("blame_ranks").group_by("job", "rank", "transaction").agg(
        pl.col("ns", "through_ns").sum(), rows=pl.len()
    )  # fmt: skip
    # Parts of a rank are rounded to ps, one by one.
    assert (of_ranks["ns"] - of_ranks["through_ns"]).abs().max() < 1.0
    blame = run.table("blame")
    passed = (blame["ns"] - blame["through_ns"]).abs().sum()
    assert passed > 0, "nothing was passed on: the test says nothing"


def test_a_packet_moves_as_long_beside_others_as_alone(run):
    """All that is left of latencies is the time of an empty network, where ways are the same."""
    found = {}
    for setting, one in (("alone", run.baselines["halo"]), ("beside", run)):
        summary = one.jobs["halo"].summary
        latency = summary["packet_latency_ns"]["mean"]
        parts = breakdown(
            one.table("blame"), "halo", packets=summary["packets"], latency_ns=latency
        )
        assert parts["ns"].sum() == pytest.approx(latency)
        assert summary["responses"] > 0
        found[setting] = parts.filter(part=MOVING)["ns"].item()
    assert found["beside"] == pytest.approx(found["alone"], rel=1e-9)
    assert found["alone"] > 100


def test_what_nobody_waits_for_is_left_out_unless_it_is_asked_for(run):
    blame, links = run.table("blame"), run.table("links")
    mine = blame.filter(delayed="halo")
    for responses, rows in ((False, mine.filter(transaction="request")), (True, mine)):
        waits = rows["ns"].sum()
        assert awaited(mine, responses=responses).equals(rows)
        by_job = delays(blame, responses=responses).filter(delayed="halo")
        assert by_job["ns"].sum() == pytest.approx(waits)
        assert by_job["through_fraction"].sum() == pytest.approx(1.0)
        assert causes(blame, "halo", responses=responses)["ns"].sum() == pytest.approx(waits)
        places = delaying_links(blame, links, "halo", count=10_000, responses=responses)
        assert places["through_ns"].sum() == pytest.approx(waits)


def test_data_of_gets_are_waited_for():
    """The same data are requests on either kind of virtual channels."""
    packets = {}
    for where in ("requests", "responses"):
        nic = {**NICS["gets"], "get_data": where}
        found = odonata.run(scenario(nic), overrides=["jobs.noise.muted=true"], baseline=False)
        summary = found.jobs["halo"].summary
        # Data on virtual channels of responses are not answered, the others are.
        packets[where] = (summary["packets"], summary["responses"])
        waited = awaited(found.table("blame"))["ns"].sum()
        assert waited > found.table("blame").filter(transaction="response")["ns"].sum()
    assert packets["requests"][0] == packets["responses"][0]
    assert packets["requests"][1] > 2 * packets["responses"][1]


def test_one_way_packets_are_requests():
    run = odonata.run(jobs(telemetry={"blame": True}), baseline=False)
    assert set(run.table("blame")["transaction"]) == {"request"}
    assert "responses" not in run.jobs["halo"].summary


def test_a_table_of_an_earlier_version_is_refused():
    run = odonata.run(jobs(telemetry={"blame": True}), baseline=False)
    with pytest.raises(AnalysisError, match="earlier version; run the scenario again"):
        delays(run.table("blame").drop("transaction"))
