"""`odonata measure` under the launchers of Open MPI and MPICH, on one machine."""

from __future__ import annotations

import ctypes.util
import importlib.util
import json
import os
import shutil
import subprocess
import sys

import polars as pl
import pytest

from lengths import IS_LONG
from odonata import noise
from test_measure import compiled

ALL = ("ping-pong", "allreduce", "alltoall", "barrier", "broadcast", "halo3d", "sweep3d")


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def launcher(request, tmp_path_factory):
    """Starts `odonata measure run` on some ranks of one MPI."""
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed: pip install mpi4py")
    program = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.mpich"}[request.param]
    if shutil.which(program) is None:
        pytest.skip(f"no {program}; on Debian: apt-get install {request.param}-bin or mpich")
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # fmt: skip
    words = [program, *(["--oversubscribe"] if request.param == "openmpi" else [])]
    if request.param == "mpich":
        names = tmp_path_factory.mktemp("abi")
        library = ctypes.util.find_library("mpich")
        if library is None:
            pytest.skip("no libmpich.so; on Debian: apt-get install libmpich-dev")
        # Debian names the library of MPICH otherwise than the ABI that wheels are built for.
        place = next((folder for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")
                      if os.path.exists(f"{folder}/{library}")), "")  # fmt: skip  # noqa: PTH110
        (names / "libmpi.so.12").symlink_to(f"{place}/{library}" if place else library)
        environment["LD_LIBRARY_PATH"] = str(names)

    def start(ranks, *arguments, **extra):
        return subprocess.run(
            [*words, "-n", str(ranks), sys.executable, "-m", "odonata", "measure", "run",
             *map(str, arguments)],
            env={**environment, **extra}, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    start.mpi = request.param
    return start


def only_with_one(launcher):
    """Where the library of MPI makes no difference one of them is enough, to save time."""
    if launcher.mpi != "openmpi" and not IS_LONG:
        pytest.skip("as with Open MPI; make test-long runs it")


def test_every_benchmark_is_measured_and_read(launcher, tmp_path):
    out = tmp_path / "m"
    done = launcher(3, "--out", out, *ALL, "--iterations", 12, "--warm-up", 1, "--sizes", "64B",
                    "--host-noise", "20ms")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = noise.read(out)
    assert found.skipped == []
    times = found.frame.filter(pl.col("quantity").is_in(["comm_time", "latency"]))
    assert set(times["series"]) == set(ALL)
    assert times["value"].min() > 0
    for name in ALL:
        mine = times.filter(pl.col("series") == name)
        assert mine["iteration"].n_unique() == 12, name
        assert set(mine["rank"]) == ({None} if name == "ping-pong" else {0, 1, 2}), name
    # Iterations are numbered through the session, so that counters find their times.
    assert times["iteration"].n_unique() == 12 * len(ALL)
    record = json.loads((out / "allocation.json").read_text())
    assert [one["rank"] for one in record["placement"]] == [0, 1, 2]
    assert record["iterations"] == 12 * len(ALL)
    assert len(noise.findings(found.frame).answers) == len(ALL)
    again = launcher(2, "--out", out, "barrier")
    assert again.returncode != 0
    assert again.stderr.count("are not pooled") == 1


def test_modes_take_turns_and_noise_says_which_helps(launcher, tmp_path, repository):
    flags = ["-DLARGE"] if launcher.mpi == "mpich" else []
    library = compiled(repository / "tests" / "data" / "measure" / "steer.c", tmp_path, *flags)
    steered = {"LD_PRELOAD": str(library)}
    out = tmp_path / "m"
    asked = ("allreduce", "--sizes", "8B", "--iterations", 40, "--host-noise", "0s")
    done = launcher(2, "--out", out, *asked, "--modes", "adaptive-0,adaptive-3", **steered)
    assert done.returncode == 0, done.stderr
    frame = noise.read(out).frame
    turns = frame.filter(pl.col("rank") == 0).sort("iteration")["condition"].to_list()
    assert turns == ["adaptive-0", "adaptive-3"] * 40
    slow, fast = (frame.filter(pl.col("condition") == mode)["value"].median()
                  for mode in ("adaptive-0", "adaptive-3"))  # fmt: skip
    assert slow > max(fast, 10e6)
    refused = launcher(2, "--out", tmp_path / "n", "barrier", "--modes", "adaptive-1", **steered)
    assert refused.stderr.count("does not accept mode adaptive-1") == 1
    own = launcher(2, "--out", tmp_path / "o", "barrier", "--modes", "a=4,b=5", "--force",
                   "own_force", "--iterations", 3, "--host-noise", "0s", **steered)  # fmt: skip
    assert own.returncode == 0, own.stderr
    assert set(noise.read(tmp_path / "o").frame["condition"]) == {"a", "b"}


def test_clocks_are_compared_for_a_start_at_an_instant(launcher, tmp_path):
    only_with_one(launcher)
    done = launcher(3, "--out", tmp_path, "barrier", "--start", "window", "--iterations", 30,
                    "--host-noise", "0s", "--keep", "slowest")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "iterations" in done.stderr
    if (tmp_path / "barrier.csv.gz").exists():  # on a busy machine every start may be missed
        values = noise.read(tmp_path).frame
        assert values["value"].min() > 0
        assert set(values["place"]) == {"slowest of 3 ranks"}


def test_gpcnet_beside_congestors(launcher, tmp_path):
    if not IS_LONG:
        pytest.skip("more ranks than cores take long; make test-long runs it")
    done = launcher(4, "--out", tmp_path, "gpcnet", "--ranks-per-node", 1, "--congestors", "get",
                    "--iterations", 4, "--warm-up", 1, "--host-noise", "0s")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = noise.findings(noise.read(tmp_path).frame)
    assert found.impact["series"].to_list() == [one.name for one in noise_names()]
    assert found.impact["impact_mean"].min() > 0
    record = json.loads((tmp_path / "allocation.json").read_text())["gpcnet"]
    assert record["passes_of_congestors"] >= 1
    assert len(record["victims"]) == 2


def noise_names():
    from odonata.measured.measure import gpcnet  # noqa: PLC0415 - numpy only when it is asked for

    return gpcnet.VICTIMS


def test_gpcnet_needs_nodes(launcher, tmp_path):
    only_with_one(launcher)
    done = launcher(2, "--out", tmp_path / "m", "gpcnet")
    assert done.returncode != 0
    assert done.stderr.count("gpcnet needs 4 nodes, but there are 1") == 1
    assert not (tmp_path / "m").exists()
