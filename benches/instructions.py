#!/usr/bin/env python3
"""Instructions per packet-hop of the standard cases, against the committed baseline.

Wall time is noisy, instructions are not. Every case runs under callgrind at two lengths; the
difference of instructions over the difference of packet-hops is the cost of a packet-hop, without
start-up and warm-up. A case that needs more than 3 % more than its baseline fails.

    benches/instructions.py                 compare with benches/baseline.json
    benches/instructions.py --update        write it
    benches/instructions.py --only wang-    only the cases whose names begin so

The first cases are the studies of ``benches/studies``, cut at two simulated times; they run in the
installed package (``make setup``), the others in ``packet-hops``. Needs cargo and valgrind.
Exit codes: 0 no case is worse, 1 a case is worse, 2 it cannot be measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"
TOLERANCE = 0.03


class MeasureError(Exception):
    """The cases cannot be measured; the message says why and what to do."""


@dataclass(frozen=True)
class Study:
    """A scenario of ``benches/studies``.

    Parameters
    ----------
    name : str
        Name of the file without its ending.
    lengths : tuple of int
        Two simulated times at which it is ended, us.
    """

    name: str
    lengths: tuple[int, int]


@dataclass(frozen=True)
class Case:
    """One case of the set.

    Parameters
    ----------
    name : str
        Such as ``1056-minimal-0.5-voq``.
    arguments : str
        Arguments of ``packet-hops``, with ``{}`` for the length.
    lengths : tuple of int
        The two lengths: simulated ns, or iterations.
    """

    name: str
    arguments: str
    lengths: tuple[int, int]


STUDIES = (
    Study("wang-amg", (20, 50)),
    Study("wang-cr", (12, 30)),
    Study("theta-uniform", (8, 15)),
    Study("kang-halo3d", (12, 20)),
    Study("kang-fft3d-halo3d", (12, 20)),
    Study("mubarak-lammps", (60, 100)),
    Study("desensi-halo3d", (15, 40)),
    Study("gpcnet-frontier", (150, 500)),
    Study("trace-stencil", (150, 400)),
)

_SHORT = (10_000, 30_000)

CASES = (
    Case("1056-minimal-0.5-voq", "nodes=1056 load=0.5 ns={}", (10_000, 30_000)),
    Case("1056-minimal-0.8-voq", "nodes=1056 load=0.8 ns={}", (10_000, 30_000)),
    Case(
        "1056-ugal-group-0.5-voq", "nodes=1056 routing=ugal-group load=0.5 ns={}", (10_000, 30_000)
    ),
    Case("1056-minimal-0.5-cioq", "nodes=1056 router=cioq load=0.5 ns={}", (10_000, 30_000)),
    Case(
        "1056-ugal-group-0.5-cioq",
        "nodes=1056 routing=ugal-group router=cioq load=0.5 ns={}",
        (10_000, 30_000),
    ),
    # Full buffers: many heads wait for the crossbar.
    Case(
        "1056-par-0.9-cioq", "nodes=1056 routing=par router=cioq load=0.9 ns={}", (10_000, 20_000)
    ),
    Case(
        "1056-ugal-group-0.5-aries",
        "topology=aries routing=ugal-group load=0.5 ns={}",
        (10_000, 30_000),
    ),
    Case(
        "1056-ugal-group-0.5-aries-answers",
        "topology=aries routing=ugal-group answers=true load=0.5 ns={}",
        (3_000, 9_000),
    ),
    Case(
        "1056-ugal-group-0.5-megafly",
        "topology=megafly routing=ugal-group load=0.5 ns={}",
        (10_000, 30_000),
    ),
    Case(
        "1056-ugal-group-0.5-classes",
        "classes=2 routing=ugal-group load=0.5 ns={}",
        (10_000, 30_000),
    ),
    # Control of congestion at end points, beside the cases without the last word: sources that are
    # hardly paced, and sources that often are.
    Case("1056-minimal-0.5-voq-pace", "nodes=1056 congestion=pace load=0.5 ns={}", _SHORT),
    Case("1056-minimal-0.5-voq-nscc", "nodes=1056 congestion=nscc load=0.5 ns={}", _SHORT),
    Case("halo3d-528-voq-pace", "workload=halo3d congestion=pace iterations={}", (1, 3)),
    Case("1056-q-adaptive-0.5", "routing=q-adaptive load=0.5 ns={}", (10_000, 30_000)),
    Case("8320-minimal-0.5-voq", "nodes=8320 load=0.5 ns={}", (1_500, 4_500)),
    Case("halo3d-528-voq", "workload=halo3d iterations={}", (1, 3)),
    Case("halo3d-528-cioq", "workload=halo3d router=cioq iterations={}", (1, 3)),
    Case("allreduce-2197-voq", "workload=allreduce nodes=8320 iterations={}", (2, 6)),
    # What probes cost, each beside the case above of the same name without the last word.
    Case("1056-minimal-0.5-voq-nothing", "nodes=1056 load=0.5 telemetry=false ns={}", _SHORT),
    Case("1056-minimal-0.5-voq-counters", "nodes=1056 load=0.5 counters=true ns={}", _SHORT),
    Case("1056-minimal-0.5-voq-blame", "nodes=1056 load=0.5 blame=true ns={}", _SHORT),
    Case(
        "1056-ugal-group-0.5-aries-counters",
        "topology=aries routing=ugal-group counters=true load=0.5 ns={}",
        _SHORT,
    ),
    Case(
        "1056-minimal-0.5-cioq-counters",
        "nodes=1056 router=cioq counters=true load=0.5 ns={}",
        _SHORT,
    ),
)

COSTS = (
    ("1056-minimal-0.5-voq", "1056-minimal-0.5-voq-nothing", 0.03),
    ("1056-minimal-0.5-voq-counters", "1056-minimal-0.5-voq", 0.15),
    ("1056-minimal-0.5-cioq-counters", "1056-minimal-0.5-cioq", 0.15),
    ("1056-ugal-group-0.5-aries-counters", "1056-ugal-group-0.5-aries", 0.15),
    ("1056-minimal-0.5-voq-blame", "1056-minimal-0.5-voq", 0.30),
    ("1056-minimal-0.5-voq-pace", "1056-minimal-0.5-voq", 0.15),
    ("halo3d-528-voq-pace", "halo3d-528-voq", 0.15),
    ("1056-minimal-0.5-voq-nscc", "1056-minimal-0.5-voq", 0.30),
)
"""What is watched or controlled, the same without, and the most that it is meant to cost."""


def main() -> int:
    """Measure all cases and compare them with the baseline or write it.

    Returns
    -------
    int
        Exit code.
    """
    parser = argparse.ArgumentParser(description="Instructions per packet-hop of standard cases.")
    parser.add_argument("--update", action="store_true", help="write the baseline")
    parser.add_argument("--only", default="", metavar="PREFIX", help="cases that begin so")
    options = parser.parse_args()
    chosen = [one for one in (*STUDIES, *CASES) if one.name.startswith(options.only)]
    if not chosen:
        parser.error(f"no case begins with `{options.only}`")
    try:
        compiler = rustc()
        binary = build() if any(isinstance(one, Case) for one in chosen) else None
        with tempfile.TemporaryDirectory() as empty:
            found = measure(chosen, binary, Path(empty))
        if options.update:
            if options.only:
                found = read_baseline()["instructions_per_hop"] | found
            text = json.dumps({**compiler, "instructions_per_hop": found}, indent=2)
            BASELINE.write_text(text + "\n", encoding="utf-8")
            say(f"{BASELINE.name} is written:")
            say(table(found, {}))
            say(costs(found))
            return 0
        baseline = read_baseline()
    except MeasureError as error:
        sys.stderr.write(f"instructions: {error}\n")
        return 2
    return compare(found, baseline, compiler)


def compare(found: dict[str, float], baseline: dict[str, Any], compiler: dict[str, str]) -> int:
    """Print the table and judge it.

    Parameters
    ----------
    found : dict
        Instructions per packet-hop by case.
    baseline : dict
        What is committed.
    compiler : dict
        ``rustc`` and ``target`` of this machine.

    Returns
    -------
    int
        1 if a case is more than 3 % worse.
    """
    for key, value in compiler.items():
        if baseline.get(key) != value:
            say(
                f"The baseline was made with {key} {baseline.get(key)}, this is {value}: "
                "differences may come from there."
            )
    expected = baseline["instructions_per_hop"]
    say(table(found, expected))
    say(costs(found))
    missing = [name for name in found if name not in expected]
    if missing:
        say(f"Not in the baseline: {', '.join(missing)}; run benches/instructions.py --update.")
    worse = [
        name for name, value in found.items() if value > expected.get(name, value) * (1 + TOLERANCE)
    ]
    if worse:
        say(f"More than {TOLERANCE:.0%} worse: {', '.join(worse)}.")
        say("If the cost is meant: benches/instructions.py --update, and say why in the change.")
    return 1 if worse else 0


def table(found: dict[str, float], expected: dict[str, float]) -> str:
    """One line per case.

    Parameters
    ----------
    found, expected : dict
        Instructions per packet-hop by case.

    Returns
    -------
    str
        Names, both numbers, change in per cent.
    """
    lines = [f"{'instructions per packet-hop':28}{'now':>10}{'baseline':>10}{'change':>10}"]
    for name, value in found.items():
        before = expected.get(name)
        rest = "" if before is None else f"{before:10.1f}{value / before - 1:+10.2%}"
        lines.append(f"{name:32}{value:10.1f}{rest}")
    return "\n".join(lines)


def costs(found: dict[str, float]) -> str:
    """One line per probe or control: how much more it takes than the same without, and the aim.

    Parameters
    ----------
    found : dict
        Instructions per packet-hop by case.

    Returns
    -------
    str
        Names, both numbers, increase and aim in per cent.
    """
    if not any(name in found for name, _, _ in COSTS):
        return ""
    lines = [f"{'what it costs':34}{'with':>10}{'without':>10}{'more':>10}{'aim':>8}"]
    for name, without, aim in COSTS:
        if name not in found or without not in found:
            continue
        more = found[name] / found[without] - 1
        lines.append(f"{name:34}{found[name]:10.1f}{found[without]:10.1f}{more:+10.1%}{aim:8.0%}")
    return "\n".join(lines)


def measure(
    chosen: Sequence[Study | Case], binary: Path | None, directory: Path
) -> dict[str, float]:
    """Measure cases, as many at a time as there are processors.

    Parameters
    ----------
    chosen : sequence of Study or Case
        What to measure.
    binary : Path or None
        ``packet-hops``.
    directory : Path
        Where callgrind may write.

    Returns
    -------
    dict
        Instructions per packet-hop by case.
    """
    runs = [(case, length) for case in chosen for length in case.lengths]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        counts = list(pool.map(lambda run: count(binary, directory, *run), runs))
    result = {}
    for case, short, long in zip(chosen, counts[::2], counts[1::2], strict=True):
        slope = (long[0] - short[0]) / (long[1] - short[1])
        result[case.name] = round(slope, 2)
    return result


def count(binary: Path | None, directory: Path, case: Study | Case, length: int) -> tuple[int, int]:
    """Run one case once.

    Parameters
    ----------
    binary, directory : Path
        See :func:`measure`.
    case : Study or Case
        What to run.
    length : int
        How long.

    Returns
    -------
    tuple of int
        Instructions and packet-hops.

    Raises
    ------
    MeasureError
        The run failed.
    """
    out = directory / f"{case.name}-{length}"
    if isinstance(case, Study):
        run = written(case, length, out.with_suffix(".json"))
    else:
        run = [str(binary), *case.arguments.format(length).split()]
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}.out", *run]
    # Python's dictionaries take other instructions under another seed.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    instructions = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    hops = re.search(r"^packet_hops (\d+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or instructions is None or hops is None:
        raise MeasureError(f"case {case.name} broke off:\n{done.stdout}{done.stderr}")
    return int(instructions[1]), int(hops[1])


def written(study: Study, length: int, file: Path) -> list[str]:
    """Write what the simulator takes of a study.

    Parameters
    ----------
    study : Study
        The scenario.
    length : int
        When it ends, us.
    file : Path
        Where to.

    Returns
    -------
    list of str
        Command that runs it.

    Raises
    ------
    MeasureError
        The package is not installed, or refuses the scenario.
    """
    installed = HERE.parent / ".venv" / "bin" / "python"
    python = str(installed) if installed.exists() else sys.executable
    scenario = HERE / "studies" / f"{study.name}.toml"
    one_run = str(HERE / "one_run.py")
    command = [python, one_run, "write", str(scenario), f"{length} us", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MeasureError(f"{scenario.name} cannot be read; run `make setup`:\n{done.stderr}")
    return [python, "-S", one_run, "run", str(file)]


def build() -> Path:
    """Build ``packet-hops``.

    Returns
    -------
    Path
        The binary.

    Raises
    ------
    MeasureError
        Something is missing, or it does not compile.
    """
    if shutil.which("valgrind") is None:
        raise MeasureError("valgrind is missing; install the package `valgrind` of the system")
    command = [
        "cargo", "build", "--release", "--quiet", "--package", "odonata-benches",
        "--message-format", "json-render-diagnostics",
    ]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=HERE.parent)
    if done.returncode != 0:
        raise MeasureError("packet-hops does not compile, see above")
    for line in done.stdout.splitlines():
        artifact = json.loads(line)
        if artifact.get("executable") and artifact["target"]["name"] == "packet-hops":
            return Path(artifact["executable"])
    raise MeasureError("cargo built no packet-hops; is benches/Cargo.toml complete?")


def rustc() -> dict[str, str]:
    """Version and target of the compiler.

    Returns
    -------
    dict
        ``rustc`` and ``target``.

    Raises
    ------
    MeasureError
        There is no compiler.
    """
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        raise MeasureError("cargo or rustc is missing; install Rust from https://rustup.rs")
    done = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True)
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return {"rustc": lines["release"], "target": lines["host"]}


def read_baseline() -> dict[str, Any]:
    """What is committed.

    Returns
    -------
    dict
        ``rustc``, ``target``, ``instructions_per_hop``.

    Raises
    ------
    MeasureError
        There is none, or it cannot be read.
    """
    try:
        baseline: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
        baseline["instructions_per_hop"].items()
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise MeasureError(
            f"{BASELINE} cannot be read ({error}); write it with --update"
        ) from error
    return baseline


def say(text: str) -> None:
    """Print a line.

    Parameters
    ----------
    text : str
        The line.
    """
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
