"""Draw the nodes of jobs by what is known of LUMI's and Leonardo's: ``python draw.py``.

A job takes the free nodes of one group after the other, from a random group on, in the order of
their numbers. How many are free in a group is drawn from an exponential distribution. Its mean is
that with which the largest group of a job has the published share of its nodes on average. A
quarter of 512 nodes is a whole group of LUMI, which says nothing: there the mean is that with which
jobs are in the published number of groups. Nothing that a claim is about decides it. Jobs within
one group are left out, as the source leaves them out.
"""

from __future__ import annotations

import random
from pathlib import Path
from statistics import fmean

DRAWS, TRIED = 20, 2000
MACHINES = {
    "lumi": (24, 124, {16: 0.80, 32: 0.64, 64: 0.43, 128: 0.28, 256: 0.28, 512: 7, 1000: 22}),
    "leonardo": (20, 180, {16: 0.60, 32: 0.35, 64: 0.25, 128: 0.26, 256: 0.19}),
}
"""Groups, nodes of one; by nodes of a job the share of its largest group, or how many it has."""


def shares(ranks: int, groups: int, nodes: int, free: float, chance: random.Random) -> list[int]:
    """How many nodes a job has in each group."""
    while True:
        left, found, first = ranks, [0] * groups, chance.randrange(groups)
        for step in range(groups):
            here = min(left, nodes, round(chance.expovariate(1 / free)))
            found[(first + step) % groups] = here
            left -= here
        if not left:
            return found


def mean_free(ranks: int, groups: int, nodes: int, wanted: float) -> float:
    """The mean of free nodes in a group with which the largest group has that share."""
    low, high = 1.5 * ranks / groups, 8.0 * nodes
    for _ in range(12):
        free = (low * high) ** 0.5
        chance = random.Random(ranks)  # noqa: S311 - nothing secret
        drawn = [shares(ranks, groups, nodes, free, chance) for _ in range(TRIED)]
        largest = fmean(map(max, drawn)) / ranks
        spread = fmean(sum(map(bool, one)) for one in drawn)
        is_wider = spread > wanted if wanted > 1 else largest < wanted
        low, high = (free, high) if is_wider else (low, free)
    return free


def main() -> None:
    """Write a file for each machine and size."""
    for machine, (groups, nodes, sizes) in MACHINES.items():
        for ranks, wanted in sizes.items():
            free, lines = mean_free(ranks, groups, nodes, wanted), []
            chance = random.Random(f"{machine} {ranks}")  # noqa: S311 - as above
            while len(lines) < DRAWS:
                drawn = shares(ranks, groups, nodes, free, chance)
                if max(drawn) < ranks:
                    ids = [f"{g * nodes}-{g * nodes + n - 1}" for g, n in enumerate(drawn) if n]
                    lines.append(",".join(ids))
            path = Path(__file__).with_name(f"{machine}-{ranks}.txt")
            path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
