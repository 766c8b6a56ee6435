"""Tables of docs/performance.md, from the three JSON files beside this one: `make docs`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "performance.md"
FIRST = "1056-minimal-0.5-voq"
END = "<!-- end -->\n"


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / name).read_text("utf-8"))
    return found


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def instructions() -> str:
    """Instructions per packet-hop of every case, and their ratio to the first case."""
    found = _read("baseline.json")["instructions_per_hop"]
    return _table(
        ["case", "instructions per packet-hop", "over the first case"],
        [[f"`{case}`", f"{count:,.0f}", f"{count / found[FIRST]:.2f}"]
         for case, count in found.items()],
    )  # fmt: skip


def rates() -> str:
    """Millions of packet-hops per second, and where and when they were measured."""
    found = _read("rates.json")
    span = " to ".join
    rows = [
        [
            f"`{one['case']}`",
            span(map(str, one["rate"])),
            span(map(str, one.get("two_threads", []))),
            str(one.get("command", "")),
            str(one.get("of_first", "")),
            one["series"],
        ]
        for one in found["cases"]
    ]
    head = ["case", "one thread", "two threads", "whole command", "of the first case", "series"]
    measured = [
        [name, series["date"], series["commit"], series["host"], series["by"]]
        for name, series in found["series"].items()
    ]
    series = _table(["series", "date", "commit", "host", "measured by"], measured)
    return f"{_table(head, rows)}\n{series}"


def scaling() -> str:
    """Rates and efficiencies over threads and processes, by machine."""
    rows = [
        [machine, one["case"], str(one["threads"]), str(one["processes"]),
         f"{one['million_hops_per_s']:.2f}", f"{one['efficiency']:.2f}",
         ", ".join(f"{one[part]:.2f}" for part in ("work", "waiting", "exchange")),
         f"{one['uneven']:.2f}"]
        for machine, found in _read("scaling.json").items() for one in found["rows"]
    ]  # fmt: skip
    return _table(
        ["machine", "case", "threads", "processes", "M hops/s", "efficiency",
         "work, waiting, exchange", "most work over mean"],
        rows,
    )  # fmt: skip


TABLES = {"instructions": instructions, "rates": rates, "scaling": scaling}


def updated(text: str) -> str:
    """The page with all tables as their files have them."""
    for name, table in TABLES.items():
        before, begin, rest = text.partition(f"<!-- benches/page.py: {name} -->\n")
        _, end, after = rest.partition(END)
        if not (begin and end):
            message = f"{PAGE.name} has no place for the table of {name}"
            raise ValueError(message)
        text = f"{before}{begin}{table()}{end}{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text("utf-8")), "utf-8")
