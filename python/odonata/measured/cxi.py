"""The counter summary that Cray MPICH prints at the end of a job on Slingshot, inside its log.

With ``MPICH_OFI_CXI_COUNTER_REPORT=2`` a block ``MPICH Slingshot CXI Counter Summary:`` gives of
every counter the smallest, mean and largest count of the NICs, each with its rate; with 3 to 5
lines ``CXI_COUNTER_DATA host nic counter count rate`` follow. Open MPI prints the same blocks.
"""

from __future__ import annotations

import re

import polars as pl

from odonata.measured import form
from odonata.measured.content import Content

_REMEDY = "give the log of the job as it was printed"
_START = re.compile(r"(?:MPICH|OpenMPI) Slingshot CXI Counter Summary:")
_HEAD = re.compile(r"Counter\s+Samples\s+Min\s+\(/s\)\s+Mean\s+\(/s\)\s+Max\s+\(/s\)")
_DATA = re.compile(r"(?:.*\s)?CXI_COUNTER_DATA\s+(\S+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\S+)\s*")
_LABEL = re.compile(r"^(?:PE \d+|\d+):\s?")
"""What launchers put in front of a line."""

_LINE = ("counter", "samples", "min", "per_s", "mean", "per_s", "max", "per_s")
"""Values of a line of the summary."""

_COLUMNS = (("min", 2), ("mean", 4), ("max", 6))
"""Statistics over NICs, and where they stand; the rate is behind each."""

SERIES = "Cassini"
"""Series of these counters."""


def recognises(content: Content) -> bool:
    """Whether the block, or a line of data, stands in the text."""
    text = content.text or ""
    return bool(_START.search(text)) or "CXI_COUNTER_DATA " in text


def read(content: Content) -> list[pl.DataFrame]:
    """Counts of every counter: over all NICs, and of each where there are lines of data.

    Raises
    ------
    MeasurementError
        The block has no line, or one is damaged.
    """
    rows: list[dict[str, object]] = []
    inside = is_headed = False
    for number, full in content.lines():
        line = _LABEL.sub("", full)
        data = _DATA.fullmatch(line)
        if data:
            rows.append(_of_nic(content, number, data))
        elif _START.search(line):
            inside, is_headed = True, False
        elif inside and _HEAD.match(line.strip()):
            is_headed = True
        elif inside and is_headed:
            found = _over_nics(content, number, line.split())
            inside = bool(found)
            rows += found
    if not rows:
        raise content.error("the summary has no counter", _REMEDY)
    return [form.table(**pl.DataFrame(rows, infer_schema_length=None).to_dict(as_series=True))]


def _is_counter(words: list[str]) -> bool:
    """Whether a line that is too short or too long was meant to be one of the summary."""
    return bool(words) and bool(re.fullmatch(r"(?:rh:)?[a-z][a-z0-9]*(?:_[a-z0-9]+)+", words[0]))


def _over_nics(content: Content, number: int, words: list[str]) -> list[dict[str, object]]:
    """Counts of one line of the summary; none if it is behind its end."""
    if len(words) != len(_LINE):
        if _is_counter(words):
            raise content.error(
                f"there are {len(words)} values where {len(_LINE)} belong", _REMEDY, number
            )
        return []
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
