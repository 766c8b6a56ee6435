"""`odonata measure` without MPI: requests, scripts, counters, hosts, files, the one file alone."""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import sys
import zipfile

import numpy as np
import polars as pl
import pytest

from odonata import noise
from odonata.errors import Error
from odonata.measured.measure import (
    allocation,
    bundle,
    counters,
    files,
    gpcnet,
    host,
    modes,
    options,
)
from odonata.measured.measure.plan import Plan, script
from odonata.measured.measure.repeat import Series, Tools, repeated, rows_of_counters
from odonata.scenario import joblog


def asked(*words):
    parser = argparse.ArgumentParser()
    options.add_run(parser)
    return options.request(parser.parse_args(["--out", "somewhere", *words]))


def planned(*words):
    parser = argparse.ArgumentParser()
    options.add_plan(parser)
    return options.plan(parser.parse_args(list(words)))


def test_a_request_has_what_was_asked():
    found = asked("allreduce", "gpcnet", "--sizes", "8B,1KiB", "--modes", "adaptive-0,adaptive-3",
                  "--pause", "250ms")  # fmt: skip
    assert (found.benchmarks, found.sizes) == (("allreduce", "gpcnet"), (8, 1024))
    assert (found.modes, found.pause_s) == (("adaptive-0", "adaptive-3"), 0.25)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["allredcue"], "Did you mean `allreduce`"),
        (["barrier", "barrier"], "named twice"),
        (["barrier", "--modes", "adaptive-2"], "Did you mean `adaptive-"),
        (["barrier", "--modes", "adaptive-0,adaptive-0"], "named twice"),
        (["barrier", "--modes", "fast", "--force", "own_force"], "write NAME=NUMBER"),
        (["barrier", "--force", "own_force"], "--force needs --modes"),
        (["barrier", "--iterations", "0"], "iterations: 0 is out of range"),
        (["barrier", "--sizes", "8"], "no unit"),
        (["barrier", "--sizes", "2GiB"], "size: 2147483648 is out of range"),
        (["barrier", "--pause", "3 days"], "is not a unit"),
        (["barrier", "--start", "windows"], "Did you mean `window`"),
        (["barrier", "--keep", "most"], "Valid: all, slowest"),
        (["gpcnet", "--congestors", "broadcast"], "no class of congestors"),
        (["barrier", "--seed", "-1"], "seed -1 is below 0"),
    ],
)
def test_what_cannot_be_measured_is_refused(words, sentence):
    with pytest.raises(Error, match=sentence):
        asked(*words)


