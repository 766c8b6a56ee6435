"""Telemetry files of the Cassini NIC (HPE Slingshot): a counter per file, ``value@seconds``.

On a node they are ``/sys/class/cxi/cxi0/device/telemetry/NAME``. What copies keep is understood,
too: the files under any folder (the NIC is the part ``cxiN`` of the path, the instant is inside),
and what ``grep -r . telemetry`` prints, ``PATH:value@seconds``, any number of readings in one file.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content

_REMEDY = "give files of the folder `telemetry` of the NIC, or what `grep -r . telemetry` prints"
_READING = re.compile(r"(\d+)@(\d+(?:\.\d+)?)")
_HEAD_LINES = 20
"""Lines within which the first reading stands."""

_LINE = re.compile(r"(?:(\S*?[A-Za-z]\w*)[: \t]\s*)?(\d+)@(\d+(?:\.\d+)?)\s*")


def recognises(content: Content) -> bool:
    """Whether the first line is a reading."""
    first = next((line for _, line in content.lines(_LINE, _HEAD_LINES) if line.strip()), "")
    return bool(_LINE.fullmatch(first.strip()))


def read(content: Content) -> list[pl.DataFrame]:
    """Readings of counters.

    Raises
    ------
    MeasurementError
        A line is no reading.
    """
    rows = []
    for number, line in content.lines(_LINE):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise content.error(
                f"`{line[:40]}` is not a reading of the form `value@seconds`", _REMEDY, number
            )
        path = found.group(1) or content.label
        value = content.integer(found.group(2), number, _REMEDY)
        instant = content.number(found.group(3), number, _REMEDY) * form.NS_PER["s"]
        rows.append((PurePosixPath(path).name, _nic(path, content), instant, float(value)))
    if not rows:
        raise content.error("it has no readings", _REMEDY)
    names, nics, instants, values = zip(*rows, strict=True)
    return [form.table(series="Cassini", quantity=names, unit="count", statistic=form.TOTAL,
                       place=nics, time_ns=instants,
                       value=values)]  # fmt: skip


def _nic(path: str, content: Content) -> str | None:
    for text in (path, content.label):
        found = re.findall(r"(?:^|/)(?:([^/]+)/)?(cxi\d+)(?=/)", text)
        if found:
            host, nic = found[-1]
            return nic if host in {"", "class", "cxi"} else f"{host} {nic}"
    return None
