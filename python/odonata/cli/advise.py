"""``odonata advise``: which placement, routing and class for a mix of jobs."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

from odonata.advise.objective import TIME
from odonata.campaign.executors.choice import EXECUTORS, Options
from odonata.cli import costs
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_budget, add_json, number
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import screen, tell
from odonata.cli.words import duration
from odonata.core.errors import RunError

if TYPE_CHECKING:
    from rich.console import Console

    from odonata.advise.conduct import Contest
    from odonata.advise.findings import Findings
    from odonata.campaign.forecast.expected import Expected

_DONE, _STOPPED = 0, 3


def add(commands: Commands) -> None:
    """Put ``advise`` among the commands."""
    command = commands.add_parser(
        "advise",
        description="Find the best combination of a scenario's [sweep]: candidates race on common "
        "seeds, and those that cannot be best are dropped on the way. The table [advise] says what "
        "is compared and which conditions hold; docs/advise.md has an example.",
    )
    command.add_argument("scenario", type=Path, metavar="FILE",
                         help="scenario with a sweep (TOML)")  # fmt: skip
    command.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE",
        help="replace a value, as for `run`; a key that is set is not swept",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, metavar="DIR",
        help="folder for the page and the runs (default: advice/NAME)",
    )  # fmt: skip
    add_budget(command, "time to spend, such as 30min or 2h (default: all that the race needs)")
    command.add_argument("--dry", action="store_true", help="forecast the cost and run nothing")
    command.add_argument(
        "--executor", choices=EXECUTORS, help="where runs are carried out, as for `run`"
    )
    command.add_argument(
        "--workers", type=number(1, 1024), metavar="N", help="processes (default: cores)"
    )
    command.add_argument(
        "--store", type=Path, metavar="DIR",
        help="keep finished runs there, as for `run` (default: DIR/store)",
    )  # fmt: skip
    command.add_argument("--quiet", action="store_true", help="no progress and no table")
    add_json(command)
    command.set_defaults(command=advise)


def advise(options: argparse.Namespace) -> int:
    """``odonata advise``."""
    from odonata.advise import conduct, findings, report, verdict, why  # noqa: PLC0415 - pictures
    from odonata.advise.question import read_question  # noqa: PLC0415 - as above

    question = read_question(options.scenario, options.overrides)
    out = options.out or Path("advice") / question.name
    _refuse_foreign(out, report.NUMBERS)
    store = options.store or out / report.STORE
    console = screen(to_stderr=options.json)
    with ProgressBar(quiet=options.quiet) as bar:
        chosen = Options(executor=options.executor, workers=options.workers, store=store)
        quiet, loud = (lambda _: None), screen(to_stderr=True)
        contest = conduct.Contest(
            question, chosen, bar,
            quiet if options.quiet else lambda text: tell(loud, text),
        )  # fmt: skip
        with bar.doing("checking the candidates"):
            contest.admit()
        cost = _forecast(contest, bar, options, console)
        if options.dry:
            return _dry(contest, cost, options)
        try:
            contest.run(options.budget)
            best = findings.best_of(contest)
            fresh = contest.again([0, best]) if best > 0 and contest.ended != "budget" else range(0)
            told = [] if contest.ended == "budget" else why.why(
                contest, _explained(contest, best), contest.race.seeds, out
            )  # fmt: skip
        except conduct.StoppedError:
            return _stopped(options, contest, console)
        found = findings.found(contest, best, fresh)
        said = verdict.verdict(contest, found)
        with bar.doing("writing the page"):
            page = report.write(contest, found, said, told, out)
    if options.json:
        numbers = report.as_json(contest, found, said, told)
        print(json.dumps({"exit_code": _DONE, "page": str(page), **numbers}))
        return _DONE
    if not options.quiet:
        _table(contest, found).print(console)
        for label, reason in contest.refused.items():
            tell(console, f"left out: {label}: {reason}")
        for one in told:
            tell(console, f"{one.label}: {one.steps[0][1]}")
    tell(console, said.text)
    tell(console, f"Page: {page}")
    return _DONE


def _refuse_foreign(out: Path, ours: str) -> None:
    """What others wrote is never touched."""
    if not out.exists():
        return
    if not out.is_dir():
        raise RunError(f"{out} is a file; give --out another folder.")
    if any(out.iterdir()) and not (out / ours).is_file() and not (out / "store").is_dir():
        raise RunError(f"{out} holds files that `advise` did not write; give --out another folder.")


def _explained(contest: Contest, best: int) -> list[int]:
    """Base case and winner; of two objectives, those that are left."""
    if best >= 0:
        return sorted({0, best})
    return sorted({0, *contest.race.survivors[:3]})


def _forecast(
    contest: Contest, bar: ProgressBar, options: argparse.Namespace, console: Console
) -> Expected | None:  # fmt: skip
    """What a seed of every candidate costs, where somebody wants to know."""
    if options.quiet and not options.dry and options.budget == math.inf:
        return None
    with bar.doing("running the beginning of runs, to forecast their cost"):
        cost = contest.forecast()
    first = contest.question.advice.first
    if not options.quiet or options.dry:
        many = len(contest.runners)
        tell(console, f"{costs.total(cost)}: one seed of each of the {many} candidates.")
        if cost.wall_s is not None:
            least, most = (duration(1e9 * one) for one in contest.whole(cost.wall_s))
            tell(
                console, f"The whole race takes {least} to {most} of wall time: all candidates run "
                f"with {first} seeds, those that are left with up to "
                f"{contest.question.advice.most} (`advise.most_seeds`), then the winner and the "
                f"base case with {first} fresh seeds and once more with blame. Most races end "
                "soon after the first seeds.",
            )  # fmt: skip
    if cost.wall_s is not None and first * cost.wall_s > options.budget and not options.dry:
        raise RunError(
            f"the first {first} seeds of {len(contest.runners)} candidates take about "
            f"{duration(first * cost.wall_s * 1e9)}, more than the budget; nothing was run. Give a "
            "larger --budget, or list fewer values."
        )
    return cost


def _dry(contest: Contest, cost: Expected | None, options: argparse.Namespace) -> int:
    if options.json:
        seed_s = None if cost is None else cost.wall_s
        least, most = (None, None) if seed_s is None else contest.whole(seed_s)
        found = {"exit_code": _DONE, "candidates": [one.label for one in contest.runners],
                 "refused": contest.refused,
                 "expected_of_a_seed": cost and dataclasses.asdict(cost),
                 "expected_wall_s": {"least": least, "most": most}}  # fmt: skip
        print(json.dumps(found))
        return _DONE
    table = Listing("Candidates, the base case first").labels("candidate")
    table.prose("why it is left out")
    for one in contest.runners:
        table.row(one.label, "")
    for label, reason in contest.refused.items():
        table.row(label, reason)
    table.print(screen())
    return _DONE


def _stopped(options: argparse.Namespace, contest: Contest, console: Console) -> int:
    if options.json:
        print(json.dumps({"exit_code": _STOPPED, "runs": len(contest.seen)}))
    tell(console, "Stopped early. Every run that has finished is kept, and the same command "
         "continues with them.")  # fmt: skip
    return _STOPPED


def _table(contest: Contest, findings: Findings) -> Listing:
    table = Listing(f"Candidates, {findings.runs} runs", all_in="the page lists all")
    table.labels("candidate")
    for wish in contest.question.objectives:
        unit = contest.question.unit(wish)
        if unit == TIME:
            table.times(wish.name)
        else:
            table.numbers(f"{wish.name} [{unit}]", form=".4g")
        table.numbers("over base case [x]", "95 % interval", form=".3f", kept=True)
    table.numbers("other jobs [x]", form=".3f").numbers("seeds", form="d").prose("outcome")
    for row in findings.rows:
        cells: list[float | tuple[float, float] | None] = []
        for value, ratio in zip(row.values, row.ratios, strict=True):
            ends = None if row.place == 0 or math.isnan(ratio.low) else (ratio.low, ratio.high)
            cells += [value, ratio.estimate, ends]
        table.row(row.label, *cells, row.others, row.seeds, row.fate)
    return table
