"""What runs will cost, said before they are made, against what they cost."""

from __future__ import annotations

import json

import pytest

from examples import jobs, open_loop
from odonata.campaign.forecast.ahead import Work
from odonata.campaign.forecast.expected import Expected
from odonata.campaign.forecast.forecast import Forecast, forecast
from odonata.campaign.forecast.trial import Trial
from odonata.cli import costs, demand
from odonata.cli.words import duration
from odonata.core import native
from odonata.scenario import Scenario, before
from odonata.scenario.inputs import Inputs, Prepared
from odonata.scenario.text import to_toml

MANY = jobs(replicas=4, sweep={"routing.algorithm": ["minimal", "par"]})


def config(data):
    return Scenario.from_mapping(data).points[0].config


def alone(**workload):
    """One MPI job, without whatever else."""
    data = jobs()
    return {**data, "jobs": [{"name": "it", "placement": "random-node", "workload": workload}]}


@pytest.mark.parametrize(
    "workload",
    [
        {"kind": "halo3d", "ranks": 27, "face": "16 KiB", "iterations": 3},
        {"kind": "allreduce", "ranks": 36, "message": "1 KiB", "iterations": 5},
        {"kind": "alltoall", "ranks": 12, "message": "20000 B", "iterations": 2},
        {"kind": "gpcnet-put-incast", "ranks": 13},
    ],
    ids=lambda workload: workload["kind"],
)
def test_packets_of_jobs_are_counted_exactly(workload):
    made = config(alone(**workload))
    (found,) = native.demand(made, {})
    assert found["packets"] == native.run(made, {}).summary["engine"]["packets"]
    instants, packets = zip(*found["pace"], strict=True)
    assert list(instants) == sorted(instants)
    assert list(packets) == sorted(packets)
    assert len(packets) <= 512
    assert 0.9 * found["packets"] <= packets[-1] <= found["packets"]


def test_messages_of_a_long_collective_follow_from_its_ranks():
    """An alltoall that nobody looks at to its end: what is sent by then is known as a share."""
    ranks = 1500
    data = alone(kind="alltoall", ranks=ranks, message="8 B", iterations=2)
    data["system"] = {"preset": "dragonfly(5, 10, 5, 51)"}
    (found,) = native.demand(config(data), {})
    assert not found["whole"]
    whole = 2 * ranks * (ranks - 1)
    assert found["messages_sent"] / found["share"] == pytest.approx(whole, rel=0.01)
    assert " of about 4,500,000" in demand.sentence(found)


