"""The tables of docs/studies/spraying.md, from what the runs have left (`odonata study run`)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path

from odonata.studies import Shelf
from odonata.studies.expression import Quantity
from odonata.studies.sources import NotRunError, Sources

HERE = Path(__file__).parent
FROM_NS, TO_NS = 400_000, 1_200_000
ACKNOWLEDGED_NS = {"dragonfly": 1_357, "fat-tree": 1_270}
"""What an acknowledgement takes (docs/model/congestion.md), on average over the flows."""

FLOWS = (4, 8)
NUMBERS = {4: "four", 8: "eight"}
FAIR = {"clean": (25.0, 25.0), "other": (25.0, 18.75)}
"""Fair shares of a flow, GB/s, of four and of eight; of all other cases those that follow."""
LESS = (25.0, 20.3125)
CASES = {
    "clean": "all links whole",
    "equal": "all paths alike",
    "near": "two slow at their beginning",
    "far": "two slow at their end",
    "other": "three flows on each of two",
    "deep": "as `far`, buffers without end",
}
ROUTINGS = ("valiant-group", "ugal-group", "par")
STUDENT = 2.776
"""The 97.5 % point of Student's distribution with four degrees of freedom: five seeds."""


class Runs:
    """What has run.

    Parameters
    ----------
    sources : Sources
        Of the study.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    def goodput(self, run: str, flows: int) -> list[float]:
        """Bytes per ns of a flow, seed by seed."""
        text = (
            f'sum("{run},*", "series.bytes_delivered", job="sprayed", '
            f"time_ns=({FROM_NS}, {TO_NS})) / {TO_NS - FROM_NS} / {flows}"
        )
        return self._list(text)

    def in_flight(self, run: str, flows: int) -> float:
        """Bytes without an acknowledgement, by Little's law."""
        means = [
            self._list(f'mean("{run},*", "packets.{column}", job="sprayed", '
                       f"injected_ns=({FROM_NS}, {TO_NS}))")
            for column in ("injected_ns", "delivered_ns")
        ]  # fmt: skip
        times = [after - before for before, after in zip(*means, strict=True)]
        rates = self.goodput(run, flows)
        network = "fat-tree" if run.startswith("fat-tree") else "dragonfly"
        time = sum(times) / len(times) + ACKNOWLEDGED_NS[network]
        return sum(rates) / len(rates) * time

    def _list(self, text: str) -> list[float]:
        found = Quantity(text).value(lambda reading: self.sources.value(reading, HERE))
        return [float(one) for one in found]  # type: ignore[union-attr]


def percent(rates: list[float], fair: float) -> str:
    """The mean as a share of the fair one, with half the width of its 95 % interval."""
    mean = sum(rates) / len(rates)
    spread = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1))
    half = STUDENT * spread / math.sqrt(len(rates))
    return f"{100 * mean / fair:.1f} ± {100 * half / fair:.1f} %"


def main_rows(runs: Runs, place: int) -> Iterator[str]:
    """Shares of all cases under three routings, without and with windows; of what has run."""
    flows = FLOWS[place]
    yield "| paths | routing | without | `nscc` | `nscc` over without | in flight with `nscc` |"
    yield "|---|---|---|---|---|---|"
    for case, words in CASES.items():
        fair = FAIR.get(case, LESS)[place]
        for routing in ROUTINGS:
            names = [f"{case}-{flows}/algorithm={routing},congestion={c}" for c in ("none", "nscc")]
            with contextlib.suppress(NotRunError):
                without, held = (runs.goodput(name, flows) for name in names)
                cells = [
                    words,
                    f"`{routing}`",
                    percent(without, fair),
                    percent(held, fair),
                    f"{sum(held) / sum(without):.2f}",
                    f"{runs.in_flight(names[1], flows) / 1e3:.0f} kB",
                ]
                yield "| " + " | ".join(cells) + " |"


def wide_rows(runs: Runs, place: int) -> Iterator[str]:
    """Windows four times as large."""
    flows, fair = FLOWS[place], LESS[place]
    yield "| routing | without | `nscc` | `nscc_window = 6` |\n|---|---|---|---|"
    for routing in ROUTINGS:
        rule = f"algorithm={routing},congestion="
        names = [
            f"far-{flows}/{rule}none",
            f"far-{flows}/{rule}nscc",
            f"far-wide-{flows}/{rule}nscc",
        ]
        shown = [percent(runs.goodput(name, flows), fair) for name in names]
        yield f"| `{routing}` | " + " | ".join(shown) + " |"


def tree_rows(runs: Runs, place: int) -> Iterator[str]:
    """The fat tree, spines drawn at random."""
    flows, fair = FLOWS[place], LESS[place]
    yield "| buffers | without | `nscc` | in flight with `nscc` |\n|---|---|---|---|"
    for case, words in (("fat-tree", "96 KiB"), ("fat-tree-deep", "64 MiB")):
        names = [f"{case}-{flows}/algorithm=minimal,congestion={c}" for c in ("none", "nscc")]
        shown = [percent(runs.goodput(name, flows), fair) for name in names]
        held = f"{runs.in_flight(names[1], flows) / 1e3:.0f} kB"
        yield f"| {words} | {shown[0]} | {shown[1]} | {held} |"


TABLES = {"Dragonfly": main_rows, "Far, large windows": wide_rows, "Fat tree": tree_rows}


def printed() -> str:
    """The tables of everything that has run, as Markdown."""
    runs = Runs(Sources(Shelf(HERE.parent).studies["spraying"]))
    parts = []
    for title, rows in TABLES.items():
        for place, flows in enumerate(FLOWS):
            with contextlib.suppress(NotRunError):
                lines = "\n".join(rows(runs, place))
                parts.append(f"### {title}, {NUMBERS[flows]} flows\n\n{lines}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(printed())
