"""The table of counters on their page: ``python -m odonata.scenario.counter_page PAGE``."""

from __future__ import annotations

import sys
from pathlib import Path

from odonata.scenario.counters import Counter, counters
from odonata.scenario.workload_pages import BEGIN, END


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("{}", "n")


def _row(counter: Counter) -> str:
    name = f"`{counter.name}`" + (" \\*" if counter.is_derived else "")
    cells = (name, counter.unit, counter.meaning, counter.hardware, counter.differs)
    return "| " + " | ".join(map(_cell, cells)) + " |\n"


def tables() -> str:
    """The counters of every place, as tables in Markdown."""
    by_place: dict[str, list[Counter]] = {}
    for counter in counters():
        by_place.setdefault(counter.place, []).append(counter)
    parts = []
    for place, found in by_place.items():
        parts.append(f"\n### {place[0].upper()}{place[1:]}\n\n"
                     "| counter | unit | in the model | on the hardware | what differs |\n"
                     "|---|---|---|---|---|\n" + "".join(map(_row, found)))  # fmt: skip
    return "".join(parts) + "\n"


def updated(text: str) -> str:
    """The page with its tables as the simulator has them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}{tables()}{end}{after}"


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(updated(page.read_text("utf-8")), "utf-8")
