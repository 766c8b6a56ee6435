"""What other simulators run, as jobs of a scenario: load files of Ember, workload files of CODES.

A load file of Ember (SST) has lines ``[JOB_ID]``, ``[NID_LIST]``, ``[NUM_CORES]`` and ``[MOTIF]``;
a workload file of CODES has a line per job: ranks, name or trace, quality of service, interval.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from odonata.core import files
from odonata.core.errors import TextError, suggestion

_MOST = 1 << 28
_MOST_NODES = 1 << 24
_DOUBLE = 8
_TAG = re.compile(r"\[(\w+)\]\s*(.*)", re.DOTALL)
_MADE = re.compile(r"generateNidList=generateNidList(Range|Interval|Random)\(([\d,]+)\)$")
_CODES_LINE = re.compile(r"(\d+)\s+(\S+)(\s+-?\d+(\.\d+)?)*\s*$")


@dataclass(frozen=True)
class Load:
    """What a file says.

    Parameters
    ----------
    jobs : list of dict
        Entries of ``[[jobs]]`` of a scenario.
    notes : list of str
        What could not be taken over.
    """

    jobs: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)


def read(path: Path, *, allocation: Path | None = None) -> Load:
    """Read a load file of Ember or a workload file of CODES.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    allocation : pathlib.Path, optional
        Allocation file of CODES, a line of node numbers per job.

    Raises
    ------
    odonata.errors.TextError
        It cannot be read, or says something that no workload here does.
    """
    lines = [(number, line.strip()) for number, line in enumerate(_text(path).splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if lines and lines[0][1].startswith("["):
        return _ember(path, lines)
    return _codes(path, lines, allocation)


def _text(path: Path) -> str:
    try:
        return files.read_text(path, most=_MOST)
    except OSError as error:
        raise TextError(f"{path}: {files.problem(error)}; check the path.") from None
    except (UnicodeDecodeError, files.UnreadableError):
        raise TextError(f"{path}: the file is not text; give a load file of Ember or a workload "
                        "file of CODES.") from None  # fmt: skip


def _wrong(path: Path, number: int, sentence: str) -> TextError:
    return TextError(f"{path}, line {number}: {sentence}")


def _ember(path: Path, lines: list[tuple[int, str]]) -> Load:
    load = Load([])
    job: dict[str, Any] | None = None
    for number, tag, value in _entries(path, lines):
        if tag == "JOB_ID":
            job = {"name": f"job-{value}", "placement": {}, "workload": {}}
            load.jobs.append(job)
        elif job is None:
            raise _wrong(path, number, f"[{tag}] stands before the first [JOB_ID].")
        elif tag == "NID_LIST":
            nodes = _nodes(path, number, value)
            job["placement"] = {"kind": "list", "nodes": nodes}
        elif tag == "NUM_CORES":
            job["ranks_per_node"] = int(_number(path, number, tag, value))
        elif tag == "MOTIF":
            _motif(path, number, value, (job, load.notes))
        else:
            load.notes.append(f"line {number}: [{tag}] is left out")
    _finish(path, load)
    return load


def _finish(path: Path, load: Load) -> None:
    """Ranks of each job; leave out what only rests, and refuse one without nodes or a motif."""
    for entry in [entry for entry in load.jobs if entry.pop("rests", False)]:
        if not entry["workload"]:
            load.notes.append(f"{entry['name']} does nothing and is left out")
            load.jobs.remove(entry)
    for entry in load.jobs:
        if not entry["workload"] or not entry["placement"]:
            what = "motif that communicates" if entry["placement"] else "[NID_LIST]"
            raise TextError(f"{path}: {entry['name']} has no {what}.")
        ranks = len(entry["placement"]["nodes"]) * entry.get("ranks_per_node", 1)
        entry["workload"] = {"kind": entry["workload"].pop("kind"), "ranks": ranks,
                             **entry["workload"]}  # fmt: skip


def _entries(path: Path, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Tag and value of each entry, which may go over several lines; variables put in."""
    known: dict[str, str] = {}
    entries: list[tuple[int, str]] = []
    for number, line in lines:
        if line.startswith("[VAR]"):
            name, _, value = line.removeprefix("[VAR]").strip().partition("=")
            known[name.strip()] = value.strip()
            continue
        plain = re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], found[1]), line)
        if plain.startswith("["):
            entries.append((number, plain))
        elif entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {plain}")
    for number, text in entries:
        found = _TAG.match(text)
        if found is None:
            raise _wrong(path, number, "a line begins with a tag such as [MOTIF].")
        yield number, found[1], found[2].strip()


