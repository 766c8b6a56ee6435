"""What is written of verdicts: a table and a page for each study, and one page for all."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata.core import files
from odonata.studies import conclusions, picture, scan, verdicts
from odonata.studies.about import BENCHMARK, MACHINE, OTHER, PAGE, PAPER, QUESTION
from odonata.studies.about import read as read_about
from odonata.studies.claims import StudyError
from odonata.studies.conclusions import Finding
from odonata.studies.index import Study, StudyIndex
from odonata.studies.records import write_table as write_csv
from odonata.studies.records import write_text
from odonata.studies.sources import Sources
from odonata.studies.tables import line
from odonata.studies.verdicts import Verdict, shown

TABLE, PICTURE, SCAN_PICTURE = "verdicts.csv", "verdicts.svg", "scan.svg"
_GENERATED = "`odonata study page` writes this page from `expected.csv` and the stored results."
_MARK = "<!-- study: "
_LARGEST = 1 << 24
_KINDS = {
    PAPER: "",
    OTHER: "Claims of other published results are counted apart:",
    BENCHMARK: "Claims about benchmarks are not counted with those of papers:",
    MACHINE: "Nor are those about machines in operation:",
    QUESTION: "Nor are those about questions that are asked here first:",
}
_COLUMNS = [
    "id", "where", "unit", "published", "simulated", "deviation", "tolerance", "verdict", "reason",
    "placebo",
]  # fmt: skip


def write_table(found: Sequence[Verdict], folder: Path) -> Path:
    """Write the verdicts of a study as a table.

    Returns
    -------
    pathlib.Path
        What was written.
    """
    path = folder / TABLE
    rows = [
        [one.claim.id, one.claim.where, one.claim.unit, shown(one.published) or one.claim.published,
         shown(one.simulated), one.deviation, one.claim.tolerance, one.verdict, one.reason,
         shown(one.placebo)]
        for one in found
    ]  # fmt: skip
    write_csv(path, _COLUMNS, rows)
    return path


def write_page(
    study: Study, found: Sequence[Verdict], sources: Sources, out: Path | None,
    concluded: Sequence[Finding] = (),
) -> Path:  # fmt: skip
    """Write the page of a study, and its pictures: of claims, of conclusions, and of a scan.

    Text that somebody has written around the marked parts of the page stays.

    Parameters
    ----------
    study : Study
        Which.
    found : sequence of Verdict
        Its verdicts.
    sources : Sources
        What the study reads.
    out : pathlib.Path or None
        Where instead of in its folder; the page is then what is generated alone.
    concluded : sequence of Finding
        Its conclusions.
    """
    folder = out or study.folder
    path = _place(study.folder, study.about.page, out)
    drawn = picture.draw(found)
    if drawn:
        write_text(folder / PICTURE, drawn)
    parts = []
    if concluded:
        for one in concluded:
            if panels := picture.draw_conclusion(one.behind):
                write_text(folder / f"{one.conclusion.id}.svg", panels)
        reasons = _reasons(concluded, path.parent, {study.name: folder})
        lines = [*_conclusions(concluded), "", *reasons]
        parts.append(Part("conclusions", "Conclusions", lines))
    parts += [Part(table.name, table.title, table.lines(sources))
              for table in study.about.tables if not table.file]  # fmt: skip
    place = Path(os.path.relpath(folder / PICTURE, path.parent)).as_posix() if drawn else ""
    parts.append(Part("claims", "Claims", _claims(study, found, place)))
    draws = scan.read(study)
    if drawn := picture.draw_scan(study.about.unknowns, draws):
        write_text(folder / SCAN_PICTURE, drawn)
        place = Path(os.path.relpath(folder / SCAN_PICTURE, path.parent)).as_posix()
        parts.append(Part("scan", "Unknown inputs", _scan(study, len(draws), place)))
    _put(path, f"{study.name}, claim by claim", parts)
    return path


def _scan(study: Study, draws: int, place: str) -> list[str]:
    """Ranges of the unknown inputs, and the picture of what was judged over them."""
    lines = ["| input | what it is | range | source |", "|---|---|---|---|"]
    lines += [
        line([one.name, one.about, f"{one.low:g} to {one.high:g} {one.unit}".strip(), one.source])
        for one in study.about.unknowns
    ]
    about = f"Verdicts of {draws} draws of the unknown inputs of {study.name}"
    return [*lines, "", f"![{about}]({place})"]


def write_files(study: Study, sources: Sources, out: Path | None) -> None:
    """Write the files of the tables of a study, which its claims may read."""
    for table in study.about.tables:
        if table.file:
            table.write(sources, out or study.folder)


def _place(folder: Path, page: str, out: Path | None) -> Path:
    return out / PAGE if out else Path(os.path.normpath(folder / page))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page that is generated.

    Parameters
    ----------
    name : str
        In the two lines that enclose it.
    title : str
        Its heading, where it has no place yet.
    lines : list of str
        What it says.
    """

    name: str
    title: str
    lines: list[str]


