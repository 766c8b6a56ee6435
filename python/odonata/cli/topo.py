"""``odonata topo``: sizes, wiring and a picture of a system."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen
from odonata.core.errors import RunError
from odonata.scenario import Point, before, machine
from odonata.scenario.presets import Published, presets

_KINDS = ("host", "local", "row", "column", "global")
_ORDER = ("family", "nodes", "machine_nodes", "routers", "groups", "radix", "host_channels")
_WORDS = {
    "nics_per_node": "NICs per node",
    "nodes_out_of_service": "nodes out of service",
    "diameter_hops": "diameter",
    "average_minimal_hops": "average of minimal hops",
    "minimal_paths": "minimal paths per pair",
    "nonminimal_paths": "non-minimal paths per pair",
    "bisection_bytes_per_s": "bisection bandwidth",
    "between_kinds_bytes_per_s": "bandwidth between kinds, each way",
}

_KIND_ORDER = (
    "groups",
    "routers_per_group",
    "routers_without_nodes_per_group",
    "local_links_per_router",
    "nodes_per_router",
    "machine_nodes",
    "machine_nodes_per_group",
    "nodes_in_service",
    "nodes",
    "nics_in_service",
    "nodes_per_group",
    "links_per_group_pair",
    "global_links_per_group",
    "links_to_other_kinds",
    "taper",
    "global_bytes_per_s",
    "bisection_bytes_per_s",
)
"""What is told of each kind of groups."""

_KIND_WORDS = {
    "local_links_per_router": "local links of a router",
    "nodes_in_service": "nodes in service",
    "nics_in_service": "NICs in service",
    "links_to_other_kinds": "links of a group to other kinds",
    "global_bytes_per_s": "global bandwidth, each way",
    "bisection_bytes_per_s": "bisection bandwidth, each way",
}
"""Names of some of it."""

_ENDS = {
    "nodes": "network ends (NICs)",
    "machine_nodes": "nodes",
    "machine_nodes_per_group": "nodes per group",
    "nodes_per_group": "network ends (NICs) per group",
    "nodes_per_router": "network ends (NICs) per router",
}
"""Names where nodes have several NICs: each of them is a node of the network."""


def add(commands: Commands) -> None:
    """Put ``topo`` among the commands."""
    command = commands.add_parser("topo", description="Sizes and wiring of a system.")
    command.add_argument(
        "system", metavar="SYSTEM",
        help='preset such as theta or "dragonfly(4, 8, 4, 33)", or a scenario file (*.toml)',
    )  # fmt: skip
    command.add_argument(
        "--edges", type=Path, metavar="FILE",
        help="write the channels (.csv or .parquet); `topology.kind = \"file\"` reads them",
    )  # fmt: skip
    command.add_argument("--svg", type=Path, metavar="FILE", help="draw the system (.svg)")
    add_json(command)
    command.set_defaults(command=topo)


def topo(options: argparse.Namespace) -> int:
    """``odonata topo SYSTEM``."""
    found = described(options.system)
    summary, channels = found.summary, found.channels
    published = found.published
    if options.edges is not None:
        _write_edges(channels, options.edges)
    if options.svg is not None:
        _write_svg(channels, summary, found.point, options)
    if options.json:
        told = {"published": published} if published else {}
        print(json.dumps({"exit_code": 0, "system": options.system, **summary, **told}))
        return 0
    # Where there is one group nothing is known of two.
    _table({key: value for key, value in summary.items() if value is not None}).print(screen())
    if published:
        _beside(published).print(screen())
    return 0


@dataclass(frozen=True, slots=True)
class Described:
    """A system in numbers.

    Attributes
    ----------
    point : Point
        A run on it.
    summary : dict
        As ``odonata topo --json`` prints it.
    channels : polars.DataFrame
        A row for each directed channel.
    published : list of dict
        What its operators publish, each number with that of its preset.
    """

    point: Point
    summary: dict[str, Any]
    channels: pl.DataFrame
    published: list[dict[str, Any]]


def described(system: str) -> Described:
    """A preset or the system of a scenario file, in numbers.

    Raises
    ------
    ScenarioError
        There is no such system, or it cannot be built.
    """
    point = machine.point_on(system)
    summary, columns = before.topology(point)
    summary.pop("layout", None)  # the picture follows from the channels
    return Described(
        point=point,
        summary=summary,
        channels=_numbered(pl.DataFrame(columns)),
        published=_published(system, summary),
    )


def _published(system: str, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the operators publish of a machine, each number with that of its preset."""
    preset = presets().get(system.strip())
    return [_compared(one, summary) for one in preset.published] if preset is not None else []