@pytest.mark.parametrize(
    "more",
    [
        {"load": 0.3},
        {"load": 0.2, "message": "4 KiB", "burst": "30 us", "pause": "50 us"},
        {"interval": "5 us", "message": "16 KiB", "arrival": "fixed", "start": "jittered"},
    ],
    ids=["plain", "bursts", "interval"],
)
def test_packets_of_traffic_are_counted(more):
    data = open_loop(measure={"warm_up": "0 ps", "window": "200 us", "drain": "1 us"})
    workload = {key: value for key, value in data["jobs"][0]["workload"].items() if key != "load"}
    data["jobs"][0]["workload"] = workload | more
    made = config(data)
    outcome = native.run(made, {})
    end_ps = round(1e3 * outcome.summary["simulated_ns"])
    ((half, whole),) = native.offered(made, {}, instants_ps=[end_ps // 2, end_ps])
    assert 0 < half < whole
    assert whole == pytest.approx(outcome.summary["engine"]["packets"], rel=0.02)


def test_a_long_run_of_traffic_is_counted_at_its_mean_rate():
    made = config(open_loop(measure={"warm_up": "0 ps", "window": "100 us"}))
    short, long, longest = native.offered(
        made, {}, instants_ps=[10**9, 10**12, 10**14]
    )[0]  # 1 ms, 1 s, 100 s  # fmt: skip
    assert long == pytest.approx(1_000 * short, rel=0.02)
    assert longest == pytest.approx(100 * long, rel=0.02)


def test_a_trial_does_not_change_what_happens():
    made = config(open_loop(measure={"warm_up": "1 us", "window": "5 us"}))
    trial = Trial(Prepared(made, {}, {}), 9.0, 9.0, lambda _: 0.0)
    assert trial.is_whole
    engine = native.run(made, {}).summary["engine"]
    assert {**trial.engine, "threads": 1} == engine


def test_a_job_that_waits_is_not_taken_to_be_slow():
    """Nothing of it has arrived, and nothing should have."""
    data = jobs()
    data["jobs"][0]["workload"] |= {"wait_before": "1 ms", "iterations": 2}
    data["jobs"][1] = {"name": "traffic", "placement": "random-node",
                       "workload": {"kind": "open-loop", "ranks": 36, "load": 0.5}}  # fmt: skip
    ready = Prepared(config(data), {}, {})
    engine = native.run(ready.config, {}).summary["engine"]
    work = Work(ready)
    trial = Trial(ready, 0.05, 0.05, work.share)
    assert not trial.is_whole
    end_ps = work.end_ps(trial)
    packets = work.packets(trial, end_ps)
    assert sum(packets.values()) == pytest.approx(engine["packets"], rel=0.15)


def repeated():
    data = jobs()
    data["jobs"][0]["workload"]["iterations"] = 120
    data["jobs"][1]["workload"]["iterations"] = 10
    return data


@pytest.mark.parametrize(
    "data",
    [
        open_loop(measure={"warm_up": "1 us", "window": "1500 us"}),
        open_loop(measure={"warm_up": "1 us", "window": "600 us"}, routing={"algorithm": "par"}),
        repeated(),
    ],
    ids=["minimal", "par", "jobs"],
)  # fmt: skip
def test_forecasts_are_within_30_percent(data):
    point = Scenario.from_mapping(data).points[0]
    found = forecast(Prepared(point.config, {}, {}), trial_s=0.12)
    engine = native.run(point.config, {}).summary["engine"]
    assert not found.is_whole
    for name in ("packets", "packet_hops"):
        assert getattr(found, name) == pytest.approx(engine[name], rel=0.3), name


@pytest.mark.parametrize("example", ["backgrounds", "blame", "failed-links", "gpcnet-slingshot"])
def test_the_simulated_time_of_examples_is_forecast_within_a_factor_of_2(example, scenarios):
    point = Scenario.read(scenarios / f"{example}.toml").points[0]
    ready = Inputs().of(point)
    found = forecast(ready)
    exact = native.run(ready.config, ready.traces, ready.texts).summary["simulated_ns"]
    assert 0.5 < found.simulated_ns / exact < 2.0
    assert not found.is_whole or found.simulated_ns == pytest.approx(exact)


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_forecast_says_what_it_rests_on(is_whole):
    one = Forecast(packets=10, packet_hops=30, cpu_s=0.1, memory_bytes=2**20, simulated_ns=4.9e6,
                   is_whole=is_whole)  # fmt: skip
    cost = Expected(tasks=1, tried={"run": one}, packets=10, packet_hops=30, cpu_s=0.1, wall_s=0.1,
                    memory_bytes=2**20)  # fmt: skip
    said = costs.lines(cost)[0]
    assert "4.9 ms of simulated time" in said
    assert ("if it continues as it begins" in said) == (not is_whole)


def test_a_time_without_a_network_says_what_it_leaves_out(scenarios):
    point = Scenario.read(scenarios / "gpcnet-slingshot.toml").points[0]
    job = before.demand(point)[0]
    said = demand.sentence(job)
    assert f"Without a network it takes {duration(job['time_ns'])}" in said
    assert "leaves out routers" in said
    assert "costs of hosts" in said


def test_check_says_what_a_campaign_costs(odonata, tmp_path):
    (tmp_path / "many.toml").write_text(to_toml(MANY))
    said = odonata("check", "many.toml", "--json")
    assert said.returncode == 0, said.stderr
    cost = json.loads(said.stdout)["expected"]
    assert cost["tasks"] == 16
    assert len(cost["tried"]) == 4, "replicas cost alike"
    each = [one["packets"] for one in cost["tried"].values()]
    assert cost["packets"] == pytest.approx(4 * sum(each))
    assert 0 < cost["wall_s"] <= cost["cpu_s"]
    assert "forecast: 16 runs" in odonata("check", "many.toml").stdout
