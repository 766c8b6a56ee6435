"""Arguments have names: no function of any crate packs several of them into a tuple."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest

_CRATES = sorted(file.parent for file in Path(__file__).parents[1].glob("crates/*/Cargo.toml"))
_FUNCTION = re.compile(r"\bfn (\w+)")
_ALIAS = re.compile(r"\btype (\w+)(?:<[^=;]*>)? = \((?!\s*\))")
_SHARED = re.compile(r"\bpub(?:\([^)]*\))? type (\w+)(?:<[^=;]*>)? = \((?!\s*\))")
_TUPLE = r":\s*(&\s*)?('\w+\s*)?(mut\s+)?{tuple}"
_CALLED_WITH_ONE = r"\b(Fn|FnMut|FnOnce|fn)\s*\(\s*(&\s*)?{tuple}"
_BODY = re.compile("[{;]")


def tuple_aliases(source: str) -> set[str]:
    """Names that Rust code gives to tuples."""
    return set(_ALIAS.findall(re.sub(r"//[^\n]*", "", source)))


def tuple_parameters(source: str, aliases: Collection[str] = ()) -> list[str]:
    """Functions of Rust code that take a tuple, or a function that takes one.

    Parameters
    ----------
    source : str
        Text of a file.
    aliases : collection of str
        Names of tuples.

    Returns
    -------
    list of str
        Names of these functions, in order.
    """
    code = re.sub(r"//[^\n]*", "", source)
    names = "".join(rf"|(?:\w+::)*{alias}\b" for alias in sorted(aliases))
    tuples = rf"(?:\((?!\s*\)){names})"
    taken = re.compile(_TUPLE.format(tuple=tuples))
    called = re.compile(_CALLED_WITH_ONE.format(tuple=tuples))
    found = []
    for match in _FUNCTION.finditer(code):
        start = match.end()
        if code[start] == "<":
            start = _closing(code, start, "<", ">")
        if code[start] == "(":
            end = _closing(code, start, "(", ")")
            takes_one = any(taken.search(part) for part in _parts(code[start + 1 : end - 1]))
            body = _BODY.search(code, end)
            behind = body.start() if body else len(code)
            if takes_one or called.search(code, match.end(), behind):
                found.append(match[1])
    return found


def _closing(code: str, start: int, opening: str, closing: str) -> int:
    """The position behind the bracket that closes the one at ``start``."""
    depth = 0
    for position in range(start, len(code)):
        if code[position] == opening:
            depth += 1
        elif code[position] == closing and code[position - 1] != "-":
            depth -= 1
            if depth == 0:
                return position + 1
    raise AssertionError("a bracket is not closed")


def _parts(arguments: str) -> list[str]:
    """The parameters of a signature."""
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(arguments):
        if character in "([<{":
            depth += 1
        elif character in ")]}" or (character == ">" and arguments[position - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(arguments[begin:position])
            begin = position + 1
    return [*parts, arguments[begin:]]


@pytest.mark.parametrize("crate", _CRATES, ids=lambda crate: crate.name)
def test_no_function_takes_a_tuple(crate):
    texts = {
        str(path.relative_to(crate)): path.read_text(encoding="utf-8")
        for path in sorted(crate.rglob("*.rs"))
    }
    # In tests a row of a table may have a name.
    is_product = {path: path.startswith("src") and crate.name != "native" for path in texts}
    shared = {name for path, text in texts.items() for name in _SHARED.findall(text)}
    found = {
        path: names
        for path, text in texts.items()
        if (
            names := tuple_parameters(
                text, tuple_aliases(text) | shared if is_product[path] else set()
            )
        )
    }
    assert found == {}


@pytest.mark.parametrize(
    ("signature", "is_found"),
    [
        ("fn a((x, y): (u32, u32)) {}", True),
        ("fn a<T: Fn(u8) -> u8>(&self, at: &mut (u32, T)) {}", True),
        ("fn a(each: impl Fn((u32, u32)) -> u32) {}", True),
        ("fn a<F>(each: F) where F: FnMut(&(u32, u32)) {}", True),
        ("fn a(&self, unit: (), each: impl FnMut(u8, &T)) -> (u32, u32) {}", False),
        ("fn a(all: &[(u32, u32)], next: Option<(u8, u8)>) {}", False),
        ("type End = (u8, u8);\nfn a(to: &wiring::End) {}", True),
        ("type Kept<T> = (T, u8);\nfn a(each: impl Fn(Kept<u8>) -> u32) {}", True),
        ("type End = (u8, u8);\nfn a(ends: &[End], endless: Endless) {}", False),
    ],
)
def test_tuples_are_found(signature, is_found):
    found = tuple_parameters(signature, tuple_aliases(signature))
    assert found == (["a"] if is_found else [])
