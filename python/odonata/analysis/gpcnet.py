"""The statistics of GPCNeT: averages, 99 % values, and how congestion moves them.

References
----------
GPCNeT 1.3, public sources; Chunduri et al., "GPCNeT: designing a benchmark suite for inducing and
measuring contention in HPC networks", SC 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Victim = Literal["gpcnet-latency", "gpcnet-bandwidth", "gpcnet-allreduce"]

_OUTSTANDING = 8
_NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class Statistic:
    """What the benchmark prints of a victim.

    Parameters
    ----------
    average : float
        Mean over iterations and ranks; us, or MiB/s per rank.
    worst_1_percent : float
        What 99 % of all iterations of all ranks keep to: at most so many us, at least so many
        MiB/s.
    """

    average: float
    worst_1_percent: float


def statistic(
    span_ns: npt.NDArray[np.floating], victim: Victim, *, message_bytes: int = 131_072
) -> Statistic:
    """Average and 99 % value of a victim.

    Parameters
    ----------
    span_ns : array, ns, any shape
        `end_ns - start_ns` of every iteration of every rank, from the table `iterations`.
    victim : str
        Kind of the workload: half a span is a latency, a whole one an allreduce; a bandwidth is 16
        messages over a span.
    message_bytes : int
        Of `gpcnet-bandwidth`.

    Returns
    -------
    Statistic
        In us, or MiB/s per rank.

    Raises
    ------
    ValueError
        Without iterations, or if a span is not positive.
    """
    spans = np.asarray(span_ns, dtype=float).ravel()
    if spans.size == 0 or not np.all(spans > 0.0):
        message = "statistics need iterations, each of which takes some time"
        raise ValueError(message)
    if victim == "gpcnet-bandwidth":
        moved = _NEIGHBOURS * _OUTSTANDING * message_bytes / 2**20
        values = moved / (spans / 1e9)
        worst = float(np.quantile(values, 0.01, method="inverted_cdf"))
    else:
        values = spans / 1e3 / (2.0 if victim == "gpcnet-latency" else 1.0)
        worst = float(np.quantile(values, 0.99, method="inverted_cdf"))
    return Statistic(average=float(values.mean()), worst_1_percent=worst)


def impact(isolated: Statistic, congested: Statistic, victim: Victim) -> Statistic:
    """How many times worse congestion makes a victim, from values with one decimal as printed.

    Parameters
    ----------
    isolated, congested : Statistic
        Of the victim alone, and beside the congestors.
    victim : str
        Kind of the workload; of a bandwidth the inverse is taken.

    Returns
    -------
    Statistic
        Congestion impact factors: 1 is none.
    """
    pairs = (
        (isolated.average, congested.average),
        (isolated.worst_1_percent, congested.worst_1_percent),
    )
    factors = []
    for alone, beside in pairs:
        before, after = round(alone, 1), round(beside, 1)
        top, bottom = (before, after) if victim == "gpcnet-bandwidth" else (after, before)
        factors.append(top / bottom if bottom else float("inf"))
    return Statistic(*factors)
