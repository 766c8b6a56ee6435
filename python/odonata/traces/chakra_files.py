"""Nodes of Chakra execution traces from files of every kind: protobuf, old or new, and JSON."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from google.protobuf.message import DecodeError

from odonata.core.errors import TraceError
from odonata.traces.chakra_schema import (
    OLD_COLLECTIVES,
    OLD_NODES,
    CollectiveType,
    NodeType,
    messages,
)


@dataclass
class Node:
    """A node of the graph, whatever file it came from."""

    number: int
    kind: int
    micros: int
    data: list[int]
    control: list[int]
    values: Mapping[str, Any]


def nodes(file: Path, kind: str) -> Iterator[Node]:
    """Read the nodes of a rank.

    Parameters
    ----------
    file : pathlib.Path
        The file of the rank, perhaps compressed with gzip, as the library of Chakra reads it.
    kind : str
        ``chakra`` or ``chakra-json``.

    Yields
    ------
    Node
        In the order of the file.

    Raises
    ------
    odonata.errors.TraceError
        If the file is cut short, damaged or of another kind.
    """
    with _whole(file), _opened(file) as stream:
        yield from _json_nodes(stream) if kind == "chakra-json" else _binary_nodes(stream)


def groups_of(file: Path, kind: str) -> set[str]:
    """Names of the groups of the collectives of a rank; see :func:`group_of`.

    Raises
    ------
    odonata.errors.TraceError
        If the file is cut short, damaged or of another kind.
    """
    with _whole(file), _opened(file) as stream:
        if kind == "chakra-json":
            return {group_of(node) for node in _json_nodes(stream)}
        return {group_of(node) for node in _binary_nodes(stream, may_skip=True)}


_GROUPS = ("pg_name", "comm_group")
"""What the group of a collective is called: today, and by generators of 2023 and 2024."""


def group_of(node: Node) -> str:
    """Name of the group of a collective, which may be a number; the empty one is everybody.

    Raises
    ------
    TypeError
        If it is something else.
    """
    if node.kind != NodeType.COMM_COLL or "comm_type" not in node.values:
        return ""
    for attribute in _GROUPS:
        name = node.values.get(attribute)
        if isinstance(name, bytes):
            name = name.decode("utf-8", "replace")
        if name is None or name == "":
            continue
        if not isinstance(name, str | int) or isinstance(name, bool):
            shown = " ".join(repr(name).split())
            message = (
                f"`{attribute}` of node {node.number} is {shown:.40}, which is not a group name"
            )
            raise TypeError(message)
        return str(name)
    return ""


def dimensions_of(node: Node) -> list[bool]:
    """Which dimensions of a network take part in a collective; none: it does not say."""
    value = node.values.get("involved_dim", [])
    listed = value if isinstance(value, list) else getattr(value, "values", [value])
    return [bool(one) for one in listed]


@contextmanager
def _whole(file: Path) -> Iterator[None]:
    """Say of whatever fails that the file is damaged."""
    try:
        yield
    except TraceError:
        raise
    except (
        DecodeError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError,
        EOFError, OverflowError, zlib.error,
    ) as error:  # fmt: skip
        words = str(error).strip() or type(error).__name__
        message = (
            f"trace {file}: it is not a complete Chakra trace ({words[:200]}); it is truncated "
            "or damaged: generate it again"
        )
        raise TraceError(message) from error


GZIP = b"\x1f\x8b"
"""What a file begins with that is compressed with gzip."""


def _opened(file: Path) -> BinaryIO:
    with file.open("rb") as stream:
        is_gzip = stream.read(2) == GZIP
    return cast("BinaryIO", gzip.open(file, "rb")) if is_gzip else file.open("rb")


# Protobuf: the length of each message in front of it; the first one is about the whole trace.

_MOST_BYTES = 1 << 30
_LOOK_BYTES = 1 << 24
_MOST_TIMES = 300
"""So much larger than a compressed file no trace is: numbers of nodes differ."""
_NUMBER_FIRST = b"\x08"
"""What a message begins with whose first field is a number: a node, not what is about the trace."""


def _messages(stream: BinaryIO) -> Iterator[bytes]:
    unseen, is_first = 0, True
    while (length := _length(stream)) is not None:
        if not length and not is_first:  # what is about the trace may say nothing
            raise EOFError("a message is empty")
        if length > _MOST_BYTES:
            raise EOFError(f"a message of {length} bytes")
        content = stream.read(length)
        if len(content) < length:
            raise EOFError("a message is truncated")
        is_first = False
        unseen += length + 1
        if unseen > _LOOK_BYTES:
            unseen = 0
            _check_growth(stream)
        yield content


def _length(stream: BinaryIO) -> int | None:
    """Length of the next message; ``None``: there is none."""
    length, shift = 0, 0
    while True:
        byte = stream.read(1)
        if not byte and not shift:
            return None
        if not byte or shift > 35:
            raise EOFError("a length is truncated")
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            return length


def _check_growth(stream: BinaryIO) -> None:
    packed = getattr(stream, "fileobj", None)  # of what is compressed, the file itself
    if packed is not None and stream.tell() > _MOST_TIMES * packed.tell():
        raise EOFError(f"unpacked, it is more than {_MOST_TIMES} times as large")


_GROUP_BYTES = tuple(name.encode() for name in _GROUPS)
_NOTHING = Node(0, NodeType.METADATA, 0, [], [], {})


def _binary_nodes(stream: BinaryIO, *, may_skip: bool = False) -> Iterator[Node]:
    """Nodes of a file; without a look into those that name no group, if only these matter."""
    classes = messages()
    contents = _messages(stream)
    head = next(contents, None)
    if head is None:
        raise EOFError("it is empty")
    if head.startswith(_NUMBER_FIRST):
        yield _old_node(head)
        yield from map(_old_node, contents)
        return
    classes["GlobalMetadata"].FromString(head)
    for content in contents:
        if may_skip and not any(name in content for name in _GROUP_BYTES):
            yield _NOTHING
            continue
        node = classes["Node"].FromString(content)
        values = {attribute.name: _value(attribute) for attribute in node.attr}
        yield Node(
            node.id, node.type, node.duration_micros, list(node.data_deps), list(node.ctrl_deps),
            values,
        )  # fmt: skip


def _value(attribute: Any) -> Any:  # noqa: ANN401 - an attribute may be anything
    name = attribute.WhichOneof("value")
    return None if name is None else getattr(attribute, name)


def _old_node(content: bytes) -> Node:
    """A node of the first schema: its fields are what attributes are today."""
    node = messages()["OldNode"].FromString(content)
    kind = OLD_NODES.get(node.node_type, NodeType.INVALID)
    values: dict[str, Any] = {
        name: getattr(node, name) for name in ("comm_src", "comm_dst", "comm_size", "comm_tag")
    }
    if kind == NodeType.COMM_COLL:
        # A number that no collective has, where this one is not known.
        values["comm_type"] = int(OLD_COLLECTIVES.get(node.comm_type, 99))
        if node.communicator_id:
            values["pg_name"] = str(node.communicator_id)
    return Node(node.id, kind, node.simulated_run_time, list(node.parent), [], values)


# JSON


_PIECE = 1 << 20
_DECODER = json.JSONDecoder()
_WRAPPED = re.compile(r'\s*\{\s*"workload_graph"\s*:\s*\[')


class _Values:
    """Values of JSON behind each other, read piece by piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text, self._at, self._is_over = "", 0, False

    def _more(self) -> bool:
        """Read on; whether there is more."""
        if self._is_over:
            return False
        # As much again as is there: a long value is looked at few times.
        piece = self._stream.read(max(_PIECE, len(self._text) - self._at))
        self._is_over = not piece
        self._text = self._text[self._at :] + self._decoder.decode(piece, final=not piece)
        self._at = 0
        return True

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Go behind a pattern, if it comes next."""
        while (found := pattern.match(self._text, self._at)) is None or (
            found.end() == len(self._text) and not self._is_over
        ):
            if len(self._text) - self._at > _PIECE // 2 or not self._more():
                break
        if found is not None:
            self._at = found.end()
        return found is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._is_over and self._at == len(self._text)

    def value(self) -> Any:  # noqa: ANN401 - whatever stands there
        """Take the next value."""
        while True:
            try:
                value, self._at = _DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if not self._more():
                    raise
            else:
                return value


_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*,\s*")
_END = re.compile(r"\s*\]")


def _json_nodes(stream: BinaryIO) -> Iterator[Node]:
    values = _Values(stream)
    if values.skip(_WRAPPED):
        while not values.skip(_END):
            values.skip(_SPACE)
            yield _feeder_node(values.value())
            values.skip(_COMMA)
        return
    values.skip(_SPACE)
    values.value()  # about the whole trace
    values.skip(_SPACE)
    while not values.is_over:
        yield _jsonized_node(values.value())
        values.skip(_SPACE)


def _feeder_node(entry: Mapping[str, Any]) -> Node:
    """A node as the feeder of Chakra reads JSON."""
    values = {name: value for name, value in entry.items() if name.startswith("comm_")}
    for name in ("pg_name", "involved_dim"):
        if name in entry:
            values[name] = entry[name]
    number, kind = int(entry["Id"]), int(entry["NodeType"])
    data = [int(one) for one in entry.get("data_deps", [])]
    control = [int(one) for one in entry.get("ctrlDeps", entry.get("ctrl_deps", []))]
    return Node(number, kind, int(entry.get("runtime", 0)), data, control, values)


def _jsonized_node(entry: Mapping[str, Any]) -> Node:
    """A node as ``chakra_jsonizer`` writes it: protobuf's own JSON, a message behind the other."""

    def listed(name: str) -> list[int]:
        return [int(one) for one in entry.get(name, [])]

    values: dict[str, Any] = {}
    for attribute in entry.get("attr", []):
        held = [name for name in attribute if name.endswith("Val")]
        if held:
            is_number = held[0] not in {"stringVal", "bytesVal", "boolVal"}
            value = attribute[held[0]]
            values[attribute["name"]] = _number(value) if is_number else value
        for name in attribute:
            if name.endswith("List"):
                values[attribute["name"]] = attribute[name].get("values", [])
    kind = NodeType[entry.get("type", "INVALID_NODE").removesuffix("_NODE")]
    return Node(
        int(entry.get("id", 0)), kind, int(entry.get("durationMicros", 0)), listed("dataDeps"),
        listed("ctrlDeps"), values,
    )  # fmt: skip


def _number(value: str | float) -> int | float:
    """Numbers of 64 bits are strings in the JSON of protobuf."""
    return value if isinstance(value, float) else int(value)


def collective(kind: int) -> CollectiveType | None:
    """Collective with this number; ``None`` if there is none."""
    return CollectiveType(kind) if kind in _KNOWN else None


_KNOWN = {int(kind) for kind in CollectiveType}
