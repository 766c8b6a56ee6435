"""A scenario file as data, with the place where every key was written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from odonata.core.errors import ScenarioError, suggestion

Key = tuple[str | int, ...]
"""Path of a value: names of tables and indices of arrays."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WORDS = re.compile(r"[A-Za-z0-9_][\w ().,/+=-]*")


_TAGS = {
    "routing": "algorithm", "alltoall_routing": "algorithm", "policy": "kind", "placement": "kind",
    "congestion": "kind",
}  # fmt: skip
"""Tables that go by a name alone, and the key that the name stands for."""

_DEEPEST = 64
"""Tables inside of each other."""

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}[ \t]*\.[ \t]*){{{_DEEPEST}}}", re.MULTILINE)
_TOO_DEEP = f"tables are nested more than {_DEEPEST} deep; flatten them."
_TOO_LONG = "a whole number is from -2^63 to 2^63 - 1, as in TOML; write one in between."


def dotted(key: Key) -> str:
    """Text of a path.

    Examples
    --------
    >>> dotted(("jobs", 1, "workload", "grid"))
    'jobs[1].workload.grid'
    """
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def split_dotted(text: str) -> Key:
    """Path written as ``jobs.0.workload.path`` or ``jobs[0].workload.path``.

    Returns
    -------
    tuple of str or int
        Its parts; whole numbers are indices.

    Raises
    ------
    ScenarioError
        The text is no path.

    Examples
    --------
    >>> split_dotted("jobs[0].workload.path")
    ('jobs', 0, 'workload', 'path')
    """
    pattern = re.compile(r'\.?(?:"([^"]+)"|\'([^\']+)\'|\[([0-9]{1,9})\]|([^\s.=\[\]"\']+))')
    parts: list[str | int] = []
    position = 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            raise ScenarioError(
                f"`{text}` is not a key; write names and indices with dots between them, such as "
                "jobs.0.workload.iterations."
            )
        name = match[1] or match[2] or match[3] or match[4]
        is_index = match[3] or re.fullmatch("[0-9]{1,9}", match[4] or "")
        parts.append(int(name) if is_index else name)
        position = match.end()
        if len(parts) > _DEEPEST:
            raise ScenarioError(f"`{text[:60]}...`: {_TOO_DEEP}")
    if not parts:
        raise ScenarioError("A key is empty; write, for example, routing.algorithm.")
    return tuple(parts)


