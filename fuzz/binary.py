"""Damaged binary files, made from right ones: every reader takes them or answers with a sentence.

``python fuzz/binary.py [--number N] [--seed S] [READER...]`` tries N damaged files per reader, in
processes of their own, so that a crash of a library is found too. Every case is made from the seed
and its number alone; what is printed about a fault repeats it. ``tests/test_fuzz_binary.py`` runs
a few.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import trace_corpus

from odonata import measured, noise, traces
from odonata.errors import Error
from odonata.scenario import joblog, text_files

REPOSITORY = Path(__file__).resolve().parents[1]
EZTRACE = REPOSITORY / "tests" / "data" / "eztrace-lammps-4"
CONVERTED = REPOSITORY / "scenarios" / "traces" / "lammps-melt-16.npz"
NOISE = REPOSITORY / "tests" / "data" / "noise"
SHARED = Path(os.environ.get("ODONATA_SHARED", REPOSITORY.parent / "shared"))
DARSHAN = SHARED / "data/counters/darshan_apmpi/darshan-apmpi-2nodes-64mpi.darshan"

EXTREMES = (0, 1, 2, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def damage(content: bytes, draw: random.Random) -> bytes:
    """``content`` with a few bytes changed, bits turned, pieces cut, doubled or put in."""
    data = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        at, length = draw.randrange(len(data) + 1), draw.choice((1, 1, 2, 8, 40, 1000))
        match draw.randrange(6):
            case 0:
                data[at : at + 1] = bytes([draw.randrange(256)])
            case 1 if at < len(data):
                data[at] ^= 1 << draw.randrange(8)
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = draw.randbytes(min(length, 40))
            case 4:
                data[at:at] = data[at : at + length]
            case _:
                del data[at:]
    return bytes(data)


def damaged_npz(draw: random.Random, folder: Path) -> Path:
    """A converted trace: damaged bytes, or damaged values in a whole file."""
    target = folder / "trace.npz"
    if draw.random() < 0.5:
        target.write_bytes(damage(CONVERTED.read_bytes(), draw))
        return target
    with np.load(CONVERTED) as archive:
        arrays = {name: archive[name] for name in archive.files}
    for _ in range(draw.randint(1, 3)):
        name = draw.choice(sorted(arrays))
        arrays[name] = _damaged_array(arrays[name], draw)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    target.write_bytes(stream.getvalue())
    return target


def _damaged_array(values: np.ndarray, draw: random.Random) -> np.ndarray:
    if values.dtype.kind == "U":
        return np.array(damage(str(values).encode(), draw).decode(errors="replace"))
    match draw.randrange(5):
        case 0:
            return values[: draw.randrange(len(values) + 1)]
        case 1:
            return values.reshape(-1, 1)
        case 2:
            return values.astype(draw.choice(("f8", "i8", "u1", "U3", "M8[s]")))
        case 3:
            return np.concatenate([values, values[: draw.randrange(1, 40)]])
        case _:
            copy = values.copy()
            for _ in range(draw.choice((1, 1, 5, 50)) if len(copy) else 0):
                extreme = draw.choice(EXTREMES) & (2 ** (8 * copy.itemsize) - 1)
                place = draw.randrange(len(copy))
                copy.view(f"u{copy.itemsize}")[place] = extreme
            return copy


def damaged_otf2(draw: random.Random, folder: Path) -> Path:
    """A trace of EZTrace with one of its files damaged or missing."""
    target = folder / "otf2"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(EZTRACE, target)
    file = draw.choice(sorted(path for path in target.rglob("*") if path.suffix in _OTF2))
    if draw.random() < 0.05:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes(), draw))
    return target


_OTF2 = {".otf2", ".def", ".evt"}


def _damaged_trace(
    write: Callable[[Path], Path], mutate: str
) -> Callable[[random.Random, Path], Path]:
    """Return what makes a trace of `trace_corpus` with a file damaged or missing.

    `mutate` is the name of a function here: a test puts another one in its place.
    """

    def make(draw: random.Random, folder: Path) -> Path:
        target = folder / "recorded"
        shutil.rmtree(target, ignore_errors=True)
        path = write(target)
        file = draw.choice(sorted(one for one in target.iterdir() if one.is_file()))
        if draw.random() < 0.05:
            file.unlink()
        else:
            file.write_bytes(globals()[mutate](file.read_bytes(), draw))
        return path

    return make


_WORDS = (b"", b"-1", b"0", b"-", b"9" * 20, b"1e308", b"nan", b"x", b":", b",", b" ", b"\n")
"""What may stand in place of a word of a text."""


def damage_text(content: bytes, draw: random.Random) -> bytes:
    """``content`` with a few words changed; sometimes with damaged bytes."""
    if draw.random() < 0.3:
        return damage(content, draw)
    words = re.split(rb"([ :,\n])", content)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(words))
        words[at] = draw.choice((*_WORDS, words[draw.randrange(len(words))]))
    return b"".join(words)


def channels() -> pl.DataFrame:
    """A channel list: two routers with a node each, and a link between them."""
    names = ("source_node", "source_router", "target_node", "target_router")
    rows = [
        ("host", 0, None, None, 0),
        ("host", None, 0, 0, None),
        ("host", 1, None, None, 1),
        ("host", None, 1, 1, None),
        ("local", None, 0, None, 1),
        ("local", None, 1, None, 0),
    ]
    return pl.DataFrame(rows, schema=["kind", *names], orient="row")


def _parquet() -> bytes:
    stream = io.BytesIO()
    channels().write_parquet(stream)
    return stream.getvalue()


def _packed(pack: Callable[[bytes], bytes]) -> Callable[[], bytes]:
    return lambda: pack(channels().write_csv().encode())


def _damaged_text(content: Callable[[], bytes]) -> Callable[[random.Random, Path], Path]:
    """Return what makes a damaged table or compressed text."""

    def make(draw: random.Random, folder: Path) -> Path:
        target = folder / "channels"
        target.write_bytes(damage(content(), draw))
        return target

    return make


def damaged_aries(draw: random.Random, folder: Path) -> Path:
    """A step of AriesNCL in binary, or the names beside it, damaged."""
    step, names = folder / "halo.counters.0.bin", folder / "halo.timings.json"
    for path in (step, names):
        shutil.copy(NOISE / "ariesncl" / path.name, path)
    file = draw.choice((step, step, names))
    file.write_bytes(damage(file.read_bytes(), draw))
    return step


def damaged_darshan(draw: random.Random, folder: Path) -> Path:
    """A real log of Darshan, which nobody here wrote, damaged."""
    target = folder / "log.darshan"
    target.write_bytes(damage(DARSHAN.read_bytes(), draw))
    return target


def damaged_archive(draw: random.Random, folder: Path) -> Path:
    """An archive of measurements, damaged packed or plain."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in ("osu", "cxi", "ariesncl-text"):
            archive.add(NOISE / name, name)
    content, packed = stream.getvalue(), draw.random() < 0.5
    if packed:
        content = lzma.compress(content)
    target = folder / ("all.tar.xz" if packed else "all.tar")
    target.write_bytes(damage(content, draw))
    return target


