"""`odonata diagnose`: from two folders and a job log to what is known, simulated and assumed."""

from __future__ import annotations

import json
import shlex

import pytest

from odonata.scenario.model import read_document

SYSTEM = "dragonfly(1, 2, 1, 3)"

OSU = """
# OSU MPI Allreduce Latency Test v7.4
# Size       Avg Latency(us)
8                      {:.2f}
"""

LOG = """JobID|User|JobName|Start|End|NNodes|NodeList
7|anna|osu|2026-03-02T10:00:00|2026-03-02T10:30:00|2|n[1,4]
8|bob|cfd|2026-03-02T08:00:00|2026-03-02T12:00:00|2|n[2,5]
9|eve|fft|2026-03-02T09:00:00|2026-03-02T13:00:00|2|n[3,6]
"""


@pytest.fixture
def days(tmp_path):
    """A calm and a slow day, five repetitions each, and who ran on the slow one."""
    for day, factor in (("calm", 1.0), ("slow", 1.6)):
        folder = tmp_path / day
        folder.mkdir()
        text = "".join(OSU.format(factor * mean) for mean in (10.0, 10.1, 9.9, 10.2, 9.8))
        (folder / "allreduce.txt").write_text(text)
    (tmp_path / "jobs.txt").write_text(LOG)
    return tmp_path


def diagnose(odonata, folder, *words):
    done = odonata("diagnose", folder / "calm", folder / "slow", "--out", folder / "out", *words)
    assert done.returncode == 0, done.stderr
    return done


def test_a_new_user_gets_to_the_statement(odonata, days):
    done = diagnose(odonata, days, "--jobs", days / "jobs.txt", "--system", SYSTEM, "--own", "7",
                    "--mix", "uniform", "--replicas", "2", "--json")  # fmt: skip
    said = json.loads(done.stdout)
    assert "1 slower and 0 faster" in said["measured"][-1]
    assert said["slow"]["ratio"] == pytest.approx(1.6)
    assert said["slow"]["low"] < 1.6 < said["slow"]["high"]
    assert said["slow"]["day"].endswith("slow")
    assert "victim" in said["simulated"][0]
    assert said["simulated"][1].startswith("Advice: ")
    assumed = " ".join(said["assumed"])
    for words in ("What jobs communicate is not in the log", "has the 2 nodes of job 7",
                  "`allreduce` on 2 nodes", "have one cause"):  # fmt: skip
        assert words in assumed
    jobs = read_document(days / "out" / "beside.toml").data["jobs"]
    assert [job["name"] for job in jobs] == ["log-8", "log-9", "victim"], "7 is no neighbour"
    assert jobs[-1]["placement"]["nodes"] == [0, 3]
    assert jobs[-1]["workload"]["message"] == "8 B"
    names = [shlex.split(line)[1] for line in said["commands"]]
    assert names == ["noise", "noise", "jobs", "run", "explain", "advise"]
    again = odonata(*shlex.split(said["commands"][4])[1:])
    assert said["simulated"][0].split()[0] in again.stdout, "every step can be repeated"


def test_without_neighbours_it_says_what_to_record(odonata, days):
    said = diagnose(odonata, days).stdout
    assert "1 slower and 0 faster" in " ".join(said.split())
    assert "sacct -a -X -P" in said
    assert "Simulated:" not in said
    assert not (days / "out").exists()


def test_what_measure_plan_recorded_is_found(odonata, days):
    (days / "beside").mkdir()
    (days / "beside" / "slow-before.txt").write_text(LOG)
    done = odonata("diagnose", days / "calm", days / "slow", "--out", days / "out")
    assert done.returncode == 2
    assert "slow-before.txt has neighbours" in done.stderr
    assert "--system PRESET" in done.stderr


def test_equal_days_do_not_differ(odonata, days):
    done = odonata("diagnose", days / "calm", days / "calm", "--json")
    assert "no difference seen in one series" in json.loads(done.stdout)["measured"][-1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--jobs", "jobs.txt"], "which system?"),
        (["--mix", "hcp"], "hpc"),
        (["--series", "MPI Alreduce*"], "there is no series"),
        (["--out", "calm"], "choose another folder"),
        (["--jobs", "jobs.txt", "--system", SYSTEM, "--own", "77"], "no such job runs"),
        (["--jobs", "nowhere", "--system", SYSTEM], "nowhere"),
    ],
)
def test_bad_input_is_named(odonata, days, monkeypatch, words, sentence):
    monkeypatch.chdir(days)
    done = odonata("diagnose", "calm", "slow", *words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_two_days_of_piz_daint_stop_where_nobody_recorded_neighbours(odonata, shared):
    """The figures of docs/how-to/diagnose.md."""
    data = shared / "data" / "noise"
    done = odonata(
        "diagnose", data / "daint_mc_rush_hour_same_slot_default" / "2022_03_30_18_14_05.tar.xz",
        data / "daint_mc_rush_hours_diff_rack_default" / "2022_03_28_17_00_03.tar.xz",
        "--series", "ng_netnoise_mpi_lat", "--series", "ng_osnoise", "--json",
    )  # fmt: skip
    hosts, apart, both = json.loads(done.stdout)["measured"]
    assert "10.2% of the iterations were slow" in hosts
    assert apart.startswith("2022_03_28")
    assert "39.8% of the iterations were slow" in apart
    assert "at most 3.6% of these" in apart
    assert "of 2 series 1 slower and 0 faster" in both
    assert "1.38 times as long" in both
    assert "its p99 24 times" in both
