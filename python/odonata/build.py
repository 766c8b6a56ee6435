"""Scenarios as Python objects: the public name of :mod:`odonata.scenario.build`."""

from __future__ import annotations

from odonata.scenario.build import *  # noqa: F403 - the names that the module offers
from odonata.scenario.build import __all__  # noqa: F401 - as it says
