"""Everything a scenario can name, to look at in Python: ``odonata.registry``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape

import polars as pl

from odonata.core.errors import Error, suggestion
from odonata.scenario import registry as families
from odonata.scenario.backgrounds import Background, backgrounds
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.presets import Preset, presets

Named = families.Entry | Preset | Background | Field
"""What there is a name for."""


class UnknownNameError(Error, KeyError, AttributeError):
    """Nothing has that name."""

    __str__ = Exception.__str__  # not that of KeyError, which puts it into quotes


class Shelf(Mapping[str, Named]):
    """What there is of one kind, by name.

    Parameters
    ----------
    kind : str
        Such as ``routings``.
    found : mapping
        Its members.
    """

    def __init__(self, kind: str, found: Mapping[str, Named]) -> None:
        self._kind = kind
        self._found = found

    def __getitem__(self, name: str) -> Named:
        """A member.

        Raises
        ------
        UnknownNameError
            There is none of that name.
        """
        if name not in self._found:
            near = suggestion(str(name), self._found)
            raise UnknownNameError(f"there is no `{name}` among {self._kind}.{near}")
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """Names, in the order of listings."""
        return iter(self._found)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._found)

    def __repr__(self) -> str:
        """Their names."""
        return f"{self._kind}: {', '.join(self._found)}"

    @property
    def frame(self) -> pl.DataFrame:
        """Names with a line about each."""
        return pl.DataFrame(
            {"name": list(self), "summary": [_summary(one) for one in self.values()]}
        )

    def parameters(self, name: str) -> pl.DataFrame:
        """What may be set of a member: ``name``, ``is``, ``default``, ``meaning``, ``source``.

        Raises
        ------
        UnknownNameError
            There is none of that name.
        """
        entry = self[name]
        fields = entry.parameters if isinstance(entry, families.Entry) else ()
        rows = [_row(field) for field in fields]
        columns = ("name", "is", "default", "meaning", "source")
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'><code>{escape(name)}</code></td>"
            f"<td style='text-align:left'>{escape(_summary(one))}</td></tr>"
            for name, one in self.items()
        )
        return f"<table><caption>{escape(self._kind)}</caption>{rows}</table>"


def _summary(one: Named) -> str:
    return one.doc if isinstance(one, Field) else one.summary


def _row(field: Field) -> dict[str, str]:
    default = "(required)" if field.default is REQUIRED else field.written(field.default)
    return {
        "name": field.name,
        "is": " | ".join(field.choices) if field.choices else field.kind,
        "default": "" if default is None else str(default),
        "meaning": field.doc,
        "source": field.source,
    }


_KINDS: dict[str, Callable[[], Mapping[str, Named]]] = {
    "systems": presets,
    **{name: partial(families.family, name) for name in families.FAMILIES},
    "backgrounds": backgrounds,
    "mpi": lambda: {field.name: field for field in families.mpi_parameters()},
}


class Registry(Mapping[str, Shelf]):
    """All kinds: ``odonata.registry.routings["par"]``."""

    def __getitem__(self, kind: str) -> Shelf:
        """What there is of a kind.

        Raises
        ------
        UnknownNameError
            There is no such kind.
        """
        if kind not in _KINDS:
            raise UnknownNameError(f"there is no kind `{kind}`.{suggestion(str(kind), _KINDS)}")
        return Shelf(kind, _KINDS[kind]())

    def __getattr__(self, kind: str) -> Shelf:
        """The same, as an attribute."""
        if kind.startswith("_"):
            raise AttributeError(kind)
        return self[kind]

    def __dir__(self) -> list[str]:
        """Kinds and methods."""
        return [*super().__dir__(), *_KINDS]

    def __iter__(self) -> Iterator[str]:
        """Kinds."""
        return iter(_KINDS)

    def __len__(self) -> int:
        """How many kinds there are."""
        return len(_KINDS)

    def __repr__(self) -> str:
        """Kinds."""
        return f"Registry({', '.join(_KINDS)})"


registry = Registry()
"""Of this version."""
