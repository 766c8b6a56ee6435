"""Who delayed whom: tables, leaving a job out, and the explanation in words."""

from __future__ import annotations

import dataclasses
import json

import polars as pl
import pytest

import odonata
from examples import jobs
from odonata.analysis import causes, delaying_links, delays
from odonata.errors import RunError, ScenarioError
from odonata.output.explain.explain import explain
from odonata.scenario.text import to_toml


@pytest.fixture(scope="module")
def scenario():
    return jobs(telemetry={"blame": True})


@pytest.fixture(scope="module")
def beside(scenario):
    return odonata.run(scenario)


@pytest.fixture(scope="module")
def left_out(scenario):
    return odonata.run(scenario, overrides=["jobs.noise.muted=true"], baseline=False)


def test_every_wait_is_charged_once(beside):
    blame = beside.table("blame")
    waiting = beside.summary["network"]["waiting_ns"]
    assert waiting > 0
    assert blame["ns"].sum() == pytest.approx(waiting, rel=1e-12)
    by_job = blame.group_by("delayed").agg(pl.col("ns", "through_ns").sum())
    for row in by_job.iter_rows(named=True):
        assert row["through_ns"] == pytest.approx(row["ns"], rel=1e-12)
    ranks = beside.table("blame_ranks")
    assert ranks["ns"].sum() == pytest.approx(waiting, rel=1e-9)
    assert set(blame["link"]) <= set(beside.table("links")["link"])


def test_ranks_that_share_a_node_are_told_once(scenario):
    shared = odonata.run(scenario, overrides=["jobs.halo.ranks_per_node=3"], baseline=False)
    ranks = shared.table("blame_ranks")
    assert set(ranks.filter(pl.col("job") == "halo")["rank"]) <= set(range(0, 27, 3))
    assert ranks["ns"].sum() == pytest.approx(shared.summary["network"]["waiting_ns"], rel=1e-9)


def test_without_blame_there_are_no_tables():
    result = odonata.run(jobs())
    assert not {"blame", "blame_ranks"} & set(result.tables())
    assert "waiting_ns" not in result.summary["network"]


def test_nothing_is_charged_to_a_job_that_is_left_out(beside, left_out):
    assert "noise" in set(beside.table("blame")["delaying"])
    assert set(left_out.table("blame")["delaying"]) == {"halo"}
    assert set(left_out.jobs) == {"halo"}
    alone = beside.baselines["halo"]
    assert left_out.jobs["halo"].comm_time_ns == alone.jobs["halo"].comm_time_ns


def test_more_parties_than_can_be_told_apart():
    many = jobs(telemetry={"blame": True})
    (halo, _) = many["jobs"]
    one = {"kind": "halo3d", "ranks": 1, "grid": [1, 1, 1], "iterations": 1}
    many["jobs"] = [{**halo, "name": f"job{number}", "workload": one} for number in range(65)]
    with pytest.raises(ScenarioError, match="at most 64 jobs times traffic classes"):
        odonata.run(many)


def test_links_and_causes_are_parts_of_the_whole(beside):
    blame, links = beside.table("blame"), beside.table("links")
    mine = blame.filter(pl.col("delayed") == "halo")
    assert causes(blame, "halo")["ns"].sum() == pytest.approx(mine["ns"].sum())
    fractions = delays(mine)["through_fraction"].to_list()
    assert sum(fractions) == pytest.approx(1)
    assert fractions == sorted(fractions, reverse=True)
    top = delaying_links(mine, links, "halo", count=3)
    assert len(top) == 3
    assert top["through_ns"].is_sorted(descending=True)
    assert top["main_fraction"].is_between(0, 1).all()


