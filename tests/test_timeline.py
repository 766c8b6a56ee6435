"""The timeline of a run, read back with Perfetto's own messages."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict

import polars as pl
import pytest

from odonata import load, run, timeline
from odonata.cli import main

HALO = {"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "2 KiB", "iterations": 3}
LOAD = {"kind": "open-loop", "pattern": "uniform", "load": 0.1, "message": "512 B", "ranks": 16}
SCENARIO = {
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "par"},
    "jobs": [
        {"name": "halo", "role": "victim", "workload": HALO, "placement": "random-node"},
        {"name": "load", "workload": LOAD, "placement": "random-node"},
    ],
    "telemetry": {
        "link_series": True,
        "packet_sample": 1,
        "message_sample": 1,
        "series_bin": "500 ns",
    },
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("timeline") / "run"
    run(SCENARIO, out=folder, baseline=False)
    return folder


@pytest.fixture(scope="module")
def result(results):
    return load(results)


@pytest.fixture(scope="module")
def official():
    """Perfetto's own messages, made from its own description of them."""
    name = "perfetto.protos.perfetto.trace.perfetto_trace_pb2"
    return pytest.importorskip(name, reason="the package perfetto is not installed")


@pytest.fixture(scope="module")
def trace(results, official):
    assert main(["trace", "timeline", str(results), "--links", "5"]) == 0
    found = official.Trace()
    found.ParseFromString((results / timeline.FILE).read_bytes())
    return found


@pytest.fixture(scope="module")
def tracks(trace):
    made = [one.track_descriptor for one in trace.packet if one.HasField("track_descriptor")]
    found = {one.uuid: one for one in made}
    assert len(found) == len(made)
    return found


def on(tracks, event):
    """Job and rank of the thread of an event or of the one above it."""
    track = tracks[event.track_uuid]
    while not track.HasField("thread"):
        track = tracks[track.parent_uuid]
    job = next(one.process.process_name for one in tracks.values()
               if one.HasField("process") and one.process.pid == track.thread.pid)  # fmt: skip
    return job, int(track.thread.thread_name.removeprefix("rank "))


def test_nothing_is_written_that_perfetto_does_not_know(trace, official):
    again = official.Trace()
    again.ParseFromString(trace.SerializeToString())
    again.DiscardUnknownFields()
    assert again.ByteSize() == trace.ByteSize()
    times = [one.timestamp for one in trace.packet if one.HasField("track_event")]
    assert times == sorted(times)
    assert trace.packet[0].sequence_flags == official.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED


def test_every_track_is_described_before_it_is_used(trace, tracks):
    seen = set()
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            assert not track.HasField("parent_uuid") or track.parent_uuid in seen
            seen.add(track.uuid)
        else:
            assert packet.track_event.track_uuid in seen
    threads = [one.thread.tid for one in tracks.values() if one.HasField("thread")]
    assert len(threads) == len(set(threads)) == 8 + 16


def test_ranks_are_threads_and_iterations_their_slices(trace, tracks, result, official):
    kinds = official.TrackEvent
    begun, done = defaultdict(list), []
    for packet in trace.packet:
        event = packet.track_event
        if event.type == kinds.TYPE_SLICE_BEGIN:
            begun[event.track_uuid].append((packet.timestamp, event.name))
        elif event.type == kinds.TYPE_SLICE_END:
            start, name = begun[event.track_uuid].pop()
            done.append((*on(tracks, event), name, start, packet.timestamp))
    assert not any(begun.values())
    expected = [
        (job, rank, f"iteration {number}", round(start), round(end))
        for job, rank, number, start, end in result.table("iterations")
        .select("job", "rank", "iteration", "start_ns", "end_ns")
        .iter_rows()
    ]
    assert len(expected) == 24
    assert sorted(done) == sorted(expected)


