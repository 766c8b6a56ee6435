"""Tables of a scenario as Python objects; what they may hold is said by the scenario's schema.

Every class is made from the schema, which is made from the simulator's registry: there is no second
list of names. Editors read the stubs beside these modules, which are made from it as well.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast, dataclass_transform

from odonata.core.errors import ScenarioError, suggestion
from odonata.scenario.schema import schema
from odonata.scenario.text import inline

Node = Mapping[str, Any]
"""Part of the schema."""


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Table:
    """A table of a scenario: keys that are not given have the simulator's defaults.

    Parameters
    ----------
    **values
        By key; a key that is a word of Python has an underscore behind it. What is ``None`` is
        left out.

    Raises
    ------
    ScenarioError
        There is no such key.
    """

    __slots__ = ("_values",)
    KNOWN: ClassVar[Mapping[str, Node]] = {}
    """Keys and what the schema says of each."""
    FIXED: ClassVar[Mapping[str, str]] = {}
    """The key that names the member of a family, and its name."""
    BELOW: ClassVar[Mapping[str, tuple[type[Table], ...]]] = {}
    """Classes of values that are tables, by key."""

    def __init__(self, **values: object) -> None:
        plain = {name.removesuffix("_"): value for name, value in values.items()}
        for name in plain:
            if name not in self.KNOWN:
                remedy = suggestion(name, self.KNOWN) or " It has none; leave this out."
                raise ScenarioError(f"{type(self).__name__}: unknown key `{name}`.{remedy}")
        self._values = {name: value for name, value in plain.items() if value is not None}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any value of a scenario
        """Value of a key; ``None`` if it is not given."""
        key = name.removesuffix("_")
        if name.startswith("__") or key not in self.KNOWN:
            near = suggestion(key, self.KNOWN)
            raise AttributeError(f"{type(self).__name__} has no `{name}`.{near}")
        return self._values.get(key)

    def __dir__(self) -> list[str]:
        """Keys and methods."""
        return [*super().__dir__(), *map(spelled, self.KNOWN)]

    def __eq__(self, other: object) -> bool:
        """Whether both are written the same."""
        return isinstance(other, Table) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        """By what is written."""
        return hash(inline(self.to_dict()))

    def __repr__(self) -> str:
        """As it is made."""
        given = ", ".join(f"{spelled(name)}={value!r}" for name, value in self._values.items())
        return f"{type(self).__name__}({given})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'><code>{escape(name)}</code></td>"
            f"<td style='text-align:left'><code>{escape(inline(value))}</code></td></tr>"
            for name, value in self.to_dict().items()
        )
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"

    if TYPE_CHECKING:
        # In every class it takes what the making of the class takes, and gives one of them.
        replace: ClassVar[Callable[..., Any]]
    else:

        def replace(self, **changes: object) -> Self:
            """The same with other values; ``None`` takes a value away.

            Parameters
            ----------
            **changes
                By key, as for the class.

            Returns
            -------
            Table
                A copy of the same class; this one stays.

            Raises
            ------
            ScenarioError
                There is no such key.
            """
            new = {name.removesuffix("_"): value for name, value in changes.items()}
            return self._again({**self._values, **new})

    def _again(self, values: Mapping[str, object]) -> Self:
        return type(self)(**{spelled(name): value for name, value in values.items()})

    def to_dict(self) -> dict[str, Any]:
        """As nested dictionaries, as a scenario file holds them.

        Returns
        -------
        dict
            Plain values, tables and lists only.
        """
        return {**self.FIXED, **{name: plain(value) for name, value in self._values.items()}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The table that a scenario file holds; tables in it become objects, too.

        Parameters
        ----------
        data : mapping
            By key, as a scenario file spells them.

        Returns
        -------
        Table
            Of this class.

        Raises
        ------
        ScenarioError
            There is no such key.
        """
        given = {name: value for name, value in data.items() if name not in cls.FIXED}
        return cls(**{
            spelled(name): cls._value(name, value) for name, value in given.items()
        })  # fmt: skip

    @classmethod
    def _value(cls, name: str, value: Any) -> Any:  # noqa: ANN401 - any value of a scenario
        kinds = cls.BELOW.get(name, ())
        if isinstance(value, Mapping):
            fitting = next((kind for kind in kinds if kind.holds(value)), None)
            return fitting.from_dict(value) if fitting else dict(value)
        if isinstance(value, list):
            return [cls._value(name, one) for one in value]
        return value

    @classmethod
    def holds(cls, data: Mapping[str, Any]) -> bool:
        """Whether a table of a file is one of this class.

        Parameters
        ----------
        data : mapping
            By key, as a scenario file spells them.

        Returns
        -------
        bool
            True if its kind is that of the class, and the class knows all its keys.
        """
        return all(data.get(key) == name for key, name in cls.FIXED.items()) and all(
            name in cls.KNOWN or name in cls.FIXED for name in data
        )


