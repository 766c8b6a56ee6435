"""``odonata study``: claims of papers and of measurements against what is simulated."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from odonata.campaign.executors.choice import EXECUTORS, Options
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_budget, add_json, number
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import screen
from odonata.cli.words import duration
from odonata.core.errors import in_shell
from odonata.studies import conclusions, pages, scan, verdicts
from odonata.studies.about import BENCHMARK, MACHINE, OTHER, PAPER, QUESTION
from odonata.studies.claims import Claim, StudyError
from odonata.studies.conclusions import Conclusion, Finding
from odonata.studies.index import Study, StudyIndex
from odonata.studies.numbers import Value, flat
from odonata.studies.runs import StudyRuns, Tally, Wanted
from odonata.studies.sources import PROBABLY, Sources
from odonata.studies.verdicts import Verdict, shown

_DONE, _FAILED, _STOPPED = 0, 2, 3
_MOST_RUNS = 12
_DRAWS = 16
_MOST_NUMBERS = 4
_SUMS = {
    PAPER: "claims",
    OTHER: "claims of other papers",
    BENCHMARK: "claims about benchmarks",
    MACHINE: "claims about machines",
    QUESTION: "claims about questions",
}


def add(commands: Commands) -> None:
    """Put ``study`` among the commands."""
    command = commands.add_parser(
        "study",
        description="Judge what papers, or your own measurements, state against what is "
        "simulated, claim by claim. docs/how-to/study.md says how a study is written.",
    )
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    told = (
        ("list", listed, "studies with their figures and verdicts; of a pattern, its claims"),
        ("conclusions", concluded, "conclusions of studies, and what their claims make of them"),
        ("show", show, "a claim: where it stands, its quantity, runs, verdict"),
        ("run", run, "run what verdicts need, the cheapest verdict first"),
        ("scan", scanned, "judge claims over the ranges of the unknown inputs of their study"),
        ("judge", judge, "a verdict for every claim, from stored results; writes verdicts.csv"),
        ("page", page, "write a page for each study, and one for all"),
    )
    for name, function, about in told:
        action = actions.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        if name == "conclusions":
            action.add_argument(
                "words", nargs="*", metavar="STUDY",
                help="study, or conclusion with what decides it (default: all)",
            )  # fmt: skip
        else:
            action.add_argument(
                "claims", nargs="+" if name == "show" else "*", metavar="CLAIM",
                help="id, pattern such as 'kang-*', study, study/figure or study/table "
                "(default: all)",
            )  # fmt: skip
        action.add_argument(
            "--studies", type=Path, default=Path("studies"), metavar="DIR",
            help="folder with the studies, or one study (default: studies)",
        )  # fmt: skip
        add_json(action)
        action.set_defaults(command=function)
        if name in ("run", "scan"):
            _add_run(action, is_scan=name == "scan")
        elif name in ("judge", "page"):
            action.add_argument("--out", type=Path, metavar="DIR",
                                help="write there instead of next to the studies")  # fmt: skip
        if name == "judge":
            action.add_argument(
                "--placebo", action="store_true",
                help="show what became of each claim that agrees with its cause taken away; exit "
                "code 2 if one names no placebo",
            )  # fmt: skip


def _add_run(action: argparse.ArgumentParser, *, is_scan: bool) -> None:
    add_budget(action, "time to spend, such as 30min or 2h (default: all that is needed)")
    if is_scan:
        action.add_argument("--draws", type=number(4, 1000), default=_DRAWS, metavar="N",
                            help=f"values of the unknown inputs (default: {_DRAWS})")  # fmt: skip
    else:
        action.add_argument("--stale", action="store_true",
                            help="repeat runs whose results are of another model")  # fmt: skip
        action.add_argument("--again", action="store_true",
                            help="repeat all runs of the claims that are named")  # fmt: skip
    action.add_argument("--dry", action="store_true", help="forecast the cost and run nothing")
    action.add_argument(
        "--executor", choices=EXECUTORS, help="where runs are carried out, as for `run`"
    )
    action.add_argument(
        "--workers", type=number(1, 1024), metavar="N", help="processes (default: cores)"
    )
    action.add_argument("--quiet", action="store_true", help="no progress and no table")


def _judged(index: StudyIndex, chosen: list[Claim]) -> dict[str, list[Verdict]]:
    """Verdicts of chosen claims, by study."""
    wanted = {claim.id for claim in chosen}
    parts = {
        name: [claim for claim in study.claims if claim.id in wanted]
        for name, study in index.studies.items()
    }
    return {
        name: verdicts.judge(claims, Sources(index.studies[name].folder))
        for name, claims in parts.items()
        if claims
    }


def listed(options: argparse.Namespace) -> int:
    """``odonata study list``."""
    index = StudyIndex(options.studies)
    found = _judged(index, index.chosen(options.claims))
    if options.json:
        print(json.dumps({"exit_code": _DONE, "studies": _counts(index, found)}))
        return _DONE
    console = screen()
    if options.claims:
        _claims_table([one for part in found.values() for one in part]).print(console)
    else:
        _studies_table(index, found).print(console)
    _say_sum(index, found, console)
    return _DONE


def _counts(index: StudyIndex, found: dict[str, list[Verdict]]) -> dict[str, Any]:
    return {
        name: {
            "claims": len(part), **verdicts.counted(part), "facts": verdicts.counted_facts(part),
            "figures": {
                figure: verdicts.counted(one for one in part if one.claim in claims)
                for figure, claims in index.studies[name].figures.items()
            },
        }
        for name, part in found.items()
    }  # fmt: skip


def _studies_table(index: StudyIndex, found: dict[str, list[Verdict]]) -> Listing:
    table = Listing("Claims of studies, and their verdicts").labels("study", "figure")
    table.numbers("claims", *verdicts.VERDICTS, form="d")
    for name, part in found.items():
        table.row(name, "", len(part), *verdicts.counted(part).values())
        for figure, claims in index.studies[name].figures.items():
            of_figure = [one for one in part if one.claim in claims]
            if figure:
                table.row("", figure, len(of_figure), *verdicts.counted(of_figure).values())
    return table


def _claims_table(found: list[Verdict]) -> Listing:
    table = Listing("Claims", all_in="`odonata study show ID` shows everything about a claim")
    table.labels("claim").prose("published", "simulated").labels("deviation", "verdict")
    for one in found:
        table.row(one.claim.id, _published(one), shown(one.simulated), one.deviation, one.verdict)
    return table


def _published(one: Verdict) -> str:
    text = shown(one.published) or one.claim.published
    return f"{text} {one.claim.unit}".strip()


def _say_sum(index: StudyIndex, found: dict[str, list[Verdict]], console: Any) -> None:  # noqa: ANN401 - of rich
    every = [one for part in found.values() for one in part]
    for kind, what in _SUMS.items():
        names = index.of_kind(kind)
        these = [one for name, part in found.items() if name in names for one in part]
        if not these:
            continue
        facts = verdicts.counted_facts(these)
        console.print(f"{len(these)} {what}: {_listed(verdicts.counted(these))}.", markup=False,
                      soft_wrap=True)  # fmt: skip
        if sum(facts.values()) < len(these):
            console.print(f"They state {sum(facts.values())} facts: {_listed(facts)}.",
                          markup=False, soft_wrap=True)  # fmt: skip
    old = sum(bool(one.other_code) for one in every)
    if old:
        console.print(
            f"{old} verdicts use runs whose numbers may have changed since; `odonata study run "
            "--stale` repeats them.", markup=False, soft_wrap=True,
        )  # fmt: skip


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _findings(
    index: StudyIndex, rows: list[Conclusion], found: dict[str, list[Verdict]]
) -> list[Finding]:
    """What is said of conclusions; claims behind them that have no verdict yet are judged."""
    behind = {one.claim.id: one for part in found.values() for one in part}
    left = [index.claims[name] for row in rows for name in row.claims if name not in behind]
    behind |= {one.claim.id: one for part in _judged(index, left).values() for one in part}
    scans = {name: scan.read(study) for name, study in index.studies.items()}
    scanned = {one.id: scan.scanned(index.studies[one.study], scans[one.study], one.needs)
               for one in rows}  # fmt: skip
    return conclusions.judge(rows, behind, scanned)


def concluded(options: argparse.Namespace) -> int:
    """``odonata study conclusions``."""
    index = StudyIndex(options.studies)
    found = _findings(index, index.concluded(options.words), {})
    wrong = [one.contradiction for one in found if one.contradiction]
    code = _FAILED if wrong else _DONE
    if options.json:
        print(json.dumps({"exit_code": code, "conclusions": list(map(_finding_as_json, found))}))
        return code
    console = screen()
    if found:
        _conclusions_table(found, console)
    else:
        console.print(f"No study has a file {conclusions.CONCLUSIONS}; docs/how-to/study.md says "
                      "how it is written.", markup=False, soft_wrap=True)  # fmt: skip
    told = ["`odonata study conclusions STUDY` says what decides each."] if found else []
    if options.words:
        told = [line for one in found for line in _finding_lines(one)]
    for text in (*told, *wrong):
        console.print(text, markup=False, soft_wrap=True)
    return code


def _conclusions_table(found: list[Finding], console: Any) -> None:  # noqa: ANN401 - of rich
    console.print(conclusions.counted(found), markup=False, soft_wrap=True)
    table = Listing().labels("conclusion", "verdict").prose("what is concluded", "simulated")
    for one in found:
        numbers = "; published ".join(part for part in (one.simulated, one.published) if part)
        table.row(one.conclusion.id, one.verdict, one.conclusion.conclusion, numbers)
    table.print(console)


def _finding_lines(one: Finding) -> list[str]:
    of = one.conclusion
    told = {part.claim.id: f"{part.claim.id} {part.verdict}" for part in one.behind}
    lines = [
        ("where", of.where), ("because", of.because), ("scan", one.scanned),
        ("needs", ", ".join(told[name] for name in of.needs)),
        ("otherwise", ", ".join(told[name] for name in of.otherwise)),
    ]  # fmt: skip
    return [f"{of.id} ({of.place})", *(f"  {name}: {text}" for name, text in lines if text)]


def _finding_as_json(one: Finding) -> dict[str, Any]:
    of = one.conclusion
    return {
        "id": of.id, "study": of.study, "conclusion": of.conclusion, "where": of.where,
        "published": one.published, "simulated": one.simulated, "verdict": one.verdict,
        "because": of.because, "needs": list(of.needs), "otherwise": list(of.otherwise),
        "scan": one.scanned, "contradiction": one.contradiction,
    }  # fmt: skip


def show(options: argparse.Namespace) -> int:
    """``odonata study show``."""
    index = StudyIndex(options.studies)
    found = [one for part in _judged(index, index.chosen(options.claims)).values() for one in part]
    if options.json:
        print(json.dumps({"exit_code": _DONE, "claims": [_as_json(one) for one in found]}))
        return _DONE
    console = screen()
    for one in found:
        console.print(f"{one.claim.id} ({one.claim.place})", markup=False, soft_wrap=True)
        for name, text in _lines(one):
            if text:
                console.print(f"  {name}: {text}", markup=False, soft_wrap=True)
    return _DONE


def _lines(one: Verdict) -> list[tuple[str, str]]:
    claim = one.claim
    return [
        ("claim", claim.claim), ("where", claim.where), ("quantity", claim.quantity),
        ("relation", claim.relation), ("published", _published(one)),
        ("tolerance", claim.tolerance), ("assumed", claim.assumed),
        ("same fact as", "" if claim.fact == claim.id else claim.fact),
        ("simulated", f"{shown(one.simulated)} {claim.unit}".strip() if one.simulated is not None
         else ""),
        ("deviation", one.deviation), ("verdict", one.verdict), ("why", one.reason),
        ("placebo", f"{shown(one.placebo)} ({claim.placebo})" if claim.placebo else ""),
        ("runs", "; ".join(one.runs)), ("runs of another model", "; ".join(one.other_code)),
    ]  # fmt: skip


def _as_json(one: Verdict) -> dict[str, Any]:
    return {
        "id": one.claim.id, "verdict": one.verdict, "simulated": one.simulated,
        "published": one.published if one.published is not None else one.claim.published,
        "unit": one.claim.unit, "deviation": one.deviation, "reason": one.reason,
        "fact": one.claim.fact, "placebo": one.placebo,
        "runs": list(one.runs), "other_code": list(one.other_code),
    }  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """``odonata study run``."""
    index = StudyIndex(options.studies)
    if options.again and not options.claims:
        raise StudyError("`--again` repeats what is named, and nothing is; name a claim, figure or "
                         "study.")  # fmt: skip
    chosen = index.needing(options.claims)
    runs = StudyRuns(index, chosen, stale=options.stale, again=options.again)
    console = screen(to_stderr=options.json)
    order, tally = _carried_out(runs, options, options.budget, console)
    code = _STOPPED if tally.is_interrupted else _FAILED if tally.failed else _DONE
    for label, why in tally.failed.items():
        console.print(f"{label}: {why}", markup=False, soft_wrap=True)
    if options.json:
        told = {"exit_code": code, "missing": len(runs.wanted), "planned": _planned(order),
                "made": tally.made, "failed": tally.failed}  # fmt: skip
        print(json.dumps(told))
    elif not options.quiet and not options.dry:
        hint = f"odonata study judge --studies {in_shell(options.studies)}"
        console.print(
            f"{len(tally.made)} runs made. Verdicts: {hint}", markup=False, soft_wrap=True
        )
    return code


def _carried_out(
    runs: StudyRuns, options: argparse.Namespace, budget_s: float, console: Any,  # noqa: ANN401 - of rich
) -> tuple[list[Wanted], Tally]:  # fmt: skip
    """Forecast runs, say what they cost, and make those that a budget allows."""
    with ProgressBar(quiet=options.quiet) as bar:
        with bar.doing("running the beginning of runs, to forecast their cost"):
            runs.forecast()
        order = runs.ordered(budget_s)
        if not options.quiet:
            _say_plan(runs, order, console, is_again="again" in options)
        if options.dry or not order:
            return order, Tally()
        who = Options(executor=options.executor, workers=options.workers)
        return order, runs.carry_out(order, options=who, observer=bar, budget_s=budget_s)


def scanned(options: argparse.Namespace) -> int:
    """``odonata study scan``."""
    index = StudyIndex(options.studies)
    study, chosen = _to_scan(index, options.claims)
    draws, console = scan.drawn(study, options.draws), screen(to_stderr=options.json)
    runs = StudyRuns(index, chosen, sources={study.name: draws})
    scan.check(study, draws[0].used)
    order, tally = _carried_out(runs, options, options.budget, console)
    if options.dry:
        return _say_scan(options, {"planned": _planned(order)})
    for label, why in tally.failed.items():
        console.print(f"{label}: {why}", markup=False, soft_wrap=True)
    if tally.is_interrupted:
        return _STOPPED
    path = scan.write(study, [(one.values, verdicts.judge(chosen, one)) for one in draws])
    if not options.json:
        _scan_table(index, study, [claim.id for claim in chosen]).print(console)
        console.print(f"written: {path}", markup=False, soft_wrap=True)
    return _say_scan(options, {"written": str(path), "failed": tally.failed})


def _say_scan(options: argparse.Namespace, said: dict[str, Any]) -> int:
    """Print what a program that asked for it reads; the exit code."""
    code = _FAILED if said.get("failed") else _DONE
    if options.json:
        print(json.dumps({"exit_code": code, "draws": options.draws, **said}))
    return code


def _to_scan(index: StudyIndex, words: list[str]) -> tuple[Study, list[Claim]]:
    """The study of a scan, and its claims: those behind its conclusions, and the one that it fits.

    Raises
    ------
    StudyError
        It is none, or several; or it has no unknown inputs.
    """
    chosen = index.chosen(words)
    names = dict.fromkeys(index.study_of(claim).name for claim in chosen)
    having = [name for name in names if index.studies[name].about.unknowns]
    if len(having) != 1:
        every = [name for name, one in index.studies.items() if one.about.unknowns]
        raise StudyError("name claims of one study that has unknown inputs: "
                         f"{', '.join(every) or 'none has'}.")  # fmt: skip
    study = index.studies[having[0]]
    behind = [name for one in index.concluded(()) for name in (*one.needs, *one.otherwise)]
    if words and words != [study.name]:
        behind = [claim.id for claim in chosen]
    wanted = {*behind, study.about.fit}
    return study, [claim for claim in study.claims if claim.id in wanted]


def _scan_table(index: StudyIndex, study: Study, ids: list[str]) -> Listing:
    """Over which part of the ranges of unknown inputs claims and conclusions hold."""
    table = Listing("Where claims and conclusions hold").labels("claim or conclusion")
    table.numbers("draws", "hold", form="d").prose("region")
    rows: list[tuple[str, tuple[str, ...]]] = [(name, (name,)) for name in ids]
    rows += [(one.id, one.needs) for one in index.concluded(()) if one.study == study.name]
    draws = scan.read(study)
    for name, behind in rows:
        found = scan.scanned(study, draws, behind)
        table.row(name, found.draws, found.holding, found.region or "none")
    return table


def _planned(order: list[Wanted]) -> list[dict[str, Any]]:
    """Runs that are to be made, for programs."""
    costs = [None if math.isnan(one.cost_s) else one.cost_s for one in order]
    return [{"run": one.target.label, "cost_s": cost, "claims": one.claims}
            for one, cost in zip(order, costs, strict=True)]  # fmt: skip


def _say_plan(
    runs: StudyRuns, order: list[Wanted], console: Any, *, is_again: bool,  # noqa: ANN401 - of rich
) -> None:  # fmt: skip
    if not runs.wanted:
        hint = "; `--again` repeats it for those that are named" if is_again else ""
        console.print(f"Everything that these claims need has been run{hint}.", markup=False,
                      soft_wrap=True)  # fmt: skip
        return
    table = Listing("Runs, the cheapest verdict first", all_in="--json has all")
    table.labels("run").times("expected CPU time").numbers("claims", form="d")
    for one in order[:_MOST_RUNS]:
        table.row(one.target.label, one.cost_s * 1e9, len(one.claims))
    if order:
        table.print(console)
    total = sum(one.cost_s for one in order if not math.isnan(one.cost_s))
    unknown = sum(math.isnan(one.cost_s) for one in order)
    known = f", about {duration(total * 1e9)} of one core" if unknown < len(order) else ""
    more = f"; what {unknown} of them cost is not known before they run" if unknown else ""
    left = len(runs.wanted) - len(order)
    beyond = f" {left} more are beyond the budget." if left else ""
    console.print(
        f"{len(order)} runs{known}{more}.{beyond}",
        markup=False, soft_wrap=True,
    )  # fmt: skip


def judge(options: argparse.Namespace) -> int:
    """``odonata study judge``."""
    index = StudyIndex(options.studies)
    found = _judged(index, index.chosen(options.claims))
    written = []
    if not options.claims or options.out is not None:
        for name, part in found.items():
            folder = _folder(index.studies[name].folder, name, options.out)
            written.append(pages.write_table(part, folder))
    every = [one for part in found.values() for one in part]
    lacking = [one.claim.id for one in every
               if one.verdict == verdicts.AGREES and not one.claim.placebo]  # fmt: skip
    code = _FAILED if options.placebo and lacking else _DONE
    if options.json:
        print(json.dumps({"exit_code": code, "written": list(map(str, written)),
                          "claims": list(map(_as_json, every))}))  # fmt: skip
        return code
    console = screen()
    if options.placebo:
        _say_placebos(every, lacking, console)
    else:
        _claims_table(every).print(console)
    _say_sum(index, found, console)
    misspelt = [f"{one.claim.place}, {one.claim.id}, quantity: {one.reason}"
                for one in every if PROBABLY in one.reason]  # fmt: skip
    for text in (*misspelt, *(f"written: {path}" for path in written)):
        console.print(text, markup=False, soft_wrap=True)
    return code


def _say_placebos(found: list[Verdict], lacking: list[str], console: Any) -> None:  # noqa: ANN401 - of rich
    """Say what becomes of claims that hold when their cause is taken away."""
    table = Listing("Claims that hold, and the same with their cause taken away")
    table.labels("claim").prose("simulated", "placebo", "exchanged").labels("verdict")
    for one in found:
        if one.placebo is not None:
            table.row(one.claim.id, _first(one.simulated), _first(one.placebo), one.claim.placebo,
                      one.verdict)  # fmt: skip
    table.print(console)
    if lacking:
        console.print(f"These agree and name no placebo: {', '.join(lacking)}.", markup=False,
                      soft_wrap=True)  # fmt: skip


def _first(value: Value | None) -> str:
    """The first numbers of a value as text."""
    every = [] if value is None else flat(value)
    return shown(list(every[:_MOST_NUMBERS])) + (", ..." if len(every) > _MOST_NUMBERS else "")


def _folder(study: Path, name: str, out: Path | None) -> Path:
    """Where what is written of a study goes."""
    if out is None:
        return study
    folder = out / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"{folder}: {(error.strerror or str(error)).lower()}; choose another "
                         "folder.") from None  # fmt: skip
    return folder


def page(options: argparse.Namespace) -> int:
    """``odonata study page``."""
    index = StudyIndex(options.studies)
    chosen = index.chosen(options.claims)
    outs = {}
    for name in dict.fromkeys(index.study_of(claim).name for claim in chosen):
        study = index.studies[name]
        outs[name] = None if options.out is None else _folder(study.folder, name, options.out)
        pages.write_files(study, Sources(study.folder), outs[name])
    found = _judged(index, chosen)
    rows = [one for one in index.concluded(()) if one.study in found]
    findings = _findings(index, rows, found)
    written = []
    for name, part in found.items():
        study = index.studies[name]
        of_study = [one for one in findings if one.conclusion.study == name]
        written.append(pages.write_page(study, part, Sources(study.folder), outs[name], of_study))
    if not options.claims and len(found) > 1:
        written.append(pages.write_overview(index, found, options.out, findings))
    if options.json:
        print(json.dumps({"exit_code": _DONE, "written": list(map(str, written))}))
    else:
        for path in written:
            screen().print(f"written: {path}", markup=False, soft_wrap=True)
    return _DONE
