"""Fields of a scenario as data: what a key is called, measures, defaults to, and how it is read."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from odonata.core.errors import suggestion
from odonata.core.quantities import (
    Dimension,
    QuantityError,
    example,
    format_quantity,
    parse_quantity,
    units,
)
from odonata.scenario.document import Document, Key

Kind = Literal[
    "count", "integer", "number", "bytes", "time", "bandwidth", "share", "text", "choice",
    "boolean", "path", "counts", "list", "table",
]  # fmt: skip
"""What a value is. ``count`` is a whole number of at least 0, ``counts`` a list of them."""

REQUIRED: Any = object()
"""Default of a field that must be given."""

_LARGEST_COUNT = 2**32 - 1

_QUANTITIES: dict[str, Dimension] = {
    "bytes": "bytes",
    "time": "time",
    "bandwidth": "bandwidth",
    "share": "share",
}
SUFFIXES = {"bytes": "_bytes", "time": "_ps", "bandwidth": "_bytes_per_s", "share": "_ppm"}
"""Ends of keys in the resolved configuration, by what a value is."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a table.

    Parameters
    ----------
    name : str
        Key in the scenario.
    kind : Kind
        What its value is.
    doc : str
        One line.
    default : object
        Resolved value (base units) if the key is absent; ``None``: left out; ``REQUIRED``.
    choices : tuple of str
        Valid texts.
    minimum : number, optional
        Smallest valid number, in base units.
    maximum : number, optional
        Largest valid number; counts have 2^32 - 1 where nothing else is said.
    length : int, optional
        Most entries of a list.
    sparse : bool
        Whether the resolved configuration leaves it out at its default. So have keys that came
        later: what earlier versions ran keeps its fingerprint.
    source : str
        Where it, or its default, comes from; empty where it is Odonata's own.
    called : str, optional
        Key in the resolved configuration; by default the name, with the unit as its suffix. Empty:
        only the scenario has it.
    several : str
        Key in the resolved configuration of a list of values, where one value has another key.
    rows : tuple of Field, or function
        Keys of a table, or of each table of a list; a function says them of a table's values.
    owner : str
        What messages call each table of a list.
    is_level : bool
        Whether the simulator has the keys of the table on the level of the table's own key.
    """

    name: str
    kind: Kind
    doc: str
    default: Any = REQUIRED
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    length: int | None = None
    sparse: bool = False
    source: str = ""
    called: str | None = None
    several: str = ""
    rows: tuple[Field, ...] | Callable[[Mapping[str, Any]], tuple[Field, ...]] = ()
    owner: str = ""
    is_level: bool = False

    @property
    def dimension(self) -> Dimension | None:
        """What a quantity measures; ``None`` for anything else."""
        return _QUANTITIES.get(self.kind)

    def key_of(self, value: object) -> str:
        """Key of a value in the resolved configuration; empty if it has none."""
        if self.several and isinstance(value, list):
            return self.several
        return self.name + SUFFIXES.get(self.kind, "") if self.called is None else self.called

    def read(self, value: Any, document: Document, key: Key) -> Any:  # noqa: ANN401 - any TOML value
        """Resolved value of ``value``.

        Parameters
        ----------
        value : object
            As written.

        Returns
        -------
        object
            Quantities in base units.

        Raises
        ------
        ScenarioError
            Wrong type, unit or range.
        """
        if self.dimension is not None:
            return self._read_quantity(value, self.dimension, document, key)
        if not self._has_type(value):
            remedy = " Leave the quotes out." if self._has_type(_unquoted(value)) else ""
            raise document.error(key, f"{_shown(value)} is not {self.expected()}.{remedy}")
        for one in value if self.kind == "list" else [value]:
            if self.choices and one not in self.choices:
                raise document.error(
                    key, f"{_shown(one)} is not valid.{suggestion(str(one), self.choices)}"
                )
        self._check_range(value, _shown(value), document, key)
        if self.kind == "path" and not (value == self.default == ""):  # "" may say: no file
            return _path(value, document, key)
        return float(value) if self.kind == "number" else value

    def _read_quantity(
        self,
        value: Any,  # noqa: ANN401 - any TOML value
        dimension: Dimension,
        document: Document,
        key: Key,
    ) -> int:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise document.error(key, f"{_shown(value)} is not {self.expected()}.")
        try:
            amount = parse_quantity(value, dimension)
        except QuantityError as error:
            raise document.error(key, str(error)) from None
        self._check_range(amount, _shown(value), document, key)
        return amount

    def _check_range(self, value: Any, shown: str, document: Document, key: Key) -> None:  # noqa: ANN401
        """Refuse numbers outside the range; of a list, each."""
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str | bool | dict | list):
                continue
            if not math.isfinite(one):
                raise document.error(key, f"{shown} is not finite; write a plain number.")
            if self.minimum is not None and one < self.minimum:
                least = self._shown_bound(self.minimum)
                raise document.error(key, f"{shown} is too small; the smallest is {least}.")
            largest = self.maximum
            if largest is None and self.kind in ("count", "counts"):
                largest = _LARGEST_COUNT
            if largest is not None and not one <= largest:
                most = self._shown_bound(largest)
                raise document.error(key, f"{shown} is too large; the largest is {most}.")

    def _shown_bound(self, bound: float) -> str:
        if self.dimension is not None:
            return format_quantity(int(bound), self.dimension)
        return str(int(bound)) if bound == int(bound) else f"{bound:g}"

    def _has_type(self, value: object) -> bool:
        if self.kind in ("count", "integer"):
            return _is_whole(value) and (self.kind == "integer" or cast("int", value) >= 0)
        if self.kind == "counts":
            return isinstance(value, list) and all(_is_whole(v) and v >= 0 for v in value)
        if self.kind == "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        types = {"boolean": bool, "list": list, "table": dict}
        return isinstance(value, types.get(self.kind, str))

    def expected(self) -> str:
        """What a value must be, in words."""
        if self.dimension is not None:
            return f'{_NOUNS[self.kind]} such as "{example(self.dimension)}"'
        if self.choices:
            of = "a list of" if self.kind == "list" else "one of"
            return f"{of} {', '.join(self.choices)}"
        return _NOUNS[self.kind]

    def written(self, value: Any) -> Any:  # noqa: ANN401 - any TOML value
        """``value`` as it is written in a scenario: quantities as text."""
        if self.dimension is not None and value is not None:
            return format_quantity(value, self.dimension)
        return value

    def json_schema(self) -> dict[str, Any]:
        """JSON Schema of the value."""
        schema: dict[str, Any] = {"description": self.doc}
        if self.dimension is not None:
            names = "|".join(units(self.dimension))
            schema |= {"type": ["string", "integer"], "pattern": f"^[0-9._eE+ -]+({names})$"}
            schema["examples"] = [example(self.dimension)]
        else:
            schema |= _SCHEMAS[self.kind]
        if self.choices and self.kind == "list":
            schema["items"] = {"enum": list(self.choices)}
        elif self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None and "type" in schema and self.dimension is None:
            schema["minimum"] = self.minimum
        if self.maximum is not None and "type" in schema and self.dimension is None:
            schema["maximum"] = self.maximum
        if self.default is not REQUIRED and self.default is not None:
            schema["default"] = self.written(self.default)
        return schema


_NOUNS: dict[str, str] = {
    "count": "a whole number of at least 0",
    "integer": "a whole number",
    "number": "a number",
    "bytes": "a size",
    "time": "a time",
    "bandwidth": "a bandwidth",
    "share": "a share",
    "text": "text in quotes",
    "choice": "text in quotes",
    "boolean": "true or false",
    "path": "a path in quotes",
    "counts": "a list of whole numbers",
    "list": "a list",
    "table": "a table",
}

_SCHEMAS: dict[str, dict[str, Any]] = {
    "count": {"type": "integer", "minimum": 0},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "boolean": {"type": "boolean"},
    "path": {"type": "string"},
    "counts": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "list": {"type": "array"},
    "table": {"type": "object"},
}


def read_table(
    table: object,
    fields: Iterable[Field],
    document: Document,
    key: Key,
    *,
    owner: str,
    also: Sequence[str] = (),
) -> dict[str, Any]:
    """Resolved values of a table, by field name; defaults filled in.

    Parameters
    ----------
    table : object
        As written; must be a table.
    fields : iterable of Field
        What it may hold.
    owner : str
        What the fields belong to, in messages.
    also : sequence of str
        Other valid keys, read by the caller.

    Returns
    -------
    dict
        Fields whose default is ``None`` and that were not given are absent.

    Raises
    ------
    ScenarioError
        Unknown or missing key, wrong value.
    """
    known = {field.name: field for field in fields}
    entries = checked_table(table, (*also, *known), document, key, owner=owner)
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in entries:
            here = (*key, name)
            values[name] = field.read(entries[name], document, here)
            if field.kind == "list" and isinstance(field.rows, tuple) and field.rows:
                values[name] = [
                    read_table(entry, field.rows, document, (*here, index), owner=field.owner)
                    for index, entry in enumerate(values[name])
                ]
        elif field.default is REQUIRED:
            raise document.error(key, f"{owner} needs `{name}` ({field.doc}): {field.expected()}.")
        elif field.default is not None:
            values[name] = field.default
    return values


def checked_table(
    table: object, valid: Iterable[str], document: Document, key: Key, *, owner: str
) -> Mapping[str, Any]:
    """``table`` if it is one and holds only valid keys.

    Parameters
    ----------
    table : object
        As written.
    valid : iterable of str
        Keys it may hold.
    owner : str
        What the keys belong to, in messages.

    Raises
    ------
    ScenarioError
        Not a table, or an unknown key.
    """
    if not isinstance(table, dict):
        raise document.error(key, f"{_shown(table)} is not a table; write [name] or {{ ... }}.")
    names = list(valid)
    for name in table:
        if name not in names:
            remedy = suggestion(name, names) or " It has none; leave this out."
            raise document.error((*key, name), f"unknown key of {owner}.{remedy}")
    return table


def resolved(values: Mapping[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
    """Values of a table as the simulator takes them: keys with units, tables within resolved, too.

    Parameters
    ----------
    values : mapping
        In base units, by field name.
    fields : iterable of Field
        One for each of them.

    Returns
    -------
    dict
        In the order of `values`.

    Examples
    --------
    >>> rows = (Field("wait", "time", "a pause"), Field("note", "text", "words", called=""))
    >>> resolved({"wait": 2000, "note": "as measured"}, rows)
    {'wait_ps': 2000}
    >>> written({"wait": 2000, "note": "as measured"}, rows)
    {'wait': '2 ns', 'note': 'as measured'}
    """
    known = {field.name: field for field in fields}
    found: dict[str, Any] = {}
    for name, value in values.items():
        field, key = known[name], known[name].key_of(value)
        if field.is_level:
            found |= _inside(value, field, resolved)
        elif key and not (field.sparse and value == field.default):
            found[key] = _inside(value, field, resolved)
    return found


def written(values: Mapping[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
    """Values of a table as a scenario writes them: as for :func:`resolved`, quantities as text."""
    known = {field.name: field for field in fields}
    return {
        name: _inside(known[name].written(value), known[name], written)
        for name, value in values.items()
    }


def _inside(
    value: Any,  # noqa: ANN401 - any TOML value
    field: Field,
    form: Callable[[Mapping[str, Any], Iterable[Field]], dict[str, Any]],
) -> Any:  # noqa: ANN401 - any TOML value
    """A value of `field`, with `form` given to the tables in it."""
    if not field.rows:
        return value
    if isinstance(value, list):
        return [_inside(one, field, form) for one in value]
    return form(value, field.rows(value) if callable(field.rows) else field.rows)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _unquoted(value: object) -> object:
    """What stands in the quotes of a text, if that is a value of its own."""
    if not isinstance(value, str):
        return None
    try:
        return tomllib.loads(f"value = {value}").get("value")
    except tomllib.TOMLDecodeError:
        return None


def _path(value: str, document: Document, key: Key) -> str:
    """Absolute path: from the file's folder, or from here if the command line says it."""
    if document.was_set(key):
        return str(Path(value).resolve())
    return str((document.folder / value).resolve())


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return str(value)
