"""The command line end to end, as a user starts it, on a 72-node system."""

from __future__ import annotations

import csv
import json

import polars as pl
import pytest

import odonata as package
from examples import jobs, open_loop
from odonata.cli import main
from odonata.scenario.text import to_toml


@pytest.fixture
def write(tmp_path):
    def write(data, name="s.toml"):
        file = tmp_path / name
        file.write_text(to_toml(data))
        return file

    return write


def test_a_victim_runs_beside_others_and_alone(odonata, write, tmp_path):
    done = odonata("run", write(jobs()), "--out", "there")
    assert done.returncode == 0, done.stderr
    assert "slowdown" in done.stdout
    result = package.load(tmp_path / "there")
    assert result.stop == "finished"
    job = result.jobs["halo"]
    assert job.slowdown == pytest.approx(job.comm_time_ns / job.baseline_comm_time_ns)
    assert job.slowdown >= 1
    assert result.jobs["noise"].slowdown is None
    alone = result.baselines["halo"]
    assert alone.jobs["halo"].comm_time_ns == job.baseline_comm_time_ns
    same_nodes = [
        run.table("ranks").filter(pl.col("job") == "halo")["node"].to_list()
        for run in (result, alone)
    ]
    assert same_nodes[0] == same_nodes[1]
    assert len(same_nodes[0]) == 27
    frame = result.table("jobs")
    assert frame["slowdown"][0] == job.slowdown
    assert "baseline_comm_time_ns_mean" in frame.columns


def test_tables_have_the_documented_columns(odonata, write, tmp_path):
    assert odonata("run", write(jobs(telemetry={"packet_sample": 10}))).returncode == 0
    result = package.load(tmp_path / "results" / "jobs")
    columns = {
        "ranks": "job rank node bytes_sent messages_sent comm_time_ns mpi_time_ns compute_time_ns "
        "hops_mean",
        "iterations": "job rank iteration start_ns end_ns comm_time_ns",
        "links": "link kind source_router target_router source_group target_group bytes busy_ns "
        "stall_ns saturated_ns congestion_index",
        "link_jobs": "link job bytes packets",
        "series": "time_ns job bytes_injected bytes_delivered latency_ns_mean",
        "latency": "job latency_ns_low latency_ns_high packets",
        "packets": "job source_node target_node created_ns injected_ns delivered_ns bytes hops "
        "minimal path",
    }
    for table, names in columns.items():
        frame = result.table(table)
        assert set(names.split()) <= set(frame.columns), table
        assert frame.height > 0, table
    summary = result.summary
    assert summary["schema"] == 1
    assert summary["odonata_version"] == package.__version__
    assert len(summary["scenario_hash"]) == 64
    engine = "wall_s cpu_s threads packets packet_hops packet_hops_per_s rss_bytes_max"
    assert set(engine.split()) <= set(summary["engine"])
    metadata = pl.read_parquet_metadata(result.directory / "links.parquet")
    assert metadata["scenario_hash"] == summary["scenario_hash"]
    assert metadata["seed"] == "3"
    assert metadata["odonata_version"] == package.__version__


def test_open_loop_traffic_accepts_what_is_offered(odonata, write):
    done = odonata("run", write(open_loop()), "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    network = summary["network"]
    assert network["offered_load"] == pytest.approx(0.4, rel=0.05)
    assert network["accepted_load"] == pytest.approx(network["offered_load"], rel=0.05)
    latency = network["packet_latency_ns"]
    assert latency["p50"] <= latency["p95"] <= latency["p99"] <= latency["max"]


def test_a_sweep_has_an_index_and_shares_baselines(odonata, write, tmp_path):
    sweep = {"routing.algorithm": ["minimal", "par"], "jobs.1.workload.iterations": [1, 2]}
    done = odonata("run", write(jobs(sweep=sweep)), "--out", "s", "--json")
    assert done.returncode == 0, done.stderr
    # Four runs; the aggressor is silent in the baselines: one per routing.
    assert done.stderr.count("alone:") == 2
    assert [run["run"] for run in json.loads(done.stdout)["runs"]] == [
        f"algorithm={algorithm},iterations={count}" for algorithm in ("minimal", "par")
        for count in (1, 2)
    ]  # fmt: skip
    result = package.load(tmp_path / "s")
    assert result.index["routing.algorithm"].to_list() == ["minimal", "minimal", "par", "par"]
    assert result.index["stop"].to_list() == ["finished"] * 4
    assert all(run.jobs["halo"].slowdown for run in result.runs.values())
    assert not list(tmp_path.glob("s/**/.*"))


def test_a_run_replaces_an_earlier_one_and_nothing_else(odonata, write, tmp_path):
    out = tmp_path / "out"
    assert odonata("run", write(jobs()), "--out", out).returncode == 0
    (out / "notes.txt").write_text("mine")
    done = odonata("run", write(open_loop()), "--out", out)
    assert done.returncode == 2
    assert "another scenario" in done.stderr
    assert "--overwrite" in done.stderr
    assert package.load(out).jobs.keys() == {"halo", "noise"}
    assert odonata("run", write(open_loop()), "--out", out, "--overwrite").returncode == 0
    assert not (out / "baseline-halo").exists()
    assert package.load(out).jobs.keys() == {"uniform"}
    assert (out / "notes.txt").read_text() == "mine"
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine")
    done = odonata("run", write(open_loop()), "--out", foreign)
    assert done.returncode == 2
    assert "--out" in done.stderr
    assert [entry.name for entry in foreign.iterdir()] == ["thesis.txt"]


def test_the_resolved_scenario_runs_again_to_the_same_tables(odonata, write, tmp_path):
    assert odonata("run", write(jobs()), "--out", "a").returncode == 0
    again = tmp_path / "a" / "scenario.resolved.toml"
    assert odonata("run", again, "--out", "b").returncode == 0
    for file in sorted((tmp_path / "a").glob("*.parquet")):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes(), file.name


def test_without_baseline_and_quiet(odonata, write, tmp_path):
    done = odonata("run", write(jobs()), "--out", "q", "--quiet", "--no-baseline")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "q" / "baseline-halo").exists()


