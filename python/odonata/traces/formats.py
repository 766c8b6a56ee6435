"""Which format a trace has, and which files it consists of: decided by content, then by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from odonata.core import files
from odonata.core.errors import TraceError

FORMATS = {
    "otf2": "Open Trace Format 2 (Score-P, EZTrace): an anchor file `*.otf2`, or its folder",
    "dumpi": "DUMPI (SST): a file `*.meta`, one of its files `*-0000.bin`, or their folder",
    "liballprof": "liballprof (LogGOPSim): one of its text files, or their folder",
    "goal": "GOAL (LogGOPSim): a schedule as text or binary",
    "chakra": "Chakra execution trace: one of its files `*.0.et` or `*.json`, or their folder",
    "simgrid": "SimGrid time-independent trace: a file with all ranks, or one per rank",
    "table": "operations in a table: a file `*.csv` or `*.parquet`",
    "npz": "compact form that `odonata trace convert` writes: a file `*.npz`",
}
"""What can be read, by name."""

UNKNOWN = f"its format is not known; the known formats are: {'; '.join(FORMATS.values())}"
"""What to say of other files."""

_HEAD = 4096
"""Bytes of a file that are looked at."""
_DUMPI = bytes.fromhex("ffaadd44554d5049")
_GZIP = b"\x1f\x8b"
_GOAL_BINARY = (4223).to_bytes(8, "little")
_GOAL = re.compile(rb"(\s|//[^\n]*\n|/\*.*?\*/)*num_ranks\b", re.DOTALL)
_JSON_NODES = re.compile(
    rb'\s*\{\s*("workload_graph"|("(version|attr)"|\}\s*\{).*"type"\s*:\s*"[A-Z_]+_NODE")',
    re.DOTALL,
)
_PYTORCH = re.compile(rb'\s*\{\s*"schema"\s*:\s*"[0-9.]+')
_ALLPROF_2 = re.compile(rb"MPI_\w+:[^\n]*  # backtrace \[")
_ALLPROF = re.compile(
    rb"\s*# (htor's PMPI Tracer|collprof)|(\s|#[^\n]*\n)*MPI_\w+:(-|\d+(\.\d*)?):"
)
_SIMGRID = re.compile(
    rb"(\s|#[^\n]*\n)*p?\d+[ \t]+(init|finalize|compute|comm_size|sleep|location|i?[bs]?send|"
    rb"i?recv|sendrecv|wait(all|any)?|test|barrier|bcast|i?(all)?(reduce|gatherv?|toallv?)|"
    rb"scatterv?|reducescatter|scan|put|get|win_\w+|iteration_in)\b",
    re.IGNORECASE,
)
_MOST_IN_A_LIST = 1 << 24
"""Bytes of a list of files, at most."""


@dataclass(frozen=True)
class Found:
    """A trace that has been recognised.

    Attributes
    ----------
    kind : str
        Key of :data:`FORMATS`, perhaps with the form behind it, such as ``goal-binary``.
    files : tuple of pathlib.Path
        By rank, or the one file of all ranks.
    name : str
        What the trace is called.
    """

    kind: str
    files: tuple[Path, ...]
    name: str


def sniff(path: Path) -> str | None:
    """Say which format a file has, by its first bytes; ``None`` if it is none that is known.

    Raises
    ------
    odonata.errors.TraceError
        If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        message = (
            f"trace {path}: cannot be read ({error.strerror}); check the path and its permissions"
        )
        raise TraceError(message) from error
    if head.startswith(_DUMPI):
        return "dumpi"
    if head.startswith(_GOAL_BINARY):
        return "goal-binary"
    if head.startswith(_GZIP) and path.name.endswith((".et", ".eg", ".et.gz", ".eg.gz")):
        return "chakra"
    by_text = {
        "liballprof2": _ALLPROF_2, "liballprof": _ALLPROF, "simgrid": _SIMGRID, "goal": _GOAL,
        "chakra-json": _JSON_NODES, "pytorch": _PYTORCH,
    }  # fmt: skip
    for kind, pattern in by_text.items():
        if pattern.match(head):
            return kind
    return _BY_SUFFIX.get(path.suffix)


_BY_SUFFIX = {
    ".npz": "npz", ".otf2": "otf2", ".et": "chakra", ".eg": "chakra", ".csv": "table",
    ".parquet": "table",
}  # fmt: skip
_IN_ONE_FILE = {"npz", "otf2", "goal", "goal-binary", "table", "pytorch", "liballprof2"}


