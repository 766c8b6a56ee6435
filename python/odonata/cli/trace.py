"""``odonata trace``: what is in a trace, what cannot be replayed, conversion."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from odonata import traces
from odonata.cli.one_run import one_run
from odonata.cli.options import Commands, add_json, whole_number
from odonata.cli.screen import screen, tell
from odonata.cli.words import printable
from odonata.core import files
from odonata.core.errors import TraceError
from odonata.scenario import joblog, loads
from odonata.scenario.text import to_toml


def add(commands: Commands) -> None:
    """Put ``trace`` among the commands."""
    command = commands.add_parser("trace")
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    described = actions.add_parser("info", help="what is in a trace")
    checked = actions.add_parser("check", help="what cannot be replayed, named and counted")
    converted = actions.add_parser(
        "convert", help="write another form: .npz, .goal, .et; .toml from Ember, CODES"
    )
    for action, function in ((described, info), (checked, check), (converted, convert)):
        action.add_argument("trace", type=Path, metavar="FILE", help="trace file or its folder")
        add_json(action)
        action.set_defaults(command=function)
    checked.add_argument(
        "--strict", action="store_true", help="exit with code 2 also if something is left out"
    )
    converted.add_argument(
        "--system", default="kang2022-1056", metavar="PRESET",
        help="of a scenario that is written (*.toml; default: kang2022-1056)",
    )  # fmt: skip
    converted.add_argument(
        "--allocation", type=Path, metavar="FILE", help="allocation file of CODES, for the same"
    )
    drawn = actions.add_parser(
        "timeline",
        help="a run for the viewer of Perfetto: ranks as threads, links as counters",
        description="Write the timeline of a run, which https://ui.perfetto.dev opens: ranks as "
        "threads with their iterations, jobs and links as counters (`telemetry.link_series = "
        "true`), sampled packets as arrows (`telemetry.packet_sample = 1`).",
    )
    drawn.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    drawn.add_argument(
        "--out", type=Path, metavar="FILE",
        help="file to write (default: DIR/timeline.perfetto-trace); packed if it ends in .gz",
    )  # fmt: skip
    drawn.add_argument(
        "--links", type=whole_number(0), default=64, metavar="N",
        help="links to show, those that are used most (default: 64)",
    )  # fmt: skip
    add_json(drawn)
    drawn.set_defaults(command=timeline)
    converted.add_argument(
        "target", type=Path, metavar="TARGET", help="file to write; its ending is the form"
    )


def info(options: argparse.Namespace) -> int:
    """``odonata trace info``."""
    log = joblog.is_log(options.trace)
    facts = joblog.read(options.trace).info() if log else traces.read(options.trace).info()
    if options.json:
        print(json.dumps({"exit_code": 0, **facts}))
        return 0
    console = screen()
    for key, value in facts.items():
        text = json.dumps(value) if isinstance(value, dict | list) else value
        console.print(f"{key}: {text}", markup=False, soft_wrap=True)
    return 0


_VERDICTS = {
    "whole": "can be replayed",
    "omissions": "can be replayed, with these omissions",
    "impossible": "cannot be replayed",
}
"""The verdict on a trace as JSON has it, and in words."""


def check(options: argparse.Namespace) -> int:
    """``odonata trace check``: 2 if the trace cannot be replayed (or, asked so, not as a whole)."""
    data = traces.read(options.trace)
    problems, omissions = data.check(), data.unsupported
    verdict = "impossible" if problems else "omissions" if omissions else "whole"
    code = 2 if problems or (omissions and options.strict) else 0
    if options.json:
        print(json.dumps({
            "exit_code": code,
            "verdict": verdict,
            "problems": problems,
            "unsupported": omissions,
            "places": dict(data.places),
            "notes": list(data.notes),
        }))  # fmt: skip
        return code
    console = screen()
    for note in data.notes:
        tell(console, f"note: {note}")
    for problem in problems:
        tell(console, f"problem: {problem}")
    console.print(_VERDICTS[verdict])
    for name, count in omissions.items():
        place = f" (first: {data.places[name]})" if name in data.places else ""
        tell(console, f"not replayed: {name}, {count} times{place}")
    return code


def convert(options: argparse.Namespace) -> int:
    """``odonata trace convert``."""
    if options.target.suffix == ".toml":
        return _scenario(options)
    if options.target.suffix not in _WRITERS:
        forms = ", ".join(f"*{ending} ({words})" for ending, words in _WRITERS.items())
        raise TraceError(f"{options.target}: the name says which form to write: {forms}.")
    data = traces.read(options.trace)
    if options.target.suffix != ".npz" and (problems := data.check()):
        raise TraceError(
            f"trace {options.trace}: it cannot be replayed, and is therefore not converted: "
            f"{problems[0]}."
        )
    files = _write(data, options.target)
    shown = (
        json.dumps({"exit_code": 0, "trace": str(files[0]), "files": [str(file) for file in files]})
        if options.json
        else str(files[0])
    )
    print(printable(shown))
    return 0


def _scenario(options: argparse.Namespace) -> int:
    """A scenario of what another simulator runs."""
    load = loads.read(options.trace, allocation=options.allocation)
    scenario = {
        "schema": 1,
        "name": options.target.stem,
        "system": {"preset": options.system},
        "routing": {"algorithm": "par"},
        "jobs": load.jobs,
    }
    text = f"# From {options.trace.name}; system and routing are not in it.\n{to_toml(scenario)}"
    try:
        partial = options.target.with_name(f".{options.target.name}.partial")
        files.write_whole(options.target, text.encode(), partial=partial)
    except OSError as error:
        raise TraceError(f"{options.target}: cannot be written: {files.problem(error)}.") from None
    shown = {"exit_code": 0, "scenario": str(options.target), "notes": load.notes}
    if options.json:
        print(json.dumps(shown))
        return 0
    for note in load.notes:
        print(printable(f"Note: {note}"))
    print(printable(str(options.target)))
    return 0


def timeline(options: argparse.Namespace) -> int:
    """``odonata trace timeline``."""
    from odonata.output import timeline as room  # noqa: PLC0415 - only this needs it

    if options.directory.is_file():
        raise TraceError(
            f"{options.directory} is a file; a timeline needs a run, since a trace has no "
            "message times before it is replayed: run a scenario with it, and give the folder "
            "of the results."
        )
    run = one_run(options.directory)
    path = room.write(run, options.out or options.directory / room.FILE, links=options.links)
    shown = {"exit_code": 0, "timeline": str(path)}
    print(json.dumps(shown) if options.json else printable(str(path)))
    return 0


_WRITERS = {
    ".npz": "compact form",
    ".goal": "GOAL",
    ".et": "Chakra, a file per rank",
    ".toml": "scenario, from a load file of Ember or a workload file of CODES",
}


def _write(data: traces.TraceData, target: Path) -> list[Path]:
    # Only the writer that is needed is loaded.
    match target.suffix:
        case ".goal":
            from odonata.traces import goal_writer  # noqa: PLC0415

            return [goal_writer.write(data, target)]
        case ".et":
            from odonata.traces import chakra_writer  # noqa: PLC0415

            return chakra_writer.write(data, target)
        case _:
            from odonata.traces import store  # noqa: PLC0415

            return [store.save(data, target)]
