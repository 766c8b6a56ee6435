"""Reader of OTF2 traces (Score-P, EZTrace and others).

The records of every rank become the internal form of ``docs/traces.md``. Time between MPI calls
becomes computation; time inside of them is what the simulator finds out.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from odonata.core import native
from odonata.core.errors import TraceError
from odonata.traces.calls import Call
from odonata.traces.collectives import EZTRACE, SCOREP, Calls, resolve_collectives
from odonata.traces.operations import Operation
from odonata.traces.otf2_definitions import Definitions, read_definitions
from odonata.traces.otf2_frames import Communicators, Tally
from odonata.traces.otf2_library import Archive, StuckError, load
from odonata.traces.otf2_ranks import RankReader
from odonata.traces.otf2_tau import TAU, agreed
from odonata.traces.otf2_threads import Thread, Threads, has_calls, join
from odonata.traces.receives import find_messages
from odonata.traces.table import RankProgram, TraceData, assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_REMEDY = "copy the trace again, or record it again"
_BYTES_PER_RECORD = 2
"""The shortest record: its type and its length."""
_MOST_COMPRESSED = 1032
"""The most that a byte of a compressed file can stand for (deflate)."""
_END_OF_FILE = b"\x02\x01"
"""What the OTF2 library writes behind the last record: the end of the chunk and of the file."""
_PADDING = b"\x00\n"
"""What may follow it: the rest of a chunk, or a line end (the traces of SST/macro)."""
_LONGEST_END = 4096
"""Bytes of the end of a file that are looked at."""


def find_anchor(path: Path) -> Path:
    """Return the anchor file (``*.otf2``) that a path means.

    Parameters
    ----------
    path : pathlib.Path
        The anchor file, or a folder that holds exactly one, or whose folders do.

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
    anchors = [file for file in sorted(path.glob("*.otf2")) if file.is_file()]
    if not anchors:  # EZTrace writes into a folder of the folder it is given
        anchors = [file for file in sorted(path.glob("*/*.otf2")) if file.is_file()]
    if len(anchors) == 1:
        return anchors[0]
    found = "no anchor file `*.otf2`" if not anchors else f"{len(anchors)} files `*.otf2`"
    message = (
        f"trace {path}: this is a folder, and it holds {found}; a trace is an anchor file "
        "(`traces.otf2`), a file of definitions (`traces.def`) and a folder of events (`traces`) "
        "side by side; give the path of the anchor file"
    )
    raise TraceError(message)


def read(path: Path) -> TraceData:
    """Read an OTF2 trace.

    Parameters
    ----------
    path : pathlib.Path
        The anchor file (``traces.otf2``), or its folder.

    Raises
    ------
    odonata.errors.TraceError
        If the trace is missing, cut short or damaged, if it has no MPI, or if the ``otf2`` package
        is not installed.
    """
    anchor = find_anchor(Path(path))
    load()
    definitions = anchor.with_suffix(".def")
    if not definitions.is_file():
        message = (
            f"trace {anchor}: its file of definitions {definitions.name} is missing from its "
            "folder; copy all parts of the trace: the anchor file, the file of definitions, and "
            f"the folder `{anchor.stem}`"
        )
        raise TraceError(message)
    with _Complaints() as complaints:
        reader = _Reader(anchor, complaints)
        try:
            return reader.read()
        except TraceError:
            raise
        except Exception as error:
            raise reader.damage(error) from error


class _Complaints:
    """Catches what the C library prints to standard error: the beginning, the rest is dropped."""

    def __init__(self) -> None:
        self._saved = self._from = -1
        self._text = b""

    def __enter__(self) -> Self:
        sys.stderr.flush()
        self._saved = os.dup(2)
        self._from, into = os.pipe()
        os.set_blocking(into, False)  # a full pipe takes no more, and nobody waits
        os.dup2(into, 2)
        os.close(into)
        os.set_blocking(self._from, False)
        return self

    def __exit__(self, *_: object) -> None:
        os.dup2(self._saved, 2)
        os.close(self._saved)
        os.close(self._from)

    def reason(self) -> str:
        """Return the first cause in the library's words, without source positions."""
        with contextlib.suppress(BlockingIOError):
            self._text += os.read(self._from, 65_536)
        found = re.findall(r"error: ([^\n]+)", self._text.decode(errors="replace"))
        return found[0].strip().rstrip(".!") if found else ""


