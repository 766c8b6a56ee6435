"""Simulated counters as files of the tools that read real ones.

What is written is read back by :mod:`odonata.measured` and by the tools of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from odonata.core.errors import RunError, suggestion
from odonata.output.exports import ariesncl, cassini, ldms
from odonata.output.exports.observer import Seen, seen
from odonata.results import Result

FORMATS: dict[str, tuple[str, Callable[[Seen], Iterator[tuple[str, bytes]]]]] = {
    "aries-ncl": ("AriesNCL since 2018: binary counters by step, names and times", ariesncl.binary),
    "aries-ncl-text": ("AriesNCL until 2017: tiles as text", ariesncl.text),
    "ldms": ("LDMS, store_csv: readings of routers and NICs", ldms.files),
    "cassini": ("telemetry of Cassini NICs, as `grep -r . telemetry` prints it", cassini.files),
}
"""What a file can be like: a summary, and what makes files of what is seen."""


def export(
    result: Result, form: str, out: str | Path, *, job: str | None = None, everything: bool = False
) -> list[Path]:
    """Write the counters of a run as files of another tool.

    Parameters
    ----------
    result : Result
        A run with ``telemetry.counters = true``.
    form : str
        A key of :data:`FORMATS`.
    out : str or pathlib.Path
        Folder; new, or empty.
    job : str, optional
        Whose ranks read the counters: those of the routers and NICs that it is on. By default the
        first victim, or the first job without one.
    everything : bool
        All routers and NICs that the run has counters of, whoever is on them.

    Returns
    -------
    list of pathlib.Path
        The files, in the order they were written.

    Raises
    ------
    RunError
        The run has no counters of the kind, the job or the form is unknown, or the folder holds
        something.
    """
    if form not in FORMATS:
        raise RunError(f"there is no form `{form}` of exports.{suggestion(form, FORMATS)}")
    out = Path(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out}: there is something already; name a new or an empty folder.")
    found = seen(result, job, everything=everything)
    written = []
    for name, data in FORMATS[form][1](found):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        written.append(path)
    return written
