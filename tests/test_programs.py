"""Workloads that users write: Python programs, tables, profiles; sizes and noise of any trace."""

from __future__ import annotations

import contextlib
import io
import json

import numpy as np
import pytest

import odonata
from lengths import longer
from odonata.cli import main
from odonata.errors import ScenarioError, TraceError
from odonata.traces import Operation, noise, profile, program, read
from odonata.traces.operations import OPERATION_COLUMNS, OTHER_COLUMNS


def run(workload, **system):
    return odonata.run(
        {
            "name": "own",
            "seed": 1,
            "system": {"preset": "dragonfly(2, 4, 2, 9)", **system},
            "routing": {"algorithm": "minimal"},
            "jobs": [{"name": "own", "workload": workload}],
        },
        baseline=False,
    )


IDEAL = {"mpi": {"preset": "ideal"}}


def evaluated(tmp_path, text, ranks=2, arguments=()):
    file = tmp_path / "own.py"
    file.write_text(text)
    return program.read(file, ranks, arguments)


# Programs


def test_the_halo_exchange_of_the_documentation(scenarios):
    result = odonata.run(scenarios / "own-application.toml")
    halo = result.jobs["halo"]
    assert result.summary["stop"] == "finished"
    assert halo.slowdown > 1
    trace = program.read(scenarios / "programs" / "halo.py", 16, [10, 65_536])
    info = trace.info()
    assert (info["messages"], info["message_bytes"]) == (16 * 4 * 10, 16 * 4 * 10 * 65_536)
    assert info["iterations"] == 10
    assert trace.check() == []


def test_the_master_and_its_workers(scenarios):
    path = scenarios / "programs" / "master-worker.py"
    trace = program.read(path, 8)
    assert trace.check() == []
    assert trace.info()["message_bytes"] == 7 * (4 * (1024 + 65_536) + 8)
    workload = {"kind": "program", "path": str(path), "ranks": 8}
    result = run(workload, **IDEAL)
    assert result.summary["stop"] == "finished"
    (job,) = result.summary["jobs"]
    assert job["bytes_sent"] == trace.info()["message_bytes"]


def test_every_operation_of_a_program(tmp_path):
    trace = evaluated(
        tmp_path,
        """
def rank(me, size, factor):
    half = [0, 1] if me < 2 else [2, 3]
    yield compute("1 us")
    yield compute(500)
    yield barrier()
    yield bcast("1 KiB", root=1)
    yield allreduce(8, comm=half)
    request = yield iallreduce(16 * factor)
    yield alltoallv([me + 1] * size)
    yield wait(request)
    if me == 0:
        yield ssend(1, 3)
    if me == 1:
        yield recv(0, 3)
    yield scan(4, comm=half)
    both = [(yield irecv(ANY, 9, ANY)), (yield isend(me, 9, 5))]
    yield waitany(both)
    yield waitall(both)
""",
        ranks=4,
        arguments=[2.0],
    )
    assert trace.check() == []
    kinds = trace.info()["operations_by_kind"]
    assert kinds["iallreduce"] == 4
    assert kinds["waitany"] == 4
    c = trace.columns
    assert int(c["duration_ps"][0]) == 1_500_000
    assert c["comm_members"].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert set(c["bytes"][c["op"] == Operation.IALLREDUCE].tolist()) == {32}
    assert run({"kind": "program", "path": str(tmp_path / "own.py"), "ranks": 4,
                "arguments": [2]}).summary["stop"] == "finished"  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def ranks(me, size):\n    yield barrier()\n", r"no function `rank\(me, size\)`.*`ranks`"),
        ("def rank(me, size:\n", r"line 1: SyntaxError"),
        ("def rank(me, size):\n    yield sned(1, 2)\n", "line 2, rank 0: NameError"),
        ("def rank(me, size):\n    yield send(1, '3 KX')\n", "line 2, rank 0: .*KX"),
        ("def rank(me, size):\n    yield 3\n", "rank 0: it yields 3, which is not an operation"),
        ("def rank(me, size):\n    yield send(5, 3)\n", "rank 0: send names rank 5 of 2"),
        ("def rank(me, size):\n    yield wait(0)\n", "it waits for 0, which no `yield isend"),
        ("import nothing_like_it\n", "line 1: ModuleNotFoundError"),
        ("def rank(me):\n    yield barrier()\n", "TypeError"),
        ("def rank(me, size):\n    yield scan(8, comm=[1 - me])\n", "it is not a member of"),
    ],
)  # fmt: skip
def test_a_wrong_program_is_told_where(tmp_path, text, words):
    with pytest.raises(TraceError, match=words):
        evaluated(tmp_path, text)


