"""Named background loads: they are those of the papers, and scenarios can name and change them."""

from __future__ import annotations

import json
import tomllib

import pytest

from odonata.core.quantities import parse_quantity
from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.backgrounds import backgrounds

THETA = 3456
RANKS = {"cr": 1000, "fb": 1000, "amg": 1728}


def scenario(workload, system="dragonfly(2, 4, 2, 9)"):
    return {
        "schema": 1,
        "name": "a",
        "system": {"preset": system},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "background", "workload": workload}],
        "measure": {"warm_up": "0 us", "window": "20 us"},
    }


@pytest.mark.parametrize("name", backgrounds())
def test_every_background_can_be_named(name):
    """One is enough: ranks are all free nodes, the rest is the preset's."""
    resolved = Scenario.from_mapping(scenario({"preset": name})).points[0].resolved
    entry = backgrounds()[name]
    assert resolved == Scenario.from_mapping(scenario(entry.workload)).points[0].resolved
    # Resolved once more it is the same.
    again = Scenario.from_mapping(resolved).points[0].resolved
    assert again == resolved
    assert entry.source.startswith(("Wang et al. 2018", "Mubarak et al. 2019"))
    assert "assumed" in entry.source


@pytest.mark.parametrize(
    ("app", "uniform_mib", "bursty_gib"),
    [("cr", 38.38, 92.00), ("fb", 38.38, 5.75), ("amg", 27.00, 2.85)],
)
def test_peak_loads_are_those_of_table_two(app, uniform_mib, bursty_gib):
    """Wang et al. 2018: the messages of all background ranks in one interval."""
    ranks = THETA - RANKS[app]

    def message(kind):
        return parse_quantity(backgrounds()[f"wang2018-{app}-{kind}"].workload["message"], "bytes")

    assert round(ranks * message("uniform") / 2**20, 2) == pytest.approx(uniform_mib, abs=0.005)
    burst = ranks * (ranks - 1) * message("bursty") / 2**30
    assert burst == pytest.approx(bursty_gib, abs=0.006)


def test_what_is_said_replaces_what_the_preset_says():
    workload = {"preset": "wang2018-cr-uniform", "load": 0.25, "start": "jittered"}
    found = Scenario.from_mapping(scenario(workload)).points[0].resolved["jobs"][0]["workload"]
    assert found["load"] == 0.25
    assert found["start"] == "jittered"
    assert "interval" not in found, "a load takes the place of the interval"
    assert found["message"] == "16384 B"


def test_a_name_that_is_not_there_is_answered_with_the_nearest():
    with pytest.raises(ScenarioError, match="Did you mean `wang2018-cr-bursty`"):
        Scenario.from_mapping(scenario({"preset": "wang2018-cr-busty"}))
    with pytest.raises(ScenarioError, match="no background is called"):
        Scenario.from_mapping(scenario({"preset": 3}))


def test_backgrounds_are_listed_and_shown(odonata):
    assert "mubarak2019-permutation-36" in odonata("list", "backgrounds").stdout
    shown = odonata("show", "background", "wang2018-fb-bursty").stdout
    assert "5.75 GiB on 2,456 ranks" in shown
    assert "all-to-all" in shown
    assert odonata("show", "background", "wang").returncode == 2


def test_a_load_is_accepted_in_rounds_and_in_bursts(odonata, tmp_path):
    """Below saturation all that is offered arrives; bursts with equal pauses offer one half."""
    for name, more, wanted in (
        ("rounds", 'pattern = "all-to-all", load = 0.2', 0.2),
        ("rotating", 'pattern = "rotating", load = 0.1, threshold = "2 KiB"', 0.1),
        ("bursts", 'load = 0.2, burst = "2 us", pause = "2 us", start = "jittered"', 0.1),
    ):
        file = tmp_path / f"{name}.toml"
        file.write_text(
            f'''schema = 1
name = "{name}"
system = {{ preset = "dragonfly(2, 4, 2, 9)" }}
routing = {{ algorithm = "minimal" }}
jobs = [{{ name = "a", workload = {{ kind = "open-loop", message = "512 B", {more} }} }}]
measure = {{ warm_up = "20 us", window = "200 us" }}
'''
        )
        done = odonata("run", str(file), "--out", str(tmp_path / f"{name}-out"), "--quiet")
        assert done.returncode == 0, done.stderr
        summary = json.loads((tmp_path / f"{name}-out" / "summary.json").read_text())
        network = summary["network"]
        # 72 sources, 200 us: the noise is below 2 %.
        assert network["accepted_load"] == pytest.approx(wanted, rel=0.05), name
        assert network["saturated"] is False, name


def test_the_example_is_whole(repository):
    data = tomllib.loads((repository / "scenarios" / "backgrounds.toml").read_text("utf-8"))
    assert set(data["sweep"]["jobs.background.workload.preset"]) <= set(backgrounds())
    assert len(Scenario.from_mapping(data).points) == 3
