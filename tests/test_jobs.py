"""``odonata jobs``: what it says of a log, and the scenarios that it writes."""

from __future__ import annotations

import json
import tomllib

import polars as pl
import pytest

import odonata
from odonata.cli import main
from odonata.scenario import Scenario, mixes

SYSTEM = "dragonfly(2, 4, 2, 9)"
"""72 nodes."""
LOG = """# file: a comment in front
job,start,end,nodes,user,sent_bytes
1,2025-01-01T00:00:00,2025-01-01T04:00:00,"n[01-08]",a,3.6e13
2,2025-01-01T01:00:00,2025-01-01T05:00:00,"n[09-20,25]",b,
3,2025-01-01T02:00:00,2025-01-01T03:00:00,n30,b,
4,2025-01-01T02:00:00,2025-01-01T03:00:00,"n[20,22-23]",c,
5,2025-01-01T06:00:00,2025-01-01T07:00:00,40,c,
"""
SWF = """; UnixStartTime: 1735689600
; MaxProcs: 64
 1    0  0 7200  48 -1 -1  8 -1 -1 1  1 1 -1 0 -1 -1 -1
 2 3600  0 7200  16 -1 -1  4 -1 -1 1  2 1 -1 0 -1 -1 -1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / "log.swf").write_text(SWF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def said(folder, capsys):  # noqa: ARG001 - its files are there
    """What a command line says in JSON, or in words if it is refused."""

    def run(*words):
        code = main(["jobs", *words, "--json"])
        answer = json.loads(capsys.readouterr().out)
        assert answer["exit_code"] == code
        return answer["error"] if code else answer

    return run


def written(said, *words, log="log.csv", out="a.toml"):
    answer = said(log, "--out", out, "--overwrite", *words)
    if isinstance(answer, str):
        return answer
    with open(out, "rb") as stream:  # noqa: PTH123 - in the folder of the test
        return answer["scenarios"][0], tomllib.load(stream)


def test_a_log_is_summed_up(said, capsys):
    """By hand: 8 nodes for 4 h, 13 for 4 h, 1 and 3 for 1 h, 40 for 1 h, in 7 h."""
    found = said("log.csv", "--at", "2h")
    assert found["span_s"] == 7 * 3600
    assert found["nodes_in_use_max"] == 40
    assert found["busy_share"] == round((32 + 52 + 1 + 3 + 40) / (7 * 40), 4)
    assert found["occupancy"][0] == found["occupancy"][7] == 0.2
    assert found["occupancy"][-1] == 1.0
    assert found["jobs_with_node_lists"] == 4
    assert [(one["size"], one["jobs"]) for one in found["sizes"]] == [
        ("1", 1), ("2 to 3", 1), ("4 to 15", 2), ("16 to 63", 1),
    ]  # fmt: skip
    assert found["instants"] == [
        {"at_s": 1_735_696_800.0, "at": "2025-01-01 02:00:00 (7200 s after the first start)",
         "jobs": 4, "nodes_in_use": 25}
    ]  # fmt: skip
    assert main(["jobs", "log.csv", "--at", "busiest"]) == 0
    shown = capsys.readouterr().out
    assert "node lists: of 4 jobs" in shown
    assert "occupancy: |▂▂" in shown
    assert "(21600 s after the first start): jobs: 1, nodes in use: 40" in shown


@pytest.mark.parametrize(
    ("at", "since"),
    [("2h", 7200), ("90 min", 5400), ("2025-01-01T05:30", None), ("2025-01-01 02:10", 7800),
     ("0.2d", None)],
)  # fmt: skip
def test_instants_are_those_of_the_log(said, at, since):
    found = said("log.csv", "--at", at)["instants"][0]
    if since is not None:
        assert found["at_s"] - 1_735_689_600 == since
    assert (found["jobs"] == 0) == (at == "2025-01-01T05:30")
    drawn = [one["at_s"] for one in said("log.csv", "--at", "drawn:5", "--seed", "3")["instants"]]
    assert drawn == sorted(drawn)
    assert len(set(drawn)) == 5
    other = said("log.csv", "--at", "drawn:5", "--seed", "4")["instants"]
    assert drawn != [one["at_s"] for one in other]


def test_nodes_of_the_log_become_those_of_the_system(said):
    answer, data = written(said, "--at", "2h", "--system", SYSTEM, "--mix", "allreduce")
    jobs = {job["name"]: job for job in data["jobs"]}
    assert jobs["log-1"]["placement"] == {"kind": "list", "nodes": [*range(8)]}
    assert jobs["log-2"]["placement"]["nodes"] == [*range(8, 20), 24]
    assert jobs["log-4"]["placement"]["nodes"] == [21, 22], "n20 was there before"
    assert [job["workload"] for job in data["jobs"]] == [
        {"kind": "allreduce", "ranks": ranks, "iterations": 1} for ranks in (13, 8, 2)
    ]
    assert (answer["jobs"], answer["nodes"], answer["system_nodes"]) == (3, 23, 72)
    told = " ".join(answer["assumed"])
    assert "n01 is node 0" in told
    assert "1 job of one node is left out" in told
    assert "1 node that several jobs share" in told
    assert data["measure"], "nothing else ends the run"
    _, data = written(said, "--at", "2h", "--system", SYSTEM, "--first", "0", "--most", "1")
    assert [job["placement"]["nodes"][0] for job in data["jobs"]] == [9]


def test_what_is_written_runs_beside_a_victim(said, folder):
    answer, data = written(
        said, "--at", "1.5h", "--system", SYSTEM, "--victim", "allreduce:16", "--seed", "7",
        "--mix", "halo3d=1,alltoall=3",
    )  # fmt: skip
    assert [job["role"] for job in data["jobs"]] == ["background", "background", "victim"]
    assert [job["workload"]["kind"] for job in data["jobs"][:2]] == ["alltoall", "halo3d"]
    assert data["seed"] == 7
    assert "halo3d 25%, alltoall 75%" in " ".join(answer["assumed"])
    assert (
        (folder / "a.toml").read_text().startswith("# Jobs of log.csv (list) at 2025-01-01 01:30")
    )
    result = odonata.run(folder / "a.toml")
    assert result.summary["stop"] == "finished"
    ranks = result.table("ranks")
    assert set(ranks.filter(pl.col("job") == "log-1")["node"]) == {*range(8)}
    assert result.jobs["victim"].slowdown > 0


def test_places_that_are_not_known_are_drawn(said):
    answer, data = written(said, "--system", SYSTEM, "--placement", "geometric", "--packets", "4",
                           "--per-node", "2", log="log.swf")  # fmt: skip
    assert [job["workload"]["ranks"] for job in data["jobs"]] == [24, 8]
    assert {job["placement"] for job in data["jobs"]} == {"geometric"}
    assert {job["packet_multiple"] for job in data["jobs"]} == {4}
    told = " ".join(answer["assumed"])
    assert "drawn by `geometric`, and anew in each replica" in told
    assert "17 of 20 pairs" in told
    several = Scenario.read("a.toml").with_replicas(2)
    assert len(several.points) == 2
    _, data = written(said, "--at", "2h", "--system", SYSTEM, "--per-node", "2")
    assert {job["placement"] for job in data["jobs"]} == {"random-node"}, "no node is one of theirs"


def test_a_machine_with_several_nics(said, folder):
    """Of Frontier the preset is known; its congestion control counts packets, and is off."""
    (folder / "f.swf").write_text("".join(
        line if line[:1] == ";" else f"{line} -1 -1 frontier:excl:{line.split()[4]}x112\n"
        for line in SWF.splitlines(keepends=True)
    ).replace("-1\n", "-1"))  # fmt: skip
    answer, data = written(said, "--mix", "open-loop", "--packets", "2", log="f.swf")
    assert data["system"] == {"preset": "frontier", "nic": {"congestion": {"kind": "none"}}}
    assert answer["system_nodes"] == 9408
    assert [job["workload"]["ranks"] for job in data["jobs"]] == [192, 64], "a source at each NIC"
    assert "routing" not in data, "that of the machine"
    _, data = written(said, "--victim", "job:2", "--ranks-per-node", "2", log="f.swf")
    roles = {job["name"]: (job["role"], job["ranks_per_node"]) for job in data["jobs"]}
    assert roles == {"log-1": ("background", 2), "log-2": ("victim", 2)}
    assert "measure" not in data


def test_measured_rates_become_loads(said):
    """By hand: 3.6e13 B over 4 h and 8 nodes are 312.5 MB/s, of 25 GB/s."""
    _, data = written(said, "--at", "90min", "--system", SYSTEM, "--mix", "measured")
    assert [(job["name"], job["workload"]["load"]) for job in data["jobs"]] == [("log-1", 0.0125)]


def test_neighbours_of_a_scenario(said, folder):
    (folder / "mine.toml").write_text(f"""