def _compared(one: Published, summary: Mapping[str, Any]) -> dict[str, Any]:
    found: Any = summary
    for part in one.key.split("."):
        found = found[part]
    return {
        "what": one.what,
        "key": one.key,
        "published": one.value,
        "preset": found * one.times,
        "agrees": agrees(one.value, found * one.times),
        "source": one.source,
        **({"differs": one.differs} if one.differs else {}),
    }


def agrees(published: float, found: float) -> bool:
    """Whether a number is the published one, in as many digits as a published fraction has.

    Examples
    --------
    >>> agrees(0.57, 292 / 512), agrees(0.58, 292 / 512), agrees(9408, 9408), agrees(9408, 9472)
    (True, False, True, False)
    """
    if isinstance(published, int):
        return published == found
    digits = len(Decimal(repr(published)).normalize().as_tuple().digits)
    return float(f"{found:.{digits - 1}e}") == published


def _beside(published: list[dict[str, Any]]) -> Listing:
    """The table of these numbers."""
    table = (
        Listing("Published by the operators").labels("what").prose("published", "here", "source")
    )
    for one in published:
        parts = one["key"].split(".")
        key = next((part for part in parts if part.endswith("_bytes_per_s")), parts[-1])
        source = one["source"] + (f"; {one['differs']}" if "differs" in one else "")
        table.row(one["what"], _as_published(key, one["published"]),
                  _told(key, one["preset"]), source)  # fmt: skip
    return table


def _numbered(channels: pl.DataFrame) -> pl.DataFrame:
    """Ids as whole numbers; where there is none, null."""
    ends = [name for name in channels.columns if name.startswith(("source_", "target_"))]
    return channels.with_columns(
        pl.col(name).fill_nan(None).cast(pl.UInt32)
        if channels[name].dtype.is_float()
        else pl.col(name).cast(pl.UInt32)
        for name in ends
    )


def _table(summary: Mapping[str, Any]) -> Listing:
    table = Listing(has_header=False).labels("what").prose("how much")
    links = {kind: summary.get(f"{kind}_channels") for kind in _KINDS}
    told = ", ".join(f"{kind} {count:,}" for kind, count in links.items() if count)
    first = [key for key in _ORDER if key in summary]
    for key in [*first, *(key for key in summary if key not in first)]:
        value = summary[key]
        if key in _SEVERAL_ROWS:
            _SEVERAL_ROWS[key](table, value)
            continue
        if key.removesuffix("_channels") in links:
            if told:
                table.row("directed channels", told)
                told = ""
            continue
        name = _WORDS.get(key, key.replace("_", " "))
        if "machine_nodes" in summary:
            name = _ENDS.get(key, name)
        table.row(name, _shown(key, value))
    return table


def _kinds(table: Listing, kinds: Mapping[str, Mapping[str, Any]]) -> None:
    """The groups of each kind, a row for each number."""
    for kind, numbers in kinds.items():
        for key in _KIND_ORDER:
            value = numbers.get(key)
            if not value:
                continue  # no nodes, or one group
            name = _KIND_WORDS.get(key, _WORDS.get(key, key.replace("_", " ")))
            if "machine_nodes" in numbers:
                name = _ENDS.get(key, name)
            table.row(f"{kind}: {name}", _told(key, value))


