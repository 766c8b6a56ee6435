"""Messages of Chakra execution traces, as `schema/protobuf/et_def.proto` of MLCommons has them.

The descriptor is built here instead of generated, so that any version of ``protobuf`` takes it.
Fields that the reader does not use (tensors, storage) are unknown fields to it and are skipped.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "ChakraProtoMsg"
_SCALARS = {
    "double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6, "fixed32": 7,
    "bool": 8, "string": 9, "bytes": 12, "uint32": 13, "sfixed32": 15, "sfixed64": 16,
    "sint32": 17, "sint64": 18,
}  # fmt: skip
_VALUES = (
    "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32",
    "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes",
)  # fmt: skip
"""Types of attributes, in the order of their numbers: 3 for a double, 4 for a list of them, ..."""


class NodeType(IntEnum):
    """What a node does."""

    INVALID = 0
    METADATA = 1
    MEM_LOAD = 2
    MEM_STORE = 3
    COMP = 4
    COMM_SEND = 5
    COMM_RECV = 6
    COMM_COLL = 7
    STORAGE = 8
    BATCH = 9
    CHECKPOINT = 10


class CollectiveType(IntEnum):
    """What a collective node does."""

    ALL_REDUCE = 0
    REDUCE = 1
    ALL_GATHER = 2
    GATHER = 3
    SCATTER = 4
    BROADCAST = 5
    ALL_TO_ALL = 6
    REDUCE_SCATTER = 7
    REDUCE_SCATTER_BLOCK = 8
    BARRIER = 9


OLD_NODES = {
    1: NodeType.MEM_LOAD, 2: NodeType.MEM_STORE, 3: NodeType.COMP, 4: NodeType.COMM_SEND,
    5: NodeType.COMM_RECV, 6: NodeType.COMM_COLL,
}  # fmt: skip
"""What nodes do by the numbers of the first schema, `eg_def.proto` of 2023."""
OLD_COLLECTIVES = {
    1: CollectiveType.ALL_REDUCE, 2: CollectiveType.ALL_TO_ALL, 3: CollectiveType.ALL_GATHER,
    4: CollectiveType.REDUCE_SCATTER,
}  # fmt: skip
"""What collectives do by the numbers of the first schema."""


def _add(
    message: descriptor_pb2.DescriptorProto,
    name: str,
    number: int,
    kind: str,
    *,
    repeated: bool = False,
    oneof: bool = False,
) -> None:
    field = message.field.add(name=name, number=number, label=3 if repeated else 1)
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
    else:
        field.type = 11
        field.type_name = f".{_PACKAGE}.{kind}"
    if oneof:
        field.oneof_index = 0


@lru_cache(maxsize=1)
def messages() -> dict[str, Any]:
    """Classes of the messages ``GlobalMetadata``, ``Node`` and ``OldNode``, by name."""
    file = descriptor_pb2.FileDescriptorProto(
        name="odonata/chakra.proto", package=_PACKAGE, syntax="proto3"
    )
    attribute = file.message_type.add(name="AttributeProto")
    _add(attribute, "name", 1, "string")
    _add(attribute, "doc_string", 2, "string")
    attribute.oneof_decl.add(name="value")
    for index, kind in enumerate(_VALUES):
        values = f"{kind.capitalize()}List"
        _add(attribute, f"{kind}_val", 3 + 2 * index, kind, oneof=True)
        _add(attribute, f"{kind}_list", 4 + 2 * index, values, oneof=True)
        _add(file.message_type.add(name=values), "values", 1, kind, repeated=True)
    metadata = file.message_type.add(name="GlobalMetadata")
    # A text; in some versions attributes have this number, so that it may hold anything.
    _add(metadata, "version", 1, "bytes", repeated=True)
    _add(metadata, "attr", 2, "AttributeProto", repeated=True)
    node = file.message_type.add(name="Node")
    _add(node, "id", 1, "uint64")
    _add(node, "name", 2, "string")
    _add(node, "type", 3, "int32")  # an enumeration is an integer on the wire
    _add(node, "ctrl_deps", 4, "uint64", repeated=True)
    _add(node, "data_deps", 5, "uint64", repeated=True)
    _add(node, "start_time_micros", 6, "uint64")
    _add(node, "duration_micros", 7, "uint64")
    _add(node, "attr", 10, "AttributeProto", repeated=True)
    old = file.message_type.add(name="OldNode")
    _add(old, "id", 1, "uint64")
    _add(old, "name", 2, "string")
    _add(old, "node_type", 3, "int32")
    _add(old, "parent", 4, "uint64", repeated=True)
    _add(old, "simulated_run_time", 7, "uint64")
    _add(old, "comm_type", 13, "int32")
    for number, name in enumerate(("communicator_id", "comm_src", "comm_dst", "comm_size"), 15):
        _add(old, name, number, "uint32")
    _add(old, "comm_tag", 19, "uint32")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = ("GlobalMetadata", "Node", "OldNode")
    found = {name: pool.FindMessageTypeByName(f"{_PACKAGE}.{name}") for name in names}
    return {name: message_factory.GetMessageClass(kind) for name, kind in found.items()}
