"""A scenario as TOML text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(scenario: Mapping[str, Any]) -> str:
    """Text of a scenario; reading it gives the same data.

    Parameters
    ----------
    scenario : mapping
        Text, numbers, truth values, lists and mappings.

    Returns
    -------
    str
        TOML: tables of scalars in one line, jobs as ``[[jobs]]``.

    Examples
    --------
    >>> print(to_toml({"seed": 1, "stop": {"time": "1 s"}}))
    seed = 1
    <BLANKLINE>
    [stop]
    time = "1 s"
    <BLANKLINE>
    """
    lines: list[str] = []
    _table(scenario, "", lines)
    return "\n".join(lines) + "\n"


def _table(table: Mapping[str, Any], prefix: str, lines: list[str]) -> None:
    later: list[tuple[str, Any]] = []
    for key, value in table.items():
        if (isinstance(value, Mapping) and _depth(value) > 0) or _is_table_array(value):
            later.append((key, value))
        else:
            lines.append(f"{_key(key)} = {inline(value)}")
    for key, value in later:
        path = f"{prefix}.{_key(key)}" if prefix else _key(key)
        if isinstance(value, Mapping):
            lines.extend(["", f"[{path}]"])
            _table(value, path, lines)
        else:
            for entry in value:
                lines.extend(["", f"[[{path}]]"])
                lines.extend(f"{_key(key)} = {inline(value)}" for key, value in entry.items())


def _is_table_array(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _depth(table: Mapping[str, Any]) -> int:
    return 1 + max((_depth(v) for v in table.values() if isinstance(v, Mapping)), default=0)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def inline(value: Any) -> str:  # noqa: ANN401 - any TOML value
    """A value as it stands behind `=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(inline(entry) for entry in value)}]"
    if isinstance(value, Mapping):
        body = ", ".join(f"{_key(key)} = {inline(entry)}" for key, entry in value.items())
        return f"{{ {body} }}" if body else "{}"
    return repr(value)


def _text(text: str) -> str:
    # JSON's escapes are TOML's, but for DEL, which TOML wants escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
