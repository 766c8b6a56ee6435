"""Files of AriesNCL, the library that reads Aries counters of an allocation through PAPI.

Until 2017 it writes text, ``PROG.nettiles.REGION.yaml`` and ``proctiles`` (before that
``networktiles.REGION.yaml``): a head in YAML and a row per rank and tile. Since November 2018 it
writes ``PROG.counters.STEP.bin``, 64-bit integers by reporting rank and counter, and
``PROG.timings.json`` with the names, the ranks and the time of every step, which the reader of the
binary file needs beside it. Counters start at 0 with each region or step. All steps of a program
are one source.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import polars as pl

from odonata.core.errors import MeasurementError
from odonata.measured import aries, form
from odonata.measured.content import MOST_NUMBERS, Content

_TEXT_REMEDY = "give the .yaml file as AriesNCL wrote it"
_BINARY_REMEDY = "give both files as AriesNCL wrote them"
_BINARY = re.compile(r"(.+)\.counters\.(\d+)\.bin")
_REGION = re.compile(r"\.(\d+)\.ya?ml$")
_KEYS = {"ARIESCOUNTER_NETWORK": aries.NETWORK, "ARIESCOUNTER_PROC": aries.PROCESSOR}
_COORDINATES = ("mpirank", "tilex", "tiley")


def recognises(content: Content) -> bool:
    """Whether it is one of the two forms."""
    return bool(_BINARY.fullmatch(content.name)) or "key: ARIESCOUNTER_" in content.head[:200]


def read(content: Content) -> list[pl.DataFrame]:
    """Counters by rank, tile and region or step.

    Raises
    ------
    MeasurementError
        The file, or the one beside it, is damaged.
    """
    found = _BINARY.fullmatch(content.name)
    return _binary(content, found.group(1), int(found.group(2))) if found else _text(content)


def _text(content: Content) -> list[pl.DataFrame]:
    """One region as text."""
    region = _REGION.search(content.name)
    head, marked, body = (content.text or "").partition("\n...")
    if not marked:
        raise content.error("the header does not end with `...`", _TEXT_REMEDY)
    key = re.search(r"^key: (\w+)", head, re.MULTILINE)
    series = _KEYS.get(key.group(1)) if key else None
    names = [
        name.strip('"') for name in re.findall(r"^- \[([^,\]]+), int\d+\]", head, re.MULTILINE)
    ]
    if series is None or tuple(names[:3]) != _COORDINATES or len(names) < 4:
        raise content.error("the header does not name rank, tile and counters", _TEXT_REMEDY)
    elapsed = re.search(r"^- elapsedtime: (\d+)", head, re.MULTILINE)
    rows = _rows(content, body, len(names), head.count("\n") + 1)
    counters = len(names) - 3
    places = [aries.tile(x, y) for x, y in rows[:, 1:3].tolist()]
    return [
        form.table(
            source=_REGION.sub(".*.yaml", content.label),
            series=series,
            quantity=names[3:] * len(rows),
            unit="count",
            statistic=form.DELTA,
            rank=np.repeat(rows[:, 0], counters),
            iteration=int(region.group(1)) if region else None,
            place=[place for place in places for _ in range(counters)],
            interval_ns=int(elapsed.group(1)) * form.NS_PER["ms"] if elapsed else None,
            value=rows[:, 3:].ravel().astype(np.float64),
        )
    ]


def _rows(content: Content, body: str, columns: int, first: int) -> np.ndarray:
    found = []
    for number, line in enumerate(body.splitlines(), first + 1):
        words = line.split()
        if not words:
            continue
        if len(words) != columns:
            raise content.error(
                f"there are {len(words)} values, but {columns} are expected", _TEXT_REMEDY, number
            )
        found.append([content.integer(word, number, _TEXT_REMEDY) for word in words])
    if not found:
        raise content.error("it has no rows of counters", _TEXT_REMEDY)
    return np.array(found, dtype=np.int64)


def _binary(content: Content, program: str, step: int) -> list[pl.DataFrame]:
    """One step in binary, with names and times from the file beside it."""
    beside = f"{program}.timings.json"
    data = content.beside(beside)
    if data is None:
        raise content.error(
            f"its names are in {beside}, which is not in the same folder", _BINARY_REMEDY
        )
    names, ranks, times = _timings(Content(f"{content.label} ({beside})", data))
    expected = 8 * len(names) * len(ranks)
    if len(content.data) != expected:
        raise content.error(
            f"it has {len(content.data)} bytes; {len(names)} counters of {len(ranks)} ranks "
            f"take {expected}",
            _BINARY_REMEDY,
        )
    values = np.frombuffer(content.data, dtype="<i8").astype(np.float64)
    if values.size > MOST_NUMBERS:
        raise content.error(f"it has {values.size} numbers, which is too many", "split it")
    series, places, bare = zip(*(aries.split(name) for name in names), strict=True)
    took = times.get(step)
    interval = None if took is None else np.repeat(took, len(names))
    source = content.label.removesuffix(f".{step}.bin") + ".*.bin"
    parts = [
        form.table(
            source=source,
            series=[one or "counters" for one in series] * len(ranks),
            quantity=list(bare) * len(ranks),
            unit="count",
            statistic=form.DELTA,
            rank=np.repeat(ranks, len(names)),
            iteration=step,
            place=list(places) * len(ranks),
            interval_ns=interval,
            value=values,
        )
    ]
    if took is not None:
        parts.append(form.table(source=source, series=program, quantity="comm_time", unit="ns",
                                statistic=form.SAMPLE, rank=ranks, iteration=step,
                                value=took))  # fmt: skip
    return parts


def _timings(content: Content) -> tuple[list[str], list[int], dict[int, list[float]]]:
    """Names of counters, reporting ranks, and time of each of them by step, ns."""
    try:
        # AriesNCL leaves a comma behind the last step unless that is number 0.
        found = json.loads(re.sub(r",(\s*\])", r"\1", content.text or ""))
        names = [str(name) for name in found["counter_names"]]
        ranks = [_whole(rank) for rank in found["ranks"]]
        times = {
            _whole(one["timestep"]): [float(_whole(ns)) for ns in one["time"]]
            for one in found.get("timings", [])
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _wrong(content, "it was not written by AriesNCL") from None
    if not names or not ranks or any(len(one) != len(ranks) for one in times.values()):
        raise _wrong(content, "names, ranks and times do not match")
    return names, ranks, times


def _whole(value: Any) -> int:  # noqa: ANN401 - a value of JSON
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**62:
        raise TypeError
    return value


def _wrong(content: Content, problem: str) -> MeasurementError:
    return content.error(problem, _BINARY_REMEDY)
