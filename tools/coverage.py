"""How often intervals contain the truth: the table of docs/noise.md.

    python tools/coverage.py            # 1,000 data sets per row: half an hour
    python tools/coverage.py --sets 100
    python tools/coverage.py --jams     # slow stretches, whose tail clusters more than a normal one

Series are autoregressive of order 1 by their normal scores, with lognormal values (sigma 0.5): what
is drawn is `10 * exp(z / 2)`. Quantities are those that `odonata noise` prints of a series. Beside
the coverage of what was shown stands the share of data sets of which it was. The draws are those of
`tests/test_noise_coverage.py`, seeded by the number of values.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import brentq
from scipy.signal import lfilter
from scipy.special import ndtr, ndtri

from odonata import noise
from odonata.analysis.quantiles import Interval

SIZES = (100, 300, 1_000, 5_000, 20_000)
CORRELATIONS = (0.0, 0.5, 0.9, 0.95)
WARM_UP = 300
SPREAD = 0.5


@dataclass
class Counted:
    """How many intervals were shown, and how many of them contained the truth."""

    sets: int = 0
    shown: int = 0
    hits: int = 0

    def add(self, found: Interval | None, truth: float) -> None:
        """Count one data set."""
        self.sets += 1
        if found is not None:
            self.shown += 1
            self.hits += found.contains(truth)

    def text(self, fewest: int = 30) -> str:
        """Coverage and share shown, or that too few were shown to tell."""
        share = f"{self.shown / self.sets:.0%}"
        if self.shown == 0:
            return "not shown"
        if self.shown < fewest:
            return f"{self.hits} of {self.shown} ({share})"
        return f"{self.hits / self.shown:.1%} ({share})"


@dataclass
class Row:
    """Quantities of one size and correlation."""

    median: Counted = field(default_factory=Counted)
    p95: Counted = field(default_factory=Counted)
    p99: Counted = field(default_factory=Counted)
    dispersion: Counted = field(default_factory=Counted)
    mean: Counted = field(default_factory=Counted)

    def each(self) -> Iterator[tuple[str, Counted]]:
        """Names and counts, in the order of the table."""
        yield "median", self.median
        yield "p95", self.p95
        yield "p99", self.p99
        yield "QCD", self.dispersion
        yield "mean", self.mean


def correlated(
    count: int, coefficient: float, rng: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A stationary autoregressive series, normal with variance 1."""
    steps = rng.standard_normal(count + WARM_UP) * math.sqrt(1.0 - coefficient**2)
    return np.asarray(lfilter([1.0], [1.0, -coefficient], steps)[WARM_UP:])


def value(scores: np.ndarray | float, tick: float) -> np.ndarray:
    """Lognormal values of normal scores, on the ticks of a clock if it has some."""
    exact = 10.0 * np.exp(SPREAD * np.asarray(scores))
    return np.floor(exact / tick) * tick if tick else exact


def row(count: int, coefficient: float, sets: int, tick: float = 0.0) -> Row:
    """Count over so many data sets."""
    rng = np.random.default_rng(count)
    q1, middle, q3, p95, p99 = (float(value(ndtri(q), tick)) for q in (0.25, 0.5, 0.75, 0.95, 0.99))
    found = Row()
    for _ in range(sets):
        scores = correlated(count, coefficient, rng)
        one = noise.describe(value(scores, tick))
        found.median.add(one.median, middle)
        found.p95.add(one.p95, p95)
        found.p99.add(one.p99, p99)
        found.dispersion.add(one.quartile_dispersion, (q3 - q1) / (q3 + q1))
        found.mean.add(noise.mean_interval(scores), 0.0)
    return found


def jammed(count: int, sets: int) -> Row:
    """The same of times in front of which a slow background stands now and then.

    Every tenth value on average is five times as long, 20 in a row: independent but for that. Less
    than a normal series with such autocorrelations says of its tail.
    """
    rng = np.random.default_rng(count)
    q1, middle, q3, p95, p99 = (_of_jams(q) for q in (0.25, 0.5, 0.75, 0.95, 0.99))
    found = Row()
    for _ in range(sets):
        one = noise.describe(
            np.exp(0.3 * rng.standard_normal(count)) * np.where(_jams(count, rng), 5.0, 1.0)
        )
        found.median.add(one.median, middle)
        found.p95.add(one.p95, p95)
        found.p99.add(one.p99, p99)
        found.dispersion.add(one.quartile_dispersion, (q3 - q1) / (q3 + q1))
    return found


def _jams(count: int, rng: np.random.Generator) -> np.ndarray:
    """A chain of two states: begins with 1 in 180, ends with 1 in 20."""
    drawn = rng.random(count + 1)
    states = np.empty(count, bool)
    state = bool(drawn[-1] < 0.1)
    for at in range(count):
        state = bool(drawn[at] >= 0.05) if state else bool(drawn[at] < 0.05 / 9.0)
        states[at] = state
    return states


def _of_jams(quantile: float) -> float:
    """Quantile of the distribution of these times."""
    return float(
        brentq(
            lambda x: (
                0.9 * ndtr(math.log(x) / 0.3) + 0.1 * ndtr(math.log(x / 5.0) / 0.3) - quantile
            ),
            0.01,
            1000.0,
        )
    )


def _job(task: tuple[int, float, int, float]) -> Row:
    return row(*task)


def main(print_line: Callable[[str], object] = print) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of odonata noise.")
    parser.add_argument("--sets", type=int, default=1000, help="data sets per row")
    parser.add_argument("--tick", type=float, default=0.0, help="values are multiples of this")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--jams", action="store_true", help="slow stretches instead")
    options = parser.parse_args()
    if options.jams:
        for count in options.sizes:
            cells = " | ".join(f"{name} {one.text()}" for name, one in
                               jammed(count, options.sets).each() if one.sets)  # fmt: skip
            print_line(f"{count:,} values with jams: {cells}")
        return 0
    tasks = [(n, c, options.sets, options.tick) for n in options.sizes for c in CORRELATIONS]
    print_line("| values | lag-1 correlation | median | p95 | p99 | QCD | mean |")
    print_line("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(options.workers) as pool:
        for (count, coefficient, *_), found in zip(tasks, pool.map(_job, tasks), strict=True):
            cells = " | ".join(one.text() for _, one in found.each())
            print_line(f"| {count:,} | {coefficient:g} | {cells} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
