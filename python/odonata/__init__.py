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

from odonata.results import presentation

if TYPE_CHECKING:
    from odonata import build
    from odonata.campaign.experiment import run, run_one, sweep
    from odonata.core.errors import Error, RunError, ScenarioError, TraceError
    from odonata.results import JobResult, Result, Sweep, load
    from odonata.results.queries import query
    from odonata.scenario import Scenario
    from odonata.scenario import joblog as joblog
    from odonata.scenario.shelf import registry

    __version__: str
else:
    _PLACES = {
        "Error": "core.errors", "RunError": "core.errors", "ScenarioError": "core.errors",
        "TraceError": "core.errors", "run": "campaign.experiment",
        "run_one": "campaign.experiment", "sweep": "campaign.experiment", "JobResult": "results",
        "Result": "results", "Sweep": "results", "load": "results", "query": "results.queries",
        "Scenario": "scenario", "registry": "scenario.shelf",
    }  # fmt: skip

    def __getattr__(name: str) -> object:
        """What is asked for is loaded then: a process that only simulates needs little of it."""
        try:
            if name == "__version__":
                from odonata.core.native import VERSION as found  # noqa: N811, PLC0415 - as above
            elif name == "joblog":
                found = importlib.import_module("odonata.scenario.joblog")
            elif name in _PLACES:
                found = getattr(importlib.import_module(f"odonata.{_PLACES[name]}"), name)
            else:
                found = importlib.import_module(f"odonata.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"odonata.{name}":
                raise
            raise AttributeError(f"module 'odonata' has no attribute {name!r}") from None
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def _presenter() -> presentation.Presenter:
    """Who draws and writes what is asked of results; pictures take a second to import."""
    from odonata.output.report import presenter  # noqa: PLC0415 - as it says

    return presenter


presentation.provided_by(_presenter)

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
