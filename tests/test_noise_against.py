"""Measured means against simulated runs and each other, by size; and what has no partner."""

from __future__ import annotations

import json
import shlex

import numpy as np
import polars as pl
import pytest

import odonata as package
from odonata import noise
from odonata.analysis.frames import AnalysisError
from odonata.analysis.impact import mean_interval
from odonata.errors import MeasurementError
from odonata.output.noise.matching import Key, matched

TITLE = "MPI Allreduce Latency Test"


def osu(name, rows, title=TITLE):
    lines = "".join(f"{size}    {mean:.2f}\n" for size, mean in rows)
    name.write_text(f"# OSU {title} v7.4\n# Size       Avg Latency(us)\n{lines}")
    return name


def scenario(workload, **sweep):
    return package.Scenario.from_mapping({
        "schema": 1, "name": "sizes", "seed": 1,
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "par"},
        "jobs": [{"name": "mine", "placement": "random-node", "workload": workload}],
        "sweep": {"jobs.mine.workload.message": ["8 B", "1 KiB"], **sweep},
    })  # fmt: skip


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """An allreduce of two sizes, without replicas."""
    folder = tmp_path_factory.mktemp("against") / "sizes"
    return package.run(scenario({"kind": "allreduce", "ranks": 8, "iterations": 30}), out=folder)


def test_a_condition_that_a_side_does_not_state_agrees_with_any():
    alone, beside = (Key("a", name, "comm_time", "ns", 8) for name in ("alone", "beside"))
    stated = Key("a", None, "latency", "ns", 8)
    assert matched([stated], [alone, beside]) == [(stated, alone), (stated, beside)]
    assert matched([alone], [alone, beside]) == [(alone, alone)]
    assert matched([stated], [alone._replace(bytes=16)]) == []
    assert matched([stated], [alone._replace(quantity="bandwidth")]) == []


def test_simulated_series_have_the_size_of_their_messages(swept):
    frame = noise.form_of(swept)
    times = frame.filter(pl.col("quantity") == "comm_time")
    assert times["bytes"].unique().sort().to_list() == [8, 1024]


def test_a_ping_pong_is_stated_as_half_a_round_trip():
    result = package.run(scenario({"kind": "ping-pong", "ranks": 4, "iterations": 5}))
    run = next(iter(result.runs.values()))
    table = run.table("iterations").filter(pl.col("rank") < 2)
    found = noise.form_of(run).filter(pl.col("quantity") == "latency")
    assert found["rank"].unique().sort().to_list() == [0, 1]
    assert found["value"].to_list() == pytest.approx((table["comm_time_ns"] / 2).to_list())
    whole = noise.form_of(run, as_benchmarks=False)
    assert "latency" not in whole["quantity"].to_list()


def test_bandwidth_of_gpcnet_rings_is_that_of_the_benchmark():
    given = scenario({"kind": "gpcnet-bandwidth", "ranks": 4, "rings": 2, "iterations": 2})
    run = next(iter(package.run(given).runs.values()))
    times = run.table("iterations")["comm_time_ns"]
    found = noise.form_of(run).filter(pl.col("quantity") == "bandwidth")
    assert found["unit"].unique().to_list() == ["B/s"]
    assert found["value"].to_list() == pytest.approx((16 * 8 / times * 1e9).to_list())


def test_ratios_of_means_of_two_outputs(tmp_path):
    one = osu(tmp_path / "one", [(8, 3.0), (1024, 6.0), (4096, 9.0)])
    two = osu(tmp_path / "two", [(8, 2.0), (1024, 8.0)])
    found = noise.against(noise.read(one).frame, noise.read(two).frame)
    assert found.medians.is_empty()
    assert found.means.select("bytes", "mean_ratio", "verdict").rows() == [
        (8, pytest.approx(1.5), None), (1024, pytest.approx(0.75), None)
    ]  # fmt: skip
    assert found.notes == [f"Not compared for `{TITLE}`: 4096 B on the first side only."]


def test_repetitions_give_an_interval(tmp_path):
    logs = []
    for name, means in (("one", (9.0, 10.0, 11.0)), ("two", (4.9, 5.0, 5.1))):
        parts = [osu(tmp_path / f"{name}{at}", [(8, mean)]).read_text()
                 for at, mean in enumerate(means)]  # fmt: skip
        logs.append(tmp_path / name)
        logs[-1].write_text("".join(parts))
    row = noise.against(*(noise.read(log).frame for log in logs)).means.row(0, named=True)
    assert row["mean_ratio"] == pytest.approx(2.0)
    # Student's t with 2 degrees of freedom: 10 +- 4.303 / sqrt(3) and 5 +- 0.4303 / sqrt(3).
    assert row["mean_ratio_low"] < 2.0 * (1 - 0.24)
    assert row["mean_ratio_high"] > 2.0 * (1 + 0.24)
    assert (row["count"], row["verdict"]) == (3, "higher")


