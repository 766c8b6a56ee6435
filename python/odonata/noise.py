"""Noise of measured and simulated times: the public name of :mod:`odonata.output.noise`."""

from __future__ import annotations

from odonata.output.noise import *  # noqa: F403 - the names that the module offers
from odonata.output.noise import __all__  # noqa: F401 - as it says
