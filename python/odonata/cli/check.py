"""``odonata check``: what there is to say of a scenario before it is run."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console

from odonata.campaign.forecast.expected import Expected, expect
from odonata.cli import costs, demand
from odonata.cli.options import Commands, add_json, add_scenario
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import screen, tell
from odonata.cli.words import duration
from odonata.output.caveats import of_replicas, warned
from odonata.scenario import Point, Scenario, before
from odonata.scenario.nodes import has_several_nics, machine_nodes, node_types
from odonata.scenario.notes import notes, of_former_names, of_production
from odonata.scenario.text import to_toml


def add(commands: Commands) -> None:
    """Put ``check`` among the commands."""
    command = commands.add_parser(
        "check",
        description="Validate a scenario, print it resolved, and forecast its cost.",
    )
    add_scenario(command)
    command.add_argument(
        "--execute", action="store_true",
        help="execute the Python of jobs with `kind = \"program\"`, to forecast what they do",
    )  # fmt: skip
    add_json(command)
    command.set_defaults(command=check)


def check(options: argparse.Namespace) -> int:
    """``odonata check``."""
    scenario = Scenario.read(options.scenario, overrides=options.overrides)
    console = screen()
    with ProgressBar(quiet=False) as bar:
        with bar.doing("checking the scenario"):
            forecasts = {
                point.name: before.check(point, note=bar.note, executes=options.execute)
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
            cost = None if unknown else expect(scenario)
    told = [*unknown, *noted(scenario), *_warnings(scenario, forecasts, demands, cost)]
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
        return 0
    for line in () if cost is None else costs.lines(cost, added=scenario.points.most_added):
        tell(console, line)
    for line in dict.fromkeys(demand.sentence(job) for jobs in demands.values() for job in jobs):
        tell(console, line)
    print_notes(told, console)
    return 0


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
    node = point.config["system"].get("node", {})
    if has_several_nics(node):
        ends = {name: flat.pop(name) for name in ("nodes", "nodes_in_use")}
        types = zip(machine_nodes(ends["nodes"], node), node_types(node), strict=True)
        nodes = " and ".join(f"{count} of {one.nics} network ends each" for count, one in types)
        parts.append(f"nodes {nodes}, network ends {ends['nodes']}, network ends in use "
                     f"{ends['nodes_in_use']}")  # fmt: skip
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


def noted(scenario: Scenario) -> list[str]:
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


def print_notes(texts: Iterable[str], console: Console) -> None:
    """Print notes, each in lines of its own."""
    for text in texts:
        tell(console, f"Note: {text}")
