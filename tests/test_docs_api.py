"""Docstrings of the public Python API are complete: parameters, results and errors."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULES = (
    "odonata",
    "odonata.analysis",
    "odonata.build",
    "odonata.errors",
    "odonata.measure",
    "odonata.measured",
    "odonata.noise",
    "odonata.timeline",
    "odonata.traces",
    "odonata.view",
)


def _members(module: str) -> Iterator[tuple[str, Any]]:
    """Functions and classes that a module offers, and what is public in these classes."""
    found = importlib.import_module(module)
    for name in found.__all__:
        value = getattr(found, name)
        if not (inspect.isfunction(value) or inspect.isclass(value)):
            continue
        if not value.__module__.startswith("odonata"):
            continue
        yield f"{module}.{name}", value
        for key, part in vars(value).items() if inspect.isclass(value) else ():
            part = getattr(part, "__func__", part)  # noqa: PLW2901 - of a class or static method
            if not key.startswith("_") and (inspect.isfunction(part) or isinstance(part, property)):
                yield f"{module}.{name}.{key}", part


def _missing(value: Any) -> list[str]:
    text = inspect.getdoc(value) or ""
    if getattr(value, "__name__", "") == "<lambda>":
        return []  # A field's default: the class describes it.
    if not text:
        return ["docstring"]
    if not inspect.isfunction(value):
        return []
    signature = inspect.signature(value)
    names = [name for name in signature.parameters if name not in {"self", "cls"}]
    wanted = {
        "Parameters": bool(names),
        "Returns|Yields": signature.return_annotation not in {None, "None"},
        "Raises": re.search(r"^\s+raise [A-Z]", inspect.getsource(value), re.MULTILINE),
    }
    sections = [
        section
        for section, is_wanted in wanted.items()
        if is_wanted and not re.search(rf"^({section})\n-+$", text, re.MULTILINE)
    ]
    unnamed = [name for name in names if not re.search(rf"(^|\W){name}\W", text)]
    return sections + unnamed


@pytest.mark.parametrize("module", _MODULES)
def test_docstrings_are_complete(module: str) -> None:
    members = list(_members(module))
    assert members
    gaps = {name: missing for name, value in members if (missing := _missing(value))}
    assert not gaps


def test_a_gap_is_found() -> None:
    def halved(value: float) -> float:
        """Half of it."""
        if value < 0:
            raise ValueError
        return value / 2

    assert _missing(halved) == ["Parameters", "Returns|Yields", "Raises", "value"]