def test_an_explanation_follows_the_time_down(beside, left_out, tmp_path):
    found = explain(beside, without=left_out)
    assert found.job == "halo"
    about = [heading for heading, _ in found.steps]
    assert about == [
        "In short", "The job", "The slowest rank", "What its packets lose", "Network and job",
        "Waits", "Links", "Waits of the slowest rank", "Leaving jobs out", "What to do",
    ]  # fmt: skip
    facts = found.facts
    assert facts["slowdown"] == beside.jobs["halo"].slowdown
    ranks = beside.table("ranks").filter(pl.col("job") == "halo")
    assert facts["slowest_rank_ns"] == ranks["comm_time_ns"].max()
    assert sum(facts["through"].values()) == pytest.approx(1)
    latencies = [
        run.jobs["halo"].summary["packet_latency_ns"]["mean"] for run in (beside, left_out)
    ]
    assert facts["extra_ns"] == pytest.approx(latencies[0] - latencies[1])
    parts = [*facts["others_ns"].values(), facts["own_ns"], facts["moving_ns"]]
    assert sum(parts) == pytest.approx(facts["extra_ns"])
    longer = sum(ns for ns in parts if ns > 0.0)
    share = facts["others_ns"]["noise"] / longer
    assert facts["shares"]["noise"] == pytest.approx(share)
    assert f"{share:.1%}".replace("%", " %") in dict(found.steps)["What its packets lose"]
    gained = 1 - left_out.jobs["halo"].comm_time_ns / beside.jobs["halo"].comm_time_ns
    assert facts["gain"] == pytest.approx(gained)
    picture = found.draw(tmp_path / "why.png")
    assert picture is not None
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_acknowledgements_are_in_no_share(beside):
    ranks = beside.table("blame_ranks").with_columns(transaction=pl.lit("request"))
    rows = beside.table("blame").with_columns(transaction=pl.lit("request"))
    back = pl.concat([rows, rows.with_columns(transaction=pl.lit("response"))] * 3)
    plain = dataclasses.replace(beside, frames={"blame": rows, "blame_ranks": ranks})
    both = pl.concat([rows, back.filter(pl.col("transaction") == "response")])
    answered = dataclasses.replace(beside, frames={"blame": both, "blame_ranks": ranks})
    of_requests, of_both = explain(plain), explain(answered)
    waited = of_both.facts.pop("answers_waiting_ns")
    assert waited == pytest.approx(3 * of_both.facts["waiting_ns"])
    assert of_both.facts == of_requests.facts
    assert (
        "Acknowledgements, for which no rank waits, waited another" in dict(of_both.steps)["Waits"]
    )
    assert of_both.delays.equals(of_requests.delays)


def test_results_that_mix_acknowledgements_with_the_rest_get_no_shares(beside):
    system = {**beside.scenario["system"], "nic": {"response": "16 B"}}
    rows = beside.table("blame")
    old = dataclasses.replace(
        beside,
        scenario={**beside.scenario, "system": system},
        frames={"blame": rows.drop("transaction", strict=False)},
    )
    found = explain(old)
    assert "of an earlier version" in dict(found.steps)["Waits"]
    assert not {"through", "shares", "links"} & set(found.facts)
    assert "due to" not in found.facts["headline"]


def test_without_blame_an_explanation_names_what_to_do(tmp_path):
    found = explain(odonata.run(jobs(), baseline=False))
    assert "telemetry.blame=true" in dict(found.steps)["Links"]
    assert found.steps[-1][0] == "What to do"
    assert found.draw(tmp_path / "why.png") is None
    with pytest.raises(RunError, match="Did you mean `halo`"):
        explain(odonata.run(jobs(), baseline=False), "hallo")


def test_the_commands(tmp_path, scenario, odonata):
    file = tmp_path / "pair.toml"
    file.write_text(to_toml(scenario))
    assert odonata("run", file, "--quiet", "--out", tmp_path / "all").returncode == 0
    left = ("--without", "noise", "--no-baseline", "--quiet", "--out", tmp_path / "left")
    assert odonata("run", file, *left).returncode == 0
    assert odonata("report", tmp_path / "all").returncode == 0
    page = (tmp_path / "all" / "report.html").read_text("utf-8")
    assert "Why halo was slow" in page
    assert "is charged to noise" in page
    assert "Who delayed whom" in (tmp_path / "all" / "report.html").read_text()
    shares = pl.read_csv(tmp_path / "all" / "figures" / "blame.csv")
    assert shares["through_fraction"].sum() == pytest.approx(2)
    words = ("explain", tmp_path / "all", "--against", tmp_path / "left")
    told = odonata(*words, "--picture", tmp_path / "why.svg")
    assert told.returncode == 0, told.stderr
    assert "Without `noise` it is alone: it communicates for" in " ".join(told.stdout.split())
    assert (tmp_path / "why.svg").exists()
    found = json.loads(odonata(*words, "--json").stdout)
    assert found["job"] == "halo"
    assert found["facts"]["waiting_ns"] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("explain", "{all}", "--job", "noice"), "Did you mean `noise`?"),
        (("explain", "{none}"), "holds no results"),
        (("explain", "{all}", "--picture", "why.gif"), "ends in .png, .svg, .pdf"),
    ],
)
def test_wrong_words_get_a_sentence(words, sentence, tmp_path, scenario, odonata):
    file = tmp_path / "pair.toml"
    file.write_text(to_toml({**scenario, "telemetry": {}}))
    out = tmp_path / "all"
    odonata("run", file, "--quiet", "--no-baseline", "--out", out)
    told = odonata(*(word.format(all=out, none=tmp_path / "none") for word in words))
    assert told.returncode == 2
    assert sentence in told.stderr
    assert "Traceback" not in told.stderr


def test_a_job_that_is_left_out_must_be_there(tmp_path, scenario, odonata):
    file = tmp_path / "pair.toml"
    file.write_text(to_toml(scenario))
    told = odonata("run", file, "--without", "nois")
    assert told.returncode == 2
    assert "Did you mean `noise`?" in told.stderr
