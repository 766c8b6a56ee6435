"""Odonata: a packet-level simulator of dragonfly networks.

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

from odonata import asked, build
from odonata.errors import Error, RunError, ScenarioError, TraceError
from odonata.experiment import run
from odonata.native import VERSION
from odonata.results import JobResult, Result, Sweep, load
from odonata.scenario import Scenario
from odonata.scenario.shelf import registry
from odonata.tables import query

__version__ = VERSION


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
]
