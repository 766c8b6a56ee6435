"""The table of docs/studies/controllers.md, from what the runs have left (`odonata study run`)."""

from __future__ import annotations

import contextlib
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path

from odonata.studies import Shelf
from odonata.studies.expression import Quantity
from odonata.studies.sources import NotRunError, Sources

HERE = Path(__file__).parent
FROM_NS, TO_NS = 600_000, 900_000
STUDENT = 2.776
"""The 97.5 % point of Student's distribution with four degrees of freedom: five seeds."""

NUMBERS = {"median": "median(", "99 %": "percentile("}


def slowdown(sources: Sources, run: str, number: str) -> list[float]:
    """That of an iteration of the victim over that alone, seed by seed."""
    q = "q=99, " if number == "99 %" else ""
    form = f'{NUMBERS[number]}"{run},*", "iterations.comm_time_ns", {q}job="victim"'
    return _list(sources, f'{form}) / {form}, alone="victim")')


def rate(sources: Sources, run: str, jobs: list[str]) -> float:
    """Bytes that what disturbs delivers in a window, mean over the seeds."""
    named = ", ".join(f'"{job}"' for job in jobs)
    found = _list(
        sources,
        f'sum("{run},*", "series.bytes_delivered", job=[{named}], time_ns=({FROM_NS}, {TO_NS}))',
    )
    return sum(found) / len(found)


def _list(sources: Sources, text: str) -> list[float]:
    found = Quantity(text).value(lambda reading: sources.value(reading, HERE))
    assert isinstance(found, list)  # noqa: S101 - a run with a star is a list
    return found


def interval(values: list[float]) -> str:
    """The mean with half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1))
    return f"{mean:.2f} ± {STUDENT * spread / math.sqrt(len(values)):.2f}"


def rows(sources: Sources) -> Iterator[str]:
    """A row per mix and controller."""
    yield "| mix | controller | median | 99 % | rate of what disturbs |\n|---|---|---|---|---|"
    for path in sorted(HERE.glob("*.toml")):
        scenario = tomllib.loads(path.read_text("utf-8"))
        if "jobs" not in scenario:
            continue
        jobs = [job["name"] for job in scenario["jobs"] if job["role"] == "aggressor"]
        first = 0.0
        for control in scenario["sweep"]["system.nic.congestion"]:
            run = f"{path.stem}/congestion={control}"
            moved = rate(sources, run, jobs)
            first = first or moved
            cells = [
                f"`{path.stem}`" if control == "none" else "",
                "without" if control == "none" else f"`{control}`",
                *(interval(slowdown(sources, run, number)) for number in NUMBERS),
                f"{moved / first:.2f}",
            ]
            yield "| " + " | ".join(cells) + " |"


def printed() -> str:
    """The table, as Markdown, if everything has run."""
    sources = Sources(Shelf(HERE.parent).studies["controllers"])
    with contextlib.suppress(NotRunError):
        return "\n".join(rows(sources))
    return "not run\n"


if __name__ == "__main__":
    print(printed())
