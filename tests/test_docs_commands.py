"""Commands and snippets of every page run, in order; what cannot run here is listed, with why.

A block whose first line is `# file: NAME` is written under that name before the commands below it.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import re
import shlex
import subprocess
import tomllib
import webbrowser
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

from conftest import REPOSITORY
from lengths import IS_LONG, longer
from odonata.campaign.forecast import expected
from odonata.cli import main
from odonata.cli.arguments import parser
from odonata.scenario import Scenario
from test_loads import EMBER
from test_preload_cli import REPORT

ELSEWHERE = {
    "make ": "sets up, builds or tests everything, this test included",
    "cargo ": "the Rust tests, which `make test` runs by themselves",
    "ODONATA_SCENARIOS=": "Rust tests over so many scenarios; make test has fewer of them",
    "apt ": "changes the machine",
    "sbatch ": "needs Slurm",
    "srun ": "needs Slurm; without it `measure run` is in tests/test_measure_mpi.py",
    "mpiexec ": "needs an MPI; tests/test_launched.py starts the same under two of them",
    "odonata mpi ": "needs the compiler of an MPI; tests/test_launched.py uses two of them",
    "odonata run scenarios/small.toml --processes 4 --hosts": "needs machines that ssh reaches; "
    "tests/test_launched.py has a stand-in for ssh",
    "mpirun ": "needs a recorder; tests/test_record.py has a stand-in",
    "SCOREP_": "needs Score-P",
    "scorep ": "needs Score-P",
    "TAU_": "needs TAU",
    "odonata trace check traces.otf2": "needs what TAU recorded",
    "tools/release.sh": "a release takes a quarter of an hour",
    "tools/setup.sh ": "builds the simulator",
    "tools/vendor.sh ": "needs the archive of a release",
    "tools/record.sh ": "needs LAMMPS and EZTrace; tests/test_record.py has stand-ins",
    "MPICC=cc pip": "changes the environment",
    "cc ": "needs the headers of a Slingshot machine",
    "export ": "for the programs of a Slingshot or Aries machine",
    "LIBRARY=": "a variable of the shell; tests/test_preload_cli.py asks for both libraries",
    "odonata noise ../shared/": "data that are not part of the repository",
    "odonata diagnose ../shared/": "the same; tests/test_diagnose.py takes the two days",
    "odonata noise measured/JOB": "needs what a job on a cluster has measured",
    "odonata trace check scorep-": "needs what Score-P recorded",
}
"""Commands of pages that no test carries out here, and why."""

NO_PYTHON = {"campaigns": "SLURMCluster needs Slurm"}
"""Pages whose Python is compiled only, and why."""

TWO_JOBS = (
    "--set 'system.preset=\"dragonfly(2, 4, 2, 9)\"' "
    '--set \'jobs.fft3d.workload={kind="fft3d", ranks=32, nx=32, ny=32, nz=32, process_rows=4, '
    "iterations=1}' "
    "--set 'jobs.halo3d.workload={kind=\"halo3d\", ranks=36, grid=[3, 3, 4], iterations=1}'"
)
"""FFT3D and Halo3D on 72 nodes in place of 1,056, whatever takes long in the repository's size."""

SMALLER = {
    "odonata run scenarios/fft3d-beside-halo3d.toml": TWO_JOBS,
    "odonata run scenarios/who-slows-fft3d.toml": TWO_JOBS,
    "odonata run scenarios/load-curve.toml": "--set 'sweep.\"jobs.0.workload.load\"=[0.02, 0.3]' "
    '--set \'sweep."jobs.0.workload.pattern"=["uniform"]\' --set \'measure.window="100 ns"\' '
    "--set 'measure.warm_up=\"0.1 us\"' --set 'system.preset=\"dragonfly(2, 4, 2, 9)\"'",
    "odonata run scenarios/real-trace.toml": '--set \'sweep."routing.algorithm"=["par"]\' '
    "--set 'stop.time=\"20 us\"'",
    "odonata run five.toml": "--set 'jobs.mine.workload.compute=\"10 us\"'",
    "odonata run scenarios/groves2017.toml": "--set 'jobs.allreduce.workload.arguments="
    "[512, 2, 20000]'",
    "odonata run scenarios/groves2017-hosts.toml": "--set jobs.allreduce.workload.ranks=32 "
    "--set 'jobs.allreduce.workload.arguments=[512, 2, 20000]'",
    "odonata advise scenarios/advise.toml": "--set advise.first_seeds=3 --set advise.most_seeds=3 "
    '--set \'sweep."routing.algorithm"=["minimal"]\' '
    '--set \'sweep."jobs.solver.placement"=["random-node"]\'',
}
"""What is added to a command so that it takes a second; without it in `make test-long`."""

