"""``odonata run``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from odonata.campaign import experiment
from odonata.campaign.executors.choice import EXECUTORS, LAYOUTS
from odonata.campaign.forecast.expected import expect
from odonata.campaign.together.hosts import SSH
from odonata.campaign.together.together import Company
from odonata.cli import copies, costs, timing
from odonata.cli.check import noted, print_notes
from odonata.cli.options import Commands, add_json, add_scenario, number, width
from odonata.cli.outcome import print_results
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import screen, tell
from odonata.cli.spread import print_replicas, print_saturation
from odonata.core.errors import in_shell
from odonata.results import DIAGNOSIS, Result, Sweep
from odonata.results.replica_summary import sweep_summary
from odonata.scenario import Scenario
from odonata.scenario.sections import MOST_REPLICAS

_DONE, _FAULT, _FAILED, _STOPPED, _STALLED = range(5)
_MOST_FAILURES = 10

_MANY = 20
"""Points from which on a run begins with what it will cost."""
_STALL_LINES = 8


def add(commands: Commands) -> None:
    """Put ``run`` among the commands."""
    command = commands.add_parser("run", description="Run a scenario or its sweep.")
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
            print_notes(noted(scenario), console)
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
        said = costs.total(expect(scenario, baseline=baseline), added=added)
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
