"""As LDMS stores it (`store_csv`): a row per router or NIC and reading, totals since the start."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from odonata.core.errors import RunError
from odonata.output.exports.columns import check_tiles, link_columns, nic_columns, tile_columns
from odonata.output.exports.observer import Seen

_KEYS = ("#Time", "Time_usec", "ProducerName", "component_id", "job_id")

_PLACE = ("time_ns", "router")


def files(seen: Seen) -> Iterator[tuple[str, bytes]]:
    """``aries_rtr_mmr.csv``: a row per router, by one of its nodes; ``aries_nic_mmr.csv``: per NIC.

    The set of NICs has the names that begin with ``AR_NIC``, as `aries_nic_mmr` takes no other;
    what routers count of their links to NICs (``AR_NL``) is in the set of routers. LDMS writes
    microseconds; here the time has all digits of a nanosecond.

    Yields
    ------
    tuple of str and bytes
        File and content.

    Raises
    ------
    RunError
        Ports are no tiles, or there is nothing to see.
    """
    check_tiles(seen)
    tiles, names = tile_columns(seen)
    if not names or tiles.is_empty():
        raise RunError(
            f"job `{seen.job}` is on no router whose counters the run has; name another one with "
            "--job, or give --all."
        )
    nodes = pl.Series([seen.reader[router] for router in tiles["router"].to_list()])
    links, more = link_columns(seen)
    tiles = tiles.join(links, on=_PLACE, how="left", maintain_order="left")
    yield "aries_rtr_mmr.csv", _csv(seen, tiles, nodes, names + more)
    nics, names = nic_columns(seen, sorted(seen.nics["node"].unique().to_list()))
    if names:
        yield "aries_nic_mmr.csv", _csv(seen, nics, nics["node"], names)


def _csv(seen: Seen, frame: pl.DataFrame, nodes: pl.Series, names: list[str]) -> bytes:
    times = frame["time_ns"].to_list()
    keys = pl.DataFrame({
        "#Time": [f"{time / 1e9:.12f}" for time in times],
        "Time_usec": [int(time / 1e3) % 1_000_000 for time in times],
        "ProducerName": [seen.host(node) for node in nodes.to_list()],
        "component_id": [seen.hosts[node][0] for node in nodes.to_list()],
        "job_id": [0] * len(times),
    })  # fmt: skip
    return (
        pl.concat([keys.select(_KEYS), frame.select(names)], how="horizontal").write_csv().encode()
    )
