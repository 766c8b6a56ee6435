"""The report of many variants: who is best, how sure that is, and what its new pictures say."""

from __future__ import annotations

import math
import sys

import numpy as np
import polars as pl
import pytest
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_hex

import odonata
from examples import jobs
from odonata import analysis, cli
from odonata.analysis.blame import MOVING
from odonata.analysis.readings import rates
from odonata.output.canvas import Picture
from odonata.output.plots import job_colours
from odonata.output.report import gather, headline, interactive
from odonata.output.report.machine import link_use, placement
from odonata.output.report.victims import breakdown, parts
from odonata.results import Result, Runs, Sweep

FACTORS = {"minimal": 1.5, "par": 1.1, "ugal-group": 1.3}


def run_of(seed, slowdown=None, *, load=None, saturated=False):
    """A run whose first job is slowed down so much, or with open-loop traffic of a load."""
    latency = {"mean": 500.0 / (1 - (load or 0)), "p50": 1.0, "p95": 1.0, "p99": 1.0, "max": 1.0}
    job = {"name": "a", "role": "victim", "ranks": 4, "packet_latency_ns": latency}
    if slowdown is not None:
        job |= {"slowdown": slowdown, "comm_time_ns": {"mean": 1e6 * slowdown},
                "ranks_finished": 4}  # fmt: skip
    network = {"offered_load": load, "accepted_load": load, "saturated": saturated,
               "packet_latency_ns": latency}  # fmt: skip
    return Result({"name": "made-up", "seed": seed, "stop": "finished", "scenario_hash": "x",
                   "odonata_version": "0", "jobs": [job], "network": network})  # fmt: skip


def study_of(rows, key="routing.algorithm"):
    """A study of made-up runs; `rows` are (value of the key, seed, run)."""
    runs, index = Runs(), []
    for value, seed, run in rows:
        name = f"{value}-{seed}"
        runs.add(name, run)
        index.append({"run": name, key: value, "seed": seed, "scenario_hash": "x"})
    return gather.study_of(Sweep(pl.DataFrame(index), runs))


def replicated(count, spread=0.03):
    """Replicas of three variants: what is common to a seed is ten times what is not."""
    random = np.random.default_rng(1)
    rows = []
    for seed in range(count):
        common = random.normal(0, 10 * spread)
        for name, factor in FACTORS.items():
            noise = math.exp(common + random.normal(0, spread))
            rows.append((name, seed, run_of(seed, factor * noise)))
    return study_of(sorted(rows, key=lambda row: list(FACTORS).index(row[0])))


def test_variants_are_ranked_with_intervals():
    study = replicated(12)
    (ranking,) = headline.rankings(study)
    assert (ranking.job, ranking.quantity, ranking.unit) == ("a", "slowdown", "ratio")
    assert ranking.rows["variant"].to_list() == ["par", "ugal-group", "minimal"]
    assert (ranking.rows["low"] < ranking.rows["value"]).all()
    assert ranking.rows["replicas"].to_list() == [12] * 3
    # Intervals overlap; replica by replica the difference is sure.
    assert ranking.rows["high"][0] > ranking.rows["low"][2]
    assert ranking.verdict == "lower"
    (text,) = headline.sentences(study)
    assert "They differ in routing.algorithm (par against minimal)." in text
    assert "the difference is significant (95 %)" in text
    row = gather.overview(study).row(0, named=True)
    assert row["spread"] == gather.INTERVAL
    assert row["slowdown"] == pytest.approx(ranking.rows["value"][2])


def test_no_difference_is_an_answer():
    random = np.random.default_rng(2)
    rows = [(name, seed, run_of(seed, 1.2 * math.exp(random.normal(0, 0.05))))
            for name in ("x", "y") for seed in range(8)]  # fmt: skip
    study = study_of(rows)
    assert headline.rankings(study)[0].verdict == "no difference seen"
    assert "no difference is seen" in headline.sentences(study)[0]


@pytest.mark.parametrize(("count", "words"), [(1, "Each is one run"), (2, "too few replicas")])
def test_too_few_replicas_say_so(count, words):
    assert words in headline.sentences(replicated(count))[0]


def test_load_curves_are_not_ranked_but_say_where_they_saturate():
    rows = [(load, 1, run_of(1, load=load, saturated=load > 0.4)) for load in (0.1, 0.4, 0.7)]
    study = study_of(rows, key="jobs[0].workload.load")
    assert headline.rankings(study) == ()
    assert headline.sentences(study) == ["Load at which the network saturates: this run above 0.4."]


def test_loads_have_intervals_from_three_runs_on():
    rows = [(load, seed, run_of(seed, load=load + seed / 1000))
            for load in (0.1, 0.4) for seed in range(4)]  # fmt: skip
    frame = gather.loads(study_of(rows, key="jobs[0].workload.load"))
    assert (frame["accepted_load_low"] < frame["accepted_load"]).all()
    assert (frame["accepted_load"] < frame["accepted_load_high"]).all()
    few = gather.loads(study_of(rows[:2], key="jobs[0].workload.load"))
    assert few["accepted_load_low"].to_list() == [None]


