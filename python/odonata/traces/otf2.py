# ruff: noqa: ANN401 - the otf2 package has no types
"""Reader of OTF2 traces (Score-P and others), through the ``otf2`` package.

The reader turns the records of every rank into the internal form of ``docs/traces.md``. Time
between MPI calls becomes computation; time inside of them is what the simulator finds out.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from odonata.errors import TraceError
from odonata.traces.operations import Operation
from odonata.traces.otf2_ranks import (
    Communicators,
    RankReader,
    Tally,
    VectorExchange,
    enum_name,
)
from odonata.traces.sizes import estimate_matrix
from odonata.traces.table import TraceData, assemble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_REMEDY = "copy the trace again, or record it again"


def find_anchor(path: Path) -> Path:
    """Return the anchor file (``*.otf2``) that a path means.

    Parameters
    ----------
    path : pathlib.Path
        The anchor file, or the folder that holds exactly one.

    Returns
    -------
    pathlib.Path
        The anchor file.

    Raises
    ------
    odonata.errors.TraceError
        If there is no such file, or more than one.
    """
    if not path.exists():
        message = (
            f"trace {path}: there is no such file or folder; give the path of an anchor file "
            "(`traces.otf2`) or of the folder that holds it"
        )
        raise TraceError(message)
    if path.is_file():
        return path
    anchors = sorted(path.glob("*.otf2"))
    if len(anchors) == 1:
        return anchors[0]
    found = "no file `*.otf2`" if not anchors else f"{len(anchors)} files `*.otf2`"
    message = f"trace {path}: the folder holds {found}; give the path of the anchor file itself"
    raise TraceError(message)


def read(path: Path) -> TraceData:
    """Read an OTF2 trace.

    Parameters
    ----------
    path : pathlib.Path
        The anchor file (``traces.otf2``), or its folder.

    Returns
    -------
    TraceData
        The trace in the internal form.

    Raises
    ------
    odonata.errors.TraceError
        If the trace is missing, cut short or damaged, or if the ``otf2`` package is not installed.
    """
    anchor = find_anchor(Path(path))
    library = _library()
    with _Complaints() as complaints:
        try:
            return _read(library, anchor, complaints)
        except TraceError:
            raise
        except Exception as error:
            raise _damage(library, anchor, complaints, error) from error


def _library() -> ModuleType:
    try:
        return importlib.import_module("otf2")
    except (ImportError, OSError) as error:
        message = (
            f"reading OTF2 traces needs the package `otf2`, which cannot be loaded ({error}); "
            "install it with `pip install 'otf2>=3.1'`"
        )
        raise TraceError(message) from error


class _Complaints:
    """Catches what the C library prints to standard error, and any traceback of its callbacks."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._text = open(os.dup(self._file.fileno()), "w", buffering=1)  # noqa: SIM115, PTH123
        self._saved = -1
        self._stderr = sys.stderr

    def __enter__(self) -> Self:
        sys.stderr.flush()
        self._saved = os.dup(2)
        os.dup2(self._file.fileno(), 2)
        self._stderr, sys.stderr = sys.stderr, self._text
        return self

    def __exit__(self, *_: object) -> None:
        sys.stderr = self._stderr
        os.dup2(self._saved, 2)
        os.close(self._saved)
        self._text.close()
        self._file.close()

    def text(self) -> str:
        """Return what was printed so far."""
        self._text.flush()
        self._file.seek(0)
        return self._file.read().decode(errors="replace")

    def reason(self) -> str:
        """Return the cause in the library's words, without source positions."""
        found = re.findall(r"error: ([^\n]+)", self.text())
        return found[0].strip().rstrip(".!") if found else ""


