"""Random scenarios over the whole registry keep every promise: ``fuzz/attack.py``, shortly.

On the module that ``make test`` builds every overflow and every debug assertion is checked.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter

import pytest

from lengths import longer

FIRST, COUNT, PARTS = 0, longer(300, 4_000), 5
CUT, CUTS = longer(10, 40), longer(5, 25)
"""Scenarios that are cut, and at how many times each."""


@pytest.fixture(scope="module")
def attacker(repository):
    sys.path.insert(0, str(repository / "fuzz"))
    import attack  # noqa: PLC0415 - beside the package

    return attack


@pytest.mark.parametrize("part", range(PARTS))
def test_random_scenarios_run_or_are_refused(attacker, part):
    ends = Counter()
    for number in range(FIRST + part, FIRST + COUNT, PARTS):
        try:
            scenario = attacker.draw_scenario(number)
            threads = longer((1, 2 + number % 2), (1, 2, 3))
            muted = attacker.draw_muted(number, scenario)
            ends[attacker.attack(scenario, threads, muted=muted)] += 1
        except Exception as error:  # noqa: BLE001 - what is looked for
            pytest.fail(f"python fuzz/attack.py --first {number} --count 1: {error!r}")
    # Jobs that wait for ranks on failed nodes stall.
    assert set(ends) - {"stalled"} == {"finished", "time-limit", "refused"}, ends
    assert ends["refused"] < COUNT // PARTS * 0.75, ends


def sends(attacker, number):
    """Whether a scenario runs and sends something."""
    try:
        config = attacker.Scenario.from_mapping(attacker.draw_scenario(number)).points[0].config
        return attacker.native.run(config, {}, threads=1).summary["engine"]["packets"] > 0
    except attacker.Error:
        return False


def test_a_run_that_is_cut_does_not_look_stalled(attacker):
    numbers = (number for number in itertools.count(FIRST) if sends(attacker, number))
    for number in itertools.islice(numbers, CUT):
        attacker.attack(attacker.draw_scenario(number), threads=(1,), cuts=CUTS)


def test_a_scenario_is_its_number(attacker):
    assert attacker.draw_scenario(17) == attacker.draw_scenario(17)
    assert attacker.draw_scenario(17) != attacker.draw_scenario(18)


def finished_with_traffic(attacker, monkeypatch):
    """The first scenario that ends by itself and sends something."""
    packets = []
    real = attacker.native.run

    def counted(*args, **kwargs):
        outcome = real(*args, **kwargs)
        packets.append(outcome.summary["engine"]["packets"])
        return outcome

    with monkeypatch.context() as patch:
        patch.setattr(attacker.native, "run", counted)
        for scenario in map(attacker.draw_scenario, range(100)):
            packets.clear()
            if attacker.attack(scenario) == "finished" and min(packets) > 0:
                return scenario
    raise AssertionError("no scenario of the first hundred ends by itself")


def test_a_broken_promise_is_seen(attacker, monkeypatch):
    scenario = finished_with_traffic(attacker, monkeypatch)
    for table, column in (("ranks", "bytes_sent"), ("series", "packets_delivered")):
        real = attacker.native.run

        def broken(*args, real=real, table=table, column=column, **kwargs):
            outcome = real(*args, **kwargs)
            outcome.tables[table][column] = outcome.tables[table][column] + 1
            return outcome

        with monkeypatch.context() as patch:
            patch.setattr(attacker.native, "run", broken)
            with pytest.raises(attacker.promises.BrokenPromiseError):
                attacker.attack(scenario)


def outcome_of(attacker, jobs, **more):
    """A configuration of two jobs on a small system, and its outcome."""
    scenario = {"system": {"preset": "dragonfly(2, 4, 2, 9)"}, "routing": {"algorithm": "minimal"},
                "jobs": jobs, "stop": {"time": "400 us"}, **more}  # fmt: skip
    scenario["system"]["mpi"] = {"preset": "ideal"}
    config = attacker.Scenario.from_mapping(scenario).points[0].config
    return config, attacker.native.run(config, {}, threads=1)


def test_a_job_that_accepts_more_than_it_offers_is_seen(attacker):
    noise = {"workload": {"kind": "open-loop", "load": 0.2, "ranks": 72}}
    config, outcome = outcome_of(attacker, [noise])
    attacker.promises.loads(config, outcome)
    outcome.summary["jobs"][0]["accepted_load"] *= 2
    with pytest.raises(attacker.promises.BrokenPromiseError, match="accepted load"):
        attacker.promises.loads(config, outcome)


def test_a_congestor_that_falls_silent_is_seen(attacker):
    victim = {"role": "victim", "workload": {"kind": "barrier", "ranks": 8, "iterations": 9,
                                             "compute": "20 us"}}  # fmt: skip
    incast = {
        "role": "aggressor",
        "workload": {"kind": "gpcnet-incast", "ranks": 8, "iterations": 1},
    }
    telemetry = {"series_bin": "1 us"}
    config, outcome = outcome_of(attacker, [victim, incast], telemetry=telemetry)
    attacker.promises.congestors(config, outcome)
    silent = {**incast, "repeat": False}
    _, outcome = outcome_of(attacker, [victim, silent], telemetry=telemetry)
    with pytest.raises(attacker.promises.BrokenPromiseError, match="silent"):
        attacker.promises.congestors(config, outcome)
