"""Processes of one simulation on several machines, and those that mpiexec or srun has started."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import odonata as package
from examples import jobs, open_loop
from lengths import longer
from odonata.campaign.executors import spread
from odonata.campaign.together import hosts, ranks
from odonata.campaign.together.hosts import Host
from odonata.cli import copies
from odonata.core.errors import RunError
from odonata.scenario.text import to_toml
from test_interrupt import LONG, simulating
from test_together import digests, mixed

RUN = [sys.executable, "-m", "odonata", "run"]


@pytest.mark.parametrize(
    ("environment", "rank", "count"),
    [
        ({}, 0, 1),
        ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3"}, 3, 4),
        ({"PMI_SIZE": "3", "PMI_RANK": "0"}, 0, 3),
        ({"PALS_NRANKS": "8", "PALS_RANKID": "7"}, 7, 8),
        ({"SLURM_STEP_NUM_TASKS": "16", "SLURM_PROCID": "2"}, 2, 16),
        ({"SLURM_NTASKS": "16"}, 0, 1),  # a batch script, in which nothing was started 16 times
        ({"PMI_SIZE": "1", "PMI_RANK": "0"}, 0, 1),
        ({"PMI_SIZE": "many"}, 0, 1),
        ({"PMI_SIZE": "2"}, -1, 2),
    ],
)
def test_copies_are_counted(environment, rank, count):
    found = copies.found(environment)
    assert (found.rank, found.count) == (rank, count)


def test_copies_of_one_job_have_one_name():
    said = {"PMI_SIZE": "2", "SLURM_JOB_ID": "17", "SLURM_STEP_ID": "0"}
    one, two = (copies.found(said | {"PMI_RANK": rank}) for rank in "01")
    places = {ranks.meeting_place(copy, Path()) for copy in (one, two)}
    assert len(places) == 1
    assert "17-0" in str(places.pop())


def test_silent_copies_are_refused(tmp_path):
    (tmp_path / "s.toml").write_text(to_toml(open_loop()))
    for count, code in (("4", 2), ("1", 0)):
        done = subprocess.run(
            [*RUN, "s.toml"], cwd=tmp_path, text=True, capture_output=True, check=False,
            env={**os.environ, "OMPI_COMM_WORLD_SIZE": count},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert (tmp_path / "results").exists() == (code == 0)
        assert ("4 copies" in done.stderr) == (code == 2)
        assert ("--distribute simulation" in done.stderr) == (code == 2)


def started(folder, count, *arguments, own=lambda _: ()):
    """As many copies as a launcher starts; `own` are more arguments of one of them."""
    return [
        subprocess.Popen(
            [*RUN, *arguments, *own(rank)], cwd=folder, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "SLURM_STEP_NUM_TASKS": str(count),
                                         "SLURM_PROCID": str(rank), "SLURM_JOB_ID": "5"},
        )
        for rank in range(count)
    ]  # fmt: skip


def ended(processes):
    """Exit codes and what was said on the error stream, of all of them."""
    try:
        said = [process.communicate(timeout=100)[1] for process in processes]
    finally:
        for process in processes:
            process.kill()
    return [process.returncode for process in processes], said


def test_copies_that_simulate_together_write_the_same_files(tmp_path):
    """Baselines included, one simulation after the other; a file of an earlier run is no harm."""
    (tmp_path / "s.toml").write_text(to_toml(mixed()))
    earlier = '{"addresses": ["127.0.0.1:9"], "machine": "x", "secret": "s"}'
    (tmp_path / ".odonata-meeting-5").write_text(earlier)
    package.run(tmp_path / "s.toml", out=tmp_path / "one")
    codes, said = ended(started(tmp_path, 3, "s.toml", "--quiet", "--out", "three",
                                "--distribute", "simulation", "--threads", "2"))  # fmt: skip
    assert codes == [0, 0, 0], said
    assert said[1:] == ["", ""]
    assert digests(tmp_path / "three") == digests(tmp_path / "one")
    assert package.load(tmp_path / "three").summary["engine"]["threads"] == 6
    assert not list(tmp_path.glob(".odonata*"))


def test_copies_share_out_the_runs_of_a_sweep(tmp_path):
    (tmp_path / "s.toml").write_text(to_toml(jobs(sweep={"seed": [1, 2, 3, 4, 5]})))
    package.run(tmp_path / "s.toml", out=tmp_path / "one")
    common = ("s.toml", "--quiet", "--distribute", "tasks")
    codes, said = ended(started(tmp_path, 3, *common, "--out", "three"))
    assert codes == [0, 0, 0], said
    assert digests(tmp_path / "three") == digests(tmp_path / "one")
    codes, said = ended(started(tmp_path, 2, *common, "--out", "two", "--timing"))
    assert codes == [2, 0], said
    assert "for `--distribute simulation`" in said[0]
    assert said[1] == ""


def test_a_copy_that_dies_leaves_its_runs_to_the_others(tmp_path):
    # Each run takes more than a second of any module: it is not over before it is seen.
    once = package.run_one(open_loop(measure={"warm_up": "1 us", "window": "200 us"}))
    window = f"{round(200 * 1.5 / once.summary['engine']['cpu_s'])} us"
    data = open_loop(measure={"warm_up": "1 us", "window": window}, sweep={"seed": [1, 2, 3]})
    (tmp_path / "s.toml").write_text(to_toml(data))
    processes = started(tmp_path, 3, "s.toml", "--quiet", "--distribute", "tasks", "--out", "out")
    try:
        simulating(processes[1], seconds=0.1)
        processes[1].send_signal(signal.SIGKILL)
        codes, said = ended(processes)
    finally:
        for process in processes:
            process.kill()
    assert codes == [0, -9, 0], said
    assert len(package.load(tmp_path / "out").runs) == 3


def test_what_is_wrong_ends_all_copies(tmp_path):
    (tmp_path / "s.toml").write_text("seed = -1")
    common = ("s.toml", "--distribute", "simulation")
    codes, said = ended(started(tmp_path, 2, *common))
    assert codes == [2, 0], said
    assert "seed" in said[0]
    codes, said = ended(started(tmp_path, 2, *common, "--processes", "2"))
    assert codes == [2, 0], said
    assert "--processes starts processes" in said[0]
    assert said[1] == ""
    codes, said = ended(started(tmp_path, 2, *common, "--prosesses", "2"))
    assert codes == [2, 0], said
    assert "--prosesses" in said[0]
    assert said[1] == ""
    codes, said = ended(started(tmp_path, 2, *common, own=lambda rank: ["--set", f"seed={rank}"]))
    assert 0 not in codes, said
    assert "another scenario" in said[0] + said[1]


def test_timing_says_where_the_time_of_every_thread_went(tmp_path, odonata):
    (tmp_path / "s.toml").write_text(to_toml(jobs()))
    for processes, threads in ((1, 1), (1, 2), (2, 2)):
        out = f"{processes}-{threads}"
        done = odonata("run", "s.toml", "--out", out, "--processes", str(processes), "--threads",
                       str(threads), "--timing", timeout=60)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Time per epoch" in done.stdout
        engine = package.load(tmp_path / out).summary["engine"]
        rows = engine["timing"]
        assert [(row["process"], row["thread"]) for row in rows] == [
            (process, thread) for process in range(processes) for thread in range(threads)
        ]
        assert len({row["epochs"] for row in rows}) == 1
        for row in rows:
            parts = [row[key] for key in ("work_s", "waiting_s", "exchange_s")]
            assert min(parts) > 0 or (processes, threads) == (1, 1)
            assert 0 < sum(parts) <= engine["wall_s"]
            assert (row["sent_bytes"] > 0) == (processes > 1 and row["thread"] == 0)
    assert package.run(jobs()).summary["engine"].keys() == engine.keys() - {"timing"}
    again = odonata("run", "s.toml", "--out", out, "--timing", timeout=60)
    assert "--overwrite" in again.stdout or "Time per epoch" in again.stdout
    refused = odonata("run", "s.toml", "--timing", "--workers", "2", timeout=60)
    assert refused.returncode == 2
    assert "one after the other" in refused.stderr


@pytest.mark.parametrize("who", [0, 1])
def test_a_copy_that_dies_ends_all(tmp_path, who):
    (tmp_path / "s.toml").write_text(to_toml(open_loop(measure=LONG)))
    processes = started(tmp_path, 3, "s.toml", "--distribute", "simulation")
    try:
        simulating(processes[0])
        start = time.monotonic()
        processes[who].send_signal(signal.SIGKILL)
        codes, said = ended(processes)
    finally:
        for process in processes:
            process.kill()
    assert time.monotonic() - start < 20
    assert "Traceback" not in "".join(said)
    if who:
        assert codes[0] == 2
        assert "process" in said[0]
    else:
        assert codes[1:] == [1, 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a,,b", "is not the name"),
        ("a b", "is not the name"),
        ("a:99999", "is not the name"),
        ("-oProxyCommand=x", "is not the name"),
        ("a,a", "twice"),
        ("a,b,c", "at least `--processes 3`"),
    ],
)
def test_hosts_that_cannot_be_are_refused(text, word):
    with pytest.raises(RunError, match=word):
        hosts.places(hosts.parse(text), 2)


def test_processes_are_shared_out_among_hosts():
    found = hosts.places(hosts.parse("a:7000,b,[::1]:80"), 7)
    where = [(place.host.name, place.port, place.beside, place.is_first) for place in found]
    assert where == [
        ("a", 7000, 3, True), ("a", 7001, 3, True), ("a", 7002, 3, True),
        ("b", 0, 2, False), ("b", 0, 2, False), ("::1", 80, 2, False), ("::1", 81, 2, False),
    ]  # fmt: skip
    process = ["/opt/a b/python", "-m", "x"]
    assert hosts.command("ssh -p 2", Host("n1"), process) == [
        "ssh", "-p", "2", "n1", "'/opt/a b/python'", "-m", "x",
    ]  # fmt: skip
    assert hosts.command("srun -w {host} env A=1", Host("n1"), ["x"]) == [
        "srun", "-w", "n1", "env", "A=1", "x",
    ]  # fmt: skip
    for wrong in ("", "ssh 'x"):
        with pytest.raises(RunError, match="start_with"):
            hosts.command(wrong, Host("n1"), process)


@pytest.fixture
def elsewhere(tmp_path):
    """A command that starts processes as ssh does, but here; it writes down where."""
    script = tmp_path / "start"
    script.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/asked\nshift\neval "exec $*"\n')
    script.chmod(0o755)
    return str(script)


def test_processes_on_several_hosts_give_the_same_files(tmp_path, odonata, elsewhere):
    (tmp_path / "s.toml").write_text(to_toml(mixed()))
    package.run(tmp_path / "s.toml", out=tmp_path / "one")
    with socket.create_server(("", 0)) as free:
        port = free.getsockname()[1]
    done = odonata(
        "run", "s.toml", "--out", "three", "--quiet", "--processes", "3", "--hosts",
        f"{socket.gethostname()}:{port},localhost", "--start-with", elsewhere, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert digests(tmp_path / "three") == digests(tmp_path / "one")
    asked = (tmp_path / "asked").read_text().split()
    assert set(asked) == {"localhost"}, "a process for each simulation; none on the first host"


def test_hosts_that_cannot_be_reached_are_named(tmp_path, odonata):
    (tmp_path / "s.toml").write_text(to_toml(open_loop()))
    here = socket.gethostname()
    for words, said in (
        (("--hosts", f"{here},other", "--start-with", "sh -c 'exit 255'"), "on other could not"),
        (("--hosts", f"{here},other", "--start-with", "/no/such"), "cannot be started"),
        (("--hosts", f"{here},other", "--start-with", "true"), "on other has not joined"),
        (("--hosts", "192.0.2.99,other"), "cannot listen at `192.0.2.99`"),
        (("--hosts", f"{here},other", "--workers", "2"), "cannot be combined"),
    ):
        done = odonata("run", "s.toml", *words, timeout=60)
        assert done.returncode == 2, done.stderr
        assert said in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr


def test_a_process_that_cannot_listen_says_so_and_ends_all(tmp_path, odonata, elsewhere):
    (tmp_path / "s.toml").write_text(to_toml(open_loop()))
    with socket.create_server(("", 0)) as taken:
        hosts = f"{socket.gethostname()},localhost:{taken.getsockname()[1]}"
        done = odonata("run", "s.toml", "--hosts", hosts, "--start-with", elsewhere, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "process 1: cannot listen at" in " ".join(done.stderr.split())
    assert "on localhost ended with exit code 1" in " ".join(done.stderr.split())


def test_silent_strangers_keep_no_copy_from_its_tasks():
    """They connect first, to where the copies are to ask for their tasks."""
    gathered = SimpleNamespace(processes=3)
    strangers = []

    def tell_all(told):
        connect = partial(socket.create_connection, ("127.0.0.1", told["tasks"]))
        strangers.extend(connect() for _ in range(40))
        strangers[0].sendall(b"no secret at all")
        strangers[1].sendall(b"a")
        for _ in range(2):
            strangers.append(connect())
            strangers[-1].sendall(bytes.fromhex(told["secret"]))

    gathered.tell_all = tell_all
    start = time.monotonic()
    pipes = spread._pipes(gathered)
    assert len(pipes) == 2
    assert time.monotonic() - start < 5
    for stream in (*strangers, *pipes):
        stream.close()


@pytest.fixture(params=["mpirun.openmpi", "mpiexec.mpich"])
def mpiexec(request):
    """The beginning of a command that starts copies."""
    if shutil.which(request.param) is None:
        pytest.skip(f"no {request.param}; on Debian: apt-get install openmpi-bin mpich")
    words = [request.param, *(["--oversubscribe"] if "openmpi" in request.param else [])]
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return words, {**os.environ, **root}


def die(tmp_path, words, environment, *arguments):
    """Kill the second of two processes, and see that both are gone soon."""
    (tmp_path / "s.toml").write_text(to_toml(open_loop(measure=LONG)))
    with subprocess.Popen(
        [*words, "-n", "2", "sh", "-c", "echo $$ >> pids; exec \"$@\"", "sh", *RUN, "s.toml",
         "--distribute", "simulation", *arguments],
        cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            while not (tmp_path / "pids").exists():
                time.sleep(0.05)
            while len(numbers := (tmp_path / "pids").read_text().splitlines()) < 2:
                time.sleep(0.05)
            numbers = [int(number) for number in numbers]
            simulating(SimpleNamespace(pid=numbers[0]))
            start = time.monotonic()
            os.kill(numbers[1], signal.SIGKILL)
            process.communicate(timeout=30)
            assert process.returncode != 0
            for number in numbers:
                while os.path.exists(f"/proc/{number}"):  # noqa: PTH110
                    assert time.monotonic() - start < 20
                    time.sleep(0.05)
        finally:
            process.kill()
            with contextlib.suppress(FileNotFoundError):
                for number in (tmp_path / "pids").read_text().split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(number), signal.SIGKILL)


def test_mpiexec_starts_one_simulation(tmp_path, mpiexec):
    words, environment = mpiexec
    (tmp_path / "s.toml").write_text(to_toml(jobs()))
    package.run(tmp_path / "s.toml", out=tmp_path / "one")
    for count, *more in ((2, "--threads", "2"), (3,), *longer([], [(4,)])):
        out = f"of-{count}"
        done = subprocess.run(
            [*words, "-n", str(count), *RUN, "s.toml", "--out", out, "--distribute", "simulation",
             *more],
            cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert digests(tmp_path / out) == digests(tmp_path / "one")
        assert done.stdout.count("Results:") == 1
    done = subprocess.run(
        [*words, "-n", "2", *RUN, "s.toml", "--out", "copies"], cwd=tmp_path, env=environment,
        text=True, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert done.stderr.count("2 copies of this command") == 1
    assert not (tmp_path / "copies").exists()


def test_a_process_of_mpiexec_that_dies_ends_all(tmp_path, mpiexec):
    words, environment = mpiexec
    die(tmp_path, words, environment)


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def over_mpi(request, tmp_path_factory):
    """The beginning of a command that starts copies, and the library for their MPI."""
    words = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpiexec.mpich"]}
    words, compiler = words[request.param], f"mpicc.{request.param}"
    for program in (words[0], compiler):
        if shutil.which(program) is None:
            pytest.skip(f"no {program}; on Debian: apt-get install libopenmpi-dev libmpich-dev")
    library = tmp_path_factory.mktemp(request.param) / "shim.so"
    done = subprocess.run(
        [*RUN[:-1], "mpi", "build", "--mpicc", compiler, "--out", str(library)], text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def start(count, *arguments, cwd):
        return subprocess.run(
            [*words, "-n", str(count), *RUN, *map(str, arguments), "--distribute", "simulation"],
            cwd=cwd, env={**os.environ, **root}, text=True, capture_output=True, timeout=200,
            check=False,
        )  # fmt: skip

    start.shim = library
    start.words, start.environment = words, {**os.environ, **root}
    return start


def limited():
    """Adaptive routing past failed links, classes, and a job that a limit cuts."""
    data = mixed()
    data["routing"] = {"algorithm": "par"}
    data["stop"] = {"time": "60 us"}
    data["system"]["failures"] = {"fraction": 0.1, "kinds": ["global"]}
    return data


def test_any_number_of_processes_over_mpi_gives_the_same_bytes(over_mpi, tmp_path):
    shapes = [(1, 1), (2, 2), (5, 1), *longer([], [(2, 1), (3, 1), (3, 2), (5, 2)])]
    for name, data in (("mixed", mixed()), ("limited", limited())):
        (tmp_path / "s.toml").write_text(to_toml(data))
        package.run(tmp_path / "s.toml", out=tmp_path / name)
        for count, threads in shapes if name == "mixed" else [(3, 1)]:
            out = f"{name}-{count}-{threads}"
            done = over_mpi(count, "s.toml", "--out", out, "--mpi", over_mpi.shim, "--threads",
                            threads, cwd=tmp_path)  # fmt: skip
            assert done.returncode in {0, 3}, done.stderr
            assert digests(tmp_path / out) == digests(tmp_path / name), out
    assert not list(tmp_path.glob(".odonata*"))


def test_what_is_wrong_over_mpi_is_said_once_and_runs_go_on(over_mpi, tmp_path):
    """A run of a sweep that is refused in several processes leaves the others their MPI."""
    groups = ["dragonfly(2, 4, 2, 9)", "dragonfly(4, 8, 4, 2)"]
    data = jobs(sweep={"system.preset": groups, "seed": [1, 2]})
    (tmp_path / "s.toml").write_text(to_toml(data))
    done = over_mpi(3, "s.toml", "--out", "out", "--mpi", over_mpi.shim, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "at most 2 processes" in done.stdout
    assert "Traceback" not in done.stderr
    found = package.load(tmp_path / "out")
    assert [run.stop for run in found.runs.values()] == ["finished", "finished"]
    other = tmp_path / "other.so"
    other.write_text("no library")
    done = over_mpi(2, "s.toml", "--out", "none", "--mpi", other, cwd=tmp_path)
    assert done.returncode != 0
    assert "cannot be loaded" in done.stderr
    done = over_mpi(2, "s.toml", "--out", "none", "--mpi", tmp_path / "missing.so", cwd=tmp_path)
    assert "`odonata mpi build`" in done.stderr


def test_a_process_over_mpi_that_dies_ends_all(over_mpi, tmp_path):
    die(tmp_path, over_mpi.words, over_mpi.environment, "--mpi", str(over_mpi.shim))


def test_the_library_of_another_mpi_is_refused(over_mpi, tmp_path):
    """For it, the processes of a launcher are one each."""
    (tmp_path / "s.toml").write_text(to_toml(jobs()))
    done = subprocess.run(
        [*RUN, "s.toml", "--distribute", "simulation", "--mpi", str(over_mpi.shim)],
        cwd=tmp_path, text=True, capture_output=True, timeout=100, check=False,
        env={**os.environ, "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "0"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "has started 2 processes" in done.stderr
    assert "there are 1" in " ".join(done.stderr.split())


def test_building_says_what_is_missing(tmp_path, odonata):
    for compiler, said in (
        ("no-such-compiler", ", the compiler of an MPI, was not found"),
        ("false", "cannot compile it"),
        ("mpicc '", "is not a command"),
    ):
        done = odonata("mpi", "build", "--mpicc", compiler, "--out", str(tmp_path / "x.so"))
        assert done.returncode == 2
        assert said in " ".join(done.stderr.split())
    assert not list(tmp_path.glob("*"))
