"""The interactive view: what is in the page, and what it refuses."""

from __future__ import annotations

import base64
import gzip
import json
import re

import numpy as np
import polars as pl
import pytest

import wirings
from odonata import load, run, view
from odonata.cli import main
from odonata.errors import RunError
from odonata.output.plots.layout import layout
from odonata.output.view.content import content
from odonata.output.view.page import render, scale

HALO = {"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "16 KiB", "iterations": 2}
SCENARIO = {
    "name": "<script> & <b>halo",
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "par"},
    "jobs": [
        {"name": "<i>victim", "role": "victim", "workload": HALO, "placement": "random-node"},
        {"name": "other", "role": "aggressor", "workload": {**HALO, "ranks": 27, "grid": [3, 3, 3]},
         "placement": "random-node"},
    ],
    "telemetry": {"blame": True, "link_series": True, "series_bin": "200 ns"},
}  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("view") / "run"
    run(SCENARIO, out=folder, baseline=False)
    return folder


@pytest.fixture(scope="module")
def result(results):
    return load(results)


@pytest.fixture(scope="module")
def page(result):
    return render(content(result))


def given(page):
    """Facts and columns, read from the page as a browser does."""
    text = re.search(r'id="facts">(.*?)</script>', page, re.DOTALL).group(1)
    found = json.loads(text)
    packed = re.search(r'id="columns">(.*?)</script>', page, re.DOTALL).group(1)
    data = gzip.decompress(base64.b64decode(packed))
    columns = {
        name: np.frombuffer(data, kind.removesuffix("Array").lower(), length, start)
        for name, (kind, start, length) in found["index"].items()
    }
    return found["facts"], columns


def test_links_over_time_add_up_to_the_links(result):
    links = result.table("links")
    over_time = result.table("link_series")
    assert 16 < over_time["time_ns"].n_unique() <= 128
    assert (over_time["busy_ns"] <= over_time["bin_ns"] + 1e-6).all()
    summed = over_time.group_by("link").agg(pl.col("bytes", "busy_ns", "stall_ns").sum())
    both = links.join(summed, on="link", how="left", suffix="_summed").fill_null(0)
    assert both["bytes"].equals(both["bytes_summed"].alias("bytes"))
    for name in ("busy_ns", "stall_ns"):
        assert both[name].sum() > 0
        assert np.allclose(both[name], both[f"{name}_summed"], atol=1e-6)
    jobs = result.table("link_job_series").group_by("link", "job").agg(pl.col("bytes").sum())
    assert jobs.sort("link", "job").equals(
        result.table("link_jobs").select("link", "job", "bytes").sort("link", "job")
    )


def test_they_cost_nothing_unless_asked_for(tmp_path):
    plain = run({**SCENARIO, "telemetry": {}}, out=tmp_path / "plain", baseline=False)
    assert not {"link_series", "link_job_series"} & set(plain.tables())
    facts, columns = given(render(content(plain)))
    assert facts["times"] is None
    assert facts["has_blame"] is False
    assert "busy_bin" not in columns


def test_the_page_says_what_the_tables_say(result, page):
    facts, columns = given(page)
    links = result.table("links")
    assert columns["link"].tolist() == links["link"].to_list()
    assert columns["link_bytes"].tolist() == links["bytes"].to_list()
    assert [job["name"] for job in facts["jobs"]] == ["<i>victim", "other"]
    routers = columns["router"][columns["link_source"]]
    assert routers.tolist() == links["source_router"].to_list()
    hosts = columns["link_to_node"] == 1
    nodes = columns["node"][columns["link_target"][hosts]]
    assert nodes.tolist() == links.filter(pl.col("kind") == "host")["target_node"].to_list()
    ranks = result.table("ranks")
    assert (columns["node_job"] == 0).sum() == ranks.filter(pl.col("job") != "other").height
    blame = result.table("blame")
    assert columns["blame_ns"].sum() == pytest.approx(blame["ns"].sum(), rel=1e-5)
    assert columns["blame_through_ns"].sum() == pytest.approx(blame["through_ns"].sum(), rel=1e-5)
    bin_ns, busy = facts["times"]["bin_ns"], result.table("link_job_series")
    assert columns["busy_share"].sum() / 65535 * bin_ns == pytest.approx(
        busy["busy_ns"].sum(), rel=1e-3
    )
    assert columns["busy_bin"].max() < facts["times"]["bins"]


