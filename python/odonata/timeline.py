"""The timeline of a run: the public name of :mod:`odonata.output.timeline`."""

from __future__ import annotations

from odonata.output.timeline import *  # noqa: F403 - the names that the module offers
from odonata.output.timeline import __all__  # noqa: F401 - as it says
