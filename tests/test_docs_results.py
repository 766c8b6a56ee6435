"""The page of results names every column and key that a run writes, and no other."""

from __future__ import annotations

import re

import polars as pl
import pytest

from examples import open_loop
from odonata import run

TYPES = {
    pl.String: "text",
    pl.UInt64: "integer",
    pl.Float64: "number",
    pl.Boolean: "truth value",
}


SOME = {
    "link_classes": {
        "system": {
            "preset": "dragonfly(2, 4, 2, 9)",
            "qos": {"classes": [{"name": "all", "cap": "100 %"}]},
        }
    },
    "hosts": {
        "system": {
            "preset": "dragonfly(2, 4, 2, 9)",
            "host": {"calls": [{"add": "100 ns"}]},
        },
        "jobs": [{"workload": {"kind": "alltoall", "ranks": 8, "iterations": 1}}],
    },
    "counters": {"telemetry": {"counters": True, "counter_interval": "1 us"}},
    "nic_counters": {"telemetry": {"counters": True, "counter_interval": "1 us"}},
    "flows": {
        "system": {"preset": "dragonfly(2, 4, 2, 9)", "nic": {"congestion": "nscc"}},
        "telemetry": {"flows": True},
    },
    "q_table": {"routing": {"algorithm": "q-adaptive", "save_table": True}},
    "decisions": {
        "system": {"preset": "dragonfly(2, 4, 2, 9)", "nic": {"response": "16 B"}},
        "jobs": [
            {
                "policy": "application-aware",
                "workload": {"kind": "alltoall", "ranks": 8, "iterations": 1},
            }
        ],
    },
}
"""Tables that only some runs have, with what brings them about."""


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "docs" / "results.md").read_text("utf-8")


@pytest.fixture(scope="module")
def result():
    """A victim beside open-loop traffic, alone too, with everything that can be recorded."""
    halo = {"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "4 KiB", "iterations": 1}
    jobs = [{"name": "halo", "workload": halo}, *open_loop()["jobs"]]
    telemetry = {"packet_sample": 5, "message_sample": 1, "blame": True, "link_series": True}
    return run(open_loop(jobs=jobs, telemetry=telemetry))


def section(page, title):
    """Rows of the table under a heading: names in the first cell, and the second cell."""
    text = page.partition(f"\n### `{title}`")[2].partition("\n#")[0]
    rows = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            rows |= dict.fromkeys(re.findall(r"`(\w+)`", cells[0]), cells[1])
    return rows


@pytest.mark.parametrize(
    "table",
    [
        "ranks",
        "iterations",
        "links",
        "link_jobs",
        "series",
        "latency",
        "packets",
        "blame",
        "blame_ranks",
    ],
)
def test_columns_and_types_are_documented(table, page, result):
    frame = result.table(table)
    found = {name: TYPES[type(kind)] for name, kind in frame.schema.items()}
    assert section(page, table) == found


def test_every_table_is_documented(page, result):
    documented = set(re.findall(r"^### `(\w+)`: one row", page, flags=re.MULTILINE))
    assert documented - set(SOME) == set(result.tables())


@pytest.mark.parametrize("table", SOME)
def test_tables_of_some_runs_are_documented(table, page):
    frame = run(open_loop(**SOME[table])).table(table)
    found = {name: TYPES[type(kind)] for name, kind in frame.schema.items()}
    assert section(page, table) == found


def test_summary_keys_are_documented(page, result):
    summary = result.summary
    assert set(section(page, "engine")) == set(summary["engine"])
    assert set(section(page, "network")) == set(summary["network"])
    documented = set(section(page, "jobs[]"))
    assert documented == {key for job in summary["jobs"] for key in job}
    text = page.partition("\n### The run")[2].partition("\n#")[0]
    top = {
        name
        for line in text.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert top == set(summary)


def test_statistics_are_documented(page, result):
    (job, _) = result.summary["jobs"]
    for name in set(job["packet_latency_ns"]) | set(job["comm_time_ns"]):
        assert f"`{name}`" in page, name
