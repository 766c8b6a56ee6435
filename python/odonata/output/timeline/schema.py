"""Messages of Perfetto traces, as `protos/perfetto/trace/` of Perfetto has them.

The descriptor is built here instead of generated, so that any version of ``protobuf`` takes it. It
holds what is written; the tests read it back with Perfetto's own messages.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "odonata.perfetto"
_SCALARS = {
    "double": 1,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "fixed64": 6,
    "string": 9,
    "uint32": 13,
}
"""Numbers of types in descriptors; an enumeration is an ``int32`` on the wire."""

_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "TracePacket": [
        ("timestamp", 8, "uint64"),
        ("trusted_packet_sequence_id", 10, "uint32"),
        ("track_event", 11, "TrackEvent"),
        ("sequence_flags", 13, "uint32"),
        ("track_descriptor", 60, "TrackDescriptor"),
    ],
    "TrackDescriptor": [
        ("uuid", 1, "uint64"),
        ("name", 2, "string"),
        ("process", 3, "ProcessDescriptor"),
        ("thread", 4, "ThreadDescriptor"),
        ("parent_uuid", 5, "uint64"),
        ("counter", 8, "CounterDescriptor"),
    ],
    "ProcessDescriptor": [("pid", 1, "int32"), ("process_name", 6, "string")],
    "ThreadDescriptor": [("pid", 1, "int32"), ("tid", 2, "int32"), ("thread_name", 5, "string")],
    "CounterDescriptor": [("unit_name", 6, "string")],
    "DebugAnnotation": [
        ("uint_value", 3, "uint64"),
        ("double_value", 5, "double"),
        ("string_value", 6, "string"),
        ("name", 10, "string"),
    ],
    "TrackEvent": [
        ("debug_annotations", 4, "*DebugAnnotation"),
        ("type", 9, "int32"),
        ("track_uuid", 11, "uint64"),
        ("name", 23, "string"),
        ("double_counter_value", 44, "double"),
        ("flow_ids", 47, "*fixed64"),
        ("terminating_flow_ids", 48, "*fixed64"),
    ],
}
"""Fields of each message: name, number and type; a star stands for a list."""


class EventType(IntEnum):
    """What a `TrackEvent` is."""

    SLICE_BEGIN = 1
    SLICE_END = 2
    INSTANT = 3
    COUNTER = 4


STATE_CLEARED = 1
"""``TracePacket.SEQ_INCREMENTAL_STATE_CLEARED``: nothing is known from earlier packets."""


@lru_cache(maxsize=1)
def trace_packet() -> Any:  # noqa: ANN401 - made at run time
    """Class of the message ``TracePacket``."""
    file = descriptor_pb2.FileDescriptorProto(
        name="odonata/perfetto.proto", package=_PACKAGE, syntax="proto2"
    )
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            added = message.field.add(name=field, number=number, label=3 if kind[0] == "*" else 1)
            plain = kind.lstrip("*")
            if plain in _SCALARS:
                added.type = _SCALARS[plain]
            else:
                added.type = 11
                added.type_name = f".{_PACKAGE}.{plain}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.TracePacket"))
