"""Classes of the tables of a scenario; editors read ``tables.pyi``."""

from __future__ import annotations

from odonata.core.errors import suggestion
from odonata.scenario.build import families


def __getattr__(name: str) -> type[families.Table]:
    """A class, made from the schema."""
    found = families.tables()
    if name not in found:
        near = suggestion(name, found) if not name.startswith("_") else ""
        raise AttributeError(f"there is no table `{name}`.{near}")
    return found[name]


def __dir__() -> list[str]:
    return list(families.tables())
