"""Fuzz target of the scenario parser: ``python fuzz/scenario_fuzz.py fuzz/corpus/scenario``.

Whatever the text, it is read or refused with a ``ScenarioError``; anything else is a fault.
Needs ``pip install odonata[fuzz]``.
"""

from __future__ import annotations

import contextlib
import sys

import atheris

with atheris.instrument_imports(include=["odonata.scenario", "odonata.core.quantities"]):
    from odonata.errors import ScenarioError
    from odonata.scenario import Scenario
    from odonata.scenario.text import to_toml


def read(data: bytes) -> None:
    """Read a scenario; what is read must survive being written."""
    text = data.decode("utf-8", errors="replace")
    with contextlib.suppress(ScenarioError):
        for point in Scenario.from_text(text).points[:3]:
            again = Scenario.from_text(to_toml(point.resolved)).points[0]
            if again.config != point.config:
                raise AssertionError("the resolved scenario means something else")


if __name__ == "__main__":
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
