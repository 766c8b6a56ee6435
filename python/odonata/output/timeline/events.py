"""Events of a timeline, from the tables of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import polars as pl

from odonata.output.timeline.schema import EventType
from odonata.output.timeline.tracks import Tracks

if TYPE_CHECKING:
    from odonata.results import Result

Event = tuple[int, dict[str, Any]]
"""Instant, ns, and the fields of a `TrackEvent`."""


def events(run: Result, tracks: Tracks, *, links: int) -> list[Event]:
    """All events of a run, by time; of one instant, in the order in which they happen.

    Parameters
    ----------
    run : odonata.results.Result
        The run.
    tracks : Tracks
        Gets the tracks that the events are on.
    links : int
        How many links are shown, those that are used most.
    """
    tables = set(run.tables())
    for job, rank in run.table("ranks").select("job", "rank").iter_rows():
        tracks.rank(job, rank)
    found = list(_iterations(run.table("iterations"), tracks) if "iterations" in tables else ())
    if "messages" in tables:
        found += _messages(run.table("messages"), tracks)
    if "packets" in tables:
        found += _packets(run.table("packets"), run.table("ranks"), tracks)
    if "series" in tables:
        found += _jobs(run.table("series"), tracks)
    if "link_series" in tables:
        found += _links(run.table("links"), run.table("link_series"), tracks, links)
    return sorted(found, key=lambda event: event[0])


def _iterations(table: pl.DataFrame, tracks: Tracks) -> Iterator[Event]:
    """Iterations of every rank; one that began before the last one ended is drawn from there."""
    ended: dict[int, float] = {}
    columns = ("job", "rank", "repetition", "iteration", "start_ns", "end_ns", "comm_time_ns")
    for job, rank, repetition, iteration, start, end, comm in table.select(columns).iter_rows():
        track = tracks.rank(job, rank)
        name = f"iteration {iteration}" + (f", repetition {repetition}" if repetition else "")
        about = [{"name": "communication time, ns", "double_value": comm}]
        begin = {"type": EventType.SLICE_BEGIN, "track_uuid": track, "name": name}
        drawn = max(start, ended.get(track, start))
        ended[track] = end
        yield round(drawn), begin | {"debug_annotations": about}
        yield round(end), {"type": EventType.SLICE_END, "track_uuid": track}


def _messages(table: pl.DataFrame, tracks: Tracks) -> Iterator[Event]:
    """Sampled messages as arrows from rank to rank."""
    columns = ("job", "source_rank", "target_rank", "bytes", "how", "sent_ns", "arrived_ns")
    for number, row in enumerate(table.select(columns).iter_rows()):
        job, source, target, size, how, sent, arrived = row
        flow = _MESSAGES | (number + 1)
        yield _arrow_begin(sent, tracks.flows(job, source, "messages sent"), f"to rank {target}",
                           flow, [{"name": "bytes", "uint_value": size},
                                  {"name": "how", "string_value": how}])  # fmt: skip
        yield _arrow_end(
            arrived, tracks.flows(job, target, "messages received"), f"from rank {source}", flow
        )


_MESSAGES = 1 << 62
"""Flows of messages have numbers from here on, those of packets lower ones."""


def _arrow_begin(
    time: float, track: int, name: str, flow: int, about: list[dict[str, Any]]
) -> Event:
    fields = {
        "type": EventType.INSTANT,
        "track_uuid": track,
        "name": name,
        "flow_ids": [flow],
        "debug_annotations": about,
    }
    return round(time), fields


def _arrow_end(time: float, track: int, name: str, flow: int) -> Event:
    fields = {
        "type": EventType.INSTANT,
        "track_uuid": track,
        "name": name,
        "terminating_flow_ids": [flow],
    }
    return round(time), fields


def _packets(table: pl.DataFrame, ranks: pl.DataFrame, tracks: Tracks) -> Iterator[Event]:
    """Sampled packets as arrows from rank to rank; of ranks that share a node, from the first."""
    at: dict[int, tuple[str, int]] = {}
    for job, rank, node in ranks.select("job", "rank", "node").iter_rows():
        at.setdefault(node, (job, rank))
    columns = ("source_node", "target_node", "injected_ns", "delivered_ns", "bytes", "path")
    for number, row in enumerate(table.select(columns).iter_rows()):
        source, target, injected, delivered, size, path = row
        if source not in at or target not in at:
            continue
        about = [{"name": "path", "string_value": path}, {"name": "bytes", "uint_value": size}]
        sent, received = (
            tracks.flows(*at[source], "packets sent"),
            tracks.flows(*at[target], "packets received"),
        )
        yield _arrow_begin(injected, sent, f"to node {target}", number + 1, about)
        yield _arrow_end(delivered, received, f"from node {source}", number + 1)


_RATES = {"bytes_injected": "injected", "bytes_delivered": "delivered"}


def _jobs(table: pl.DataFrame, tracks: Tracks) -> Iterator[Event]:
    columns = ("time_ns", "bin_ns", "job", *_RATES)
    for time, width, job, *counts in table.select(columns).iter_rows():
        for name, count in zip(_RATES.values(), counts, strict=True):
            yield _counted(time, tracks.of_job(job, name, "GB/s"), count / width)


def _links(
    links: pl.DataFrame, series: pl.DataFrame, tracks: Tracks, count: int
) -> Iterator[Event]:
    """Use and stalls of the links that are used most, in percent of each bin."""
    top = links.sort(["busy_ns", "link"], descending=[True, False]).head(count)
    for link, kind, source, target, node in top.select(
        "link", "kind", "source_router", "target_router", "target_node"
    ).iter_rows():
        end = f"router {target}" if node is None else f"node {node:.0f}"
        name = f"link {link}, {kind}: router {source} to {end}"
        use, stall = tracks.link(f"{name}: use", "%"), tracks.link(f"{name}: stalls", "%")
        last = 0.0
        rows = series.filter(pl.col("link") == link).sort("time_ns")
        for time, width, busy, stalled in rows.select(
            "time_ns", "bin_ns", "busy_ns", "stall_ns"
        ).iter_rows():
            if time > last:  # nothing happened in between
                yield _counted(last, use, 0.0)
                yield _counted(last, stall, 0.0)
            yield _counted(time, use, 100 * busy / width)
            yield _counted(time, stall, 100 * stalled / width)
            last = time + width
        yield _counted(last, use, 0.0)
        yield _counted(last, stall, 0.0)


def _counted(time: float, track: int, value: float) -> Event:
    fields = {"type": EventType.COUNTER, "track_uuid": track, "double_counter_value": value}
    return round(time), fields
