"""Classes of routings, one per member of the registry; editors read ``routings.pyi``."""

from __future__ import annotations

import warnings

from odonata.core.errors import suggestion
from odonata.scenario import registry
from odonata.scenario.build import families
from odonata.scenario.build.table import class_name

_FAMILY = "routings"


def __getattr__(name: str) -> type[families.Table]:
    """A class, made from the registry; a name of earlier versions gives that of today."""
    found = families.members(_FAMILY)
    for entry in registry.family(_FAMILY).values():
        if entry.former_name and name == class_name(entry.former_name):
            today = class_name(entry.name)
            message = f"routings.{name} is called {today} now; the old name goes in 0.4.0"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return found[today]
    if name not in found:
        near = suggestion(name, found) if not name.startswith("_") else ""
        raise AttributeError(f"there is no `{name}` among {_FAMILY}.{near}")
    return found[name]


def __dir__() -> list[str]:
    return list(families.members(_FAMILY))
