"""Tables of parameters on the pages of workloads: ``python -m odonata.scenario.workload_pages``."""

from __future__ import annotations

import sys
from pathlib import Path

from odonata.scenario import registry
from odonata.scenario.page import table

BEGIN = "<!-- from the registry: `make docs` writes it -->\n"
END = "<!-- end -->\n"


def updated(text: str, name: str) -> str:
    """The page of a workload with its summary of parameters as the registry has it.

    Raises
    ------
    ValueError
        If the page has no place for the table.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        message = f"the page of `{name}` has no lines {BEGIN!r} and {END!r} around its table"
        raise ValueError(message)
    entry = registry.family("workloads")[name]
    return f"{before}{begin}{table('', entry.parameters)}{end}{after}"


def index() -> str:
    """The table of all pages."""
    lines = ["| kind | what it is |", "|---|---|"]
    for name, entry in registry.family("workloads").items():
        if name not in OTHERS:
            lines.append(f"| [`{name}`]({name}.md) | {entry.summary.replace('|', '&#124;')} |")
    return "\n".join(lines) + "\n"


# Described elsewhere: docs/model/workloads.md, docs/traces.md, docs/programs.md.
OTHERS = ("open-loop", "trace", "program", "profile")


def write(folder: Path) -> None:
    """Brings all pages in `folder` up to date."""
    for name in registry.family("workloads"):
        page = folder / f"{name}.md"
        if name not in OTHERS:
            page.write_text(updated(page.read_text("utf-8"), name), "utf-8")
    readme = folder / "README.md"
    before, begin, rest = readme.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    readme.write_text(before + begin + index() + end + after, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
