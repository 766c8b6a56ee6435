"""The index of the pages of workloads: ``python -m odonata.scenario.workload_pages README``."""

from __future__ import annotations

import sys
from pathlib import Path

from odonata.scenario import registry

BEGIN = "<!-- from the registry: `make docs` writes it -->\n"
END = "<!-- end -->\n"


def index() -> str:
    """The table of all pages."""
    lines = ["| kind | what it is |", "|---|---|"]
    for name, entry in registry.family("workloads").items():
        if name not in OTHERS:
            lines.append(f"| [`{name}`]({name}.md) | {entry.summary.replace('|', '&#124;')} |")
    return "\n".join(lines) + "\n"


# Described elsewhere: docs/model/workloads.md, docs/traces.md, docs/programs.md.
OTHERS = ("open-loop", "trace", "program", "profile")


def write(page: Path) -> None:
    """Brings the index on `page` up to date."""
    before, begin, rest = page.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    page.write_text(before + begin + index() + end + after, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