def unknown(
    kinds: Sequence[type[Table]],
    data: Any,  # noqa: ANN401 - any value of a scenario
    key: Sequence[str | int],
) -> str | None:
    """What is wrong with the names on the way to a value; None if they are known.

    Parameters
    ----------
    kinds : sequence of type
        Classes of the table at the beginning.
    data : mapping
        That table, plain, with the value in it.
    key : sequence of str or int
        Its path.
    """
    for part in key:
        if isinstance(data, list):
            data = data[int(part)]
            continue
        fitting = [kind for kind in kinds if all(data.get(k) == n for k, n in kind.FIXED.items())]
        fitting = [kind for kind in fitting if kind.FIXED] or fitting
        tags = {name: kind.FIXED[name] for kind in kinds for name in kind.FIXED}
        members = [kind.FIXED[str(part)] for kind in kinds if part in kind.FIXED]
        if part in tags and data[part] not in members:
            return f"`{data[part]}` is not known.{suggestion(str(data[part]), members)}"
        if not fitting:  # of a shape that the schema leaves open, or of a member that is not known
            return None
        known = [name for kind in fitting for name in (*kind.FIXED, *kind.KNOWN)]
        if part not in known:
            return f"unknown key.{suggestion(str(part), dict.fromkeys(known))}"
        kinds = [below for kind in fitting for below in kind.BELOW.get(str(part), ())]
        data = data[part]
    return None


def plain(value: Any) -> Any:  # noqa: ANN401 - any value of a scenario
    """A value without objects of this room."""
    if isinstance(value, Table):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(one) for one in value]
    return value


def spelled(key: str) -> str:
    """A key as a name in Python.

    Examples
    --------
    >>> spelled("class"), spelled("seed")
    ('class_', 'seed')
    """
    return f"{key}_" if keyword.iskeyword(key) else key


def class_name(member: str) -> str:
    """Name of the class of a member of a family.

    Examples
    --------
    >>> class_name("halo3d"), class_name("ugal-group"), class_name("small_class")
    ('Halo3d', 'UgalGroup', 'SmallClass')
    """
    words = member.replace("_", "-").split("-")
    return spelled("".join(word[:1].upper() + word[1:] for word in words))


def objects(node: Node) -> Iterator[Node]:
    """Tables among the alternatives of a part of the schema."""
    for choice in node.get("anyOf", node.get("oneOf", [node])):
        if "oneOf" in choice or "anyOf" in choice:
            yield from objects(choice)
        elif "properties" in choice:
            yield choice


def tag_of(node: Node) -> tuple[str, str] | None:
    """The key that names a member of a family, and the name."""
    return next(
        ((key, one["const"]) for key, one in node["properties"].items()
         if isinstance(one.get("const"), str)),
        None,
    )  # fmt: skip


@lru_cache(maxsize=1)
def top() -> Node:
    """The schema of a scenario, with every definition where it is referred to."""
    whole = schema()

    def filled(part: Any) -> Any:  # noqa: ANN401 - any part of the schema
        if isinstance(part, list):
            return [filled(one) for one in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return filled(whole["$defs"][part["$ref"].rpartition("/")[2]])
        return {key: filled(one) for key, one in part.items()}

    return cast("Node", filled(whole))


def made(
    name: str, node: Node, base: type[Table], below: Mapping[str, Any], *, module: str
) -> type[Table]:
    """A class of a table.

    Parameters
    ----------
    name : str
        Of the class.
    node : Node
        What the schema says of the table.
    base : type
        What it derives from.
    below : mapping
        Classes of values that are tables, by key.
    module : str
        The module of this package that gives the class when asked for `name`: pickle looks for
        it there.
    """
    tag = tag_of(node)
    known = {key: one for key, one in node["properties"].items() if not tag or key != tag[0]}
    return type(name, (base,), {
        "__slots__": (),
        "__doc__": node.get("description", ""),
        "__module__": f"odonata.scenario.build.{module}",
        "KNOWN": known,
        "FIXED": dict([tag]) if tag else {},
        "BELOW": dict(below),
    })  # fmt: skip