def _form() -> bytes:
    stream = io.BytesIO()
    frame = pl.read_csv(NOISE / "table" / "alternated.csv")
    frame.write_parquet(stream)
    return stream.getvalue()


def _log(draw: random.Random) -> bytes:
    """A scheduler log of some jobs, as the archive writes them."""
    lines = ["; Version: 2.2", "; Computer: none", "; MaxProcs: 128"]
    for job in range(1, draw.randint(2, 40)):
        known = (job, draw.randrange(10**6), draw.randrange(100), draw.randrange(10**5),
                 2 ** draw.randrange(8))  # fmt: skip
        lines.append(" ".join(f"{value:6}" for value in (*known, *[-1] * 13)))
    return ("\n".join(lines) + "\n").encode()


def damaged_log(draw: random.Random, folder: Path) -> Path:
    """A scheduler log, damaged plain or packed."""
    content = _log(draw)
    if draw.random() < 0.6:
        target = folder / "jobs.swf"
        target.write_bytes(damage_text(content, draw))
        return target
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("jobs.swf", content)
    target = folder / "jobs.swf.zip"
    target.write_bytes(damage(stream.getvalue(), draw))
    return target


def read_log(path: Path) -> None:
    """Read a log and look at all of it, as ``odonata trace info`` does."""
    joblog.read(path).info()


def read_trace(path: Path) -> None:
    """Read a trace and look at all of it, as ``odonata trace`` does."""
    trace = traces.read(path)
    trace.info()
    trace.check()


def _all_about(path: Path) -> object:
    """Read a measured file, and say all that can be said about it."""
    frame = measured.read([path]).frame
    has_times = (frame["statistic"] == "mean") & frame["place"].is_null()
    return noise.findings(frame), noise.against(frame, frame) if has_times.any() else None


class Reader(NamedTuple):
    """Who makes damaged files, and who must take them."""

    make: Callable[[random.Random, Path], Path]
    read: Callable[[Path], object]


