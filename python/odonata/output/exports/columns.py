"""Counters as columns: one for each counter of each tile, by the full name."""

from __future__ import annotations

import polars as pl

from odonata.core.errors import RunError
from odonata.output.exports.observer import Seen
from odonata.scenario.counters import counters

_PROCESSOR_ROW = 5


def tile_names() -> dict[str, list[str]]:
    """Bare names of the counters of network and of processor tiles, without derived ones."""
    found: dict[str, list[str]] = {"network": [], "processor": []}
    for counter in counters():
        kind = counter.place.partition(" tile")[0]
        if kind in found and not counter.is_derived:
            found[kind] += counter.names
    return found


def check_tiles(seen: Seen) -> None:
    """Raises :class:`RunError` where ports are no tiles."""
    if "tile" not in seen.tiles.columns:
        raise RunError(
            "the routers of this system have more ports than an Aries has tiles; export its NICs "
            "with `--format cassini`, or use the table `counters`."
        )


def are_cassini(seen: Seen) -> bool:
    """Whether the NICs have counters by the names of Cassini."""
    return not seen.nics["counter"].str.starts_with("AR_").any()


def full_name(tile: int, bare: str) -> str:
    """A counter of a tile as PAPI has it.

    Examples
    --------
    >>> full_name(47, "INQ_PRF_ROWBUS_STALL_CNT")
    'AR_RTR_4_7_INQ_PRF_ROWBUS_STALL_CNT'
    >>> full_name(52, "INQ_PRF_ROWBUS_2X_USAGE_CNT")
    'AR_RTR_PT_5_2_INQ_PRF_ROWBUS_2X_USAGE_CNT'
    """
    row, column = divmod(tile, 10)
    middle = f"PT_{row}_{column}" if row == _PROCESSOR_ROW else f"{row}_{column}"
    return f"AR_RTR_{middle}_{bare}"


def tile_columns(seen: Seen) -> tuple[pl.DataFrame, list[str]]:
    """Readings of tiles, wide: ``time_ns``, ``router``, a column for each counter of each tile.

    All counters of every tile that has counted anything at one of the routers are there; what has
    no row is 0.
    """
    names = tile_names()
    tiles = sorted(seen.tiles["tile"].unique().to_list())
    columns = [
        full_name(tile, bare)
        for tile in tiles
        for bare in names["processor" if tile // 10 == _PROCESSOR_ROW else "network"]
    ]
    kinds = pl.DataFrame(
        {"name": columns, "tile": [tile for tile in tiles for _ in _of(tile, names)],
         "counter": [bare for tile in tiles for bare in _of(tile, names)]},
        schema={"name": pl.String, "tile": pl.UInt64, "counter": pl.String},
    )  # fmt: skip
    found = seen.tiles.join(kinds, on=["tile", "counter"])
    return _wide(found, "router", list(seen.reader), (seen.times, columns)), columns


def nic_columns(seen: Seen, nodes: list[int]) -> tuple[pl.DataFrame, list[str]]:
    """The same of NICs: ``time_ns``, ``node``, a column for each counter that counted anything."""
    found = seen.nics.filter(pl.col("node").is_in(nodes)).with_columns(name=pl.col("counter"))
    columns = _there(found)
    return _wide(found, "node", nodes, (seen.times, columns)), columns


def link_columns(seen: Seen) -> tuple[pl.DataFrame, list[str]]:
    """What routers count of the links to their NICs: ``time_ns``, ``router``, and as above."""
    found = (
        seen.links.group_by("time_ns", "router", "counter", maintain_order=True)
        .agg(pl.col("value").sum())
        .with_columns(name=pl.col("counter"))
    )
    columns = _there(found)
    return _wide(found, "router", list(seen.reader), (seen.times, columns)), columns


def _there(found: pl.DataFrame) -> list[str]:
    """Names of the machine that have rows, in the order of the machine; no derived ones."""
    known = [one for row in counters() if not row.is_derived for one in row.names]
    there = set(found["name"].unique().to_list())
    return [name for name in dict.fromkeys(known) if name in there]


def _of(tile: int, names: dict[str, list[str]]) -> list[str]:
    return names["processor" if tile // 10 == _PROCESSOR_ROW else "network"]


def _wide(
    found: pl.DataFrame, key: str, places: list[int], shape: tuple[list[float], list[str]]
) -> pl.DataFrame:
    """A row for every instant and place, a column for every name; 0 where there is nothing."""
    times, columns = shape
    frame = pl.DataFrame({"time_ns": times}).join(
        pl.DataFrame({key: places}, schema={key: pl.UInt64}), how="cross"
    )
    if len(found):
        wide = found.filter(pl.col("name").is_in(columns)).pivot(
            on="name", index=["time_ns", key], values="value"
        )
        frame = frame.join(wide, on=["time_ns", key], how="left", maintain_order="left")
    missing = [pl.lit(0, dtype=pl.UInt64).alias(n) for n in columns if n not in frame.columns]
    return frame.with_columns(missing).select(
        "time_ns", key, *(pl.col(name).fill_null(0) for name in columns)
    )