name = "mine"
routing = {{ algorithm = "minimal" }}
system = {{ preset = "{SYSTEM}", links.global.latency = "200 ns" }}
stop = {{ time = "2 ms" }}
[[jobs]]
name = "solver"
workload = {{ kind = "allreduce", ranks = 4, iterations = 3 }}
[sweep]
"jobs.0.workload.message" = ["8 B", "16 B"]
""")
    _, data = written(said, "--at", "90min", "--victim", "mine.toml")
    assert [job["name"] for job in data["jobs"]] == ["log-2", "log-1", "solver"]
    assert data["sweep"] == {"jobs.2.workload.message": ["8 B", "16 B"]}
    assert data["stop"] == {"time": "2 ms"}
    assert data["routing"] == {"algorithm": "minimal"}
    assert data["system"]["links"] == {"global": {"latency": "200 ns"}}
    assert len(Scenario.read("a.toml").points) == 2
    _, data = written(said, "--at", "90min", "--victim", "mine.toml", "--system", "kang2022-1056")
    assert data["system"] == {"preset": "kang2022-1056"}
    (folder / "below").mkdir()
    assert "begin in its folder" in written(said, "--victim", "mine.toml", out="below/a.toml")


def test_drawn_instants_are_a_scenario_each(said, folder):
    answer = said(
        "log.csv", "--at", "drawn:3", "--system", SYSTEM, "--out", "b.toml", "--seed", "1"
    )
    assert [one["scenario"] for one in answer["scenarios"]] == [
        f"b-{one}.toml" for one in (1, 2, 3)
    ]
    assert sorted(path.name for path in folder.glob("b*")) == ["b-1.toml", "b-2.toml", "b-3.toml"]
    again = said("log.csv", "--at", "drawn:3", "--system", SYSTEM, "--out", "b.toml")
    assert "b-1.toml exists" in again


@pytest.mark.parametrize("name", mixes.MIXES)
def test_every_named_mix_runs_on_any_number_of_nodes(name, said):
    assert sum(mixes.MIXES[name].values()) == pytest.approx(1)
    answer, _ = written(said, "--at", "2h", "--system", SYSTEM, "--mix", name)
    assert answer["jobs"] == 3


OUT = ("--out", "a.toml", "--system", SYSTEM)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("none.csv",), "job log none.csv: no such file"),
        (("log.csv", "--mix", "hpc"), "--mix is about the scenario; add --out"),
        (("log.csv", "--overwrite"), "--overwrite is about the scenario"),
        (("log.csv", "--at", "busyest"), "Did you mean `busiest`?"),
        (("log.csv", "--at", "drawn:0"), "this is no instant"),
        (("log.csv", "--at", "8h"), "the log runs from 2025-01-01 00:00:00"),
        (("log.csv", "--at", "2024-01-01"), "the log runs from 2025-01-01 00:00:00"),
        (("log.csv", "--out", "a.tml", "--system", SYSTEM), "write, for example, a.toml"),
        (("log.csv", "--out", "a.toml"), "which system?"),
        (("log.csv", "--out", "a.toml", "--system", "fronteer"), "Did you mean `frontier`?"),
        (("log.csv", *OUT, "--mix", "halo3"), "Did you mean `halo3d`?"),
        (("log.csv", *OUT, "--mix", "halo3d=x"), "`x` is no share of `halo3d`"),
        (("log.csv", *OUT, "--mix", "measured", "--at", "390min"), "does not say what its jobs"),
        (("log.csv", *OUT, "--victim", "milk"), "Did you mean `milc`?"),
        (("log.csv", *OUT, "--victim", "milc:x"), "`x` is no number of nodes"),
        (("log.csv", *OUT, "--victim", "milc:70"), "--most N leaves the smallest out"),
        (("log.csv", *OUT, "--victim", "job:9"), "no such job runs on several nodes"),
        (("log.csv", *OUT, "--victim", "job:5", "--mix", "uniform"), "has no time that others"),
        (("log.csv", *OUT, "--victim", "no.toml"), "no.toml: no such file"),
        (("log.csv", *OUT, "--placement", "random"), "--placement: `random` is not known"),
        (("log.csv", *OUT, "--at", "330min"), "no job of log.csv runs at"),
        (("log.csv", *OUT, "--first", "2"), "n01 to n30 do not fit"),
        (("log.swf", *OUT, "--first", "2"), "--first: the log has no node lists"),
        (("log.swf", "--out", "a.toml", "--system", "dragonfly(2, 2, 1, 3)"), "has 12; choose"),
        (("log.csv", "--out", "no/a.toml", "--system", SYSTEM), "no/a.toml: cannot be written"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(words, text, said):
    answer = said(*words)
    assert isinstance(answer, str)
    assert text in answer


@pytest.mark.parametrize("words", [["--per-node", "0"], ["--packets", "65"], ["--most", "0"]])
@pytest.mark.usefixtures("folder")
def test_numbers_have_limits(words, capsys):
    assert main(["jobs", "log.csv", *words]) == 2
    assert words[0] in capsys.readouterr().err


def test_an_occupancy_reads_the_same_forms(folder):
    job = {"name": "log", "placement": "random-node", "workload": {
        "kind": "occupancy", "log": str(folder / "log.csv"), "span": "10000 s",
        "rules": [{"workload": {"kind": "allreduce"}}],
    }}  # fmt: skip
    victim = {"workload": {"kind": "barrier", "ranks": 2}}
    found = Scenario.from_mapping({"system": {"preset": SYSTEM}, "routing": {"algorithm": "par"},
                                   "jobs": [job, victim]})  # fmt: skip
    rows = [(job["name"], job["workload"]["ranks"]) for job in found.points[0].config["jobs"]]
    assert rows == [("log-1", 8), ("log-2", 13), ("log-3", 1), ("log-4", 3), ("barrier", 2)]
