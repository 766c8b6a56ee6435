"""Input that nobody means: refused in a sentence, within seconds and little memory."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import polars as pl
import pytest

from examples import jobs, open_loop
from odonata import traces
from odonata.cli.words import printable
from odonata.core import files
from odonata.errors import Error, ScenarioError, TextError, TraceError
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml
from odonata.scenario.text_files import ranks, read
from odonata.traces import archives

NUMBER = "9" * 5000
BASE = to_toml(open_loop())
NESTED = {
    "dotted": ".".join(["a"] * 20_000) + " = 1",
    "quoted": ".".join(['"a b"'] * 20_000) + " = 1",
    "header": "[" + ".".join(["a"] * 20_000) + "]",
    "array": "a = " + "[" * 20_000,
    "inline": "a = " + "{a=" * 200 + "1" + "}" * 200,
    "dotted inline": "a = { " + ".".join(["a"] * 20_000) + " = 1 }",
    "step by step": "\n".join(f"[{'.'.join(['a'] * n)}]\nb = {n}" for n in (60, 63))
    + "\n" + ".".join(["c"] * 60) + " = 1",
}  # fmt: skip
LONG = {
    "seed": f"seed = {NUMBER}",
    "hexadecimal": f"seed = 0x{'f' * 5000}",
    "just over": f"seed = {2**63}",
    "unknown key": f"sead = 1{'0' * 4000}",
    "negative": f"seed = -{'8' * 4000}",
    "number": f"stop.time = {'8' * 4000}",
    "quantity": f'stop.time = "{NUMBER} ns"',
    "exponent": 'stop.time = "1e999999999 ns"',
    "small exponent": 'stop.time = "1e-999999999 ns"',
    "preset": f'[system]\npreset = "dragonfly({NUMBER}, 1, 1, 1)"',
    "float": "system.failures.fraction = 1e99999",
    "sweep": f"sweep.seed = [1, {'7' * 4200}]",
    "sweep key": f'sweep."jobs.{NUMBER}.name" = [1]',
}


def refused(text, *overrides):
    with pytest.raises(ScenarioError) as caught:
        list(Scenario.from_text(text, overrides=overrides).points)
    assert len(str(caught.value)) < 12_000
    return str(caught.value)


@pytest.mark.parametrize("case", NESTED)
def test_deep_nesting(case):
    assert "nested" in refused(NESTED[case])


@pytest.mark.parametrize("case", LONG)
def test_long_numbers(case):
    refused(LONG[case])
    if "\n" not in LONG[case]:
        refused(BASE, LONG[case])
    key = LONG[case].partition(" =")[0]
    rest = "\n".join(line for line in BASE.splitlines() if not line.startswith(key))
    refused(f"{LONG[case]}\n{rest}")


@pytest.mark.parametrize(
    "override", [f"{'.'.join(['a'] * 20_000)}=1", f"jobs.{NUMBER}.name=1", f"jobs[{NUMBER}].name=1"]
)
def test_extreme_overrides(override):
    refused(BASE, override)


def test_a_byte_order_mark_is_left_out(tmp_path):
    text = BASE.replace("\n", "\r\n")
    (tmp_path / "s.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    marked = Scenario.read(tmp_path / "s.toml").points[0]
    assert marked.config == Scenario.from_text(BASE).points[0].config
    assert Scenario.from_text("\ufeff" + BASE).points[0].config == marked.config
    (tmp_path / "wide.toml").write_bytes(BASE.encode("utf-16"))
    with pytest.raises(ScenarioError, match="UTF-8"):
        Scenario.read(tmp_path / "wide.toml")


def test_endless_files(tmp_path):
    for path in ("/dev/zero", "/dev/urandom"):
        with pytest.raises(ScenarioError, match="device"):
            Scenario.read(path)
        for kind in ("channels", "mapping", "allocation"):
            with pytest.raises(TextError, match="device"):
                read(path, kind)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            ["bash", "-c", f"exec yes > {pipe}"], stderr=subprocess.DEVNULL
        ) as endless,
        pytest.raises(ScenarioError, match="more than 16 MiB"),
    ):
        Scenario.read(pipe)
    assert endless.returncode != 0


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_bombs(pack, tmp_path, monkeypatch):
    monkeypatch.setattr("odonata.scenario.text_files._LARGEST", 1 << 20)
    bomb = tmp_path / "bomb"
    bomb.write_bytes(pack(b"1 " * (1 << 20)))
    assert bomb.stat().st_size < 10_000
    with pytest.raises(TextError, match="more than 1 MiB when unpacked"):
        read(bomb, "allocation")
    bomb.write_bytes(pack(b"0 1 2\n"))
    assert read(bomb, "allocation") == "0 1 2\n"


def test_a_column_of_another_length_is_not_unpacked(scenarios, tmp_path, monkeypatch):
    """What an entry announces is compared with the others; the 4 GiB are not there."""
    whole = scenarios / "traces" / "lammps-melt-16.npz"
    for name, words in (("op", "values, but `peer` has"), ("aux", "values, of which")):
        bomb = tmp_path / f"{name}.npz"
        with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(bomb, "w") as made:
            for entry in archive.namelist():
                data = archive.read(entry)
                if entry == f"{name}.npy":
                    head = io.BytesIO()
                    about = {"descr": "|u1", "fortran_order": False, "shape": (4 << 30,)}
                    np.lib.format.write_array_header_1_0(head, about)
                    data = head.getvalue() + bytes(1 << 20)
                made.writestr(entry, data)
        with pytest.raises(TraceError, match=words):
            traces.read(bomb)
    monkeypatch.setattr("odonata.core.memory.available_bytes", lambda: 1 << 10)
    with pytest.raises(TraceError, match=r"GiB when unpacked; 0.0 GiB of memory are free"):
        traces.read(whole)


@pytest.mark.parametrize(
    ("message", "words"),
    [(b"", "a message is empty"), (b"\x08\x01\x18\x04", "more than 300 times as large")],
)
def test_messages_of_chakra_that_never_end(message, words, tmp_path):
    pytest.importorskip("google.protobuf", reason="needs the package protobuf")
    head = bytes([7, 10, 5]) + b"0.0.4"
    packed = gzip.compress(head + (bytes([len(message)]) + message) * (6 << 20))
    (tmp_path / "bomb.0.et.gz").write_bytes(packed)
    with pytest.raises(TraceError, match=words):
        traces.read(tmp_path / "bomb.0.et.gz")


def test_an_archive_is_unpacked_no_further_than_there_is_room(tmp_path, monkeypatch):
    unpacked = []
    take = archives._Room.take
    monkeypatch.setattr(archives._Room, "take", lambda room, size: unpacked.append(size)
                        or take(room, size))  # fmt: skip
    (tmp_path / "zeros.gz").write_bytes(gzip.compress(bytes(20 << 20)))
    with pytest.raises(TraceError, match="its format is not known"):
        traces.read(tmp_path / "zeros.gz")
    assert sum(unpacked) == 1 << 20
    text = b"num_ranks 1\nrank 0 {\n" + b"calc 1\n" * (1 << 20)
    (tmp_path / "long.goal.gz").write_bytes(gzip.compress(text))
    free = shutil.disk_usage(tmp_path)._replace(free=4 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    with pytest.raises(
        TraceError, match=r"larger than 0.0 GiB, half of the free space in .*TMPDIR"
    ):
        traces.read(tmp_path / "long.goal.gz")


@pytest.mark.parametrize("name", ["own.parquet", "own.csv", "own.npz", "own.goal", "own.0.et"])
def test_a_pipe_is_no_trace(name, tmp_path):
    os.mkfifo(tmp_path / name)
    with pytest.raises(TraceError, match="it is a pipe or a device, not a file"):
        traces.read(tmp_path / name)
    with pytest.raises(TraceError, match="it is a pipe"):
        traces.read(tmp_path)  # the only entry of a folder


def test_a_pipe_is_no_program_profile_or_table(tmp_path):
    pipe = tmp_path / "pipe.parquet"
    os.mkfifo(pipe)
    for read_it in (
        lambda: traces.program.read(pipe, 2),
        lambda: traces.profile.read(pipe),
        lambda: traces.noise.read(pipe),
        lambda: files.read_parquet(pipe),
        lambda: files.scan_parquet(pipe),
    ):
        with pytest.raises((Error, files.UnreadableError), match="it is a pipe"):
            read_it()


def test_many_jobs_are_refused_before_each_is_looked_at():
    job = {"name": "a", "workload": {"kind": "barrier", "ranks": 2}}
    data = {**open_loop(), "jobs": [{**job, "name": f"a{one}"} for one in range(65_536)]}
    with pytest.raises(ScenarioError, match="65536 jobs are more than the 255 that can run"):
        Scenario.from_mapping(data)


def test_a_rank_of_many_digits(tmp_path):
    (tmp_path / "ranks").write_text(NUMBER)
    with pytest.raises(TextError, match="is no rank"):
        ranks(tmp_path / "ranks")


RED = "red\x1b[31m\x9b31m\x07\u202e"


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "odonata", *arguments], cwd=cwd, capture_output=True, check=False
    )
    text = (done.stdout + done.stderr).decode()
    assert b"\x1b" not in done.stdout + done.stderr
    assert not {"\x9b", "\x07", "\u202e"} & set(text), text
    return done.returncode, text


def test_names_do_not_reach_the_terminal_as_they_are(tmp_path):
    (tmp_path / "s.toml").write_text(to_toml(jobs()))
    assert run("run", "s.toml", cwd=tmp_path)[0] == 0
    for arguments in (["run", RED], ["run", "s.toml", "--set", f'name="{RED}"'],
                      ["run", "s.toml", "--set", f"sistem={RED}"], ["run", f"--{RED}"],
                      ["run", "s.toml", "--threads", RED], ["list", RED], ["show", "routing", RED],
                      ["topo", RED], ["trace", "info", RED], ["report", RED]):  # fmt: skip
        code, text = run(*arguments, cwd=tmp_path)
        assert code == 2, text
        assert "red" in text
    for place in ({"name": RED}, {"jobs": [jobs()["jobs"][0] | {"name": RED}]}):
        (tmp_path / "named.toml").write_text(to_toml(jobs() | place))
        code, text = run("check", "named.toml", cwd=tmp_path)
        assert code == 2
        assert "control characters" in text
    # Results of others may have any names.
    code, text = run("run", "s.toml", "--out", RED, cwd=tmp_path)
    assert code == 0
    assert r"Results: red\x1b[31m" in text
    (tmp_path / RED / "odonata-manifest.json").unlink()
    for file in (tmp_path / RED).rglob("summary.json"):
        file.write_text(file.read_text().replace("halo", json.dumps(RED)[1:-1]))
    for file in (tmp_path / RED).rglob("*.parquet"):
        text_columns = pl.col(pl.String).str.replace_all("halo", RED, literal=True)
        pl.read_parquet(file, glob=False).with_columns(text_columns).write_parquet(file)
    code, text = run("report", RED, cwd=tmp_path)
    assert code == 0
    assert text.startswith(r"red\x1b[31m")


def test_a_name_that_looks_like_a_formula(tmp_path):
    data = jobs()
    data["jobs"][0]["name"] = "$^$"
    data["jobs"][1]["name"] = "$frac{1}_^$ 名前"
    (tmp_path / "s.toml").write_text(to_toml(data))
    assert run("run", "s.toml", "--out", "out", cwd=tmp_path)[0] == 0
    code, text = run("report", "out", cwd=tmp_path)
    assert (code, text) == (0, "out/report.html\n")


def test_printable_text_stays():
    assert printable("µs, 3 µ 4\n\té") == "µs, 3 µ 4\n\té"


def test_errors_are_errors():
    assert issubclass(ScenarioError, Error)
