"""What a user of a notebook asks of results: pictures, tables, a report, a folder."""

from __future__ import annotations

import re

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

import odonata
from examples import jobs, open_loop
from odonata.errors import RunError
from odonata.output.report.figures import PICTURES
from odonata.results import presentation
from odonata.scenario.shelf import UnknownNameError

PICTURES_OF = {
    "communication", "latency", "tail", "throughput", "congestion", "machine", "link_use", "blame",
    "breakdown", "noise", "slowest_ranks",
}  # fmt: skip


@pytest.fixture(scope="module")
def result():
    table = jobs(telemetry={"blame": True})
    for job in table["jobs"]:
        job["workload"] |= {"iterations": 6, "face": "4 KiB"}
    return odonata.run(table)


@pytest.fixture(scope="module")
def sweep():
    return odonata.run(open_loop(
        sweep={"routing.algorithm": ["minimal", "valiant-node"], "seed": [1, 2, 3]},
        measure={"warm_up": "1 us", "window": "2 us"},
    ))  # fmt: skip


def test_every_picture_of_the_report_can_be_asked_for():
    asks = {name for name in vars(presentation.Plots) if not name.startswith("_")}
    assert len(asks) == len(PICTURES)
    assert asks > PICTURES_OF


def test_pictures_are_figures(result):
    before = dict(mpl.rcParams)
    for name in ("latency", "machine", "breakdown"):
        figure = getattr(result.plot, name)()
        assert isinstance(figure, Figure)
        assert figure.axes
        assert figure._repr_png_().startswith(b"\x89PNG")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("name", "words"),
    [("loads", "runs at several loads"), ("learning", "use q-adaptive"), ("ranking", "sweep")],
)
def test_a_picture_that_cannot_be_says_why(result, name, words):
    with pytest.raises(RunError, match=words):
        getattr(result.plot, name)()


def test_tables_are_frames_of_polars_and_pandas(result):
    links = result.table("links")
    frame = result.pandas("links")
    assert list(frame.columns) == links.columns
    assert frame["bytes"].sum() == links["bytes"].sum()
    assert frame.loc[0, "kind"] == links["kind"][0]
    with pytest.raises(RunError, match="Did you mean `links`"):
        result.pandas("link")


def test_results_in_memory_are_saved_and_reported(result, tmp_path):
    copy = odonata.run(jobs())
    with pytest.raises(RunError, match="in memory only"):
        copy.report()
    assert copy.save(tmp_path / "run") == tmp_path / "run"
    again = odonata.load(tmp_path / "run")
    assert again.summary == copy.summary
    assert again.table("ranks").equals(copy.table("ranks"))
    assert set(again.baselines) == {"halo"}
    # What is saved is what the command line would have written: it is kept, not run again.
    assert odonata.run(jobs(), out=tmp_path / "run").summary == copy.summary
    with pytest.raises(RunError, match="holds results of another scenario"):
        result.save(tmp_path / "run")
    assert (result.directory, copy.directory) == (None, None)
    assert again.save(tmp_path / "moved") == tmp_path / "moved"
    assert again.directory == tmp_path / "run"
    assert odonata.load(tmp_path / "moved").table("links").equals(again.table("links"))
    assert odonata.run(jobs(), out=tmp_path / "moved").summary == copy.summary


def test_sweeps_are_saved(sweep, tmp_path):
    sweep.save(tmp_path / "sweep")
    again = odonata.load(tmp_path / "sweep")
    assert len(again) == 6
    assert again.index.equals(sweep.index)
    assert again.table("links").equals(sweep.table("links"))
    assert (tmp_path / "sweep" / "summary.json").is_file()


def test_notebooks_show_what_matters(result, sweep):
    shown = result._repr_html_()
    assert "<td>halo</td>" in shown
    assert f"{result.jobs['halo'].slowdown:.2f}" in shown
    assert sweep._repr_html_().count("<tr>") == 3
    assert "6 runs, finished" in sweep._repr_html_()
    assert len(repr(result)) < 100


def test_the_registry_is_at_hand():
    registry = odonata.registry
    assert registry.routings["par"].summary
    assert "theta" in registry["systems"]
    assert "bias" in registry.routings.parameters("par")["name"].to_list()
    assert registry.workloads.frame.columns == ["name", "summary"]
    assert "<code>par</code>" in registry.routings._repr_html_()
    assert set(registry) <= set(dir(registry))
    for ask in (lambda: registry["routngs"], lambda: registry.routngs):
        with pytest.raises(UnknownNameError, match="Did you mean `routings`"):
            ask()
    with pytest.raises(UnknownNameError, match="Did you mean `par`"):
        registry.routings["PAR"]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: odonata.run(5), "5 is not a scenario; give the path of a file"),
        (lambda: odonata.run(jobs(), threads=0), "threads: 0 is not a number from 1 to 1024"),
        (lambda: odonata.run(jobs(), threads="2"), "threads: '2' is not a number"),
        (lambda: odonata.run(jobs(), out=3), "out: 3 is no path"),
        (lambda: odonata.run(jobs(), overrides="seed=3"), "overrides: give a list of settings"),
        (lambda: odonata.run(jobs(), until_width="2%"), "until_width: '2%' is not a number"),
        (lambda: odonata.load(5), "directory: 5 is no path"),
    ],
)
def test_wrong_arguments_are_answered_with_a_sentence(ask, words):
    with pytest.raises(odonata.Error, match=re.escape(words)):
        ask()


def test_sweeps_have_a_short_name(sweep):
    assert repr(sweep) == "Sweep(6 runs over routing.algorithm, seed)"