INSTEAD = {
    "traces": {"FOLDER": "tests/data/eztrace-lammps-4", "RESULTS": "results/blame",
               "traces.otf2": "tests/data/eztrace-lammps-4/eztrace_log.otf2"},
    "first-hours": {"trace check trace": "trace check tests/data/eztrace-lammps-4",
                    "--job trace": "--job tests/data/eztrace-lammps-4"},
    "recording": {"odonata trace check trace": "odonata trace check tests/data/eztrace-lammps-4",
                  "melt.npz": "scenarios/traces/lammps-melt-16.npz"},
    "tutorial": {"demo --scenarios scenarios": "demo --scenarios brought"},  # there is one already
    "own-routing": {'"ugal-node-2"': '"ugal-node"'},  # which the page adds
    "noise": {"MEASURED": "results/small"},
    "report": {"results/mine": "results/small"},
}  # fmt: skip
"""What of a page stands for files of the reader, and which files the test has."""

SLOW = (
    "odonata demo --no-open",
    "odonata demo --out demo --no-open",
    "odonata run scenarios/blame.toml --out results/routing",
    "odonata run scenarios/blame.toml --out results/placement",
    "odonata run scenarios/blame.toml --out results/compare",
    "odonata report results/compare",
    "odonata report results/mine --interactive",
    "odonata report results/mytrace",
    "odonata run curve.toml --replicas 5",
    "odonata report results/curve",
    "odonata run classes.toml",
    "odonata run scenarios/link-flap.toml",
    "odonata run scenarios/merlin-dragon-128.toml",
    "odonata query results/link-flap",
    "odonata report results/classes",
    "odonata query results/classes",
    "odonata check operator.toml",
    "odonata run operator.toml",
    "odonata report results/operator",
    "odonata report classes",
    "odonata report learning",
    "odonata noise tests/data/noise/netgauge --plot noise",
    "odonata noise results/small --plot out/noise",
    "odonata run scenarios/load-curve.toml --replicas 20",
    "odonata diagnose calm slow",
    "odonata run scenarios/load-curve.toml --until-width",
)
"""Commands that are understood and left out, but in `make test-long`: each takes seconds."""

WORDS = re.compile(
    r"(\$ )?((\.venv/bin/)?odonata|make|cargo|pip|apt|apt-get|sbatch|srun|mpiexec|mpirun|scorep|cc"
    r"|export|eval|(\.venv/bin/)?python3?|tools/\S+|conda|spack|podman|docker|[A-Z_]+=\S+)( |$)"
)
"""With which a command begins."""

PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|<|>|\.\.\.")


