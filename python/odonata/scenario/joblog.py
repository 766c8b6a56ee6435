"""Job logs of any form: which one a file has is seen from its content."""

from __future__ import annotations

from pathlib import Path

from odonata.scenario.joblogs import schedulers, source, swf, tables
from odonata.scenario.joblogs.log import JobLog

ENDINGS = (".swf", ".swf.gz", ".swf.xz", ".swf.zip")
"""How the names of logs in the Standard Workload Format end."""

FORMS = {
    "swf": "Standard Workload Format, 18 numbers a line",
    "frontier": "Frontier 2024 and 2025: 21 fields, nodes in field 20",
    **{form.name: form.about for form in tables.FORMS},
    **schedulers.FORMS,
}
"""Each form that is read, and what it is."""


def is_log(path: Path) -> bool:
    """Whether a file is named as logs in the Standard Workload Format are."""
    return path.name.lower().endswith(ENDINGS)


def read(path: Path) -> JobLog:
    """Read a log of any of :data:`FORMS`.

    Parameters
    ----------
    path : pathlib.Path
        As it is or packed (``.gz``, ``.xz``, ``.zip`` with one file).

    Raises
    ------
    odonata.errors.TextError
        It cannot be read or is of no known form: with the line, and what it has there.
    """
    head = source.start(path)
    if head.startswith(b"PAR1"):
        return tables.read_parquet(path)
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").splitlines()
    first = next((line.strip() for line in lines if line.strip() and line[0] != "#"), "")
    if first.startswith(("{", "[")):
        return schedulers.read_json(path)
    if schedulers.ACCOUNT.match(first):
        return schedulers.read_accounts(path)
    if tables.delimiter(first):
        return tables.read_text(path)
    return swf.read(path)
