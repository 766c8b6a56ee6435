"""Names of a package, and libraries, that are loaded when they are asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType


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


class _Later(ModuleType):
    """Stands for a library until something of it is asked for, and passes on what is asked then."""

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            library = self.__name__.partition(".")[0]
            for there, module in list(sys.modules.items()):
                if isinstance(module, _Later) and there.partition(".")[0] == library:
                    del sys.modules[there]
        return getattr(importlib.import_module(self.__name__), name)


def put_off(*libraries: str) -> None:
    """Let libraries that take long to import wait until something of them is used.

    ``import`` binds a stand-in from then on, in this whole process, so that only a program may ask
    for it and no package: the command line does, for its own process.

    Parameters
    ----------
    libraries : str
        Names, a module of a library behind the library: ``"numpy", "numpy.typing"``.
    """
    for name in libraries:
        if name in sys.modules:
            continue
        later = _Later(name)
        later.__spec__ = ModuleSpec(name, None)  # who looks whether there is such a library
        sys.modules[name] = later
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, later)


def load() -> None:
    """Load what was put off now, before something that it must not hold up."""
    for later in [one for one in sys.modules.values() if isinstance(one, _Later)]:
        _ = later.__file__