def _nodes(path: Path, number: int, text: str) -> list[int]:
    text = "".join(text.split())
    made = _MADE.match(text)
    if made:
        return _generated(path, number, made[1], made[2])
    nodes: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part)
        if found is None:
            raise _wrong(path, number, f"`{part[:40]}` is no node and no range; of the generators, "
                                       "generateNidListRange(first,count), "
                                       "generateNidListInterval(first,count,distance) and "
                                       "generateNidListRandom(nodes,first,count) are "
                                       "known.")  # fmt: skip
        first, last = int(found[1]), int(found[2] or found[1])
        if last - first + len(nodes) >= _MOST_NODES:
            raise _wrong(path, number, f"there are more than {_MOST_NODES:,} nodes.")
        nodes.extend(range(first, last + 1))
    return nodes


_SEED = 0xF00DBEEF
"""What Ember's generator of random nodes begins with."""


def _generated(path: Path, number: int, name: str, text: str) -> list[int]:
    """Nodes as the generators of Ember give them."""
    given = [int(one[:10] or 0) for one in text.split(",")]
    if len(given) != (2 if name == "Range" else 3):
        raise _wrong(path, number, f"generateNidList{name}({text[:40]}) has {len(given)} numbers.")
    count = given[2] if name == "Random" else given[1]
    if max(count, given[0] if name == "Random" else 0) >= _MOST_NODES:
        raise _wrong(path, number, f"there are more than {_MOST_NODES:,} nodes.")
    if name == "Random":
        total, first, count = given
        shuffled = random.Random(_SEED).sample(range(total), total)  # noqa: S311 - as Ember does
        return shuffled[first : first + count]
    distance = given[2] if name == "Interval" else 1
    return [given[0] + place * distance for place in range(count)]


