"""Results that a change of the code must not move: ``python fuzz/frozen.py FILE.json.gz``.

The file holds random scenarios of ``attack.py`` as they were drawn, since draws follow the
registry, and a digest of the summary and all tables of each. A scenario is run on one to three
threads or on one to three processes, by its number; ``--make 2000`` writes the file instead.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
import threading
from pathlib import Path
from typing import Any

import attack
import promises

from odonata.core import native
from odonata.core.native import ConfigurationError, Outcome
from odonata.errors import Error
from odonata.scenario import Scenario

_SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
"""Processes, and threads of each."""


def digest(outcome: Outcome) -> str:
    """Of the summary, but for sentences, and of all tables."""
    summary = json.loads(json.dumps(outcome.summary))
    summary["engine"].pop("threads")
    summary.pop("warnings", None)  # sentences are no results
    promises.expect(outcome.packed is not None, "tables are packed")
    found = hashlib.sha256(outcome.packed or b"")
    found.update(json.dumps([summary, outcome.stall], sort_keys=True).encode())
    return found.hexdigest()[:16]


def together(config: dict[str, Any], processes: int, threads: int) -> Outcome:
    """Run as several processes do, each of which is a thread of this one."""
    said: dict[str, Any] = {"beside": processes, "secret": "s", "task": "t"}
    team = native.Team.lead("127.0.0.1", processes, **said)

    def take_part(rank: int) -> None:
        other = native.Team.join(team.address, rank, processes, **said)
        other.gather()
        try:
            native.run(config, {}, threads=threads, packed=True, team=other)
        except Error:
            return

    others = [threading.Thread(target=take_part, args=(rank,)) for rank in range(1, processes)]
    for other in others:
        other.start()
    try:
        team.gather()
        return native.run(config, {}, threads=threads, packed=True, team=team)
    finally:
        for other in others:
            other.join()


def result(text: str, shape: tuple[int, int]) -> str:
    """The digest of a scenario, or its refusal."""
    try:
        config = Scenario.from_text(text).points[0].config
        processes, threads = shape
        try:
            if processes > 1:
                return digest(together(config, processes, threads))
        except ConfigurationError:  # refused to several processes, or to one as well
            pass
        return digest(native.run(config, {}, threads=threads, packed=True))
    except Error as error:
        return f"refused: {str(error).splitlines()[0][:60]}"


def main() -> int:
    """Write the file, or compare with it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--make", type=int, metavar="N", help="write those of numbers below N")
    parser.add_argument("--renew", action="store_true", help="write the digests of today")
    parser.add_argument("--every", type=int, default=1, help="compare only every Nth")
    options = parser.parse_args()
    if options.make:
        rows = []
        for number in range(options.make):
            text = attack.to_toml(attack.draw_scenario(number))
            found = result(text, (1, 1))
            if not found.startswith("refused"):
                rows.append((number, text, found))
        options.file.write_bytes(gzip.compress(json.dumps(rows).encode(), 9, mtime=0))
        print(f"{len(rows)} scenarios")
        return 0
    if options.renew:
        rows = json.loads(gzip.decompress(options.file.read_bytes()))
        rows = [(number, text, result(text, (1, 1))) for number, text, _ in rows]
        options.file.write_bytes(gzip.compress(json.dumps(rows).encode(), 9, mtime=0))
        return 0
    faults = 0
    rows = json.loads(gzip.decompress(options.file.read_bytes()))[:: options.every]
    for number, text, expected in rows:
        shape = _SHAPES[number % len(_SHAPES)]
        found = result(text, shape)
        if found != expected:
            faults += 1
            print(f"number {number} on {shape[0]} x {shape[1]}: {found}", flush=True)
    print(f"{len(rows)} scenarios, {faults} have moved")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
