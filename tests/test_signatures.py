"""Arguments of the hot loop have names: no function packs several of them into a tuple."""

from __future__ import annotations

import re

import pytest

CRATES = ("endpoint", "engine", "interpose", "mpi", "network", "policy", "registry", "routing",
          "telemetry", "units", "workload")  # fmt: skip
"""Crates whose functions take no tuples."""

_FUNCTION = re.compile(r"\bfn (\w+)")
_TUPLE = re.compile(r":\s*(&\s*)?('\w+\s*)?(mut\s+)?\((?!\s*\))")


def tuple_parameters(source: str) -> list[str]:
    """Functions of Rust code that have a parameter of a tuple type.

    Parameters
    ----------
    source : str
        Text of a file; tests at its end are left out.

    Returns
    -------
    list of str
        Names of these functions, in order.
    """
    code = re.sub(r"//[^\n]*", "", source.split("#[cfg(test)]\nmod tests", maxsplit=1)[0])
    found = []
    for match in _FUNCTION.finditer(code):
        start = match.end()
        if code[start] == "<":
            start = _closing(code, start, "<", ">")
        if code[start] == "(":
            end = _closing(code, start, "(", ")")
            if any(_TUPLE.search(part) for part in _parts(code[start + 1 : end - 1])):
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


@pytest.mark.parametrize("crate", CRATES)
def test_no_function_takes_a_tuple(repository, crate):
    folder = repository / "crates" / crate / "src"
    found = {
        str(path.relative_to(folder)): names
        for path in sorted(folder.rglob("*.rs"))
        if (names := tuple_parameters(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("signature", "is_found"),
    [
        ("fn a((x, y): (u32, u32)) {}", True),
        ("fn a<T: Fn(u8) -> u8>(&self, at: &mut (u32, T)) {}", True),
        ("fn a(&self, unit: (), each: impl FnMut(u8, &T)) -> (u32, u32) {}", False),
        ("fn a(all: &[(u32, u32)], next: Option<(u8, u8)>) {}", False),
    ],
)
def test_tuples_are_found(signature, is_found):
    assert tuple_parameters(signature) == (["a"] if is_found else [])