def find(path: Path) -> Found | None:
    """Recognise a trace; ``None``: what is there is of no known format."""
    if path.is_dir():
        return _in_folder(path)
    try:
        files.require_file(path)
    except (OSError, files.UnreadableError) as error:
        words = files.problem(error) if isinstance(error, OSError) else error
        raise TraceError(f"trace {path}: {words}; give a file or a folder") from None
    if path.suffix == ".meta":
        parts = _numbered(path.parent.glob(f"{path.stem}-*.bin"))
        return Found("dumpi", _complete(path, parts), path.stem)
    if path.suffix == ".npz":
        return Found("npz", (path,), path.stem)
    kind = sniff(path)
    if kind is None:
        named = _named_files(path)
        return Found("simgrid", named, path.stem) if named else None
    if kind in _IN_ONE_FILE or not _NUMBER.search(path.stem):
        return Found(kind, (path,), path.stem)
    prefix, suffix = _around_number(path)
    parts = _numbered(
        file for file in path.parent.iterdir() if _around_number(file) == (prefix, suffix)
    )
    return Found(kind, _complete(path, parts), prefix.rstrip("-_.") or path.parent.name)


def _in_folder(folder: Path) -> Found | None:
    """Recognise what a folder holds; one that only holds a folder is passed through."""
    if list(folder.glob("*.otf2")) or list(folder.glob("*/*.otf2")):
        return Found("otf2", (folder,), folder.name)
    entries = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".")]
    if len(entries) == 1:
        return find(entries[0])
    anchors = [entry for entry in entries if entry.suffix == ".meta"]
    if len(anchors) == 1:
        return find(anchors[0])
    groups: dict[tuple[str, str], Path] = {}
    for entry in entries:
        if entry.is_file() and (kind := sniff(entry)) is not None:
            group = (entry.name, "") if kind in _IN_ONE_FILE else _around_number(entry)
            groups.setdefault(group, entry)
    if len(groups) > 1:
        names = ", ".join(entry.name for entry in list(groups.values())[:5])
        message = f"trace {folder}: this folder holds several traces ({names}, ...); give one file"
        raise TraceError(message)
    return find(next(iter(groups.values()))) if groups else None


_NUMBER = re.compile(r"(\d+)(?=\D*$)")


def _around_number(path: Path) -> tuple[str, str]:
    """What of a name is the same for all ranks: before and behind its last number."""
    found = _NUMBER.search(path.stem)
    if found is None:
        return path.stem, path.suffix
    return path.stem[: found.start()], path.stem[found.end() :] + path.suffix


def _numbered(files: Iterable[Path]) -> dict[int, Path]:
    found = {}
    for file in files:
        number = _NUMBER.search(file.stem)
        if number is not None and file.is_file():
            found[int(number[1])] = file
    return found


def _complete(path: Path, parts: dict[int, Path]) -> tuple[Path, ...]:
    """Files of ranks 0 to n - 1; refuse what lacks one."""
    missing = [rank for rank in range(max(parts, default=0) + 1) if rank not in parts]
    if missing:
        message = (
            f"trace {path}: the file of rank {missing[0]} is missing from its folder "
            f"({len(parts)} files are there); copy the files of all ranks"
        )
        raise TraceError(message)
    return tuple(parts[rank] for rank in sorted(parts))


def _named_files(path: Path) -> tuple[Path, ...]:
    """Files that the lines of a text name, as SimGrid's lists of traces do; empty: it is none."""
    try:
        size = path.stat().st_size
        lines = path.read_text("utf-8").splitlines() if size < _MOST_IN_A_LIST else []
    except (UnicodeDecodeError, OSError):
        return ()
    named = []
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        file = _beside(path, line)
        if file is None:
            return ()
        named.append(file)
    return tuple(named)


def _beside(path: Path, line: str) -> Path | None:
    """The file of a trace that a line of a list names: lists keep the folder they were made in."""
    parts = Path(line).parts
    for last in (len(parts), 2, 1):
        file = path.parent.joinpath(*parts[-last:])
        try:
            if "\0" not in line and file.is_file() and sniff(file) == "simgrid":
                return file
        except OSError:  # no file can have such a name
            return None
    return None
