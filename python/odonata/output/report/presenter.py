"""Carries out what a user asks of results in Python.

The functions of this module are those of :class:`odonata.results.presentation.Presenter`.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from odonata.core.errors import RunError
from odonata.output import report
from odonata.output.caveats import caveats
from odonata.output.explain import units
from odonata.output.report.figures import PICTURES, styled
from odonata.output.report.gather import overview, study_of
from odonata.results import Result, Sweep, archive, replica_summary, store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LACKING = {
    "ranking": "there is one variant, or nothing to rank variants by; add a [sweep]",
    "communication_time": "no job has a communication time, or none has finished; pictures of "
    "open-loop traffic are latency() and throughput()",
    "load_latency": "it needs runs at several loads; sweep jobs.0.workload.load",
    "blame": "blame was not recorded; run the scenario with telemetry.blame = true",
    "breakdown": "blame was not recorded, or a window was measured; run the scenario with "
    "telemetry.blame = true and without [measure]",
    "iteration_noise": "no job has six iterations; set more",
    "slowest_ranks": "no job of several ranks has six iterations; set more",
    "counters": "counters were not read at intervals; run the scenario with telemetry.counters = "
    'true and telemetry.counter_interval = "10 us"',
    "learning": "no routing learns; use q-adaptive",
    "traffic_classes": "the system has no traffic classes; give it system.qos",
    "throughput": "the run fits in one bin of time; make it longer",
}
"""Why a picture cannot be drawn, and what to do."""

_ROWS = 40
"""Rows of a table in a notebook."""


def draw(results: Result | Sweep, picture: str) -> Figure:
    """A picture of the report.

    Raises
    ------
    RunError
        The results do not have what it shows.
    """
    with styled():
        drawing = PICTURES[picture](study_of(results))
    if drawing is None:
        why = _LACKING.get(picture, "the tables it shows are empty")
        raise RunError(f"{_name(results)}: there is nothing to draw: {why}.")
    return drawing.figure


def _name(results: Result | Sweep) -> str:
    if isinstance(results, Result):
        return str(results.summary.get("name") or results.directory or "the run")
    first = next(iter(results), None)
    return str((first.summary.get("name") if first else None) or results.directory or "the sweep")


def write(results: Result | Sweep, directory: str | Path | None, *, interactive: bool) -> Path:
    """Write the report, where the results are or into a folder of their own."""
    directory = None if directory is None else Path(directory)
    if directory is not None and directory != results.directory:
        save(results, directory, overwrite=False)
        return report.write(directory, interactive=interactive)
    if results.directory is None:
        raise RunError(
            f"{_name(results)}: the results are in memory only; give a folder, such as "
            'report("results/mine"), or run with out="results/mine".'
        )
    return report.write(results.directory, interactive=interactive)


def save(results: Result | Sweep, directory: str | Path, *, overwrite: bool) -> Path:
    """Write results into a folder; what is in memory stays there, too."""
    directory = Path(directory)
    is_sweep = isinstance(results, Sweep)
    runs = dict(results.runs.items()) if isinstance(results, Sweep) else {"": results}
    if not runs:
        raise RunError("the sweep holds no run; there is nothing to save.")
    copies = {name: _copy(run) for name, run in runs.items()}
    known = {run.run_hash: str(run.summary["scenario_hash"]) for run in copies.values()}
    name = _name(results)
    with archive.opened(directory, name, is_sweep=is_sweep, overwrite=overwrite) as kept:
        for label, run in copies.items():
            alone = {job: one.run_hash for job, one in run.baselines.items()}
            kept.admit(label, run.run_hash, known.__getitem__, alone)
        kept.begin(is_sweep=is_sweep)
        for label, run in copies.items():
            kept.put(label, run)
        if isinstance(results, Sweep):
            kept.put_index(results.index, replica_summary.summary_bytes(results))
        kept.complete()
    return directory


def _copy(run: Result) -> Result:
    """The same results in another object: saving lets go of the tables of what it saves."""
    return Result(
        summary=run.summary,
        scenario=run.scenario,
        frames=dict(run.frames),
        baselines={job: _copy(one) for job, one in run.baselines.items()},
        stall=run.stall,
        directory=run.directory,
        run_hash=run.run_hash or _hash_on_disk(run),
        source=run.source,
    )


def _hash_on_disk(run: Result) -> str:
    """What decides the outcome of a run that was read from a folder."""
    if run.directory is None:
        return ""
    for place, part in ((run.directory, ""), (run.directory.parent, run.directory.name)):
        manifest = store.read(place)
        if manifest is not None and part in manifest.about.get("runs", {}):
            return str(manifest.run(part).get("hash") or "")
    return ""


def html(results: Result | Sweep) -> str:
    """A table of jobs, with what to know before trusting a number."""
    study = study_of(results)
    frame = overview(study)
    head = ["variant"] if len(study.variants) > 1 else []
    titles = [*head, "job", "role", "alone", "co-running", "slowdown", "latency p50", "p99"]
    rows = []
    for row in frame.head(_ROWS).iter_rows(named=True):
        cells = [row["variant"]] if head else []
        cells += [row["job"], row["role"] or ""]
        cells += [units.time(row[f"{name}_ns_mean"]) for name in ("alone", "beside")]
        cells.append(_slowdown(row))
        cells += [units.time(row[f"latency_ns_{name}"]) for name in ("p50", "p99")]
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    more = len(frame) - _ROWS
    runs = {str(number): run for number, (_, run) in enumerate(study.runs)}
    stops = ", ".join(dict.fromkeys(run.stop for run in runs.values()))
    notes = [f"and {more} more rows"] if more > 0 else []
    notes += caveats(runs)
    return (
        f"<table><caption>{escape(_name(results))}: {len(runs)} "
        f"run{'s' if len(runs) > 1 else ''}, {escape(stops)}</caption><thead><tr>"
        + "".join(f"<th>{title}</th>" for title in titles)
        + "</tr></thead><tbody>"
        + "".join(f"<tr>{row}</tr>" for row in rows)
        + "</tbody></table>"
        + "".join(f"<p>{escape(text)}</p>" for text in notes)
    )


def _slowdown(row: dict[str, float | None]) -> str:
    text = units.times(row["slowdown"])
    if row["slowdown_low"] is None:
        return text
    low, high = (units.number(row[f"slowdown_{end}"], 3) for end in ("low", "high"))
    return f"{text} ({low} to {high})"
