"""``odonata scale``: the same mix on another machine, what is kept and what is said."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import odonata
from odonata.cli import main
from odonata.core.errors import Error
from odonata.scenario import Scenario, before, machine, scaling

SMALL = "dragonfly(2, 4, 2, 9)"
"""72 nodes."""
MIX = f"""
name = "mix"
seed = 3
[system]
preset = "{SMALL}"
links.global.latency = "200 ns"
[[jobs]]
name = "halo"
placement = "random-node"
workload = {{ kind = "halo3d", ranks = 24, iterations = 2, face = "20 kB" }}
[[jobs]]
name = "noise"
role = "aggressor"
placement = "random-group"
workload = {{ kind = "alltoall", ranks = 18, iterations = 2, message = "1 kB" }}
[[jobs]]
name = "rest"
placement = "contiguous"
workload = {{ kind = "open-loop", ranks = 18, load = 0.2 }}
[routing]
algorithm = "par"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mix.toml").write_text(MIX)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changed(**parts):
    """The mix with other words in it."""
    text = MIX
    for old, new in parts.items():
        assert old in text
        text = text.replace(old, new)
    Path("mix.toml").write_text(text)


def on(system, **more):
    return scaling.scaled(Path("mix.toml"), system, Path("new.toml"), **more)


def written(found):
    data = tomllib.loads(found.text)
    return data, {job["name"]: job for job in data["jobs"]}


@pytest.mark.parametrize("system", ["theta", "lumi", "dragonfly(4, 8, 4, 33)"])
def test_shares_loads_and_placements_stay(folder, system):  # noqa: ARG001 - its file is there
    found = on(system)
    data, jobs = written(found)
    assert data["system"] == {"preset": system}
    for share, was in zip(found.jobs, (24 / 72, 18 / 72, 18 / 72), strict=True):
        assert share.share[0] == was
        assert share.share[1] == pytest.approx(was, rel=0.02)
        if share.name != "noise" or found.new.default.nics == 1:
            assert share.load[1] == pytest.approx(share.load[0], rel=0.5), share.name
        else:  # thousands of ranks: each message would be smaller than sizes can be made
            assert "Messages of `noise` have 0.01 of their size, not 0.00" in " ".join(found.notes)
    assert [job["placement"] for job in jobs.values()] == ["random-node", "random-group",
                                                           "contiguous"]  # fmt: skip
    nics = found.new.default.nics
    assert jobs["halo"].get("ranks_per_node", 1) == nics
    rate = 0.2 * 25e9 / nics / found.new.link("host")["bandwidth_bytes_per_s"]
    assert jobs["rest"]["workload"]["load"] == pytest.approx(rate, rel=1e-3)
    assert jobs["rest"]["workload"]["ranks"] == found.jobs[2].nodes[1] * nics
    before.check(Scenario.from_text(found.text).points[0])


def test_bytes_are_those_that_a_job_sends(folder):  # noqa: ARG001 - as above
    """By hand: each of n ranks of an alltoall sends n - 1 messages, of 1 kB and a header."""
    found = on("dragonfly(4, 8, 4, 33)")
    noise = found.jobs[1]
    _, jobs = written(found)
    assert noise.nodes == (18, 264)
    scale = jobs["noise"]["workload"]["size_scale"]
    assert scale == pytest.approx(17 / 263, rel=0.01)
    was, now = noise.load
    assert was == pytest.approx(17 * 1000, rel=0.2)
    assert now == pytest.approx(was, rel=0.01)
    assert "size_scale" not in jobs["halo"]["workload"], "its faces are per rank"


def test_grids_and_powers_of_two(folder):  # noqa: ARG001 - as above
    alltoall = '"alltoall", ranks = 18, iterations = 2, message = "1 kB"'
    changed(**{'"halo3d", ranks = 24': '"halo3d", grid = [2, 3, 4]',
               alltoall: '"cg", ranks = 16'})  # fmt: skip
    found = on("kang2022-1056")
    _, jobs = written(found)
    grid = jobs["halo"]["workload"]["grid"]
    assert grid == sorted(grid), "its shape is kept"
    ranks = grid[0] * grid[1] * grid[2]
    assert ranks == jobs["halo"]["workload"]["ranks"] == pytest.approx(352, rel=0.05)
    assert jobs["noise"]["workload"]["ranks"] == 256
    told = " ".join(found.notes)
    assert "its share being 352: its grid is" in told
    assert "its share being 235: 235 ranks do not form its grid" in told


