"""Where a network saturates: the search along a load, and what theory says of both ends."""

from __future__ import annotations

import math

import polars as pl
import pytest

import odonata
from odonata.analysis.saturation import saturation
from odonata.cli.run import _announce
from odonata.core.errors import RunError, ScenarioError
from odonata.output import report
from odonata.results import queries
from odonata.scenario import Scenario
from odonata.scenario.theory import zero_load_ns

LOAD, COLUMN = "jobs.0.workload.load", "jobs[0].workload.load"


def curve(**more):
    """Open-loop traffic on 72 nodes whose load is searched."""
    return {
        "name": "curve",
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"workload": {"kind": "open-loop", "pattern": "adversarial", "load": 0.1,
                               "message": "512 B"}}],
        "measure": {"warm_up": "5 us", "window": "10 us"},
        "sweep": {LOAD: {"values": [0.05, 0.4], "knee": 0.02}},
    } | more  # fmt: skip


def of(algorithm, pattern, load, system="dragonfly(2, 4, 2, 9)"):
    """A single run."""
    workload = {"kind": "open-loop", "pattern": pattern, "load": load, "message": "512 B"}
    return curve(routing={"algorithm": algorithm}, jobs=[{"workload": workload}], sweep={},
                 system={"preset": system})  # fmt: skip


def expected(algorithm, pattern, preset="dragonfly(2, 4, 2, 9)", **more):
    data = of(algorithm, pattern, 0.1, preset) | more
    return zero_load_ns(Scenario.from_mapping(data).points[0].resolved)


@pytest.mark.parametrize("pattern", ["uniform", "adversarial", "tornado", "nearest-group"])
def test_packets_without_load_take_the_time_of_theory(pattern):
    found = odonata.run_one(of("minimal", pattern, 0.01))
    mean = found.summary["network"]["packet_latency_ns"]["mean"]
    assert mean == pytest.approx(expected("minimal", pattern), rel=0.01)


@pytest.mark.parametrize("pattern", ["uniform", "adversarial", "tornado"])
@pytest.mark.parametrize("algorithm", ["minimal", "valiant-group", "valiant-node", "par"])
def test_no_network_accepts_more_than_theory(algorithm, pattern):
    (job,) = odonata.run_one(of(algorithm, pattern, 1.0)).summary["jobs"]
    limit, accepted = job["load_limit"], job["accepted_load"]
    assert 0.5 * limit < accepted <= 1.01 * limit  # half: what valiant-group leaves of `tornado`


def test_limits_are_those_of_the_papers():
    """Kim et al. 2008, section 4.2; Kang et al. 2021 (1 / 32 and 1 / 2 on 1,056 nodes)."""
    system = "dragonfly(4, 8, 4, 33)"
    short = {"measure": {"warm_up": "1 us", "window": "1 us"}}
    found = {
        (algorithm, pattern): odonata.run_one(of(algorithm, pattern, 0.01, system) | short).summary[
            "jobs"
        ][0]["load_limit"]
        for algorithm in ("minimal", "valiant-node", "ugal-node")
        for pattern in ("uniform", "adversarial")
    }
    assert found["minimal", "adversarial"] == 1 / 32
    assert found["valiant-node", "adversarial"] == 1 / 2
    assert found["ugal-node", "adversarial"] == pytest.approx((1 + 31 / 2) / 32)
    assert found["minimal", "uniform"] == found["ugal-node", "uniform"] == 1
    assert found["valiant-node", "uniform"] == pytest.approx(0.5 * 1055 / 1024)


@pytest.mark.parametrize(
    "more",
    [
        {"system": {"preset": "theta"}},
        {"system": {"preset": "dragonfly(2, 4, 2, 9)", "packet": {"header": "16 B"}}},
        {"jobs": [{"workload": {"kind": "open-loop", "pattern": "permutation", "load": 0.1}}]},
        {"jobs": [{"workload": {"kind": "open-loop", "load": 0.1, "ranks": 40}}]},
        {"jobs": [{"name": name, "workload": {"kind": "open-loop", "load": 0.1, "ranks": 36}}
                  for name in "ab"]},
    ],
)  # fmt: skip
def test_nothing_is_said_where_theory_does_not_apply(more):
    assert expected("minimal", "uniform", **more) is None


def test_a_latency_is_said_only_where_the_formula_holds():
    assert expected("minimal", "uniform", "kang2022-1056") is None  # ticks, head
    assert expected("minimal", "uniform", "dragonfly(4, 8, 4, 9)") is None  # 4 links


