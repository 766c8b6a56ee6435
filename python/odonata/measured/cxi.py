"""The counter summary that Cray MPICH prints at the end of a job on Slingshot, inside its log.

The line ``MPICH Slingshot Network Summary: 0 network timeouts`` is always there. With
``MPICH_OFI_CXI_COUNTER_REPORT=2`` a block ``MPICH Slingshot CXI Counter Summary:`` gives of every
counter the smallest, mean and largest count of the NICs, each with its rate, up to the line
``Computed Ratios``; with 3 to 5 lines ``CXI_COUNTER_DATA host nic counter count rate`` follow. Open
MPI prints the same blocks. Lines of the application may stand between any of these.
"""

from __future__ import annotations

import re

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content

_REMEDY = "give the log of the job as it was printed"
_START = re.compile(r"(?:MPICH|OpenMPI) Slingshot CXI Counter Summary:")
_HEAD = re.compile(r"\s*Counter\s+Samples\s+Min\s+\(/s\)\s+Mean\s+\(/s\)\s+Max\s+\(/s\)")
_END = re.compile(r"\s*Computed Ratios\b")
_TIMEOUTS = re.compile(r"(?:MPICH|OpenMPI) Slingshot Network Summary:\s+(\d+) network timeouts?\b")
_DATA = re.compile(r"(?:.*\s)?CXI_COUNTER_DATA\s+(\S+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\S+)\s*")
_FIRST = re.compile(rf"{_START.pattern}|{_TIMEOUTS.pattern}|CXI_COUNTER_DATA ")
_COUNTER = re.compile(r"rh:[a-z][a-z0-9_]*|[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?")

_LINE = ("counter", "samples", "min", "per_s", "mean", "per_s", "max", "per_s")
"""Values of a line of the summary."""

_COLUMNS = (("min", 2), ("mean", 4), ("max", 6))
"""Statistics over NICs, and where they stand; the rate is behind each."""

SERIES = "Cassini"
"""Series of these counters."""


def recognises(content: Content) -> bool:
    """Whether a block, or a line of data, stands in the text."""
    text = content.text or ""
    return (" Slingshot " in text and content.has(_FIRST)) or "CXI_COUNTER_DATA " in text


def read(content: Content) -> list[pl.DataFrame]:
    """Counts of every counter: over all NICs, and of each where there are lines of data.

    Raises
    ------
    MeasurementError
        There is no count, or a line is damaged.
    """
    rows: list[dict[str, object]] = []
    inside = False
    for number, line in content.lines(_FIRST):
        data, timeouts = _DATA.fullmatch(line), _TIMEOUTS.match(line)
        if data:
            rows.append(_of_nic(content, number, data))
        elif timeouts:
            rows.append(_timeouts(content, number, timeouts))
        elif _HEAD.match(line) or _END.match(line):
            inside = bool(_HEAD.match(line))
        elif inside and _is_row(line.split()):
            rows += _over_nics(content, number, line.split())
    if not rows:
        raise content.error("the summary has no counters", _REMEDY)
    return [form.table(**pl.DataFrame(rows, infer_schema_length=None).to_dict(as_series=True))]


def _is_row(words: list[str]) -> bool:
    """Whether a line of the block was meant to be one of its rows: a counter and mostly numbers."""
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words[1:])
    return bool(words) and bool(_COUNTER.fullmatch(words[0])) and 2 * numbers > len(words) - 1


def _timeouts(content: Content, number: int, found: re.Match[str]) -> dict[str, object]:
    """How many packets had no answer in time."""
    count = content.integer(found.group(1), number, _REMEDY)
    if count:
        content.warn(f"{count} network timeouts: packets were not acknowledged in time and "
                     "were retransmitted; the times of this job include these delays",
                     number)  # fmt: skip
    return {"series": SERIES, "quantity": "network_timeouts", "unit": "count",
            "statistic": form.DELTA, "place": "all NICs", "value": float(count)}  # fmt: skip


def _over_nics(content: Content, number: int, words: list[str]) -> list[dict[str, object]]:
    """Counts of one line of the summary."""
    if len(words) != len(_LINE):
        raise content.error(
            f"there are {len(words)} values, but {len(_LINE)} are expected", _REMEDY, number
        )
    name = words[0]
    nics = content.integer(words[1], number, _REMEDY)
    rows: list[dict[str, object]] = [
        {"series": SERIES, "quantity": name, "unit": "NICs", "statistic": "given",
         "place": "all NICs", "value": float(nics)}
    ]  # fmt: skip
    for statistic, at in _COLUMNS:
        count, rate = (content.number(word, number, _REMEDY) for word in words[at : at + 2])
        rows += [
            {"series": SERIES, "quantity": name, "unit": unit, "statistic": statistic,
             "place": "all NICs", "value": value}
            for unit, value in (("count", count), ("1/s", rate))
        ]  # fmt: skip
    return rows


def _of_nic(content: Content, number: int, found: re.Match[str]) -> dict[str, object]:
    host, nic, name, count, rate = found.groups()
    value = content.integer(count, number, _REMEDY)
    per_second = content.number(rate, number, _REMEDY)
    # The rate is printed without decimals: below 10 a second the interval would be far off.
    interval = value / per_second * form.NS_PER["s"] if per_second >= 10 and value > 0 else None
    return {"series": SERIES, "quantity": name, "unit": "count", "statistic": form.DELTA,
            "place": f"{host} cxi{nic}", "interval_ns": interval,
            "value": float(value)}  # fmt: skip
