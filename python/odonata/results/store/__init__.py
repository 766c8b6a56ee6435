"""Folders of results: nothing is lost, nothing is mixed, whatever ends the process.

What this room does not know: what a run is, and what its files mean.
"""

from __future__ import annotations

from odonata.results.store.folder import Folder, held, settled
from odonata.results.store.manifest import MANIFEST, PARTS, RUNS, Manifest, changed, leaves, read
from odonata.results.store.report import put_report

__all__ = [
    "MANIFEST", "PARTS", "RUNS", "Folder", "Manifest", "changed", "held", "leaves", "put_report",
    "read", "settled",
]  # fmt: skip