def _put(path: Path, title: str, parts: Sequence[Part]) -> None:
    """Write generated parts into their places on a page, or at its end."""
    text = _before(path) or f"# {title}\n\n{_GENERATED}\n"
    for part in parts:
        first, last = f"<!-- study: {part.name} -->", f"<!-- /study: {part.name} -->"
        body = "\n".join([first, "", *part.lines, "", last])
        head, found, rest = text.partition(first)
        if found:
            _, closed, rest = rest.partition(last)
            if not closed:
                raise StudyError(f"{path}: `{first}` has no `{last}` behind it; add the line.")
            text = f"{head}{body}{rest}"
        else:
            text = f"{text.rstrip()}\n\n## {part.title}\n\n{body}\n"
    write_text(path, text)


def _before(path: Path) -> str:
    """What stands around the generated parts of a page; nothing if all of it is generated."""
    if not path.exists():
        return ""
    text = files.read_text(path, most=_LARGEST)
    if _MARK in text:
        return text
    if f"\n{_GENERATED[:40]}" not in text:
        raise StudyError(
            f"{path}: somebody has written this page; put the lines `{_MARK}claims -->` and "
            "`<!-- /study: claims -->` where the claims shall stand."
        )
    return ""


def _claims(study: Study, found: Sequence[Verdict], drawn: str) -> list[str]:
    lines = counts_table({study.name: found})
    if drawn:
        about = f"Simulated over published values of {study.name}, with tolerances"
        lines += ["", f"![{about}]({drawn})"]
    for figure, claims in study.figures.items():
        part = [one for one in found if one.claim in claims]
        if part:
            lines += ["", f"### {figure or study.name}"]
            alike = [one for one in part if _ending(study, one)]
            others = [one for one in part if not _ending(study, one)]
            lines += ["", *_matrix(study, alike)] if alike else []
            lines += ["", *_list(others)] if others else []
    return lines


def _conclusions(found: Sequence[Finding], links: Mapping[str, str] | None = None) -> list[str]:
    """Counts of conclusions, and a row for each; of several studies with links to them."""
    heads = ["study"] if links else []
    lines = [conclusions.counted(found), "",
             line([*heads, "conclusion", "published", "simulated", "verdict"]),
             "|---" * (4 + len(heads)) + "|"]  # fmt: skip
    for one in found:
        of = one.conclusion
        front = [links[of.study]] if links else []
        lines.append(
            line([*front, of.conclusion, one.published, one.simulated, f"**{one.verdict}**"])
        )
    return lines


def _reasons(found: Sequence[Finding], page: Path, folders: Mapping[str, Path]) -> list[str]:
    """An item for each conclusion: why its verdict is what it is, its claims and its picture."""
    lines = []
    for one in found:
        of = one.conclusion
        why = "".join(
            f" {text[:1].upper()}{text[1:]}." for text in (of.because, one.scanned) if text
        )
        claims = " ".join(
            f"Claims that {said}: {', '.join(f'`{part.claim.id}`' for part in parts)}."
            for said, parts in (
                ("agree", [part for part in one.behind if part.verdict == verdicts.AGREES]),
                ("do not", [part for part in one.behind if part.verdict != verdicts.AGREES]),
            ) if parts
        )  # fmt: skip
        drawn, place = "", folders[of.study] / f"{of.id}.svg"
        if place.is_file():
            drawn = f" [Picture]({Path(os.path.relpath(place, page)).as_posix()})."
        text = f"* `{of.id}` ({of.where}), {one.verdict}.{why} {claims}{drawn}"
        lines += textwrap.wrap(text, 100, subsequent_indent="  ", break_long_words=False,
                               break_on_hyphens=False)  # fmt: skip
    return lines


