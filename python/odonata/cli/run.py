"""Commands that run or look at scenarios and results: run, check, report."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from odonata.campaign import experiment
from odonata.campaign.executors.choice import EXECUTORS, LAYOUTS
from odonata.campaign.forecast.expected import Expected
from odonata.campaign.together.hosts import SSH
from odonata.campaign.together.together import Company
from odonata.cli import copies, costs, demand, timing
from odonata.cli.options import Commands, add_json, add_scenario, number, width
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import duration, print_results, printable, screen, tell
from odonata.cli.spread import print_replicas, print_saturation
from odonata.core.errors import in_shell
from odonata.output.caveats import of_replicas, warned
from odonata.results import DIAGNOSIS, Result, Sweep
from odonata.results.replica_summary import sweep_summary
from odonata.scenario import Point, Scenario
from odonata.scenario.notes import notes, of_former_names, of_production
from odonata.scenario.sections import MOST_REPLICAS
from odonata.scenario.text import to_toml

_DONE, _FAULT, _FAILED, _STOPPED, _STALLED = range(5)
_MOST_FAILURES = 10

_MANY = 20
"""Points from which on a run begins with what it will cost."""
_STALL_LINES = 8


def add(commands: Commands) -> None:
    """Put ``run``, ``check`` and ``report`` among the commands."""
    _run_arguments(commands)
    _check_arguments(commands)
    _report_arguments(commands)


def _run_arguments(commands: Commands) -> None:
    command = commands.add_parser(
        "run", help="run a scenario or its sweep", description="Run a scenario or its sweep."
    )
    add_scenario(command)
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for the results (default: results/NAME)"
    )
    command.add_argument(
        "--threads", type=number(1, 1024), metavar="N",
        help="threads of the simulator in each run (default: 1); results do not depend on it",
    )  # fmt: skip
    command.add_argument(
        "--processes", type=number(1, 1024), metavar="N",
        help="processes that simulate each run together, with --threads threads each (default: 1, "
        "or as many as --hosts); results do not depend on it",
    )  # fmt: skip
    command.add_argument(
        "--hosts", metavar="NAME[:PORT],...",
        help="machines on which these processes are, this one first, such as node1,node2 "
        "(default: this one)",
    )  # fmt: skip
    command.add_argument(
        "--start-with", default=SSH, metavar="COMMAND",
        help="starts a process on another machine; {host} is its name (default: %(default)s)",
    )  # fmt: skip
    command.add_argument(
        "--distribute", choices=copies.WAYS,
        help="what the copies of this command that mpiexec or srun has started do: simulate "
             "each run together, or each execute some of the runs, which the first copy assigns",
    )  # fmt: skip
    command.add_argument(
        "--mpi", type=Path, nargs="?", const=Path(), metavar="LIBRARY",
        help="these copies communicate over the MPI of their launcher instead of TCP; the library "
        "is the one that `odonata mpi build` writes (default: where it writes it)",
    )  # fmt: skip
    command.add_argument(
        "--meet-at", type=Path, metavar="FILE",
        help="file through which these copies find each other; all of them must see it (default: "
        "in the current folder)",
    )  # fmt: skip
    command.add_argument(
        "--executor", choices=EXECUTORS,
        help="where runs are carried out (default: short ones here, others in processes); results "
        "do not depend on it",
    )  # fmt: skip
    command.add_argument(
        "--workers", type=number(1, 1024), metavar="N",
        help="processes (default: as many as there are cores and as memory allows)",
    )  # fmt: skip
    command.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="of a Dask cluster, such as tcp://10.0.0.1:8786 (default: processes of this machine)",
    )  # fmt: skip
    command.add_argument(
        "--store", type=Path, metavar="DIR",
        help="keep finished runs there, and take runs of other campaigns from there",
    )  # fmt: skip
    command.add_argument(
        "--layout", choices=LAYOUTS,
        help="a folder for each run of a sweep, or hundreds packed into a few files (default: "
             "packed from 200 runs on)",
    )  # fmt: skip
    command.add_argument(
        "--no-baseline", dest="baseline", action="store_false",
        help="do not run each victim alone",
    )  # fmt: skip
    command.add_argument(
        "--without", action="append", default=[], metavar="JOB",
        help="leave a job out; its nodes stay reserved. Shows what the job costs the others; may "
        "be given several times",
    )  # fmt: skip
    command.add_argument(
        "--without-each", action="store_true",
        help="run also once without each job that leaves a victim, with the same seeds; `odonata "
        "explain` then says what each of them costs the others (default folder: "
        "results/NAME-without-each)",
    )  # fmt: skip
    command.add_argument(
        "--regret", action="store_true",
        help="run also with each choice of the policy for all messages, and say how much slower "
             "the policy is than the best of them",
    )  # fmt: skip
    command.add_argument(
        "--overwrite", action="store_true",
        help="replace results of other runs in the folder, and run everything again; without it, "
        "results of the same runs are kept and those of others are refused",
    )  # fmt: skip
    command.add_argument(
        "--replicas", type=number(1, MOST_REPLICAS), metavar="N",
        help="runs of each variant with different seeds, for intervals; as `replicas = N` in "
        "the scenario",
    )  # fmt: skip
    command.add_argument(
        "--until-width", type=width, metavar="W",
        help="add replicas until the 95 %% interval of every slowdown (or communication time, or "
        "accepted load and latency) is that narrow, such as 2%%",
    )  # fmt: skip
    command.add_argument(
        "--timing", action="store_true",
        help="measure how long each thread works, waits for others and communicates, and write "
             "it into the summary (engine.timing)",
    )  # fmt: skip
    command.add_argument("--quiet", action="store_true", help="no progress and no table")
    add_json(command)
    command.set_defaults(command=run)


def _check_arguments(commands: Commands) -> None:
    command = commands.add_parser(
        "check",
        help="validate a scenario and forecast its cost, without running it",
        description="Validate a scenario, print it resolved, and forecast its cost.",
    )
    add_scenario(command)
    command.add_argument(
        "--execute", action="store_true",
        help="execute the Python of jobs with `kind = \"program\"`, to forecast what they do",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=check)


def _report_arguments(commands: Commands) -> None:
    command = commands.add_parser("report", help="one self-contained HTML file of results")
    command.add_argument("directory", type=Path, metavar="DIR", help="results of `odonata run`")
    command.add_argument(
        "--interactive", action="store_true",
        help="add plots to zoom into; the page gets 5 MB larger and still needs no network",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=report)


def run(options: argparse.Namespace) -> int:
    """``odonata run``."""
    copy = copies.found(os.environ)
    if options.distribute is None:
        copies.refuse(copy)
    elif copy.rank != 0:
        return copies.serve(options, copy)
    # First of all: whatever is wrong, the others are not left waiting for it.
    with copies.company(options, copy) as company:
        return _run(options, company)


def _run(options: argparse.Namespace, company: Company | None) -> int:
    """Run it, beside the processes of a launcher if there are any."""
    muted = [f'jobs."{job}".muted=true' for job in options.without]
    scenario = Scenario.read(
        options.scenario, overrides=[*options.overrides, *muted], regret=options.regret,
        without_each=options.without_each,
    )  # fmt: skip
    left_out = [*options.without, *(["each"] if options.without_each else [])]
    out = options.out or Path("results") / "-without-".join([scenario.name, *left_out])
    if options.replicas is not None:
        scenario = scenario.with_replicas(options.replicas)
    if not options.quiet:
        _announce(scenario, baseline=options.baseline)
    with ProgressBar(quiet=options.quiet) as bar:
        results = experiment.run(
            scenario,
            out=out,
            threads=options.threads,
            processes=options.processes,
            hosts=options.hosts or (),
            start_with=options.start_with,
            company=company,
            baseline=options.baseline,
            overwrite=options.overwrite,
            until_width=options.until_width,
            executor=options.executor,
            workers=options.workers,
            scheduler=options.scheduler,
            store=options.store,
            layout=options.layout,
            timing=options.timing,
            observer=bar,
        )
    code = exit_code(results)
    out = results.directory or out
    with contextlib.suppress(BrokenPipeError):  # who wants to see no more still wants the code
        console = screen(to_stderr=options.json)
        if not options.quiet:
            print_results(results, console)
            if isinstance(results, Sweep):
                print_replicas(results, console, width=options.until_width)
                print_saturation(results, console)
            if options.timing:
                timing.show(results, console)
            _print_diagnoses(results, console)
            _print_notes(_notes(scenario), console)
            _print_failures(results, console)
            pictures = f"odonata report {in_shell(out)}"
            console.print(f"Results: {out}    Pictures: {pictures}", markup=False, soft_wrap=True)
            if options.without_each:
                said = f"What each job costs the others: odonata explain {in_shell(out)}"
                console.print(said, markup=False, soft_wrap=True)
        else:
            _print_troubles(results, screen(to_stderr=True))
        if options.json:
            print(json.dumps(_as_json(results, out, code)))
    return code


def _print_troubles(results: Result | Sweep, console: Console) -> None:
    """What an exit code other than 0 is about, for those who want to hear of nothing else."""
    for label, result in _each(results):
        if result.stall:
            said = result.stall.partition("\n")[0]
            where = f" {result.directory / DIAGNOSIS} says more." if result.directory else ""
            console.print(f"{label}{said}{where}", markup=False, soft_wrap=True)
        elif result.stop == "interrupted":
            console.print(f"{label}The run was stopped before its end.", markup=False)
    _print_failures(results, console)


def _announce(scenario: Scenario, *, baseline: bool) -> None:
    """What many runs will cost, before they begin."""
    added = scenario.points.most_added
    if len(scenario.points) + added >= _MANY:
        said = costs.total(experiment.expect(scenario, baseline=baseline), added=added)
        tell(screen(to_stderr=True), said)


def _print_failures(results: Result | Sweep, console: Console) -> None:
    """Runs that have no result, and why; equal reasons once."""
    if not isinstance(results, Sweep) or not results.failures:
        return
    labels: dict[str, list[str]] = {}
    for label, sentence in results.failures.items():
        labels.setdefault(sentence.removeprefix(f"{label}: "), []).append(label)
    many = len(results.failures)
    tell(console, f"{many} {'run' if many == 1 else 'runs'} failed; the others are complete. "
                  "Give the same command again to repeat them.", style="bold red")  # fmt: skip
    for sentence, names in list(labels.items())[:_MOST_FAILURES]:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        tell(console, f"{names[0]}{more}: {sentence}")


def exit_code(results: Result | Sweep) -> int:
    """0; 1 or 2 if a run failed, 3 if something was stopped early, 4 if something stalled."""
    if isinstance(results, Sweep) and results.failures:
        return _FAULT if results.has_faults else _FAILED
    runs = results.runs.values() if isinstance(results, Sweep) else [results]
    if any(experiment.interrupted(result) for result in runs):
        return _STOPPED
    return _STALLED if any(experiment.stalled(result) for result in runs) else _DONE


def _print_diagnoses(results: Result | Sweep, console: Console) -> None:
    """The beginning of every diagnosis of a stall, and where the rest is."""
    for label, result in _each(results):
        if result.stall:
            lines = result.stall.strip().splitlines()
            console.print(label + "\n".join(lines[:_STALL_LINES]), markup=False)
            if len(lines) > _STALL_LINES and result.directory is not None:
                console.print(f"... the whole diagnosis: {result.directory / DIAGNOSIS}",
                              markup=False)  # fmt: skip


def _notes(scenario: Scenario) -> list[str]:
    """What the model leaves out, and what to mind about the scenario."""
    return [
        *of_former_names(scenario.points.document.data),
        *of_production(scenario.points.document.data),
        *notes(point.resolved for point in scenario.points),
        *of_replicas(scenario),
    ]


def _warnings(
    scenario: Scenario, forecasts: Mapping[str, Mapping[str, Any]],
    demands: Mapping[str, list[dict[str, Any]]], cost: Expected | None,
) -> list[str]:  # fmt: skip
    """What the simulator warns of before a run, and after the beginnings that were tried."""
    said = [
        [*forecasts[point.name]["warnings"], *demand.warnings(demands.get(point.name, []))]
        for point in scenario.points
    ]
    known = {text for texts in said for text in texts}
    labels = [point.name or scenario.name for point in scenario.points]
    begun = {} if cost is None else cost.tried
    tried = [begun[label].warnings for label in labels if label in begun]
    return [*warned(said), *warned([[one for one in all_ if one not in known] for all_ in tried])]


def _print_notes(texts: Iterable[str], console: Console) -> None:
    for text in texts:
        tell(console, f"Note: {text}")


def _each(results: Result | Sweep) -> Iterator[tuple[str, Result]]:
    """Runs and their baselines, and how a sentence about each begins."""
    runs = results.runs if isinstance(results, Sweep) else {"": results}
    for name, result in runs.items():
        yield f"{name}: " if name else "", result
        for job, alone in result.baselines.items():
            yield f"{name}, `{job}` alone: " if name else f"`{job}` alone: ", alone


def _as_json(results: Result | Sweep, out: Path, code: int) -> dict[str, Any]:
    head: dict[str, Any] = {"exit_code": code, "directory": str(out)}
    if isinstance(results, Sweep):
        runs = [{"run": name, **result.summary} for name, result in results.runs.items()]
        spread = sweep_summary(results) if results.replicas > 1 else {}
        saturation = results.saturation().to_dicts()
        spread |= {"saturation": saturation} if saturation else {}
        failures = {"failures": results.failures} if results.failures else {}
        return {**head, **spread, **failures, "runs": runs}
    return {**head, **results.summary}


def check(options: argparse.Namespace) -> int:
    """``odonata check``."""
    scenario = Scenario.read(options.scenario, overrides=options.overrides)
    console = screen()
    with ProgressBar(quiet=False) as bar:
        with bar.doing("checking the scenario"):
            forecasts = {
                point.name: experiment.check(point, observer=bar, executes=options.execute)
                for point in scenario.points
            }
        if not options.json:  # what is known at once
            console.print(to_toml(scenario.points[0].resolved), markup=False, soft_wrap=True)
            for point in scenario.points:
                tell(console, _forecast(point, forecasts[point.name]))
            sys.stdout.flush()
        unknown = [] if options.execute else _not_executed(scenario)
        with bar.doing("running the jobs without a network"):
            demands = {} if unknown else demand.of_points(scenario.points)
        with bar.doing("running the beginning of runs, to forecast their cost"):
            cost = None if unknown else experiment.expect(scenario)
    told = [*unknown, *_notes(scenario), *_warnings(scenario, forecasts, demands, cost)]
    if options.json:
        points = [
            {
                "run": point.name,
                "swept": point.swept,
                "scenario": point.resolved,
                "forecast": forecasts[point.name],
                "jobs": demands.get(point.name),
            }
            for point in scenario.points
        ]
        head = {"exit_code": 0, "name": scenario.name, "notes": told}
        expected = None if cost is None else dataclasses.asdict(cost)
        print(json.dumps({**head, "expected": expected, "runs": points}))
        return _DONE
    for line in () if cost is None else costs.lines(cost, added=scenario.points.most_added):
        tell(console, line)
    for line in dict.fromkeys(demand.sentence(job) for jobs in demands.values() for job in jobs):
        tell(console, line)
    _print_notes(told, console)
    return _DONE


def _not_executed(scenario: Scenario) -> list[str]:
    """What is not known without executing the programs of jobs."""
    uses = (use for point in scenario.points for use in point.traces)
    paths = dict.fromkeys(use.path for use in uses if use.workload["kind"] == "program")
    return [
        f"{path} is a Python program. `odonata run` executes it with your rights, `odonata "
        "check` does not: read it first if you did not write it. Without executing it, neither "
        "the traffic of the job nor the cost of runs is known; `--execute` executes it here, "
        "too."
        for path in paths
    ]


def _forecast(point: Point, report: dict[str, Any]) -> str:
    """One line: what the simulator expects of a run."""
    parts = []
    flat = {**report, **(report.get("forecast") or {})}
    flat.pop("forecast", None)
    nics = point.config["system"].get("node", {}).get("nics", 1)
    if nics > 1:
        ends = {name: flat.pop(name) for name in ("nodes", "nodes_in_use")}
        parts.append(f"nodes {ends['nodes'] // nics} of {nics} network ends each, network ends "
                     f"{ends['nodes']}, network ends in use {ends['nodes_in_use']}")  # fmt: skip
    for key, value in flat.items():
        if value is None or isinstance(value, dict | list):
            continue
        name = key.replace("_", " ")
        if key.endswith("_bytes") or key == "memory":
            parts.append(f"{name.removesuffix(' bytes')} {value / 2**20:.1f} MiB")
        elif key.endswith("_s"):
            parts.append(f"{name.removesuffix(' s')} {duration(value * 1e9)}")
        elif key.endswith("_ns"):
            parts.append(f"{name.removesuffix(' ns')} {duration(value)}")
        elif isinstance(value, float):
            parts.append(f"{name} {value:.4g}")
        else:
            parts.append(f"{name} {value}")
    return f"{point.name or 'run'}: {', '.join(parts)}"


def report(options: argparse.Namespace) -> int:
    """``odonata report``."""
    from odonata.output import report as room  # noqa: PLC0415 - pictures take a second to import

    path = room.write(options.directory, interactive=options.interactive)
    shown = json.dumps({"exit_code": 0, "report": str(path)}) if options.json else str(path)
    print(printable(shown))
    return _DONE
