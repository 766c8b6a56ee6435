"""Traces that compiled code reads: DUMPI, liballprof, SimGrid, GOAL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from odonata.core import native
from odonata.traces.formats import Found
from odonata.traces.table import TraceData


def read(found: Found) -> TraceData:
    """Read a trace.

    Raises
    ------
    odonata.errors.TraceError
        If a file is cut short, damaged or of another kind.
    """
    table, about = native.read_trace(found.kind, found.files)
    return TraceData(
        columns=table,
        unsupported=about["unsupported"],
        notes=tuple(_notes(about)),
        places=about["places"],
        origin={**about["origin"], "name": found.name},
    )


def _notes(about: Mapping[str, Any]) -> Iterator[str]:
    local: Mapping[str, int] = about["local_calls"]
    if local:
        names = ", ".join(f"{name} ({count})" for name, count in local.items())
        yield f"calls that are not replayed because they move no data of the program: {names}"
    yield from about["remarks"]
    for hint, count in about["hints"].items():
        yield f"{count} {hint}"