def blocks(text):
    """Language and text of each block of code, in order."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^\1```", text, flags=re.MULTILINE | re.DOTALL)
    return [(language, re.sub(rf"^{indent}", "", body, flags=re.MULTILINE))
            for indent, language, body in found]  # fmt: skip


def commands(block):
    """Command lines of Odonata in a block, continued lines joined, without remarks."""
    lines = block.replace("\\\n", " ").splitlines()
    return [line.removeprefix("$ ").removeprefix(".venv/bin/").strip() for line in lines
            if re.match(r"(\$ )?(\.venv/bin/)?odonata ", line)]  # fmt: skip


def lines(block):
    """All commands in a block, those of Odonata without the folder of its environment."""
    found = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    return [re.sub(r"^(\$ )?(\.venv/bin/(?=odonata ))?", "", line)
            for line in found if WORDS.match(line)]  # fmt: skip


def pages(repository):
    return sorted([*(repository / "docs").rglob("*.md"), repository / "README.md",
                   repository / "CONTRIBUTING.md", repository / "ARCHITECTURE.md",
                   repository / "packaging" / "README.md"])  # fmt: skip


def test_every_command_of_every_page_is_understood(repository):
    count, wrong = 0, []
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            for line in commands(block) if language in {"", "console", "sh", "bash"} else []:
                words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)[1:]
                if any("..." in word for word in words):
                    continue  # says that more belongs there
                try:
                    with contextlib.redirect_stderr(io.StringIO()) as said:
                        parser().parse_args(words)
                    count += 1
                except SystemExit as end:
                    if end.code:
                        wrong.append(f"{page.name}: {line}: {said.getvalue().splitlines()[-1]}")
    assert wrong == []
    assert count > 60


def test_scenarios_that_pages_name_are_there(repository):
    """A path below `scenarios` in a command is a file of the repository, or made by the page."""
    missing = []
    for page in pages(repository):
        for _, block in blocks(page.read_text("utf-8")):
            for line in commands(block):
                paths = re.findall(r"\bscenarios/[\w./-]+\.(?:toml|npz|py)\b", line)
                missing += [f"{page}: {one}" for one in paths if not (repository / one).exists()]
    assert missing == []


def test_toml_of_every_page_is_toml(repository):
    count = 0
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "toml":
                tomllib.loads(block)
                count += 1
    assert count > 15


def test_python_of_every_page_compiles(repository):
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "python":
                compile(block, str(page), "exec")


def test_scripts_of_every_page_are_taken_by_a_shell(repository):
    for page in pages(repository):
        for language, block in blocks(page.read_text("utf-8")):
            if language == "" and block.startswith("#!/bin/bash"):
                done = subprocess.run(["bash", "-n"], input=block, text=True, check=False,
                                      capture_output=True)  # fmt: skip
                assert done.returncode == 0, f"{page}: {done.stderr}"


def test_commands_in_sentences_are_understood(repository):
    """Between backquotes; what stands for something is in capitals, or dots."""
    wrong, count = [], 0
    for page in pages(repository):
        prose = re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text("utf-8"))
        for line in re.findall(r"`((?:\.venv/bin/)?odonata [a-z][^`]*)`", prose):
            words = shlex.split(re.split(r" [|>] ", line)[0])[1:]
            if len(words) < 2 or PLACEHOLDER.search(line) or set(line) & set("[|"):
                continue
            with contextlib.redirect_stderr(io.StringIO()) as said:
                try:
                    parser().parse_args(words)
                except SystemExit as end:
                    if end.code and not re.search("required|expected", said.getvalue()):
                        wrong.append(f"{page.name}: {line}: {said.getvalue().splitlines()[-1]}")
            count += 1
    assert wrong == []
    assert count > 10


def running(repository):
    """Pages with something to carry out."""
    return [page for page in pages(repository)
            if any(language == "python" or (language in SHELL and lines(block))
                   for language, block in blocks(page.read_text("utf-8")))]  # fmt: skip


SHELL = {"", "console", "sh", "bash"}
PAGES = [str(page.relative_to(REPOSITORY).with_suffix("")) for page in running(REPOSITORY)]


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    """Where pages find what they take as given: scenarios, data, results of README."""
    place = tmp_path_factory.mktemp("reader")
    for name in ("scenarios", "studies", "tests"):
        (place / name).symlink_to(repository / name)
    with contextlib.chdir(place):
        for name in ("small", "counters", "blame"):
            more = ["--set", "routing.algorithm=par"] if name == "small" else []
            assert main(["run", f"scenarios/{name}.toml", "--quiet", *more]) == 0
        carried_out("odonata run scenarios/load-curve.toml --quiet")
    (place / "jobs.load").write_text(EMBER)
    (place / "workload.conf").write_text("8 nearest_neighbor 0 0\n16 incast 1 0\n")
    (place / "alloc.conf").write_text("0 1 2 3 4 5 6 7\n" + " ".join(map(str, range(8, 24))))
    (place / "reports").mkdir()
    (place / "reports" / "odonata-aries-nid1-7.json").write_text(json.dumps(REPORT))
    return place


@pytest.fixture
def cluster():
    """Where the page of campaigns has a Dask cluster."""
    from odonata.campaign.executors.dask import _Local  # noqa: PLC0415 - with Dask only

    distributed = pytest.importorskip("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with _Local(distributed, 1) as local:
        yield local


@pytest.fixture
def instead(request):
    """What of the page stands for something that the test has."""
    stem = request.node.callspec.params["name"].rpartition("/")[2]
    if stem == "campaigns":
        return {"tcp://10.0.0.1:8786": request.getfixturevalue("cluster").address}
    return INSTEAD.get(stem, {})


def test_pages_run(repository):
    """The list of pages is as long as it should be, and what is left out is on some page."""
    assert len(PAGES) > 20
    assert {"README", "docs/tutorial", "docs/python", "docs/gallery"} <= set(PAGES)
    everything = [line for page in pages(repository)
                  for language, block in blocks(page.read_text("utf-8"))
                  if language in SHELL | {"text"} for line in lines(block)]  # fmt: skip
    for start in (*ELSEWHERE, *SLOW, *SMALLER):
        assert any(line.startswith(start) for line in everything), f"on no page: {start}"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_from_its_first_to_its_last_line(
    name, repository, folder, instead, monkeypatch
):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(webbrowser, "open", lambda _: True)
    monkeypatch.setattr(expected, "_ALL_TRIALS_S", longer(0.4, expected._ALL_TRIALS_S))
    stem = name.rpartition("/")[2]
    left_out = (*ELSEWHERE, *(() if IS_LONG else SLOW))
    known, done, left, wrong = {"print": lambda *_: None}, 0, 0, []
    for language, written in blocks((repository / f"{name}.md").read_text("utf-8")):
        named = re.match(r"# file: (\S+)\n", written)
        block = written
        for old, new in instead.items():
            block = block.replace(old, new)
        if named:
            (folder / named[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / named[1]).write_text(block)
            if language == "toml" and not named[1].endswith("study.toml"):
                Scenario.read(folder / named[1])
        elif language == "python" and stem not in NO_PYTHON:
            exec(compile(block, name, "exec"), known)  # noqa: S102
            done += 1
        elif language in SHELL and not block.startswith("#!"):
            for raw, line in zip(lines(written), lines(block), strict=True):
                ran = not raw.startswith(left_out)
                wrong += mistaken(raw, timed(line)) if ran else []
                done, left = done + ran, left + (not ran)
    plt.close("all")
    assert wrong == []
    assert done + left >= 1 or stem in NO_PYTHON


STATED = re.compile(r"#\s*(\d+) (s|min)\b")
"""A time beside a command: processor time on a machine with two cores."""

TIMES = 3
GRACE_S = 1.0
"""How far a stated time may be off: a factor of that, and what Python needs to start."""


def processor_time():
    """Of this process and of those that it has waited for, s."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def timed(line):
    """Run a command; the processor time that it took, s."""
    begun = processor_time()
    carried_out(line)
    return processor_time() - begun


