"""Converted traces are kept by content, and what is kept is what was read."""

from __future__ import annotations

import numpy as np
import pytest

import odonata
from odonata import traces
from odonata.traces import cache

SMALL = "scenarios/traces/lammps-melt-16.npz"


@pytest.fixture
def goal(tmp_path):
    """A trace of a format that is kept, in a folder of its own."""
    folder = tmp_path / "original"
    folder.mkdir()
    ranks = [
        f"rank {rank} {{\nl1: calc 1000\nl2: send 4096b to {(rank + 1) % 8} tag 1\n"
        f"l3: recv 4096b from {(rank - 1) % 8} tag 1\nl2 requires l1\n}}\n"
        for rank in range(8)
    ]
    path = folder / "ring.goal"
    path.write_text("num_ranks 8\n\n" + "\n".join(ranks))
    return path


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "LEAST_BYTES", 0)
    return tmp_path / cache.FOLDER


@pytest.fixture
def readings(monkeypatch):
    """Originals that were read."""
    found = []
    usual = traces.read
    monkeypatch.setattr(traces, "read", lambda path: found.append(path) or usual(path))
    return found


def same(one, two):
    assert one.columns.keys() == two.columns.keys()
    for name, column in one.columns.items():
        assert column.dtype == two.columns[name].dtype
        assert np.array_equal(column, two.columns[name])
    assert one.to_json() == two.to_json()


def test_the_second_reading_is_of_the_entry(goal, kept, readings):
    first = cache.read(goal, kept)
    second = cache.read(goal, kept)
    assert readings == [goal]
    assert len(list(kept.iterdir())) == 1
    same(first, second)
    assert first.check() == second.check() == []


def test_another_content_is_another_entry(goal, kept, readings):
    cache.read(goal, kept)
    text = goal.read_text()
    goal.write_text(text + "\n")
    cache.read(goal, kept)
    goal.write_text(text)
    cache.read(goal, kept)
    assert readings == [goal, goal]
    assert len(list(kept.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"PAR1", None])
def test_a_damaged_entry_is_read_anew(goal, kept, readings, damage):
    first = cache.read(goal, kept)
    entry = next(kept.iterdir())
    entry.write_bytes(entry.read_bytes()[:-500] if damage is None else damage)
    same(first, cache.read(goal, kept))
    same(first, cache.read(goal, kept))
    assert readings == [goal, goal]


def test_where_nothing_can_be_kept_it_is_read(goal, kept, readings):
    kept.write_text("in the way")
    same(cache.read(goal, kept), cache.read(goal, None))
    assert readings == [goal, goal]
    assert kept.read_text() == "in the way"


def test_small_ones_and_tables_are_not_kept(goal, kept, readings, monkeypatch, repository):
    cache.read(repository / SMALL, kept)
    monkeypatch.setattr(cache, "LEAST_BYTES", 1 << 30)
    cache.read(goal, kept)
    assert len(readings) == 2
    assert not kept.exists()


def test_what_is_no_trace_is_refused_as_without(kept, tmp_path):
    for name in ("nothing", "strange.txt"):
        (tmp_path / "strange.txt").write_text("?")
        with pytest.raises(odonata.errors.TraceError):
            cache.read(tmp_path / name, kept)


def test_runs_keep_traces_beside_their_results(goal, kept, readings, tmp_path):
    scenario = {
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "minimal"},
        "jobs": [{"name": "ring", "workload": {"kind": "trace", "path": str(goal)}}],
        "stop": {"time": "200 us"},
    }
    first = odonata.run(scenario, out=tmp_path / "first")
    second = odonata.run(scenario, out=tmp_path / "second", threads=2)
    assert readings == [goal]
    assert len(list(kept.iterdir())) == 1
    assert first.summary["scenario_hash"] == second.summary["scenario_hash"]
    assert first.table("ranks").equals(second.table("ranks"))
    odonata.run(scenario)  # without a folder, nothing is kept
    assert readings == [goal, goal]
