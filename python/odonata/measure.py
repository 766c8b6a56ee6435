"""Measuring on real machines: the public name of :mod:`odonata.measured.measure`."""

from __future__ import annotations

from odonata.measured.measure import *  # noqa: F403 - the names that the module offers
from odonata.measured.measure import __all__  # noqa: F401 - as it says
