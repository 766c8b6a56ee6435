"""Load files of Ember and workload files of CODES become scenarios that run."""

from __future__ import annotations

import json
import tomllib

import pytest

import odonata
from odonata.cli import main
from odonata.errors import TextError
from odonata.scenario import Scenario, loads

EMBER = """
# two jobs
[VAR] size=16
[JOB_ID] 10

[NID_LIST] generateNidList=generateNidListRange(0,8)
[NUM_CORES] 1
[PARAM] ember:verbose=0
[MOTIF] Init
[MOTIF] Halo3D pex=2 pey=2 pez=2 nx={size} ny={size} nz={size} fields_per_cell=3
 iterations=4 doreduce=0 computetime=2500
[MOTIF] Fini
[JOB_ID] 11
[NID_LIST] 20,8-10,
  30-31
[MOTIF] Init
[MOTIF] ember.Allreduce iterations=5 count=128 compute=100 verbose=1
[MOTIF] Fini
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="work.load"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_a_load_file_of_ember(written):
    load = loads.read(written(EMBER))
    assert load.jobs == [
        {
            "name": "job-10",
            "placement": {"kind": "list", "nodes": [0, 1, 2, 3, 4, 5, 6, 7]},
            "ranks_per_node": 1,
            "workload": {"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "6144 B",
                         "iterations": 4, "compute": "2500 ns", "reduction": False,
                         "overlap": False},
        },
        {
            "name": "job-11",
            "placement": {"kind": "list", "nodes": [20, 8, 9, 10, 30, 31]},
            "workload": {"kind": "allreduce", "ranks": 6, "message": "1024 B", "iterations": 5,
                         "compute": "100 ns"},
        },
    ]  # fmt: skip
    assert load.notes == ["line 8: [PARAM] is left out",
                          "line 17: of motif Allreduce, verbose is left out"]  # fmt: skip


@pytest.mark.parametrize(
    ("motif", "wanted"),
    [
        ("Alltoall bytes=512", {"kind": "alltoall", "message": "512 B", "iterations": 1}),
        ("Bcast count=3 iterations=2", {"kind": "bcast", "message": "24 B", "iterations": 2}),
        ("Barrier compute=7", {"kind": "barrier", "compute": "7 ns"}),
        ("Halo3D pex=2 pey=2 pez=1", {"face": "80000 B", "compute": "2600000 ns",
                                      "reduction": True}),
        ("FFT3D npRow=2 nx=64 ny=64 nz=64 nsPerElement=0.5 bwd_fft3=2",
         {"kind": "fft3d", "nx": 64, "process_rows": 2, "element_time": "0.5 ns",
          "transform_cost": [1, 1, 1, 1, 1, 2]}),
        ("Halo3D26 pex=2 pey=2 pez=1 nx=8 ny=4 nz=2 fields_per_cell=2 doreduce=0",
         {"kind": "halo26", "grid": [2, 2, 1], "nx": 8, "nz": 2, "cell": "16 B",
          "compute": "3328 ns", "reduction": False}),
        ("Sweep3D pex=2 pey=2 nx=4 ny=4 nz=8 kba=4 computetime=10",
         {"kind": "sweep3d", "grid": [2, 2], "nz": 8, "block": 4, "cell": 64,
          "compute": "320 ns"}),
        ("AllPingPong messageSize=9", {"kind": "ping-pong", "message": "9 B",
                                       "compute": "1000 ns"}),
    ],
)  # fmt: skip
def test_every_motif_becomes_its_workload(written, motif, wanted):
    path = written(f"[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] {motif}\n")
    job = loads.read(path).jobs[0]
    assert wanted.items() <= job["workload"].items()
    result = odonata.run({"system": {"preset": "dragonfly(2, 4, 2, 9)"},
                          "routing": {"algorithm": "minimal"}, "jobs": [job],
                          "stop": {"time": "9 ms"}})  # fmt: skip
    assert result.jobs["job-1"].summary["messages_sent"] > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[NID_LIST] 0-3\n", "line 1: [NID_LIST] stands before the first [JOB_ID]"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Haloo3D\n", "mean `Halo3D`?"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Init\n", "no motif that communicates"),
        ("[JOB_ID] 1\n[MOTIF] Barrier\n", "no [NID_LIST]"),
        ("[JOB_ID] 1\n[NID_LIST] generateNidList=other(3)\n", "no node and no range"),
        ("[JOB_ID] 1\n[NID_LIST] 0-999999999\n", "more than"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Barrier iterations=many\n", "`iterations` is `many`"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Halo3D nx=2\n", "differ in size"),
        ("[JOB_ID] 1\n[NID_LIST] 0\n[MOTIF] Barrier\n[MOTIF] Barrier\n", "second motif"),
        ("300 milc 0 0\nwhat is this\n", "line 2: a line has ranks and a name"),
        ("300 mlic\n", "mean `milc`?"),
        ("4 synthetic3 0 100\n", "`synthetic3` has no counterpart; of synthetic jobs there are"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] PingPong\n", "use AllPingPong"),
        ("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Sweep3D pex=2\n", "`pex` and `pey` are needed"),
        ("[JOB_ID] 1\n[NID_LIST] generateNidList=generateNidListRandom(9,1)\n", "has 2 numbers"),
        (
            "[JOB_ID] 1\n[NID_LIST] generateNidList=generateNidListInterval(0,99999999,1)\n",
            "more than",
        ),
        ("", "no job"),
    ],
)
def test_what_is_not_understood_is_named_with_its_place(written, text, words):
    with pytest.raises(TextError) as error:
        loads.read(written(text))
    assert words in str(error.value)


def test_generated_nodes_and_jobs_that_do_nothing(written):
    """Node 9, 12, 15; three of ten shuffled nodes, the same each time; an idle job."""
    load = loads.read(written(
        "[JOB_ID] 1\n[NID_LIST] generateNidList=generateNidListInterval(9,3,3)\n"
        "[MOTIF] Barrier\n[JOB_ID] 2\n[NID_LIST] generateNidList=generateNidListRandom(10,4,2)\n"
        "[MOTIF] PingPong messageSize=64\n[JOB_ID] 3\n[NID_LIST] 17\n[MOTIF] Null\n"
        "[JOB_ID] 4\n[NID_LIST] generateNidList=generateNidListRandom(10,0,10)\n"
        "[MOTIF] Halo3D26\n"
    ))  # fmt: skip
    nodes = [job["placement"]["nodes"] for job in load.jobs]
    assert nodes[0] == [9, 12, 15]
    assert nodes[1] == nodes[2][4:6]
    assert sorted(nodes[2]) == list(range(10))
    assert load.jobs[2]["workload"]["reduction"]
    assert load.notes == ["job-3 does nothing and is left out"]


def test_synthetic_jobs_of_codes(written):
    """Uniform at its default interval; rotating permutations at the interval of the line."""
    load = loads.read(written("8 milc\n16 synthetic\n16 synthetic5 0 5000\n"))
    assert [job["workload"] for job in load.jobs[1:]] == [
        {"kind": "open-loop", "pattern": "uniform", "message": "1024 B", "interval": "100000 ns",
         "ranks": 16},
        {"kind": "open-loop", "pattern": "rotating", "message": "1024 B", "interval": "5000 ns",
         "ranks": 16},
    ]  # fmt: skip
    assert [job.get("role") for job in load.jobs] == [None, "background", "background"]
    assert "`--payload_sz`" in load.notes[1]


def test_a_workload_file_of_codes_with_its_allocation(written, tmp_path, capsys):
    work = written("8 nearest_neighbor 0 0\n16 incast 1 0\n4 traces/run- 0 0\n", "work.conf")
    parts = (range(8), range(8, 24), range(24, 28))
    nodes = written("\n".join(" ".join(map(str, part)) for part in parts), "alloc.conf")
    load = loads.read(work, allocation=nodes)
    assert [job["workload"] for job in load.jobs] == [
        {"kind": "nearest-neighbour", "ranks": 8},
        {"kind": "incast", "ranks": 16},
        {"kind": "trace", "path": str(tmp_path / "traces" / "run-0000.bin")},
    ]
    assert load.jobs[1]["placement"] == {"kind": "list", "file": str(nodes), "line": 1}
    work.write_text("8 nearest_neighbor 0 0\n16 incast 1 0\n")
    target = tmp_path / "made.toml"
    assert main(["trace", "convert", str(work), str(target), "--allocation", str(nodes),
                 "--system", "dragonfly(2, 4, 2, 9)", "--json"]) == 0  # fmt: skip
    assert len(json.loads(capsys.readouterr().out)["notes"]) == 3
    found = odonata.run(Scenario.read(target), threads=1)
    assert set(found.table("ranks")["node"]) == set(range(24))


def test_the_scenario_can_be_run(written, tmp_path, capsys):
    target = tmp_path / "made.toml"
    path = written(EMBER)
    assert main(["trace", "convert", str(path), str(target)]) == 0
    assert "Note: line 8" in capsys.readouterr().out
    made = tomllib.loads(target.read_text())
    assert [job["name"] for job in made["jobs"]] == ["job-10", "job-11"]
    assert main(["check", str(target)]) == 0
    assert main(["trace", "convert", str(tmp_path / "none.load"), str(target)]) == 2
    assert main(["trace", "convert", str(path), str(tmp_path / "no" / "made.toml")]) == 2


def test_workloads_of_a_published_study(shared):
    folder = shared / "data" / "reference" / "mfnetsim" / "conf" / "workload"
    with pytest.raises(TextError, match="conceptual-checkpoint"):
        loads.read(folder / "checkpoint.conf")