def _read(library: ModuleType, anchor: Path, complaints: _Complaints) -> TraceData:
    with library.reader.open(str(anchor)) as trace:
        ranks = _ranks(trace, anchor)
        tally = Tally()
        communicators = Communicators(ranks)
        resolution = int(trace.timer_resolution)
        if resolution <= 0:
            message = f"trace {anchor}: its timer resolution is {resolution}; {_REMEDY}"
            raise TraceError(message)

        def to_ps(ticks: int) -> int:
            return (ticks * 10**12 + resolution // 2) // resolution

        readers = {
            location: RankReader(rank, communicators, tally, to_ps)
            for location, rank in ranks.items()
        }
        counts = _read_records(trace, readers, tally)
        _check_counts(trace, counts, anchor)
        if complaints.reason():
            raise RuntimeError(complaints.reason())
        by_rank = sorted(readers.values(), key=lambda reader: reader.rank)
        for reader in by_rank:
            reader.finish()
        return _assemble(by_rank, communicators, tally, _origin(anchor, resolution))


def _read_records(trace: Any, readers: dict[Any, RankReader], tally: Tally) -> dict[Any, int]:
    counts = dict.fromkeys(trace.definitions.locations, 0)
    for location, record in trace.events:
        counts[location] += 1
        reader = readers.get(location)
        if reader is not None:
            reader.read(record)
        elif type(record).__name__.startswith("Mpi"):
            tally.unsupported[f"{type(record).__name__} by a second thread of a rank"] += 1
    return counts


def _ranks(trace: Any, anchor: Path) -> dict[Any, int]:
    """Map the location that holds each MPI rank's records to the rank."""
    for group in trace.definitions.groups:
        if enum_name(group.group_type) == "COMM_LOCATIONS" and enum_name(group.paradigm) == "MPI":
            return {location: rank for rank, location in enumerate(group.members)}
    message = (
        f"trace {anchor}: it does not say which of its {len(list(trace.definitions.locations))} "
        "locations are MPI ranks (no group of MPI locations); record an MPI program with MPI "
        "support switched on"
    )
    raise TraceError(message)


def _check_counts(trace: Any, counts: dict[Any, int], anchor: Path) -> None:
    for location in trace.definitions.locations:
        expected, found = int(location.number_of_events), counts[location]
        if found != expected:
            message = (
                f"trace {anchor}: location `{_describe(location)}` has {found} of its {expected} "
                f"records; the trace is cut short or damaged: {_REMEDY}"
            )
            raise TraceError(message)


def _describe(location: Any) -> str:
    return f"{location.group.name}, {location.name}"


def _origin(anchor: Path, resolution: int) -> dict[str, str]:
    name = anchor.parent.name if anchor.stem == "traces" else anchor.stem
    return {"format": "otf2", "name": name, "timer_resolution_hz": str(resolution)}


def _assemble(
    readers: list[RankReader], communicators: Communicators, tally: Tally, origin: dict[str, str]
) -> TraceData:
    notes = list(_notes(tally, int(origin["timer_resolution_hz"])))
    for comm, parts in sorted(tally.alltoallv.items()):
        _estimate_vectors(readers, communicators.members[comm], parts)
    if tally.alltoallv:
        notes.append(
            "sizes of alltoallv per destination are estimates: the trace has sums per rank only"
        )
    drop = {Operation.NOTHING}
    marks = {tuple(sorted(reader.marks.items())) for reader in readers}
    if len(marks) != 1 or len(next(iter(marks))) != 2 or len({n for _, n in next(iter(marks))}) > 1:
        drop |= {Operation.ITERATION_BEGIN, Operation.ITERATION_END}
    columns = assemble([r.program for r in readers], communicators.members, drop=frozenset(drop))
    return TraceData(
        columns=columns,
        unsupported=dict(sorted(tally.unsupported.items())),
        notes=tuple(notes),
        origin=origin,
    )


def _estimate_vectors(
    readers: list[RankReader], members: list[int], parts: dict[int, list[VectorExchange]]
) -> None:
    """Fill in the sizes per destination of every alltoallv of one communicator."""
    rounds = max(len(calls) for calls in parts.values())
    for number in range(rounds):
        calls = [parts.get(m, [])[number : number + 1] for m in members]
        sent = [c[0].sent if c else 0 for c in calls]
        received = [c[0].received if c else 0 for c in calls]
        matrix = estimate_matrix(sent, received)
        for row, call in enumerate(calls):
            for part in call:
                aux = readers[part.rank].program.aux
                for column, size in enumerate(matrix[row].tolist()):
                    aux[part.aux_begin + column] = size


def _notes(tally: Tally, resolution: int) -> Iterator[str]:
    if tally.local_calls:
        names = ", ".join(f"{name} ({count})" for name, count in sorted(tally.local_calls.items()))
        yield f"calls that are not replayed because they move no data of the program: {names}"
    for hint, count in sorted(tally.hints.items()):
        yield f"{count} {hint}"
    if tally.ticks["off"]:
        seconds = tally.ticks["off"] / resolution
        yield (
            f"recording was switched off for {seconds:.3g} s (summed over ranks); this time is "
            "replayed as computation"
        )
    if tally.ticks["flush"]:
        seconds = tally.ticks["flush"] / resolution
        yield f"{seconds:.3g} s of writing trace buffers (summed over ranks) are left out"


def _damage(
    library: ModuleType, anchor: Path, complaints: _Complaints, error: Exception
) -> TraceError:
    """Say which part of a damaged trace cannot be read."""
    reason = complaints.reason() or str(error) or type(error).__name__
    place = _damaged_part(library, anchor)
    return TraceError(
        f"trace {anchor}: {place} cannot be read ({reason}); the trace is cut short or damaged: "
        f"{_REMEDY}"
    )


def _damaged_part(library: ModuleType, anchor: Path) -> str:
    definitions = anchor.with_suffix(".def")
    if not definitions.exists():
        return f"its file {definitions.name} is missing and"
    try:
        with library.reader.open(str(anchor)) as trace:
            numbers = [location.group.name for location in trace.definitions.locations]
    except Exception:  # noqa: BLE001 - any failure means the same here
        return f"the anchor file or {definitions.name}"
    for number, name in enumerate(numbers):
        if not _location_is_whole(library, anchor, number):
            return f"the records of location {number} ({name})"
    return "a record"


def _location_is_whole(library: ModuleType, anchor: Path, number: int) -> bool:
    with library.reader.open(str(anchor)) as trace:
        location = list(trace.definitions.locations)[number]
        try:
            found = sum(1 for _ in trace.events([location]))
            return found == int(location.number_of_events)
        except Exception:  # noqa: BLE001 - any failure means the same here
            return False
