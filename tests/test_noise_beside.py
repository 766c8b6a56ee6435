"""``odonata noise --beside``: what is published of a machine beside one's own numbers."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from odonata import noise
from odonata.cli import main
from odonata.core.errors import MeasurementError
from odonata.output.noise import beside
from odonata.scenario.presets import presets

DATA = Path(__file__).parent / "data" / "noise"
PING = str(DATA / "netgauge" / "ng_netnoise_mpi_lat.out")
GPCNET = str(DATA / "gpcnet" / "network_load_test.txt")
TOPICS = ("latency", "dispersion", "tail", "gpcnet", "slowdown")
"""What is asked of every machine."""


def test_every_number_has_a_source_and_every_gap_says_so():
    table = beside.every()
    known = table.filter(pl.col("value").is_not_null())
    assert len(known) > 200
    assert known["source"].null_count() == known["unit"].null_count() == 0
    assert known["statistic"].is_in(beside.STATISTICS).all()
    assert (known["value"] > 0).all()
    gaps = table.filter(pl.col("value").is_null())
    assert gaps.select("source", "unit", "statistic").null_count().row(0) == (len(gaps),) * 3
    assert gaps["quantity"].is_in(TOPICS).all()


@pytest.mark.parametrize("machine", beside.every()["machine"].unique().sort())
def test_a_topic_has_a_number_or_a_row_that_says_that_it_has_none(machine):
    rows = beside.every().filter(machine=machine)
    has = rows.filter(pl.col("value").is_not_null())
    there = {
        "latency": has.filter(quantity="latency", statistic="median"),
        "dispersion": has.filter(statistic="qcd"),
        "tail": has.filter(pl.col("statistic").is_in(["p99", "max/median", "slowdown-p99"])),
        "gpcnet": has.filter(pl.col("quantity").str.starts_with("gpcnet")),
        "slowdown": has.filter(pl.col("statistic").is_in(["slowdown", "impact"])),
    }
    gaps = set(rows.filter(pl.col("value").is_null())["quantity"])
    for topic in TOPICS:
        if topic == "slowdown" and machine.startswith(("slingshot", "frontier")):
            continue  # of GPCNeT's victims, which has a topic of its own
        assert (len(there[topic]) > 0) != (topic in gaps), topic


def test_machines_are_called_as_their_presets():
    names = set(beside.every()["machine"])
    assert names - set(presets()) == {"cresco8", "slingshot-64"}


def test_a_fabric_has_all_its_machines():
    known, missing = beside.published("Aries")
    assert set(known["machine"]) | set(missing["machine"]) == {
        "piz-daint", "cori", "edison", "theta",
    }  # fmt: skip
    with pytest.raises(MeasurementError, match="Did you mean `leonardo`"):
        beside.published("leonrdo")


def test_own_numbers_are_those_of_the_other_tables():
    found = noise.findings(noise.read(PING).frame)
    (own,) = beside.own(found).iter_rows(named=True)
    (row,) = found.series.iter_rows(named=True)
    assert (own["quantity"], own["bytes"], own["unit"]) == ("latency", 1, "ns")
    assert own["median"] == row["median"]
    assert own["qcd"] == row["quartile_dispersion"]
    means = beside.own(noise.findings(noise.read(DATA / "osu" / "allreduce.txt").frame))
    assert set(means["quantity"]) == {"allreduce"}, "by the name of the test"
    assert means.filter(bytes=8)["mean"].item() == pytest.approx(11573.3, abs=0.1)


def test_the_piz_daint_figures_are_those_of_the_page(repository):
    page = (repository / "docs" / "noise.md").read_text("utf-8")
    known, _ = beside.published("piz-daint")
    apart = known.filter(quantity="latency", bytes=1, distance="other rack").row(0, named=True)
    assert f"| {apart['median'] / 1e3:.2f} us | {apart['qcd']:.3f} " in page
    assert f"| {apart['p99'] / 1e3:.0f} us | 1,145.8 |" in page
    assert apart["max/median"] == 1145.8


def test_both_sides_stand_in_one_table(capsys):
    assert main(["noise", GPCNET, "--beside", "slingshot-64"]) == 0
    shown = capsys.readouterr().out
    table = shown[shown.index("gpcnet-allreduce") :]
    assert [line.split()[0] for line in table.splitlines()[4:8]] == [
        "slingshot-64", "slingshot-64", "yours", "yours",
    ]  # fmt: skip
    assert "No published number of slingshot-64 was found: latency, dispersion, slowdown." in shown
    assert "public output of GPCNeT 1.3" in shown
    assert main(["noise", PING, "--beside", "alps", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ran"] is None
    assert said["yours"][0]["median"] == 1928.0
    assert {row["machine"] for row in said["published"]} == {"alps"}
    assert {"machine": "alps", "quantity": "gpcnet"} in said["not_published"]


def test_the_preset_is_simulated_beside_them(capsys):
    assert main(["noise", PING, "--beside", "theta", "--simulate", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rows = {(row["distance"], row["condition"]): row for row in said["simulated"]}
    assert len(rows) == 8, "three pairs and an allreduce, alone and beside"
    alone = [rows[where, "alone"]["median"] for where in
             ("same switch", "same group", "other group")]  # fmt: skip
    assert alone == sorted(alone)
    assert alone[0] < alone[2] - 100, "the cables between groups alone take 100 ns"
    assert rows["allreduce", "beside"]["slowdown"] > 1.5, "credits alone: Aries"
    assert rows["allreduce", "beside"]["nodes"] == "16"
    assert "on the preset `theta`" in said["ran"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--beside", "lumy"], "Did you mean `lumi`?"),
        (["--simulate"], "add --beside MACHINE"),
        (["--beside", "cresco8", "--simulate"], "no preset is called `cresco8`"),
        (["--beside", "lumi", "--against", PING], "--against and --beside are two questions"),
    ],
)
def test_mistakes_are_named(capsys, words, said):
    assert main(["noise", PING, *words]) == 2
    assert said in capsys.readouterr().err
