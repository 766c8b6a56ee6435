"""What one observer of a run sees of its counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from odonata.core.errors import RunError, suggestion
from odonata.results import Result
from odonata.scenario.nodes import NodeType, node_types

COUNTERS, NICS = "counters", "nic_counters"

_LINK = "AR_NL_"
"""How the names of counters begin that sit in a router, at its links to NICs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Counters of some routers and NICs.

    Attributes
    ----------
    name : str
        Of the run, fit for a file.
    job : str
        Whose ranks read them.
    tiles : polars.DataFrame
        As the table `counters`, with ``time_ns``.
    nics : polars.DataFrame
        As the table `nic_counters`, with ``time_ns``.
    links : polars.DataFrame
        What the routers count of the links to all of their NICs: as `nics`, with ``router``; empty
        if the run has no counters of NICs of other users.
    times : list of float
        Instants of the readings, ns; the first is 0.
    reader : mapping of int to int
        The node that reads the counters of each router: the lowest of the job, or of all.
    routers : mapping of int to int
        Router of each node.
    ranks : mapping of int to int
        Lowest rank of the job on each of its nodes.
    hosts : mapping of int to tuple of int
        Computer that the NIC of each node belongs to, and which of its NICs it is.
    """

    name: str
    job: str
    tiles: pl.DataFrame
    nics: pl.DataFrame
    links: pl.DataFrame
    times: list[float]
    reader: Mapping[int, int]
    routers: Mapping[int, int]
    ranks: Mapping[int, int]
    hosts: Mapping[int, tuple[int, int]]

    def host(self, node: int) -> str:
        """Name of the computer that the NIC of a node belongs to."""
        return f"nid{self.hosts[node][0]:05d}"


def seen(result: Result, job: str | None, *, everything: bool) -> Seen:
    """What the ranks of a job see, or an operator.

    Raises
    ------
    RunError
        There are no counters, or no such job.
    """
    if COUNTERS not in result.tables():
        raise RunError(
            f"{result.directory or 'the run'}: it has no counters; run it with `--set "
            "telemetry.counters=true`."
        )
    job = job if job is not None else _first(result)
    if job not in result.jobs:
        raise RunError(f"there is no job `{job}` in the run.{suggestion(job, list(result.jobs))}")
    ranks = result.table("ranks").filter(pl.col("job") == job).sort("rank", descending=True)
    rank_of = dict(zip(ranks["node"].to_list(), ranks["rank"].to_list(), strict=True))
    links = result.table("links").filter(pl.col("target_node").is_not_nan())
    nodes = links["target_node"].cast(pl.Int64).to_list()
    routers = dict(sorted(zip(nodes, links["source_router"].to_list(), strict=True)))
    readers = [node for node in routers if everything or node in rank_of]
    reader: dict[int, int] = {}
    for node in readers:
        reader.setdefault(routers[node], node)
    end = float(result.summary["simulated_ns"])
    tiles, nics = (_timed(result.table(name), end) for name in (COUNTERS, NICS))
    links = _links(result, nics, routers).filter(pl.col("router").is_in(list(reader)))
    nics = nics.filter(~pl.col("counter").str.starts_with(_LINK))
    if not everything:
        tiles = tiles.filter(pl.col("router").is_in(list(reader)))
        nics = nics.filter(pl.col("node").is_in(readers))
    return Seen(
        name=str(result.summary.get("name") or "run").replace("/", "-"),
        job=job,
        tiles=tiles,
        nics=nics,
        links=links,
        times=sorted({0.0, *tiles["time_ns"].to_list(), *nics["time_ns"].to_list()}),
        reader=reader,
        routers=routers,
        ranks=rank_of,
        hosts=_hosts(routers, result.scenario.get("system", {}).get("node", {})),
    )


def _links(result: Result, nics: pl.DataFrame, routers: Mapping[int, int]) -> pl.DataFrame:
    """Counters of routers among those of NICs, each with its router."""
    found = nics.filter(pl.col("counter").str.starts_with(_LINK))
    if result.scenario.get("telemetry", {}).get("counter_view") == "user":
        found = found.clear()
    router = pl.col("node").replace_strict(routers, return_dtype=pl.UInt64)
    return found.with_columns(router=router)


def _hosts(routers: Mapping[int, int], node: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    """Computer and number of every NIC, as ``[system.node]`` joins them (docs/model/topologies.md).

    Examples
    --------
    >>> _hosts({0: 0, 1: 0, 2: 1, 3: 1}, {"nics": 2})
    {0: (0, 0), 1: (1, 0), 2: (0, 1), 3: (1, 1)}
    """
    found: dict[int, tuple[int, int]] = {}
    rest, first = sorted(routers.items()), 0
    for one in node_types(node):
        count = one.ends(len(rest))
        found |= _of_type(rest[:count], one, first)
        rest, first = rest[count:], first + count // one.nics
    return dict(sorted(found.items()))


def _of_type(
    ends: Sequence[tuple[int, int]], one: NodeType, first: int
) -> dict[int, tuple[int, int]]:
    """The same of nodes that are alike, from their ends and the routers of these."""
    if one.nics == 1 or one.wiring == "together":
        return {end: (first + at // one.nics, at % one.nics) for at, (end, _) in enumerate(ends)}
    of_router: dict[int, list[int]] = {}
    for end, router in ends:
        of_router.setdefault(router, []).append(end)
    found: dict[int, tuple[int, int]] = {}
    for place, ports in enumerate(of_router.values()):
        if place and place % one.nics == 0:
            first += len(ports)
        found |= {end: (first + port, place % one.nics) for port, end in enumerate(ports)}
    return found


def _first(result: Result) -> str:
    jobs = result.summary.get("jobs", [])
    victims = [one["name"] for one in jobs if one.get("role") == "victim"]
    return str(victims[0] if victims else next(iter(result.jobs), ""))


def _timed(table: pl.DataFrame, end_ns: float) -> pl.DataFrame:
    """With the instant of the reading; the end, if there is only that one."""
    if "time_ns" in table.columns:
        return table
    return table.with_columns(time_ns=pl.lit(end_ns))
