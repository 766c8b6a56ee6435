"""Reading a trace takes less memory than its files have bytes: the bound of ``docs/traces.md``."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from odonata.traces import cache, read

OPERATION = 12
"""Bytes of the form per operation, at most; of a graph with its edges."""

MOST = 1.0
"""Memory over idle, by bytes of the files, at most; beside it, what a step takes by itself."""
BESIDE = 24 << 20

CHILD = """
import gc, sys
from pathlib import Path
from odonata.traces import cache, otf2_library, read
def memory(key):
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key))
small, trace, entry = map(Path, sys.argv[1:])
cache._save(read(small), entry)
cache._load(entry)
gc.collect()
before = memory("VmRSS")
found = read(trace)
print("reading", memory("VmHWM") - before)
problems = found.check()
print("checking", memory("VmHWM") - before)
cache._save(found, entry)
print("keeping", memory("VmHWM") - before)
sys.exit(bool(problems))
"""


def schedule(file, steps):
    """A GOAL schedule of two ranks, with sizes and times as programs have them."""
    with file.open("w") as stream:
        stream.write("num_ranks 2\n")
        for rank in range(2):
            draw, size = random.Random(rank), random.Random(7)  # noqa: S311 - no secret
            stream.write(f"rank {rank} {{\n")
            for step in range(steps):
                label = 3 * step + 1
                many = size.choice((8, 64, 4096)) if size.random() < 0.8 else size.randrange(99_999)
                stream.write(
                    f"l{label}: calc {draw.randrange(1_000, 9_000_000)}\n"
                    f"l{label + 1}: send {many}b to {1 - rank} tag {step}\n"
                    f"l{label + 2}: recv {many}b from {1 - rank} tag {step}\n"
                    f"l{label + 1} requires l{label}\nl{label + 2} irequires l{label + 1}\n"
                )
                if step:
                    stream.write(
                        f"l{label} requires l{label - 1}\nl{label} requires l{label - 2}\n"
                    )
            stream.write("}\n")
    return file


def actions(file, steps):
    """A trace of SimGrid whose file mixes four ranks."""
    draw = random.Random(3)  # noqa: S311 - no secret
    with file.open("w") as stream:
        stream.writelines(f"{rank} init\n" for rank in range(4))
        for step in range(steps):
            size = draw.choice((8, 64, 4096)) if draw.random() < 0.8 else draw.randrange(99_999)
            for rank in range(4):
                left, right, tag = (rank - 1) % 4, (rank + 1) % 4, step % 50
                stream.write(
                    f"{rank} compute {draw.randrange(1_000, 9_000_000)}\n"
                    f"{rank} irecv {left} {tag} {size} 6\n{rank} isend {right} {tag} {size} 6\n"
                    f"{rank} wait {left} {rank} {tag}\n{rank} wait {rank} {right} {tag}\n"
                )
        stream.writelines(f"{rank} finalize\n" for rank in range(4))
    return file


def messages(folder, steps):
    """An OTF2 trace of two ranks with nonblocking messages and collectives."""
    pytest.importorskip("otf2", reason="needs the optional package otf2")
    from otf2_traces import Trace  # noqa: PLC0415 - needs otf2

    draw = random.Random(3)  # noqa: S311 - no secret
    with Trace(folder, 2) as trace:
        for number, rank in enumerate(trace.ranks):
            draw.seed(3)
            rank.call("MPI_Init")
            for step in range(steps):
                size, other, begun = draw.randrange(99_999), 1 - number, 2 * step + 1
                rank.call("MPI_Irecv", rank.irecv(begun + 1))
                rank.call("MPI_Isend", rank.isend(other, size, begun, tag=step % 50))
                rank.call(
                    "MPI_Waitall",
                    rank.sent(begun),
                    rank.received(other, size, begun + 1, tag=step % 50),
                )
                rank.collective("MPI_Allreduce", sent=2 * size, received=2 * size, root=0)
            rank.call("MPI_Finalize")
    return folder


KINDS = {"goal": (schedule, 60_000), "simgrid": (actions, 100_000), "otf2": (messages, 40_000)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_trace_takes_less_memory_than_its_files(kind, tmp_path):
    make, steps = KINDS[kind]
    small, large = make(tmp_path / "small", 10), make(tmp_path / "large", steps)
    files = [one for one in (large, *large.rglob("*")) if one.is_file()]
    size = sum(one.stat().st_size for one in files)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, small, large, tmp_path / "entry.parquet"],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in done.stdout.splitlines():
        step, used = line.split()
        assert int(used) < MOST * size + BESIDE, f"{step}: {used} bytes for files of {size}"


@pytest.mark.parametrize("kind", KINDS)
def test_an_operation_takes_few_bytes(kind, tmp_path):
    make, steps = KINDS[kind]
    trace = read(make(tmp_path / "trace", steps // 20))
    held = trace.columns.core.heap_bytes() / trace.columns.length("op")
    assert held < OPERATION
    cache._save(trace, tmp_path / "entry.parquet")
    again = cache._load(tmp_path / "entry.parquet")
    assert again.columns.core.heap_bytes() / again.columns.length("op") < OPERATION


def test_a_large_entry_is_several_files(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_BYTES", 2000)
    trace = read(schedule(tmp_path / "trace.goal", 300))
    entry = tmp_path / "entry.parquet"
    cache._save(trace, entry)
    parts = sorted(tmp_path.glob("entry*.parquet"))
    assert len(parts) > 4
    again = cache._load(entry)
    assert again.columns.keys() == trace.columns.keys()
    assert all((again.columns[name] == trace.columns[name]).all() for name in trace.columns)
    for part in parts:
        content = part.read_bytes()
        part.unlink()
        assert cache._load(entry) is None
        part.write_bytes(content)
