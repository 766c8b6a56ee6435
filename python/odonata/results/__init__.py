"""Results of runs: in memory, and as files of one run, of a sweep, or of many runs packed together.

Examples
--------
>>> from odonata import results
>>> results.JobResult({"name": "halo", "slowdown": 1.5}).slowdown
1.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from odonata.core.lazy import lazily

if TYPE_CHECKING:
    from odonata.results.run import JobResult, Result
    from odonata.results.summaries import SUMMARY
    from odonata.results.sweep import (
        BASELINE,
        DIAGNOSIS,
        INDEX,
        RESOLVED,
        Runs,
        Sweep,
        damage_told,
        damaged,
        index_bytes,
        load,
        load_run,
        release,
        write_files,
    )

__all__ = [
    "BASELINE", "DIAGNOSIS", "INDEX", "RESOLVED", "SUMMARY", "JobResult", "Result",
    "Runs", "Sweep", "damage_told", "damaged", "index_bytes", "load",
    "load_run", "release", "write_files",
]  # fmt: skip

_ELSEWHERE = {
    "JobResult": "odonata.results.run",
    "Result": "odonata.results.run",
    "SUMMARY": "odonata.results.summaries",
}

if not TYPE_CHECKING:
    __getattr__ = lazily({name: _ELSEWHERE.get(name, "odonata.results.sweep") for name in __all__})
