"""Scenarios: TOML text to resolved configurations, one per point of the sweep.

Reading a scenario looks at nothing but its text and the simulator's registry; it never builds a
network.

Examples
--------
>>> from odonata.scenario import Scenario
>>> text = '''
... name = "small"
... [system]
... preset = "dragonfly(2, 4, 2, 9)"
... [routing]
... algorithm = "minimal"
... [[jobs]]
... workload = { kind = "open-loop", pattern = "uniform", load = 0.5, message = "512 B" }
... '''
>>> point = Scenario.from_text(text).points[0]
>>> point.config["system"]["topology"]["groups"]
9
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from odonata.core.lazy import lazily

if TYPE_CHECKING:
    from odonata.scenario.model import Point, Scenario, TraceUse

__all__ = ["Point", "Scenario", "TraceUse"]

if not TYPE_CHECKING:
    __getattr__ = lazily(dict.fromkeys(__all__, "odonata.scenario.model"))
