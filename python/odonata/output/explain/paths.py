"""How long the ways of a job's packets are, and how long they could be."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.core import native
from odonata.core.errors import Error
from odonata.output.explain.charged_waits import table
from odonata.scenario import Scenario
from odonata.scenario.inputs import Inputs

if TYPE_CHECKING:
    from odonata.results import Result

_SOURCES = 128
"""Routers of a job from which shortest paths are looked for; of more, evenly spread ones."""


@dataclass(frozen=True)
class Ways:
    """Routers on the shortest paths between the nodes of a job, each two nodes counted alike.

    Attributes
    ----------
    shortest : float
        Mean over ordered pairs of nodes, in the network as it is.
    intact : float
        The same if no link had failed.
    longer : int
        Pairs whose shortest path became longer by failures.
    pairs : int
        All that were looked at.
    failed : int
        Links that have failed, both directions as one.
    """

    shortest: float
    intact: float
    longer: int
    pairs: int
    failed: int


def ways(run: Result, job: str) -> Ways | None:
    """Look for the shortest paths between the nodes of a job.

    Parameters
    ----------
    run : Result
        With the tables `links` and `ranks`.
    job : str
        Whose nodes.

    Returns
    -------
    Ways or None
        ``None`` where the job has one node, or a table is missing.
    """
    links, ranks = table(run, "links"), table(run, "ranks")
    if links.is_empty() or ranks.is_empty():
        return None
    nodes = set(ranks.filter(pl.col("job") == job)["node"].to_list())
    hosts = links.filter(pl.col("kind") == "host").select("target_node", "source_router")
    home = {int(node): int(router) for node, router in hosts.iter_rows() if node is not None}
    routers = [home[node] for node in sorted(nodes) if node in home]
    if len(routers) < 2:
        return None
    here = _joined(links.filter(pl.col("kind") != "host"))
    whole, failed = _intact(run)
    both = [_distances(routers, graph) for graph in ([here, whole] if whole else [here])]
    now, then = both[0], both[-1]
    pairs = len(now)
    if not pairs or any(one is None for one in (*now, *then)):
        return None
    kept = [(a, b) for a, b in zip(now, then, strict=True) if a is not None and b is not None]
    return Ways(
        shortest=sum(a for a, _ in kept) / pairs,
        intact=sum(b for _, b in kept) / pairs,
        longer=sum(a > b for a, b in kept),
        pairs=pairs,
        failed=failed,
    )


def _joined(links: pl.DataFrame) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for source, target in links.select("source_router", "target_router").iter_rows():
        found.setdefault(int(source), set()).add(int(target))
    return found


def _intact(run: Result) -> tuple[dict[int, set[int]], int]:
    """Network of a run without its failures; empty if none failed, or it cannot be built."""
    system = run.scenario.get("system", {})
    if "failures" not in system:
        return {}, 0
    whole = {**system}
    failures: Any = whole.pop("failures")
    try:
        point = Scenario.from_mapping(
            {**run.scenario, "system": whole}, folder=run.directory or Path()
        ).points[0]
        ready = Inputs(executes=False).of(point)
        _, columns = native.topology(ready.config, ready.texts)
    except Error:  # a file that it names is elsewhere
        return {}, 0
    links = pl.DataFrame(columns).filter(pl.col("kind") != "host")
    there = table(run, "links").filter(pl.col("kind") != "host")
    return _joined(links), (len(links) - len(there)) // 2 if failures else 0


def _distances(routers: list[int], graph: dict[int, set[int]]) -> list[int | None]:
    """Routers on the shortest path of every ordered pair of nodes, both ends included."""
    sources = sorted(set(routers))
    step = -(-len(sources) // _SOURCES)
    counts = {router: routers.count(router) for router in sources}
    found: list[int | None] = []
    for source in sources[::step]:
        far = _from(source, graph)
        for target in routers:
            many = counts[source] - (1 if target == source else 0)
            found += [far.get(target)] * many
    return found


def _from(source: int, graph: dict[int, set[int]]) -> dict[int, int]:
    far, waiting = {source: 1}, deque([source])
    while waiting:
        here = waiting.popleft()
        for there in graph.get(here, ()):
            if there not in far:
                far[there] = far[here] + 1
                waiting.append(there)
    return far
