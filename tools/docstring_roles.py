"""Extension of griffe for the documentation site: roles in docstrings become links.

Docstrings name what they speak of as Sphinx does, ``:meth:`read```; MkDocs knows no roles. A name
that has a place on the site becomes a link to it, any other one code.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:py:)?(?:attr|class|const|data|exc|func|meth|mod|obj):`(~?)([\w.]+)`")


def place(name: str, near: griffe.Object) -> str:
    """Full name of what a docstring calls `name`.

    Parameters
    ----------
    name : str
        As it is written: complete, or from the object or what it is in.
    near : griffe.Object
        Whose docstring it is.

    Returns
    -------
    str
        The name with its module; as it is written if nothing there has it.
    """
    here: griffe.Object | None = near
    while here is not None:
        if name.partition(".")[0] in here.members:
            return f"{here.path}.{name}"
        here = here.parent
    return name


def linked(text: str, near: griffe.Object) -> str:
    """A docstring with links in place of roles."""

    def replaced(match: re.Match[str]) -> str:
        shown = match[2].rpartition(".")[2] if match[1] else match[2]
        return (
            f'<autoref identifier="{place(match[2], near)}" optional><code>{shown}</code></autoref>'
        )

    return ROLE.sub(replaced, text)


class Roles(griffe.Extension):
    """Roles of every docstring, as soon as a package is read."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:  # noqa: ANN401 - of griffe
        """Change the docstrings of a package in place."""
        self._change(pkg)

    def _change(self, one: griffe.Object) -> None:
        if one.docstring is not None:
            one.docstring.value = linked(one.docstring.value, one)
        for member in one.members.values():
            if not member.is_alias:
                self._change(member)
