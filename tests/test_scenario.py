from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from examples import jobs, open_loop
from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.document import Document, parse_assignment, split_dotted
from odonata.scenario.presets import expand, presets
from odonata.scenario.text import to_toml

TEXT = """\
name = "lines"          # 1
seed = 2

[system]                # 4
preset = "dragonfly(2, 4, 2, 9)"
router.latency = "20 ns"
router.credit_delay = "20 ns"

[routing]               # 9
algorithm = "minimal"

[[jobs]]                # 12
name = "a"
[jobs.workload]         # 14
kind = "open-loop"
load = 0.1

[[jobs]]                # 18
name = "b"
workload = { kind = "open-loop", load = 0.1 }
placement.kind = "contiguous"

[sweep]                 # 23
"jobs.0.workload.load" = [
  0.1,
  0.2,                  # 26
]
"""


def lines(text):
    return Document.parse(text, name="t", folder=Path()).lines


def test_lines_of_keys():
    found = lines(TEXT)
    expected = {
        ("name",): 1,
        ("system",): 4,
        ("system", "router", "latency"): 6,
        ("system", "router", "credit_delay"): 7,
        ("jobs", 0, "name"): 13,
        ("jobs", 0, "workload"): 14,
        ("jobs", 0, "workload", "load"): 16,
        ("jobs", 1): 18,
        ("jobs", 1, "workload", "kind"): 20,
        ("jobs", 1, "placement", "kind"): 21,
        ("sweep", "jobs.0.workload.load"): 24,
        ("sweep", "jobs.0.workload.load", 1): 26,
    }
    assert {key: found.get(key) for key in expected} == expected


def test_lines_after_long_strings_and_odd_values():
    text = 'a = """\n[x]\n"quoted" \\"""\n"""\n'
    text += "b = '''\n# no\n'''\nc = 1979-05-27T07:32:00Z # x\n"
    text += '"d e" = [{ f = "]" }, { f = 2 }]\ng.h = 3\n'
    found = lines(text)
    assert [found[key] for key in [("a",), ("b",), ("c",), ("d e",), ("g", "h")]] == [
        1,
        5,
        8,
        9,
        10,
    ]
    assert found["d e", 1, "f"] == 9


def test_every_key_of_a_file_has_a_line(scenarios):
    for file in sorted(scenarios.glob("*.toml")):
        text = file.read_text()
        found = lines(text)
        for key in _keys(tomllib.loads(text), ()):
            assert key in found, f"{file.name}: {key}"


def _keys(value, prefix):
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, entry in items:
        yield (*prefix, name)
        if isinstance(entry, dict | list):
            yield from _keys(entry, (*prefix, name))


def test_scenarios_of_the_repository_are_valid(scenarios):
    files = sorted(scenarios.glob("*.toml"))
    assert len(files) >= 4
    for file in files:
        assert Scenario.read(file).points, file


def test_quantities_and_defaults_are_resolved():
    point = Scenario.from_mapping(open_loop()).points[0]
    links = point.config["system"]["links"]
    assert links["global"] == {"bandwidth_bytes_per_s": 25_000_000_000, "latency_ps": 300_000}
    assert point.config["measure"] == {
        "warm_up_ps": 1_000_000, "window_ps": 5_000_000, "drain_ps": 20_000_000,
    }  # fmt: skip
    assert point.config["stop"] == {"time_ps": 10**12}
    assert point.config["jobs"][0]["role"] == "background"


def test_jobs_that_end_by_themselves_are_victims_without_measurement():
    point = Scenario.from_mapping(jobs()).points[0]
    assert "measure" not in point.config
    silent = point.alone("halo").config["jobs"]
    assert [job.get("muted") for job in silent] == [False, True]


def test_overrides_replace_presets_and_jobs():
    scenario = Scenario.from_mapping(
        jobs(),
        overrides=[
            "system.links.global.latency='1 us'",
            'jobs.noise.workload.face="1 kB"',
            "routing.algorithm=minimal",
        ],
    )
    config = scenario.points[0].config
    assert config["system"]["links"]["global"]["latency_ps"] == 1_000_000
    assert config["system"]["links"]["local"]["latency_ps"] == 30_000
    assert config["jobs"][1]["workload"]["face"] == 1000
    assert config["routing"]["algorithm"] == "minimal"