READERS = {
    "npz": Reader(damaged_npz, read_trace),
    "otf2": Reader(damaged_otf2, read_trace),
    "dumpi": Reader(_damaged_trace(trace_corpus.write_dumpi, "damage"), read_trace),
    "liballprof": Reader(_damaged_trace(trace_corpus.write_allprof, "damage_text"), read_trace),
    "simgrid": Reader(_damaged_trace(trace_corpus.write_simgrid, "damage_text"), read_trace),
    "goal": Reader(_damaged_trace(trace_corpus.write_goal, "damage_text"), read_trace),
    "goal-binary": Reader(_damaged_trace(trace_corpus.write_goal_binary, "damage"), read_trace),
    "chakra": Reader(_damaged_trace(trace_corpus.write_chakra, "damage"), read_trace),
    "operations": Reader(_damaged_trace(trace_corpus.write_table, "damage_text"), read_trace),
    "parquet": Reader(_damaged_text(_parquet), lambda path: text_files.read(path, "channels")),
    "xz": Reader(
        _damaged_text(_packed(lzma.compress)), lambda path: text_files.read(path, "interconnect")
    ),
    "gz": Reader(
        _damaged_text(_packed(gzip.compress)), lambda path: text_files.read(path, "interconnect")
    ),
    "ariesncl": Reader(damaged_aries, lambda path: measured.read([path])),
    "darshan": Reader(damaged_darshan, lambda path: measured.read([path])),
    "archive": Reader(damaged_archive, lambda path: measured.read([path])),
    "swf": Reader(damaged_log, read_log),
    "table": Reader(_damaged_text(_form), lambda path: measured.read([path])),
    "osu": Reader(_damaged_text((NOISE / "osu/iallreduce.txt").read_bytes), _all_about),
    "imb": Reader(_damaged_text((NOISE / "imb/mpi1.txt").read_bytes), _all_about),
    "ldms": Reader(_damaged_text((NOISE / "ldms/aries_rtr_mmr.csv").read_bytes), _all_about),
}
"""Every reader that is tried with damaged files, by name."""

_SECONDS = 300
"""Longest time of a batch."""
_BATCH = 100
"""Cases of one process."""


def run_cases(name: str, seed: int, first: int, count: int) -> None:
    """Try cases one after the other; say each before it is tried, and how it was answered."""
    reader = READERS[name]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            draw = random.Random(f"{seed} {name} {number}")  # noqa: S311 - not a secret
            path = reader.make(draw, Path(folder))
            print(number, end=" ", flush=True)
            answer = "taken"
            try:
                reader.read(path)
            except Error as error:
                answer = "refused"
                if "\n" in str(error) or len(str(error)) > 2000:
                    raise AssertionError(f"no sentence: {error}") from error
            print(answer, flush=True)


def try_reader(name: str, *, number: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Try many cases in processes of their own.

    Returns
    -------
    tuple of collections.Counter and list of str
        How often a file was taken or refused; a sentence for every fault.
    """
    answers: Counter[str] = Counter()
    faults = []
    first = 0
    while first < number:
        count = min(_BATCH, number - first)
        words = ["--child", name, "--seed", str(seed), "--first", str(first)]
        command = [sys.executable, __file__, *words, "--number", str(count)]
        output, end = "", "it takes too long"
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            output, end = done.stdout, done.stderr[-2000:] or f"exit code {done.returncode}"
            failed = done.returncode != 0
        except subprocess.TimeoutExpired as error:
            failed = True
            with contextlib.suppress(AttributeError):
                output = (error.stdout or b"").decode()
        lines = output.splitlines()
        answers.update(line.split()[1] for line in lines if len(line.split()) == 2)
        last = int(lines[-1].split()[0]) if lines else first
        if failed:
            faults.append(f"{name}, seed {seed}, case {last}: {end}")
        first = last + 1
    return answers, faults


def main() -> int:
    """Carry out the command line."""
    parser = argparse.ArgumentParser(description="Try damaged binary files.")
    parser.add_argument("--number", type=int, default=2000, help="damaged files per reader")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(READERS))
    options = parser.parse_args()
    if options.child:
        run_cases(options.child, options.seed, options.first, options.number)
        return 0
    found = 0
    for name in options.readers or READERS:
        answers, faults = try_reader(name, number=options.number, seed=options.seed)
        print(f"{name}: seed {options.seed}, {dict(answers)}, {len(faults)} faults", flush=True)
        print("".join(f"  {fault}\n" for fault in faults), end="")
        found += len(faults)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
