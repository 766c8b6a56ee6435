"""What nodes take from their ranks: recordings, tables, and what is refused."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import odonata
from odonata.errors import ScenarioError, TraceError
from odonata.scenario import Scenario
from odonata.traces import noise

TEXT = "# Time [ns]\tduration [ns]\n1000.0 500.5\n3000.0 2500.0\n5000.0 100.0\n9000.0 1.0\n"


def scenario(host: dict[str, Any], **more: Any) -> Scenario:
    """Four ranks on two nodes that reduce 20 times."""
    return Scenario.from_mapping(
        {
            "seed": 3,
            "system": {"preset": "dragonfly(2, 4, 2, 9)", "host": host},
            "routing": {"algorithm": "minimal"},
            "jobs": [
                {
                    "name": "job",
                    "ranks_per_node": 2,
                    "placement": "contiguous",
                    "workload": {
                        "kind": "allreduce",
                        "ranks": 4,
                        "message": "8 KiB",
                        "iterations": 20,
                    },
                }
            ],
            **more,
        }
    )


def taken(host: dict[str, Any]) -> dict[str, float]:
    """What was taken from all ranks, by cause."""
    table = odonata.run(scenario(host), baseline=False).table("hosts")
    return dict(table.group_by("cause").agg(pl.col("ns").sum()).iter_rows())


def test_a_recording_becomes_whole_picoseconds_that_do_not_overlap(tmp_path):
    path = tmp_path / "selfish.out"
    path.write_text(TEXT)
    # The second one ends at 4,500 ns of the recording, behind the beginning of the third one.
    assert noise.text(path).split() == [
        "0", "500500", "2000000", "2500000", "4500000", "100000", "8000000", "1000", "10001000",
    ]  # fmt: skip


def test_what_is_no_recording_is_refused(tmp_path):
    path = tmp_path / "selfish.out"
    path.write_text("# nothing\n")
    with pytest.raises(TraceError, match="not a file of detours"):
        noise.text(path)
    with pytest.raises(ScenarioError, match="not a file of detours"):
        odonata.run(scenario({"detours": [{"noise": str(path)}]}), baseline=False)


def test_a_table_of_measured_detours_is_a_recording(tmp_path):
    """What `odonata measure` writes: of several ranks the first one counts."""
    frame = odonata.noise.table(
        source="here", world="measured", series="host", quantity="detour", unit="ns",
        statistic="sample", rank=[1, 0, 0], time_ns=[5.0, 0.0, 20000.0], value=[7.0, 900.0, 900.0],
    )  # fmt: skip
    path = tmp_path / "host-before.csv"
    frame.write_csv(path)
    found = taken({"detours": [{"noise": str(path)}]})
    assert set(found) == {"host-calls"}
    assert found["host-calls"] > 0


def test_every_cause_is_told(tmp_path):
    path = tmp_path / "selfish.out"
    path.write_text(TEXT)
    found = taken(
        {
            "detours": [{"noise": str(path)}, {"gap": "20 us", "length": "1 us"}],
            "calls": [
                {"add": "100 ns"},
                {"factor": 1.2, "law": "lognormal", "shape": 0.5, "most_factor": 3},
            ],
            "cores": 1,
            "memory_bandwidth": "1 GB/s",
        }
    )
    assert set(found) == {"host-calls", "host-costs", "host-sharing", "host-memory"}
    assert all(ns > 0 for ns in found.values())


def test_the_number_of_threads_shows_nowhere():
    host = {
        "detours": [
            {"gap": "20 us", "gaps": "fixed", "length": "1 us", "lengths": "exponential"},
            {
                "gap": "90 us", "length": "6 us", "length_most": "60 us",
                "lengths": "pareto", "length_shape": 1.5,
            },
        ],
        "calls": [{"add": "200 ns"}, {"factor": 1.3, "law": "lognormal", "shape": 0.3}],
        "cores": 1,
        "memory_bandwidth": "3 GB/s",
    }  # fmt: skip
    one, three = (odonata.run(scenario(host), baseline=False, threads=n) for n in (1, 3))
    for table in ("ranks", "iterations", "hosts", "links"):
        assert one.table(table).equals(three.table(table)), table


def test_silent_hosts_take_nothing_and_change_nothing():
    """A host that says nothing has an empty table, and the ranks of a run without it."""
    silent = odonata.run(scenario({"cores": 2}), baseline=False)
    plain = odonata.run(scenario({}), baseline=False)
    assert silent.table("hosts").is_empty()
    assert silent.table("ranks").equals(plain.table("ranks"))


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ({"detours": [{"gap": "1 ms"}]}, "needs `gap` and `length`"),
        ({"detours": [{"gap": "1 ms", "length": "1 us", "noise": "x"}]}, "x"),
        ({"detours": [{"gap": "1 ms", "length": "1 us", "lengths": "pareto"}]}, "`length_shape`"),
        (
            {
                "detours": [
                    {"gap": "1 ms", "length": "1 us", "lengths": "pareto", "length_shape": 0.9}
                ]
            },
            "above 1",
        ),
        ({"calls": [{}]}, "either a time, `add`, or a `factor`"),
        ({"calls": [{"add": "1 us", "shape": 2.0}]}, "no shape"),
        ({"compute_traffic": "1 GB/s"}, "memory_bandwidth"),
        ({"detour": []}, "detours"),
    ],
)
def test_what_contradicts_itself_is_refused(host, said):
    with pytest.raises(ScenarioError, match=said):
        odonata.run(scenario(host), baseline=False)


def test_drawn_hosts_and_shorter_runs_do_not_go_together():
    host = {"calls": [{"add": "100 ns"}]}
    for stop in ({"precision": {"half_width": "5 %"}}, {"skip": "5 %"}):
        with pytest.raises(ScenarioError, match="rare long one"):
            odonata.run(scenario(host, stop=stop), baseline=False)