@pytest.mark.parametrize("scheduler", ["slurm", "pbs"])
@pytest.mark.parametrize("preload", ["", "aries", "fi"])
def test_a_job_script_is_one_that_a_shell_takes(tmp_path, scheduler, preload):
    asked_for = ["--scheduler", scheduler, "--nodes", "12", "--preload", preload, "--minutes", "90"]
    text = script(planned(*asked_for, "--", "allreduce", "--modes", "adaptive-0,adaptive-3"))
    (tmp_path / "job.sh").write_text(text)
    checked = subprocess.run(["bash", "-n", tmp_path / "job.sh"], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "measure run allreduce --modes adaptive-0,adaptive-3 --out" in text
    assert ("LD_PRELOAD" in text) == bool(preload)
    assert "01:30:00" in text
    assert ("export ODONATA_FI_COUNTERS=" in text) == (preload == "fi")


def test_the_neighbours_that_a_job_script_records_are_a_job_log(tmp_path):
    """With a stand-in for squeue that prints what was asked for."""
    (tmp_path / "squeue").write_text(
        "#!/bin/sh\necho '7|anna|osu|2026-03-02T10:00:00|2026-03-02T10:30:00|2|n[1,4]'\n"
    )
    (tmp_path / "squeue").chmod(0o755)
    text = script(planned("--", "barrier"))
    assert "--format='%i|%u|%j|%S|%e|%D|%N'" in text
    begin, end = text.index("list() {"), text.index('list "$beside-before.txt"')
    shell = f'{text[begin:end]}\nlist "{tmp_path}/7-before.txt"\n'
    subprocess.run(["bash", "-c", shell], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    found = joblog.read(tmp_path / "7-before.txt")
    assert found.form == "sacct"
    assert found.jobs["node_list"].to_list() == [["n1", "n4"]]


def test_without_counters_the_job_script_for_slingshot_says_so(tmp_path):
    text = script(planned("--preload", "fi", "--", "barrier", "--modes", "adaptive-0,adaptive-3"))
    begin = text.index("export ODONATA_FI_COUNTERS=")
    part = text[begin : text.index("fi\n", text.index("exit 2")) + 3]
    done = subprocess.run(["bash", "-c", part], cwd=tmp_path, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin"}, check=False)  # fmt: skip
    assert done.returncode == 2
    assert f"{tmp_path}/counters.txt is missing" in done.stderr
    (tmp_path / "counters.txt").write_text("hni_tx_paused_0 1\n")
    assert subprocess.run(["bash", "-c", part], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"},
                          check=False).returncode == 0  # fmt: skip


def test_a_plan_is_checked_with_its_measurement(odonata):
    for words, sentence in (
        (["--", "allredcue"], "Did you mean `allreduce`"),
        (["--", "barrier", "--iteration"], "expected one argument"),
        (["--"], "after `--`"),
        (["--scheduler", "slrum", "--", "barrier"], "Did you mean `slurm`"),
        (["--nodes", "0", "--", "barrier"], "0 nodes are not possible"),
        (["--preload", "arise", "--", "barrier"], "Did you mean `aries`"),
    ):
        with pytest.raises(Error, match=sentence):
            planned(*words)
    done = odonata("measure", "plan", "--", "allredcue")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean `allreduce`" in done.stderr


def test_modes_that_nobody_can_force_are_refused():
    assert "no loaded library has the function `odonata_aries_force`" in modes.opened(
        ["adaptive-0"], None
    )
    assert modes.opened([], None).names == (None,)


@pytest.fixture
def cxi(tmp_path):
    """Two NICs whose telemetry the driver would show."""
    for nic in ("cxi0", "cxi1"):
        folder = tmp_path / "cxi" / nic / "device" / "telemetry"
        folder.mkdir(parents=True)
        (folder / "oxe_stall_fgfc_blk_0").write_text("100@12.5\n")
        (folder / "hni_rx_ok_64").write_text("7@12.5\n")
        (folder / "lpe_net_match_overflow").write_text("not supported\n")
    return tmp_path / "cxi"


def test_counters_of_cassini_are_counted_around_each_iteration(cxi):
    found = counters.opened(cxi=cxi)
    names = ["lpe_net_match_overflow", "oxe_stall_fgfc_blk_0"]
    assert found.names == [(name, nic) for nic in ("cxi0", "cxi1") for name in names]
    stalls = cxi / "cxi1" / "device" / "telemetry" / "oxe_stall_fgfc_blk_0"

    def step(iteration):
        stalls.write_text(f"{[130, 190, 20][iteration]}@13.0\n")

    none = modes.Modes((), (), None)
    times = repeated(step, Tools(none, _AtOnce(), found), (0, 3))
    series = Series(name="barrier", quantity="comm_time", unit="ns", bytes=None, first=40)
    rows = rows_of_counters(times, found, "nid1", series, none.names)
    # 100 -> 130 -> 190, then someone sets it back: the last one is not known.
    assert [(row.iteration, row.value) for row in rows] == [(40, 30.0), (41, 60.0)]
    assert {(row.quantity, row.place) for row in rows} == {("oxe_stall_fgfc_blk_0", "nid1 cxi1")}
    assert all(row.interval_ns > 0 for row in rows)


class _AtOnce:
    def start(self):
        return 0, False


def test_where_there_are_no_counters_that_is_said(tmp_path, monkeypatch, cxi):
    monkeypatch.setenv("ODONATA_ARIES_PAPI", str(tmp_path / "libpapi.so"))
    found = counters.opened(cxi=tmp_path)
    assert found.read() == []
    assert "telemetry (Slingshot); there is no" in found.why
    os.mkfifo(tmp_path / "libpapi.so")  # nobody writes to it: whoever opened it would wait
    assert "libpapi.so is not a file" in counters.opened(cxi=tmp_path).why
    assert "has no counter nothing" in counters.opened(cxi=cxi, patterns=["nothing"]).why


def test_counters_of_aries_come_through_papi(tmp_path, repository, monkeypatch):
    library = compiled(repository / "tests" / "data" / "measure" / "papi.c", tmp_path)
    monkeypatch.setenv("ODONATA_ARIES_PAPI", str(library))
    found = counters.opened(cxi=tmp_path)
    assert [name for name, _ in found.names] == list(counters.ARIES_EVENTS)
    first, second = found.read(), found.read()
    assert np.subtract(second, first).tolist() == [1, 2, 3, 4]
    monkeypatch.setenv("ODONATA_ARIES_EVENTS", "OTHER")
    assert "PAPI refuses the event OTHER (code -7)" in counters.opened(cxi=tmp_path).why


def compiled(source, folder, *flags):
    library = folder / f"{source.stem}.so"
    words = ["cc", "-shared", "-fPIC", "-O1", "-w", *flags, "-o", library, source, "-ldl"]
    subprocess.run(words, check=True)
    return library


def test_hosts_are_watched():
    found = host.watch(0.02)
    assert found.quantum_ns > 0
    assert found.watched_ns >= 20_000_000
    assert found.lengths_ns.sum() <= found.watched_ns
    assert (found.lengths_ns > 9 * found.quantum_ns).all()
    assert (np.diff(found.begins_ns) > 0).all()


def test_a_pause_of_the_process_is_a_detour():
    """The clock that jumps once by 1 ms stands for a host that did something else."""
    at = [0]

    def clock():
        at[0] += 1_000_000 if at[0] == 50_000 else 100
        return at[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host.time, "perf_counter_ns", clock)
        begins, lengths, watched = host._loop(2_000_000, 900)
    assert (begins, lengths) == ([49_900], [1_000_000])
    assert watched >= 2_000_000


def test_coordinates_are_those_that_the_machine_tells(tmp_path, monkeypatch):
    monkeypatch.delenv("SLURM_TOPOLOGY_ADDR", raising=False)
    assert allocation.coordinates(tmp_path) == {}
    (tmp_path / "proc/cray_xt").mkdir(parents=True)
    (tmp_path / "proc/cray_xt/cname").write_text("c3-0c1s4n2\n")
    properties = tmp_path / "sys/class/cxi/cxi0/device/properties"
    properties.mkdir(parents=True)
    (properties / "nid").write_text("0x12ab\n")
    monkeypatch.setenv("SLURM_TOPOLOGY_ADDR", "s1.s4.nid7")
    assert allocation.coordinates(tmp_path) == {
        "cname": "c3-0c1s4n2", "cxi0": "0x12ab", "topology": "s1.s4.nid7",
    }  # fmt: skip


def test_columns_are_those_of_the_form_and_rows_are_read(tmp_path):
    assert [name for name in noise.SCHEMA if name in files.COLUMNS] == list(files.COLUMNS)
    row = files.Row(series="barrier", quantity="comm_time", unit="ns", value=1234.5, iteration=3)
    assert files.write_rows(tmp_path / "barrier.csv.gz", [row]) == 1
    found = noise.read(tmp_path / "barrier.csv.gz").frame.row(0, named=True)
    assert (found["value"], found["iteration"], found["condition"]) == (1234.5, 3, None)
    assert found["statistic"] == "sample"
    before = (tmp_path / "barrier.csv.gz").read_bytes()
    files.write_rows(tmp_path / "other.csv.gz", [row])
    assert (tmp_path / "other.csv.gz").read_bytes() == before
    assert gzip.decompress(before).startswith(b"series,condition,quantity")
    assert files.write_rows(tmp_path / "nothing.csv.gz", []) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["barrier.csv.gz", "other.csv.gz"]


def test_roles_of_gpcnet():
    """64 nodes: 13 victims, as GPCNeT has it, and four classes of nearly the same size."""
    nodes = [rank // 2 for rank in range(128)]
    found = gpcnet.roles(nodes, gpcnet.CLASSES, 7)
    by_node = {node: {found[rank].congestor for rank in (2 * node, 2 * node + 1)}
               for node in range(64)}  # fmt: skip
    assert all(len(kinds) == 1 for kinds in by_node.values())
    assert sum(one.congestor is None for one in found) == 26
    sizes = [sum(one.congestor == kind for one in found) for kind in gpcnet.CLASSES]
    assert sum(sizes) == 102
    assert max(sizes) - min(sizes) <= 2
    leaders = [(one.congestor, one.slice) for one in found if one.leader]
    assert len(leaders) == len(set(leaders)) == 10
    assert gpcnet.roles(nodes, gpcnet.CLASSES, 7) == found
    assert gpcnet.roles(nodes, gpcnet.CLASSES, 8) != found


def test_rings_of_gpcnet_close():
    size = 5
    mine = [gpcnet._rings(size, rank, np.random.default_rng(1)) for rank in range(size)]
    for ring in range(len(mine[0])):
        for rank in range(size):
            left, right = mine[rank][ring]
            assert mine[right][ring][0] == rank
            assert mine[left][ring][1] == rank


def test_one_file_measures_where_odonata_is_not_installed(tmp_path):
    file = tmp_path / "odonata-measure.pyz"
    assert bundle.write(file) == file.stat().st_size
    bundle.write(tmp_path / "again.pyz")
    assert (tmp_path / "again.pyz").read_bytes() == file.read_bytes()
    names = zipfile.ZipFile(file).namelist()
    assert {name for name in names if "measured/measure" not in name} == {
        "__main__.py", "odonata/__init__.py", "odonata/core/__init__.py",
        "odonata/core/errors.py", "odonata/core/quantities.py", "odonata/measured/__init__.py",
    }  # fmt: skip
    # Modules of numpy only: no polars, and not the package that is installed here.
    program = (
        f"import sys; sys.path.insert(0, {str(file)!r}); "
        "from odonata.measured.measure import alone; "
        "assert alone.__file__.startswith(sys.path[0]) and 'polars' not in sys.modules; "
        "sys.exit(alone.main(['measure', 'plan', '--nodes', '2', '--', 'ping-pong']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          cwd=tmp_path, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == script(Plan(nodes=2, arguments=["ping-pong"]))


def test_without_mpi4py_a_sentence_says_so(tmp_path):
    words = ["measure", "run", "barrier", "--out", str(tmp_path / "m")]
    program = ("import sys; sys.modules['mpi4py'] = None; from odonata.cli import main; "
               f"sys.exit(main({words}))")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PMI_RANK": "0"}, check=False)  # fmt: skip
    assert done.returncode == 2
    assert "mpi4py is missing; `pip install mpi4py`" in done.stderr
    assert not (tmp_path / "m").exists()


def measured(*, slow, detours, mode="adaptive-0"):
    """Latencies of which a fifth is slow, beside hosts with so many detours of 5 us a second."""
    rng = np.random.default_rng(5)
    values = 2_000.0 + rng.normal(0, 20, 400)
    values[::5] += slow
    names = ["adaptive-3", mode] * 200
    times = noise.table(series="ping-pong", condition=names, quantity="latency", unit="ns",
                        statistic="sample", bytes=8, iteration=np.arange(400), value=values,
                        source="m/ping-pong.csv", world="measured")  # fmt: skip
    lengths = noise.table(series="host", quantity="detour", unit="ns", statistic="sample", rank=0,
                          iteration=np.arange(detours), value=np.full(detours, 5_000.0),
                          source="m/host.csv", world="measured")  # fmt: skip
    watch = noise.table(series="host", quantity="watched", unit="ns", statistic="given", rank=[0],
                        value=[2e9], source="m/host.csv", world="measured")  # fmt: skip
    return noise.joined([times, lengths, watch])


def test_noise_answers_whether_it_is_the_network():
    quiet = noise.findings(measured(slow=50_000.0, detours=20)).answers
    assert "20.0% of the iterations were slow" in quiet[0]
    assert "delayed in the network" in quiet[0]
    loud = noise.findings(measured(slow=50_000.0, detours=60_000)).answers
    assert "not shown to be the cause" in loud[0]
    still = noise.findings(measured(slow=0.0, detours=20)).answers
    assert "no iteration was slow" in still[0]


def test_noise_answers_whether_a_mode_helps():
    frame = measured(slow=0.0, detours=20)
    same = noise.findings(frame).answers[1]
    assert same.startswith("ping-pong 8 B: adaptive-0 against adaptive-3: no difference seen")
    slower = frame.with_columns(
        pl.when(pl.col("condition") == "adaptive-0").then(pl.col("value") * 1.25)
        .otherwise(pl.col("value")).alias("value")
    )  # fmt: skip
    answer = noise.findings(slower).answers[1]
    assert re.search(r"adaptive-0 against adaptive-3 is slower: speed -(19.9|20.0|20.1) %", answer)