def mistaken(line, spent_s):
    """What is wrong with the time that a page states beside a command; nothing if it is right."""
    found = STATED.search(line)
    is_smaller = not IS_LONG and any(line.startswith(start) for start in SMALLER)
    if found is None or is_smaller:
        return []
    stated = int(found[1]) * (60 if found[2] == "min" else 1)
    if spent_s <= TIMES * stated + GRACE_S and stated <= TIMES * (spent_s + GRACE_S):
        return []
    return [f"{line}: {spent_s:.1f} s of processor time"]


def test_wrong_times_are_seen():
    line = "odonata report results/small    # 4 s: one HTML file"
    assert mistaken(line, 4.0) == mistaken(line, 12.9) == mistaken(line, 0.4) == []
    assert mistaken(line, 13.1)
    assert mistaken(line, 0.3)
    assert mistaken("odonata doctor   # 2 min: what is installed", 30.0)
    assert mistaken("odonata doctor   # what is installed", 30.0) == []


def carried_out(line):
    """Run a command in this process."""
    assert line.startswith("odonata "), f"neither run nor in ELSEWHERE: {line}"
    if not IS_LONG:
        added = [more for start, more in SMALLER.items() if line.startswith(start)]
        line = " ".join([line.partition(" #")[0], *added])
    line, _, target = re.sub(r" #.*", "", line).partition(" > ")
    unquoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
    assert not PLACEHOLDER.search(unquoted), f"what do the capitals stand for? {line}"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = main([*shlex.split(line)[1:]])
    assert code == 0, f"{line}: {said.getvalue()}"
    if target:
        Path(target.strip()).write_text(said.getvalue(), "utf-8")
    return True
