"""The same scenario and seed give the same files in any process.

That threads do not show in any number is tested where the numbers are made:
``crates/sim/tests/determinism.rs``, and ``test_attack.py`` for random scenarios. Here are two
processes with different orders of hashing, on 1 and on 3 threads: what Python adds is the same.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

from examples import jobs, open_loop
from odonata.scenario.text import to_toml

EVERYTHING = jobs(
    jobs=[
        *jobs()["jobs"][:1],
        {
            "role": "background",
            "placement": "random-node",
            "workload": {"kind": "open-loop", "load": 0.3},
        },
    ],
    telemetry={
        "packet_sample": 3,
        "message_sample": 2,
        "blame": True,
        "counters": True,
        "counter_interval": "1 us",
        "link_series": True,
    },
    sweep={"routing.algorithm": ["par", "ugal-group"]},
)
"""Jobs beside open loop, a sweep, every table."""


def digests(folder):
    files = sorted(folder.rglob("*.parquet"))
    assert len(files) >= 5
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def test_two_processes_write_the_same_bytes(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(EVERYTHING))
    found = []
    for threads in ("1", "3"):
        command = [sys.executable, "-m", "odonata", "run", file, "--quiet", "--threads", threads]
        subprocess.run(
            [*command, "--layout", "folders", "--out", threads],
            cwd=tmp_path, check=True, env={**os.environ, "PYTHONHASHSEED": threads},
        )  # fmt: skip
        found.append(digests(tmp_path / threads))
    assert any("blame" in name for name in found[0])
    assert found[0] == found[1]


def test_another_seed_gives_other_bytes(odonata, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(open_loop()))
    for seed in (1, 2):
        assert odonata("run", file, "--set", f"seed={seed}", "--out", seed).returncode == 0
    one, two = (digests(tmp_path / folder) for folder in ("1", "2"))
    assert one["links.parquet"] != two["links.parquet"]
