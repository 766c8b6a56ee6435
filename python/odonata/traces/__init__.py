"""Readers of application traces.

What this room does not know: systems, routing, results. A reader turns a file into
:class:`TraceData`; the simulator replays its columns.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from odonata.core.errors import TraceError
from odonata.traces import archives, formats, noise, profile, program
from odonata.traces.calls import is_creation
from odonata.traces.formats import FORMATS
from odonata.traces.operations import Columns, Operation
from odonata.traces.table import TraceData

__all__ = [
    "FORMATS", "Columns", "Operation", "TraceData", "noise", "profile", "program", "read",
]  # fmt: skip


def read(path: Path) -> TraceData:
    """Read a trace of any known format; its content says which it is.

    Parameters
    ----------
    path : pathlib.Path
        A file, a folder or an archive (`.tar.gz`, `.tar.xz`, `.zip`, ...), see :data:`FORMATS`.

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
    if not archives.is_archive(path):
        return _settled(_read(path, path))
    with archives.unpacked(path) as folder:
        try:
            return _settled(_read(folder, path))
        except TraceError as error:
            words = str(error).replace(f"trace {folder}/", f"trace {path}: ")
            raise TraceError(words.replace(str(folder), str(path))) from None


_UNKNOWN = "operation on a communicator of unknown members"
"""What readers of calls count where they cannot tell what a communicator has become."""


def _settled(data: TraceData) -> TraceData:
    """Calls that make communicators are no omission: what is sent on these is replayed or counted.

    Of the call itself only the agreement of the ranks is missing, which a note says.
    """
    made = {name: count for name, count in data.unsupported.items() if is_creation(name)}
    if not made or _UNKNOWN in data.unsupported:
        return data
    named = ", ".join(f"{name} ({count})" for name, count in made.items())
    note = f"communicators are taken over; the agreement of the ranks in {named} costs nothing"
    return replace(
        data,
        unsupported={name: n for name, n in data.unsupported.items() if name not in made},
        places={name: place for name, place in data.places.items() if name not in made},
        notes=(*data.notes, note),
    )


_REFUSED = {
    "pytorch": "it is a PyTorch execution trace, which has no times or sizes of communication; "
    "link and convert it with `chakra_trace_link` and `chakra_converter`",
    "liballprof2": "it was written by liballprof2, which does not record the sizes of "
    "datatypes; record with liballprof of LogGOPSim, or with OTF2",
}
"""Why what is recognised cannot be replayed."""


def _nothing(path: Path) -> str:
    """Say what is wrong with a path at which no trace has been found."""
    if not path.exists():
        return "there is no such file or folder; check the path"
    if not path.is_file():
        from odonata.traces import otf2  # noqa: PLC0415

        otf2.find_anchor(path)  # says that there is none
    return formats.UNKNOWN


def _read(path: Path, shown: Path) -> TraceData:
    # Only the reader that is needed is loaded.
    found = formats.find(path) if path.exists() else None
    if found is None:
        raise TraceError(f"trace {shown}: {_nothing(path)}")
    match found.kind:
        case "npz":
            from odonata.traces import store  # noqa: PLC0415

            return store.load(found.files[0])
        case "otf2":
            from odonata.traces import otf2  # noqa: PLC0415

            return otf2.read(found.files[0])
        case "chakra" | "chakra-json":
            from odonata.traces import chakra  # noqa: PLC0415

            return chakra.read(found)
        case "pytorch" | "liballprof2":
            raise TraceError(f"trace {shown}: {_REFUSED[found.kind]}")
        case "table":
            from odonata.traces import tables  # noqa: PLC0415

            return tables.read(found.files[0])
        case _:
            from odonata.traces import compiled  # noqa: PLC0415

            return compiled.read(found)
