"""Read the module AutoPerf MPI of a Darshan log and print it as one line of JSON.

A program of its own, see :mod:`odonata.measured.apmpi`; it needs nothing of this package.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

_MODULE = "APMPI"
_MOST_RECORDS = 1 << 20


def main(path: str) -> dict[str, Any]:
    """What is in the log, or ``{"error": ...}``."""
    try:
        import darshan.backend.cffi_backend as library  # noqa: PLC0415 - the one that may lack
    except (ImportError, OSError, RuntimeError):
        return {"error": "missing"}
    try:
        log = library.log_open(path)
        if not log or not log.get("handle"):
            return {"error": "it is not a Darshan log"}
        if _MODULE not in library.log_get_modules(log):
            return {"error": "it has no AutoPerf MPI module"}
        return {"job": _job(library, log), "records": _ranks(library, log)}
    except (RuntimeError, ValueError, KeyError, UnicodeDecodeError, TypeError) as error:
        return {"error": f"it is damaged ({type(error).__name__})"}


def _job(library: Any, log: Any) -> dict[str, Any]:  # noqa: ANN401 - without types
    job = library.log_get_job(log)
    return {"run_time": _finite(job.get("run_time", 0.0)), "exe": str(library.log_get_exe(log))}


def _ranks(library: Any, log: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - without types
    library.log_get_apmpi_record(log, _MODULE, "HEADER", dtype="dict")
    found: list[dict[str, Any]] = []
    while len(found) < _MOST_RECORDS:
        record = library.log_get_apmpi_record(log, _MODULE, "PERF", dtype="dict")
        if record is None:
            break
        counters = {name: _finite(value) for name, value in record["all_counters"].items() if value}
        counters.setdefault("MPI_TOTAL_COMM_TIME", 0.0)
        found.append(
            {"rank": int(record["rank"]), "node": record["node_name"], "counters": counters}
        )
    return found


def _finite(value: Any) -> float:  # noqa: ANN401 - a number of numpy
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(number)
    return number


if __name__ == "__main__":
    sys.stdout.write("\n" + json.dumps(main(sys.argv[1])) + "\n")
