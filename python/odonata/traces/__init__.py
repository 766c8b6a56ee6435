"""Readers of application traces.

What this room does not know: systems, routing, results. A reader turns a file into
:class:`TraceData`; the simulator replays its columns.
"""

from __future__ import annotations

from pathlib import Path

from odonata.errors import TraceError
from odonata.traces.operations import Columns, Operation
from odonata.traces.table import TraceData

__all__ = ["FORMATS", "Columns", "Operation", "TraceData", "read"]

FORMATS = {
    "otf2": "Open Trace Format 2 (Score-P): an anchor file `*.otf2`, or its folder",
    "npz": "compact form that `odonata trace convert` writes: a file `*.npz`",
}
"""What :func:`read` understands, by name."""


def read(path: Path) -> TraceData:
    """Read a trace of any known format.

    Parameters
    ----------
    path : pathlib.Path
        A file or a folder, see :data:`FORMATS`.

    Returns
    -------
    TraceData
        The trace in the internal form.

    Raises
    ------
    odonata.errors.TraceError
        If there is nothing there, or nothing that can be read.
    """
    path = Path(path)
    if path.suffix == ".npz":
        from odonata.traces import store  # noqa: PLC0415 - only the reader that is needed

        return store.load(path)
    if path.is_dir() or path.suffix == ".otf2" or not path.exists():
        from odonata.traces import otf2  # noqa: PLC0415 - only the reader that is needed

        return otf2.read(path)
    known = "; ".join(FORMATS.values())
    message = f"trace {path}: its kind is not known; known are: {known}"
    raise TraceError(message)
