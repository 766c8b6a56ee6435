"""Writes the stubs of the classes for scenarios, which editors read: `python tools/stubs.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from odonata.scenario.build import families
from odonata.scenario.build.table import Node, Table, spelled

FOLDER = Path(families.__file__).parent
_HEAD = '''"""{about}

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

{imports}

'''
_SCALARS = {
    "integer": "int", "number": "float", "string": "str", "boolean": "bool",
    "object": "Mapping[str, Any]",
}  # fmt: skip


def stubs() -> dict[str, str]:
    """Text of every stub, by the name of its file."""
    found = {
        f"{family}.pyi": _family(family, base.__name__) for family, base in families.BASES.items()
    }
    return found | {"tables.pyi": _tables()}


def _family(family: str, base: str) -> str:
    head = _HEAD.format(
        about=f"Classes of {family}.", imports=f"from odonata.scenario.build.families import {base}"
    )
    parts = (_class(name, one, base) for name, one in families.members(family).items())
    return head + "\n".join("\n".join(lines) for lines in parts) + "\n"


def _tables() -> str:
    bases = ", ".join(sorted(base.__name__ for base in families.BASES.values()))
    package = "odonata.scenario.build"
    imports = f"from {package}.families import {bases}\nfrom {package}.table import Table"
    head = _HEAD.format(about="Classes of the tables of a scenario.", imports=imports)
    parts = (_class(name, one, "Table") for name, one in families.tables().items())
    return head + "\n".join("\n".join(lines) for lines in parts) + "\n"


def _class(name: str, one: type[Table], base: str) -> Iterator[str]:
    """A class whose keys are fields: `Table` says that its making takes each of them by name."""
    yield f"class {name}({base}):"
    words = one.__doc__ or name
    yield from _text(words[:1].upper() + words[1:] + ".")
    for key, node in one.KNOWN.items():
        yield f"    {spelled(key)}: {type_of(one, key, node)} | None = ..."
        default = f" (default: {node['default']})" if node.get("default") is not None else ""
        yield from _text(f"{node.get('description', '')}{default}".strip())
    yield f"    replace: ClassVar[type[{name}]]\n"


def _text(words: str) -> Iterator[str]:
    if words:
        escaped = words.replace("\\", "\\\\")
        yield f'    """{escaped}"""'


def type_of(owner: type[Table], key: str, node: Node) -> str:
    """What an editor should take a value for."""
    classes = owner.BELOW.get(key, ())
    names = list(dict.fromkeys(_base(one) for one in classes))
    if names:
        is_list = node.get("type") == "array"
        kinds = [*(f"Sequence[{name}]" if is_list else name for name in names)]
        lists = (one["items"] for one in node.get("anyOf", []) if one.get("type") == "array")
        several = [f"Sequence[{' | '.join([*names, *_choices(one)])}]" for one in lists]
        return " | ".join([*kinds, *_choices(node), *several])
    return _plain(node)


def _base(one: type[Table]) -> str:
    base = one.__mro__[1].__name__
    return one.__name__ if base == "Table" else base


def _choices(node: Node) -> list[str]:
    """Names that stand for a member of a family."""
    choices = (choice for one in node.get("anyOf", []) for choice in one.get("anyOf", [one]))
    named = [name for one in choices for name in one.get("enum", [])]
    return [_literal(named)] if named else []


def _literal(names: list[Any]) -> str:
    return f"Literal[{', '.join(repr(name) for name in names)}]".replace("'", '"')


def _plain(node: Node) -> str:
    if "enum" in node:
        return _literal(node["enum"])
    if "const" in node:
        return _literal([node["const"]])
    if "anyOf" in node:
        return " | ".join(dict.fromkeys(_plain(one) for one in node["anyOf"]))
    kind = node.get("type", "object")
    if isinstance(kind, list):
        return " | ".join(_SCALARS[one] for one in kind if one != "array")
    if kind == "array":
        return f"Sequence[{_plain(node['items'])}]" if "items" in node else "Sequence[Any]"
    return _SCALARS[kind]


if __name__ == "__main__":
    for file, text in stubs().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
