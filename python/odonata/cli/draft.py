"""Drafts of scenarios: a commented file from five answers, which can be run as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata.core.errors import ScenarioError, in_shell, suggestion
from odonata.scenario import Scenario, before, registry
from odonata.scenario.backgrounds import backgrounds
from odonata.scenario.fields import REQUIRED, Field
from odonata.scenario.nodes import machine_nodes
from odonata.scenario.presets import presets
from odonata.scenario.text import inline

NOTHING = "nothing"
"""What runs beside a job that has the system to itself."""

_OPEN_LOOP = "open-loop"
_NEED_MORE = ("trace", "profile", "program", "list")
"""Members of families that need a file or a list of nodes."""

_LOAD = 0.3
"""Of open-loop traffic, fraction of the injection bandwidth: well below saturation."""

_MOST_RANKS = 256
_MOST_ITERATIONS = 8
"""A draft runs for seconds to minutes; what the study had stands beside it."""

_COLUMN = 44
"""Where comments behind values begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a draft is made from.

    Parameters
    ----------
    system : str
        A preset.
    job : str
        A workload, or the path of a trace, of a program (``.py``) or a profile.
    beside : str
        What disturbs it: a workload, a named background, or ``nothing``.
    routing : str
        An algorithm.
    placement : str
        Of all jobs.
    ranks : int or None
        Of the job and of its neighbour; by default what fits.
    """

    system: str = "dragonfly(2, 4, 2, 9)"
    job: str = "halo3d"
    beside: str = "alltoall"
    routing: str = "par"
    placement: str = "random-node"
    ranks: int | None = None


QUESTIONS = {
    "system": ("Which system?", "systems"),
    "job": ("What does the job do? A workload, or the path of a trace.", "workloads"),
    "beside": ("What runs at the same time? A workload, a background, or nothing.", "workloads"),
    "routing": ("Which routing?", "routings"),
    "placement": ("Which nodes do jobs get?", "placements"),
}
"""Of each answer: the question, and what `odonata list` calls the answers there are."""


def choices(question: str) -> dict[str, str]:
    """Valid answers to a question, each with one line; a path of a file is one more for jobs.

    Parameters
    ----------
    question : str
        A key of :data:`QUESTIONS`.

    Returns
    -------
    dict
        In the order of listings.
    """
    if question == "system":
        return {one.signature: one.summary for one in presets().values()}
    family = QUESTIONS[question][1]
    found = {
        name: entry.summary
        for name, entry in registry.family(family).items()
        if name not in _NEED_MORE
    }
    if question == "beside":
        nothing = {NOTHING: "the job has the system to itself"}
        return nothing | found | {one.name: one.summary for one in backgrounds().values()}
    return found


def draft(answers: Answers, path: Path) -> str:
    """Text of a scenario that passes `odonata check`.

    Parameters
    ----------
    answers : Answers
        What to write.
    path : pathlib.Path
        Where the text will be; it decides the name of the scenario and relative paths.

    Raises
    ------
    ScenarioError
        An answer is not valid, or they do not go together.
    """
    ranks = answers.ranks if answers.ranks is not None else _fitting(answers, path)
    text = "\n".join(_lines(answers, path, ranks)) + "\n"
    _checked(text, path, answers)
    return text


def _checked(text: str, path: Path, answers: Answers) -> dict[str, Any]:
    """Forecast of a text; errors speak of answers, not of lines of a file that is not there."""
    try:
        scenario = Scenario.from_text(text, folder=path.parent)
        return before.check(scenario.points[0])
    except ScenarioError as error:
        said = str(error).removeprefix("<text>")
        _, _, sentence = said.partition(": ") if said.startswith(",") else ("", "", said)
        raise ScenarioError(f"{_named(answers)}: {sentence.removeprefix(': ')}") from None


def _named(answers: Answers) -> str:
    beside = "" if answers.beside == NOTHING else f" and {answers.beside}"
    return f"{answers.job}{beside} on {answers.system} under {answers.routing}, {answers.placement}"


def _fitting(answers: Answers, path: Path) -> int:
    """The largest power of two of ranks, up to 256, that fits twice; workloads take any of them."""
    text = "\n".join(_lines(answers, path, 2))
    try:
        report = _checked(text, path, answers)
    except ScenarioError:  # language models want two groups of four at least
        text = "\n".join(_lines(answers, path, 8))
        report = _checked(text, path, answers)
    scenario = Scenario.from_text(text, folder=path.parent)
    node = scenario.points[0].config["system"].get("node", {})
    out = sum(last - first + 1 for first, last in node.get("out_of_service", ()))
    room = (machine_nodes(report["nodes"], node)[0] - out) // 2
    ranks = 2
    while 2 * ranks <= min(room, _MOST_RANKS):
        ranks *= 2
    return ranks


def _lines(answers: Answers, path: Path, ranks: int) -> Iterator[str]:
    yield from _head(answers, path)
    yield from _system(answers.system)
    yield from _routing(answers.routing)
    yield from _job(answers, answers.job, "victim", (path, ranks))
    if answers.beside != NOTHING:
        yield from _job(answers, answers.beside, "aggressor", (path, ranks))
    yield from _tail(answers)


def _head(answers: Answers, path: Path) -> Iterator[str]:
    shown, results = in_shell(path.name), in_shell(f"results/{path.stem}")
    yield f"# odonata check {shown}       what it costs, every default"
    yield f"# odonata run {shown}         tables in results/, a summary on the screen"
    yield f"# odonata report {results}   pictures in one page"
    yield "schema = 1"
    yield f"name = {inline(path.stem)}"
    yield f"description = {inline(_named(answers))}"
    yield _with("seed = 1", "another seed gives another sample of all random choices")


def _with(text: str, comment: str) -> str:
    return f"{text:<{_COLUMN}} # {comment}" if comment else text


def _one_of(name: str, question: str) -> None:
    """Refuse a name that is none of the answers."""
    known = choices(question)
    if name not in known:
        noun = QUESTIONS[question][1].removesuffix("s")
        raise ScenarioError(f"no {noun} is called `{name}`.{suggestion(name, known)}")


def _system(system: str) -> Iterator[str]:
    preset = presets().get(system.partition("(")[0].strip())
    if preset is None:
        known = {one.name: one.signature for one in presets().values()}
        raise ScenarioError(f"no system is called `{system}`.{suggestion(system, known)}")
    yield ""
    yield "[system]"
    yield f"# {preset.summary}."
    yield _with(f"preset = {inline(system)}", "others: odonata list systems")
    yield '# Any value of it can be replaced, such as: links.global.latency = "300 ns"'


def _routing(name: str) -> Iterator[str]:
    _one_of(name, "routing")
    entry = registry.family("routings")[name]
    yield ""
    yield "[routing]"
    yield f"# {name}: {entry.summary}."
    yield _with(f"algorithm = {inline(name)}", "others: odonata list routings")
    yield from _defaults(entry.parameters, {"algorithm"})


def _defaults(fields: tuple[Field, ...], given: set[str]) -> Iterator[str]:
    """Comments with the parameters that are not set, and their defaults."""
    left = [
        field
        for field in fields
        if field.name not in given and field.default is not REQUIRED and field.default is not None
    ]
    if left:
        yield "# Its other parameters, with their defaults:"
    for field in left:
        yield f"#   {_with(f'{field.name} = {inline(field.written(field.default))}', field.doc)}"


def _job(answers: Answers, what: str, role: str, at: tuple[Path, int]) -> Iterator[str]:
    path, ranks = at
    workload, about, fields = _workload(what, role, path, ranks)
    _one_of(answers.placement, "placement")
    is_victim = role == "victim"
    yield ""
    yield "[[jobs]]"
    yield f"# {about}."
    yield f"name = {inline('job' if is_victim else 'neighbour')}"
    is_open = workload.get("kind") == _OPEN_LOOP or "preset" in workload
    if not is_open:
        why = "it also runs alone, so that its slowdown is known"
        yield _with(f"role = {inline(role)}", why if is_victim else "it repeats until the job ends")
    yield _with(f"placement = {inline(answers.placement)}", "others: odonata list placements")
    yield f"workload = {inline(workload)}"
    yield from _defaults(fields, set(workload))


def _workload(
    what: str, role: str, path: Path, ranks: int
) -> tuple[dict[str, Any], str, tuple[Field, ...]]:
    """The table of a workload, a line about it, and its parameters."""
    known = registry.family("workloads")
    if what in backgrounds() and role != "victim":
        return {"preset": what, "ranks": ranks}, backgrounds()[what].summary, ()
    if what in known and what not in _NEED_MORE:
        table = _sized(what, known[what].parameters, ranks)
        return table, known[what].summary, known[what].parameters
    if role == "victim" and Path(what).exists():
        return _recorded(Path(what), path, ranks)
    question = "job" if role == "victim" else "beside"
    _one_of(what, question)
    raise AssertionError(what)


def _sized(kind: str, fields: tuple[Field, ...], ranks: int) -> dict[str, Any]:
    table: dict[str, Any] = {"kind": kind, "ranks": ranks}
    if kind == _OPEN_LOOP:
        return table | {"load": _LOAD}
    for field in fields:
        if field.name == "iterations" and isinstance(field.default, int):
            table["iterations"] = min(field.default, _MOST_ITERATIONS)
    return table


def _recorded(file: Path, path: Path, ranks: int) -> tuple[dict[str, Any], str, tuple[Field, ...]]:
    """A job that a file decides: paths in a scenario start in its folder."""
    kind = {".py": "program", ".toml": "profile"}.get(file.suffix, "trace")
    table: dict[str, Any] = {
        "kind": kind,
        "path": Path(os.path.relpath(file, path.parent)).as_posix(),
    }
    if kind == "program":
        table["ranks"] = ranks
    return table, f"{file.name}, replayed", ()


def _tail(answers: Answers) -> Iterator[str]:
    if answers.job == _OPEN_LOOP:
        yield ""
        yield "[measure]"
        yield _with('warm_up = "20 us"', "not measured: queues fill")
        yield _with('window = "50 us"', "measured")
    yield ""
    yield "[stop]"
    yield _with('time = "1 s"', "upper bound; jobs normally end the run before it")
    yield ""
    yield "# Several runs instead of one: every combination of the values. Take the # away."
    yield "# [sweep]"
    others = list(dict.fromkeys(["minimal", answers.routing, "valiant-node"]))[:2]
    yield f'# "routing.algorithm" = {inline(others)}'
    yield "# seed = [1, 2, 3]"
    yield ""
    yield "# Who delays whom, link by link, for `odonata explain`:"
    yield "# [telemetry]"
    yield "# blame = true"
