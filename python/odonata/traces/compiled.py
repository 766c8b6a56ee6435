"""Traces that compiled code reads: DUMPI, liballprof, SimGrid, GOAL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from odonata import native
from odonata.traces.formats import Found
from odonata.traces.operations import RECEIVES
from odonata.traces.table import TraceData


def read(found: Found) -> TraceData:
    """Read a trace.

    Parameters
    ----------
    found : Found
        Its format and files.

    Returns
    -------
    TraceData
        The trace in the internal form.

    Raises
    ------
    odonata.errors.TraceError
        If a file is cut short, damaged or of another kind.
    """
    columns, about = native.read_trace(found.kind, found.files)
    columns = dict(columns)
    notes = list(_notes(about))
    if found.kind in {"goal", "goal-binary"} and _separate_collectives(columns):
        notes.append(
            "messages with tags from 1000000 on are those of collectives that Schedgen wrote out: "
            "receives with any tag do not take them"
        )
    return TraceData(
        columns=columns,
        unsupported=about["unsupported"],
        notes=tuple(notes),
        places=about["places"],
        origin={**about["origin"], "name": found.name},
    )


FIRST_COLLECTIVE_TAG = 1_000_000
"""Schedgen gives the messages of the collectives that it writes out tags from here on."""


def _separate_collectives(columns: dict[str, np.ndarray]) -> bool:
    """Give messages of written-out collectives a communicator, if receives would mix them up."""
    tag = columns["tag"]
    has_any_tag = np.isin(columns["op"], sorted(RECEIVES)) & (tag == -1)
    if not has_any_tag.any() or not (tag >= FIRST_COLLECTIVE_TAG).any():
        return False
    columns["comm"] = (tag >= FIRST_COLLECTIVE_TAG).astype(columns["comm"].dtype)
    members, offsets = columns["comm_members"], columns["comm_offsets"]
    columns["comm_members"] = np.concatenate([members, members])
    columns["comm_offsets"] = np.append(offsets, offsets[-1] * 2).astype(offsets.dtype)
    return True


def _notes(about: Mapping[str, Any]) -> Iterator[str]:
    local: Mapping[str, int] = about["local_calls"]
    if local:
        names = ", ".join(f"{name} ({count})" for name, count in local.items())
        yield f"calls that are not replayed because they move no data of the program: {names}"
    yield from about["remarks"]
    for hint, count in about["hints"].items():
        yield f"{count} {hint}"
