"""The interactive view of a run: the public name of :mod:`odonata.output.view`."""

from __future__ import annotations

from odonata.output.view import *  # noqa: F403 - the names that the module offers
from odonata.output.view import __all__  # noqa: F401 - as it says