class _Reader:
    """Reads one trace, and knows at any time which part of it."""

    def __init__(self, anchor: Path, complaints: _Complaints) -> None:
        self._anchor = anchor
        self._complaints = complaints
        self._part = "the anchor file"
        self._tally = Tally()
        self._threads: dict[int, Threads] = {}

    def read(self) -> TraceData:
        """Read all of it."""
        with Archive(self._anchor) as archive:
            definitions_file = self._anchor.with_suffix(".def")
            self._part = f"the file {definitions_file.name}"
            self._check_end(archive, definitions_file)
            definitions = read_definitions(archive)
            resolution = definitions.resolution
            self._check_ranks(definitions)
            if resolution <= 0:
                message = f"its timer has {resolution} ticks per second"
                raise ValueError(message)

            def to_ps(ticks: int) -> int:
                return (ticks * 10**12 + resolution // 2) // resolution

            communicators = Communicators(definitions)
            readers = [
                RankReader(rank, definitions, communicators, self._tally, to_ps)
                for rank in range(len(definitions.ranks))
            ]
            self._read_events(archive, definitions, readers)
        self._part = "a record"
        return self._assemble(readers, communicators, definitions)

    def damage(self, error: Exception) -> TraceError:
        """Say which part of a damaged trace cannot be read."""
        said = "" if isinstance(error, StuckError) else self._complaints.reason()
        reason = said or str(error) or type(error).__name__
        return TraceError(
            f"trace {self._anchor}: {self._part} cannot be read ({reason}); the trace is "
            f"truncated or damaged: {_REMEDY}"
        )

    def _check_ranks(self, definitions: Definitions) -> None:
        if not definitions.ranks:
            calls = {region.call for region in definitions.regions.values()} - {Call.PROGRAM}
            what = "calls of MPI, but not which location is which rank" if calls else "no MPI"
            message = (
                f"trace {self._anchor}: it holds {what} ({len(definitions.locations)} locations, "
                f"{len(definitions.regions)} regions), so there is nothing to replay; record an "
                "MPI program with MPI support of the recorder switched on"
            )
            raise TraceError(message)
        unknown = [rank for rank in definitions.ranks if rank not in definitions.locations]
        if unknown or len(set(definitions.ranks)) < len(definitions.ranks):
            message = "its list of ranks names locations that do not exist, or one twice"
            raise ValueError(message)

    # Events

    def _read_events(
        self, archive: Archive, definitions: Definitions, readers: list[RankReader]
    ) -> None:
        by_location = dict(zip(definitions.ranks, readers, strict=True))
        threads = {} if definitions.is_eztrace else definitions.threads()
        for rank in threads.values():
            readers[rank].has_threads = True
        archive.open_events(list(definitions.locations))
        # The first thread of a rank is read before the others, which add to its program.
        for location in sorted(definitions.locations, key=lambda one: one not in by_location):
            self._part = f"the records of {self._file(location)} ({definitions.describe(location)})"
            reader = by_location.get(location)
            if reader is None and location in threads:
                reader = readers[threads[location]].beside()
            counted = ["Unknown"]
            if reader is None:
                counted += archive.record_names("Rma")
                counted += [f"Mpi{kind}" for kind in ("Send", "Recv", "Isend", "Irecv")]
            where = " by a location that is not a thread of a rank" if reader is None else ""
            handlers = {name: self._count(f"{name}{where}") for name in counted}
            if reader is not None:
                handlers |= reader.handlers()
            self._read_location(archive, location, definitions, handlers, reader)
            if reader is not None:
                reader.finish()
                self._note_thread(reader, is_first=location in by_location)
                reader.close()

    def _note_thread(self, reader: RankReader, *, is_first: bool) -> None:
        """Keep what a thread has done, if it is the first one or has called MPI."""
        own = self._threads.setdefault(reader.rank, Threads())
        first = own.members[-1].end if own.members else 0
        if not is_first and not has_calls(reader.program, first):
            reader.program.truncate(first)
            return
        own.members.append(Thread(first, len(reader.program), reader.moments))

    def _count(self, name: str) -> Callable[..., None]:
        """Return what counts a record that is left out."""

        def count(*_: int) -> None:
            self._tally.unsupported[name] += 1

        return count

    def _file(self, location: int) -> str:
        return f"{self._anchor.stem}/{location}.evt"

    def _read_location(
        self,
        archive: Archive,
        location: int,
        definitions: Definitions,
        handlers: dict[str, Callable[..., None]],
        reader: RankReader | None,
    ) -> None:
        """Read one location; stop if the library reads a damaged file over and over.

        Some writers announce fewer records than there are. So more records than announced are
        taken if time goes on in them and the file has room for them.
        """
        announced, found = definitions.locations[location].announced, 0
        is_tau = definitions.is_tau  # it announces for a thread what another one has
        for kind in ("def", "evt"):
            self._check_end(archive, self._anchor.with_suffix("") / f"{location}.{kind}")
        most = self._most_records(archive, location)
        for found in archive.read_events(location, handlers):
            goes_back = reader is not None and reader.backward_steps > 0 and not is_tau
            if found > announced and (found > most or goes_back):
                message = f"more than the {announced} records that it should have"
                raise ValueError(message)
        if found < announced and not is_tau:
            message = f"it has {found} of its {announced} records"
            raise ValueError(message)
        if found > announced and not (definitions.is_eztrace or is_tau):
            hint = "locations with more records than announced, all of which are read"
            self._tally.hints[hint] += 1

    def _check_end(self, archive: Archive, file: Path) -> None:
        """Refuse a file of definitions or records that ends before its mark.

        The library goes on with whatever its buffer held before. That may look like records; if
        the buffer held the same trace, as it does when a copy is read again, it even is them.
        """
        if archive.is_compressed or not file.is_file():
            return
        with file.open("rb") as content:
            content.seek(max(file.stat().st_size - _LONGEST_END, 0))
            end = content.read().rstrip(_PADDING)
        if end and not end.endswith(_END_OF_FILE):
            message = f"{file.name} does not end with the end-of-file record"
            raise ValueError(message)

    def _most_records(self, archive: Archive, location: int) -> int:
        """Return how many records the file of a location can hold."""
        file = self._anchor.with_suffix("") / f"{location}.evt"
        try:
            size = file.stat().st_size
        except OSError:
            return 0
        return size * (_MOST_COMPRESSED if archive.is_compressed else 1) // _BYTES_PER_RECORD

    # The table

    def _assemble(
        self, readers: list[RankReader], communicators: Communicators, definitions: Definitions
    ) -> TraceData:
        programs = [reader.program for reader in readers]
        members = communicators.members
        calls: Sequence[Calls] = [reader.collectives for reader in readers]
        rules = EZTRACE if definitions.is_eztrace else SCOREP
        if definitions.is_tau:
            rules = TAU
            calls = agreed(programs, calls, self._tally.hints, self._tally.unsupported)
        if definitions.ranks_follow:
            hint = (
                "ranks assumed to be the first threads of the processes, since the list of "
                "ranks cannot be right"
            )
            self._tally.hints[hint] += len(readers)
        self._tally.hints += resolve_collectives(programs, calls, members, rules)
        if definitions.is_eztrace:
            self._find_messages(readers, members)
        drop = {Operation.NOTHING}
        marks = {tuple(sorted(reader.marks.items())) for reader in readers}
        first = next(iter(marks))
        if len(marks) != 1 or len(first) != 2 or len({count for _, count in first}) > 1:
            drop |= {Operation.ITERATION_BEGIN, Operation.ITERATION_END}
        return TraceData(
            columns=self._join(programs, members, frozenset(drop)),
            unsupported={n: c for n, c in sorted(self._tally.unsupported.items()) if c > 0},
            notes=tuple(self._notes(definitions.resolution)),
            origin=self._origin(definitions),
        )

    def _join(
        self,
        programs: list[RankProgram],
        members: list[tuple[int, ...]],
        drop: frozenset[Operation],
    ) -> native.Table:
        threads = [self._threads[rank] for rank in range(len(programs))]
        if all(len(own.members) == 1 for own in threads):
            return assemble(programs, members, drop=drop)
        return join(programs, threads, members, drop=drop)

    def _find_messages(self, readers: list[RankReader], members: list[tuple[int, ...]]) -> None:
        found, lost = find_messages(
            [reader.program for reader in readers],
            [reader.completions for reader in readers],
            members,
        )
        if found:
            self._tally.hints[
                "nonblocking receives whose message and wait EZTrace did not record; they follow "
                "from the order of the sends"
            ] += found
        if lost:
            self._tally.unsupported["receive that never completes"] += lost

    def _origin(self, definitions: Definitions) -> dict[str, str]:
        anchor = self._anchor
        is_usual = anchor.stem in {"traces", "eztrace_log"}
        return {
            "format": "otf2",
            "name": anchor.parent.name if is_usual else anchor.stem,
            "timer_resolution_hz": str(definitions.resolution),
        }

    def _notes(self, resolution: int) -> Iterator[str]:
        tally = self._tally
        if tally.local_calls:
            names = ", ".join(f"{name} ({n})" for name, n in sorted(tally.local_calls.items()))
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
