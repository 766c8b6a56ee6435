"""The timeline of a run for the viewer of Perfetto: ranks as threads, links as counters."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from odonata.core import files
from odonata.core.errors import RunError
from odonata.output.timeline import schema
from odonata.output.timeline.events import events
from odonata.output.timeline.tracks import Tracks
from odonata.results import Result, damage_told

FILE = "timeline.perfetto-trace"
LINKS = 64
"""Links that are shown unless something else is said."""

__all__ = ["FILE", "LINKS", "write"]


def write(run: Result, path: Path, *, links: int = LINKS) -> Path:
    """Write the timeline of one run.

    Parameters
    ----------
    run : odonata.results.Result
        The run.
    path : pathlib.Path
        File to write; packed if its name ends in ``.gz``. An earlier one is replaced.
    links : int
        How many links are shown, those that are used most.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    odonata.errors.RunError
        If the tables are damaged, or the file cannot be written.
    """
    with damage_told(run.directory):
        data = b"".join(_packets(run, links))
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        files.write_whole(path, data, partial=path.with_name(f".{path.name}.partial"))
    except OSError as error:
        raise RunError(
            f"{path} cannot be written: {files.problem(error)}; choose another file (--out)."
        ) from None
    return path


def _packets(run: Result, links: int) -> Iterator[bytes]:
    """Packets of the trace: all tracks, then all events in order."""
    packet = schema.trace_packet()
    tracks = Tracks(list(run.jobs))
    happened = events(run, tracks, links=links)
    flags = schema.STATE_CLEARED
    for track in tracks:
        yield _field(packet(trusted_packet_sequence_id=1, sequence_flags=flags,
                            track_descriptor=track))  # fmt: skip
        flags = 0
    for time, fields in happened:
        yield _field(packet(timestamp=time, trusted_packet_sequence_id=1, track_event=fields))


def _field(packet: Any) -> bytes:  # noqa: ANN401 - made at run time
    """A packet as an entry of the list `Trace.packet`: its number and type, its length, itself."""
    body: bytes = packet.SerializeToString(deterministic=True)
    length, head = len(body), bytearray([0x0A])
    while length >= 0x80:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + body
