"""Traffic classes on the megafly do what the study found (Mubarak et al. 2019, section VI)."""

from __future__ import annotations

import json

import polars as pl
import pytest


@pytest.fixture
def points(odonata, scenarios, tmp_path):
    """Runs a committed scenario and gives the folder of each point of its sweep, by name."""

    def points(name):
        done = odonata("run", scenarios / f"{name}.toml", "--out", name, "--quiet")
        assert done.returncode == 0, done.stderr
        return {folder.name: folder for folder in (tmp_path / name / "runs").iterdir()}

    return points


def slowdown(folder):
    summary = json.loads((folder / "summary.json").read_text())
    victim = next(job for job in summary["jobs"] if job["name"] == "victim")
    assert victim["ranks_finished"] == victim["ranks"]
    return victim["slowdown"]


def test_priority_takes_the_slowdown_away_and_helps_collectives(points):
    slow = {name: slowdown(folder) for name, folder in points("megafly-qos-small").items()}
    none = slow["class=low,collective_class=low"]
    whole_job = slow["class=high,collective_class=high"]
    collectives = slow["class=low,collective_class=high"]
    assert none > 4, slow
    assert whole_job < 1.15, slow
    assert collectives < 0.9 * none, slow


def test_caps_bind_in_windows_shorter_than_the_run(points):
    slow = {name: slowdown(folder) for name, folder in points("megafly-qos-windows").items()}
    assert slow["window=5-ms"] < 1.15, slow
    assert slow["window=20-us"] > 1.3, slow
    assert slow["window=5-us"] > 1.3, slow


def test_classes_share_a_contended_link_by_their_caps(points):
    folders = points("megafly-qos-shares")
    assert len(folders) == 3
    for name, folder in folders.items():
        links = pl.read_parquet(folder / "links.parquet").filter(pl.col("kind") == "global")
        busy = links.filter(pl.col("congestion_index") > 0.99)["link"].to_list()
        assert len(busy) == 2, name
        classes = pl.read_parquet(folder / "link_classes.parquet")
        for link in busy:
            of_link = classes.filter(pl.col("link") == link)
            share = dict(of_link.select("class", "bytes").iter_rows())
            total = sum(share.values())
            assert share["high"] / total == pytest.approx(0.30, rel=0.01), (name, link)
            assert share["low"] / total == pytest.approx(0.70, rel=0.01), (name, link)
