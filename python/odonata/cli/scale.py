"""``odonata scale``: the same mix of jobs on another machine, beside what it was."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import polars as pl

from odonata.campaign import experiment
from odonata.campaign.forecast.expected import Expected, expect
from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json, number
from odonata.cli.progress import ProgressBar
from odonata.cli.run import exit_code
from odonata.cli.screen import screen, tell
from odonata.cli.words import duration, printable
from odonata.core import files
from odonata.core.errors import Error, in_shell
from odonata.results import Result, Sweep
from odonata.scenario import Scenario, scaling
from odonata.scenario.machine import Machine


def add(commands: Commands) -> None:
    """Put ``scale`` among the commands."""
    command = commands.add_parser(
        "scale",
        description="Write a scenario with the same mix of jobs on another system: the share of "
        "nodes of each job, its load per node and its placement are kept, and what cannot be kept "
        "is said. Both machines are shown beside each other, with --run their results, too.",
    )
    command.add_argument("scenario", type=Path, metavar="FILE", help="scenario (TOML)")
    command.add_argument(
        "--system", required=True, metavar="SYSTEM",
        help='preset such as frontier or "dragonfly(4, 8, 4, 33)", or a scenario file whose '
             "[system] and [routing] are taken",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, metavar="FILE",
        help="scenario to write (default: NAME-on-SYSTEM.toml beside the other)",
    )  # fmt: skip
    command.add_argument("--overwrite", action="store_true", help="replace the file and results")
    command.add_argument(
        "--ranks-per-node", type=number(1, 256), metavar="N",
        help="of MPI jobs (default: one for each NIC if that was so, otherwise as before)",
    )  # fmt: skip
    command.add_argument("--run", action="store_true", help="run both, in results/")
    add_json(command)
    command.set_defaults(command=scale)


def scale(options: argparse.Namespace) -> int:
    """``odonata scale FILE``."""
    path: Path = options.scenario
    slug = re.sub(r"\W+", "-", Path(options.system).name.removesuffix(".toml")).strip("-")
    out: Path = options.out or path.with_name(f"{path.stem}-on-{slug}.toml")
    if out.suffix != ".toml" or out == path:
        raise Error(f"{out}: name another .toml file, such as {path.stem}-on-{slug}.toml.")
    if out.exists() and not options.overwrite:
        raise Error(f"{out} exists; choose another name with --out, or give --overwrite.")
    with ProgressBar(quiet=False) as bar:
        with bar.doing("fitting the jobs to the other system"):
            found = scaling.scaled(path, options.system, out, options.ranks_per_node)
        both = (Scenario.read(path), found.scenario)
        if options.run and any(set(one.sweep) - {"seed"} for one in both):
            raise Error("--run compares single runs and replicas; run a sweep by odonata run.")
        files.write_whole(out, found.text.encode(), partial=out.with_name(f".{out.name}.partial"))
        with bar.doing("running the beginning of runs, to forecast their cost"):
            costs = [_cost(one) for one in both]
    if not options.json:
        _print(found, out, costs)
    results: list[Result | Sweep] = []
    for one in both if options.run else ():
        with ProgressBar(quiet=False) as bar:
            results.append(experiment.run(one, out=Path("results") / one.name,
                                          overwrite=options.overwrite, observer=bar))  # fmt: skip
    code = max(map(exit_code, results), default=0)
    times = [_times(one) for one in results]
    if options.json:
        print(json.dumps({"exit_code": code, **_as_json(found, out, costs), "results": times}))
    elif times:
        _print_times(times, found)
        print(printable("Results: " + ", ".join(f"results/{one.name}" for one in both)))
    else:
        print(printable(f"Next: odonata run {in_shell(out)}"))
    return code


def _cost(scenario: Scenario) -> Expected | None:
    """What runs cost; None if programs would be executed for it."""
    uses = (use for point in scenario.points for use in point.traces)
    return None if any(use.workload["kind"] == "program" for use in uses) else expect(scenario)


def _facts(machine: Machine, routing: str, cost: Expected | None) -> dict[str, str]:
    """A machine in lines."""
    links = {kind: machine.link(kind) for kind in ("host", "local", "global")}
    packets = cost and cost.packets
    return {
        "nodes": f"{machine.nodes:,}",
        "nodes that jobs have": f"{machine.default.nodes:,}",
        "NICs of such a node": str(machine.default.nics),
        "groups": str(machine.summary.get("groups") or ""),
        "routing": routing,
        "MPI": machine.mpi,
        **{f"{kind} links": f"{_rate(link['bandwidth_bytes_per_s'])}, "
           f"{duration(link['latency_ps'] / 1e3)}" for kind, link in links.items()},
        "injection of a node": _rate(machine.injected(machine.default)),
        "global bandwidth per node": _rate(machine.global_bytes_per_s),
        "forecast: runs": str(cost.tasks) if cost else "",
        "forecast: packets": f"{packets:.3g}" if packets else "not known",
        "forecast: wall time": duration(cost.wall_s * 1e9) if cost and cost.wall_s else "not known",
    }  # fmt: skip


def _rate(value: float) -> str:
    return f"{value / 1e9:.4g} GB/s"


def _both(found: scaling.Scaled, costs: list[Expected | None]) -> list[dict[str, str]]:
    points = found.old.point, found.scenario.points[0]
    ways = [str(point.config["routing"]["algorithm"]) for point in points]
    both = zip((found.old, found.new), ways, costs, strict=True)
    return [_facts(machine, way, cost) for machine, way, cost in both]


def _print(found: scaling.Scaled, out: Path, costs: list[Expected | None]) -> None:
    console = screen()
    before, now = _both(found, costs)
    table = Listing("Machines").labels("what", found.old.name, found.new.name)
    for key in before:
        table.row(key, before[key], now[key])
    table.print(console)
    table = Listing("Jobs: before and now").labels("job", "nodes", "share", "ranks", "bytes/node")
    for job in found.jobs:
        unit, size = ("GB/s", 1e9) if job.is_rate else ("MB an iteration", 1e6)
        load = [f"{one / size:.3g}" for one in job.load or ()]
        nodes = [f"{one:,}" if job.nodes[0] else "all free" for one in job.nodes]
        table.row(printable(job.name), _pair(nodes), _pair([f"{one:.2%}" for one in job.share]),
                  _pair([f"{one:,}" for one in job.ranks]),
                  f"{_pair(load)} {unit}" if load else "not known")  # fmt: skip
    table.print(console)
    for note in found.notes:
        tell(console, f"Note: {note}")
    tell(console, f"{out}: written and checked.")


def _pair(texts: list[str]) -> str:
    return " -> ".join(dict.fromkeys(texts))


def _times(results: Result | Sweep) -> dict[str, dict[str, float]]:
    """Mean communication time and slowdown of each job; of replicas, the medians."""
    runs = list(results.runs.values()) if isinstance(results, Sweep) else [results]
    rows = [
        {"job": job.name, "comm_time_ns": job.comm_time_ns, "alone_ns": job.baseline_comm_time_ns,
         "slowdown": job.slowdown}
        for run in runs for job in run.jobs.values() if job.comm_time_ns is not None
    ]  # fmt: skip
    if not rows:
        return {}
    frame = pl.DataFrame(rows, infer_schema_length=None)
    medians = frame.group_by("job", maintain_order=True).median()
    return {row.pop("job"): row for row in medians.iter_rows(named=True)}


def _print_times(times: list[dict[str, dict[str, float]]], found: scaling.Scaled) -> None:
    table = Listing(f"Communication time and slowdown: {found.old.name}, {found.new.name}")
    table.labels("job").times("before", "now").numbers("ratio", form=".2f")
    table.numbers("slowdown before [x]", "now [x]", form=".2f", kept=True)
    for job, before in times[0].items():
        now: dict[str, Any] = times[1].get(job, {})
        spent = before["comm_time_ns"], now.get("comm_time_ns")
        table.row(printable(job), *spent, spent[1] / spent[0] if spent[0] and spent[1] else None,
                  before["slowdown"], now.get("slowdown"))  # fmt: skip
    table.print(screen())


def _as_json(found: scaling.Scaled, out: Path, costs: list[Expected | None]) -> dict[str, Any]:
    jobs = [{"name": job.name, "nodes": job.nodes, "share": job.share, "ranks": job.ranks,
             "bytes_per_node": job.load, "is_per_second": job.is_rate}
            for job in found.jobs]  # fmt: skip
    return {"scenario": str(out), "notes": found.notes, "jobs": jobs,
            "machines": dict(zip((found.old.name, found.new.name), _both(found, costs),
                                 strict=False))}  # fmt: skip
