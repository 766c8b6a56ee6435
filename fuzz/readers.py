"""Fuzz the readers of traces, loads and logs, in turn and for as long as wanted.

``python fuzz/readers.py --out FOLDER --minutes M [--slice S] [READER...]`` goes round over the
readers: whichever has had least processor time is next, for ``S`` seconds, until ``M`` minutes
have passed or the driver is interrupted. ``FOLDER`` keeps, per reader, what it has found so far:

* ``corpus/``: inputs that reached new code, from which further ones are made;
* ``faults/``: inputs that broke a promise, and what was said, beside each other;
* ``count.json``: inputs tried and seconds of processor time, over all calls of the driver.

A later call goes on where the last one ended. ``--summary`` prints the counts and ends;
``--repeat READER FAULT`` reads one input again, without a driver around it.

Compiled readers (DUMPI, GOAL, liballprof, SimGrid) are fuzzed by the targets of ``targets/``
under libFuzzer, which the driver builds with the stable compiler: the instrumentation is a pass
of LLVM that needs no nightly one. Readers in Python run in a process of their own, many inputs
each, and keep an input if a line of ``odonata`` ran that had not run before. Numbers are drawn
from the reader's name and the number of the input; so the same corpus gives the same inputs.

What must hold of every input: it is taken, or refused with one of the package's errors in one
line; nothing else, no crash and no endless loop. And memory: a compiled reader may have 100 times
the bytes of its input at once and 1 MiB beside it, counted by the allocator; a reader in Python
400 times and 48 MiB (a node number written as two digits is an object of 36 bytes in a list that
doubles, and the interpreter keeps arenas), measured as growth of the process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import binary
import inputs
from inputs import COMPILED, PYTHON, Files

from odonata.errors import Error, InternalError

HERE = Path(__file__).resolve().parent
TARGET = "x86_64-unknown-linux-gnu"
FLAGS = (
    "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 "
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters "
    "-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares "
    "-Clink-dead-code -Ccodegen-units=1"
)
"""What ``cargo fuzz build --sanitizer none`` passes."""

FACTOR, BASE = 400, 48 << 20
"""Bytes of memory per byte of a case, and beside it, of a reader in Python."""
LONGEST = 16_384
"""Bytes of a file that grows; more are cut off, so that many can be tried."""
SECONDS_PER_INPUT = 20
"""Of processor time; libFuzzer counts those of the clock, and gets ten times as many."""
_CORPUS_SHARE = 0.9


class BrokenPromiseError(Exception):
    """A promise of a reader that does not hold; the message says which."""


class Coverage:
    """Lines of the package that have run; a function is traced until all of its lines have."""

    def __init__(self) -> None:
        self._left: dict[CodeType, set[int]] = {}
        self._package = str(inputs.REPOSITORY / "python" / "odonata")
        self.lines = 0
        self.is_new = False

    def start(self) -> None:
        """Watch from here on."""
        self.is_new = False
        sys.settrace(self._call)

    @staticmethod
    def stop() -> None:
        """Watch no longer."""
        sys.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401
        code = frame.f_code
        left = self._left.get(code)
        if left is None:
            is_ours = code.co_filename.startswith(self._package)
            left = {line for *_, line in code.co_lines() if line is not None} if is_ours else set()
            self._left[code] = left
        if not left:
            return None

        def run(frame: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401
            if event == "line" and frame.f_lineno in left:
                left.discard(frame.f_lineno)
                self.lines += 1
                self.is_new = True
            return run

        return run


def mutate(case: Files, draw: random.Random, *, is_text: bool) -> Files:
    """A case with one of its files damaged; rarely missing."""
    name = draw.choice(sorted(case))
    changed = dict(case)
    if len(case) > 1 and draw.random() < 0.01:
        del changed[name]
    else:
        damage = binary.damage_text if is_text else binary.damage
        changed[name] = damage(case[name], draw)[: max(LONGEST, len(case[name]))]
    return changed


def write(case: Files, folder: Path) -> None:
    """Put the files of a case where a reader finds them."""
    for name, content in case.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def load(folder: Path) -> Files:
    """The files of a case that was kept."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _kilobytes(key: str) -> int:
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


