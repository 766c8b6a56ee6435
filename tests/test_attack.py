"""Random scenarios over the whole registry keep every promise: ``fuzz/attack.py``, shortly.

On the module that ``make test`` builds every overflow and every debug assertion is checked.
"""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from lengths import longer

FIRST, COUNT, PARTS = 0, longer(500, 20_000), 5


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
            ends[attacker.attack(scenario, muted=attacker.draw_muted(number, scenario))] += 1
        except Exception as error:  # noqa: BLE001 - what is looked for
            pytest.fail(f"python fuzz/attack.py --first {number} --count 1: {error!r}")
    assert set(ends) == {"finished", "time-limit", "refused"}, ends
    assert ends["refused"] < COUNT // PARTS * 0.7, ends


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
            with pytest.raises(attacker.BrokenPromiseError):
                attacker.attack(scenario)