def test_packets_are_arrows_from_rank_to_rank(trace, tracks, result):
    sent, received = {}, {}
    for packet in trace.packet:
        event = packet.track_event
        if not packet.HasField("track_event") or "packets" not in tracks[event.track_uuid].name:
            continue
        for flow in event.flow_ids:
            assert flow not in sent
            sent[flow] = (*on(tracks, event), packet.timestamp)
        for flow in event.terminating_flow_ids:
            received[flow] = (*on(tracks, event), packet.timestamp)
    assert sent.keys() == received.keys()
    ranks = result.table("ranks").select("node", "job", "rank").rows()
    at = {node: (job, rank) for node, job, rank in ranks}
    rows = result.table("packets").select("source_node", "target_node", "injected_ns",
                                          "delivered_ns").rows()  # fmt: skip
    expected = {((*at[a], round(start)), (*at[b], round(end))) for a, b, start, end in rows}
    assert len(rows) > 500
    assert {(sent[flow], received[flow]) for flow in sent} == expected


def test_messages_are_arrows_from_rank_to_rank(trace, tracks, result):
    sent, received = {}, {}
    for packet in trace.packet:
        event = packet.track_event
        if not packet.HasField("track_event") or "messages" not in tracks[event.track_uuid].name:
            continue
        for flow in event.flow_ids:
            about = {
                one.name: one.uint_value or one.string_value for one in event.debug_annotations
            }
            sent[flow] = (*on(tracks, event), packet.timestamp, about["bytes"], about["how"])
        for flow in event.terminating_flow_ids:
            received[flow] = (*on(tracks, event), packet.timestamp)
    assert sent.keys() == received.keys()
    messages = result.table("messages")
    assert len(sent) == len(messages)
    halo = messages.filter(pl.col("job") == "halo")
    # Every rank of a 2 x 2 x 2 grid sends a face to three others, three times.
    assert len(halo) == 8 * 3 * 3
    assert len(messages) > 1000, "the open-loop job sends all the time"
    ranks = result.table("ranks").filter(pl.col("job") == "halo")
    assert len(halo) == ranks["messages_sent"].sum()
    expected = {
        ((job, a, round(start), size, how), (job, b, round(end)))
        for job, a, b, size, how, start, end in messages.select(
            "job", "source_rank", "target_rank", "bytes", "how", "sent_ns", "arrived_ns"
        ).iter_rows()
    }
    assert {(sent[flow], received[flow]) for flow in sent} == expected
    assert (messages["arrived_ns"] > messages["sent_ns"]).all()
    assert set(halo["bytes"]) == {2048}


def test_counters_are_those_of_the_tables(trace, tracks, result, official):
    values = defaultdict(dict)
    for packet in trace.packet:
        event = packet.track_event
        if event.type == official.TrackEvent.TYPE_COUNTER:
            track = tracks[event.track_uuid]
            values[track.name or "", track.parent_uuid][packet.timestamp] = (
                event.double_counter_value
            )
    uses = {name: found for (name, _), found in values.items() if name.endswith(": use")}
    assert len(uses) == 5
    links = result.table("links").sort("busy_ns", descending=True).head(5)
    shown = {int(name.split()[1].rstrip(",")) for name in uses}
    assert shown == set(links["link"])
    for name, found in uses.items():
        mine = result.table("link_series").filter(
            pl.col("link") == int(name.split()[1].rstrip(","))
        )
        width = mine["bin_ns"][0]
        assert sum(found.values()) / 100 * width == pytest.approx(mine["busy_ns"].sum())
    series = result.table("series").filter(pl.col("job") == "halo")
    job = next(one for one in tracks.values() if one.process.process_name == "halo")
    assert list(values["delivered", job.uuid].values()) == pytest.approx(
        (series["bytes_delivered"] / series["bin_ns"]).to_list()
    )


def test_packed_and_said_as_json(results, tmp_path, capsys):
    path = tmp_path / "run.perfetto-trace.gz"
    assert main(["trace", "timeline", str(results), "--out", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"exit_code": 0, "timeline": str(path)}
    plain = tmp_path / "plain"
    timeline.write(load(results), plain)
    assert gzip.decompress(path.read_bytes()) == plain.read_bytes()


def test_what_has_no_timeline(results, tmp_path, capsys, repository):
    traced = repository / "scenarios" / "traces" / "lammps-melt-16.npz"
    assert main(["trace", "timeline", str(traced)]) == 2
    assert "run a scenario with it" in capsys.readouterr().err
    assert main(["trace", "timeline", str(tmp_path)]) == 2
    assert main(["trace", "timeline", str(results), "--out", str(tmp_path / "no" / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
