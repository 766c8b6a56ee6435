"""As AriesNCL writes it, by the ranks of a job: one of each router reads its tiles and its NIC."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import polars as pl

from odonata.core.errors import RunError
from odonata.output.exports.columns import (
    check_tiles,
    link_columns,
    nic_columns,
    tile_columns,
    tile_names,
)
from odonata.output.exports.observer import Seen

_MS = 1e6


def binary(seen: Seen) -> Iterator[tuple[str, bytes]]:
    """``NAME.counters.STEP.bin`` for each interval, and ``NAME.timings.json``.

    Yields
    ------
    tuple of str and bytes
        File and content.

    Raises
    ------
    RunError
        Ports are no tiles, or no rank of the job is on a router.
    """
    ranks = _ranks(seen)
    tiles, of_tiles = tile_columns(seen)
    nodes = [seen.reader[router] for router in ranks]
    nics, of_nics = nic_columns(seen, nodes)
    links, of_links = link_columns(seen)
    parts = (
        _cube(tiles, "router", list(ranks), (of_tiles, seen.times)),
        _cube(links, "router", list(ranks), (of_links, seen.times)),
        _cube(nics, "node", nodes, (of_nics, seen.times)),
    )
    values = np.concatenate(parts, axis=2)
    steps = np.diff(values, axis=0)
    spans = np.diff(np.array(seen.times))
    for step, counted in enumerate(steps):
        yield f"{seen.name}.counters.{step}.bin", counted.astype("<i8").tobytes()
    timings = [
        {"timestep": step, "time": [round(span)] * len(ranks)} for step, span in enumerate(spans)
    ]
    head = {"counter_names": of_tiles + of_links + of_nics, "ranks": list(ranks.values()),
            "timings": timings}  # fmt: skip
    yield f"{seen.name}.timings.json", json.dumps(head, indent=1).encode()


def text(seen: Seen) -> Iterator[tuple[str, bytes]]:
    """``NAME.nettiles.REGION.yaml`` and ``NAME.proctiles.REGION.yaml`` for each interval.

    The form has whole milliseconds of elapsed time: they are rounded up.

    Yields
    ------
    tuple of str and bytes
        File and content.

    Raises
    ------
    RunError
        As :func:`binary`.
    """
    ranks = _ranks(seen)
    names = tile_names()
    kinds = (("nettiles", "NETWORK", names["network"], pl.col("tile") < 50),
             ("proctiles", "PROC", names["processor"], pl.col("tile") >= 50))  # fmt: skip
    for file, key, bare, which in kinds:
        own = seen.tiles.filter(which & pl.col("counter").is_in(bare))
        places = own.select("router", "tile").unique().sort("router", "tile").rows()
        totals = {
            row[:4]: row[4]
            for row in own.select("time_ns", "router", "tile", "counter", "value").iter_rows()
        }
        for step, (start, end) in enumerate(zip(seen.times[:-1], seen.times[1:], strict=True)):
            lines = [
                "---", f"key: ARIESCOUNTER_{key}", "---", "- jobid: 0", "- timestamp: 0",
                f"- elapsedtime: {int(-(-(end - start) // _MS))}", "---", "- [mpirank, int32]",
                "- [tilex, int32]", "- [tiley, int32]",
                *(f'- ["{name}", int128]' for name in bare), "...",
            ]  # fmt: skip
            for router, tile in places:
                counted = [
                    totals.get((end, router, tile, name), 0)
                    - totals.get((start, router, tile, name), 0)
                    for name in bare
                ]
                cells = (ranks[router], tile // 10, tile % 10, *counted)
                lines.append(" ".join(map(str, cells)))
            if places:
                yield f"{seen.name}.{file}.{step}.yaml", ("\n".join(lines) + "\n").encode()


def _ranks(seen: Seen) -> dict[int, int]:
    """The reporting rank of each router."""
    check_tiles(seen)
    found = {router: seen.ranks[node] for router, node in seen.reader.items() if node in seen.ranks}
    if not found or seen.tiles.is_empty():
        raise RunError(
            f"job `{seen.job}` has no rank on a router whose counters the run has; name another "
            'job with --job, or run with `telemetry.counter_view = "operator"`.'
        )
    return dict(sorted(found.items()))


def _cube(
    frame: pl.DataFrame, key: str, places: list[int], shape: tuple[list[str], list[float]]
) -> np.ndarray:
    """Values by instant, place and counter."""
    names, times = shape
    order = pl.DataFrame({key: places, "place": range(len(places))},
                         schema={key: pl.UInt64, "place": pl.Int64})  # fmt: skip
    ordered = frame.join(order, on=key).sort("time_ns", "place")
    values = ordered.select(names).to_numpy().astype(np.int64)
    return values.reshape(len(times), len(places), len(names))