@pytest.mark.parametrize("limit", ["_MOST", "_MOST_OF_A_RANK"])
def test_a_program_without_end_is_told_so(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(program, limit, 1000)
    text = "def rank(me, size):\n    while True:\n        yield compute(1)\n"
    with pytest.raises(TraceError, match="more than 1000 operations; does it end"):
        evaluated(tmp_path, text)


def test_messages_of_a_program_that_do_not_fit_are_told(tmp_path):
    """`odonata trace check` cannot read a program: the error says what there is to mend."""
    (tmp_path / "own.py").write_text(
        "def rank(me, size):\n    for tag in range(5):\n        yield isend(1 - me, 8, tag=tag)\n"
    )
    with pytest.raises(ScenarioError, match=r"program .*own.py cannot be replayed") as error:
        run({"kind": "program", "path": str(tmp_path / "own.py"), "ranks": 2})
    words = str(error.value)
    assert "with tag 0" in words
    assert "with tag 2" in words
    assert "(and 3 more); correct it" in words
    assert "trace check" not in words


def test_two_jobs_may_run_one_program_on_different_ranks(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("def rank(me, size, bytes):\n    yield alltoall(bytes)\n")
    jobs = [
        {"name": f"own{ranks}", "workload": {
            "kind": "program", "path": str(file), "ranks": ranks, "arguments": [ranks]}}
        for ranks in (3, 5)
    ]  # fmt: skip
    result = odonata.run(
        {
            "name": "two", "seed": 1, "routing": {"algorithm": "minimal"}, "jobs": jobs,
            "system": {"preset": "dragonfly(2, 4, 2, 9)", **IDEAL},
        },
        baseline=False,
    )  # fmt: skip
    assert [job["bytes_sent"] for job in result.summary["jobs"]] == [3 * 2 * 3, 5 * 4 * 5]


def test_check_does_not_execute_a_program(tmp_path, capsys):
    (tmp_path / "own.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('done').touch()\n"
        "def rank(me, size):\n    yield barrier()\n"
    )
    (tmp_path / "own.toml").write_text(
        'schema = 1\nname = "own"\nrouting = { algorithm = "minimal" }\n'
        'system = { preset = "dragonfly(2, 4, 2, 9)" }\n[[jobs]]\nname = "own"\n'
        'workload = { kind = "program", path = "own.py", ranks = 4 }\n'
    )
    scenario, done = str(tmp_path / "own.toml"), tmp_path / "done"
    assert main(["check", scenario]) == 0
    assert "own.py is a Python program. `odonata run` executes" in capsys.readouterr().out
    assert main(["check", scenario, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["expected"] is None
    assert "read it first" in found["notes"][0]
    assert main(["topo", scenario]) == 0
    assert not done.exists()
    capsys.readouterr()
    assert main(["check", scenario, "--execute"]) == 0
    assert "own, 4 ranks, sends" in capsys.readouterr().out
    assert done.exists()
    assert main(["run", scenario, "--out", str(tmp_path / "out")]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "its Python is executed, with your rights" in said
    (tmp_path / "own.py").write_text("def rank(:")
    assert main(["check", scenario]) == 2
    assert "line 1" in capsys.readouterr().err


def test_a_missing_program_is_an_error_of_the_scenario(tmp_path):
    with pytest.raises(ScenarioError, match=r"jobs\[0\].workload.path.*cannot be read"):
        run({"kind": "program", "path": str(tmp_path / "no.py"), "ranks": 2})


# Tables

TABLE = """rank,step,operation,peer,bytes,tag,after,time
0,1,compute,,,,,3 us
0,2,isend,1,64 KiB,5,,
0,3,irecv,1,8,6,-,
0,4,waitall,,,,2 3,
0,5,allreduce,,8,,,
1,1,recv,0,65536,5,,
1,2,send,0,8,6,1,
1,3,compute,,,,-,500
1,4,allreduce,,8,,2 3,
"""


def test_a_table_becomes_a_graph(tmp_path):
    file = tmp_path / "own.csv"
    file.write_text(TABLE)
    trace = read(file)
    assert trace.check() == []
    c = trace.columns
    assert c["bytes"].tolist() == [0, 65_536, 8, 0, 8, 65_536, 8, 0, 8]
    assert c["duration_ps"].tolist()[0::7] == [3_000_000, 500_000]
    assert c["follows"].tolist() == [1, 1, 0, 1, 1, 1, 0, 0, 0]
    assert c["after"].tolist() == [0, 1, 2]
    assert run({"kind": "trace", "path": str(file)}).summary["stop"] == "finished"
    import polars as pl  # noqa: PLC0415 - of this test alone

    parquet = tmp_path / "own.parquet"
    frame = pl.read_csv(file, schema_overrides={"bytes": pl.String, "time": pl.String})
    frame.write_parquet(parquet)
    assert read(parquet).info() == trace.info()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("isend,1", "isned,1"), r"row 2: `isned` is not an operation. Did you mean `isend`"),
        (("isend,1", "isend,7"), "row 2: peer 7 is not a rank: ranks go from 0 to 1"),
        (("0,2,isend", "0,1,isend"), "row 2: step 1 is missing or duplicated"),
        (("waitall,,,,2 3", "waitall,,,,2 9"), r"row 4: it waits for step \[9\]"),
        (("3 us", "3 xs"), "row 1: .*xs"),
        (("tag,after", "tags,after"), "its column `tags` is not known. Did you mean `tag`"),
        (("\n1,", "\n3,"), "rank 1 has rows"),
        (("64 KiB", "99999999999999999999"), "row 2: a number needs more than 64 bits"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, change, words):
    file = tmp_path / "own.csv"
    file.write_text(TABLE.replace(*change))
    with pytest.raises(TraceError, match=words):
        read(file)


def test_a_damaged_table_is_refused(tmp_path):
    import polars as pl  # noqa: PLC0415 - of this test alone

    whole = io.BytesIO()
    pl.DataFrame({"rank": [0], "step": [1], "operation": ["barrier"]}).write_parquet(whole)
    content = whole.getvalue()
    file = tmp_path / "own.parquet"
    file.write_bytes(content)
    assert read(file).check() == []
    for at in range(0, len(content), longer(350, 70)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x40]) + content[at + 1 :])
        with contextlib.suppress(TraceError):
            read(file)


# Profiles

PROFILE = """
iterations = 3
compute = "30 us"
message = "4 KiB"
matrix = [[0, 10000, 0], [1, 0, 2], [0, 0, 7]]

[[collectives]]
operation = "allreduce"
bytes = "8 B"
count = 7
"""


def test_a_profile_keeps_its_sums(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(PROFILE)
    trace = profile.read(file)
    assert trace.check() == []
    c = trace.columns
    sends = c["op"] == Operation.ISEND
    assert int(c["bytes"][sends].sum()) == 10_003  # what rank 2 sends to itself stays there
    assert int(c["bytes"][sends].max()) <= 4096
    info = trace.info()
    assert info["operations_by_kind"]["allreduce"] == 3 * 7
    assert info["iterations"] == 3
    assert info["compute_ns_max"] == 30_000
    result = run({"kind": "profile", "path": str(file)}, **IDEAL)
    assert result.summary["stop"] == "finished"
    (tmp_path / "matrix.csv").write_text("0,10000,0\n1,0,2\n0,0,7\n")
    file.write_text(PROFILE.replace("[[0, 10000, 0], [1, 0, 2], [0, 0, 7]]", '"matrix.csv"'))
    assert profile.read(file).info() == info


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("[0, 0, 7]]", "[0, 0, 7], [0, 0, 0]]"), "4 rows and 3 columns, but must be square"),
        (("allreduce", "alreduce"), "`alreduce` is not a collective. Did you mean `allreduce`"),
        (("iterations", "iteration"), "`iteration` is not a known key. Did you mean `iterations`"),
        (("10000", "-1"), "not whole numbers"),
        (('"8 B"', "inf"), "inf is not a size"),
        (('"8 B"', "5e18"), "`bytes` of `allreduce` is above 2"),
        (("count = 7", "count = 0"), "`count` is 0, but must be a whole number from 1 on"),
    ],
)
def test_a_wrong_profile_is_told_what(tmp_path, change, words):
    file = tmp_path / "own.toml"
    file.write_text(PROFILE.replace(*change))
    with pytest.raises(TraceError, match=words):
        profile.read(file)