def attempt(name: str, folder: Path, size: int) -> str:
    """Read a case and look at all that was promised; ``taken`` or ``refused``.

    Raises
    ------
    BrokenPromiseError
        A promise was broken.
    """
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak begins here
    before = _kilobytes("VmRSS")
    signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_INPUT)
    answer = "taken"
    try:
        PYTHON[name].read(folder)
    except InternalError:
        raise
    except Error as error:
        answer = "refused"
        if "\n" in str(error) or len(str(error)) > 2000:
            raise BrokenPromiseError(f"no sentence: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    used = (_kilobytes("VmHWM") - before) << 10
    if used > BASE + FACTOR * size:
        raise BrokenPromiseError(f"{used} bytes of memory for files of {size}")
    return answer


def _spent() -> float:
    """Processor time of this process and of those that it has waited for, in seconds."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def run_python(name: str, out: Path, seconds: float) -> None:
    """Try inputs of one reader in this process for some seconds."""
    profile_limit()
    # Of processor time: a busy machine may take its time.
    most = int(seconds) + 6 * SECONDS_PER_INPUT
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    out = out / name
    entry, count = PYTHON[name], _count(out)
    coverage, corpus = Coverage(), entry.cases()
    corpus += [load(path) for path in sorted((out / "corpus").glob("*"))]
    end = _spent() + seconds
    place = Path(tempfile.mkdtemp(prefix="odonata-fuzz-", dir=_memory()))
    for case in list(corpus):
        _remember(out / "current", case)
        with contextlib.suppress(Exception):
            _watched(name, case, place / "case", coverage)
    tried = {"taken": 0, "refused": 0}
    first = count["inputs"]
    try:
        while _spent() < end:
            draw = random.Random(f"{name} {first + sum(tried.values())}")  # noqa: S311 - no secret
            is_old = draw.random() < _CORPUS_SHARE
            case = mutate(draw.choice(corpus) if is_old else corpus[0], draw, is_text=entry.is_text)
            _remember(out / "current", case)
            answer = _watched(name, case, place / "case", coverage)
            tried[answer] += 1
            if coverage.is_new:
                corpus.append(case)
                write(case, out / "corpus" / f"{first + sum(tried.values()):09}")
            if sum(tried.values()) % 200 == 0:
                _say(out, tried, coverage.lines)
    finally:  # the next turn goes on behind a fault
        shutil.rmtree(place, ignore_errors=True)
        _say(out, tried, coverage.lines)


def profile_limit() -> None:
    """Bound what a profile may make of a few numbers; the product's own bound is larger."""
    inputs.profile._MOST_MESSAGES = 20_000  # noqa: SLF001


def _watched(name: str, case: Files, place: Path, coverage: Coverage) -> str:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    write(case, place)
    coverage.start()
    try:
        return attempt(name, place, sum(map(len, case.values())))
    finally:
        coverage.stop()


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108


def _remember(place: Path, case: Files) -> None:
    """Keep the case that is being read, in case that nobody comes back."""
    beside = place.with_name("next")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    write(case, beside)
    shutil.rmtree(place, ignore_errors=True)
    beside.rename(place)


def _say(out: Path, tried: dict[str, int], lines: int) -> None:
    (out / "tried.json").write_text(json.dumps({**tried, "lines": lines}), "utf-8")


def _count(out: Path) -> dict[str, Any]:
    try:
        return json.loads((out / "count.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {"inputs": 0, "seconds": 0.0, "faults": 0, "lines": 0}


def _keep_fault(out: Path, said: str) -> None:
    if not (out / "current").is_dir():
        raise SystemExit(f"{out.name}: its process ended before it tried anything:\n{said}")
    number = len(list((out / "faults").glob("*.txt")))
    shutil.copytree(out / "current", out / "faults" / f"{number:04}")
    (out / "faults" / f"{number:04}.txt").write_text(said, "utf-8")


def slice_python(name: str, out: Path, seconds: float) -> dict[str, Any]:
    """One turn of a reader in Python; what it tried."""
    own = out / name
    (own / "faults").mkdir(parents=True, exist_ok=True)
    (own / "tried.json").unlink(missing_ok=True)
    words = [sys.executable, str(HERE / "readers.py"), "--child", name]
    command = [*words, "--out", str(out), "--slice", str(seconds)]
    said = _carry_out(command)
    tried = json.loads(_text(own / "tried.json") or "{}")
    if said is not None:
        _keep_fault(own, said)
    return {
        "inputs": tried.get("taken", 0) + tried.get("refused", 0) + (said is not None),
        "faults": int(said is not None),
        "lines": tried.get("lines", 0),
    }


def slice_compiled(name: str, out: Path, seconds: float, turn: int) -> dict[str, Any]:
    """One turn of a compiled reader; what it tried."""
    own = out / name
    corpus, faults = own / "corpus", own / "faults"
    for folder in (corpus, faults):
        folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(COMPILED[name]()):
        (corpus / f"right-{number}").write_bytes(content)
    before = len(list(faults.iterdir()))
    program = HERE / "target" / TARGET / "release" / name
    log = own / "log.txt"
    command = [
        str(program), str(corpus), f"-max_total_time={int(seconds)}", f"-seed={turn + 1}",
        f"-artifact_prefix={faults}/", f"-max_len={LONGEST}", "-print_final_stats=1",
        f"-timeout={10 * SECONDS_PER_INPUT}", "-rss_limit_mb=4096", "-use_value_profile=0",
    ]  # fmt: skip
    _carry_out(command, log=log)
    text = _text(log)
    found = {"inputs": 0, "lines": 0, "faults": len(list(faults.iterdir())) - before}
    for line in text.splitlines():
        words = line.split()
        if line.startswith("stat::number_of_executed_units:"):
            found["inputs"] = int(words[-1])
        elif "cov:" in words:
            found["lines"] = int(words[words.index("cov:") + 1])
            if not found["inputs"]:
                found["inputs"] = int(words[0].strip("#"))
    if found["faults"]:
        shutil.copy(log, faults.parent / f"fault-{turn}.log")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def _carry_out(command: list[str], *, log: Path | None = None) -> str | None:
    """Run a turn; what it said if it failed."""
    with tempfile.TemporaryFile() if log is None else log.open("wb+") as stream:
        done = subprocess.run(command, stdout=stream, stderr=subprocess.STDOUT, check=False)
        if done.returncode == 0:
            return None
        stream.seek(0)
        said = stream.read().decode(errors="replace")[-5000:]
        return f"{said}\nexit code {done.returncode}\n"


def build() -> None:
    """Build the targets of the compiled readers."""
    command = ["cargo", "build", "--quiet", "--release", "--locked", "--target", TARGET]
    environment = {**os.environ, "RUSTFLAGS": FLAGS, "CARGO_INCREMENTAL": "0"}
    subprocess.run(command, cwd=HERE, env=environment, check=True)


def drive(names: list[str], out: Path, minutes: float, seconds: float) -> int:
    """Go round over the readers; the number of faults found."""
    end = time.monotonic() + 60 * minutes
    found = 0
    while time.monotonic() < end:
        name = min(names, key=lambda name: (_count(out / name)["seconds"], name))
        count = _count(out / name)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if name in COMPILED:
            tried = slice_compiled(name, out, seconds, int(count["inputs"]))
        else:
            tried = slice_python(name, out, seconds)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        count = {
            "inputs": count["inputs"] + tried["inputs"],
            # A turn that ends at once still is a turn.
            "seconds": round(count["seconds"] + max(spent, 1), 1),
            "faults": count["faults"] + tried["faults"],
            "lines": max(count["lines"], tried["lines"]),
        }
        (out / name / "count.json").write_text(json.dumps(count), "utf-8")
        found += tried["faults"]
        if tried["faults"]:
            print(f"FAULT: {out / name / 'faults'}", flush=True)
        print(f"{name}: {tried}; in all {count}", flush=True)
    return found


def summary(names: list[str], out: Path) -> None:
    """Print what has been tried."""
    print(f"{'reader':14} {'inputs':>12} {'minutes':>8} {'faults':>7} {'reached':>8}")
    for name in names:
        count = _count(out / name)
        minutes = count["seconds"] / 60
        print(f"{name:14} {count['inputs']:12} {minutes:8.1f} {count['faults']:7} "
              f"{count['lines']:8}")  # fmt: skip


def repeat(name: str, fault: Path) -> int:
    """Read one kept input again, in this process."""
    if name in COMPILED:
        return subprocess.run(
            [HERE / "target" / TARGET / "release" / name, fault], check=False
        ).returncode
    profile_limit()
    with tempfile.TemporaryDirectory() as folder:
        case = load(fault)
        write(case, Path(folder))
        try:
            print(attempt(name, Path(folder), sum(map(len, case.values()))))
        except Exception:  # noqa: BLE001 - what is looked for
            traceback.print_exc()
            return 1
    return 0


def main() -> int:
    """Carry out the command line."""
    known = [*COMPILED, *PYTHON]
    parser = argparse.ArgumentParser(description="Fuzz the readers of traces, loads and logs.")
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"), help="what is kept")
    parser.add_argument("--minutes", type=float, default=60, help="of the clock, for all readers")
    parser.add_argument("--slice", type=float, default=30, help="seconds of a turn")
    parser.add_argument("--summary", action="store_true", help="print the counts, run nothing")
    parser.add_argument("--built", action="store_true", help="take the targets as they are")
    parser.add_argument("--repeat", nargs=2, metavar=("READER", "FAULT"))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(known))
    options = parser.parse_args()
    names = options.readers or known
    for name in names:
        if name not in known:
            parser.error(f"there is no reader {name}; known are {', '.join(known)}")
    if options.child:
        run_python(options.child, options.out, options.slice)
        return 0
    if options.repeat:
        return repeat(options.repeat[0], Path(options.repeat[1]))
    if options.summary:
        summary(names, options.out)
        return 0
    if COMPILED.keys() & set(names) and not options.built:
        build()
    try:
        return 1 if drive(names, options.out, options.minutes, options.slice) else 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
