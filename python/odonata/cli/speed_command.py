"""A run as a user starts it: `odonata run`, from the start of the interpreter to the last table.

Rates of a run alone leave out what a short run mostly consists of: imports, the scenario, tables
of the topology, results. Here both are measured, as CPU time: a busy machine takes wall time away,
and of CPU time only what its caches are worth.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from odonata.core.errors import Error, InternalError
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml


def check(file: Path) -> None:
    """Refuse a scenario that is not one run.

    Raises
    ------
    Error
        It cannot be read, or has a sweep or replicas.
    """
    count = len(Scenario.read(file).points)
    if count != 1:
        raise Error(f"{file} has {count} runs; a speed is measured on one: remove its sweep.")


def measured(scenario: Path | dict[str, Any], threads: int) -> dict[str, Any]:
    """Carry a scenario out as a command.

    Parameters
    ----------
    scenario : pathlib.Path or dict
        File, or what would be in it. Victims are not run alone.
    threads : int
        Threads of the simulator.

    Returns
    -------
    dict
        ``command_cpu_s`` (of the whole command), and of the run: ``packet_hops``, ``wall_s``,
        ``cpu_s``, ``events_per_hop``, ``memory_bytes`` (of the command's process),
        ``simulated_ns``.

    Raises
    ------
    InternalError
        The command failed.
    """
    with tempfile.TemporaryDirectory(prefix="odonata-bench-") as name:
        folder = Path(name)
        file = scenario
        if isinstance(scenario, dict):
            file = folder / "scenario.toml"
            file.write_text(to_toml(scenario), encoding="utf-8")
        out = folder / "results"
        command = [
            sys.executable, "-m", "odonata", "run", str(file), "--out", str(out), "--quiet",
            "--no-baseline", "--executor", "serial", "--threads", str(threads),
        ]  # fmt: skip
        before = os.times()
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        after = os.times()
        if done.returncode == -2:
            raise KeyboardInterrupt
        if done.returncode != 0:
            raise InternalError(f"`odonata run {file}` ended early", done.stderr)
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    engine = summary["engine"]
    spent = after.children_user + after.children_system
    return {
        "command_cpu_s": spent - before.children_user - before.children_system,
        "packet_hops": engine["packet_hops"],
        "wall_s": engine["wall_s"],
        "cpu_s": engine["cpu_s"],
        "events_per_hop": engine["events"] / engine["packet_hops"],
        "memory_bytes": engine["rss_bytes_max"],
        "simulated_ns": summary["simulated_ns"],
    }