def test_of_too_many_variants_the_best_and_the_worst_are_shown():
    order = np.random.default_rng(3).permutation(40)
    study = study_of([(f"v{n}", 1, run_of(1, 1 + n / 100)) for n in order])
    frame = pl.DataFrame({"variant": [f"v{n}" for n in order]})
    chosen, note = headline.shown(study, frame, 6)
    assert set(chosen) == {"v0", "v1", "v2", "v37", "v38", "v39"}
    assert chosen == [name for name in frame["variant"] if name in chosen]
    assert note.startswith(
        "The picture shows the first 3 and the last 3 of 40 variants by the slowdown"
    )
    assert headline.shown(study, frame, 40) == (frame["variant"].to_list(), "")


@pytest.fixture(scope="module")
def result():
    table = jobs(telemetry={"blame": True})
    for job in table["jobs"]:
        job["workload"] |= {"iterations": 1, "face": "4 KiB"}
    return odonata.run(table)


def test_the_time_of_a_packet_is_moving_and_waiting(result):
    frame = parts(gather.study_of(result))
    for setting, run in (("alone", result.baselines["halo"]), ("beside", result)):
        rows = frame.filter(job="halo", setting=setting)
        summary = run.jobs["halo"].summary
        assert rows["ns"].sum() == pytest.approx(summary["packet_latency_ns"]["mean"])
        waits = run.table("blame").filter(delayed="halo")["ns"].sum() / summary["packets"]
        assert rows.filter(pl.col("part") != MOVING)["ns"].sum() == pytest.approx(waits)
        assert rows["part"].to_list()[:2] == [MOVING, "halo"]
    # The shortest way of a packet over its hops is the same beside others; paths may be longer.
    assert frame.filter(part=MOVING, job="halo")["ns"].min() > 100
    drawing = breakdown(gather.study_of(result))
    bars = drawing.figure.axes[0].patches
    ends = {round(bar.get_x() + bar.get_width(), 6) for bar in bars}
    longest = drawing.table.group_by("setting").agg(pl.col("ns").sum())["ns"].max()
    assert max(ends) == pytest.approx(longest / (1e3 if longest >= 1e3 else 1), rel=1e-4)


def test_where_jobs_are_is_where_their_ranks_are(result):
    placed = placement(result)
    assert dict(placed.group_by("job").agg(pl.col("nodes").sum()).iter_rows()) == {
        "halo": 27, "noise": 36,
    }  # fmt: skip
    figure = result.plot.machine()
    discs = [one for one in figure.axes[0].collections if isinstance(one, PatchCollection)]
    faces = {to_hex(face) for face in discs[0].get_facecolors()}
    assert faces == {"#ffffff", *(c.lower() for c in job_colours(["halo", "noise"]).values())}
    # 36 routers, and a slice for each job at each router.
    assert len(discs[0].get_facecolors()) == 36 + len(placed)


def test_use_of_links_by_job_is_their_bytes(result):
    links, by_job = result.table("links"), result.table("link_jobs")
    shares = analysis.job_shares(links, by_job)
    mean = links.group_by("kind").agg(pl.col("congestion_index").mean())
    for kind, whole in mean.iter_rows():
        assert shares.filter(kind=kind)["share"].sum() == pytest.approx(whole, rel=1e-6)
    assert link_use(gather.study_of(result)).table["variant"].unique().to_list() == ["par"]


def test_rates_of_counters_add_up_to_what_they_counted():
    rows = [
        {"port": port, "counter": name, "unit": "flits", "time_ns": time, "value": scale * time}
        for port in (0, 1)
        for name, scale in (("much", 4), ("little", 1), ("nothing", 0))
        for time in (0, 10, 25)
    ]
    found = rates(pl.DataFrame(rows), most=2)
    assert found["counter"].to_list() == ["much", "much", "little", "little"]
    assert found["time_ns"].to_list() == [10, 25] * 2
    assert found["rate"].to_list() == [8.0, 8.0, 2.0, 2.0]


def picture(name, table):
    return Picture(name=name, title="", caption="", alternative="", svg=b"", png=b"", width=1.0,
                   table=table)  # fmt: skip


def test_plots_to_zoom_into_hold_every_curve():
    rows = [{"variant": f"<v{v}>", "job": job, "time_ns": t, "throughput_gb_per_s": t / 3}
            for v in range(10) for job in ("a", "b") for t in range(4)]  # fmt: skip
    text = interactive.plot(picture("throughput", pl.DataFrame(rows)))
    assert "<" not in text
    assert text.count('"type":"scatter"') == 20
    assert text.count("legendonly") == 8
    assert "0.333333" in text
    assert interactive.plot(picture("congestion", pl.DataFrame(rows))) == ""


def test_without_plotly_the_package_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    assert cli.main(["report", str(tmp_path), "--interactive"]) == 2
    assert "pip install 'odonata[interactive]'" in capsys.readouterr().err
