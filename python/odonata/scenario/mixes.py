"""What jobs of a log communicate, which no log says: shares of workloads that a user chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odonata.core.errors import Error, suggestion
from odonata.scenario import registry
from odonata.scenario.backgrounds import backgrounds

OPEN_LOOP = "open-loop"
MEASURED = "measured"
"""The mix of a log that says how much each job sent."""

MIXES: dict[str, dict[str, float]] = {
    "hpc": {"halo26": 0.35, "hpcg": 0.2, "lammps": 0.15, "fft": 0.15, "allreduce": 0.15},
    "training": {"training": 0.7, "dl": 0.3},
    "gpcnet": {"gpcnet-alltoall": 0.25, "gpcnet-incast": 0.25, "gpcnet-put-incast": 0.25,
               "gpcnet-get-bcast": 0.25},
    "uniform": {OPEN_LOOP: 1.0},
}  # fmt: skip
"""Named mixes. Shares are assumed; the congestors of GPCNeT have equal ones there."""

LOAD = 0.1
"""Of open-loop traffic, of the injection bandwidth; assumed."""

NEED_MORE = {"trace", "program", "profile"}
"""Workloads that need a file."""
_MOST_ITERATIONS = 8
"""They repeat as long as the run lasts."""


def read(text: str) -> dict[str, float]:
    """Shares of workloads, which add up to 1.

    Parameters
    ----------
    text : str
        A name of :data:`MIXES`, ``measured``, or ``halo3d=0.6,alltoall=0.4``.

    Raises
    ------
    Error
        No such mix or workload, or a share that is none.
    """
    if text == MEASURED:
        return {}
    if text in MIXES:
        return dict(MIXES[text])
    known = [
        *(one for one in registry.family("workloads") if one not in NEED_MORE),
        *backgrounds(),
    ]
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = (one.strip() for one in part.partition("="))
        if name not in known:
            near = suggestion(name, [*MIXES, MEASURED, *known])
            raise Error(f"--mix: no mix or workload is called `{name}`.{near}")
        try:
            found[name] = float(share or 1)
        except ValueError:
            found[name] = 0.0
        if not 0 < found[name] < float("inf"):
            raise Error(f"--mix: `{share}` is no share of `{name}`; write, for example, "
                        "halo3d=0.6,alltoall=0.4.")  # fmt: skip
    return {name: share / sum(found.values()) for name, share in found.items()}


def dealt(shares: Mapping[str, float], sizes: Sequence[int]) -> list[str]:
    """A workload for each job: the largest first, each what lacks most nodes of its share.

    Examples
    --------
    >>> dealt({"a": 0.5, "b": 0.5}, [10, 90, 80])
    ['b', 'a', 'b']
    """
    given = dict.fromkeys(shares, 0.0)
    found = [""] * len(sizes)
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
        total = sum(given.values()) + sizes[index]
        name = max(shares, key=lambda one: shares[one] * total - given[one])
        given[name] += sizes[index]
        found[index] = name
    return found


def workload(name: str, nodes: int, nics: int, per_node: int) -> dict[str, Any]:
    """Keys of a job that runs a workload on so many nodes.

    Parameters
    ----------
    nics : int
        NICs of a node: open-loop traffic has a source at each.
    per_node : int
        Ranks on a node, of anything else.
    """
    if name in backgrounds():
        return {"workload": {"preset": name, "ranks": nodes * nics}}
    if name == OPEN_LOOP:
        return {"workload": {"kind": name, "ranks": nodes * nics, "load": LOAD}}
    table: dict[str, Any] = {"kind": name, "ranks": nodes * per_node}
    for field in registry.family("workloads")[name].parameters:
        if field.name == "iterations" and isinstance(field.default, int):
            table["iterations"] = min(field.default, _MOST_ITERATIONS)
    return ({"ranks_per_node": per_node} if per_node > 1 else {}) | {"workload": table}