# Sizes and noise


def test_size_scale_scales_every_size(tmp_path):
    file = tmp_path / "own.csv"
    file.write_text(TABLE)
    sent = {}
    for scale in (1.0, 0.01, 20.0):
        workload = {"kind": "trace", "path": str(file), "size_scale": scale}
        (job,) = run(workload, **IDEAL).summary["jobs"]
        sent[scale] = job["bytes_sent"]
    # Two ranks exchange the vector of the all-reduce both ways.
    assert sent[1.0] == 65_536 + 8 + 2 * 8
    assert sent[20.0] == 20 * sent[1.0]
    # 655.36 and 0.08, each rounded; a message of 0 B counts as one of 1 B.
    assert sent[0.01] == 655 + 3


def test_detours_lengthen_computation(tmp_path):
    file = tmp_path / "noise.txt"
    # A detour of 100 ns after every microsecond of computation.
    file.write_text("# selfish\n" + "".join(f"{1100 * at} 100\n" for at in range(50)))
    detours = noise.read(file)
    assert detours.length_ps == 50_000_000
    kinds = {**OPERATION_COLUMNS, **OTHER_COLUMNS}
    columns = {
        **{name: np.zeros(4, dtype=kind) for name, kind in kinds.items()},
        "op": np.array([0, 7, 0, 0], dtype="u1"),
        "duration_ps": np.array([10_000_000, 0, 5_000_000, 200_000_000], dtype="u8"),
        "rank_offsets": np.array([0, 3, 4], dtype="u8"),
    }
    longer = noise.lengthen(columns, detours, 1, 1.0)
    extra = longer["duration_ps"].astype(int) - columns["duration_ps"].astype(int)
    assert extra.tolist() == [1_000_000, 0, 500_000, 20_000_000]
    assert noise.lengthen(columns, detours, 1, 2.0)["duration_ps"].tolist()[0] == 22_000_000