def _list(found: Sequence[Verdict]) -> list[str]:
    """A row per claim."""
    lines = ["| claim | stated | published | simulated | deviation | verdict |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for one in found:
        claim = one.claim
        published = f"{shown(one.published) or claim.published} {claim.unit}".strip()
        cells = (f"`{claim.id}`", f"{claim.claim} ({claim.where})", published, shown(one.simulated),
                 one.deviation, _said(one))  # fmt: skip
        lines.append(line(cells))
    return lines


def _said(one: Verdict) -> str:
    """The verdict with what goes with it."""
    return "; ".join(
        [f"{one.verdict}: {one.reason}" if one.reason else one.verdict, *_assumed(one)]
    )


def _assumed(one: Verdict) -> list[str]:
    claim = one.claim
    return [
        *([f"assumed: {claim.assumed}"] if claim.assumed else []),
        *([f"same fact as `{claim.fact}`"] if claim.fact != claim.id else []),
    ]


def _ending(study: Study, one: Verdict) -> str:
    """The last part of an id, if claims that differ in it share a row."""
    _, _, ending = one.claim.id.rpartition("-")
    return ending if ending in study.about.families else ""


def _matrix(study: Study, found: Sequence[Verdict]) -> list[str]:
    """A row per family of claims, a column per last part of their ids, and what is said of them."""
    cells: dict[str, dict[str, str]] = {}
    bounds = {ending: {_bound(one) for one in found if _ending(study, one) == ending}
              for ending in study.about.families}  # fmt: skip
    notes: dict[str, int] = {}
    for one in found:
        row, _, ending = one.claim.id.rpartition("-")
        why = [one.reason] if one.reason else []
        marks = [str(notes.setdefault(note, len(notes) + 1)) for note in (*why, *_assumed(one))]
        bound = f" ({_bound(one)})" if len(bounds[ending]) > 1 else ""
        told = f"{shown(one.simulated)} {one.verdict}{bound}".strip()
        cells.setdefault(row, {})[ending] = " ".join([told, *(f"[{mark}]" for mark in marks)])
    heads = {
        ending: f"{study.about.families[ending]} (`-{ending}`)"
        + (f": {next(iter(of))}" if len(of) == 1 else "")
        for ending, of in bounds.items() if of
    }  # fmt: skip
    lines = [line(["claims", *heads.values()]), "|---" * (1 + len(heads)) + "|"]
    lines += [
        line([f"`{name}`", *(row.get(one, "") for one in heads)]) for name, row in cells.items()
    ]
    if notes:
        lines += ["", line(["note", "what is said"]), "|---|---|"]
        lines += [line([str(number), note]) for note, number in notes.items()]
    return lines


def _bound(one: Verdict) -> str:
    """What is asked of a claim."""
    claim = one.claim
    tolerance = f" ± {claim.tolerance}" if claim.tolerance else ""
    return f"{claim.relation} {shown(one.published) or claim.published}{tolerance}".strip()


def write_overview(
    index: StudyIndex, found: Mapping[str, Sequence[Verdict]], out: Path | None,
    concluded: Sequence[Finding] = (),
) -> Path:  # fmt: skip
    """Write the page of all studies.

    Parameters
    ----------
    index : StudyIndex
        All of them.
    found : mapping
        Verdicts by study.
    out : pathlib.Path or None
        Where instead of in their folder.
    concluded : sequence of Finding
        All conclusions.
    """
    path = _place(index.folder, read_about(index.folder).page, out)
    links = {}
    for name, study in index.studies.items():
        page = _place(study.folder, study.about.page, out and out / name)
        links[name] = f"[{name}]({Path(os.path.relpath(page, path.parent)).as_posix()})"
    lines: list[str] = []
    for kind, sentence in _KINDS.items():
        part = {name: one for name, one in found.items() if index.studies[name].about.kind == kind}
        if part:
            lines += [*([sentence, ""] if sentence else []), *counts_table(part, links), ""]
    parts = [Part("counts", "Claims", lines[:-1])]
    if concluded:
        folders = {name: out / name if out else one.folder for name, one in index.studies.items()}
        reasons = _reasons(concluded, path.parent, folders)
        parts = [
            Part("conclusions", "Conclusions", _conclusions(concluded, links)), *parts,
            Part("reasons", "What decides each conclusion", reasons),
        ]  # fmt: skip
    _put(path, "Claims of all studies", parts)
    return path


def counts_table(
    found: Mapping[str, Sequence[Verdict]], links: Mapping[str, str] | None = None
) -> list[str]:
    """Claims and verdicts, and the same by fact in brackets, a row per study and one for all."""
    lines = ["| study | claims (facts) | " + " | ".join(verdicts.VERDICTS) + " |",
             "|---" * (2 + len(verdicts.VERDICTS)) + "|"]  # fmt: skip
    for name, part in found.items():
        lines.append(_counts_row((links or {}).get(name, name), part))
    if len(found) > 1:
        lines.append(_counts_row("all", [one for part in found.values() for one in part]))
    return lines


def _counts_row(name: str, found: Sequence[Verdict]) -> str:
    claims, facts = verdicts.counted(found), verdicts.counted_facts(found)
    pairs = [(len(found), sum(facts.values())), *((claims[one], facts[one]) for one in claims)]
    return line([name, *(f"{of} ({by})" if by != of else str(of) for of, by in pairs)])
