"""What is written of verdicts: a table and a page for each study, and one page for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from odonata.studies import picture, verdicts
from odonata.studies.records import write_table as write_csv
from odonata.studies.records import write_text
from odonata.studies.shelf import BENCHMARK, MACHINE, PAPER, QUESTION, Shelf, Study
from odonata.studies.verdicts import Verdict, shown

TABLE, PAGE, PICTURE = "verdicts.csv", "README.md", "verdicts.svg"
_KINDS = {
    PAPER: "",
    BENCHMARK: "Claims about benchmarks are not counted with those of papers:",
    MACHINE: "Nor are those about machines in operation:",
    QUESTION: "Nor are those about questions that are asked here first:",
}
_COLUMNS = [
    "id", "where", "unit", "published", "simulated", "deviation", "tolerance", "verdict", "reason",
]  # fmt: skip


def write_table(found: Sequence[Verdict], folder: Path) -> Path:
    """Write the verdicts of a study as a table.

    Parameters
    ----------
    found : sequence of Verdict
        Its verdicts.
    folder : pathlib.Path
        Where.

    Returns
    -------
    pathlib.Path
        What was written.
    """
    path = folder / TABLE
    rows = [
        [one.claim.id, one.claim.where, one.claim.unit, shown(one.published) or one.claim.published,
         shown(one.simulated), one.deviation, one.claim.tolerance, one.verdict, one.reason]
        for one in found
    ]  # fmt: skip
    write_csv(path, _COLUMNS, rows)
    return path


def write_page(study: Study, found: Sequence[Verdict], folder: Path) -> Path:
    """Write the page of a study, and its picture if a claim has numbers.

    Parameters
    ----------
    study : Study
        Which.
    found : sequence of Verdict
        Its verdicts.
    folder : pathlib.Path
        Where.

    Returns
    -------
    pathlib.Path
        The page.
    """
    drawn = picture.draw(found)
    if drawn:
        write_text(folder / PICTURE, drawn)
    path = folder / PAGE
    write_text(path, page(study, found, has_picture=bool(drawn)))
    return path


def page(study: Study, found: Sequence[Verdict], *, has_picture: bool) -> str:
    """The page of a study, as Markdown."""
    lines = [
        f"# {study.name}, claim by claim", "",
        "`odonata study page` writes this page from `expected.csv` and the stored results.", "",
        *counts_table({study.name: found}), "",
    ]  # fmt: skip
    if has_picture:
        lines += [f"![Simulated over published values of {study.name}, with tolerances]({PICTURE})",
                  ""]  # fmt: skip
    for figure, claims in study.figures.items():
        part = [one for one in found if one.claim in claims]
        if part:
            lines += _figure(figure or study.name, part)
    return "\n".join(lines).rstrip() + "\n"


def _figure(name: str, found: Sequence[Verdict]) -> list[str]:
    lines = [f"## {name}", "", "| claim | stated | published | simulated | deviation | verdict |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for one in found:
        claim = one.claim
        published = f"{shown(one.published) or claim.published} {claim.unit}".strip()
        cells = (f"`{claim.id}`", f"{claim.claim} ({claim.where})", published, shown(one.simulated),
                 one.deviation, _said(one))  # fmt: skip
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def _said(one: Verdict) -> str:
    """The verdict with what goes with it."""
    parts = [f"{one.verdict}: {one.reason}" if one.reason else one.verdict]
    if one.claim.assumed:
        parts.append(f"assumed: {one.claim.assumed}")
    return "; ".join(parts)


def write_overview(shelf: Shelf, found: Mapping[str, Sequence[Verdict]], folder: Path) -> Path:
    """Write the page of all studies.

    Parameters
    ----------
    shelf : Shelf
        All of them.
    found : mapping
        Verdicts by study.
    folder : pathlib.Path
        Where.

    Returns
    -------
    pathlib.Path
        The page.
    """
    links = {name: f"[{name}]({name}/{PAGE})" for name in shelf.studies}
    lines = ["# Claims of all studies", "", "`odonata study page` writes this page.", ""]
    for kind, sentence in _KINDS.items():
        part = {name: one for name, one in found.items() if shelf.studies[name].kind == kind}
        if part:
            lines += [*([sentence, ""] if sentence else []), *counts_table(part, links), ""]
    lines.pop()
    path = folder / PAGE
    write_text(path, "\n".join(lines) + "\n")
    return path


def counts_table(
    found: Mapping[str, Sequence[Verdict]], links: Mapping[str, str] | None = None
) -> list[str]:
    """Claims and verdicts, a row per study and one for all."""
    lines = ["| study | claims | " + " | ".join(verdicts.VERDICTS) + " |",
             "|---" * (2 + len(verdicts.VERDICTS)) + "|"]  # fmt: skip
    for name, part in found.items():
        lines.append(_counts_row((links or {}).get(name, name), part))
    if len(found) > 1:
        lines.append(_counts_row("all", [one for part in found.values() for one in part]))
    return lines


def _counts_row(name: str, found: Sequence[Verdict]) -> str:
    numbers = [str(count) for count in verdicts.counted(found).values()]
    return f"| {name} | {len(found)} | " + " | ".join(numbers) + " |"