def test_check_prints_the_resolved_scenario_and_a_forecast(odonata, write, tmp_path):
    done = odonata("check", write(jobs()))
    assert done.returncode == 0, done.stderr
    assert 'latency = "300 ns"' in done.stdout
    assert "virtual channels" in done.stdout
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]
    report = json.loads(odonata("check", write(jobs()), "--json").stdout)
    assert report["runs"][0]["scenario"]["routing"]["algorithm"] == "par"


def test_collectives_are_shown_by_collective_and_by_algorithm(odonata):
    done = odonata("show", "collective", "scan", "--json")
    assert [row["name"] for row in json.loads(done.stdout)["entries"]] == [
        "scan/linear", "scan/recursive-doubling", "scan/mpich", "scan/openmpi", "scan/nccl-like",
    ]  # fmt: skip
    done = odonata("show", "collective", "ring")
    assert "allreduce/ring" in done.stdout
    assert "2 n (n - 1) messages" in odonata("show", "collective", "allreduce/ring").stdout
    done = odonata("show", "collective", "rnig")
    assert done.returncode == 2
    assert "Did you mean `ring`" in done.stderr
    assert "12,288 B" in odonata("show", "profile", "mpich").stdout


def test_a_scenario_follows_the_choice_of_a_library(odonata, tmp_path):
    scenario = tmp_path / "a.toml"
    scenario.write_text(
        """schema = 1
name = "a"
[system]
preset = "dragonfly(2, 4, 2, 9)"
[system.mpi]
preset = "ideal"
[routing]
algorithm = "minimal"
[[jobs]]
name = "a"
workload = { kind = "allreduce", ranks = 12, message = "20000 B" }
"""
    )
    # Formulas of docs/model/collectives.md for 12 ranks: one message is one of MPI.
    for choice, messages in (
        ("collectives=firefly", 22),
        ("collectives=mpich", 2 * 8 * 3 + 2 * 4),
        ("collectives=openmpi", 2 * 12 * 11),
        ("collectives=nccl-like", 44),
        ("allreduce=bine", 8 * 3 + 2 * 4),
    ):
        key, _, value = choice.partition("=")
        out = tmp_path / value
        done = odonata("run", str(scenario), "--set", f"system.mpi.{key}={value}", "--out",
                       str(out), "--no-baseline", "--quiet")  # fmt: skip
        assert done.returncode == 0, done.stderr
        summary = json.loads((out / "summary.json").read_text())
        assert summary["jobs"][0]["messages_sent"] == messages, choice
    done = odonata("check", str(scenario), "--set", "system.mpi.collectives=mpihc")
    assert done.returncode == 2
    assert "mpich" in done.stderr


def test_every_kind_can_be_listed_and_every_entry_shown(odonata, capsys):
    def said(*arguments):
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    kinds = json.loads(said("list", "--json"))["entries"]
    assert {"systems", "routings", "workloads", "placements"} <= {kind["name"] for kind in kinds}
    for kind in kinds:
        entries = json.loads(said("list", kind["name"], "--json"))["entries"]
        assert entries, kind["name"]
        if kind["name"] != "traces":
            name = entries[0]["name"].partition("(")[0]
            assert name in said("show", kind["name"], name)
    done = odonata("show", "routing", "parr")
    assert done.returncode == 2
    assert "Did you mean `par`?" in done.stderr


def test_topo_counts_and_exports_channels(odonata, tmp_path):
    done = odonata("topo", "dragonfly(2, 4, 2, 9)", "--edges", "edges.csv", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["nodes"], summary["routers"], summary["groups"]) == (72, 36, 9)
    with (tmp_path / "edges.csv").open() as file:
        rows = list(csv.DictReader(file))
    # 72 nodes both ways, 36 routers with 3 local and 2 global channels each.
    assert len(rows) == 2 * 72 + 36 * 3 + 36 * 2
    assert odonata("topo", "dragonfly(2, 4, 2, 99)").returncode == 2


def test_version_and_help(odonata):
    assert odonata("--version").stdout.strip() == f"odonata {package.__version__}"
    assert "Exit codes" in odonata("--help").stdout


def test_a_case_of_the_speed_set(odonata):
    done = odonata("bench", "--case", "uniform-1056-minimal-0.3-1t", "--repeats", 1, "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["cases"]
    assert row["packet_hops"] > 1_000_000
    assert row["ns_per_hop"] == pytest.approx(1e9 / row["packet_hops_per_s"])
    assert odonata("bench", "--case", "unifrom").returncode == 2