def test_what_must_divide_the_ranks_is_left_out(folder):  # noqa: ARG001 - as above
    halo = '"halo3d", ranks = 24, iterations = 2, face = "20 kB"'
    changed(**{halo: '"fft3d", ranks = 24, nx = 48, ny = 48, nz = 48, process_rows = 8'})
    found = on("theta")
    _, jobs = written(found)
    work = jobs["halo"]["workload"]
    assert (work["ranks"], work["nz"]) == (1152, 48 * 48), "as many points per rank"
    assert work["process_rows"] == 8
    found = on("lumi")
    _, jobs = written(found)
    assert jobs["halo"]["workload"]["ranks"] % 8
    assert "process_rows" not in jobs["halo"]["workload"]
    assert "`process_rows` of `halo` is left out" in " ".join(found.notes)


def test_a_prime_number_of_nodes_makes_no_even_grid(folder):  # noqa: ARG001 - as above
    found = on("dragonfly(1, 3, 1, 4)", ranks_per_node=1)
    assert found.jobs[0].nodes == (24, 4)
    found = on("dragonfly(3, 7, 3, 22)")  # 462 nodes: a third are 154 = 2 * 7 * 11
    assert found.jobs[0].nodes[1] == 150
    assert "its share being 154: other numbers of ranks make no even grid" in " ".join(found.notes)


def test_what_the_old_machine_had_is_said(folder):  # noqa: ARG001 - as above
    nodes = f'{{ kind = "list", nodes = {[*range(24)]} }}'
    changed(**{
        f'"{SMALL}"\nlinks.global.latency = "200 ns"': '"theta"\nnic.counters = "aries"',
        '"random-node"': nodes,
        '"random-group"': '{ kind = "striped", unit = "cabinet", mapping = "cyclic" }',
        '"contiguous"': '"random-chassis"',
        'algorithm = "par"': 'algorithm = "adaptive-0"',
    })  # fmt: skip
    found = on("lumi")
    data, jobs = written(found)
    assert "routing" not in data, "the new machine has its own"
    assert jobs["halo"]["placement"] == "random-node"
    assert jobs["noise"]["placement"] == {"kind": "striped", "unit": "group", "mapping": "cyclic"}
    assert jobs["rest"]["placement"] == {"kind": "random-router"}
    told = " ".join(found.notes)
    for words in ("MPI is `cray-mpich-cxi` of lumi", "`ugal-node`, that of lumi", "system.nic",
                  "A node has 4 NICs, before 1; ranks of a job on a node: 4, before 1",
                  "Nodes of `halo` are listed", "this system has none"):  # fmt: skip
        assert words in told
    assert all(note.split()[0] in found.text for note in found.notes)


def test_node_types_and_classes(folder):  # noqa: ARG001 - as above
    changed(**{SMALL: "lumi", '\nlinks.global.latency = "200 ns"':
               '\nqos.classes = [{ name = "a", cap = "30 %" }, { name = "b", cap = "70 %" }]',
               '"contiguous"': '{ kind = "contiguous", nodes = "cpu" }',
               'role = "aggressor"': 'role = "aggressor"\nclass = "a"'})  # fmt: skip
    found = on("frontier")
    _, jobs = written(found)
    assert jobs["rest"]["placement"] == {"kind": "contiguous"}
    assert "class" not in jobs["noise"]
    told = " ".join(found.notes)
    assert "frontier has no nodes called `cpu`" in told
    assert "`class` of `noise` is left out: the system has no traffic classes" in told
    _, jobs = written(on("perlmutter"))
    assert jobs["rest"]["placement"]["nodes"] == "cpu"