def _number(path: Path, number: int, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1 << 63:
        raise _wrong(path, number, f"`{name}` is `{text[:40]}`; a number from 0 on is needed.")
    return value


_SILENT = ("Init", "Fini", "Null")
"""Motifs that send next to nothing and have no counterpart here."""


def _motif(path: Path, number: int, text: str, into: tuple[dict[str, Any], list[str]]) -> None:
    job, notes = into
    name, *rest = text.split() or [""]
    name = name.rpartition(".")[2]
    if name in _SILENT:
        job["rests"] = job.get("rests", False) or name == "Null"
        return
    make = _MOTIFS.get(name)
    if make is None:
        raise _wrong(path, number, f"motif `{name}` has no counterpart."
                                   f"{suggestion(name, list(_MOTIFS))}")  # fmt: skip
    if job["workload"]:
        raise _wrong(path, number, f"{job['name']} has a second motif, `{name}`; a job runs one.")
    given = {}
    for one in rest:
        key, _, value = one.partition("=")
        given[key] = _number(path, number, key, value)
    values = _Values(given, len(job.get("placement", {}).get("nodes", ())))
    try:
        job["workload"] = make(values)
    except ValueError as error:
        raise _wrong(path, number, str(error)) from None
    unused = sorted(set(given) - values.asked)
    if unused:
        notes.append(f"line {number}: of motif {name}, {', '.join(unused)} is left out")


class _Values:
    """Arguments of a motif; remembers which were asked for."""

    def __init__(self, given: Mapping[str, float], nodes: int) -> None:
        self._given = given
        self.nodes = nodes
        self.asked: set[str] = set()

    def __call__(self, name: str, default: float) -> int:
        """A whole number."""
        return int(self.real(name, default))

    def real(self, name: str, default: float) -> float:
        """A number."""
        self.asked.add(name)
        return self._given.get(name, default)


def _ns(value: float) -> str:
    return f"{value:g} ns" if value < 1e6 else f"{value:.0f} ns"


def _repeated(values: _Values) -> dict[str, Any]:
    return {"iterations": values("iterations", 1), "compute": _ns(values.real("compute", 0))}


def _allreduce(values: _Values) -> dict[str, Any]:
    size = values("count", 1) * _DOUBLE
    return {"kind": "allreduce", "message": f"{size} B", **_repeated(values)}


def _alltoall(values: _Values) -> dict[str, Any]:
    return {"kind": "alltoall", "message": f"{values('bytes', 1)} B", **_repeated(values)}


def _bcast(values: _Values) -> dict[str, Any]:
    if values("root", 0):
        raise ValueError("a broadcast from another rank than 0 has no counterpart.")
    size = values("count", 1) * _DOUBLE
    return {"kind": "bcast", "message": f"{size} B", **_repeated(values)}


def _barrier(values: _Values) -> dict[str, Any]:
    return {"kind": "barrier", **_repeated(values)}


def _halo3d(values: _Values) -> dict[str, Any]:
    sides = [values(f"n{axis}", 100) for axis in "xyz"]
    if len(set(sides)) > 1:
        raise ValueError(f"the faces of {sides[0]} x {sides[1]} x {sides[2]} cells differ in size; "
                         "halo3d has one size of faces.")  # fmt: skip
    if values("copytime", 0):
        raise ValueError("`copytime` has no counterpart; leave it out.")
    fields = values("fields_per_cell", 1)
    face = sides[0] ** 2 * fields * values("datatype_width", 8)
    flops = sides[0] ** 3 * fields * values("flopspercell", 26)
    compute = values("computetime", int(flops / (values.real("peflops", 1e10) / 1e9)))
    grid = [values(f"pe{axis}", 0) for axis in "xyz"]
    shape = {"grid": grid} if all(grid) else {}
    return {
        "kind": "halo3d", **shape, "face": f"{face} B", "iterations": values("iterations", 1),
        "compute": _ns(compute), "reduction": values("doreduce", 1) == 1, "overlap": False,
    }  # fmt: skip


def _fft3d(values: _Values) -> dict[str, Any]:
    costs = [values.real(f"{way}_fft{step}", 1) for way in ("fwd", "bwd") for step in (1, 2, 3)]
    rows = values("npRow", 0)
    if not rows:
        raise ValueError("`npRow` is needed.")
    return {
        "kind": "fft3d", "nx": values("nx", 100), "ny": values("ny", 100), "nz": values("nz", 100),
        "process_rows": rows, "iterations": values("iterations", 1),
        "element_time": _ns(values.real("nsPerElement", 1)), "transform_cost": costs,
    }  # fmt: skip


def _halo26(values: _Values) -> dict[str, Any]:
    if values("copytime", 0):
        raise ValueError("`copytime` has no counterpart; leave it out.")
    sides = {f"n{axis}": values(f"n{axis}", 100) for axis in "xyz"}
    fields = values("fields_per_cell", 1)
    flops = sides["nx"] * sides["ny"] * sides["nz"] * fields * values("flopspercell", 26)
    compute = values("computetime", int(flops / (values.real("peflops", 1e9) / 1e9)))
    grid = [values(f"pe{axis}", 0) for axis in "xyz"]
    return {
        "kind": "halo26", **({"grid": grid} if all(grid) else {}), **sides,
        "cell": f"{fields * values('datatype_width', 8)} B", "iterations": values("iterations", 1),
        "compute": _ns(compute), "reduction": values("doreduce", 1) == 1,
    }  # fmt: skip


def _sweep3d(values: _Values) -> dict[str, Any]:
    grid = [values("pex", 0), values("pey", 0)]
    if not all(grid):
        raise ValueError("`pex` and `pey` are needed.")
    nx, ny, block = values("nx", 50), values("ny", 50), values("kba", 1)
    fields, width = values("fields_per_cell", 8), values("datatype_width", 8)
    flops = values.real("flops_per_cell", 275)
    plane = nx * ny * flops / (values.real("nodeflops", 1e9) / 1e9)
    return {
        "kind": "sweep3d", "grid": grid, "nx": nx, "ny": ny, "nz": values("nz", 50), "block": block,
        "cell": fields * width, "iterations": values("iterations", 1),
        "compute": _ns(values("computetime", int(plane)) * block * fields),
    }  # fmt: skip


def _ping_pong(values: _Values) -> dict[str, Any]:
    if values.nodes != 2 or values("rank2", 1) != 1:
        raise ValueError("a ping-pong of two of several ranks has no counterpart; give it two nodes"
                         " in front of its motif, or use AllPingPong.")  # fmt: skip
    size = values("messageSize", 1024)
    return {"kind": "ping-pong", "message": f"{size} B", "iterations": values("iterations", 1)}


def _all_ping_pong(values: _Values) -> dict[str, Any]:
    return {
        "kind": "ping-pong", "message": f"{values('messageSize', 128)} B",
        "iterations": values("iterations", 1), "compute": _ns(values("computetime", 1000)),
    }  # fmt: skip


_MOTIFS: dict[str, Callable[[_Values], dict[str, Any]]] = {
    "Allreduce": _allreduce, "AllPingPong": _all_ping_pong, "Alltoall": _alltoall,
    "Barrier": _barrier, "Bcast": _bcast, "FFT3D": _fft3d, "Halo3D": _halo3d,
    "Halo3D26": _halo26, "PingPong": _ping_pong, "Sweep3D": _sweep3d,
}  # fmt: skip
"""Motifs with a workload of the same messages; arguments and defaults are those of Ember."""

_PROGRAMS = {
    "lammps": "lammps", "nekbone": "nekbone", "nearest_neighbor": "nearest-neighbour",
    "milc": "milc", "incast": "incast", "many_to_many": "many-to-many", "spread": "spread",
    "layered_allbcast": "layered-allbcast", "allreduce": "allreduce",
}  # fmt: skip
"""Programs of CODES, and the workloads with their steps; sizes are the defaults of these."""


def _codes(path: Path, lines: list[tuple[int, str]], allocation: Path | None) -> Load:
    load = Load([])
    for place, (number, line) in enumerate(lines):
        if not _CODES_LINE.match(line):
            raise _wrong(path, number, "a line has ranks and a name, such as `300 milc 0 0`.")
        ranks, name, *rest = line.split()
        job: dict[str, Any] = {"name": f"job-{place}"}
        if allocation is not None:
            job["placement"] = {"kind": "list", "file": str(allocation), "line": place}
        load.jobs.append(job)
        if name.startswith("synthetic"):
            job |= {"role": "background", "workload": _synthetic(path, number, name, rest)}
            job["workload"]["ranks"] = int(ranks)
            load.notes.append(
                f"line {number}: messages of {job['workload']['message']} every "
                f"{job['workload']['interval']}, whose sizes (and intervals without a number "
                "behind the name) CODES takes from its command line (`--payload_sz`, "
                "`--mean_interval`); these are its defaults"
            )
            continue
        job["workload"] = _program(path, number, name, int(ranks))
        if "path" not in job["workload"]:
            load.notes.append(f"line {number}: sizes and iterations of {name} are the defaults of "
                              f"`{job['workload']['kind']}`")  # fmt: skip
        if any(float(one) for one in rest):
            load.notes.append(f"line {number}: quality of service and interval are left out")
    if not load.jobs:
        raise TextError(f"{path}: there is no job in it.")
    return load


_PATTERNS = {"": "uniform", "1": "uniform", "5": "rotating"}
"""Synthetic jobs of CODES by the number behind their name (`enum TRAFFIC`) that there is here."""


def _synthetic(path: Path, number: int, name: str, rest: list[str]) -> dict[str, Any]:
    pattern = _PATTERNS.get(name.removeprefix("synthetic"))
    if pattern is None:
        known = ", ".join(f"`synthetic{one}` ({pattern})" for one, pattern in _PATTERNS.items())
        raise _wrong(path, number, f"`{name}` has no counterpart; of synthetic jobs there are "
                                   f"{known}.")  # fmt: skip
    interval = float(rest[1]) if len(rest) > 1 and float(rest[1]) > 0 else 100_000.0
    return {"kind": "open-loop", "pattern": pattern, "message": "1024 B", "interval": _ns(interval)}


def _program(path: Path, number: int, name: str, ranks: int) -> dict[str, Any]:
    if name in _PROGRAMS:
        return {"kind": _PROGRAMS[name], "ranks": ranks}
    if "/" in name or name.endswith("-"):
        trace = Path(f"{name}{0:04d}.bin")
        beside = trace if trace.is_absolute() else path.parent / trace
        return {"kind": "trace", "path": str(beside.resolve())}
    raise _wrong(path, number, f"`{name}` has no counterpart; traces are given by a prefix with a "
                 f"slash, programs by name.{suggestion(name, list(_PROGRAMS))}")  # fmt: skip