def test_the_search_halves_the_bracket_of_each_curve(tmp_path):
    out = tmp_path / "curve"
    data = curve(sweep={"routing.algorithm": ["minimal", "valiant-node"],
                        LOAD: {"values": [0.05, 0.2, 1.0], "knee": 0.02}})  # fmt: skip
    sweep = odonata.sweep(data, out=out)
    found = {row["routing.algorithm"]: row for row in sweep.saturation().iter_rows(named=True)}
    for algorithm, row in found.items():
        low, high = row["saturation_low"], row["saturation_high"]
        assert high - low <= 0.02
        marks = sweep.index.filter(pl.col("routing.algorithm") == algorithm)
        assert marks[COLUMN].is_sorted(), "loads stand in their order"
        known = dict(zip(marks[COLUMN], marks["saturated"], strict=True))
        assert (known[low], known[high]) == (False, True)
        assert not row["is_interval"]
    assert found["minimal"]["saturation"] == pytest.approx(1 / 8, abs=0.02)
    assert len(sweep) == 6 + 3 + 6, "as many as it takes, each where its own curve bends"

    assert queries.catalogue(out)["saturation"].collect().equals(sweep.saturation())
    page = report.write(out).read_text("utf-8")
    assert "0.125" in page
    assert "non-minimal paths" in page


def test_a_search_goes_on_where_it_was_stopped(tmp_path):
    """Runs that it added are found again, also while the index of the folder lags behind."""
    out = tmp_path / "curve"
    whole = odonata.sweep(curve(), out=out)
    index = pl.read_parquet(out / "index.parquet")
    index.head(1).write_parquet(out / "index.parquet")
    again = odonata.sweep(curve(), out=out)
    assert again.index.equals(whole.index)
    assert (out / "runs" / "load=0.1375" / "summary.json").is_file()
    with pytest.raises(RunError, match="runs that this scenario does not have"):
        odonata.sweep(curve(sweep={LOAD: [0.05, 0.4]}), out=out)


def test_replicas_are_searched_one_by_one_and_give_an_interval():
    sweep = odonata.sweep(curve(replicas=3))
    (row,) = sweep.saturation().iter_rows(named=True)
    assert row["is_interval"]
    assert row["replicas"] == 3
    assert row["saturation_low"] < row["saturation"] < row["saturation_high"]
    assert row["saturation"] == pytest.approx(1 / 8, abs=0.02)


def test_an_open_end_is_said():
    frame = pl.DataFrame(
        {
            "curve": ["a", "a", "b", "b"],
            LOAD: [0.1, 0.2] * 2,
            "saturated": [True, True, False, False],
            "accepted_load": [0.05, 0.05, 0.1, 0.2],
        }
    )
    below, above = saturation(frame, ["curve", LOAD]).iter_rows(named=True)
    assert (below["saturation_low"], below["saturation_high"]) == (None, 0.1)
    assert (above["saturation_low"], above["saturation_high"]) == (0.2, None)
    assert below["saturation"] is above["saturation"] is None


def test_a_forecast_says_what_the_search_may_add(capsys):
    scenario = Scenario.from_mapping(curve(replicas=20))
    assert scenario.points.most_added == 20 * math.ceil(math.log2(0.35 / 0.02))
    _announce(scenario, baseline=True)
    assert "the search for saturation adds at most 100 runs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ({LOAD: {"values": [0.1, 0.5], "knee": 2}}, "how close the search comes"),
        ({LOAD: {"values": [0.1], "knee": 0.01}}, "at least two loads"),
        ({LOAD: {"values": ["a", "b"], "knee": 0.01}}, "at least two loads"),
        ({LOAD: {"knee": 0.01}}, "`values` and `knee` alone"),
        ({LOAD: {"values": [0.1, 0.5], "width": 0.01}}, "`values` and `knee` alone"),
        ({"routing.bias": {"values": [0, 4], "knee": 0.01}}, "needs the load of a job"),
    ],
)
def test_a_wrong_search_is_refused_with_a_sentence(sweep, words):
    with pytest.raises(ScenarioError, match=words):
        Scenario.from_mapping(curve(sweep=sweep))


def test_a_search_needs_a_window_and_folders(tmp_path):
    data = curve()
    del data["measure"]
    with pytest.raises(ScenarioError, match=r"give the scenario \[measure\]"):
        Scenario.from_mapping(data)
    with pytest.raises(RunError, match="leave `packed` out"):
        odonata.run(curve(), out=tmp_path / "out", layout="packed")
