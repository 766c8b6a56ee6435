"""Arguments of ``odonata measure``: for the command line of Odonata, and for the one file alone."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from odonata.core.errors import MeasurementError
from odonata.core.quantities import parse_quantity
from odonata.measured.measure import gpcnet
from odonata.measured.measure.benchmarks import BENCHMARKS
from odonata.measured.measure.clock import STARTS
from odonata.measured.measure.plan import SCHEDULERS, Plan
from odonata.measured.measure.request import ALL_RANKS, SLOWEST, Request


def add_run(command: argparse.ArgumentParser) -> None:
    """Arguments of ``measure run``."""
    command.add_argument("--out", type=Path, required=True, metavar="DIR",
                         help="new folder for the files: every allocation has its own")  # fmt: skip
    add_what(command)


def add_what(command: argparse.ArgumentParser) -> None:
    """Arguments that say what is measured."""
    command.add_argument("benchmarks", nargs="+", metavar="BENCHMARK",
                         help=", ".join((*BENCHMARKS, *gpcnet.SUITES)))  # fmt: skip
    command.add_argument("--sizes", type=_words, default=(), metavar="SIZE,...",
                         help="such as 8B,16KiB; default: those of each benchmark")  # fmt: skip
    command.add_argument("--iterations", type=int, default=200, metavar="N",
                         help="per size and mode (default: 200)")  # fmt: skip
    command.add_argument("--warm-up", type=int, default=10, metavar="N",
                         help="per size and mode, not kept (default: 10)")  # fmt: skip
    command.add_argument("--modes", type=_words, default=(), metavar="MODE,...",
                         help="modes that alternate on successive iterations, such as "
                              "adaptive-0,adaptive-3; a preload library forces them")  # fmt: skip
    command.add_argument("--force", metavar="FUNCTION",
                         help="function of another preload library, int FUNCTION(int); modes are "
                         "then NAME=NUMBER")  # fmt: skip
    command.add_argument("--start", default="barrier", metavar="HOW",
                         help=f"{' or '.join(STARTS)}: behind a barrier, or at an agreed instant "
                         "(default: barrier)")  # fmt: skip
    command.add_argument("--pause", default="0 s", metavar="TIME",
                         help="before each iteration, such as 1s (default: none)")  # fmt: skip
    command.add_argument("--host-noise", default="2 s", metavar="TIME",
                         help="time to watch hosts, before and after (default: 2s)")  # fmt: skip
    command.add_argument("--keep", default=ALL_RANKS, metavar="WHAT",
                         help=f"{ALL_RANKS} or {SLOWEST}: record all ranks or the slowest one of "
                              "each iteration (default: all)")  # fmt: skip
    command.add_argument("--counters", type=_words, default=(), metavar="NAME,...",
                         help="counters of Cassini; * stands for any text (default: those that "
                         "tell of congestion)")  # fmt: skip
    command.add_argument("--cxi", type=Path, metavar="DIR",
                         help="folder of Cassini NICs (default: /sys/class/cxi)")  # fmt: skip
    command.add_argument("--ranks-per-node", type=int, metavar="N",
                         help="treat this many consecutive ranks as a node, to try GPCNeT on "
                              "one machine")  # fmt: skip
    command.add_argument("--congestors", type=_words, default=gpcnet.CLASSES,
                         metavar="CLASS,...",
                         help=f"of GPCNeT (default: {','.join(gpcnet.CLASSES)})")  # fmt: skip
    command.add_argument("--seed", type=int, default=1, metavar="N",
                         help="of the shuffles of GPCNeT (default: 1)")  # fmt: skip


def add_plan(command: argparse.ArgumentParser) -> None:
    """Arguments of ``measure plan``; those behind ``--`` are for ``measure run``."""
    command.add_argument("--scheduler", default="slurm", metavar="NAME",
                         help=f"{' or '.join(SCHEDULERS)} (default: slurm)")  # fmt: skip
    command.add_argument("--nodes", type=int, default=64, metavar="N", help="(default: 64)")
    command.add_argument("--ranks-per-node", type=int, default=1, metavar="N",
                         help="(default: 1)")  # fmt: skip
    command.add_argument("--minutes", type=int, default=60, metavar="N", help="(default: 60)")
    command.add_argument("--preload", default="", metavar="LIBRARY",
                         help="preload this library of Odonata, such as aries")  # fmt: skip
    command.add_argument("--command", dest="starts", default="odonata", metavar="FILE",
                         help="what starts the harness, such as ./odonata-measure.pyz "
                         "(default: odonata)")  # fmt: skip
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="-- ARGUMENTS",
                         help="of `measure run`, without --out")  # fmt: skip


def request(options: argparse.Namespace) -> Request:
    """What was asked, checked.

    Raises
    ------
    odonata.errors.Error
        Something of it cannot be.
    """
    return Request(
        out=options.out,
        benchmarks=tuple(options.benchmarks),
        sizes=tuple(parse_quantity(text, "bytes") for text in options.sizes),
        iterations=options.iterations,
        warm_up=options.warm_up,
        modes=options.modes,
        force=options.force,
        start=options.start,
        pause_s=parse_quantity(options.pause, "time") / 1e12,
        host_s=parse_quantity(options.host_noise, "time") / 1e12,
        keep=options.keep,
        counters=options.counters,
        cxi=options.cxi,
        ranks_per_node=options.ranks_per_node,
        congestors=options.congestors,
        seed=_natural(options.seed),
    )


def plan(options: argparse.Namespace) -> Plan:
    """The plan that was asked for, the measurement in it checked, too.

    Raises
    ------
    odonata.errors.Error
        Something of it cannot be.
    """
    words = [word for word in options.arguments if word != "--"]
    inner = _Inner(prog="odonata measure run", add_help=False)
    add_what(inner)
    given = inner.parse_args(words)
    given.out = Path("measured")
    request(given)
    return Plan(scheduler=options.scheduler, nodes=options.nodes, minutes=options.minutes,
                ranks_per_node=options.ranks_per_node, preload=options.preload,
                command=options.starts, arguments=words)  # fmt: skip


class _Inner(argparse.ArgumentParser):
    """What is not understood is an error of the plan."""

    def error(self, message: str) -> NoReturn:
        raise MeasurementError(f"after `--`: {message}; give arguments of `odonata measure run`.")


def _natural(number: int) -> int:
    if number < 0:
        raise MeasurementError(f"seed {number} is below 0; give 0 or more.")
    return number


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
