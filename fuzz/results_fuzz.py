"""Damages folders of results and reads them: ``python fuzz/results_fuzz.py [TRIALS] [SEED]``.

Whatever the damage, the folder is read or refused with a ``RunError``; anything else is a fault.
``damage`` and ``read`` are also used by the tests, for a few trials.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import odonata
from odonata.errors import RunError
from odonata.output import report
from odonata.results.store import MANIFEST

SWEEP = {
    "name": "fuzz",
    "system": {"preset": "dragonfly(1, 2, 1, 3)"},
    "routing": {"algorithm": "minimal"},
    "jobs": [
        {"name": name, "role": role, "placement": "random-node",
         "workload": {"kind": "allreduce", "ranks": 3, "iterations": 2}}
        for name, role in (("a", "victim"), ("b", "aggressor"))
    ],
    "telemetry": {"packet_sample": 1},
    "sweep": {"seed": [1, 2]},
}  # fmt: skip


def corpus(folder: Path) -> list[Path]:
    """A run and a sweep."""
    odonata.run({**SWEEP, "sweep": {}}, out=folder / "run")
    odonata.run(SWEEP, out=folder / "sweep")
    return [folder / "run", folder / "sweep"]


def damage(folder: Path, draw: random.Random) -> str:
    """Damage a folder in one or two ways; say how."""
    done = []
    if draw.random() < 0.7:  # without it, only the content itself can tell
        for path in folder.rglob(MANIFEST):
            path.unlink()
        done.append("no manifests")
    for _ in range(draw.randint(1, 2)):
        path = draw.choice(sorted(p for p in folder.rglob("*") if p.is_file()))
        data = bytearray(path.read_bytes())
        how = draw.choice(("cut", "flip", "zero", "insert", "remove", "empty", "text", "folder"))
        at = draw.randrange(len(data) + 1)
        if how in ("remove", "folder"):
            path.unlink()
            if how == "folder":
                path.mkdir()
        else:
            path.write_bytes(_changed(data, how, at, draw))
        done.append(f"{path.relative_to(folder)}: {how} at {at}")
    return "; ".join(done)


def _changed(data: bytearray, how: str, at: int, draw: random.Random) -> bytes:
    if how == "cut":
        return bytes(data[:at])
    if how == "empty":
        return b""
    if how == "flip":
        for place in {min(at, len(data) - 1), draw.randrange(max(len(data), 1))} if data else ():
            data[place] ^= 1 << draw.randrange(8)
    elif how == "zero":
        data[at : at + 40] = bytes(len(data[at : at + 40]))
    elif how == "insert":
        data[at:at] = draw.randbytes(draw.randint(1, 30))
    else:
        words = (b"null", b"[]", b"{}", b'""', b"-1", b"1e999", b"NaN", b"true", b'"\\ud800"')
        text = data.decode("utf-8", "replace").split(" ")
        text[draw.randrange(len(text))] = draw.choice(words).decode()
        return " ".join(text).encode()
    return bytes(data)


def read(folder: Path, *, pictures: bool = True) -> str:
    """How a folder is taken: ``ok``, ``refused``, or the call stack of a fault."""
    try:
        found = odonata.load(folder)
        runs = found.runs.values() if isinstance(found, odonata.Sweep) else [found]
        for run in runs:
            for one in (run, *run.baselines.values()):
                for name in one.tables():
                    one.table(name)
        if pictures:
            report.write(folder)
    except RunError:
        return "refused"
    except BaseException:  # noqa: BLE001 - what is looked for; a panic is no Exception
        return traceback.format_exc()
    return "ok"


def main(trials: int, seed: int) -> int:
    """Carry out trials; the number of faults."""
    faults = 0
    with tempfile.TemporaryDirectory() as place:
        originals = corpus(Path(place))
        for trial in range(trials):
            draw = random.Random(f"{seed}-{trial}")  # noqa: S311 - not a secret
            copy = Path(place) / "copy"
            shutil.copytree(draw.choice(originals), copy)
            how = damage(copy, draw)
            verdict = read(copy, pictures=draw.random() < 0.3)
            if verdict not in ("ok", "refused"):
                faults += 1
                sys.stdout.write(f"seed {seed}, trial {trial}: {how}\n{verdict}\n")
            shutil.rmtree(copy)
    sys.stdout.write(f"seed {seed}: {trials} trials, {faults} faults\n")
    return faults


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    sys.exit(min(main(*(numbers + [1000, random.randrange(10**6)][len(numbers) :])), 100))  # noqa: S311