def test_a_sweep_keeps_what_still_has_a_meaning(folder):  # noqa: ARG001 - as above
    Path("mix.toml").write_text(
        MIX
        + """
[sweep]
seed = [1, 2]
"system.links.local.latency" = ["10 ns", "20 ns"]
"jobs.0.workload.ranks" = [24, 12]
"routing.algorithm" = ["par", "minimal"]
"""
    )
    found = on("theta")
    data, _ = written(found)
    assert data["sweep"] == {"seed": [1, 2], "routing.algorithm": ["par", "minimal"]}
    assert "system.links.local.latency, jobs.0.workload.ranks" in " ".join(found.notes)


def test_the_system_of_a_scenario_file(folder):
    (folder / "other.toml").write_text(MIX.replace(SMALL, "dragonfly(4, 4, 4, 5)").replace(
        '"par"', '"minimal"').replace("mix", "other"))  # fmt: skip
    Path("mix.toml").write_text(MIX.partition("[routing]")[0].replace(SMALL, "frontier"))
    data, _ = written(on("other.toml"))
    assert data["system"]["links"] == {"global": {"latency": "200 ns"}}
    assert data["routing"] == {"algorithm": "minimal"}


def test_global_bandwidth_is_that_of_the_taper():
    """Frontier: 57 % of what its nodes inject, as its operators publish."""
    frontier = machine.named("frontier")
    share = frontier.global_bytes_per_s / frontier.injected(frontier.default)
    assert share == pytest.approx(0.57, abs=0.04)
    assert machine.named("theta").nodes == 3456


def test_the_command_writes_and_runs_both(folder, capsys):
    assert main(["scale", "mix.toml", "--system", "dragonfly(4, 4, 4, 5)", "--run", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["scenario"] == "mix-on-dragonfly-4-4-4-5.toml"
    assert said["jobs"][0]["nodes"] == [24, 27]
    both = said["machines"]
    assert both[SMALL]["global links"] == "25 GB/s, 200 ns"
    assert both["dragonfly(4, 4, 4, 5)"]["nodes"] == "80"
    for folder_, times in zip(("mix", "mix-on-dragonfly-4-4-4-5"), said["results"], strict=True):
        job = odonata.load(folder / "results" / folder_).jobs["halo"]
        assert times["halo"]["comm_time_ns"] == job.comm_time_ns
        assert times["halo"]["slowdown"] == job.slowdown
    assert main(["scale", "mix.toml", "--system", "dragonfly(4, 4, 4, 5)", "--overwrite"]) == 0
    shown = capsys.readouterr().out
    for words in ("global bandwidth per node", "24 -> 27", "33.33% -> 33.75%", "Note: `noise` is",
                  "Next: odonata run mix-on-dragonfly-4-4-4-5.toml"):  # fmt: skip
        assert words in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mix.toml", "--system", "frontie"], "Did you mean `frontier`?"),
        (["mix.toml", "--system", "dragonfly(2, 4, 2, 99)"], "global ports"),
        (["mix.toml", "--system", "none.toml"], "none.toml: "),
        (["non.toml", "--system", "theta"], "non.toml: "),
        (["mix.toml", "--system", "theta", "--out", "mix.toml"], "name another .toml file"),
        (["mix.toml", "--system", "theta", "--out", "there.toml"], "there.toml exists"),
        (["full.toml", "--system", "dragonfly(1, 1, 1, 2)"], "cannot run on dragonfly(1, 1, 1, 2)"),
    ],
)
def test_mistakes_are_named(folder, capsys, words, said):
    (folder / "there.toml").write_text("")
    (folder / "full.toml").write_text(MIX)
    assert main(["scale", *words]) == 2
    assert said in capsys.readouterr().err
    assert (folder / "mix.toml").read_text() == MIX


def test_a_trace_keeps_its_ranks(folder):
    example = Path(odonata.__file__).parent / "examples" / "traces" / "lammps-melt-16.npz"
    (folder / "melt.npz").write_bytes(example.read_bytes())
    changed(**{'"halo3d", ranks = 24, iterations = 2, face = "20 kB"':
               '"trace", path = "melt.npz", compute_scale = 0.0'})  # fmt: skip
    found = on("kang2022-1056")
    assert found.jobs[0].nodes == (16, 16)
    assert "The file of `halo` says that it has 16 ranks: they stay." in found.notes
    with pytest.raises(Error, match="paths in a scenario begin in its folder"):
        scaling.scaled(Path("mix.toml"), "theta", Path("elsewhere/x.toml"))