def test_measured_means_against_a_simulated_sweep(tmp_path, swept):
    frame = noise.form_of(swept)
    rows = []
    for size in (8, 1024):
        times = frame.filter((pl.col("bytes") == size) & (pl.col("quantity") == "comm_time"))
        rows.append((size, 2.0 * times["value"].mean() / 1e3))
    measured = noise.read(osu(tmp_path / "osu", rows)).frame
    found = noise.against(measured, frame, match=[f"{TITLE}=mine"])
    assert found.means["condition"].to_list() == ["alone", "alone"]
    assert found.means["count_against"].to_list() == [30, 30]
    assert found.means["mean_ratio"].to_list() == pytest.approx([2.0, 2.0], rel=0.01)


def test_replicas_are_one_source_and_variants_are_not(tmp_path):
    given = scenario({"kind": "allreduce", "ranks": 8, "iterations": 3}, seed=[1, 2, 3],
                     **{"routing.algorithm": ["minimal", "par"]})  # fmt: skip
    frame = noise.form_of(package.run(given, out=tmp_path / "many"))
    measured = noise.read(osu(tmp_path / "osu", [(8, 3.0)])).frame
    found = noise.against(measured, frame, match=[f"{TITLE}=mine"]).means
    assert len(found) == 2
    assert found["count_against"].to_list() == [3, 3]
    for row in found.iter_rows(named=True):
        algorithm = "minimal" if "minimal" in row["source_against"] else "par"
        runs = frame.filter(
            pl.col("source").str.contains(f"algorithm={algorithm}")
            & (pl.col("bytes") == 8) & (pl.col("quantity") == "comm_time")
        )  # fmt: skip
        means = runs.group_by("source").agg(pl.col("value").mean())["value"]
        assert row["mean_against"] == pytest.approx(means.mean())


def test_what_has_no_partner_is_listed_with_what_to_type(tmp_path, swept):
    measured = noise.read(osu(tmp_path / "osu", [(8, 3.0)])).frame
    renamed = noise.form_of(swept).with_columns(series=pl.lit("allreduce"))
    with pytest.raises(AnalysisError) as caught:
        noise.against(measured, renamed)
    message = str(caught.value)
    assert "no series is on both sides" in message
    assert f"`{TITLE}`" in message
    assert "`allreduce`" in message
    assert f"--match '{TITLE}=allreduce'" in message
    other = noise.read(osu(tmp_path / "64", [(64, 3.0)])).frame
    with pytest.raises(AnalysisError, match=r"has latency of 64 B on the first side and comm_time"):
        noise.against(other, renamed, match=[f"{TITLE}=allreduce"])


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("allreduce", "names one series"),
        ("MPI Allreduse Latency Test=mine", f"Did you mean `{TITLE}`"),
        (f"{TITLE}=mime", "Did you mean `mine`"),
    ],
)
def test_pairs_that_name_nothing_are_refused(tmp_path, swept, pair, words):
    measured = noise.read(osu(tmp_path / "osu", [(8, 3.0)])).frame
    with pytest.raises(MeasurementError, match=words):
        noise.against(measured, noise.form_of(swept), match=[pair])


def test_the_command_compares_and_names_what_it_does_not(odonata, tmp_path, swept):
    log = osu(tmp_path / "osu", [(8, 3.0), (1024, 6.0)])
    log.write_text(
        log.read_text() + osu(tmp_path / "x", [(8, 1.0)], "MPI Latency Test").read_text()
    )
    other = ("--against", swept.directory)
    refused = odonata("noise", log, *other)
    assert refused.returncode == 2
    assert "--match '" in refused.stderr
    done = odonata("noise", log, *other, "--match", f"{TITLE}=mine")
    assert done.returncode == 0, done.stderr
    assert f"{TITLE} against mine, alone" in done.stdout
    assert "Not compared: `MPI Latency Test` on the first side." in done.stdout
    chosen = odonata("noise", log, *other, "--match", f"{TITLE}=mine", "--series", TITLE, "--json")
    found = json.loads(chosen.stdout)
    assert [row["bytes"] for row in found["compared_means"]] == [8, 1024]
    assert found["notes"] == []
    alone = odonata("noise", log, "--match", f"{TITLE}=mine")
    assert alone.returncode == 2
    assert "--against" in alone.stderr


