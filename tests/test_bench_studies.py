"""The studies of the speed set: each is one run, and each is measured in both ways."""

import importlib.util
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from odonata.cli import speed_set as bench
from odonata.core.errors import Error

BENCHES = Path(__file__).parent.parent / "benches"
STUDIES = sorted((BENCHES / "studies").glob("*.toml"))

SMALL = """
name = "small"
[system]
preset = "dragonfly(2, 4, 2, 9)"
[routing]
algorithm = "par"
[[jobs]]
workload = { kind = "halo3d", ranks = 64, iterations = 2 }
"""


@pytest.fixture
def small(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return file


def test_every_study_is_one_run():
    assert len(STUDIES) == 9
    tuned, *found = bench.of_files(STUDIES)
    assert tuned.name == bench.TUNED
    assert [case.name for case in found] == [file.stem for file in STUDIES]


def test_instructions_of_every_study_are_measured():
    spec = importlib.util.spec_from_file_location("instructions", BENCHES / "instructions.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    assert sorted(study.name for study in module.STUDIES) == [file.stem for file in STUDIES]


def test_tables_of_the_page_are_those_of_the_files():
    page = runpy.run_path(str(BENCHES / "page.py"))
    text = page["PAGE"].read_text("utf-8")
    assert text == page["updated"](text), "make docs"
    assert text.count("| `1056-minimal-0.5-voq` |") == 2  # one rate, one count of instructions
    with pytest.raises(ValueError, match="no place"):
        page["updated"]("# Performance\n")


def test_a_scenario_is_measured_as_a_command(odonata, small):
    done = odonata("bench", small, "--repeats", 1, "--json")
    assert done.returncode == 0, done.stderr
    tuned, row = json.loads(done.stdout)["cases"]
    assert row["case"] == "small"
    assert row["command_packet_hops_per_cpu_s"] < row["packet_hops_per_cpu_s"]
    expected = row["packet_hops_per_cpu_s"] / tuned["packet_hops_per_cpu_s"]
    assert row["rate_of_tuned"] == pytest.approx(expected)
    assert row["command_rate_of_tuned"] < row["rate_of_tuned"]
    assert "rate_of_tuned" not in tuned


def test_what_is_not_one_run_is_refused(small, odonata):
    sweep = small.with_name("sweep.toml")
    sweep.write_text(SMALL + '[sweep]\n"routing.algorithm" = ["minimal", "ugal-node"]\n')
    with pytest.raises(Error, match="2 runs"):
        bench.of_files([sweep])
    again = small.parent / "again" / small.name
    again.parent.mkdir()
    again.write_text(SMALL)
    with pytest.raises(Error, match="two cases"):
        bench.of_files([small, again])
    assert odonata("bench", small, "--quick").returncode == 2


def test_one_run_counts_what_the_command_counts(odonata, small, tmp_path):
    """The run that callgrind sees is the run of the command."""
    spec = importlib.util.spec_from_file_location("one_run", BENCHES / "one_run.py")
    one_run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(one_run)
    given = tmp_path / "given.json"
    one_run.write(str(small), "1 ms", str(given))
    assert odonata("run", small, "--out", tmp_path / "out", "--quiet").returncode == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    done = one_run_of(given)
    assert done == f"packet_hops {summary['engine']['packet_hops']}\n"


def one_run_of(given):
    command = [sys.executable, "-S", str(BENCHES / "one_run.py"), "run", str(given)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
