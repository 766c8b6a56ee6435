"""The report in a folder of results: replaced as one, and nothing else touched."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from odonata.core import files
from odonata.core.errors import RunError
from odonata.results.store import manifest as lists
from odonata.results.store.folder import INCOMING, PARTIAL, merge
from odonata.results.store.lock import uninterrupted
from odonata.results.store.manifest import MANIFEST, REPORT_MANIFEST, Manifest


def put_report(directory: Path, write: Callable[[Path], None]) -> None:
    """Store a report beside the results; an earlier one goes.

    Parameters
    ----------
    directory : pathlib.Path
        Folder of the results.
    write : callable
        Gets an empty folder for the files.

    Raises
    ------
    OSError
        They cannot be written.
    RunError
        Files that are not ours have their names.
    """
    incoming = directory / f"{INCOMING}{secrets.token_hex(8)}"
    incoming.mkdir()
    try:
        files.write_whole(
            incoming / MANIFEST, Manifest("incoming").encoded(), partial=directory / PARTIAL
        )
        write(incoming)
        (incoming / MANIFEST).unlink()
        done = Manifest("report", lists.describe(incoming))
        _refuse_foreign(directory, done)
        with uninterrupted():
            lists.remove_listed(directory, REPORT_MANIFEST)
            # First the list, then the files: what a process that dies has moved is known as ours.
            files.write_whole(
                directory / REPORT_MANIFEST, done.encoded(), partial=directory / PARTIAL
            )
            merge(incoming, directory)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _refuse_foreign(directory: Path, report: Manifest) -> None:
    earlier = lists.read(directory, REPORT_MANIFEST)
    known = earlier.listed if earlier is not None else {}
    strange = [name for name in report.listed if name not in known and (directory / name).exists()]
    if strange:
        raise RunError(
            f"{directory / strange[0]} has a name that the report needs, and was not written by "
            "Odonata; move it away."
        )
