"""``odonata diagnose``: from slow days to what is known, simulated and assumed about them."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.console import Console

from odonata.cli import arguments
from odonata.cli.noise import chosen, print_comparison, print_findings
from odonata.cli.noise_tables import print_ratios
from odonata.cli.options import Commands, add_json, number
from odonata.cli.screen import screen, tell
from odonata.core import files
from odonata.core.errors import Error, MeasurementError, in_shell
from odonata.scenario import joblog, mixes
from odonata.scenario.model import read_document
from odonata.scenario.text import to_toml

if TYPE_CHECKING:
    from odonata.output.noise import Against, Findings, Measurements

_DONE = 0

_VICTIMS = (
    ("allreduce", "allreduce"), ("all_to_all|alltoall", "alltoall"), ("bcast|broadcast", "bcast"),
    ("barrier", "barrier"), ("ping|lat|netnoise|one_one|p2p", "ping-pong"),
)  # fmt: skip
"""What the name of a series says, and the workload that communicates like it."""

_ITERATIONS = 200
"""Of a victim that is like a measured series."""

_MOST_ANSWERS = 6
"""Sentences on hosts and network in the statement."""

_PLAIN = 96

_AIMS = (
    ("adaptive-", ["adaptive-0", "adaptive-1", "adaptive-3"]),
    ("", ["minimal", "par", "ugal-node", "valiant-node"]),
)
"""How the routing of a scenario begins, and what else a user or a site could set."""

_RECORD = (
    "There are no neighbours, so that nothing is simulated. To go on, record the jobs of each day:",
    "  sacct -a -X -P -S START -E END -o JobID,User,JobName,Start,End,NNodes,NodeList > jobs.txt",
    "(docs/how-to/job-logs.md has other schedulers and lists of your own; the script of "
    "`odonata measure plan` does it by itself), and give --jobs jobs.txt --system PRESET.",
)


@dataclass(slots=True)
class _Said:
    """The statement: what is measured, simulated and assumed, and the commands behind it."""

    measured: list[str] = field(default_factory=list)
    simulated: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    slow: dict[str, Any] = field(default_factory=dict)


def add(commands: Commands) -> None:
    """Put ``diagnose`` among the commands."""
    command = commands.add_parser(
        "diagnose",
        description="Compare measured days, tell hosts from the network, simulate the slow day "
        "with and without each neighbour of a job log, and say what to change. Every step is a "
        "command of its own, which is printed. docs/how-to/diagnose.md walks through it.",
    )
    command.add_argument(
        "days", type=Path, nargs="+", metavar="DIR",
        help="measurements of a day, as for `odonata noise`; others are compared with the first",
    )  # fmt: skip
    for name, kind, metavar, about in (
        ("jobs", Path, "FILE", "job log with the neighbours of the slow day (default: what "
         "`odonata measure plan` recorded: beside/NAME-before.txt next to DIR)"),
        ("system", str, "PRESET", "machine; `odonata list systems`"),
        ("at", str, "TIME", "instant of the job log, as for `odonata jobs` (default: the start of "
         "the measured job if the log has it, otherwise busiest)"),
        ("own", str, "ID", "the measured job in the log (default: the one called as DIR)"),
        ("victim", str, "WHAT", "job beside the neighbours, as for `odonata jobs` (default: one "
         "that is like the series that differs most)"),
        ("mix", str, "MIX", "what neighbours communicate, as for `odonata jobs`"),
    ):  # fmt: skip
        command.add_argument(f"--{name}", type=kind, metavar=metavar, help=about)
    command.add_argument(
        "--most", type=number(1, 50), default=8, metavar="N",
        help="neighbours at most, the largest (default: 8)",
    )  # fmt: skip
    command.add_argument(
        "--replicas", type=number(1, 1000), default=5, metavar="N",
        help="runs with different seeds (default: 5)",
    )  # fmt: skip
    command.add_argument(
        "--series", action="append", default=[], metavar="NAME",
        help="only this series; * stands for any text; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, default=Path("diagnosis"), metavar="DIR",
        help="folder for scenarios and results (default: diagnosis)",
    )  # fmt: skip
    command.add_argument("--overwrite", action="store_true", help="replace what is there")
    add_json(command)
    command.set_defaults(command=diagnose)


def diagnose(options: argparse.Namespace) -> int:
    """``odonata diagnose``."""
    if options.jobs is not None and not (options.system or _own_scenario(options)):
        raise Error("which system? Give --system PRESET; `odonata list systems` lists them.")
    if options.out.exists() and not options.overwrite:
        raise Error(f"{options.out} exists; choose another folder with --out, or give --overwrite.")
    if options.mix:
        mixes.read(options.mix)
    said, console = _Said(), screen(to_stderr=options.json)
    slow, victim = _measured(options, said, console)
    log = options.jobs or _beside(slow)
    if log is not None and not (options.system or _own_scenario(options)):
        raise Error(f"{log} has neighbours; say of which system: give --system PRESET, or move the "
                    "file away.")  # fmt: skip
    if log is not None:
        _simulated(options, said, console, (slow, victim, log))
    return _conclude(options, said, console, is_whole=log is not None)


def _own_scenario(options: argparse.Namespace) -> bool:
    return str(options.victim or "").endswith(".toml")


def _step(said: _Said, console: Console, *words: object) -> dict[str, Any]:
    """Carry out a command of its own, and say which."""
    line = " ".join(in_shell(word) for word in ("odonata", *words))
    said.commands.append(line)
    tell(console, f"\n$ {line}", style="bold")
    given = [str(word) for word in (*words, "--json")]
    found = arguments.parser(given).parse_args(given)
    with contextlib.redirect_stdout(io.StringIO()) as kept:
        code = int(found.command(found))
    if code != _DONE:
        raise Error(f"`{line}` ended with exit code {code}; give it by itself to see more.")
    answer: dict[str, Any] = json.loads(kept.getvalue())
    return answer


# Measured


def _measured(
    options: argparse.Namespace, said: _Said, console: Console
) -> tuple[Path, dict[str, Any]]:
    """The slow day, and the series that differs most."""
    from odonata.output import noise as room  # noqa: PLC0415 - the readers, for this command only

    series = [word for name in options.series for word in ("--series", name)]
    days = [chosen(room.read([day]), options.series) for day in options.days]
    line = " ".join(map(in_shell, ("odonata", "noise", *options.days, *series)))
    said.commands.append(line)
    tell(console, f"$ {line}", style="bold")
    found = room.findings(room.joined([day.frame for day in days]))
    print_findings(found, console)
    for sentence in [*found.answers, *found.notes]:
        tell(console, sentence)
    names = _names(options.days)
    answered = [one for day in options.days for one in _answers(found, day, names[day])]
    said.measured += answered[:_MOST_ANSWERS] or [
        "Hosts were not watched, so that they cannot be told from the network (`odonata measure` "
        "and Netgauge's selfish do)."
    ]
    if len(answered) > _MOST_ANSWERS:
        said.measured.append(f"{len(answered) - _MOST_ANSWERS} more series: see above.")
    _warn(days, console)
    slow, worst = options.days[0], dict[str, Any]()
    for day, measured in zip(options.days[1:], days[1:], strict=True):
        line = " ".join(map(in_shell, ("odonata", "noise", day, *series, "--against",
                                       options.days[0])))  # fmt: skip
        said.commands.append(line)
        tell(console, f"\n$ {line}", style="bold")
        compared = room.against(measured.frame, days[0].frame)
        if len(compared.medians):
            print_comparison(compared.medians, console)
        if len(compared.means):
            print_ratios(compared.means, compared.names, console)
        most = _differs(compared, f"{names[day]} against {names[options.days[0]]}", said)
        if most and abs(math.log(most["ratio"])) > abs(math.log(worst.get("ratio", 1.0))):
            slow, worst = day if most["ratio"] > 1.0 else options.days[0], most
    if len(days) == 1:
        said.measured.append("One day only: there is none to compare it with.")
    said.slow = {"day": str(slow), **worst}
    return slow, worst or _first(days[0].frame)


def _warn(days: list[Measurements], console: Console) -> None:
    for sentence in (one for day in days for one in (*day.warnings, *day.unreadable)):
        tell(console, f"Warning: {sentence}", style="yellow")


def _names(days: list[Path]) -> dict[Path, str]:
    """What days are called: the last part of their paths, if that tells them apart."""
    short = {day: day.name for day in days}
    return short if len(set(short.values())) == len(short) else {day: str(day) for day in days}


def _answers(found: Findings, day: Path, name: str) -> list[str]:
    """What a day says about hosts, network and modes."""
    from odonata.output.noise.answers import answers  # noqa: PLC0415 - as above

    source = pl.col("source")
    mine = (source == str(day)) | source.str.starts_with(f"{day}/")
    tables = [table.filter(mine) if len(table) else table
              for table in (found.host, found.counters, found.alternated)]  # fmt: skip
    return [f"{name}: {sentence}" for sentence in answers(*tables)]


def _differs(compared: Against, both: str, said: _Said) -> dict[str, Any]:
    """The series that differs most between two days; ratios above 1 are slower."""
    rows: list[dict[str, Any]] = []
    for table, what in ((compared.medians, "median"), (compared.means, "mean")):
        for row in table.iter_rows(named=True):
            ends = [row[f"{what}_ratio{end}"] for end in ("", "_low", "_high")]
            if None in ends:
                rows.append({"ratio": None})
                continue
            if row["quantity"] in ("bandwidth", "message_rate"):  # of which less is slower
                ends = [1 / ends[0], 1 / ends[2], 1 / ends[1]]
            rows.append({"series": row["series"], "bytes": row["bytes"], "of": what,
                         "ratio": ends[0], "low": ends[1], "high": ends[2],
                         "p99_ratio": row.get("p99_ratio")})  # fmt: skip
    known = [row for row in rows if row["ratio"] is not None]
    unlike = [row for row in known if not row["low"] <= 1.0 <= row["high"]]
    few = f"; {len(rows) - len(known)} more have too few values" if len(rows) > len(known) else ""
    if not unlike:
        said.measured.append(f"{both}: no difference seen in {_many(len(known))}{few}.")
        return {}
    slower = sum(row["ratio"] > 1.0 for row in unlike)
    most = max(unlike, key=lambda row: abs(math.log(row["ratio"])))
    size = "" if most["bytes"] is None else f" {most['bytes']} B"
    tail = f", its p99 {most['p99_ratio']:.3g} times" if most["p99_ratio"] else ""
    said.measured.append(
        f"{both}: of {_many(len(known))} {slower} slower and {len(unlike) - slower} faster{few}. "
        f"Largest: the {most['of']} of {most['series']}{size} is {most['ratio']:.3g} times as long "
        f"({most['low']:.3g} to {most['high']:.3g}, 95 % interval){tail}."
    )
    return most


def _many(count: int) -> str:
    return f"{count} series" if count != 1 else "one series"


def _first(frame: pl.DataFrame) -> dict[str, Any]:
    """A series of times of a day, where none differs."""
    times = frame.filter(pl.col("quantity").is_in(["latency", "comm_time", "overall_time"]))
    row = (times if len(times) else frame).row(0, named=True)
    return {"series": row["series"], "bytes": row["bytes"]}


def _beside(slow: Path) -> Path | None:
    found = slow.parent / "beside" / f"{slow.name}-before.txt"
    return found if found.is_file() else None


# Simulated


def _simulated(
    options: argparse.Namespace, said: _Said, console: Console,
    about: tuple[Path, dict[str, Any], Path],
) -> None:  # fmt: skip
    slow, series, log = about
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    jobs = joblog.read(log)
    own = options.own
    if own is None and slow.name in jobs.jobs["job"].to_list():
        own = slow.name
    at, nodes = options.at, 0
    if own is not None:
        mine = jobs.jobs.filter(pl.col("job") == own)
        if len(mine):
            nodes = int(mine["size"][0])
            at = at or f"{math.ceil(mine['start_s'][0] - jobs.span[0])}s"
    victim = options.victim or _victim(options, series, nodes, said)
    scenario = (_folder(victim) or out) / "beside.toml"
    given = {"at": at, "victim": victim, "mix": options.mix, "most": options.most, "own": own,
             "system": options.system if options.victim else None}  # fmt: skip
    words = [word for name, value in given.items() if value is not None
             for word in (f"--{name}", value)]  # fmt: skip
    made = _step(said, console, "jobs", log, *words, "--out", scenario, "--overwrite")
    said.assumed += made["scenarios"][0]["assumed"]
    again = ["--overwrite"] if options.overwrite else []
    _step(said, console, "run", scenario, "--without-each", "--replicas", options.replicas,
          "--set", "telemetry.blame=true", "--out", out / "runs", *again)  # fmt: skip
    why = _step(said, console, "explain", out / "runs")
    tell(console, why["steps"][0]["text"], plain=_PLAIN)
    said.simulated.append(why["steps"][0]["text"])
    asked = _question(scenario)
    advice = _step(said, console, "advise", asked, "--out", out / "advice")
    tell(console, advice["verdict"], plain=_PLAIN)
    said.simulated.append(f"Advice: {advice['verdict']}")
    said.assumed.append(
        f"The network of {made['scenarios'][0]['system_nodes']} nodes is that of the preset, whole "
        "and without faults; storage, and jobs that the log lacks, send nothing."
    )
    if "ratio" in said.slow:
        said.assumed.append(
            f"That the measured factor ({said.slow['ratio']:.3g}, between days) and the simulated "
            "slowdown (beside the neighbours over alone) have one cause. Where they differ much, "
            "the neighbours as assumed here do not explain the day."
        )


def _folder(victim: str) -> Path | None:
    """Folder of a scenario that is a victim: what stands beside it is written there."""
    return Path(victim).parent if victim.endswith(".toml") else None


def _victim(
    options: argparse.Namespace, series: dict[str, Any], nodes: int, said: _Said
) -> str:  # fmt: skip
    """A scenario of one job that communicates like a measured series."""
    name = str(series["series"])
    kind = next((kind for pattern, kind in _VICTIMS if re.search(pattern, name.lower())), None)
    if kind is None:
        raise MeasurementError(
            f"no workload is known to be like the series `{name}`; name one: --victim "
            "WORKLOAD:NODES (`odonata list workloads`), or a scenario of your application."
        )
    ranks = 2 if kind == "ping-pong" else max(nodes, 2) if nodes else 8
    workload: dict[str, Any] = {"kind": kind, "ranks": ranks, "iterations": _ITERATIONS}
    if kind != "barrier" and series["bytes"] is not None:
        workload["message"] = f"{series['bytes']} B"
    path: Path = options.out / "victim.toml"
    data: dict[str, Any] = {
        "schema": 1, "name": "victim", "system": {"preset": options.system},
        "jobs": [{"name": "victim", "role": "victim", "placement": "random-node",
                  "workload": workload}],
    }  # fmt: skip
    _write(path, data)
    said.assumed.append(f"The victim: `{kind}` on {ranks} nodes with {_ITERATIONS} iterations, "
                        f"taken to be like {name}.")  # fmt: skip
    return str(path)


def _question(scenario: Path) -> Path:
    """The scenario with a table of what could be changed, for the advisor."""
    data = dict(read_document(scenario).data)
    victim = next(job for job in data["jobs"] if job["role"] == "victim")
    base = data.get("routing", {}).get("algorithm")
    if base is None:
        from odonata.scenario import presets  # noqa: PLC0415 - a preset has the routing

        preset = presets.find(data["system"].get("preset"))
        base = (preset.routing if preset and preset.routing else {}).get("algorithm", "par")
    aims = next(names for begin, names in _AIMS if str(base).startswith(begin))
    data["sweep"] = {"routing.algorithm": list(dict.fromkeys([base, *aims]))}
    if isinstance(victim["placement"], str):
        place = [victim["placement"], "contiguous", "random-group"]
        data["sweep"][f"jobs.{victim['name']}.placement"] = list(dict.fromkeys(place))
    data["advise"] = {"objective": {"quantity": "comm_time", "job": victim["name"]},
                      "most_seeds": 12}  # fmt: skip
    return _write(scenario.with_name("advise.toml"), data)


def _write(path: Path, data: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, to_toml(data).encode(), partial=path.with_name(f".{path.name}.partial"))
    return path


# The statement


def _conclude(
    options: argparse.Namespace, said: _Said, console: Console, *, is_whole: bool
) -> int:  # fmt: skip
    if options.json:
        print(json.dumps({
            "exit_code": _DONE, "measured": said.measured, "simulated": said.simulated,
            "assumed": said.assumed, "slow": said.slow, "commands": said.commands,
        }))  # fmt: skip
        return _DONE
    console.print()
    for title, sentences in (("Measured", said.measured), ("Simulated", said.simulated),
                             ("Assumed", said.assumed)):  # fmt: skip
        if sentences:
            tell(console, f"{title}:", style="bold")
        for one in sentences:
            tell(console, f"* {one}", indent="  ", plain=_PLAIN)
    if not is_whole:
        for line in _RECORD:
            tell(console, line)
    return _DONE
