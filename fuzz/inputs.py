"""Right files of every kind of reader, which the fuzzer of ``readers.py`` starts from.

A case is the files of one folder, by name; ``ENTRIES`` says how each kind is made and read.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import binary
import polars as pl
import trace_corpus

from odonata import traces
from odonata.core import native
from odonata.scenario import Scenario, joblog, loads
from odonata.scenario.inputs import Inputs
from odonata.traces import profile
from odonata.traces.chakra_schema import NodeType

Files = dict[str, bytes]
"""The files of a case, by their names, with a slash where they are in a folder."""

REPOSITORY = Path(__file__).resolve().parents[1]
_BETWEEN = b"\n~~~~\n"
"""What stands between the files of two ranks in the input of a compiled target."""


def _folder(write: Callable[[Path], object], keep: str = "*") -> Files:
    """What a writer puts into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        found = sorted(path for path in Path(folder).glob(keep) if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _joined(write: Callable[[Path], object], keep: str = "*") -> list[bytes]:
    return [_BETWEEN.join(_folder(write, keep).values())]


COMPILED: dict[str, Callable[[], list[bytes]]] = {
    "dumpi": lambda: _joined(trace_corpus.write_dumpi, "*.bin"),
    "goal": lambda: _joined(trace_corpus.write_goal, "*.goal"),
    "goal-binary": lambda: _joined(trace_corpus.write_goal_binary),
    "liballprof": lambda: _joined(trace_corpus.write_allprof),
    "simgrid": lambda: _joined(trace_corpus.write_simgrid),
}
"""Inputs that the targets in ``targets/`` start from."""

_EMBER = b"""[JOB_ID] 0
[NID_LIST] generateNidList=generateNidListRange(0,4)
[NUM_CORES] 2
[VAR] N=3
[MOTIF] Init
[MOTIF] Allreduce iterations={N} count=8
[MOTIF] Fini
[JOB_ID] 1
[NID_LIST] 16-23
[MOTIF] Halo3D pex=2 pey=2 pez=2 nx=16 ny=16 nz=16
[JOB_ID] 2
[NID_LIST] 30,31,40-43
[MOTIF] FFT3D nx=8 ny=8 nz=8 npRow=2
"""
_CODES = b"4 lammps 0 0\n8 nearest_neighbor 1 1000\n3 incast 0 0.5\n2 milc\n"
_ALLOCATION = b"0 1 2 3\n4 5 6 7 8 9 10 11\n12 13 14\n15 16\n"
_PROFILE = b"""iterations = 2
compute = "60 us"
message = "64 KiB"
matrix = "bytes.csv"

[[collectives]]
operation = "allreduce"
bytes = "8 B"
count = 4

[[collectives]]
operation = "bcast"
bytes = "1 KiB"
count = 2
root = 1
"""
_MATRIX = b"0,100,65537\n5,0,3\n0,0,0\n"


def _chakra_json() -> Files:
    found = {}
    for rank in (0, 1):
        kind = NodeType.COMM_SEND if rank == 0 else NodeType.COMM_RECV
        nodes: list[dict[str, object]] = [
            {"Id": 1, "NodeType": int(NodeType.COMP), "runtime": 5},
            {"Id": 2, "NodeType": int(kind), "data_deps": [1], "comm_size": 100, "comm_src": 0,
             "comm_dst": 1, "comm_tag": 3},
            {"Id": 3, "NodeType": int(NodeType.COMM_COLL), "data_deps": [2], "ctrlDeps": [1],
             "comm_type": 0, "comm_size": 64, "pg_name": "0"},
        ]  # fmt: skip
        found[f"small.{rank}.json"] = json.dumps({"workload_graph": nodes}).encode()
    return found


def _parquet() -> Files:
    with tempfile.TemporaryDirectory() as folder:
        frame = pl.read_csv(trace_corpus.write_table(Path(folder), collectives=True))
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return {"small.parquet": stream.getvalue()}


def _otf2() -> Files:
    tree = binary.EZTRACE
    found = sorted(path for path in tree.rglob("*") if path.suffix in {".otf2", ".def", ".evt"})
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in found}


def _own_otf2() -> Files:
    """A trace with a record of every kind that the reader knows."""
    import otf2_corpus  # noqa: PLC0415 - needs the optional package otf2

    return _folder(otf2_corpus.write, "**/*")


def _scenario(path: Path, file: str) -> None:
    """Check a scenario whose ranks are placed by a file."""
    given = {
        "name": "fuzz",
        "system": {"preset": "dragonfly(2, 2, 1, 3)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"placement": {"kind": "list", "file": str(path / file), "line": 1},
                  "workload": {"kind": "allreduce", "ranks": 8}}],
    }  # fmt: skip
    point = Scenario.from_mapping(given).points[0]
    prepared = Inputs().of(point)
    native.check(prepared.config, prepared.traces, prepared.texts)


class Entry(NamedTuple):
    """One kind of file.

    Parameters
    ----------
    cases : callable
        Makes right cases.
    read : callable
        Takes the folder of a case and looks at all of it.
    is_text : bool
        Whether words are changed rather than bytes.
    """

    cases: Callable[[], list[Files]]
    read: Callable[[Path], object]
    is_text: bool = True


def _trace(path: Path) -> None:
    found = traces.read(path)
    found.info()
    found.check()


PYTHON: dict[str, Entry] = {
    "otf2": Entry(lambda: [_otf2(), _own_otf2()], _trace, is_text=False),
    "chakra": Entry(lambda: [_folder(trace_corpus.write_chakra, "*.et")], _trace, is_text=False),
    "chakra-json": Entry(lambda: [_chakra_json()], _trace),
    "table-csv": Entry(
        lambda: [_folder(lambda path: trace_corpus.write_table(path, collectives=True))],
        lambda path: _trace(path / "small.csv"),
    ),
    "table-parquet": Entry(
        lambda: [_parquet()], lambda path: _trace(path / "small.parquet"), is_text=False
    ),
    "profile": Entry(
        lambda: [{"profile.toml": _PROFILE, "bytes.csv": _MATRIX}],
        lambda path: profile.read(path / "profile.toml").check(),
    ),
    "ember": Entry(lambda: [{"load": _EMBER}], lambda path: loads.read(path / "load")),
    "codes": Entry(
        lambda: [{"work.conf": _CODES, "alloc.conf": _ALLOCATION}],
        lambda path: loads.read(path / "work.conf", allocation=path / "alloc.conf"),
    ),
    "allocation": Entry(
        lambda: [{"alloc.conf": _ALLOCATION}], lambda path: _scenario(path, "alloc.conf")
    ),
    "swf": Entry(
        lambda: [{"jobs.swf": binary._log(binary.random.Random(3))}],  # noqa: SLF001
        lambda path: joblog.read(path / "jobs.swf").info(),
    ),
    "npz": Entry(
        lambda: [{"trace.npz": binary.CONVERTED.read_bytes()}],
        lambda path: _trace(path / "trace.npz"),
        is_text=False,
    ),
}
"""Readers that are written in Python, by name."""
