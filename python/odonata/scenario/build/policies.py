"""Classes of policies, one per member of the registry; editors read ``policies.pyi``."""

from __future__ import annotations

from odonata.core.errors import suggestion
from odonata.scenario.build import families

_FAMILY = "policies"


def __getattr__(name: str) -> type[families.Table]:
    """A class, made from the registry."""
    found = families.members(_FAMILY)
    if name not in found:
        near = suggestion(name, found) if not name.startswith("_") else ""
        raise AttributeError(f"there is no `{name}` among {_FAMILY}.{near}")
    return found[name]


def __dir__() -> list[str]:
    return list(families.members(_FAMILY))
