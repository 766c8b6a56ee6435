"""Columns of numbers as text that a page can hold and a browser reads back."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
"""Columns by name."""

_TYPES = {
    "uint8": "Uint8Array",
    "uint16": "Uint16Array",
    "int16": "Int16Array",
    "uint32": "Uint32Array",
    "float32": "Float32Array",
    "float64": "Float64Array",
}
"""Type of a column, and its name in a browser."""

_ALIGNED = 8
"""A browser reads a column in place where it begins at a multiple of its width."""


def pack(arrays: Mapping[str, np.ndarray]) -> tuple[dict[str, list[Any]], str]:
    """Pack columns one behind the other, little-endian, compressed.

    Returns
    -------
    dict of str to list
        Type in a browser, first byte and length of each column.
    str
        The bytes: gzip, then base64. The same arrays give the same text.
    """
    index: dict[str, list[Any]] = {}
    parts: list[bytes] = []
    end = 0
    for name, values in arrays.items():
        plain = np.ascontiguousarray(values)
        data = plain.astype(plain.dtype.newbyteorder("<"), copy=False).tobytes()
        index[name] = [_TYPES[plain.dtype.name], end, len(plain)]
        padding = -len(data) % _ALIGNED
        parts += [data, b"\0" * padding]
        end += len(data) + padding
    packed = gzip.compress(b"".join(parts), compresslevel=6, mtime=0)
    return index, base64.b64encode(packed).decode("ascii")
