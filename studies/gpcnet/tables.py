"""The tables of docs/studies/gpcnet.md, as GPCNeT prints them, from what the runs have left."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from odonata import noise
from odonata.studies import Shelf
from odonata.studies.expression import Quantity
from odonata.studies.sources import NotRunError, Sources

HERE = Path(__file__).parent

_ONE, _FOUR = '"victim"', '["victim-0", "victim-1", "victim-2", "victim-3"]'
SYSTEMS = {
    "One of Slingshot's switches, 28 nodes": ("switch-{}/congestion=none,*", "", _ONE),
    "Slingshot, 64 nodes, `pace`": ("slingshot-{}/congestion=pace,*", "", _ONE),
    "The same with four ranks per NIC": (
        "ranks4-{}/congestion=pace,*", "ranks4-{}-isolated/*", _FOUR,
    ),
    "Slingshot, 64 nodes, without congestion control": ("slingshot-{}/congestion=none,*", "", _ONE),
    "Aries, a full group of 384 nodes": ("aries-{}", "", _ONE),
}  # fmt: skip
"""Congested runs, isolated ones (without: the victim alone), and the victims."""

TESTS = {
    "latency": ("RR Two-sided Lat (8 B)", "usec", 1e3, 99),
    "bandwidth": ("RR Two-sided BW+Sync (131072 B)", "MiB/s/rank", 2.0**20, 1),
    "allreduce": ("Multiple Allreduce (8 B)", "usec", 1e3, 99),
}
"""Name and unit of a test, how many of ours the unit is, and the percentile that 99 % keep to."""

_STATISTICS = {"mean": "mean({})", "p99": "percentile({}, q={})"}
_CONDITIONS = ("isolated", "congested")


def printed() -> str:
    """The tables of every system that has run, as Markdown; means over the seeds."""
    shelf = Shelf(HERE.parent)
    sources = Sources(shelf.studies["gpcnet"])
    parts = []
    for title, system in SYSTEMS.items():
        try:
            rows = [_test(sources, system, test) for test in TESTS]
        except NotRunError:
            continue
        tables = noise.gpcnet_tables(pl.DataFrame(rows), level=None)
        parts.append(f"### {title}\n\n```text\n{tables.rstrip()}\n```\n")
    return "\n".join(parts)


def _test(sources: Sources, system: tuple[str, str, str], test: str) -> dict[str, object]:
    name, unit, scale, percent = TESTS[test]
    congested_run, isolated_run, job = system
    places = {
        "isolated": f'"{isolated_run or congested_run}", "benchmark.value", job={job}'
        + ("" if isolated_run else f", alone={job}"),
        "congested": f'"{congested_run}", "benchmark.value", job={job}',
    }
    row: dict[str, object] = {"series": name, "unit": unit}
    for statistic, form in _STATISTICS.items():
        for condition, what in places.items():
            found = Quantity(form.format(what.format(test), percent)).value(
                lambda reading: sources.value(reading, HERE)
            )
            values = found if isinstance(found, list) else [found]
            row[f"{condition}_{statistic}"] = sum(values) / len(values) / scale
        isolated, congested = (round(row[f"{one}_{statistic}"], 1) for one in _CONDITIONS)
        over = isolated / congested if test == "bandwidth" else congested / isolated
        row[f"impact_{statistic}"] = over
    return row


if __name__ == "__main__":
    print(printed())
