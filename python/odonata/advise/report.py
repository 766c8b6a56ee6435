"""What is written of a race: a page with pictures, its numbers as JSON and as a table."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from odonata.advise.conduct import Contest
from odonata.advise.findings import Findings, Row
from odonata.advise.objective import TIME
from odonata.advise.verdict import Verdict
from odonata.advise.why import Told
from odonata.analysis.quantiles import Interval
from odonata.core import native
from odonata.core.errors import RunError
from odonata.core.files import problem
from odonata.output import plots
from odonata.output.canvas import Drawing, Picture, Sketch, legend, new_figure, store
from odonata.output.explain import units
from odonata.output.report.figures import styled
from odonata.output.report.page import style

PAGE, NUMBERS, FIGURES, STORE = "advice.html", "advice.json", "figures", "store"


def write(
    contest: Contest, findings: Findings, verdict: Verdict, told: Sequence[Told], out: Path
) -> Path:
    """Write page, pictures and numbers.

    Parameters
    ----------
    contest, findings, verdict, told
        What there is to say.
    out : pathlib.Path
        Folder.

    Raises
    ------
    RunError
        It cannot be written.
    """
    try:
        (out / FIGURES).mkdir(parents=True, exist_ok=True)
        pictures = _pictures(contest, findings, out / FIGURES)
        numbers = json.dumps(as_json(contest, findings, verdict, told), indent=2,
                             ensure_ascii=False)  # fmt: skip
        (out / NUMBERS).write_text(numbers + "\n", encoding="utf-8")
        _seen(contest).write_csv(out / "values.csv")
        text = _page(contest, findings, verdict, told, pictures)
        (out / PAGE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(
            f"{out}: the page cannot be written: {problem(error)}; free some space, or give "
            "another folder."
        ) from None
    return out / PAGE


def as_json(
    contest: Contest, findings: Findings, verdict: Verdict, told: Sequence[Told]
) -> dict[str, Any]:
    """All numbers of a race."""
    question = contest.question
    winner = findings.winner
    return {
        "name": question.name, "engine": native.ENGINE, "ended": contest.ended,
        "helps": verdict.helps, "verdict": verdict.text,
        "base": findings.rows[0].label, "best": winner.label if winner else None,
        "left": [row.label for row in findings.left],
        "gain": _interval(findings.gain), "fresh_seeds": findings.fresh,
        "difference": question.advice.difference, "error": question.advice.error,
        "seeds": contest.race.seeds, "runs": findings.runs,
        "variance_saved_by_common_seeds": findings.saved,
        "objectives": [wish.name for wish in question.objectives],
        "conditions": [wish.name for wish in question.conditions],
        "candidates": [_as_json(row, contest) for row in findings.rows],
        "refused": dict(contest.refused),
        "why": [{**asdict(one), "directory": one.directory and str(one.directory)}
                for one in told],
    }  # fmt: skip


def _as_json(row: Row, contest: Contest) -> dict[str, Any]:
    return {
        "label": row.label, "values": contest.runners[row.place].values, "fate": row.fate,
        "seeds": row.seeds, "objectives": [_known(one) for one in row.values],
        "ratios": [_interval(one) for one in row.ratios], "others": _known(row.others),
    }  # fmt: skip


def _interval(one: Interval | None) -> dict[str, float | None] | None:
    if one is None:
        return None
    ends = {"estimate": one.estimate, "low": one.low, "high": one.high, "level": one.level}
    return {name: _known(value) for name, value in ends.items()}


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _seen(contest: Contest) -> pl.DataFrame:
    """Every value by candidate and seed."""
    seeds = contest.question.candidates.seeds(1 + max((at for _, at in contest.seen), default=0))
    names = [wish.name for wish in contest.question.objectives]
    rows = [
        {"candidate": contest.runners[place].label, "seed": seeds[seed],
         **{name: math.exp(abs_log) for name, abs_log in zip(names, _logs(contest, one.scores),
                                                              strict=True)},
         "wall_s": one.wall_s}
        for (place, seed), one in contest.seen.items()
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def _logs(contest: Contest, scores: Sequence[float]) -> list[float]:
    wishes = contest.question.objectives
    return [one if wish.direction == "highest" else -one
            for one, wish in zip(scores, wishes, strict=True)]  # fmt: skip


def _pictures(contest: Contest, findings: Findings, folder: Path) -> list[Picture]:
    with styled():
        drawings = [_intervals(contest, findings)]
        if len(findings.rows[0].ratios) > 1 or not all(
            math.isnan(row.others) for row in findings.rows
        ):
            drawings.append(_tradeoff(contest, findings))
        return [store(one, folder) for one in drawings]


def _intervals(contest: Contest, findings: Findings) -> Drawing:
    """The first objective of every candidate over that of the base case."""
    what = contest.question.objectives[0].name
    rows = [{"variant": row.label, "value": row.ratios[0].estimate,
             "low": _known(row.ratios[0].low), "high": _known(row.ratios[0].high)}
            for row in findings.rows if math.isfinite(row.ratios[0].estimate)]  # fmt: skip
    table = pl.DataFrame(rows, schema={"variant": pl.String, "value": pl.Float64,
                                       "low": pl.Float64, "high": pl.Float64})  # fmt: skip
    figure, (axes,) = new_figure(1, 6.5, 0.9 + 0.25 * len(table))
    plots.intervals(table, axes, quantity=f"{what}, times that of the base case", unit=(1.0, ""))
    legend(figure, [axes])
    return Drawing(
        Sketch("candidates", "Against the base case",
               f"Geometric mean of the {what} of each candidate over that of the base case, on the "
               "seeds that both have run with. The intervals of candidates in the race hold "
               "together with 95 %, those of the others one by one.",
               f"A row per candidate with its {what} over that of the base case."),
        figure, table)  # fmt: skip


def _tradeoff(contest: Contest, findings: Findings) -> Drawing:
    """First objective against the second, or against what the other jobs pay."""
    wishes = contest.question.objectives
    is_pareto = len(wishes) > 1
    up = wishes[1].name if is_pareto else "time of the other jobs"
    rows: list[dict[str, Any]] = []
    for row in findings.rows:
        second = row.ratios[1] if is_pareto else None
        y = row.others if second is None else second.estimate
        if not (math.isfinite(y) and math.isfinite(row.ratios[0].estimate)):
            continue
        rows.append({
            "variant": row.label, "is_left": row.is_left, "x": row.ratios[0].estimate,
            "x_low": _known(row.ratios[0].low), "x_high": _known(row.ratios[0].high), "y": y,
            "y_low": second and _known(second.low), "y_high": second and _known(second.high),
        })  # fmt: skip
    numbers = dict.fromkeys(("x", "x_low", "x_high", "y", "y_low", "y_high"), pl.Float64)
    table = pl.DataFrame(rows, schema={"variant": pl.String, "is_left": pl.Boolean, **numbers})
    figure, (axes,) = new_figure(1, 6.5, 4.2)
    plots.tradeoff(table, axes, across=f"{wishes[0].name}, times that of the base case",
                   up=f"{up}, times that of the base case")  # fmt: skip
    legend(figure, [axes])
    about = ("No candidate in the race is beaten in both." if is_pareto else
             "Up: the geometric mean over the jobs that the objective is not about.")  # fmt: skip
    return Drawing(
        Sketch("tradeoff", f"{wishes[0].name.capitalize()} against {up}",
               f"{about} Both axes are relative to the base case.",
               f"A point per candidate: {wishes[0].name} across, {up} up."),
        figure, table)  # fmt: skip


def _written(value: float, unit: str) -> str:
    """A value with its unit."""
    if math.isnan(value):
        return ""
    return units.time(value) if unit == TIME else f"{units.number(value)} {unit}"


def cells(row: Row, of: Sequence[str]) -> list[str]:
    """A candidate as a row of the page; ``of`` has the units of its objectives."""
    shown = []
    for value, ratio, unit in zip(row.values, row.ratios, of, strict=True):
        interval = "" if math.isnan(ratio.low) or row.place == 0 else (
            f" ({ratio.low:.3f} to {ratio.high:.3f})"
        )  # fmt: skip
        over = "" if math.isnan(ratio.estimate) else f"{ratio.estimate:.3f}{interval}"
        shown += [_written(value, unit), over]
    others = "" if math.isnan(row.others) else f"{row.others:.3f}"
    return [row.label, *shown, others, str(row.seeds), row.fate]


def _page(
    contest: Contest, findings: Findings, verdict: Verdict, told: Sequence[Told],
    pictures: Sequence[Picture],
) -> str:  # fmt: skip
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = (files("odonata.advise") / "page.html").read_text(encoding="utf-8")
    columns = ["candidate"]
    of = [contest.question.unit(wish) for wish in contest.question.objectives]
    for wish in contest.question.objectives:
        columns += [wish.name, "over the base case [x] (95 % interval)"]
    names = list(dict.fromkeys(name for one in told for name in one.counted))
    return environment.from_string(source).render(
        name=contest.question.name, style=style(), verdict=verdict,
        facts=_facts(contest, findings),
        columns=[*columns, "time of the other jobs [x]", "seeds", "outcome"],
        rows=[cells(row, of) for row in findings.rows], refused=list(contest.refused.items()),
        pictures=[{**asdict_of(one), "source": _source(one)} for one in pictures],
        told=told,
        counted=[(name, [_number(one.counted.get(name)) for one in told]) for name in names],
        version=native.VERSION, engine=native.ENGINE,
    )  # fmt: skip


def _facts(contest: Contest, findings: Findings) -> list[tuple[str, str]]:
    advice, question = contest.question.advice, contest.question
    conditions = [f"{one.name}: at most {100.0 * (one.worse_by_at_most or 0.0):g} % worse"
                  for one in question.conditions]  # fmt: skip
    facts = [
        ("Objective", ", ".join(f"{one.name}, {one.direction}" for one in question.objectives)),
        ("Conditions", "; ".join(conditions)),
        ("Base case", findings.rows[0].label),
        ("Difference that does not matter", f"{100.0 * advice.difference:g} %"),
        ("Error probability", f"{100.0 * advice.error:g} %"),
        ("Candidates", f"{len(findings.rows)}, {len(findings.left)} left"),
        ("Runs", f"{findings.runs}; all candidates with as many seeds as the race had would be "
         f"{len(findings.rows) * contest.race.seeds}"),
    ]  # fmt: skip
    return [(name, text) for name, text in facts if text]


def asdict_of(picture: Picture) -> dict[str, Any]:
    """What the page shows of a picture."""
    return {name: getattr(picture, name)
            for name in ("name", "title", "caption", "alternative", "width")}  # fmt: skip


def _source(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg).decode()}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