def test_noise_of_a_machine_slows_a_program_down(tmp_path, shared):
    import tarfile  # noqa: PLC0415 - of this test alone

    archive = shared / "data" / "noise" / "alps" / "2022_05_13_18_34_18.tar.xz"
    with tarfile.open(archive) as members:
        name = next(one for one in members.getnames() if one.endswith("ng_osnoise.out"))
        recording = tmp_path / "noise.txt"
        recording.write_bytes(members.extractfile(name).read())
    file = tmp_path / "own.py"
    file.write_text("def rank(me, size):\n    yield compute('100 ms')\n    yield barrier()\n")
    workload = {"kind": "program", "path": str(file), "ranks": 4}
    quiet = run(workload).summary["simulated_ns"]
    noisy = run({**workload, "noise": str(recording)}).summary["simulated_ns"]
    assert quiet * 1.000_01 < noisy < quiet * 1.1
    assert run({**workload, "noise": str(recording)}).summary["simulated_ns"] == noisy


def test_what_is_no_noise_is_refused(tmp_path):
    file = tmp_path / "noise.txt"
    for text in ("", "a b\n", "1 2\n", "5 1\n4 1\n", "1 -2\n2 3\n"):
        file.write_text(text)
        with pytest.raises(TraceError, match="it is not a file of detours"):
            noise.read(file)
