#!/usr/bin/env python3
"""One run of the compiled simulator and nothing else: what callgrind is to count.

    python benches/one_run.py write SCENARIO STOP FILE  # what it takes
    python -S benches/one_run.py run FILE               # and the run

``write`` reads a scenario as ``odonata run`` does, ends it at STOP (such as ``50us``), and writes
what the compiled module takes: FILE, and ``FILE.npz`` with its traces. ``run`` loads the module by
its path; the Python package is not imported, so that little is counted but the simulator. Prints
packet-hops.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path


def write(scenario: str, stop: str, file: str) -> None:
    """Write what the compiled module takes."""
    import numpy as np  # noqa: PLC0415 - with the package, which `run` does without

    from odonata.scenario import Scenario  # noqa: PLC0415
    from odonata.scenario.inputs import Inputs  # noqa: PLC0415

    (point,) = Scenario.read(scenario, overrides=[f'stop.time="{stop}"']).points
    ready = Inputs().of(point)
    columns = {
        f"{name}|{column}": np.asarray(trace[column])
        for name, trace in ready.traces.items()
        for column in trace
    }
    if columns:
        np.savez(f"{file}.npz", **columns)
    module = importlib.util.find_spec("odonata._core")
    given = {
        "config": ready.config,
        "texts": ready.texts,
        "module": module and module.origin,
        "path": str(Path(np.__file__).parent.parent),
    }
    Path(file).write_text(json.dumps(given), encoding="utf-8")


def run(file: str) -> None:
    """Run it with one thread."""
    given = json.loads(Path(file).read_text(encoding="utf-8"))
    sys.path.append(given["path"])  # of numpy, which the module needs
    import numpy as np  # noqa: PLC0415

    spec = importlib.util.spec_from_file_location("odonata._core", given["module"])
    if spec is None or spec.loader is None:
        raise ImportError(given["module"])
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    traces: dict[str, dict[str, object]] = {}
    if Path(f"{file}.npz").exists():
        with np.load(f"{file}.npz") as columns:
            for key in columns.files:
                name, _, column = key.rpartition("|")
                traces.setdefault(name, {})[column] = columns[key]
    inputs = traces, given["texts"]
    found, _, _ = core.run(json.dumps(given["config"]), inputs, 1, (None, None, False), packed=True)
    print("packet_hops", json.loads(found)["engine"]["packet_hops"])


if __name__ == "__main__":
    {"write": write, "run": run}[sys.argv[1]](*sys.argv[2:])
