"""Names of a package that are loaded when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping


def lazily(places: Mapping[str, str]) -> Callable[[str], object]:
    """A ``__getattr__`` for a package that offers names from several modules.

    A process that needs one of them does not load the modules of the others.

    Parameters
    ----------
    places : mapping
        Module in which each name is defined.

    Returns
    -------
    callable
        Gives the value of a name.

    Examples
    --------
    >>> lazily({"sqrt": "math"})("sqrt")(9)
    3.0
    """

    def get(name: str) -> object:
        if name not in places:
            raise AttributeError(f"there is no {name!r}; valid: {', '.join(sorted(places))}")
        found: object = getattr(importlib.import_module(places[name]), name)
        return found

    return get