def _types(table: Listing, types: Mapping[str, Mapping[str, int]]) -> None:
    """The nodes of each type, a row for each."""
    for name, numbers in types.items():
        table.row(f"nodes of type {name}", _nodes_of_type(numbers))


def _latencies(table: Listing, kinds: Mapping[str, object]) -> None:
    """The latencies of links that differ, a row for each kind."""
    for kind, spread in kinds.items():
        table.row(f"latency of {kind} links [ns]", _shown("latency_ns", spread))


_SEVERAL_ROWS: dict[str, Callable[[Listing, Any], None]] = {
    "group_kinds": _kinds,
    "node_types": _types,
    "latency_ns": _latencies,
}
"""What is told of the keys that have more than one row."""


def _nodes_of_type(numbers: Mapping[str, int]) -> str:
    """How many there are, and their NICs."""
    nodes, served, nics = (numbers[key] for key in ("nodes", "nodes_in_service", "nics_per_node"))
    service = "" if served == nodes else f", {served:,} of them in service"
    return f"{nodes:,}{service}, each with {nics} NIC{'s' if nics > 1 else ''}"


def _as_published(key: str, value: float) -> str:
    """Text of a number in the digits that are published of it."""
    if key == "taper":
        return f"{100 * value:g} %"
    is_whole = float(value).is_integer() and not key.endswith("_bytes_per_s")
    return _shown(key, int(value) if is_whole else value)


def _told(key: str, value: float) -> str:
    """Text of a number of a kind of groups."""
    return f"{100 * value:.1f} %" if key == "taper" else _shown(key, value)


def _shown(key: str, value: object) -> str:
    """Text of a value of the summary; bandwidths in TB/s."""
    if isinstance(value, dict):
        return _shown_table(key, value)
    if isinstance(value, list):
        return ", ".join(_shown(key, entry) for entry in value) or "none"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "-" if value is None else str(value)
    if key.endswith("_bytes_per_s"):
        return f"{value / 1e12:.4g} TB/s"
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"


def _shown_table(key: str, table: Mapping[str, Any]) -> str:
    """Text of a table of values; of a spread, its ends and its mean."""
    if set(table) == {"least", "mean", "most"}:
        least, mean, most = (_shown(key, table[name]) for name in ("least", "mean", "most"))
        return least if least == most else f"{least} to {most}, mean {mean}"
    return ", ".join(f"{name.replace('_', ' ')} {_shown(key, v)}" for name, v in table.items())


def _write_edges(channels: pl.DataFrame, path: Path) -> None:
    """Channel list as CSV or Parquet, by the ending of the name; no end is an empty cell."""
    writers: dict[str, Callable[[Path], Any]] = {
        ".parquet": channels.write_parquet,
        ".csv": channels.write_csv,
    }
    writer = writers.get(path.suffix)
    if writer is None:
        raise RunError(f"{path}: name the file *.csv or *.parquet.")
    _whole(path, writer)


def _write_svg(
    channels: pl.DataFrame, summary: Mapping[str, Any], point: Point, options: argparse.Namespace
) -> None:
    from odonata.output.plots.wiring import wiring  # noqa: PLC0415 - pictures take a second to import

    if options.svg.suffix != ".svg":
        raise RunError(f"{options.svg}: name the file *.svg.")
    system = options.system
    title = str(point.resolved["name"]) if system.endswith(".toml") else system
    nodes = "NICs" if "machine_nodes" in summary else "nodes"
    words = {"nodes": nodes, "routers": "routers", "groups": "groups"}
    counts = [f"{summary[key]:,} {word}" for key, word in words.items() if key in summary]
    notes = [", ".join(counts)]
    if "diameter_hops" in summary:
        notes.append(f"diameter {summary['diameter_hops']} hops")
    text = wiring(channels, title=title, notes=notes)
    _whole(options.svg, lambda partial: partial.write_text(text, encoding="utf-8"))


def _whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file that appears under its name only when it is whole."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        write(partial)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        problem = (error.strerror or str(error)).lower()
        raise RunError(f"{path} cannot be written: {problem}; choose another file.") from None