def test_measured_samples_are_compared_with_simulated_ones(swept):
    times = noise.form_of(swept).filter(pl.col("quantity") == "comm_time")
    slow = times.with_columns(
        pl.col("value") * 2, condition=pl.lit(None, pl.String), world=pl.lit("measured"),
        source=pl.lit("allocation"),
    )  # fmt: skip
    found = noise.against(slow, times)
    assert found.means.is_empty()
    assert found.medians["bytes"].to_list() == [8, 1024]
    assert found.medians["median_ratio"].to_list() == pytest.approx([2.0, 2.0])


def test_the_numbers_of_the_page_are_those_of_the_commands(odonata, repository, tmp_path):
    page = (repository / "docs" / "how-to" / "compare-with-measurements.md").read_text("utf-8")
    blocks = [block.partition("\n```")[0] for block in page.split("```")[1::2]]
    shown = []
    for language, _, text in (block.partition("\n") for block in blocks):
        if text.startswith("# file: "):
            (tmp_path / text.split()[2]).write_text(text)
        elif language == "" and "measured/JOB" not in text:
            done = odonata(*shlex.split(text)[1:], cwd=tmp_path)
            assert done.returncode == 0, (text, done.stderr)
            shown += [line.split() for line in done.stdout.splitlines()]
        elif language == "text":
            for line in text.strip().splitlines()[1:]:
                assert line.split() in shown, line
    assert shown


def test_counters_alone_are_not_compared(repository):
    frame = noise.read(repository / "tests" / "data" / "noise" / "ldms").frame
    with pytest.raises(AnalysisError, match="the first side has no times and no bandwidths"):
        noise.against(frame, frame)


def test_samples_of_replicas_are_compared_by_their_means_and_one_by_one(tmp_path):
    given = scenario({"kind": "allreduce", "ranks": 8, "iterations": 8}, seed=[1, 2, 3])
    frame = noise.form_of(package.run(given, out=tmp_path / "many"))
    times = frame.filter(pl.col("quantity") == "comm_time")
    slow = times.filter(pl.col("source").str.contains("seed=1")).with_columns(
        pl.col("value") * 3, condition=pl.lit(None, pl.String), world=pl.lit("measured"),
        source=pl.lit("allocation"),
    )  # fmt: skip
    found = noise.against(slow, frame)
    assert found.notes == []
    assert len(found.medians) == 2 * 3
    for row in found.medians.iter_rows(named=True):
        theirs = times.filter(
            (pl.col("source") == row["source_against"]) & (pl.col("bytes") == row["bytes"])
        )
        slowest = theirs.group_by("iteration").agg(pl.col("value").max())["value"]
        assert row["median_against"] == pytest.approx(slowest.median())
    assert found.means["count_against"].to_list() == [3, 3]
    for row in found.means.iter_rows(named=True):
        runs = times.filter(pl.col("bytes") == row["bytes"]).group_by("source")
        means = dict(runs.agg(pl.col("value").mean()).iter_rows())
        first = next(mean for source, mean in means.items() if "seed=1" in source)
        assert row["mean_ratio"] == pytest.approx(3.0 * first / (sum(means.values()) / 3))


def test_medians_and_tails_are_stated_where_there_are_single_values(odonata, tmp_path):
    log = osu(tmp_path / "osu", [(8, 3.0)])
    values = np.random.default_rng(1).exponential(500.0, 400) + 2000.0
    mine = noise.table(source="here", series="allreduce", quantity="latency", unit="ns",
                       statistic="sample", bytes=8, value=values)  # fmt: skip
    mine.write_csv(tmp_path / "mine.csv")
    arguments = (log, "--against", tmp_path / "mine.csv", "--match", f"{TITLE}=allreduce")
    (row,) = json.loads(odonata("noise", *arguments, "--json").stdout)["compared_series"]
    assert row["median"] == pytest.approx(np.median(values))
    assert row["p99"] == pytest.approx(np.quantile(values, 0.99), rel=0.05)
    shown = odonata("noise", *arguments).stdout
    assert "Noise of the second side" in shown
    assert f"{row['median'] / 1e3:.2f}" in shown


@pytest.mark.parametrize(("first", "second", "low"), [(3, 3, 0.96), (3, 40, 0.93), (10, 10, 0.94)])
def test_ratios_of_means_contain_the_truth(first, second, low):
    # The page: 95 to 99.5 %. Below `low` by chance with less than 1 in 10,000 of 1,000 samples.
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(1000):
        one = mean_interval(rng.normal(2.0, 0.1, first), ordered=False)
        other = mean_interval(rng.normal(1.0, 0.05, second), ordered=False)
        hits += one.over(other).contains(2.0)
    assert hits / 1000 > low - 0.007
