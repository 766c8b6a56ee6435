"""Odonata: a packet-level simulator of dragonfly networks.

Examples
--------
>>> import odonata
>>> result = odonata.run(
...     {
...         "system": {"preset": "dragonfly(2, 4, 2, 9)"},
...         "routing": {"algorithm": "minimal"},
...         "jobs": [{"workload": {"kind": "open-loop", "load": 0.3}}],
...         "measure": {"warm_up": "1 us", "window": "5 us"},
...     }
... )
>>> result.stop
'finished'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from odonata import asked

if TYPE_CHECKING:
    from odonata import build
    from odonata.errors import Error, RunError, ScenarioError, TraceError
    from odonata.experiment import run, run_one, sweep
    from odonata.results import JobResult, Result, Sweep, load
    from odonata.scenario import Scenario
    from odonata.scenario.shelf import registry
    from odonata.tables import query

    __version__: str
else:
    _PLACES = {
        "Error": "errors", "RunError": "errors", "ScenarioError": "errors", "TraceError": "errors",
        "run": "experiment", "run_one": "experiment", "sweep": "experiment",
        "__version__": "native", "JobResult": "results", "Result": "results", "Sweep": "results",
        "load": "results", "Scenario": "scenario", "registry": "scenario.shelf",
        "query": "tables",
    }  # fmt: skip

    def __getattr__(name: str) -> object:
        """What is asked for is loaded then: a process that only simulates needs little of it."""
        if name in _PLACES:
            module = importlib.import_module(f"odonata.{_PLACES[name]}")
            found = getattr(module, "VERSION" if name == "__version__" else name)
        else:
            try:
                found = importlib.import_module(f"odonata.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"odonata.{name}":
                    raise
                raise AttributeError(f"module 'odonata' has no attribute {name!r}") from None
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def _worker() -> asked.Worker:
    """Who draws and writes what is asked of results; pictures take a second to import."""
    from odonata.report.asked import Work  # noqa: PLC0415 - as it says

    return Work()


asked.provided_by(_worker)

__all__ = [
    "Error",
    "JobResult",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sweep",
    "TraceError",
    "__version__",
    "build",
    "load",
    "query",
    "registry",
    "run",
    "run_one",
    "sweep",
]