@dataclass(slots=True)
class Document:
    """Data of a scenario and where each of it comes from.

    Parameters
    ----------
    data : dict
        Nested tables.
    name : str
        How messages call the file.
    folder : pathlib.Path
        Relative paths in the file start here.
    lines : dict
        Line (from 1) of every key.
    changed : dict
        Keys set after reading, with what set them.
    """

    data: dict[str, Any]
    name: str
    folder: Path
    lines: dict[Key, int] = field(default_factory=dict)
    changed: dict[Key, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, *, name: str, folder: Path) -> Document:
        """Read TOML text.

        Raises
        ------
        ScenarioError
            The text is not TOML.
        """
        text = text.removeprefix("\ufeff")
        try:
            data = _loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            where = f"{name}, line {place[1]}, column {place[2]}" if place else name
            problem = re.sub(r"\s*\(at .*\)$", "", str(error))
            raise ScenarioError(
                f"{where}: the file is not valid TOML: {problem}. Text values need quotes, "
                "tables are [name] or { key = value }."
            ) from None
        except _ExtremeError as error:
            raise ScenarioError(f"{name}: {error}") from None
        return cls(data, name, folder, _Scanner(text).scan())

    def check_values(self) -> None:
        """Refuse tables that are nested too deeply, and whole numbers that TOML has not.

        Raises
        ------
        ScenarioError
            Says where.
        """
        waiting: list[tuple[Key, Any]] = [((), self.data)]
        while waiting:
            key, value = waiting.pop()
            if len(key) > _DEEPEST:
                raise self.error(key[:3], _TOO_DEEP)
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise self.error(key, _TOO_LONG)
            if isinstance(value, dict):
                waiting += [((*key, name), entry) for name, entry in value.items()]
            elif isinstance(value, list):
                waiting += [((*key, index), entry) for index, entry in enumerate(value)]

    def place(self, key: Key) -> str:
        """Where ``key`` was written, for messages."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.changed:
                return self.changed[key[:length]]
        for length in range(len(key), 0, -1):
            if key[:length] in self.lines:
                return f"{self.name}, line {self.lines[key[:length]]}"
        below = [origin for path, origin in self.changed.items() if path[: len(key)] == key]
        return below[0] if below and key else self.name

    def was_set(self, key: Key) -> bool:
        """Whether ``key`` comes from a command line or a sweep and not from the file."""
        return any(key[:length] in self.changed for length in range(1, len(key) + 1))

    def error(self, key: Key, sentence: str) -> ScenarioError:
        """Error about ``key``: file, line, dotted key, sentence."""
        subject = f": `{dotted(key)}`" if key else ""
        return ScenarioError(f"{self.place(key)}{subject}: {sentence}")

    def changed_copy(self, changes: Sequence[tuple[Key, Any, str]]) -> Document:
        """Copy with other values.

        Parameters
        ----------
        changes : sequence of (Key, value, str)
            Path, value, and what sets it.

        Returns
        -------
        Document
            Shares nothing mutable with this one.

        Raises
        ------
        ScenarioError
            A path leads nowhere.
        """
        copy = Document(
            _copied(self.data), self.name, self.folder, dict(self.lines), dict(self.changed)
        )
        for key, value, origin in changes:
            copy._set(key, value, origin)
        return copy

    def _set(self, key: Key, value: Any, origin: str) -> None:  # noqa: ANN401 - any TOML value
        here: Any = self.data
        done: Key = ()
        for index, part in enumerate(key):
            last = index == len(key) - 1
            name = _member(here, part, f"{origin}: `{dotted((*done, part))}`")
            done = (*done, name)
            if last:
                here[name] = _copied(value)
            elif isinstance(here, dict) and not isinstance(here.get(name), dict | list):
                is_short = name in _TAGS and isinstance(here.get(name), str)
                here[name] = {_TAGS[str(name)]: here[name]} if is_short else {}
            here = here[name]
        self.changed[done] = origin


def _member(table: Any, part: str | int, subject: str) -> str | int:  # noqa: ANN401 - any TOML value
    """Key or index under which ``part`` is found in ``table``; jobs also go by their names."""
    if isinstance(table, dict):
        return str(part)
    if not isinstance(table, list):
        raise ScenarioError(f"{subject}: what is before the last dot is a value, not a table.")
    if isinstance(part, int):
        if part < len(table):
            return part
        raise ScenarioError(
            f"{subject}: there is no element {part}; valid: 0 to {len(table) - 1}."
            if table
            else f"{subject}: the array is empty."
        )
    names = [entry.get("name") for entry in table if isinstance(entry, dict)]
    if part in names:
        return names.index(part)
    known = [name for name in names if isinstance(name, str)]
    raise ScenarioError(f"{subject}: no element has this name.{suggestion(part, known)}")


def _copied(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    if isinstance(value, dict):
        return {key: _copied(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_copied(entry) for entry in value]
    return value


def parse_assignment(text: str) -> tuple[Key, Any]:
    """``key=value`` of the command line.

    Parameters
    ----------
    text : str
        The value is TOML; words that are no TOML value are taken as text.

    Raises
    ------
    ScenarioError
        No ``=``, or a value that is neither.

    Examples
    --------
    >>> parse_assignment("routing.algorithm=par"), parse_assignment("seed=3")
    ((('routing', 'algorithm'), 'par'), (('seed',), 3))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ScenarioError(f"--set {text}: write key=value, such as --set routing.algorithm=par.")
    key = split_dotted(name.strip())
    value = value.strip()
    try:
        return key, _loads(f"value = {value}")["value"]
    except _ExtremeError as error:
        raise ScenarioError(f"--set {text[:60]}: {error}") from None
    except tomllib.TOMLDecodeError:
        if _WORDS.fullmatch(value):
            return key, value
        raise ScenarioError(
            f"--set {text}: the value is not valid TOML; text with special characters needs "
            "quotes inside the shell's: --set 'key=\"value\"'."
        ) from None


class _ExtremeError(Exception):
    """TOML that is valid and that nobody means."""


