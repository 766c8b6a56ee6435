"""Which file of a crate uses which other: read from paths, not compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

Module = tuple[str, ...]

TESTS = re.compile(r"^#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*mod \w+ \{.*", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"//.*")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
DECLARED = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?mod (\w+);", re.MULTILINE)
IMPORT = re.compile(r"\buse ([^;]+);")
HANDED_ON = re.compile(r"\bpub(?:\([^)]*\))? use [^;]+;")
PATH = re.compile(r"(?<![\w:])((?:crate|self|super|\w+)(?:::\w+)+)")


@dataclass
class File:
    """A module in a file of its own."""

    text: str
    children: set[str]
    # Names that it imports, and where from.
    imports: dict[str, list[str]] = field(default_factory=dict)


def leaves(tree: str) -> list[list[str]]:
    """Paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    head, brace, rest = tree.partition("{")
    if not brace:
        path = re.sub(r"\s+as\s+\w+", "", tree).strip()
        return [path.split("::")] if path else []
    prefix = [part for part in head.strip().split("::") if part]
    parts, depth, start = [], 0, 0
    inner = rest[: rest.rindex("}")]
    for at, letter in enumerate(inner):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(inner[start:at])
            start = at + 1
    parts.append(inner[start:])
    return [prefix + leaf for part in parts for leaf in leaves(part.strip())]


def read(folder: Path) -> dict[Module, File]:
    """The modules of a crate whose sources are in `folder`."""
    modules = {}
    for path in sorted(folder.rglob("*.rs")):
        name = path.relative_to(folder).with_suffix("").parts
        text = TEXT.sub('""', COMMENT.sub("", TESTS.sub("", path.read_text("utf-8"))))
        modules[() if name == ("lib",) else name] = File(text, set(DECLARED.findall(text)))
    for module in modules.values():
        for tree in IMPORT.findall(module.text):
            for leaf in leaves(tree):
                module.imports[leaf[-1]] = leaf
    return modules


def resolve(modules: dict[Module, File], start: Module, path: list[str]) -> Module | None:
    """The file that defines what `path` means in the file `start`; `None` if it is no module's."""
    first, rest = path[0], list(path)
    at = start
    if first == "crate":
        at, rest = (), rest[1:]
    elif first in {"self", "super"}:
        while rest and rest[0] in {"self", "super"}:
            at = at[:-1] if rest.pop(0) == "super" else at
    elif first not in modules[start].children:
        return None
    while rest and (*at, rest[0]) in modules:
        at = (*at, rest.pop(0))
    if at not in modules:
        return None
    # What a file only hands on belongs to the file that has it.
    again = modules[at].imports.get(rest[0]) if rest else None
    found = resolve(modules, at, again) if again and again != path else None
    return at if found is None else found


def uses(folder: Path) -> dict[Module, set[Module]]:
    """For each file of a crate: the other files that it names something of.

    What a file merely hands on (`pub use`) it does not use.
    """
    modules = read(folder)
    edges = {}
    for name, module in modules.items():
        text = HANDED_ON.sub("", module.text)
        paths = [leaf for tree in IMPORT.findall(text) for leaf in leaves(tree)]
        paths += [path.split("::") for path in PATH.findall(IMPORT.sub("", text))]
        found = {resolve(modules, name, path) for path in paths}
        edges[name] = {target for target in found if target is not None} - {name}
    return edges


def circles(edges: dict[Module, set[Module]]) -> list[list[str]]:
    """Sets of files that use each other in a circle, by name."""
    reach = edges
    for _ in edges:
        reach = {
            name: targets.union(*(reach[target] for target in targets))
            for name, targets in reach.items()
        }
    found = {
        tuple(sorted(other for other in reach if other in reach[name] and name in reach[other]))
        for name in reach
        if name in reach[name]
    }
    return sorted(["/".join(name) or "lib" for name in circle] for circle in found)