def test_sweeps_are_the_product_in_file_order():
    sweep = {"routing.algorithm": ["minimal", "par"], "seed": [1, 2, 3]}
    points = Scenario.from_mapping(jobs(sweep=sweep)).points
    assert [point.name for point in points] == [
        f"algorithm={algorithm},seed={seed}" for algorithm in ("minimal", "par")
        for seed in (1, 2, 3)
    ]  # fmt: skip
    assert points[4].config["routing"]["algorithm"] == "par"
    assert points[4].config["seed"] == 2


def test_what_the_command_line_fixes_is_not_swept():
    sweep = {"routing.algorithm": ["minimal", "par"], "seed": [1, 2]}
    scenario = Scenario.from_mapping(jobs(sweep=sweep), overrides=["routing.algorithm=ugal-group"])
    assert scenario.sweep == ("seed",)
    assert {point.config["routing"]["algorithm"] for point in scenario.points} == {"ugal-group"}


def test_folders_of_odd_values_are_unique_and_safe():
    sweep = {"system": [{"preset": f"dragonfly({p}, 4, 2, 9)"} for p in (1, 2)]}
    names = [point.name for point in Scenario.from_mapping(jobs(sweep=sweep)).points]
    assert len(set(names)) == 2
    assert not any(set(name) & set('/\\" {}') for name in names)


def test_the_resolved_scenario_means_the_same():
    for data in (jobs(), open_loop()):
        point = Scenario.from_mapping(data).points[0]
        again = Scenario.from_text(to_toml(point.resolved)).points[0]
        assert again.config == point.config
        assert again.scenario_hash({}) == point.scenario_hash({})


def test_the_hash_knows_traces_by_their_content(tmp_path):
    data = jobs(jobs=[{"workload": {"kind": "trace", "path": str(tmp_path / "a.npz")}}])
    other = jobs(jobs=[{"workload": {"kind": "trace", "path": str(tmp_path / "b.npz")}}])
    one, two = (Scenario.from_mapping(d).points[0] for d in (data, other))
    path = str(tmp_path / "a.npz")
    assert one.scenario_hash({path: "x"}) == two.scenario_hash(
        {path.replace("a.npz", "b.npz"): "x"}
    )
    assert one.scenario_hash({path: "x"}) != one.scenario_hash({path: "y"})


def test_paths_start_at_the_file_and_those_of_the_command_line_here(tmp_path, monkeypatch):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    job = {"workload": {"kind": "trace", "path": "x.npz"}}
    (folder / "s.toml").write_text(to_toml(jobs(jobs=[job])))
    monkeypatch.chdir(tmp_path)
    point = Scenario.read(folder / "s.toml").points[0]
    assert [use.path for use in point.traces] == [str(folder / "x.npz")]
    override = ['jobs.0.workload.path="x.npz"']
    point = Scenario.read(folder / "s.toml", overrides=override).points[0]
    assert [use.path for use in point.traces] == [str(tmp_path / "x.npz")]


def test_presets_name_their_source_and_stand_alone():
    for preset in presets().values():
        assert preset.summary
        assert preset.source
        numbers = ", ".join(["4"] * len(preset.parameters))
        call = f"{preset.name}({numbers})" if numbers else preset.name
        Scenario.from_mapping(open_loop(system={"preset": call}))


def test_parametric_presets():
    by_name = expand("dragonfly(p=2, g=9, a=4, h=3)")["topology"]
    assert by_name == expand("dragonfly(2, 4, 3, 9)")["topology"]
    assert by_name["global_ports_per_router"] == 3
    for wrong in ("dragonfly(1)", "dragonfly(1,2,3,x)", "dragonfly(p=1,p=2,h=1,g=1)", "dragonfl"):
        with pytest.raises(ScenarioError):
            expand(wrong)


def test_assignments():
    assert parse_assignment("jobs.0.workload.grid=[1, 2]") == (
        ("jobs", 0, "workload", "grid"), [1, 2],
    )  # fmt: skip
    assert parse_assignment("name=two words") == (("name",), "two words")
    assert split_dotted('a."b.c"[3].d') == ("a", "b.c", 3, "d")
    for wrong in ("seed", "=3", "a..b=1", 'a="x'):
        with pytest.raises(ScenarioError):
            parse_assignment(wrong)


def test_a_later_parameter_of_a_routing_is_part_of_a_scenario_only_where_it_is_used():
    """Scenarios from before `weights` keep their fingerprint; `scale` is what it was."""

    def config(weights):
        text = TEXT.replace('algorithm = "minimal"', f'algorithm = "ugal-node"\n{weights}')
        return Scenario.from_text(text).points[0].config["routing"]

    plain = config("")
    assert "weights" not in plain
    assert config('weights = "scale"') == plain
    assert config('weights = "hops"') == plain | {"weights": "hops"}
