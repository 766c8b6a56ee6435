"""Classes of routings, one per member of the registry; editors read ``routings.pyi``."""

from __future__ import annotations

import warnings

from odonata.scenario import registry
from odonata.scenario.build import families
from odonata.scenario.build.table import class_name

_class_of, __dir__ = families.classes_of("routings")


def __getattr__(name: str) -> type[families.Table]:
    """A class, made from the registry; a name of earlier versions gives that of today."""
    for entry in registry.family("routings").values():
        if entry.former_name and name == class_name(entry.former_name):
            today = class_name(entry.name)
            message = f"routings.{name} is called {today} now; the old name goes in 0.4.0"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return _class_of(today)
    return _class_of(name)
