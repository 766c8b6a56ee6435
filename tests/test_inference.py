"""Inference where results are read: times of tokens, and requests that wait in the timeline."""

from __future__ import annotations

from types import SimpleNamespace

import polars as pl
import pytest

import odonata
from odonata import noise
from odonata.output.timeline.events import _iterations


@pytest.fixture(scope="module")
def result():
    """Six requests at once, two ranks that prefill and two that decode."""
    workload = {"kind": "inference", "ranks": 4, "tensor": 2, "layers": 2, "requests": 6,
                "rate": 1e6, "prompt": 40, "output": 3}  # fmt: skip
    given = {
        "name": "served",
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "server", "workload": workload}],
    }
    return odonata.run(given, baseline=False)


def test_times_of_tokens_are_whole_iterations(result):
    found = noise.form_of(result).filter(pl.col("quantity") == "time_to_token")
    table = result.table("iterations")
    spans = table["end_ns"] - table["start_ns"]
    assert found["value"].to_list() == pytest.approx(spans.to_list())
    assert (spans > table["comm_time_ns"]).all()
    # Requests come within microseconds and wait for each other.
    first = table.filter(pl.col("rank") == 0)
    waited = first["end_ns"] - first["start_ns"]
    assert len(waited) == 6
    assert waited.is_sorted()


def test_requests_that_wait_do_not_cross_in_the_timeline(result):
    tracks = SimpleNamespace(rank=lambda _, rank: rank)
    open_slices, seen = set(), 0
    for at, event in sorted(_iterations(result.table("iterations"), tracks),
                            key=lambda one: one[0]):  # fmt: skip
        assert at >= 0
        if "name" in event:
            assert event["track_uuid"] not in open_slices
            open_slices.add(event["track_uuid"])
            seen += 1
        else:
            open_slices.remove(event["track_uuid"])
    assert seen == len(result.table("iterations"))