def _loads(text: str) -> dict[str, Any]:
    """Data of TOML text, in a time that grows with its length only."""
    if _LONG_KEY.search(text):
        raise _ExtremeError(_TOO_DEEP)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise _ExtremeError(_TOO_DEEP) from None
    except ValueError:  # more digits than Python converts
        raise _ExtremeError(_TOO_LONG) from None


class _Scanner:
    """Lines of the keys of a text that is known to be valid TOML."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        self._at = 0
        self._line_at = 0
        self._line = 1
        self._lines: dict[Key, int] = {}
        self._counts: dict[Key, int] = {}

    def scan(self) -> dict[Key, int]:
        prefix: Key = ()
        while True:
            self._skip_space(newlines=True)
            if self._at >= len(self._text):
                return self._lines
            if self._text[self._at] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)

    def _current_line(self) -> int:
        self._line += self._text.count("\n", self._line_at, self._at)
        self._line_at = self._at
        return self._line

    def _note(self, key: Key) -> None:
        self._lines.setdefault(key, self._current_line())

    def _skip_space(self, *, newlines: bool) -> None:
        blank = " \t\r\n" if newlines else " \t"
        while self._at < len(self._text):
            letter = self._text[self._at]
            if letter in blank:
                self._at += 1
            elif letter == "#":
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            else:
                return

    def _header(self) -> Key:
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        parts = self._key()
        self._at += 2 if is_array else 1
        key = self._resolved(parts[:-1])
        key = (*key, parts[-1])
        # `[system.links]` is where `system` begins, if it has no header of its own.
        for length in range(1, len(key)):
            self._note(key[:length])
        if is_array:
            count = self._counts[key] = self._counts.get(key, 0) + 1
            self._note(key)
            key = (*key, count - 1)
        elif key in self._counts:
            key = (*key, self._counts[key] - 1)
        self._note(key)
        return key

    def _resolved(self, parts: Sequence[str]) -> Key:
        key: Key = ()
        for part in parts:
            key = (*key, part)
            if key in self._counts:
                key = (*key, self._counts[key] - 1)
        return key

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip_space(newlines=False)
            if self._text[self._at] in "\"'":
                start = self._at
                self._string()
                parts.append(tomllib.loads(f"v = {self._text[start : self._at]}")["v"])
            else:
                match = _BARE.match(self._text, self._at)
                if match is None:  # impossible in valid TOML; never loop for ever
                    self._at += 1
                    continue
                parts.append(match[0])
                self._at = match.end()
            self._skip_space(newlines=False)
            if self._text[self._at] != ".":
                return parts
            self._at += 1

    def _pair(self, prefix: Key) -> None:
        self._current_line()
        parts = self._key()
        key = prefix
        for part in parts:
            key = (*key, part)
            self._note(key)
        self._at += 1  # the equals sign
        self._skip_space(newlines=False)
        self._value(key)

    def _value(self, key: Key) -> None:
        letter = self._text[self._at]
        if letter in "\"'":
            self._string()
        elif letter == "[":
            self._array(key)
        elif letter == "{":
            self._inline_table(key)
        else:
            while self._at < len(self._text) and self._text[self._at] not in ",]}\n#":
                self._at += 1

    def _string(self) -> None:
        quote = self._text[self._at]
        long = self._text.startswith(quote * 3, self._at)
        end = quote * 3 if long else quote
        self._at += len(end)
        while not self._text.startswith(end, self._at):
            escaped = quote == '"' and self._text[self._at] == "\\"
            self._at += 2 if escaped else 1
        self._at += len(end)
        while long and self._text.startswith(quote, self._at):
            self._at += 1

    def _array(self, key: Key) -> None:
        self._at += 1
        index = 0
        while True:
            self._skip_space(newlines=True)
            letter = self._text[self._at]
            if letter == "]":
                self._at += 1
                return
            if letter == ",":
                self._at += 1
                continue
            self._note((*key, index))
            self._value((*key, index))
            index += 1

    def _inline_table(self, key: Key) -> None:
        self._at += 1
        while True:
            self._skip_space(newlines=True)
            letter = self._text[self._at]
            if letter == "}":
                self._at += 1
                return
            if letter == ",":
                self._at += 1
                continue
            self._pair(key)
