"""The statistics of GPCNeT on numbers that can be followed, and in a run."""

from __future__ import annotations

import re

import numpy as np
import pytest

import odonata as package
from examples import jobs
from odonata.analysis.gpcnet import Statistic, impact, statistic
from odonata.scenario import Scenario


def test_a_latency_is_half_a_span():
    spans = np.array([[2_000.0] * 99 + [10_000.0]])
    assert statistic(spans, "gpcnet-latency") == Statistic(1.04, 1.0)
    assert statistic(spans, "gpcnet-allreduce") == Statistic(2.08, 2.0)


def test_a_bandwidth_is_sixteen_messages_over_a_span():
    found = statistic(np.array([2e6, 4e6]), "gpcnet-bandwidth")
    assert found == Statistic(average=750.0, worst_1_percent=500.0)


def test_impact_is_of_printed_values_and_inverse_for_bandwidth():
    alone, beside = Statistic(2.93, 4.3), Statistic(2.87, 8.6)
    assert impact(alone, beside, "gpcnet-latency") == Statistic(1.0, 2.0)
    fast, slow = Statistic(4_061.4, 2_829.5), Statistic(2_030.7, 2_829.5)
    assert impact(fast, slow, "gpcnet-bandwidth") == Statistic(2.0, 1.0)


@pytest.mark.parametrize("spans", [[], [1.0, 0.0]])
def test_nothing_is_made_of_nothing(spans):
    with pytest.raises(ValueError, match="iterations"):
        statistic(np.array(spans), "gpcnet-latency")


def test_one_switch_shows_no_impact(scenarios):
    """Published: none in any setting on a single non-blocking switch."""
    scenario = Scenario.read(scenarios / "gpcnet-single-switch.toml")
    result = package.run(scenario)
    (victim,) = [job for job in result.summary["jobs"] if job["role"] == "victim"]
    assert victim["slowdown"] == pytest.approx(1.0, abs=0.05)
    table = result.table("iterations")
    rows = table.filter(table["job"] == victim["name"])
    found = statistic((rows["end_ns"] - rows["start_ns"]).to_numpy(), "gpcnet-latency")
    assert 0.1 < found.average <= found.worst_1_percent < 3.0


def test_an_impact_of_a_run_that_was_cut_says_so(tmp_path, odonata):
    """Alone the victim ends at 380 us, co-running at 408 us."""
    scenario = jobs(stop={"time": "395 us"})
    for job in scenario["jobs"]:
        job["workload"]["iterations"] = 20
    package.run(scenario, out=tmp_path / "cut")
    told = odonata("noise", tmp_path / "cut")
    assert told.returncode == 0, told.stderr
    said = " ".join(told.stdout.split())
    cut = r"the congested values of halo are of \d+ iterations, the isolated ones of 20: "
    assert re.search(cut + "the congested run was cut, and the impact is that of its begin", said)