def test_the_page_needs_nothing_else_and_names_are_text(page):
    program = page.replace("http://www.w3.org/", "")
    head = program.partition('id="facts"')[0]
    assert not re.search(r"(?:src|href)\s*=|https?://|@import|url\(", head)
    assert "<b>halo" not in page
    assert "<script> &" not in page
    assert page.count("<script") == 4 == page.count("</script")


def test_the_same_results_give_the_same_page(result, page):
    assert render(content(result)) == page


def test_many_rows_become_wider_bins(result, monkeypatch):
    monkeypatch.setattr("odonata.output.view.overtime._MOST_ROWS", 1500)
    facts, columns = given(render(content(result)))
    assert len(columns["busy_bin"]) + len(columns["stall_bin"]) <= 1500
    width = result.table("link_series")["bin_ns"][0]
    assert facts["times"]["bin_ns"] / width in {2, 4, 8, 16, 32}
    whole = columns["busy_share"].sum() / 65535 * facts["times"]["bin_ns"]
    assert whole == pytest.approx(result.table("links")["busy_ns"].sum(), rel=1e-2)


# Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009: what is seen without one kind of cones.
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
    "none": np.eye(3).tolist(),
}  # fmt: skip


def lightness(colours):
    """CIE L* of linear colours."""
    share = np.clip(colours, 0, 1) @ [0.2126, 0.7152, 0.0722]
    return np.where(share > 216 / 24389, 116 * np.cbrt(share) - 16, share * 24389 / 27)


@pytest.mark.parametrize("kind", BLINDNESS)
def test_higher_is_lighter_for_every_kind_of_eyes(kind):
    plain = np.array(scale()) / 255
    linear = np.where(plain <= 0.04045, plain / 12.92, ((plain + 0.055) / 1.055) ** 2.4)
    seen = lightness(linear @ np.array(BLINDNESS[kind]).T)
    assert (np.diff(seen) > -0.4).all()
    assert seen[-1] - seen[0] > 55
    assert seen[0] > 12  # the ground has 6


@pytest.mark.parametrize("make", [wirings.dragonfly, wirings.aries, wirings.megafly])
def test_no_three_routers_of_a_grid_stand_on_a_line(make):
    group = layout(make(), bowed=True).groups[0]
    spots = np.array(list(group.places.values()))
    assert (np.abs(spots) <= 1 + 1e-9).all()
    assert len(np.unique(spots.round(9), axis=0)) == len(spots)
    if group.style != "grid":
        return
    for at, one in enumerate(spots):
        for two in spots[at + 1 :]:
            away = np.abs(
                np.cross(np.append(two - one, 0), np.c_[spots - one, np.zeros(len(spots))])[:, 2]
            )
            assert (away > 1e-6).sum() == len(spots) - 2


def test_from_the_command_line(results, tmp_path, capsys):
    assert main(["view", str(results), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["view"] == str(results / "view.html")
    assert main(["view", str(results)]) == 0  # a page of ours is replaced
    capsys.readouterr()
    foreign = tmp_path / "mine.html"
    foreign.write_text("mine")
    assert main(["view", str(results), "--out", str(foreign)]) == 2
    assert foreign.read_text() == "mine"
    assert "no view of Odonata" in capsys.readouterr().err


def test_without_results(tmp_path, capsys):
    assert main(["view", str(tmp_path)]) == 2
    assert main(["view", str(tmp_path / "no")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_without_links_or_with_damaged_ones(result, tmp_path):
    def damaged(frame):
        return type(result)(summary=result.summary, frames={"ranks": result.table("ranks"),
                                                            "links": frame})  # fmt: skip

    links = result.table("links")
    for frame in (links.clear(), links.drop("kind"), links.with_columns(busy_ns=pl.lit("x"))):
        with pytest.raises(RunError):
            view.write(damaged(frame), tmp_path / "view.html")
    assert not (tmp_path / "view.html").exists()
