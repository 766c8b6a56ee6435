"""What the command line understands."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from odonata.campaign.executors.choice import EXECUTORS, LAYOUTS
from odonata.campaign.together.hosts import SSH
from odonata.cli import (
    advise,
    bench,
    cite,
    command_tree,
    completion,
    copies,
    demo,
    describe,
    doctor,
    draft,
    explain,
    export,
    manual,
    measure,
    mpi,
    new,
    noise,
    preload,
    query,
    run,
    study,
    topo,
    trace,
    view,
)
from odonata.cli.screen import printable
from odonata.core.errors import suggestion
from odonata.core.native import VERSION
from odonata.scenario import sections


class _Parser(argparse.ArgumentParser):
    """What is not understood is repeated without letters that a terminal would obey."""

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - as above it
        if message:
            print(message, end="", file=file or sys.stderr)

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401 - as above it
        if action.choices is not None and value not in action.choices:
            remedy = suggestion(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"`{value}` is not known.{remedy}")

    def error(self, message: str) -> NoReturn:
        copies.leave_it_to_the_first(os.environ)
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    """Parser of every command; ``options.command`` carries it out."""
    top: argparse.ArgumentParser = _Parser(
        prog="odonata",
        description="Packet-level simulator of dragonfly networks.",
        epilog="Exit codes: 0 done, 1 internal error, 2 bad input, 3 stopped early with partial "
        "results, 4 simulation stalled.",
    )
    top.add_argument("--version", action="version", version=f"odonata {VERSION}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _new(commands)
    demo.add(commands)
    _run(commands)
    _check(commands)
    _describe(commands)
    _topo(commands)
    _trace(commands)
    _report(commands)
    _view(commands)
    _explain(commands)
    _export(commands)
    _noise(commands)
    advise.add(commands)
    study.add(commands)
    measure.add(commands)
    mpi.add(commands)
    _query(commands)
    _preload(commands)
    _bench(commands)
    _doctor(commands)
    cite.add(commands)
    _shell(commands, top)
    return top


def _scenario(command: argparse.ArgumentParser) -> None:
    command.add_argument("scenario", type=Path, metavar="FILE", help="scenario (TOML)")
    command.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace a value, such as --set routing.algorithm=par or "
        "--set 'jobs.0.workload.face=\"96 kB\"'; may be given several times",
    )


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", action="store_true", help="print one JSON object on standard output"
    )


def _new(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "new",
        help="write a commented scenario from five questions",
        description="Write a commented scenario that can be run as it is. Without flags, on a "
        "terminal, five questions are asked; otherwise what is not given has its default.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="scenario to write (.toml)")
    default = draft.Answers()
    names = {"job": "WORKLOAD"}
    for name, (question, _) in draft.QUESTIONS.items():
        command.add_argument(
            f"--{name}", metavar=names.get(name, name.upper()),
            help=f"{question} (default: {getattr(default, name)})",
        )  # fmt: skip
    command.add_argument(
        "--ranks", type=_ranks, metavar="N", help="ranks of the job and of the co-running one "
        "(default: the largest power of two up to 256 that fits twice)",
    )  # fmt: skip
    command.add_argument("--overwrite", action="store_true", help="replace the file")
    _json(command)
    command.set_defaults(command=new.new)


def _ranks(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 on")
    return int(text)


def _shell(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], top: argparse.ArgumentParser
) -> None:
    command = commands.add_parser(
        "completion", help="what the tab key offers: a script for bash, zsh or fish",
        description="Print a completion script. For bash: eval \"$(odonata completion bash)\".",
    )  # fmt: skip
    command.add_argument("shell", choices=completion.SHELLS, help="bash, zsh or fish")
    command.set_defaults(
        command=lambda options: completion.completion(options.shell, command_tree.read(top))
    )
    page = commands.add_parser(
        "man", help="the manual page; odonata man | man -l -",
        description="Print the manual page in the language of man: odonata man | man -l -",
    )  # fmt: skip
    page.set_defaults(command=lambda _: manual.man(command_tree.read(top)))


def _run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "run", help="run a scenario or its sweep", description="Run a scenario or its sweep."
    )
    _scenario(command)
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for the results (default: results/NAME)"
    )
    command.add_argument(
        "--threads", type=_threads, metavar="N",
        help="threads of the simulator in each run (default: 1); results do not depend on it",
    )  # fmt: skip
    command.add_argument(
        "--processes", type=_threads, metavar="N",
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
        "--workers", type=_threads, metavar="N",
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
        "--replicas", type=_count, metavar="N",
        help="runs of each variant with different seeds, for intervals; as `replicas = N` in "
        "the scenario",
    )  # fmt: skip
    command.add_argument(
        "--until-width", type=_width, metavar="W",
        help="add replicas until the 95 %% interval of every slowdown (or communication time, or "
        "accepted load and latency) is that narrow, such as 2%%",
    )  # fmt: skip
    command.add_argument(
        "--timing", action="store_true",
        help="measure how long each thread works, waits for others and communicates, and write "
             "it into the summary (engine.timing)",
    )  # fmt: skip
    command.add_argument("--quiet", action="store_true", help="no progress and no table")
    _json(command)
    command.set_defaults(command=run.run)


def _check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "check",
        help="validate a scenario and forecast its cost, without running it",
        description="Validate a scenario, print it resolved, and forecast its cost.",
    )
    _scenario(command)
    command.add_argument(
        "--execute", action="store_true",
        help="execute the Python of jobs with `kind = \"program\"`, to forecast what they do",
    )  # fmt: skip
    _json(command)
    command.set_defaults(command=run.check)


def _describe(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    listing = commands.add_parser("list", help="list the entries of a kind")
    listing.add_argument("kind", metavar="KIND", nargs="?", help=", ".join(describe.KINDS))
    _json(listing)
    listing.set_defaults(command=describe.list_kind)
    show = commands.add_parser("show", help="show one entry with its parameters")
    show.add_argument("kind", metavar="KIND", help=", ".join(describe.KINDS))
    show.add_argument("name", metavar="NAME")
    _json(show)
    show.set_defaults(command=describe.show)


def _topo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "topo", help="sizes and wiring of a system", description="Sizes and wiring of a system."
    )
    command.add_argument(
        "system", metavar="SYSTEM",
        help='preset such as theta or "dragonfly(4, 8, 4, 33)", or a scenario file (*.toml)',
    )  # fmt: skip
    command.add_argument(
        "--edges", type=Path, metavar="FILE",
        help="write the channels (.csv or .parquet); `topology.kind = \"file\"` reads them",
    )  # fmt: skip
    command.add_argument("--svg", type=Path, metavar="FILE", help="draw the system (.svg)")
    _json(command)
    command.set_defaults(command=topo.topo)


def _trace(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("trace", help="look into, check or convert a trace")
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    info = actions.add_parser("info", help="what is in a trace")
    check = actions.add_parser("check", help="what cannot be replayed, named and counted")
    convert = actions.add_parser(
        "convert", help="write another form: .npz, .goal, .et; .toml from Ember, CODES"
    )
    for action, function in ((info, trace.info), (check, trace.check), (convert, trace.convert)):
        action.add_argument("trace", type=Path, metavar="FILE", help="trace file or its folder")
        _json(action)
        action.set_defaults(command=function)
    check.add_argument(
        "--strict", action="store_true", help="exit with code 2 also if something is left out"
    )
    convert.add_argument(
        "--system", default="kang2022-1056", metavar="PRESET",
        help="of a scenario that is written (*.toml; default: kang2022-1056)",
    )  # fmt: skip
    convert.add_argument(
        "--allocation", type=Path, metavar="FILE", help="allocation file of CODES, for the same"
    )
    timeline = actions.add_parser(
        "timeline",
        help="a run for the viewer of Perfetto: ranks as threads, links as counters",
        description="Write the timeline of a run, which https://ui.perfetto.dev opens: ranks as "
        "threads with their iterations, jobs and links as counters (`telemetry.link_series = "
        "true`), sampled packets as arrows (`telemetry.packet_sample = 1`).",
    )
    timeline.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    timeline.add_argument(
        "--out", type=Path, metavar="FILE",
        help="file to write (default: DIR/timeline.perfetto-trace); packed if it ends in .gz",
    )  # fmt: skip
    timeline.add_argument(
        "--links", type=_whole, default=64, metavar="N",
        help="links to show, those that are used most (default: 64)",
    )  # fmt: skip
    _json(timeline)
    timeline.set_defaults(command=trace.timeline)
    convert.add_argument(
        "target", type=Path, metavar="TARGET", help="file to write; its ending is the form"
    )


def _report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("report", help="one self-contained HTML file of results")
    command.add_argument("directory", type=Path, metavar="DIR", help="results of `odonata run`")
    command.add_argument(
        "--interactive", action="store_true",
        help="add plots to zoom into; the page gets 5 MB larger and still needs no network",
    )  # fmt: skip
    _json(command)
    command.set_defaults(command=run.report)


def _view(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "view",
        help="one HTML file that shows a run in a browser: links, jobs, blame, over time",
        description="Write one HTML file that shows a run in a browser: groups on a ring, links by "
        "use, stalls or blame, jobs and times at a click. It needs no other file and no network. "
        "`telemetry.link_series = true` adds the time slider, `telemetry.blame = true` blame.",
    )
    command.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: DIR/view.html)"
    )
    command.add_argument("--open", action="store_true", help="open it in a browser")
    _json(command)
    command.set_defaults(command=view.view)


def _explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explain",
        help="why a job was slow: rank, iteration, links, and the jobs to blame",
        description="Why a job was slow, in sentences: from its slowest rank to the links where "
        "its packets waited, and the jobs that made them wait (`telemetry.blame = true`). Of "
        "replicas all are compared, and the one of the median slowdown is described in detail; of "
        "a sweep, the variant in which the job is slowest.",
    )
    command.add_argument(
        "directory", type=Path, metavar="DIR",
        help="results of a run, of a sweep, of one of its runs (DIR/runs/NAME), or of "
        "`odonata run --without-each`",
    )  # fmt: skip
    command.add_argument("--job", metavar="JOB", help="default: the one slowed down most")
    command.add_argument(
        "--against", type=Path, metavar="DIR",
        help="results of the same scenario without some jobs (`odonata run --without`)",
    )  # fmt: skip
    command.add_argument("--picture", type=Path, metavar="FILE", help="draw it (.png, .svg, .pdf)")
    _json(command)
    command.set_defaults(command=explain.explain)


def _export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "export", help="counters of a run as files of AriesNCL, LDMS or a Cassini NIC",
        description="Counters of a run (`telemetry.counters = true`) as the files of tools that "
        "read real ones: what the ranks of a job see on a machine.",
    )  # fmt: skip
    command.add_argument("directory", type=Path, metavar="DIR", help="results of one run")
    command.add_argument(
        "--format", required=True, metavar="NAME",
        help="aries-ncl, aries-ncl-text, ldms or cassini",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the files, new or empty"
    )
    command.add_argument(
        "--job", metavar="JOB", help="whose routers and NICs (default: the first victim)"
    )
    command.add_argument(
        "--all", action="store_true", help="all routers and NICs that the run has counters of"
    )
    _json(command)
    command.set_defaults(command=export.export)


def _preload(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "preload", help="application-aware routing on real machines: libraries and their reports"
    )
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    path = actions.add_parser("path", help="file of a library, for LD_PRELOAD")
    path.add_argument(
        "name",
        metavar="LIBRARY",
        nargs="?",
        help="aries (Aries) or fi (libfabric, Slingshot); without it, all of them",
    )
    path.set_defaults(command=preload.path)
    report = actions.add_parser("report", help="what the processes of a job did, added up")
    report.add_argument(
        "directory",
        type=Path,
        metavar="DIR",
        help="folder that ODONATA_ARIES_REPORT or ODONATA_FI_REPORT named",
    )
    report.set_defaults(command=preload.report)
    for action in (path, report):
        _json(action)


def _noise(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "noise",
        help="how noisy times are, measured or simulated, and what explains it",
        description="Medians, dispersion and tails with intervals of measured files (Netgauge, "
        "OSU, IMB, GPCNeT, AriesNCL, LDMS, DragonView, Darshan, Cassini, Cray MPICH) and of "
        "results of `odonata run`. docs/noise.md says how.",
    )
    command.add_argument(
        "paths", type=Path, nargs="+", metavar="PATH",
        help="file, folder or archive of measurements, or results of `odonata run`",
    )  # fmt: skip
    command.add_argument(
        "--against", type=Path, nargs="+", default=[], metavar="PATH",
        help="compare with these: ratios of the same series, with intervals",
    )  # fmt: skip
    command.add_argument(
        "--match", action="append", default=[], metavar="FIRST=SECOND",
        help="series FIRST and series SECOND of --against are the same test; may be given "
             "several times",
    )  # fmt: skip
    command.add_argument("--plot", type=Path, metavar="DIR", help="write pictures there")
    command.add_argument(
        "--series", action="append", default=[], metavar="NAME",
        help="only this series; * stands for any text; may be given several times",
    )  # fmt: skip
    command.add_argument("--format", metavar="NAME", help="format of the files "
                         "(default: recognised from their content): "
                         + ", ".join(noise.FORMATS))  # fmt: skip
    command.add_argument(
        "--seed", type=_whole, default=1, metavar="N",
        help="of permutations (default: 1)",
    )  # fmt: skip
    _json(command)
    command.set_defaults(command=noise.noise)


def _query(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "query",
        help="one SQL query over all tables of all runs of a folder",
        description="One SQL query over all tables of results: each table holds all runs of a "
        "sweep, with `run` and the swept keys in front. Without SQL, tables and columns are "
        "listed.",
    )
    command.add_argument("directory", type=Path, metavar="DIR", help="results of `odonata run`")
    command.add_argument("sql", metavar="SQL", nargs="?", help="such as 'SELECT job, "
                         "avg(comm_time_ns) FROM ranks GROUP BY job'")  # fmt: skip
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="write the answer (.csv, .parquet)"
    )
    _json(command)
    command.set_defaults(command=query.query)


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 0 on")
    return int(text)


def _doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "doctor", help="what is installed, what is missing, and what for",
        description="What is installed, what is missing and what it is for, with a small run that "
        "is checked. Ends with 1 if something that is needed is broken.",
    )  # fmt: skip
    _json(command)
    command.set_defaults(command=doctor.doctor)


def _bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("bench", help="the standard speed set on this machine")
    command.add_argument(
        "files", nargs="*", type=Path, metavar="FILE",
        help="scenarios of one run each, run as commands, against the first case of the set",
    )  # fmt: skip
    command.add_argument("--quick", action="store_true", help="the small cases, once each")
    command.add_argument("--case", action="append", metavar="NAME", help="only this case")
    command.add_argument(
        "--repeats", type=_threads, default=None, metavar="N", help="runs per case (default: 3)"
    )
    _json(command)
    command.set_defaults(command=bench.bench)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= sections.MOST_REPLICAS:
        raise argparse.ArgumentTypeError(
            f"{text} is not a number from 1 to {sections.MOST_REPLICAS}"
        )
    return int(text)


def _width(text: str) -> float:
    """A share such as 2% or 0.02."""
    number, percent, rest = text.partition("%")
    try:
        value = float(number) / (100.0 if percent else 1.0)
    except ValueError:
        value = 0.0
    if rest or not 0.0001 <= value < 1.0:
        raise argparse.ArgumentTypeError(
            f"{text} is not a width from 0.01% to 100%; write 2% for an interval that is 2 % of "
            "its estimate wide"
        )
    return value


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to 1024")
    return int(text)
